"""How two masks of one referent differ: overlap, edge, parts and holes."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from inspector.core.boundary import band_width, boundary_band
from inspector.core.errors import SizeMismatchError
from inspector.core.mask import Mask, describe_mismatch
from inspector.core.overlap import Overlap
from inspector.truths.edges import measure_shift
from inspector.truths.matching import Match

Progress = Callable[[int, int], None]

_THREADS = 2


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
    own, other, edge = _windows(a, b)
    width = band_width(a.size_hw)
    bands = boundary_band(own, width), boundary_band(other, width)
    parts_a, parts_b, gained, lost = _count_parts(own, other)
    return Shape(
        *_count_overlap(own.view(bool), other.view(bool)), *_count_overlap(*bands),
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


def _count_overlap(one: np.ndarray, other: np.ndarray) -> Overlap:
    return Overlap(int(np.count_nonzero(one & other)), int(np.count_nonzero(one | other)))


def _count_parts(a: np.ndarray, b: np.ndarray) -> tuple[int, int, int, int]:
    """Count the pieces of A, of B, those that only B has, and those that only A has."""
    import cv2

    shared = (a & b).view(bool)
    counts, met = [], []
    for mask in (a, b):
        number, labels = cv2.connectedComponents(mask, connectivity=8)
        counts.append(number - 1)
        met.append(
            int(shared.any()) if number == 2  # one part, as most masks have
            else int(np.count_nonzero(np.bincount(labels[shared], minlength=1)))
        )
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


def compare_shapes(match: Match, *, progress: Progress | None = None) -> Shapes:
    """Measure the masks of all matched referents; ``progress`` is called with (done, all)."""
    k, a, b = len(match), match.referents_a, match.referents_b
    counts = {name: np.zeros(k, np.int64) for name in Shape._fields}
    shift, measured = np.full(k, np.nan), np.zeros(k, bool)
    areas = np.zeros((2, k), np.int64)
    masks_a, masks_b = a.dataset.targets.masks, b.dataset.targets.masks
    places, targets = [], []
    for row, (own, other) in enumerate(zip(match.rows_a, match.rows_b, strict=True)):
        if a.is_usable(own) and b.is_usable(other):
            places.append(row)
            targets.append((int(a.target[own]), int(b.target[other])))
    with ThreadPoolExecutor(_THREADS) as pool:  # OpenCV works outside the interpreter's lock
        found = pool.map(lambda pair: measure_shape(masks_a[pair[0]], masks_b[pair[1]]), targets)
        for done, (row, (one, two), shape) in enumerate(zip(places, targets, found, strict=True)):
            if progress and done % 64 == 0:
                progress(done, len(places))
            measured[row], shift[row] = True, shape.shift
            areas[:, row] = masks_a.areas[one], masks_b.areas[two]
            for name, value in shape._asdict().items():
                if name != "shift":
                    counts[name][row] = value
    if progress:
        progress(len(places), len(places))
    del counts["shift"]
    return Shapes(
        is_measured=measured, area_a=areas[0], area_b=areas[1], shift=shift, **counts
    )
