"""Boxes: IoU of two boxes, and the boxes of a data set's targets."""

from __future__ import annotations

import numpy as np

from inspector.core.dataset import Dataset

EXACT = 1_000_000
"""Square pixels are counted in millionths where a box takes the place of a mask's pixel count."""


def measure_boxes(one: np.ndarray, other: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Give the areas that pairs of boxes share and cover together, in square pixels.

    Args:
        one: ``(n, 4)`` float64, x, y, width, height in absolute pixels; NaN gives NaN.
        other: ``(n, 4)`` float64.

    Returns:
        ``(n,)`` float64 intersections and unions. A box without width or height has no area.

    Example:
        >>> a, b = np.array([[0.0, 0, 4, 2]]), np.array([[2.0, 0, 4, 2]])
        >>> measure_boxes(a, b)
        (array([4.]), array([12.]))
    """
    begin = np.maximum(one[:, :2], other[:, :2])
    end = np.minimum(one[:, :2] + one[:, 2:], other[:, :2] + other[:, 2:])
    shared = np.maximum(end - begin, 0).prod(axis=1)
    areas = np.maximum(one[:, 2:], 0).prod(axis=1) + np.maximum(other[:, 2:], 0).prod(axis=1)
    return shared, areas - shared


def box_iou(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Divide shared by covered area; 0 where neither box has an area, NaN where one is NaN.

    Areas are rounded to whole millionths before: boxes with up to three decimals have an exact
    IoU, so that one of exactly 1/2 reaches 0.5.

    Source: the usual IoU of referring expression comprehension, on continuous coordinates.
    ``refer``'s pyEvalDemo adds one pixel to every side instead, VisionReasoner takes the last
    pixel for the edge.
    """
    shared, covered = (np.rint(area * EXACT) for area in measure_boxes(one, other))
    iou: np.ndarray = shared / np.where(covered > 0, covered, 1.0)
    return iou


def target_boxes(dataset: Dataset) -> np.ndarray:
    """Give ``(n, 4)`` float64 the box of each example's target; NaN without target or truth.

    The box is the annotated one; of several referents, the smallest box around all of theirs.
    """
    objects, targets = dataset.objects, dataset.targets
    boxes = np.full((len(targets.is_usable), 4), np.nan)
    for target in range(len(boxes)):
        rows = objects.boxes_xywh[targets.objects_of(target)]
        begin, end = rows[:, :2].min(axis=0), (rows[:, :2] + rows[:, 2:]).max(axis=0)
        boxes[target] = [*begin, *(end - begin)]
    rows = dataset.expressions.target
    found = np.full((len(dataset), 4), np.nan)
    known = (rows >= 0) & dataset.is_scorable
    found[known] = boxes[rows[known]]
    return found
