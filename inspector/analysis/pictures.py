"""What the picture and the target are like: objects of the same category, area, border, pieces."""

from __future__ import annotations

import numpy as np

from inspector.core import rle
from inspector.core.columns import MaskColumn
from inspector.core.dataset import Dataset

_AT_ONCE = 500  # masks whose runs are taken apart at a time


def count_same_category(dataset: Dataset) -> np.ndarray:
    """Count the other objects of the target's categories in the picture.

    Crowd regions and objects that cannot be read are not counted, nor are the target's own
    objects. Where the data set lists only the referred objects, only those are known.

    Returns:
        ``(n,)`` int64; -1 for examples without a target.
    """
    objects, targets = dataset.objects, dataset.targets
    known = ~objects.is_crowd & objects.is_readable
    width = max(len(dataset.categories), 1)
    kind = objects.image.astype(np.int64) * width + objects.category
    there = np.bincount(kind[known], minlength=width * len(dataset.images))
    owner = np.repeat(np.arange(len(targets.begin) - 1), np.diff(targets.begin))
    pairs = np.unique(np.stack([owner, kind[targets.objects]]), axis=1)
    others = np.bincount(pairs[0], there[pairs[1]], len(targets.begin) - 1)
    others -= np.bincount(owner, known[targets.objects], len(targets.begin) - 1)
    by_target = np.concatenate((others.astype(np.int64), [-1]))
    found: np.ndarray = by_target[dataset.expressions.target]
    return found


def _by_example(dataset: Dataset, by_target: np.ndarray) -> np.ndarray:
    """Hand codes of targets to their examples; -1 without a target, or an empty or broken one."""
    usable = dataset.targets.is_usable & (dataset.targets.masks.areas > 0)
    codes = np.where(usable, by_target, -1)
    found: np.ndarray = np.concatenate((codes, [-1]))[dataset.expressions.target].astype(np.int8)
    return found


def bin_same_category(dataset: Dataset) -> np.ndarray:
    """Put the number of other objects of the same category into 0, 1, 2-3, 4-6, 7+."""
    counts = count_same_category(dataset)
    codes: np.ndarray = np.searchsorted([1, 2, 4, 7], counts, side="right")
    return np.where(counts < 0, -1, codes).astype(np.int8)


def bin_area(dataset: Dataset) -> np.ndarray:
    """Put the target's pixels into COCO's small (< 32²), medium (< 96²) and large."""
    areas = dataset.targets.masks.areas
    return _by_example(dataset, np.searchsorted([32**2, 96**2], areas, side="right"))


def touches_border(dataset: Dataset) -> np.ndarray:
    """Say whether a pixel of the target lies in the first or last row or column: 0 yes, 1 no."""
    masks = dataset.targets.masks
    boxes = dataset.target_boxes
    height, width = masks.sizes_hw[:, 0], masks.sizes_hw[:, 1]
    touches = (
        (boxes[:, 0] <= 0) | (boxes[:, 1] <= 0)
        | (boxes[:, 0] + boxes[:, 2] >= width) | (boxes[:, 1] + boxes[:, 3] >= height)
    )
    return _by_example(dataset, np.where(touches, 0, 1))


def bin_aspect(dataset: Dataset) -> np.ndarray:
    """Put the target's box into tall (higher than twice its width), even and wide."""
    boxes = dataset.target_boxes
    tall, wide = boxes[:, 3] > 2 * boxes[:, 2], boxes[:, 2] > 2 * boxes[:, 3]
    return _by_example(dataset, np.where(tall, 0, np.where(wide, 2, 1)))


def bin_components(dataset: Dataset) -> np.ndarray:
    """Put the number of the target's pieces into 1, 2-3, 4+."""
    counts = count_components(dataset.targets.masks)
    return _by_example(dataset, np.searchsorted([2, 4], counts, side="right"))


def count_components(masks: MaskColumn) -> np.ndarray:
    """Count the pieces of each mask; pixels that touch at a corner belong together.

    Works on the run lengths: runs are cut at column ends, joined to those of the next column
    that they touch, and the joined ones counted.

    Returns:
        ``(m,)`` int64; 0 for an empty mask.
    """
    found = [
        _count_some(masks, first, min(first + _AT_ONCE, len(masks)))
        for first in range(0, len(masks), _AT_ONCE)
    ]
    return np.concatenate(found) if found else np.zeros(0, np.int64)


def _count_some(masks: MaskColumn, first: int, last: int) -> np.ndarray:
    mask, column, top, bottom = _segments(masks, first, last)
    # One number line for all: columns lie apart by more than any mask is high.
    stride = int(masks.sizes_hw[first:last, 0].max()) + 3
    widths = masks.sizes_hw[first:last, 1].astype(np.int64) + 2
    base = np.concatenate(([0], np.cumsum(widths)))[mask] + column
    start, end = base * stride + top + 1, base * stride + bottom + 1
    # Of the next column, those with end >= start and start <= end (corners touch).
    low = np.searchsorted(end, start + stride, side="left")
    high = np.searchsorted(start, end + stride, side="right")
    number = np.maximum(high - low, 0)
    left = np.repeat(np.arange(len(mask)), number)
    place = np.arange(len(left)) - np.repeat(np.cumsum(number) - number, number)
    right = np.repeat(low, number) + place
    roots = np.unique(_join(len(mask), left, right))
    counts: np.ndarray = np.bincount(mask[roots], minlength=last - first)
    return counts


def _segments(
    masks: MaskColumn, first: int, last: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Cut the foreground runs at column ends: mask, column, first row, row after the last."""
    begin, end = int(masks.offsets[first]), int(masks.offsets[last])
    sizes = masks.sizes_hw[first:last].astype(np.int64)
    checked = rle.check_counts(
        np.frombuffer(masks.buffer[begin:end], np.uint8),
        masks.offsets[first : last + 1] - begin, sizes.prod(axis=1),
    )
    per_mask = np.diff(checked.starts)
    owner = np.repeat(np.arange(last - first), per_mask)
    is_foreground = (np.arange(len(owner)) - checked.starts[owner]) % 2 == 1
    ends = np.cumsum(checked.runs)
    ends -= np.concatenate(([0], ends))[checked.starts[owner]]
    kept = is_foreground & (checked.runs > 0)
    owner, stop = owner[kept], ends[kept]
    start = stop - checked.runs[kept]
    height = sizes[owner, 0]
    columns = (stop - 1) // height - start // height + 1
    owner_of = np.repeat(np.arange(len(owner)), columns)
    place = np.arange(len(owner_of)) - np.repeat(np.cumsum(columns) - columns, columns)
    tall = height[owner_of]
    column = start[owner_of] // tall + place
    top = np.where(place == 0, start[owner_of] % tall, 0)
    last_one = place == columns[owner_of] - 1
    bottom = np.where(last_one, (stop[owner_of] - 1) % tall + 1, tall)
    return owner[owner_of], column, top, bottom


def _join(size: int, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Give each of ``size`` nodes the smallest node that it is joined to, over any way."""
    root = np.arange(size)
    while True:
        low = np.minimum(root[left], root[right])
        before = root.copy()
        np.minimum.at(root, root[left], low)
        np.minimum.at(root, root[right], low)
        root = root[root]
        root = root[root]
        if np.array_equal(before, root):
            return root
