"""Polygons of one object, checked before COCO's C code rasterises them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from pycocotools import mask as coco

from inspector.core.errors import MaskError

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
    if not np.isfinite(points).all() or np.abs(points).max() > 100_000:
        raise MaskError("a polygon holds a coordinate that is not within 100,000 pixels")
    steps = points.reshape(-1, 2) - np.roll(points, 2).reshape(-1, 2)
    if np.abs(steps).max(axis=1).sum() > _LONGEST_OUTLINE:
        raise MaskError(f"a polygon's outline is longer than {_LONGEST_OUTLINE:,} pixels")
    return [float(value) for value in points]
