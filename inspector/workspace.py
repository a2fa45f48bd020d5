"""What one session looks at: a data set, its runs and their scores, read once and shared."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from inspector.core.dataset import Dataset
from inspector.core.errors import UsageError
from inspector.core.failures import Thresholds
from inspector.core.metrics import compute_levels, compute_metrics
from inspector.core.problems import Problem
from inspector.core.protocol import Protocol, ScoredExamples, apply_protocol
from inspector.core.records import PictureCell, PictureLocation
from inspector.core.scores import Scores, with_shapes
from inspector.formats import DEMO_FOLDER, DEMO_TRUTHS
from inspector.formats.request import LoadRequest
from inspector.predictions import parse_run_option
from inspector.predictions.options import RunOptions
from inspector.recalling import recall_dataset
from inspector.run_files import RunFile, RunFiles
from inspector.run_reading import Opening, Progress, read_runs, reread_runs
from inspector.snapshots import Memory, digest_of, program_digest
from inspector.stored.lazy import ScoredAsNeeded
from inspector.stored.table import StoredTable
from inspector.truths.results import TruthPair, Truths, compare_under_both, pair_truths

DEMO_RUNS = ("words", "saliency", "box")


@dataclass(frozen=True, eq=False)
class Workspace:
    """A data set with the scores of its runs under one protocol; immutable.

    ``opening`` is None where it was not opened from files, ``second`` where there is no second
    ground truth, ``table`` where the scores were counted here rather than read from a table.
    """

    dataset: Dataset
    scores: tuple[Scores, ...]
    protocol: Protocol
    opening: Opening | None = None
    second: TruthPair | None = None
    table: StoredTable | None = None

    @cached_property
    def scored(self) -> Sequence[ScoredExamples]:
        """Per-example IoU of each run under the protocol."""
        if self.table is not None:
            return ScoredAsNeeded(self.scores, self.protocol)
        return tuple(apply_protocol(scores, self.protocol) for scores in self.scores)

    def shown_iou(self, run: int, index: int) -> float:
        """Give the IoU that one example is shown by in one run; NaN where it has none."""
        if self.table is not None and run < len(self.table.runs):
            return self.table.shown_iou(run, index, self.protocol)
        return float(self.scored[run].shown_iou[index])

    @cached_property
    def metrics(self) -> tuple[dict[str, float | None], ...]:
        """Every metric of each run under the protocol."""
        found = tuple(compute_metrics(scores, self.protocol) for scores in self.scores)
        if self.table is not None:  # all of it was looked at once
            self.table.release()
        return found

    @cached_property
    def levels(self) -> tuple[dict[str, dict[str, float | None]], ...]:
        """The same on each level alone; nothing where the data set has no levels."""
        return tuple(compute_levels(scores, self.protocol) for scores in self.scores)

    @cached_property
    def truths(self) -> Truths | None:
        """What the second ground truth does to the runs; None where there is none."""
        return compare_under_both(self.second, self.scores, self.protocol) if self.second else None

    @cached_property
    def problems(self) -> tuple[Problem, ...]:
        """Everything that is wrong: the data set's, each run's, those of two ground truths."""
        opening = self.opening.problems if self.opening else ()
        table = self.table.problems if self.table else ()
        return self.dataset.problems + opening + table + tuple(
            problem for scores in self.scores for problem in scores.run.problems
        ) + (self.truths.problems if self.truths else ())

    @cached_property
    def version(self) -> str:
        """Changes with anything that the page could show; stands in every data address.

        Browsers keep what they got under a version, and so does the cache of analyses: a change
        that is missed here, of the program too, would be shown as it was before.
        """
        digest = hashlib.sha256(program_digest().encode())
        pictures = [_stamp(image.location) for image in self.dataset.images]
        for text in (digest_of(self.dataset), repr(self.protocol), *pictures):
            digest.update(text.encode() + b"\0")
        for scores in self.scores:
            run = scores.run
            digest.update("\0".join([run.name, *run.reasons.values()]).encode(errors="replace"))
            digest.update(run.masks.buffer)
            digest.update(run.rows.tobytes() + run.status.tobytes())
            digest.update(run.says_no_target.tobytes())
            for values in (run.boxes_xywh, run.counts, run.stated_iou):
                digest.update(b"" if values is None else values.tobytes())
            digest.update(repr((scores.thresholds, scores.shapes is not None)).encode())
        if self.table:
            digest.update(self.table.digest.encode())
            self.table.release()
        if self.second:
            digest.update(replace(self, dataset=self.second.b, scores=(), second=None, table=None)
                          .version.encode())
        return digest.hexdigest()[:12]


def _stamp(location: PictureLocation) -> str:
    """Say when a picture's file was written, so that one that was exchanged is shown anew."""
    path = location.path if isinstance(location, PictureCell) else location
    try:
        return f"{path.stat().st_mtime_ns}" if path else ""
    except OSError:
        return "gone"


