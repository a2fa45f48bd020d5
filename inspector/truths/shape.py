"""How two masks of one referent differ: overlap, edge, parts and holes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from inspector.core.boundary import measure_boundary
from inspector.core.errors import SizeMismatchError
from inspector.core.mask import Mask, describe_mismatch
from inspector.core.overlap import measure_overlap
from inspector.truths.matching import Match

Progress = Callable[[int, int], None]


class Shape(NamedTuple):
    """Two masks of one referent against each other.

    Attributes:
        intersection, union: Pixels.
        boundary_intersection, boundary_union: Pixels of the boundary bands.
        shift: Mean signed distance of the edges in pixels, positive where A lies outside B; NaN
            where a mask is empty, or no edge of it lies inside the picture.
        parts_a, parts_b: Pieces, where pixels that touch at a corner are of one piece.
        parts_gained: Pieces of B that share no pixel with A.
        parts_lost: Pieces of A that share no pixel with B.
        holes_a, holes_b: Background that a mask closes in.
    """

    intersection: int
    union: int
    boundary_intersection: int
    boundary_union: int
    shift: float
    parts_a: int
    parts_b: int
    parts_gained: int
    parts_lost: int
    holes_a: int
    holes_b: int


def measure_shape(a: Mask, b: Mask) -> Shape:
    """Compare two masks of one referent.

    Raises:
        SizeMismatchError: If the masks differ in size.

    Example:
        >>> ring = np.ones((5, 5), bool)
        >>> ring[2, 2] = False
        >>> shape = measure_shape(Mask.from_array(ring), Mask.from_array(np.ones((5, 5), bool)))
        >>> shape.intersection, shape.union, shape.holes_a, shape.holes_b
        (24, 25, 1, 0)
    """
    if a.size_hw != b.size_hw:
        raise SizeMismatchError(describe_mismatch(b.size_hw, a.size_hw))
    overlap, boundary = measure_overlap(a, b), measure_boundary(a, b)
    own, other, edge = _windows(a, b)
    parts_a, parts_b, gained, lost = _count_parts(own, other)
    return Shape(
        *overlap, *boundary,
        shift=measure_shift(own, other, edge),
        parts_a=parts_a, parts_b=parts_b, parts_gained=gained, parts_lost=lost,
        holes_a=_count_holes(own), holes_b=_count_holes(other),
    )


def _windows(a: Mask, b: Mask) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Cut both masks out with a frame of one pixel, as uint8 turned on their side.

    Turned, so that the columns of the run lengths lie one after another in memory. The third
    array is each pixel's distance to the first pixel beyond the picture.
    """
    boxes = np.array([mask.box_xywh for mask in (a, b)])
    boxes = boxes[boxes[:, 2] > 0]
    if not len(boxes):
        nothing = np.zeros((1, 1), np.uint8)
        return nothing, nothing, np.ones((1, 1))
    height, width = a.size_hw
    left, top = np.maximum(boxes[:, :2].min(axis=0).astype(int) - 1, 0)
    right, bottom = np.minimum(
        (boxes[:, :2] + boxes[:, 2:]).max(axis=0).astype(int) + 1, (width, height)
    )
    cut = [
        np.ascontiguousarray(mask.to_array().T[left:right, top:bottom]).view(np.uint8)
        for mask in (a, b)
    ]
    x, y = np.arange(left, right), np.arange(top, bottom)
    edge = np.minimum(
        np.minimum(x + 1, width - x)[:, None], np.minimum(y + 1, height - y)[None, :]
    )
    return cut[0], cut[1], edge


def measure_shift(a: np.ndarray, b: np.ndarray, edge: np.ndarray) -> float:
    """Measure how far the edge of A lies outside that of B, in pixels, on average.

    Each pixel next to A's edge, on either side of it, looks for the nearest place of B's edge, and
    those next to B's for A's; both means count half. A pixel without counterpart does not count:
    the place that it finds has something nearer to it, as at a hole that only one of the two has
    (holes and parts are counted on their own). The picture's edge is none of a mask's, and a
    pixel nearer to it than to the other's edge tells nothing and does not count either.

    Args:
        a, b: ``(h, w)`` uint8 of 0 and 1, with a frame of background wherever the picture goes
            on.
        edge: ``(h, w)`` distance to the first pixel beyond the picture.

    Returns:
        Pixels, positive where A lies outside; NaN where there is no edge to compare. A mask that
        was grown by a disc of radius r gives r along a straight edge.

    Example:
        >>> b = np.zeros((40, 40), np.uint8)
        >>> b[10:30, 10:30] = 1
        >>> a = np.zeros((40, 40), np.uint8)
        >>> a[8:32, 8:32] = 1
        >>> round(measure_shift(a, b, np.full((40, 40), 20)), 1)
        2.0
    """
    if not (a.any() and b.any()):
        return float("nan")
    own, other = _find_edge(a), _find_edge(b)
    outward, inward = _distances(own, other, edge), _distances(other, own, edge)
    means = [float(values.mean()) for values in (outward, -inward) if len(values)]
    return sum(means) / len(means) if means else float("nan")


_SLACK = 1.5
"""Pixels by which a counterpart may be nearer to something else than to what looked for it."""

_CROSS = np.array([[0, 1, 0], [1, 1, 1], [0, 1, 0]], np.uint8)


class _Edge(NamedTuple):
    """Where a mask ends: ``distance`` of each pixel to there in pixels, positive outside; and the
    pixels next to it, ``inner`` and ``outer``, as rows and columns."""

    distance: np.ndarray
    inner: tuple[np.ndarray, np.ndarray]
    outer: tuple[np.ndarray, np.ndarray]


