"""The only place where truth and prediction meet: exact counts of one run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from inspector.core.dataset import Dataset
from inspector.core.failures import Thresholds, classify_all
from inspector.core.overlap import measure_pairs
from inspector.core.run import Coverage, Run, Status

Progress = Callable[[int, int], None]


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
        prediction_area: ``(n,)`` int64; -1 where nothing usable was predicted.
        failure: ``(n,)`` int8, row of ``FAILURE_MODES``; -1 for ``NO_TRUTH``.
        other: ``(n,)`` int32, row of the object on which the prediction landed; -1 if none.
        other_iou: ``(n,)`` float64, IoU of prediction and that object; NaN if none.
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
        Exact counts. No rule for empty unions or missing predictions is applied here: that is
        the protocol's business, so that it can be switched without scoring again.
    """
    thresholds = thresholds or Thresholds()
    target_rows = np.where(dataset.is_scorable, dataset.expressions.target, -1)
    status = np.where(dataset.is_scorable, run.status, Status.NO_TRUTH).astype(np.int8)
    usable = status == Status.SCORED
    rows = np.where(usable, run.rows, -1)
    intersection = measure_pairs(run.masks, rows, dataset.targets.masks, target_rows)
    target_area = dataset.target_areas
    prediction_area = np.full(len(dataset), -1, np.int64)
    prediction_area[usable] = run.masks.areas[rows[usable]]
    union = target_area + np.maximum(prediction_area, 0) - intersection
    failure, other, other_iou = classify_all(
        dataset, run, status, intersection, union, prediction_area,
        thresholds=thresholds, progress=progress,
    )
    return Scores(
        dataset, run, thresholds, status, intersection, union, target_area, prediction_area,
        failure, other, other_iou,
    )
