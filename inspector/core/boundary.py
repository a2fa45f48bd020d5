"""How well the edges of two masks agree."""

from __future__ import annotations

import numpy as np

from inspector.core.columns import column_of
from inspector.core.crops import read_crops, shared_window
from inspector.core.errors import SizeMismatchError
from inspector.core.mask import Mask, describe_mismatch
from inspector.core.overlap import Overlap


def band_width(size_hw: tuple[int, int]) -> int:
    """Width of the boundary band in pixels: 2 % of the picture's diagonal, at least 1."""
    height, width = size_hw
    return max(1, round(0.02 * float(np.sqrt(height**2 + width**2))))


def measure_boundary(prediction: Mask, target: Mask) -> Overlap:
    """Count the pixels that the boundary bands of two masks share.

    The band of a mask is what is lost when it is eroded ``d`` times by a 3 x 3 square, with
    ``d`` = :func:`band_width`; the picture's own edge counts as a boundary.

    Args:
        prediction: Mask given by the model, ``(H, W)`` of the original picture, without the
            pixels that are ignored.
        target: Ground-truth mask of the same size.

    Returns:
        Exact counts; their ratio is the Boundary IoU. Both are 0 where both masks are empty.

    Raises:
        SizeMismatchError: If the masks differ in size.

    Source: Cheng et al., Boundary IoU (CVPR 2021), ``mask_to_boundary`` of boundary-iou-api with
    its default ratio of 0.02.
    """
    if prediction.size_hw != target.size_hw:
        raise SizeMismatchError(describe_mismatch(prediction.size_hw, target.size_hw))
    width = band_width(target.size_hw)
    first, second = read_crops(column_of([prediction, target]))
    bands = boundary_band(first.pixels, width), boundary_band(second.pixels, width)
    one, other = shared_window(bands[0], (first.x, first.y), bands[1], (second.x, second.y))
    both = int(np.count_nonzero(one & other))
    return Overlap(both, sum(int(np.count_nonzero(band)) for band in bands) - both)


def boundary_band(pixels: np.ndarray, width: int) -> np.ndarray:
    """Give what a mask loses when it is eroded ``width`` times by a 3 x 3 square.

    Only what lies deeper inside than ``width`` can be left, and one square of ``2 width + 1``
    equals all passes.

    Args:
        pixels: ``(h, w)`` uint8 of 0 and 1, a whole mask or as much as holds all its pixels:
            everything outside counts as background, the picture's edge included.
        width: In pixels, at least 1.

    Returns:
        ``(h, w)`` uint8 of 0 and 1; ``pixels`` itself where nothing is left.
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
