"""Which object a prediction fits best: its target, or another one of the picture."""

from __future__ import annotations

import numpy as np

from inspector.core.dataset import Dataset
from inspector.core.failures import Thresholds, reaches
from inspector.core.overlap import measure_groups
from inspector.core.run import Run, Status

UNKNOWN, ELSEWHERE, ON_TARGET = -1, 0, 1

_BATCH = 20_000  # examples; bounds the memory that all pairs with objects take


def measure_grounding(
    dataset: Dataset, run: Run, status: np.ndarray, intersection: np.ndarray, union: np.ndarray,
    prediction_area: np.ndarray, *, thresholds: Thresholds,
) -> np.ndarray:
    """Say for every prediction whether the target is the object that it fits best.

    It is, if the two share a pixel and no other known object of the picture has a higher IoU with
    the prediction. As for the failure modes, crowd regions and the target annotated twice are no
    other objects. An empty prediction fits nothing.

    Args:
        dataset: The ground truth; ``n`` examples.
        run: Its masks, without the pixels that are ignored.
        status: ``(n,)`` of :class:`Status`.
        intersection: ``(n,)`` pixels that prediction and target share.
        union: ``(n,)`` pixels that they cover.
        prediction_area: ``(n,)`` pixels of the prediction.
        thresholds: Of them the one of an object annotated twice.

    Returns:
        ``(n,)`` int8: 1 on the target, 0 elsewhere, -1 where there is no target or no mask.
    """
    masked = (status == Status.SCORED) & (run.rows >= 0) & (dataset.expressions.target >= 0)
    grounded = np.where(masked, ELSEWHERE, UNKNOWN).astype(np.int8)
    touching = np.flatnonzero(masked & (intersection > 0))
    grounded[touching] = ON_TARGET
    boxes, own_boxes = dataset.object_boxes, run.mask_boxes
    for begin in range(0, len(touching), _BATCH):
        batch = touching[begin : begin + _BATCH]
        own = own_boxes[run.rows[batch]]
        suspects = _rivals(dataset, batch, intersection, union, prediction_area, boxes, own)
        better = _fits_better(dataset, run, suspects, intersection, union, thresholds)
        grounded[better] = ELSEWHERE
    return grounded


def _rivals(
    dataset: Dataset, batch: np.ndarray, intersection: np.ndarray, union: np.ndarray,
    prediction_area: np.ndarray, boxes: np.ndarray, own_boxes: np.ndarray,
) -> dict[int, list[int]]:
    """Give the objects that could have a higher IoU than the target, by the boxes alone.

    Two masks share at most the pixels that their boxes share, and at most the smaller area. Of
    the few pairs that are left the pixels are counted.
    """
    objects = dataset.objects
    first = objects.begin[dataset.expressions.image[batch]]
    number = objects.begin[dataset.expressions.image[batch] + 1] - first
    owner = np.repeat(np.arange(len(batch)), number)
    ends = np.cumsum(number)
    rows = np.arange(int(number.sum())) - np.repeat(ends - number, number) + first[owner]
    example = batch[owner]
    own = own_boxes[owner]
    other = boxes[rows]
    low = np.maximum(own[:, :2], other[:, :2])
    high = np.minimum(own[:, :2] + own[:, 2:], other[:, :2] + other[:, 2:])
    area, other_area = prediction_area[example], objects.masks.areas[rows]
    most = np.minimum(np.maximum(high - low, 0).prod(axis=1), np.minimum(area, other_area))
    could = (
        (most * union[example] > intersection[example] * (area + other_area - most))
        & ~objects.is_crowd[rows] & objects.is_readable[rows]
    )
    found: dict[int, list[int]] = {}
    for index, row in zip(example[could].tolist(), rows[could].tolist(), strict=True):
        found.setdefault(index, []).append(row)
    return found


def _fits_better(
    dataset: Dataset, run: Run, suspects: dict[int, list[int]], intersection: np.ndarray,
    union: np.ndarray, thresholds: Thresholds,
) -> list[int]:
    """Give the examples of which one of the suspected objects, no twin, fits better."""
    masks, targets = dataset.objects.masks, dataset.targets.masks
    mask_of = run.rows.tolist()
    groups: dict[int, list[int]] = {}
    for index, rows in suspects.items():
        named = set(dataset.referent_rows(index))
        if others := [row for row in rows if row not in named]:
            groups[index] = others
    boxes = dataset.object_boxes
    counts = measure_groups(
        run.masks, [(mask_of[i], rows) for i, rows in groups.items()], masks, run.mask_boxes, boxes
    )
    better: dict[int, list[int]] = {}
    for (index, rows), shared in zip(groups.items(), counts, strict=True):
        area, own, whole = int(run.masks.areas[mask_of[index]]), intersection[index], union[index]
        better[index] = [
            row for row, pixels in zip(rows, shared, strict=True)
            if pixels * int(whole) > int(own) * (area + int(masks.areas[row]) - pixels)
        ]
    target_of = dataset.expressions.target.tolist()
    counts = measure_groups(
        targets, [(target_of[i], rows) for i, rows in better.items()], masks,
        dataset.target_boxes, boxes,
    )
    return [
        index for (index, rows), shared in zip(better.items(), counts, strict=True)
        if not all(
            reaches(pixels, int(targets.areas[target_of[index]]) + int(masks.areas[row]) - pixels,
                    thresholds.twin)
            for row, pixels in zip(rows, shared, strict=True)
        )
    ]
