"""What all pieces found -> the scores of the run, in the order of the data set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from inspector.core.columns import MaskColumn, read_masks
from inspector.core.dataset import Dataset
from inspector.core.failures import Thresholds
from inspector.core.maskless import score_boxes
from inspector.core.problems import ProblemLog
from inspector.core.run import EVIDENCE, Run, Status
from inspector.core.scores import Scores
from inspector.core.shapes import ShapeScores
from inspector.engine.scoring import BOXES, PIECES, SCORES, SHAPES, Share, frames_of
from inspector.predictions.align import Alignment

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, eq=False)
class ScoredRun(Run):
    """A run whose masks were scored elsewhere and stayed there.

    ``rows`` is -1 but for the few masks that came back; what a score rests on is known all the
    same.
    """

    @cached_property
    def is_boxes_only(self) -> bool:
        """Never: a run without masks is not scored in pieces."""
        return False

    @cached_property
    def evidence_codes(self) -> np.ndarray:
        """``(n,)`` int8, row of ``EVIDENCE``: a mask wherever something usable was predicted."""
        found: np.ndarray = np.where(
            self.status == Status.SCORED, EVIDENCE.index("mask"), EVIDENCE.index("")
        ).astype(np.int8)
        return found


@dataclass(frozen=True, slots=True)
class Named:
    """The run that pieces belong to, and how it was aligned."""

    name: str
    source: str
    alignment: Alignment


def join_scores(
    dataset: Dataset, shares: Sequence[Share], tables: Sequence[pa.Table], named: Named,
    thresholds: Thresholds, log: ProblemLog,
) -> Scores:
    """Put the numbers of all pieces where they belong.

    Args:
        dataset: The ground truth.
        shares: What each piece had to do; together every example once.
        tables: What :func:`~inspector.engine.scoring.score_share` gave for each.
        named: The run.
        thresholds: Those that decided the failure modes.
        log: Takes what cannot be used, in the order of the data set; then it is closed.
    """
    places = np.concatenate([share.examples for share in shares])
    order = np.argsort(places, kind="stable")
    if not np.array_equal(places[order], np.arange(len(dataset))):
        raise RuntimeError("the pieces do not hold every example once")

    def column(name: str, empty: float | None = None) -> np.ndarray:
        parts = [
            table[name].to_numpy() if empty is None or name in table.column_names
            else np.full(table.num_rows, empty) for table in tables
        ]
        values: np.ndarray = np.concatenate(parts)[order]
        return values

    def texts(name: str) -> list[str]:
        return [value for table in tables for value in table[name].to_pylist()]

    found = {name: column(name).astype(kind) for name, kind in SCORES.items()}
    reasons = _list_refusals(
        dataset, order, (texts("reason"), texts("problem"), texts("where")),
        (texts("box_fault"), texts("box_where")), column("is_late").tolist(), log,
    )
    frames: Counter[tuple[int, int]] = Counter()
    for table in tables:
        for height, width, count in frames_of(table):
            frames[height, width] += count
    has_boxes = any(BOXES[0] in table.column_names for table in tables)
    rows, masks = _masks(dataset, places, tables)
    run = ScoredRun(
        name=named.name, source=named.source, format="jsonl",
        status=column("run_status").astype(np.int8), rows=rows, masks=masks,
        says_no_target=column("says_no_target"), reasons=reasons,
        duplicate=named.alignment.duplicate, unmatched=len(named.alignment.leftover),
        alignment=named.alignment.describe(), problems=log.close(),
        boxes_xywh=np.stack([column(name, np.nan) for name in BOXES], 1) if has_boxes else None,
        frames_hw=tuple((*size, count) for size, count in frames.most_common()),
    )
    shapes = None
    if all(PIECES in table.column_names for table in tables):
        shapes = ShapeScores(*(column(name).astype(kind) for name, kind in SHAPES.items()))
    return Scores(
        dataset=dataset, run=run, thresholds=thresholds, target_area=dataset.target_areas,
        boxes=score_boxes(dataset, run), shapes=shapes, **found,
    )


def _list_refusals(
    dataset: Dataset, order: np.ndarray, columns: tuple[list[str], ...],
    boxes: tuple[list[str], ...], is_late: list[bool], log: ProblemLog,
) -> dict[int, str]:
    """List why predictions cannot be used, in the order in which one go would come across them.

    That is the order of the data set, once for masks that cannot be used, then for boxes beside
    them, then for records.
    """
    reasons: dict[int, str] = {}
    beside: list[tuple[str, str, str]] = []
    later: list[tuple[str, str, str]] = []
    for example, place in enumerate(order.tolist()):
        reason, code, where = (column[place] for column in columns)
        named = f"Example {dataset.expressions.ids[example]}"
        fault, box_where = (column[place] for column in boxes)
        if fault:
            beside.append(("broken-box", box_where, f"{named}: {fault}"))
        if not reason:
            continue
        reasons[example] = reason
        if code:
            said = (code, where, f"{named}: {reason}")
            later.append(said) if is_late[example] else _refuse(log, *said)
    for said in (*beside, *later):
        _refuse(log, *said)
    return reasons


def _refuse(log: ProblemLog, code: str, where: str, message: str) -> None:
    log.add(code, "error", where, message)


def _masks(
    dataset: Dataset, places: np.ndarray, tables: Sequence[pa.Table]
) -> tuple[np.ndarray, MaskColumn]:
    """Put the masks that came back into a column; ``(n,)`` int32, which row each example has."""
    counts = [
        value for table in tables
        for value in (table["counts"].to_pylist() if "counts" in table.column_names
                      else [None] * table.num_rows)
    ]
    rows = np.full(len(dataset), -1, np.int32)
    values, sizes = [], []
    images = dataset.expressions.image
    for example, content in zip(places.tolist(), counts, strict=True):
        if content is None:
            continue
        rows[example] = len(values)
        sizes.append(dataset.images[images[example]].size_hw)
        values.append({"size": list(sizes[-1]), "counts": content})
    masks, faults = read_masks(values, sizes)
    if faults:
        raise next(iter(faults.values()))
    return rows, masks
