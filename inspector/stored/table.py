"""A table of scores on a shelf: the same scores as if they had just been counted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from inspector.core.boxes import target_boxes
from inspector.core.columns import MaskColumn, column_of
from inspector.core.dataset import Dataset
from inspector.core.errors import UsageError, say_choices
from inspector.core.failures import Thresholds
from inspector.core.maskless import BoxScores
from inspector.core.problems import Problem
from inspector.core.protocol import Protocol
from inspector.core.run import Run, Status
from inspector.core.scores import Scores
from inspector.core.shapes import ShapeScores
from inspector.stored.rows import BOX, COUNTS, IOU, MASK
from inspector.stored.shelf import SHELF_COLUMNS, Shelf

KNOWN, EMPTY_PAIR, UNUSABLE, NEVER = range(4)
"""What an example is shown by: its own IoU; the empty rule; the missing rule; no number."""


@dataclass(frozen=True, slots=True)
class RunRows:
    """What was found of one run in a table.

    Attributes:
        name: As the table names it.
        rows: Rows of the run.
        duplicate: Rows of an example that already had one.
        unmatched: Rows of no example of the data set.
        absent: Examples without a row.
    """

    name: str
    rows: int
    duplicate: int
    unmatched: int
    absent: int


@dataclass(frozen=True, eq=False)
class StoredTable:
    """Scores that are looked up on disk.

    Attributes:
        dataset: What they are matched to.
        source: The table, as it was asked for.
        shelf: Its columns, run by run in the order of the data set.
        folder: Where ``rows.parquet`` lies, which filters and orders look at.
        runs: What was found of each run.
        protocol: The rules that the table was scored under.
        thresholds: Those that decided its failure modes.
        digest: Changes with any number of it.
        problems: What is wrong with it.
    """

    dataset: Dataset
    source: str
    shelf: Shelf
    folder: Path
    runs: tuple[RunRows, ...]
    protocol: Protocol
    thresholds: Thresholds
    digest: str
    problems: tuple[Problem, ...]

    @property
    def rows_file(self) -> Path:
        """The Parquet file of what filters and orders look at, one row group a run."""
        return self.folder / "rows.parquet"

    def shown_iou(self, run: int, index: int, protocol: Protocol) -> float:
        """Give the IoU that one example is shown by under some rules; NaN where it has none."""
        rule = int(self._column("rule")[run, index])
        if rule == KNOWN:
            return float(self._column("iou")[run, index])
        return values_of(protocol)[rule]

    def scores(self, drawn: Mapping[str, Run]) -> tuple[Scores, ...]:
        """Give the scores of each run; nothing is read before it is looked at.

        Args:
            drawn: Predictions to be shown with the numbers of the run of their name.

        Raises:
            UsageError: If the table has no run of one of the names.
        """
        names = [run.name for run in self.runs]
        for name in drawn:
            if name not in names:
                raise UsageError(
                    f"The table of scores has no run '{name}'. {say_choices(name, names)}"
                )
        return tuple(
            self._scores(row, drawn.get(found.name)) for row, found in enumerate(self.runs)
        )

    def release(self) -> None:
        """Let go of the memory that looking at all runs has taken; it is read again on demand."""
        self.shelf.release()

    def _column(self, name: str) -> np.ndarray:
        found = self._columns.get(name)
        if found is None:
            raise UsageError(
                f"{self.folder} no longer holds what was read of the table ('{name}' is gone). "
                "Open the table again."
            )
        return found

    @cached_property
    def _columns(self) -> dict[str, np.ndarray | None]:
        return {name: self.shelf.read(name) for name in SHELF_COLUMNS}

    @cached_property
    def _target_boxes(self) -> np.ndarray:
        return target_boxes(self.dataset)

    @cached_property
    def _no_masks(self) -> MaskColumn:
        return column_of(())

    def _scores(self, row: int, drawn: Run | None) -> Scores:
        n = len(self.dataset)
        counts = self._column("counts")[row]
        other, other_iou = self._columns["other"], self._columns["other_iou"]
        grounded, flags = self._columns["grounded"], self._columns["flags"]
        run = self._run(row, drawn)
        return Scores(
            dataset=self.dataset, run=run, thresholds=self.thresholds,
            status=self._column("status")[row],
            intersection=counts[:, 0], union=counts[:, 1],
            target_area=self.dataset.target_areas,
            prediction_area=self._column("prediction_area")[row],
            failure=self._column("failure")[row],
            other=_constant(-1, np.int32, n) if other is None else other[row],
            other_iou=_constant(np.nan, np.float64, n) if other_iou is None else other_iou[row],
            marks_nothing=self._column("marks_nothing")[row],
            grounded=_constant(-1, np.int8, n) if grounded is None else grounded[row],
            boxes=self._boxes(row, run), shapes=self._shapes(row),
            known_flags=None if flags is None else flags[row],
        )

    def _run(self, row: int, drawn: Run | None) -> Run:
        n, found = len(self.dataset), self.runs[row]
        evidence = self._column("evidence")[row]
        kinds = set(np.unique(evidence).tolist())
        counts = self._column("counts")[row] if kinds & {MASK, COUNTS} else None
        if counts is not None and kinds & {IOU, BOX}:
            counts = np.where(np.isin(evidence, (IOU, BOX))[:, None], -1, counts)
        boxes = self._columns["box"]
        has_boxes = boxes is not None and bool((~np.isnan(boxes[row, :, 0])).any())
        stated = None
        if IOU in kinds:
            stated = np.where(evidence == IOU, self._column("iou")[row], np.nan)
        nothing = self._column("marks_nothing")[row]
        return Run(
            name=found.name, source=self.source, format="table",
            status=self._column("status")[row],
            rows=_constant(-1, np.int32, n) if drawn is None else drawn.rows,
            masks=self._no_masks if drawn is None else drawn.masks,
            says_no_target=_constant(False, bool, n) if drawn is None and counts is not None
            else nothing if drawn is None else drawn.says_no_target,
            reasons={} if drawn is None else drawn.reasons,
            duplicate=found.duplicate, unmatched=found.unmatched,
            alignment=(f"{found.rows:,} rows of a table that was scored elsewhere",),
            problems=() if drawn is None else drawn.problems,
            boxes_xywh=boxes[row] if boxes is not None and has_boxes else None,
            counts=counts, stated_iou=stated,
        )

    def _boxes(self, row: int, run: Run) -> BoxScores | None:
        iou = self._columns["box_iou"]
        if run.boxes_xywh is None or iou is None:
            return None
        return BoxScores(run.boxes_xywh, self._target_boxes, iou[row])

    def _shapes(self, row: int) -> ShapeScores | None:
        measured, shapes = self._columns["is_measured"], self._columns["shapes"]
        if measured is None or shapes is None:
            return None
        return ShapeScores(measured[row], *(shapes[row, :, at] for at in range(shapes.shape[2])))


def values_of(protocol: Protocol) -> Sequence[float]:
    """Give the IoU of each of the four kinds of rows under some rules; NaN where there is none."""
    empty = {"one": 1.0, "zero": 0.0, "skip": np.nan}[protocol.empty_union]
    return (np.nan, empty, 0.0 if protocol.missing == "zero" else np.nan, np.nan)


def is_boxes_only(kinds: set[int], *, has_boxes: bool) -> bool:
    """Say whether a run holds boxes and nothing else, by what its scores rest on."""
    return has_boxes and not kinds & {MASK, COUNTS, IOU}


def unusable(status: np.ndarray) -> np.ndarray:
    """``(n,)`` bool: no usable prediction, but a truth to score it against."""
    found: np.ndarray = (status == Status.MISSING) | (status == Status.INVALID)
    return found


def _constant(value: float, kind: type, n: int) -> np.ndarray:
    """Give a column of one value that takes no memory."""
    return np.broadcast_to(np.array(value, kind), (n,))
