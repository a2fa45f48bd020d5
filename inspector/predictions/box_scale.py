"""In which scale the boxes of a file are: said by the file, or inferred from all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from inspector.core.boxes import box_iou
from inspector.core.errors import UsageError, say_choices
from inspector.core.problems import ProblemLog
from inspector.predictions.records import RawBox

_INSIDE = 0.9  # share of the boxes that must lie in their picture before a scale is believed


@dataclass(frozen=True, slots=True)
class BoxScale:
    """One way to write coordinates; ``frame`` gives the width and height that stand for (1, 1)."""

    key: str
    description: str
    largest: float
    frame: Callable[[int, int], tuple[float, float]]


def _resized(height: int, width: int) -> tuple[float, float]:
    """Give the size to which Qwen2.5-VL's ``smart_resize`` brings a picture, width first."""
    sides = [max(28, round(side / 28) * 28) for side in (height, width)]
    most, least = 16_384 * 28 * 28, 4 * 28 * 28
    if sides[0] * sides[1] > most:
        shrink = (height * width / most) ** 0.5
        sides = [max(28, int(side / shrink / 28) * 28) for side in (height, width)]
    elif sides[0] * sides[1] < least:
        grow = (least / (height * width)) ** 0.5
        sides = [int(-(-side * grow // 28)) * 28 for side in (height, width)]
    return float(sides[1]), float(sides[0])


BOX_SCALES: tuple[BoxScale, ...] = (
    BoxScale("pixels", "pixels of the picture", np.inf, lambda h, w: (w, h)),
    BoxScale("0-1", "shares of width and height", 1.5, lambda h, w: (1, 1)),
    BoxScale("0-100", "hundredths (MiniGPT-v2)", 100, lambda h, w: (100, 100)),
    BoxScale("0-999", "999ths (DeepSeek-VL2)", 999, lambda h, w: (999, 999)),
    BoxScale("0-1000", "thousandths (Qwen-VL, InternVL)", 1000, lambda h, w: (1000, 1000)),
    BoxScale("resized", "pixels of the picture as Qwen2.5-VL resizes it", np.inf, _resized),
)
"""A guess among equals falls on the one that stands first here."""

_BY_KEY = {scale.key: scale for scale in BOX_SCALES}


def check_scale(key: str | None) -> None:
    """Refuse a scale that does not exist.

    Raises:
        UsageError: With the known ones.
    """
    if key is not None and key not in _BY_KEY:
        raise UsageError(f"No box scale '{key}'. {say_choices(key, list(_BY_KEY))}")


def to_pixels(
    box: RawBox, scale: str, size_hw: tuple[int, int], *, form: str | None = None
) -> np.ndarray:
    """Give a box as ``(4,)`` float64 x, y, width, height in pixels of its picture.

    ``form`` is taken where the box does not say its own.
    """
    height, width = size_hw
    across, down = _BY_KEY[scale].frame(height, width)
    stretch = np.tile([width / across, height / down], 2)
    values: np.ndarray = np.array(box.numbers, np.float64) * stretch
    if (box.form or form) == "xyxy":
        values[2:] -= values[:2]
    return values


def is_beyond(box: RawBox, scale: str) -> bool:
    """Say whether a box has a coordinate larger than its scale allows."""
    return max(map(abs, box.numbers)) > _BY_KEY[scale].largest


def infer_scale(
    boxes: Sequence[RawBox], sizes_hw: Sequence[tuple[int, int]], truth: np.ndarray,
    log: ProblemLog, *, asked: str | None,
) -> tuple[str, str]:
    """Decide in which scale the boxes of a file are that do not say it, and in which form.

    A scale is possible if at most one box in ten has a larger coordinate than it allows and at
    least nine in ten lie inside their picture; of the possible ones the best mean IoU with the
    truth decides.

    Args:
        boxes: All boxes without a scale, aligned to examples.
        sizes_hw: The size of each one's picture.
        truth: ``(n, 4)`` the target's box for each; NaN without.
        log: Takes the guess and what speaks for it.
        asked: The user's own word, which is taken as it is; the form is still inferred.

    Returns:
        The scale and, for boxes that do not say it, ``xyxy`` or ``xywh``.
    """
    forms = ("xyxy", "xywh") if any(box.form is None for box in boxes) else ("xyxy",)
    scales = [_BY_KEY[asked]] if asked else BOX_SCALES
    seen = {}
    for scale in scales:
        if not asked and np.mean([is_beyond(box, scale.key) for box in boxes]) > 1 - _INSIDE:
            continue
        for form in forms:
            pixels = np.array([
                to_pixels(box, scale.key, size, form=form)
                for box, size in zip(boxes, sizes_hw, strict=True)
            ])
            iou = box_iou(pixels, truth)
            mean = float(np.nanmean(iou)) if (~np.isnan(iou)).any() else 0.0
            seen[scale.key, form] = (_share_inside(pixels, sizes_hw), mean)
    possible = [key for key, (inside, _) in seen.items() if inside >= _INSIDE] or list(seen)
    best = max(possible, key=lambda key: seen[key][1])
    tried = "; ".join(
        f"{_in_words(key, forms)}: {100 * inside:.0f} % inside the picture, mean IoU {mean:.3f}"
        for key, (inside, mean) in seen.items()
    )
    if asked and len(forms) == 1:
        return asked, "xyxy"
    largest = max(max(map(abs, box.numbers)) for box in boxes)
    log.add(
        "box-scale", "info", "",
        f"The file does not say the scale of its boxes; read as {_in_words(best, forms)} "
        f"({_BY_KEY[best[0]].description}). Largest number {largest:g}; {tried}. "
        "'--box-scale KEY' overrides.",
    )
    return best


def _in_words(key: tuple[str, str], forms: Sequence[str]) -> str:
    return key[0] if len(forms) == 1 else f"{key[0]} {key[1]}"


def _share_inside(pixels: np.ndarray, sizes_hw: Sequence[tuple[int, int]]) -> float:
    """Share of the boxes that lie in their picture, give or take a hundredth of it."""
    height, width = np.array(sizes_hw, np.float64).T
    right, bottom = pixels[:, 0] + pixels[:, 2], pixels[:, 1] + pixels[:, 3]
    inside = (
        (pixels[:, :2].min(axis=1) >= -0.01 * np.minimum(width, height))
        & (right <= 1.01 * width) & (bottom <= 1.01 * height)
    )
    return float(inside.mean())
