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

from inspector.core.boundary import band_width, boundary_band
from inspector.core.columns import MaskColumn
from inspector.core.crops import Crop, read_crops, shared_window, take_masks
from inspector.core.dataset import Dataset
from inspector.core.ignored import counted_run
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
    run = counted_run(dataset, run)
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
        _shapes(take_masks(run.masks, run.rows[batch])), targets.tolist(), strict=True
    ):
        truth = shapes.get(target, _NO_SHAPE)
        one, other = shared_window(shape.band, shape.at, truth.band, truth.at)
        both = int(np.count_nonzero(one & other))
        found.append((
            both, shape.band_area + truth.band_area - both, shape.pieces, shape.largest_piece,
            shape.hole_area, truth.largest_piece, truth.hole_area,
        ))
    return found


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
        band = boundary_band(crop.pixels, width)
        yield _Shape(band, (crop.x, crop.y), int(np.count_nonzero(band)), *_pieces(crop))


def _pieces(crop: Crop) -> tuple[int, int, int]:
    """Count pieces, the pixels of the largest, and the pixels that are enclosed but not marked.

    Contours run through the centres of pixels, so that Pick's theorem gives the pixels on and
    inside one exactly: area + length / 2 + 1, or - length / 2 for the background inside a hole.
    An island inside a hole is a piece of its own, and none of the hole's pixels.
    """
    import cv2

    contours, tree = cv2.findContours(crop.pixels, cv2.RETR_TREE, cv2.CHAIN_APPROX_NONE)
    marked = int(np.count_nonzero(crop.pixels))
    if len(contours) == 1:
        return 1, marked, 0
    parents = tree[0, :, 3].tolist()
    sizes: dict[int, float] = {}  # of the pieces, by their outer contours
    filled = 0.0
    is_hole: list[bool] = []  # a contour comes after the one that it lies in
    for row, (contour, parent) in enumerate(zip(contours, parents, strict=True)):
        area = cv2.contourArea(contour)
        length = len(contour) if len(contour) > 1 else 0
        is_hole.append(parent >= 0 and not is_hole[parent])
        if is_hole[row]:
            sizes[parent] -= area - length / 2 + 1
            continue
        sizes[row] = area + length / 2 + 1
        if parent < 0:
            filled += sizes[row]
    return len(sizes), round(max(sizes.values())), round(filled) - marked
