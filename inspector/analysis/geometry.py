"""Does the score rise when predictions are moved or grown by a few pixels? Then something is off.

A resize that rounds, an offset of half a stride or an inflated ground truth all show as a rise.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from inspector.core.crops import Crop, read_crops, take_masks
from inspector.core.dataset import Dataset
from inspector.core.ignored import counted_run
from inspector.core.run import Run, Status
from inspector.core.scores import Scores

REACH = 3
"""Pixels by which predictions are moved, grown and shrunk at most."""

SAMPLE = 2_000
_SEED = 0
_BATCH = 100
_THREADS = 2
_FEWEST = 10
"""Pictures below which nothing is said: a single one may rise by chance."""

_RISE = 0.002
"""Smallest rise of the mean that is called one; it must exceed three standard errors too."""

SHIFTS = tuple(
    (right, down) for right in range(-REACH, REACH + 1) for down in range(-REACH, REACH + 1)
)
GROWTHS = tuple(pixels for pixels in range(-REACH, REACH + 1) if pixels)


@dataclass(frozen=True, slots=True)
class Variation:
    """Predictions changed alike: moved right and down, or grown (shrunk where negative).

    ``standard_error`` is that of the rise, over pictures: the sentences of one picture rise and
    fall together. None of one picture alone.
    """

    right: int
    down: int
    grown: int
    mean_iou: float
    rise: float
    standard_error: float | None

    @property
    def is_rise(self) -> bool:
        """Whether it is more than chance and more than a trifle."""
        error = self.standard_error
        return self.rise >= _RISE and error is not None and self.rise > 3 * error

    @property
    def words(self) -> str:
        """The change, such as ``moved 2 px right and 1 px up``."""
        if self.grown:
            return f"{'grown' if self.grown > 0 else 'shrunk'} by {abs(self.grown)} px"
        parts = []
        if self.right:
            parts.append(f"{abs(self.right)} px {'right' if self.right > 0 else 'left'}")
        if self.down:
            parts.append(f"{abs(self.down)} px {'down' if self.down > 0 else 'up'}")
        return "moved " + " and ".join(parts) if parts else "left as they are"


@dataclass(frozen=True, slots=True)
class GeometryCheck:
    """How the mean IoU of a run answers to small changes of its predictions.

    Attributes:
        examples: How many were measured: those with a prediction and a target that overlap.
        available: How many there are of these.
        mean_iou: Of those measured, unchanged.
        variations: Every shift and growth.
        best: The variation with the highest mean.
        line: The result in one sentence.
    """

    examples: int
    available: int
    mean_iou: float | None
    variations: tuple[Variation, ...]
    best: Variation | None
    line: str


def check_geometry(
    scores: Scores, *, sample: int = SAMPLE, progress: Callable[[int, int], None] | None = None
) -> GeometryCheck:
    """Move, grow and shrink predictions by up to 3 px and see whether the mean IoU rises.

    Only examples whose prediction and target share a pixel are looked at: the others say nothing
    about pixels. At most ``sample`` of them are taken, by a fixed seed. What is moved out of the
    picture is lost; growing is by a square of 3 x 3, and the picture's edge does not shrink.
    """
    usable = (scores.status == Status.SCORED) & (scores.run.rows >= 0) & (scores.intersection > 0)
    chosen = np.flatnonzero(usable)
    available = len(chosen)
    if not available:
        return GeometryCheck(0, 0, None, (), None, "No prediction overlaps its target by a mask.")
    if available > sample:
        chosen = np.sort(np.random.default_rng(_SEED).choice(chosen, sample, replace=False))
    batches = [chosen[begin : begin + _BATCH] for begin in range(0, len(chosen), _BATCH)]
    run = counted_run(scores.dataset, scores.run)
    parts = []
    with ThreadPoolExecutor(_THREADS, thread_name_prefix="geometry") as pool:
        for part in pool.map(lambda batch: _vary_batch(scores.dataset, run, batch), batches):
            parts.append(part)
            if progress:
                progress(min(len(parts) * _BATCH, len(chosen)), len(chosen))
    iou = np.concatenate(parts)
    own = iou[:, SHIFTS.index((0, 0))]
    rises = iou - own[:, None]
    pictures, errors = _errors(rises, scores.dataset.expressions.image[chosen])
    changes = [(*shift, 0) for shift in SHIFTS] + [(0, 0, grown) for grown in GROWTHS]
    variations = tuple(
        Variation(*change, float(mean), float(rise), float(error) if pictures > 1 else None)
        for change, mean, rise, error in zip(
            changes, iou.mean(axis=0), rises.mean(axis=0), errors, strict=True
        )
    )
    best = max(variations, key=lambda v: v.mean_iou)
    mean = float(own.mean())
    return GeometryCheck(
        len(iou), available, mean, variations, best,
        _line(best, mean, len(iou), available, pictures),
    )


def _errors(rises: np.ndarray, image: np.ndarray) -> tuple[int, np.ndarray]:
    """Count the pictures, and give the standard error of each mean rise.

    Args:
        rises: ``(n, variations)``.
        image: ``(n,)`` int, picture of each example.
    """
    known, of = np.unique(image, return_inverse=True)
    sums = np.zeros((len(known), rises.shape[1]))
    np.add.at(sums, of, rises - rises.mean(axis=0))
    with np.errstate(invalid="ignore", divide="ignore"):
        squares = (sums**2).sum(axis=0) * (np.float64(len(known)) / (len(known) - 1))
    return len(known), np.sqrt(squares) / len(rises)


def _line(best: Variation, mean: float, examples: int, available: int, pictures: int) -> str:
    of = f"{examples:,} examples" if examples == available else (
        f"{examples:,} of {available:,} examples, chosen by a fixed seed"
    )
    base = f"Mean IoU where prediction and target overlap is {mean:.4f} ({of})"
    if pictures < _FEWEST:
        return f"{base}; {pictures} pictures are too few to tell an offset from chance."
    if not best.is_rise:
        return f"{base}; no shift or growth of up to {REACH} px raises it by {_RISE} or more."
    guess = (
        "a resize or offset bug is likely" if not best.grown
        else "masks are drawn too small, or the ground truth is inflated" if best.grown > 0
        else "masks are drawn too large, or the ground truth is cut short"
    )
    return f"{base}; {best.words} it is {best.mean_iou:.4f} ({best.rise:+.4f}): {guess}."


def _vary_batch(dataset: Dataset, run: Run, batch: np.ndarray) -> np.ndarray:
    target_rows = dataset.expressions.target[batch]
    known, back = np.unique(target_rows, return_inverse=True)
    targets = read_crops(take_masks(dataset.targets.masks, known))
    predictions = read_crops(take_masks(run.masks, run.rows[batch]))
    sizes = [dataset.images[row].size_hw for row in dataset.expressions.image[batch].tolist()]
    return np.array([
        _vary(prediction, targets[row], size)
        for prediction, row, size in zip(predictions, back.tolist(), sizes, strict=True)
    ])


def _vary(prediction: Crop, target: Crop, size_hw: tuple[int, int]) -> list[float]:
    """Give the IoU of every shift and growth; arrays are column by column, as crops are."""
    import cv2

    height, width = size_hw
    left, top = min(prediction.x, target.x), min(prediction.y, target.y)
    right = max(prediction.x + prediction.pixels.shape[0], target.x + target.pixels.shape[0])
    bottom = max(prediction.y + prediction.pixels.shape[1], target.y + target.pixels.shape[1])
    # A margin for what moves; pixels that leave the picture are lost, as a real shift loses them.
    left, top = max(left - REACH, 0), max(top - REACH, 0)
    right, bottom = min(right + REACH, width), min(bottom + REACH, height)
    shape = right - left, bottom - top
    one, other = _place(prediction, (left, top), shape), _place(target, (left, top), shape)
    area = int(np.count_nonzero(other))
    truth = other.view(bool)
    found = _move(one, other, area)
    square = np.ones((3, 3), np.uint8)
    for grown in GROWTHS:
        change = cv2.dilate if grown > 0 else cv2.erode
        # OpenCV's own border leaves the picture's edge alone; elsewhere the margin is background.
        changed = change(one, square, iterations=abs(grown)).view(bool)
        both = int(np.count_nonzero(changed & truth))
        found.append(both / (int(np.count_nonzero(changed)) + area - both))
    return found


def _move(one: np.ndarray, other: np.ndarray, area: int) -> list[float]:
    """Give the IoU of every shift; on bits, since one byte a pixel is eight times as much."""
    framed = np.zeros((one.shape[0] + 2 * REACH, one.shape[1] + 2 * REACH), np.uint8)
    framed[REACH : REACH + one.shape[0], REACH : REACH + one.shape[1]] = one
    truth = _bits(other)
    moved = {
        down: _bits(framed[:, REACH - down : REACH - down + one.shape[1]])
        for down in range(-REACH, REACH + 1)
    }
    # Pixels in each column of the picture, so that a shift's area needs no second look.
    columns = {
        down: np.concatenate(([0], np.cumsum(np.bitwise_count(bits).sum(axis=1, dtype=np.int64))))
        for down, bits in moved.items()
    }
    found = []
    for right, down in SHIFTS:
        begin, end = REACH - right, REACH - right + one.shape[0]
        both = int(np.bitwise_count(moved[down][begin:end] & truth).sum(dtype=np.int64))
        own = int(columns[down][end] - columns[down][begin])
        found.append(both / (own + area - both))
    return found


def _bits(pixels: np.ndarray) -> np.ndarray:
    """Pack rows of 0 and 1 into words of 64 bits."""
    packed = np.packbits(pixels, axis=1)
    words = np.zeros((packed.shape[0], -(-packed.shape[1] // 8) * 8), np.uint8)
    words[:, : packed.shape[1]] = packed
    return words.view(np.uint64)


def _place(crop: Crop, at: tuple[int, int], shape: tuple[int, int]) -> np.ndarray:
    canvas = np.zeros(shape, np.uint8)
    x, y = crop.x - at[0], crop.y - at[1]
    canvas[x : x + crop.pixels.shape[0], y : y + crop.pixels.shape[1]] = crop.pixels
    return canvas
