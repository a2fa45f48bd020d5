"""Masks drawn as text, so that a test can be checked by looking at it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from inspector.core.mask import Mask


def draw(*rows: str) -> Mask:
    """Build a mask from rows of ``#`` (foreground) and ``.`` (background)."""
    return Mask.from_array(np.array([[pixel == "#" for pixel in row] for row in rows]))


def random_arrays(count: int, *, seed: int) -> Iterator[np.ndarray]:
    """Give boolean arrays of many sizes and kinds: noise, boxes, all, nothing, single pixels."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        height, width = rng.integers(1, 50, 2).tolist()
        yield random_array((height, width), rng)


def random_array(size_hw: tuple[int, int], rng: np.random.Generator) -> np.ndarray:
    """Give one boolean array of a kind chosen by chance."""
    height, width = size_hw
    array = np.zeros(size_hw, bool)
    kind = rng.choice(["noise", "boxes", "all", "nothing", "pixel"], p=[0.4, 0.4, 0.05, 0.1, 0.05])
    if kind == "noise":
        array = rng.random(size_hw) < rng.random()
    elif kind == "boxes":
        for _ in range(rng.integers(1, 4)):
            top, left = rng.integers(0, height), rng.integers(0, width)
            array[top : top + rng.integers(1, 30), left : left + rng.integers(1, 30)] = True
    elif kind == "all":
        array[:] = True
    elif kind == "pixel":
        array[rng.integers(0, height), rng.integers(0, width)] = True
    return array
