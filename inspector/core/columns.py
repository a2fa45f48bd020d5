"""Many masks in one byte buffer: what a data set and a run keep instead of one object a mask."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from inspector.core import rle
from inspector.core.errors import InspectorError, MaskError, SizeMismatchError
from inspector.core.mask import (
    Mask,
    compress_runs,
    describe_mismatch,
    parse_coco_dict,
)
from inspector.core.polygons import rasterise_many


@dataclass(frozen=True, slots=True, eq=False)
class MaskColumn:
    """``n`` checked masks; ``column[i]`` makes a :class:`Mask` on demand.

    Attributes:
        buffer: The compressed counts of all masks, one after another.
        offsets: ``(n + 1,)`` int64, where each mask's counts begin in ``buffer``.
        sizes_hw: ``(n, 2)`` int32, height and width of each mask's picture.
        areas: ``(n,)`` int64, foreground pixels.
    """

    buffer: bytes
    offsets: np.ndarray
    sizes_hw: np.ndarray
    areas: np.ndarray

    def __len__(self) -> int:
        return len(self.areas)

    def __getitem__(self, row: int) -> Mask:
        if row < 0:  # -1 says elsewhere that there is no mask: it is never the last one
            raise IndexError(f"a mask's row is from 0 to {len(self) - 1}, but got {row}")
        height, width = self.sizes_hw[row]
        return Mask.trusted((int(height), int(width)), self.counts(row))

    def counts(self, row: int) -> bytes:
        """Give the compressed counts of one mask."""
        return self.buffer[self.offsets[row] : self.offsets[row + 1]]

    def coco(self, row: int) -> dict[str, Any]:
        """Give one mask as the dictionary that pycocotools takes."""
        return {"size": self.sizes_hw[row].tolist(), "counts": self.counts(row)}


def column_of(masks: Sequence[Mask]) -> MaskColumn:
    """Put masks that are already checked into one column."""
    column, faults = read_masks([mask.to_coco() for mask in masks], [None] * len(masks))
    if faults:  # cannot happen to a Mask, which was checked when it was made
        raise next(iter(faults.values()))
    return column


def read_masks(
    values: Sequence[Any], sizes_hw: Sequence[tuple[int, int] | None]
) -> tuple[MaskColumn, dict[int, InspectorError]]:
    """Check many masks at once and put them into one column.

    Args:
        values: Masks in any of the ways of :meth:`Mask.from_coco`, :class:`Mask` objects, or the
            error that a loader met where it looked for the mask.
        sizes_hw: The picture's height and width for each, or None where it is not known.

    Returns:
        A column of ``len(values)`` rows, and an error for each row that could not be read. A
        faulty row stands in the column as an empty mask of its picture's size (1 x 1 where that
        is unknown), so that rows keep their places; nobody may score it.
    """
    counts: list[bytes] = [b""] * len(values)
    sizes: list[tuple[int, int]] = [(1, 1)] * len(values)
    faults: dict[int, InspectorError] = {}
    outlines = _rasterise_outlines(values, sizes_hw)
    for row, (value, size_hw) in enumerate(zip(values, sizes_hw, strict=True)):
        plain = _read_plain(value, size_hw) if type(value) is dict else None
        try:
            if plain is not None and size_hw is not None:
                sizes[row], counts[row] = size_hw, plain
            elif row in outlines and size_hw is not None:
                sizes[row], counts[row] = size_hw, outlines[row]
            else:
                sizes[row], counts[row] = _read_one(value, size_hw)
        except InspectorError as error:
            faults[row] = error
    sides = np.array(sizes, np.int32).reshape(-1, 2)
    buffer, offsets = b"".join(counts), _offsets(counts)
    checked = rle.check_counts(
        np.frombuffer(buffer, np.uint8), offsets, sides.astype(np.int64).prod(axis=1),
        keep_runs=False,
    )
    for row in np.flatnonzero(checked.fault != rle.OK).tolist():
        if row not in faults:
            faults[row] = _fault(checked, row, sizes[row])
    areas = checked.area.copy()
    for row in faults:
        size = sizes_hw[row] or (1, 1)
        sides[row] = size
        counts[row] = compress_runs(np.array([size[0] * size[1]]), size)
        areas[row] = 0
    spread = np.flatnonzero(~checked.canonical & (checked.fault == rle.OK)).tolist()
    for row in spread:
        if row not in faults:
            counts[row] = Mask(sizes[row], counts[row]).counts
    if faults or spread:
        buffer, offsets = b"".join(counts), _offsets(counts)
    return MaskColumn(buffer, offsets, sides, areas), faults


def _offsets(counts: list[bytes]) -> np.ndarray:
    return np.concatenate(([0], np.cumsum(list(map(len, counts))))).astype(np.int64)


def _rasterise_outlines(
    values: Sequence[Any], sizes_hw: Sequence[tuple[int, int] | None]
) -> dict[int, bytes]:
    """Rasterise all masks of a single polygon at once, by row; none where there are only a few.

    What is no polygon or not within bounds is left to who reads it alone, and says what is wrong.
    """
    rows = [
        row for row, value in enumerate(values)
        if type(value) is list and len(value) == 1 and type(value[0]) in (list, array)
        and sizes_hw[row]
    ]
    sizes = [size for row in rows if (size := sizes_hw[row])]
    made = rasterise_many([values[row][0] for row in rows], sizes)
    return {rows[place]: counts for place, counts in made.items()}


def _read_plain(value: dict[str, Any], size_hw: tuple[int, int] | None) -> bytes | None:
    """Give the counts of a mask as nearly all are, in a fraction of the time; None of any other."""
    size, counts = value.get("size"), value.get("counts")
    if type(size) is not list or len(size) != 2:
        return None
    height, width = size
    if (
        type(height) is type(width) is int and (height, width) == size_hw
        and height > 0 and width > 0 and height * width <= rle.MAX_PIXELS
    ):
        if type(counts) is bytes:
            return counts
        if type(counts) is str and counts.isascii() and not counts.startswith("b"):
            return counts.encode("ascii")  # what begins with b may be bytes that were written out
    return None


def _read_one(
    value: Any, size_hw: tuple[int, int] | None
) -> tuple[tuple[int, int], bytes]:
    """Bring one value to a size and compressed counts, which the batch check then judges."""
    if isinstance(value, dict):
        found, counts = parse_coco_dict(value)
        if size_hw is not None and found != tuple(size_hw):
            raise SizeMismatchError(describe_mismatch(found, size_hw))
        if isinstance(counts, bytes):
            return found, counts
    elif isinstance(value, Mask):
        if size_hw is not None and value.size_hw != tuple(size_hw):
            raise SizeMismatchError(describe_mismatch(value.size_hw, size_hw))
        return value.size_hw, value.counts
    elif isinstance(value, InspectorError):
        raise value
    mask = Mask.from_coco(value, size_hw)
    return mask.size_hw, mask.counts


def _fault(checked: rle.CheckedCounts, row: int, size: tuple[int, int]) -> InspectorError:
    return MaskError(
        rle.describe_fault(
            int(checked.fault[row]), total=int(checked.total[row]), size_hw=size
        )
    )
