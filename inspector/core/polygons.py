"""Polygons of one object, checked before COCO's C code rasterises them."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from pycocotools import mask as coco

from inspector.core import compiled
from inspector.core.errors import MaskError

_BATCH = 20_000  # polygons that are rasterised at once
_FARTHEST = 100_000  # pixels from the picture's corner
_LONGEST_OUTLINE = 2_000_000  # pixels


def rasterise(polygons: Iterable[Any], size_hw: tuple[int, int]) -> tuple[bytes, int]:
    """Turn the polygons of one object into run lengths as COCO does, joined by union.

    Args:
        polygons: Each ``[x1, y1, x2, y2, …]`` in pixels, at least three points.
        size_hw: Height and width of the picture, checked before.

    Returns:
        The compressed counts, and how many pixels the polygons share: the sum of their areas
        less the area of the union. refer.py adds polygons up, and gets 2 where they overlap.

    Raises:
        MaskError: If there is no polygon, or one has fewer than three points, an odd number
            of coordinates, a coordinate beyond 100,000 pixels, or an outline beyond two million
            (COCO's C code takes four numbers for a box and 40 bytes a pixel of outline).
    """
    checked = [_polygon(polygon) for polygon in polygons]
    if not checked:
        raise MaskError("there is no polygon")
    parts = coco.frPyObjects(checked, *size_hw)
    if len(parts) == 1:
        return parts[0]["counts"], 0
    joined = coco.merge(parts)
    areas = sum(int(coco.area(part)) for part in parts)  # a list of 256 or more overflows
    return joined["counts"], areas - int(coco.area(joined))


def rasterise_many(
    polygons: Sequence[Any], sizes_hw: Sequence[tuple[int, int]]
) -> dict[int, bytes]:
    """Rasterise many objects of one polygon each, side by side.

    Args:
        polygons: One an object, not checked yet; lists or what :func:`pack_outline` makes.
        sizes_hw: Height and width of each one's picture, checked before.

    Returns:
        The compressed counts by row, just as :func:`rasterise` makes them. Rows whose polygon it
        would refuse are left out, and all of them where they are too few to be worth it.
    """
    if not compiled.is_worth_it(len(polygons)):
        return {}
    rows = [
        row for row, polygon in enumerate(polygons)
        if len(polygon) >= 6 and len(polygon) % 2 == 0
    ]
    found: dict[int, bytes] = {}
    for first in range(0, len(rows), _BATCH):
        batch = rows[first : first + _BATCH]
        found |= _rasterise_batch(batch, [polygons[row] for row in batch], sizes_hw)
    return found


def _rasterise_batch(
    rows: list[int], polygons: list[Any], sizes_hw: Sequence[tuple[int, int]]
) -> dict[int, bytes]:
    try:
        packed = [pack_outline(polygon) for polygon in polygons]
    except (TypeError, ValueError, OverflowError):
        return {}
    points = np.frombuffer(b"".join(packed), np.float64)
    lengths = np.array([len(polygon) for polygon in packed], np.int64)
    good = _are_within_bounds(points, np.concatenate(([0], np.cumsum(lengths))))
    if not good.all():
        points, lengths = points[np.repeat(good, lengths)], lengths[good]
    chosen = [rows[place] for place in np.flatnonzero(good).tolist()]
    sizes = np.array([sizes_hw[row] for row in chosen], np.int64).reshape(-1, 2)
    made = compiled.rasterise(points, np.concatenate(([0], np.cumsum(lengths))), sizes)
    return dict(zip(chosen, made, strict=True))


def pack_outline(polygon: Any) -> array[float]:
    """Put the numbers of a polygon into a quarter of the memory that a list of them takes.

    Raises:
        TypeError, ValueError, OverflowError: If they are no numbers. Nothing else is checked.
    """
    return polygon if type(polygon) is array else array("d", polygon)


def _are_within_bounds(points: np.ndarray, begins: np.ndarray) -> np.ndarray:
    """``(n,)`` bool: all coordinates are within bounds, and so is the length of the outline."""
    farthest, corners = np.abs(points).max(initial=0), np.diff(begins).max(initial=0) // 2
    if farthest <= _FARTHEST and 2 * farthest * corners <= _LONGEST_OUTLINE:
        return np.ones(len(begins) - 1, bool)  # no polygon can be too long; NaN is not <= either
    near = np.isfinite(points) & (np.abs(points) <= _FARTHEST)
    corner = np.where(near, points, 0).reshape(-1, 2)
    first, last = begins[:-1] // 2, begins[1:] // 2 - 1
    steps = np.empty_like(corner)
    steps[1:] = corner[1:] - corner[:-1]
    steps[first] = corner[first] - corner[last]
    outline = np.add.reduceat(np.abs(steps).max(axis=1), first)
    within: np.ndarray = np.logical_and.reduceat(near, begins[:-1]) & (outline <= _LONGEST_OUTLINE)
    return within


def _polygon(polygon: Any) -> list[float]:
    try:
        points = np.asarray(polygon, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        text = repr(polygon)
        shown = text if len(text) <= 60 else text[:57] + "…"
        raise MaskError(f"a polygon must be a list of numbers, but got {shown}") from None
    if points.ndim != 1 or len(points) < 6 or len(points) % 2:
        raise MaskError(
            "a polygon must be [x1, y1, x2, y2, …] with at least three points, "
            f"but got {points.size} numbers"
        )
    if not np.isfinite(points).all() or np.abs(points).max() > _FARTHEST:
        raise MaskError("a polygon holds a coordinate that is not within 100,000 pixels")
    corners = points.reshape(-1, 2)
    steps = np.abs(corners[1:] - corners[:-1]).max(axis=1).sum()
    if steps + np.abs(corners[0] - corners[-1]).max() > _LONGEST_OUTLINE:
        raise MaskError(f"a polygon's outline is longer than {_LONGEST_OUTLINE:,} pixels")
    found: list[float] = points.tolist()
    return found
