"""Failure modes of a whole run: the other objects are measured for many examples at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from inspector.core.dataset import Dataset
from inspector.core.failures import Case, OtherObject, Thresholds, classify, reaches
from inspector.core.overlap import measure_groups
from inspector.core.run import Run, Status

_BATCH = 20_000  # wrong examples; bounds the memory that their pairs with objects take
_STATUS = tuple(Status)  # by number: asking the enumeration takes ten times as long


def classify_all(
    dataset: Dataset, run: Run, status: np.ndarray, intersection: np.ndarray, union: np.ndarray,
    prediction_area: np.ndarray, *, thresholds: Thresholds,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Classify every example of a run.

    Crowd regions are never "another object", nor are objects that are the target annotated twice
    (IoU with it >= ``thresholds.twin``). Only the objects that the data set lists are known.

    Args:
        dataset: The ground truth; ``n`` examples.
        run: Its masks, without the pixels that are ignored.
        status: ``(n,)`` of :class:`Status`; ``MISSING`` also for what is scored without a mask,
            which is classified elsewhere.
        intersection: ``(n,)`` pixels that prediction and target share.
        union: ``(n,)`` pixels that they cover.
        prediction_area: ``(n,)`` pixels of the prediction.
        thresholds: Those that decide.
        progress: Called with (done, all) now and then.

    Returns:
        ``(n,)`` int8 failure modes (-1 where there is no truth), ``(n,)`` int32 rows of the other
        objects (-1), ``(n,)`` float64 IoU with them (NaN).
    """
    n = len(dataset)
    failure = np.full(n, -1, np.int8)
    other_row = np.full(n, -1, np.int32)
    other_iou = np.full(n, np.nan)
    wrong: dict[int, Case] = {}
    twins = _Twins(dataset, thresholds)

    def settle() -> None:
        others = _measure_others(dataset, run, list(wrong), twins)
        for (index, case), found in zip(wrong.items(), others, strict=True):
            failure[index], other = classify(case._replace(others=found))
            if other is not None:
                other_row[index] = other.row
                other_iou[index] = other.intersection / other.union
        wrong.clear()

    columns = (
        status.tolist(), (dataset.expressions.target >= 0).tolist(), dataset.target_areas.tolist(),
        prediction_area.tolist(), intersection.tolist(), union.tolist(),
    )
    scored, no_truth = Status.SCORED, Status.NO_TRUTH
    for index, (code, has_target, target, predicted, shared, joined) in enumerate(
        zip(*columns, strict=True)
    ):
        if progress and index % 500 == 0:
            progress(index, n)
        if code == no_truth:
            continue
        case = Case(
            _STATUS[code], has_target, target, predicted, shared, joined, (), thresholds
        )
        if code == scored and has_target and case.prediction_area > 0 and not case.is_correct:
            wrong[index] = case
            if len(wrong) == _BATCH:
                settle()
        else:
            failure[index], _ = classify(case)
    settle()
    if progress:
        progress(n, n)
    return failure, other_row, other_iou


class _Twins:
    """Objects that are a target annotated twice, found once a target."""

    def __init__(self, dataset: Dataset, thresholds: Thresholds) -> None:
        self._dataset, self._thresholds = dataset, thresholds
        self._boxes = dataset.target_boxes, dataset.object_boxes
        self._of: dict[int, frozenset[int]] = {}

    def __getitem__(self, target: int) -> frozenset[int]:
        return self._of[target]

    def find(self, rows_of: dict[int, Sequence[int]]) -> None:
        """Look among the given rows of objects for twins of each target, if not done before."""
        masks, objects = self._dataset.targets.masks, self._dataset.objects.masks
        fresh = [(target, rows) for target, rows in rows_of.items() if target not in self._of]
        counts = measure_groups(masks, fresh, objects, *self._boxes)
        for (target, rows), shared in zip(fresh, counts, strict=True):
            area = int(masks.areas[target])
            self._of[target] = frozenset(
                row for row, pixels in zip(rows, shared, strict=True)
                if pixels and reaches(pixels, area + int(objects.areas[row]) - pixels,
                                      self._thresholds.twin)
            )


def _measure_others(
    dataset: Dataset, run: Run, indexes: list[int], twins: _Twins
) -> list[tuple[OtherObject, ...]]:
    """Measure the other objects of some examples' pictures against their predictions.

    Returns:
        For each example the objects that share a pixel with its prediction.
    """
    objects = dataset.objects
    target_of = dataset.expressions.target[indexes].tolist()
    rows_of = [dataset.distractor_rows(index) for index in indexes]
    twins.find(dict(zip(target_of, rows_of, strict=True)))
    groups = [
        (mask, [row for row in rows if row not in twins[target]])
        for mask, rows, target in zip(run.rows[indexes].tolist(), rows_of, target_of, strict=True)
    ]
    areas, category = objects.masks.areas, objects.category
    found: list[tuple[OtherObject, ...]] = []
    counts = measure_groups(
        run.masks, groups, objects.masks, run.mask_boxes, dataset.object_boxes
    )
    for (mask, rows), target, shared in zip(groups, target_of, counts, strict=True):
        named = set(category[dataset.targets.objects_of(target)].tolist())
        predicted = int(run.masks.areas[mask])
        found.append(tuple(
            OtherObject(
                row=row, area=int(areas[row]), intersection=pixels,
                union=predicted + int(areas[row]) - pixels,
                same_category=int(category[row]) in named,
            )
            for row, pixels in zip(rows, shared, strict=True)
            if pixels
        ))
    return found
