"""How well the edges of two masks agree."""

from __future__ import annotations

import numpy as np

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
        prediction: Mask given by the model, ``(H, W)`` of the original picture.
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
    first, first_at = _band(prediction, width)
    second, second_at = _band(target, width)
    areas = int(first.sum()), int(second.sum())
    top, left = np.maximum(first_at, second_at)
    bottom, right = np.minimum(
        np.add(first_at, first.shape), np.add(second_at, second.shape)
    )
    intersection = 0
    if bottom > top and right > left:
        a = _window(first, first_at, top, bottom, left, right)
        b = _window(second, second_at, top, bottom, left, right)
        intersection = int(np.count_nonzero(a & b))
    return Overlap(intersection, areas[0] + areas[1] - intersection)


def _band(mask: Mask, width: int) -> tuple[np.ndarray, tuple[int, int]]:
    """Give the band inside the mask's own box, and where that box begins (row, column)."""
    x, y, box_width, box_height = (int(value) for value in mask.box_xywh)
    if box_width == 0:
        return np.zeros((0, 0), bool), (0, 0)
    inside = mask.to_array()[y : y + box_height, x : x + box_width].astype(np.uint8)
    return boundary_band(inside, width), (y, x)


def boundary_band(mask: np.ndarray, width: int) -> np.ndarray:
    """Give what a mask loses when it is eroded ``width`` times by a 3 x 3 square.

    Args:
        mask: ``(h, w)`` uint8 of 0 and 1, a whole mask or as much as holds all its pixels:
            everything outside counts as background, the picture's edge included.
        width: In pixels, at least 1.

    Returns:
        ``(h, w)`` bool.
    """
    import cv2

    # A frame of zeros stands for everything outside; one pass with a square of 2 d + 1 equals d
    # passes with a square of 3.
    framed = cv2.copyMakeBorder(mask, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0)
    square = np.ones((2 * width + 1, 2 * width + 1), np.uint8)
    band: np.ndarray = (mask - cv2.erode(framed, square)[1:-1, 1:-1]).view(bool)
    return band


def _window(
    band: np.ndarray, at: tuple[int, int], top: int, bottom: int, left: int, right: int
) -> np.ndarray:
    return band[top - at[0] : bottom - at[0], left - at[1] : right - at[1]]
