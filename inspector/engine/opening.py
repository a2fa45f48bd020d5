"""A data set and the shards of its runs -> the workspace that scoring in one go would give."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, replace

import numpy as np

from inspector.core.dataset import Dataset
from inspector.core.errors import FormatError, UsageError, printable
from inspector.core.failures import Thresholds
from inspector.core.problems import ProblemLog
from inspector.core.protocol import Protocol
from inspector.core.run import Status
from inspector.core.scores import Scores
from inspector.elsewhere import other_datasets
from inspector.engine.joining import Named, join_scores
from inspector.engine.keys import Keys, align_by_one_id, join_keys
from inspector.engine.running import Effort, Engine, Task, do_all
from inspector.engine.scoring import ScoringRules, Share
from inspector.engine.shards import Shard, cut, find_shards, parse_shards_option
from inspector.engine.truth import PackedTruth, pack_truth
from inspector.formats import DEMO_FOLDER, DEMO_TRUTHS, load_dataset
from inspector.formats.request import LoadRequest
from inspector.predictions.align import Alignment
from inspector.predictions.matching import align_records
from inspector.predictions.options import RunOptions
from inspector.run_files import named_twice
from inspector.workspace import DEMO_RUNS, Progress, Workspace

MEGABYTES = 16.0
"""Size of a piece, if nobody asks for another: some twenty thousand masks, a second or two."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What is to be scored, and how.

    Attributes:
        request: Which data set.
        runs: Values of ``--run``: ``NAME=SHARDS`` or ``SHARDS``.
        options: How predictions are read.
        protocol: The rules.
        thresholds: What the failure modes are measured by.
        boundary: Whether boundaries are measured; None if only where that is cheap.
        cheap: Up to how many predictions it is.
        megabytes: Size of a piece.
    """

    request: LoadRequest
    runs: tuple[str, ...]
    options: RunOptions = RunOptions()
    protocol: Protocol = Protocol()
    thresholds: Thresholds = Thresholds()
    boundary: bool | None = None
    cheap: int = 0
    megabytes: float = MEGABYTES


@dataclass(frozen=True, slots=True, eq=False)
class _Aligned:
    """One run after the first pass: who serves which example."""

    named: Named
    keys: Keys
    log: ProblemLog

    @property
    def masks(self) -> int:
        """Number of examples that have a mask, usable or not."""
        rows = np.array(list(self.named.alignment.record_of.values()), np.int64)
        return int(self.keys.has_mask[rows].sum())


def score_in_pieces(
    asked: Asked, engine: Engine, *, progress: Progress | None = None,
    effort: Effort | None = None,
) -> Workspace:
    """Score runs piece by piece; the result equals that of scoring each in one go.

    Args:
        asked: What.
        engine: Where.
        progress: Called with (what, done, all).
        effort: Takes what was done.

    Returns:
        A workspace with every number and no mask.

    Raises:
        InspectorError: If something cannot be read, two runs have the same name, or a shard stays
            bad.
    """
    effort = Effort() if effort is None else effort
    runs = _find_runs(asked)
    dataset = load_dataset(asked.request)
    truth = pack_truth(dataset)
    aligned = [
        _align(asked, dataset, name, source, shards, engine, effort, progress)
        for name, (source, shards) in runs.items()
    ]
    with_shapes = asked.boundary
    if with_shapes is None:  # as scoring in one go decides it, from what can be used at most
        with_shapes = sum(run.masks for run in aligned) <= asked.cheap
    scores = _score_all(asked, dataset, truth, aligned, with_shapes, engine, effort, progress)
    usable = sum(int((one.status == Status.SCORED).sum()) for one in scores)
    if asked.boundary is None and not with_shapes and usable <= asked.cheap:
        scores = _score_all(asked, dataset, truth, aligned, True, engine, effort, progress)
    return Workspace(dataset, tuple(scores), replace(asked.protocol, resize=asked.options.resize))


def _find_runs(asked: Asked) -> dict[str, tuple[str, tuple[Shard, ...]]]:
    """Find the shards of every run, before anything is read."""
    named = [parse_shards_option(value) for value in asked.runs]
    if not named and asked.request.source in DEMO_TRUTHS:
        named = [(name, str(DEMO_FOLDER / "runs" / f"{name}.jsonl")) for name in DEMO_RUNS]
    if not named:
        raise UsageError("There is nothing to score. Add --run NAME=SHARDS.")
    counts = Counter(name for name, _ in named)
    twice = next((name for name, count in counts.items() if count > 1), None)
    if twice is not None:
        raise named_twice(twice, "SHARDS")
    return {name: (source, find_shards(source)) for name, source in named}


def _align(
    asked: Asked, dataset: Dataset, name: str, source: str, shards: tuple[Shard, ...],
    engine: Engine, effort: Effort, progress: Progress | None,
) -> _Aligned:
    """Read the keys of all pieces and decide which record belongs to which example."""
    pieces = cut(shards, megabytes=asked.megabytes)
    if not pieces:
        raise FormatError("holds no prediction (it is empty)", path=source)
    tables = do_all(
        engine, [Task("keys", piece) for piece in pieces], None, effort,
        progress=_step(progress, f"read keys of {name}"),
    )
    log = ProblemLog()
    keys = join_keys(pieces, tables, log)
    alignment = align_by_one_id(dataset, keys)
    if alignment is None:
        alignment, _ = align_records(
            dataset, source, keys, log, lambda: other_datasets(asked.request, dataset)
        )
    rows = np.array(list(alignment.record_of.values()), np.int64)
    without = rows[~keys.has_mask[rows] & ~keys.is_faulty[rows]]
    if len(without):
        first = keys[int(without.min())]
        raise FormatError(
            f"{len(without):,} predictions hold a box but no mask, the first in {first.where}; "
            "boxes are scored on one machine", path=source, hint="Leave --engine out.",
        )
    return _Aligned(Named(name, printable(source), alignment), keys, log)


def _score_all(
    asked: Asked, dataset: Dataset, truth: PackedTruth, aligned: Sequence[_Aligned],
    with_shapes: bool, engine: Engine, effort: Effort, progress: Progress | None,
) -> list[Scores]:
    rules = ScoringRules(asked.options, asked.thresholds, with_shapes)
    found = []
    for run in aligned:
        shares = list(_share_out(len(dataset), run.keys, run.named.alignment))
        tables = do_all(
            engine, [Task("scores", share.piece, share, rules) for share in shares], truth,
            effort, progress=_step(progress, f"score {run.named.name}"),
        )
        found.append(
            join_scores(
                dataset, shares, tables, run.named, asked.thresholds, deepcopy(run.log)
            )
        )
    return found


def _share_out(n: int, keys: Keys, alignment: Alignment) -> list[Share]:
    """Give each piece the examples that its records serve, and the rest to nobody's piece."""
    examples = np.array(list(alignment.record_of), np.int64)
    rows = np.array(list(alignment.record_of.values()), np.int64)
    order = np.argsort(examples)
    examples, rows = examples[order], rows[order]
    owner = np.searchsorted(keys.begin, rows, side="right") - 1
    by_piece = np.argsort(owner, kind="stable")
    ends = np.searchsorted(owner[by_piece], np.arange(len(keys.pieces) + 1))
    shares = []
    for place, piece in enumerate(keys.pieces):
        mine = by_piece[ends[place] : ends[place + 1]]
        if len(mine):
            shares.append(Share(piece, examples[mine], rows[mine] - keys.begin[place], {}))
    rest = np.setdiff1d(np.arange(n), examples)
    if len(rest):
        shares.append(Share(None, rest, np.full(len(rest), -1, np.int64), alignment.reasons))
    return shares


def _step(progress: Progress | None, what: str):  # noqa: ANN202
    return (lambda done, total: progress(what, done, total)) if progress else None