def open_workspace(
    request: LoadRequest, runs: Sequence[str], *, folder: Path | None = None,
    options: RunOptions | None = None, protocol: Protocol | None = None,
    second: LoadRequest | None = None, thresholds: Thresholds | None = None,
    progress: Progress | None = None, memory: Memory | None = None,
) -> Workspace:
    """Load a data set and its runs, and score them.

    Args:
        request: Which data set.
        runs: Values of ``--run``: ``NAME=PATH`` or ``PATH``. The demo brings its own if there is
            neither a run nor a folder.
        folder: Value of ``--runs``: every file of predictions in it is a run. One that cannot be
            read is listed as a problem and does not keep the others from opening.
        options: How predictions are read; the defaults if None.
        protocol: The rules; the defaults if None.
        second: A second ground truth of the same referents.
        thresholds: What the failure modes are measured by; the documented ones if None.
        progress: Called with (what, done, all).
        memory: Recalls what was read and scored at an earlier time, if nothing has changed; what
            is new it keeps for the next. If None, everything is read and scored.

    Raises:
        InspectorError: If something cannot be read, two runs have the same name, or the second
            ground truth has no picture in common with the first.
    """
    named = tuple(RunFile(*parse_run_option(value)) for value in runs)
    if request.source in DEMO_TRUTHS and not runs and folder is None:
        named = tuple(RunFile(name, DEMO_FOLDER / "runs" / f"{name}.jsonl") for name in DEMO_RUNS)
    options = options or RunOptions()
    protocol = protocol or Protocol()
    if options.resize != protocol.resize:  # the rules that stand beside every number name it
        protocol = replace(protocol, resize=options.resize)
    opening = Opening(
        request, RunFiles(named, folder, options), {}, thresholds=thresholds or Thresholds()
    )
    opening.files.list()  # what cannot be opened is said before the data set is loaded
    dataset = recall_dataset(request, memory)
    pair = _pair(dataset, second, opening.thresholds, progress, memory) if second else None
    scores, opening = read_runs(dataset, opening, progress, memory)
    return Workspace(dataset, scores, protocol, opening, pair)


def _pair(
    dataset: Dataset, second: LoadRequest, thresholds: Thresholds, progress: Progress | None,
    memory: Memory | None,
) -> TruthPair:
    """Load the second ground truth; what is wrong with it is said of it, not of the first."""
    try:
        other = recall_dataset(second, memory)
    except UsageError as error:
        hint = " (Its own splits are chosen with --split-b.)" if "split" in str(error) else ""
        raise UsageError(f"The second ground truth: {error}{hint}") from error

    def make() -> TruthPair:
        return pair_truths(dataset, other, thresholds=thresholds, progress=progress)

    if memory is None:
        return make()
    return memory.recall(
        "truths", [thresholds], make, of={"a": dataset, "b": other}, reads=False
    )


def measured(
    workspace: Workspace, *, only: int | None = None, progress: Progress | None = None
) -> Workspace:
    """Measure the boundaries, pieces and holes of runs, which opening leaves out.

    Args:
        workspace: Whose runs.
        only: Row of the one run to measure; all if None.
        progress: Called with what is done, how far it is, and how much it is in all.

    Returns:
        The same workspace with ``boundary_mIoU`` and the flags that need pixels; itself if
        everything was measured before.
    """
    if workspace.table is not None:  # what the table does not say is not known
        return workspace
    if all(scores.shapes is not None for scores in workspace.scores):
        return workspace
    found = list(workspace.scores)
    for row in range(len(found)) if only is None else [only]:
        name = f"measure edges of {found[row].run.name}"
        step = (lambda done, total, name=name: progress(name, done, total)) if progress else None
        found[row] = with_shapes(found[row], progress=step)
    return replace(workspace, scores=tuple(found))


def reload_runs(workspace: Workspace, *, progress: Progress | None = None) -> Workspace:
    """Read the runs that are new or have grown; the others keep their scores.

    A file may be in the middle of being written: a last line that is not complete is left out,
    and a run that cannot be read at this moment keeps its earlier scores, with a problem that
    says so.

    Returns:
        The same object if nothing has changed.
    """
    before = workspace.opening
    if before is None:
        return workspace
    scores, opening = reread_runs(workspace.dataset, before, workspace.scores, progress)
    is_same = [id(one) for one in scores] == [id(one) for one in workspace.scores]
    if is_same and opening.problems == before.problems:
        return workspace
    return replace(workspace, scores=scores, opening=opening)
