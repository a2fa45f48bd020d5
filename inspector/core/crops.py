"""Masks decoded no further than their own box, many at once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from pycocotools import mask as coco

from inspector.core import compiled, rle
from inspector.core.columns import MaskColumn


class Crop(NamedTuple):
    """A mask inside its own box.

    Attributes:
        pixels: ``(width, height)`` uint8 of 0 and 1: columns of the picture are rows here, since
            run lengths go column by column; what is measured on it does not mind.
        x, y: Where the box begins in the picture.
    """

    pixels: np.ndarray
    x: int
    y: int


NOTHING = Crop(np.zeros((0, 0), np.uint8), 0, 0)


def take_masks(column: MaskColumn, rows: np.ndarray) -> MaskColumn:
    """Copy some masks of a column into one of their own, in the order of ``rows``."""
    counts = [column.counts(row) for row in rows.tolist()]
    offsets = np.concatenate(([0], np.cumsum([len(c) for c in counts]))).astype(np.int64)
    return MaskColumn(b"".join(counts), offsets, column.sizes_hw[rows], column.areas[rows])


def read_runs(column: MaskColumn) -> tuple[np.ndarray, np.ndarray]:
    """Give the run lengths of a column that was checked when it was made.

    Returns:
        ``(m,)`` int64, the runs of all masks one after another, and ``(n + 1,)`` int64, where
        each mask's begin.
    """
    pixels = column.sizes_hw.astype(np.int64).prod(axis=1)
    checked = rle.check_counts(np.frombuffer(column.buffer, np.uint8), column.offsets, pixels)
    return checked.runs, checked.starts


def read_boxes(column: MaskColumn) -> np.ndarray:
    """``(n, 4)`` int64: x, y, width and height of each mask's own box; zeros where it is empty."""
    if not len(column):
        return np.zeros((0, 4), np.int64)
    if compiled.is_worth_it(len(column)):
        return compiled.read_boxes(column.buffer, column.offsets, column.sizes_hw[:, 0])
    boxes: np.ndarray = coco.toBbox([column.coco(row) for row in range(len(column))])
    return boxes.reshape(-1, 4).astype(np.int64)


def read_crops(column: MaskColumn) -> list[Crop]:
    """Decode every mask of a column inside its own box.

    Example:
        >>> from inspector.core.columns import column_of
        >>> from inspector.core.mask import Mask
        >>> mask = Mask.from_array(np.array([[0, 0, 0], [0, 1, 1]], dtype=bool))
        >>> read_crops(column_of([mask]))
        [Crop(pixels=array([[1], [1]], dtype=uint8), x=1, y=1)]
    """
    runs, starts = read_runs(column)
    boxes = read_boxes(column).tolist()
    heights = column.sizes_hw[:, 0].tolist()
    pattern = (np.arange(int(np.diff(starts).max(initial=0))) % 2).astype(np.uint8)
    crops = []
    for row, (x, y, width, height) in enumerate(boxes):
        if width == 0:
            crops.append(NOTHING)
            continue
        own = runs[starts[row] : starts[row + 1]]
        first, last = x * heights[row], (x + width) * heights[row]
        ends = np.minimum(np.maximum(np.cumsum(own), first), last)
        ends[1:] -= ends[:-1].copy()
        ends[0] -= first
        columns = np.repeat(pattern[: len(own)], ends).reshape(width, heights[row])
        crops.append(Crop(np.ascontiguousarray(columns[:, y : y + height]), x, y))
    return crops


def shared_window(
    one: np.ndarray, one_at: tuple[int, int], other: np.ndarray, other_at: tuple[int, int]
) -> tuple[np.ndarray, np.ndarray]:
    """Cut from two crops of one picture what both cover; empty arrays where they are apart.

    Args:
        one: A two-dimensional array.
        one_at: Where its first element lies, in the order of its axes.
        other: Another one.
        other_at: Where its first element lies.
    """
    top, left = max(one_at[0], other_at[0]), max(one_at[1], other_at[1])
    bottom = min(one_at[0] + one.shape[0], other_at[0] + other.shape[0])
    right = min(one_at[1] + one.shape[1], other_at[1] + other.shape[1])
    if bottom <= top or right <= left:
        return one[:0, :0], other[:0, :0]
    return (
        one[top - one_at[0] : bottom - one_at[0], left - one_at[1] : right - one_at[1]],
        other[top - other_at[0] : bottom - other_at[0], left - other_at[1] : right - other_at[1]],
    )
