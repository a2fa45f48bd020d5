"""Masks of another size than their picture: refused, or resized if a person asked for it."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import numpy as np

from inspector.core.errors import SizeMismatchError
from inspector.core.mask import Mask, describe_mismatch
from inspector.core.records import ImageRef

_SAME_PROPORTIONS = 0.01  # relative difference of width / height
_TURNED = (5, 6, 7, 8)
_EXIF_ORIENTATION = 0x0112


def fit(mask: Mask, image: ImageRef, *, resize: Literal["never", "nearest"]) -> Mask:
    """Bring a mask to its picture's size, if that is asked for and can be right.

    Masks of the picture's proportions are scaled; a square one is taken for the picture squashed
    into a model's frame. Padding around a picture leaves no trace in the mask's size: who padded
    must crop before writing. Sides are never swapped.

    Raises:
        SizeMismatchError: If the sizes differ and it was not asked for, or cannot be right.
    """
    found, wanted = mask.size_hw, image.size_hw
    if found == wanted:
        return mask
    said = describe_mismatch(found, wanted)
    if found == (wanted[1], wanted[0]) or _is_turned(found, wanted):
        raise SizeMismatchError(said + _describe_turn(image))
    if not can_be_resized(found, wanted):
        raise SizeMismatchError(said)
    if resize == "never":
        kind = "is a square frame" if found[0] == found[1] else "has the same proportions"
        raise SizeMismatchError(f"{said}; it {kind}: '--resize nearest' would bring it to size")
    return resize_nearest(mask, wanted)


def can_be_resized(found_hw: tuple[int, int], wanted_hw: tuple[int, int]) -> bool:
    """Say whether a mask has its picture's proportions, or is square as a model's frame."""
    return found_hw[0] == found_hw[1] or _same_proportions(found_hw, wanted_hw)


def resize_nearest(mask: Mask, size_hw: tuple[int, int]) -> Mask:
    """Resize a mask: each pixel takes the value of the old pixel under its centre.

    Example:
        >>> mask = Mask.from_array(np.array([[True, False]]))
        >>> resize_nearest(mask, (2, 4)).to_array().astype(int)
        array([[1, 1, 0, 0],
               [1, 1, 0, 0]])
    """
    array = mask.to_array()
    rows, columns = (
        ((2 * np.arange(new) + 1) * old) // (2 * new)
        for new, old in zip(size_hw, mask.size_hw, strict=True)
    )
    return Mask.from_array(array[rows[:, None], columns[None, :]])


def _same_proportions(found_hw: tuple[int, int], wanted_hw: tuple[int, int]) -> bool:
    found, wanted = found_hw[1] / found_hw[0], wanted_hw[1] / wanted_hw[0]
    return abs(found / wanted - 1) <= _SAME_PROPORTIONS


def _is_turned(found_hw: tuple[int, int], wanted_hw: tuple[int, int]) -> bool:
    return _same_proportions((found_hw[1], found_hw[0]), wanted_hw) and not _same_proportions(
        found_hw, wanted_hw
    ) and found_hw[0] != found_hw[1]


def _describe_turn(image: ImageRef) -> str:
    """Say whether the photograph's own data asks for a turn, which explains swapped sides."""
    orientation = _orientation(image.location) if isinstance(image.location, Path) else 0
    if orientation not in _TURNED:
        return ""
    return (
        f"; the photograph is to be turned by its EXIF data (orientation {orientation}): the "
        "model saw it turned, its annotations did not"
    )


def _orientation(path: Path) -> int:
    from PIL import Image

    try:
        with Image.open(path) as picture:
            return int(picture.getexif().get(_EXIF_ORIENTATION, 0))
    except Exception:  # Pillow raises many kinds on broken files; the picture is checked elsewhere
        return 0
