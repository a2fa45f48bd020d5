"""Edges, pieces and holes of a whole run's masks: what needs pixels, and is measured when asked.

Scores rest on run lengths alone. What stands here decodes each mask inside its own box, which
takes a few tenths of a millisecond a mask; the scores carry it once it has been measured.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields
from typing import NamedTuple

import numpy as np

from inspector.core.boundary import band_width
from inspector.core.columns import MaskColumn, column_of
from inspector.core.crops import Crop, read_crops, shared_window, take_masks
from inspector.core.dataset import Dataset
from inspector.core.mask import subtract
from inspector.core.run import Run

_BATCH = 256
_THREADS = 2


@dataclass(frozen=True, slots=True, eq=False)
class ShapeScores:
    """What was measured on the pixels of one run; ``n`` examples in the order of the data set.

    Attributes:
        is_measured: ``(n,)`` bool, there is a mask to measure and a truth to measure it against.
        boundary_intersection, boundary_union: ``(n,)`` int64, pixels of the boundary bands that
            are in both, and in either; their ratio is the Boundary IoU. 0 where not measured.
        pieces: ``(n,)`` int32, parts of the prediction that do not touch (8 neighbours).
        largest_piece: ``(n,)`` int64, pixels of the largest of them.
        hole_area: ``(n,)`` int64, pixels that the prediction encloses without marking them.
        target_largest_piece, target_hole_area: The same of the target.
    """

    is_measured: np.ndarray
    boundary_intersection: np.ndarray
    boundary_union: np.ndarray
    pieces: np.ndarray
    largest_piece: np.ndarray
    hole_area: np.ndarray
    target_largest_piece: np.ndarray
    target_hole_area: np.ndarray

    def take(self, chosen: np.ndarray) -> ShapeScores:
        """Keep some of the examples, ``(n,)`` bool or their places."""
        return ShapeScores(*(getattr(self, column.name)[chosen] for column in fields(self)))


class _Shape(NamedTuple):
    band: np.ndarray
    at: tuple[int, int]
    band_area: int
    pieces: int
    largest_piece: int
    hole_area: int


def measure_shapes(
    dataset: Dataset, run: Run, *, progress: Callable[[int, int], None] | None = None,
) -> ShapeScores:
    """Measure boundaries, pieces and holes of every usable mask of a run.

    Args:
        dataset: The ground truth.
        run: Predictions aligned to just this data set.
        progress: Called with (done, all) now and then, in the caller's own thread.

    Returns:
        Exact counts; they equal those of :func:`~inspector.core.boundary.measure_boundary`.
        Ignored pixels are taken out of the prediction before it is measured.
    """
    n = len(dataset)
    measured = (run.rows >= 0) & dataset.is_scorable
    chosen = np.flatnonzero(measured)
    # Sentences of one target side by side, so that its own shape is measured once a batch.
    chosen = chosen[np.argsort(dataset.expressions.target[chosen], kind="stable")]
    batches = [chosen[begin : begin + _BATCH] for begin in range(0, len(chosen), _BATCH)]
    values = np.zeros((n, 7), np.int64)
    done = 0
    with ThreadPoolExecutor(_THREADS, thread_name_prefix="shapes") as pool:
        # Slices and OpenCV work outside the interpreter's lock, so that two threads pay.
        for batch, rows in pool.map(lambda batch: (batch, _measure(dataset, run, batch)), batches):
            values[batch] = rows
            done += len(batch)
            if progress:
                progress(done, len(chosen))
    return ShapeScores(
        measured, values[:, 0], values[:, 1], values[:, 2].astype(np.int32), *values[:, 3:].T
    )


def _measure(dataset: Dataset, run: Run, batch: np.ndarray) -> list[tuple[int, ...]]:
    targets = dataset.expressions.target[batch]
    known = np.unique(targets[targets >= 0])
    shapes = dict(zip(
        known.tolist(), _shapes(take_masks(dataset.targets.masks, known)), strict=True
    ))
    found: list[tuple[int, ...]] = []
    for shape, target in zip(
        _shapes(_predictions(dataset, run, batch)), targets.tolist(), strict=True
    ):
        truth = shapes.get(target, _NO_SHAPE)
        one, other = shared_window(shape.band, shape.at, truth.band, truth.at)
        both = int(np.count_nonzero(one & other))
        found.append((
            both, shape.band_area + truth.band_area - both, shape.pieces, shape.largest_piece,
            shape.hole_area, truth.largest_piece, truth.hole_area,
        ))
    return found


def _predictions(dataset: Dataset, run: Run, batch: np.ndarray) -> MaskColumn:
    """Give the predicted masks of some examples, without the pixels that are ignored."""
    ignored = dataset.expressions.ignored[batch]
    if (ignored < 0).all():
        return take_masks(run.masks, run.rows[batch])
    masks = [run.masks[row] for row in run.rows[batch].tolist()]
    return column_of([
        subtract(mask, dataset.ignored[row]) if row >= 0 else mask
        for mask, row in zip(masks, ignored.tolist(), strict=True)
    ])


_NO_SHAPE = _Shape(np.zeros((0, 0), np.uint8), (0, 0), 0, 0, 0, 0)


def _shapes(column: MaskColumn) -> Iterator[_Shape]:
    widths = {
        size: band_width(size) for size in {tuple(size) for size in column.sizes_hw.tolist()}
    }
    for row, crop in enumerate(read_crops(column)):
        if not crop.pixels.size:
            yield _NO_SHAPE
            continue
        width = widths[tuple(column.sizes_hw[row].tolist())]
        band = _band(crop.pixels, width)
        yield _Shape(band, (crop.x, crop.y), int(np.count_nonzero(band)), *_pieces(crop))


def _band(pixels: np.ndarray, width: int) -> np.ndarray:
    """Give what a mask loses when it is eroded ``width`` times by a square of 3.

    Everything outside the box is background, the picture's edge included, so that only what lies
    deeper inside than ``width`` can be left. One square of ``2 width + 1`` equals all passes.
    """
    if min(pixels.shape) <= 2 * width:
        return pixels
    inner = _shortest(_shortest(pixels, 2 * width + 1).T, 2 * width + 1).T
    band = pixels.copy()
    band[width:-width, width:-width] -= inner
    return band


def _shortest(pixels: np.ndarray, length: int) -> np.ndarray:
    """Give the minimum of every ``length`` neighbours down the first axis, by doubling."""
    reached = 1
    while 2 * reached <= length:
        pixels = pixels[:-reached] & pixels[reached:]
        reached *= 2
    rest = length - reached
    return pixels[:-rest] & pixels[rest:] if rest else pixels


def _pieces(crop: Crop) -> tuple[int, int, int]:
    """Count pieces, the pixels of the largest, and the pixels that are enclosed but not marked.

    Contours run through the centres of pixels, so that Pick's theorem gives the pixels on and
    inside one exactly: area + length / 2 + 1, or - length / 2 for the background inside a hole.
    """
    import cv2

    contours, tree = cv2.findContours(crop.pixels, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    if len(contours) == 1:
        return 1, int(np.count_nonzero(crop.pixels)), 0
    sizes: dict[int, float] = {}
    holes = 0.0
    for row, (contour, parent) in enumerate(zip(contours, tree[0, :, 3].tolist(), strict=True)):
        area = cv2.contourArea(contour)
        length = len(contour) if len(contour) > 1 else 0
        if parent < 0:
            sizes[row] = sizes.get(row, 0) + area + length / 2 + 1
            continue
        enclosed = area - length / 2 + 1
        holes += enclosed
        sizes[parent] = sizes.get(parent, 0) - enclosed
    return len(sizes), round(max(sizes.values())), round(holes)
