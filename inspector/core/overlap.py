"""Exact pixel counts of two masks, straight on run lengths."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from pycocotools import mask as coco

from inspector.core import compiled
from inspector.core.columns import MaskColumn
from inspector.core.errors import SizeMismatchError
from inspector.core.mask import Mask, describe_mismatch


class Overlap(NamedTuple):
    """Pixels in both masks and pixels in at least one of them."""

    intersection: int
    union: int


def measure_overlap(prediction: Mask, target: Mask) -> Overlap:
    """Count the pixels that two masks share, without decoding them.

    Args:
        prediction: Mask given by the model, ``(H, W)`` of the original picture.
        target: Ground-truth mask of the same ``(H, W)``; the union of all referents.

    Returns:
        Exact integer counts. Sums of these over a data set give oIoU (also written cIoU);
        their per-example ratio gives mIoU.

    Raises:
        SizeMismatchError: If the masks differ in size. Nothing is resized here: a resize
            changes the score, so the loader that knows the cause must decide.

    Example:
        >>> a = Mask.from_array(np.array([[1, 1, 0, 0]], dtype=bool))
        >>> b = Mask.from_array(np.array([[0, 1, 1, 0]], dtype=bool))
        >>> measure_overlap(a, b)
        Overlap(intersection=1, union=3)
    """
    if prediction.size_hw != target.size_hw:
        raise SizeMismatchError(describe_mismatch(prediction.size_hw, target.size_hw))
    area, other_area = prediction.area, target.area
    if area == 0 or other_area == 0:
        return Overlap(0, area + other_area)
    shared = _shared(prediction.to_coco(), [target.to_coco()], area)
    intersection = int(shared[0])
    return Overlap(intersection, area + other_area - intersection)


def measure_pairs(
    left: MaskColumn, left_rows: np.ndarray, right: MaskColumn, right_rows: np.ndarray
) -> np.ndarray:
    """Count the pixels that many pairs of masks share.

    Args:
        left: Masks such as predictions.
        left_rows: ``(n,)`` int, which of them; -1 gives 0 pixels.
        right: Masks such as targets.
        right_rows: ``(n,)`` int, which of them; -1 gives 0 pixels.

    Returns:
        ``(n,)`` int64 intersections. With the areas of the columns they give the unions.

    Raises:
        SizeMismatchError: If the two masks of a pair differ in size.
    """
    counts = np.zeros(len(left_rows), np.int64)
    there = (left_rows >= 0) & (right_rows >= 0)
    differ = there.copy()
    differ[there] = (
        left.sizes_hw[left_rows[there]] != right.sizes_hw[right_rows[there]]
    ).any(axis=1)
    if differ.any():
        pair = int(np.flatnonzero(differ)[0])
        raise SizeMismatchError(
            describe_mismatch(
                tuple(left.sizes_hw[left_rows[pair]].tolist()),
                tuple(right.sizes_hw[right_rows[pair]].tolist()),
            )
        )
    there[there] = (left.areas[left_rows[there]] > 0) & (right.areas[right_rows[there]] > 0)
    pairs = np.flatnonzero(there)
    if compiled.is_worth_it(len(pairs)):
        counts[pairs] = compiled.intersect(
            left.buffer, left.offsets, left_rows[pairs],
            right.buffer, right.offsets, right_rows[pairs],
        )
        return counts
    for pair in pairs.tolist():
        row = left_rows[pair]
        counts[pair] = _shared(left.coco(row), [right.coco(right_rows[pair])], left.areas[row])[0]
    return counts


def measure_against(
    one: MaskColumn, row: int, many: MaskColumn, many_rows: Sequence[int]
) -> np.ndarray:
    """Count the pixels that one mask shares with each of several of the same picture.

    Returns:
        ``(len(many_rows),)`` int64 intersections.
    """
    if one.areas[row] == 0 or not len(many_rows):
        return np.zeros(len(many_rows), np.int64)
    others = [many.coco(other) for other in many_rows]
    counts = _shared(one.coco(row), others, int(one.areas[row]))
    counts[many.areas[np.asarray(many_rows)] == 0] = 0
    return counts


def measure_groups(
    left: MaskColumn, groups: Sequence[tuple[int, Sequence[int]]], right: MaskColumn,
    left_boxes: np.ndarray, right_boxes: np.ndarray,
) -> list[list[int]]:
    """Count the pixels that each of many masks shares with several others of its picture.

    Args:
        left: Masks such as predictions.
        groups: Row of a mask in ``left`` with rows of ``right``, all of one picture.
        right: Masks such as the objects of all pictures.
        left_boxes: ``(n, 4)`` int64, x, y, width, height of the masks in ``left``.
        right_boxes: The same of ``right``: masks whose boxes are apart are not looked at.

    Returns:
        For each group as many intersections as it has rows of ``right``.
    """
    sizes = [len(rows) for _, rows in groups]
    if not compiled.is_worth_it(sum(sizes)):
        return [measure_against(left, row, right, rows).tolist() for row, rows in groups]
    one = np.repeat(np.array([row for row, _ in groups], np.int64), sizes)
    other = np.array([row for _, rows in groups for row in rows], np.int64)
    apart = ~_touch(left_boxes[one], right_boxes[other])
    counts = measure_pairs(left, np.where(apart, -1, one), right, other).tolist()
    ends = np.cumsum(sizes).tolist()
    return [counts[end - size : end] for end, size in zip(ends, sizes, strict=True)]


def _touch(boxes: np.ndarray, others: np.ndarray) -> np.ndarray:
    """``(n,)`` bool: the two boxes of a row share a pixel."""
    low = np.maximum(boxes[:, :2], others[:, :2])
    high = np.minimum(boxes[:, :2] + boxes[:, 2:], others[:, :2] + others[:, 2:])
    touch: np.ndarray = (high > low).all(axis=1)
    return touch


def _shared(one: dict[str, Any], others: list[dict[str, Any]], area: int) -> np.ndarray:
    """Intersect one non-empty mask with others through pycocotools, as exact integers.

    For a pair whose second mask is marked as crowd, ``iou`` gives intersection / area of the
    first. Both are integers below 2**27, so that the product with the area, rounded, is the
    intersection itself.
    """
    shares = coco.iou([one], others, [1] * len(others))
    counts: np.ndarray = np.rint(shares[0] * float(area)).astype(np.int64)
    return counts