def _find_edge(mask: np.ndarray) -> _Edge:
    import cv2

    # beyond the array cv2 erodes and dilates nothing: the picture's edge is none of the mask's
    inner = mask - cv2.erode(mask, _CROSS)
    outer = cv2.dilate(mask, _CROSS) - mask
    away = cv2.distanceTransform(1 - inner, cv2.DIST_L2, cv2.DIST_MASK_PRECISE)
    distance = np.where(mask > 0, -0.5 - away, away - 0.5)
    return _Edge(distance, inner.nonzero(), outer.nonzero())


def _distances(own: _Edge, other: _Edge, limit: np.ndarray) -> np.ndarray:
    """Give how far a mask's edge lies outside the other mask, where both have one."""
    rows, columns = (np.concatenate(pair) for pair in zip(own.inner, own.outer, strict=True))
    found = other.distance[rows, columns].astype(np.float64)
    size = np.abs(found)
    # down the slope of the distances lies the nearest place of the other edge
    last = np.subtract(other.distance.shape, 1)
    down = (other.distance[np.minimum(rows + 1, last[0]), columns]
            - other.distance[np.maximum(rows - 1, 0), columns])
    right = (other.distance[rows, np.minimum(columns + 1, last[1])]
             - other.distance[rows, np.maximum(columns - 1, 0)])
    step = found / np.maximum(np.hypot(down, right), 1e-6)
    there = (
        np.clip(np.rint(rows - step * down), 0, last[0]).astype(np.int64),
        np.clip(np.rint(columns - step * right), 0, last[1]).astype(np.int64),
    )
    has_counterpart = np.abs(own.distance[there]) >= size - _SLACK
    return found[has_counterpart & (size <= limit[rows, columns])]


def _count_parts(a: np.ndarray, b: np.ndarray) -> tuple[int, int, int, int]:
    """Give the pieces of A and of B, those of B that A does not have, and those of A that B lacks.

    """
    import cv2

    counts, met = [], []
    for mask in (a, b):
        number, labels = cv2.connectedComponents(mask, connectivity=8)
        counts.append(number - 1)
        met.append(len(np.unique(labels[(a & b) > 0])))
    return counts[0], counts[1], counts[1] - met[1], counts[0] - met[0]


def _count_holes(mask: np.ndarray) -> int:
    import cv2

    framed = cv2.copyMakeBorder(1 - mask, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=1)
    return int(cv2.connectedComponents(framed, connectivity=4)[0]) - 2


@dataclass(frozen=True, slots=True, eq=False)
class Shapes:
    """The shapes of all matched referents as columns; ``k`` rows, as in the match.

    ``is_measured`` is False where one of the two has no target or none that can be read; the
    other columns hold 0 and NaN there. For the rest see :class:`Shape`; the areas are pixels.
    """

    is_measured: np.ndarray
    area_a: np.ndarray
    area_b: np.ndarray
    intersection: np.ndarray
    union: np.ndarray
    boundary_intersection: np.ndarray
    boundary_union: np.ndarray
    shift: np.ndarray
    parts_a: np.ndarray
    parts_b: np.ndarray
    parts_gained: np.ndarray
    parts_lost: np.ndarray
    holes_a: np.ndarray
    holes_b: np.ndarray

    @property
    def iou(self) -> np.ndarray:
        """``(k,)`` float64 in [0, 1]; NaN where nothing was measured."""
        return _divide(self.intersection, self.union, self.is_measured)

    @property
    def boundary_iou(self) -> np.ndarray:
        """``(k,)`` float64 in [0, 1]; NaN where nothing was measured."""
        return _divide(self.boundary_intersection, self.boundary_union, self.is_measured)

    @property
    def area_ratio(self) -> np.ndarray:
        """``(k,)`` float64, area of B / area of A; NaN where nothing was measured."""
        return _divide(self.area_b, self.area_a, self.is_measured)


def _divide(part: np.ndarray, whole: np.ndarray, known: np.ndarray) -> np.ndarray:
    return np.where(known & (whole > 0), part / np.maximum(whole, 1), np.nan)


def measure_shapes(match: Match, *, progress: Progress | None = None) -> Shapes:
    """Measure the masks of all matched referents; ``progress`` is called with (done, all)."""
    k, a, b = len(match), match.referents_a, match.referents_b
    counts = {name: np.zeros(k, np.int64) for name in Shape._fields}
    shift, measured = np.full(k, np.nan), np.zeros(k, bool)
    areas = np.zeros((2, k), np.int64)
    masks_a, masks_b = a.dataset.targets.masks, b.dataset.targets.masks
    for row, (own, other) in enumerate(zip(match.rows_a, match.rows_b, strict=True)):
        if progress and row % 64 == 0:
            progress(row, k)
        if not (a.is_usable(own) and b.is_usable(other)):
            continue
        one, two = int(a.target[own]), int(b.target[other])
        shape = measure_shape(masks_a[one], masks_b[two])
        measured[row], shift[row] = True, shape.shift
        areas[:, row] = masks_a.areas[one], masks_b.areas[two]
        for name, value in shape._asdict().items():
            if name != "shift":
                counts[name][row] = value
    if progress:
        progress(k, k)
    del counts["shift"]
    return Shapes(
        is_measured=measured, area_a=areas[0], area_b=areas[1], shift=shift, **counts
    )
