"""The only place where truth and prediction meet: exact counts of one run."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from weakref import WeakKeyDictionary

import numpy as np

from inspector.core.classifying import classify_all
from inspector.core.collecting import no_collecting
from inspector.core.dataset import Dataset
from inspector.core.errors import UsageError
from inspector.core.failures import Thresholds
from inspector.core.grounding import measure_grounding
from inspector.core.ignored import counted_run
from inspector.core.maskless import (
    BoxScores,
    classify_without_mask,
    known_to_mark_nothing,
    score_boxes,
    take_counts,
    without_mask,
)
from inspector.core.overlap import measure_pairs
from inspector.core.run import EVIDENCE, Coverage, Run, Status
from inspector.core.shapes import ShapeScores, measure_shapes

Progress = Callable[[int, int], None]

_shapes: WeakKeyDictionary[Run, WeakKeyDictionary[Dataset, ShapeScores]] = WeakKeyDictionary()
_measuring = threading.Lock()  # one at a time: it takes every processor, and many ask for the same


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """One run against one data set as columns; ``n`` examples in the order of the data set.

    Attributes:
        dataset, run: What was scored.
        thresholds: Those that decided the failure modes.
        status: ``(n,)`` int8 of :class:`Status`.
        intersection: ``(n,)`` int64; 0 where nothing usable was predicted.
        union: ``(n,)`` int64; the target's area where nothing usable was predicted.
        target_area: ``(n,)`` int64.
        prediction_area: ``(n,)`` int64, without ignored pixels; -1 where nothing usable was
            predicted.
        failure: ``(n,)`` int8, row of ``FAILURE_MODES``; -1 for ``NO_TRUTH``.
        other: ``(n,)`` int32, row of the object on which the prediction landed; -1 if none.
        other_iou: ``(n,)`` float64, IoU of prediction and that object; NaN if none.
        marks_nothing: ``(n,)`` bool, something usable was predicted and it marks no pixel.
        grounded: ``(n,)`` int8, 1 where the target is the object that the mask fits best, 0 where
            it is not, -1 where there is no target or no mask.
        boxes: Boxes and their IoU, or None where the run holds no boxes.
        shapes: Boundaries, pieces and holes, or None until :func:`with_shapes` measures them.
        known_flags: ``(n,)`` uint8, a bit for each of ``FLAGS`` where a table of scores says them,
            whose masks are not here; else None.
    """

    dataset: Dataset
    run: Run
    thresholds: Thresholds
    status: np.ndarray
    intersection: np.ndarray
    union: np.ndarray
    target_area: np.ndarray
    prediction_area: np.ndarray
    failure: np.ndarray
    other: np.ndarray
    other_iou: np.ndarray
    marks_nothing: np.ndarray
    grounded: np.ndarray
    boxes: BoxScores | None = None
    shapes: ShapeScores | None = None
    known_flags: np.ndarray | None = None

    @property
    def box_iou(self) -> np.ndarray:
        """``(n,)`` float64 in [0, 1]; NaN where there is no usable box or no target."""
        if self.boxes is None:
            return np.full(len(self.status), np.nan)
        usable = self.status != Status.NO_TRUTH
        return np.where(usable, self.boxes.iou, np.nan)

    @property
    def is_framed(self) -> np.ndarray:
        """``(n,)`` bool, pixels were counted in a frame of another size than the picture."""
        if self.run.counts_frame_hw is None:
            return np.zeros(len(self.status), bool)
        framed: np.ndarray = self.run.evidence_codes == EVIDENCE.index("counts")
        return framed

    @property
    def coverage(self) -> Coverage:
        """Count what was matched."""
        counts = np.bincount(self.status, minlength=4).tolist()
        return Coverage(
            examples=len(self.status) - counts[Status.NO_TRUTH],
            matched=counts[Status.SCORED],
            missing=counts[Status.MISSING],
            invalid=counts[Status.INVALID],
            duplicate=self.run.duplicate,
            unmatched=self.run.unmatched,
        )


def _check_alignment(dataset: Dataset, run: Run) -> None:
    """Refuse a run whose rows mean other examples: every number would be wrong in silence."""
    if len(run.status) != len(dataset):
        raise UsageError(
            f"The run '{run.name}' is of {len(run.status):,} examples, the data set of "
            f"{len(dataset):,}. Load it with this data set."
        )
    if run.aligned_to and run.aligned_to != dataset.ids_digest:
        raise UsageError(
            f"The run '{run.name}' was loaded with other examples than those of {dataset.name}, "
            "or with the same in another order. Load it with this data set."
        )


@no_collecting()
def score_run(
    dataset: Dataset, run: Run, *, thresholds: Thresholds | None = None,
    progress: Progress | None = None,
) -> Scores:
    """Count intersection and union of every example and say why each failed.

    Args:
        dataset: The ground truth.
        run: Predictions aligned to just this data set.
        thresholds: What counts as correct, as part, as spill …; the documented defaults if None.
        progress: Called with (done, all) now and then.

    Returns:
        Exact counts; ignored pixels are in none of them. No rule for empty unions or missing
        predictions is applied here: that is the protocol's business, so that it can be switched
        without scoring again.

    Raises:
        UsageError: If the run is aligned to other examples, or to the same in another order.
    """
    _check_alignment(dataset, run)
    thresholds = thresholds or Thresholds()
    target_rows = np.where(dataset.is_scorable, dataset.expressions.target, -1)
    status = np.where(dataset.is_scorable, run.status, Status.NO_TRUTH).astype(np.int8)
    maskless = without_mask(run, status)
    usable = (status == Status.SCORED) & ~maskless
    counted = counted_run(dataset, run)
    rows = np.where(usable, counted.rows, -1)
    intersection = measure_pairs(counted.masks, rows, dataset.targets.masks, target_rows)
    target_area = dataset.target_areas
    prediction_area = np.full(len(dataset), -1, np.int64)
    prediction_area[usable] = counted.masks.areas[rows[usable]]
    union = target_area + np.maximum(prediction_area, 0) - intersection
    take_counts(run, maskless, intersection, union, prediction_area, target_area)
    nothing = (status == Status.SCORED) & (prediction_area == 0) | known_to_mark_nothing(
        dataset, run, maskless
    )
    with_mask = np.where(maskless, Status.MISSING, status)
    failure, other, other_iou = classify_all(
        dataset, counted, with_mask, intersection, union, prediction_area,
        thresholds=thresholds, progress=progress,
    )
    boxes = score_boxes(dataset, run)
    for index in np.flatnonzero(maskless).tolist():
        failure[index], found = classify_without_mask(
            dataset, run, index, intersection=int(intersection[index]), union=int(union[index]),
            prediction_area=int(prediction_area[index]), marks_nothing=bool(nothing[index]),
            boxes=boxes, thresholds=thresholds,
        )
        if found is not None:
            other[index], other_iou[index] = found.row, found.intersection / found.union
    return Scores(
        dataset, run, thresholds, status, intersection, union, target_area, prediction_area,
        failure, other, other_iou, nothing,
        measure_grounding(
            dataset, counted, status, intersection, union, prediction_area,
            thresholds=thresholds,
        ),
        boxes,
    )


def with_shapes(scores: Scores, *, progress: Progress | None = None) -> Scores:
    """Measure boundaries, pieces and holes, which scoring leaves out because it takes longer.

    They depend on the masks alone, so what was measured of a run stays known while it is open,
    whatever the thresholds are; who asks while it is measured waits for that.

    Returns:
        The same scores with :attr:`Scores.shapes`; itself if it has them.
    """
    if scores.shapes is not None:
        return scores
    with _measuring:
        known = _shapes.setdefault(scores.run, WeakKeyDictionary())
        if scores.dataset not in known:
            known[scores.dataset] = measure_shapes(scores.dataset, scores.run, progress=progress)
        return replace(scores, shapes=known[scores.dataset])
