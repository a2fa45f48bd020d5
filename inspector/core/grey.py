"""Grey pictures of 16 bits."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL import Image


def eight_bits(picture: Image.Image) -> Image.Image:
    """Give a picture of 16 bits as one of the upper 8, of which Pillow would keep the lower.

    Any other picture is given back as it is.
    """
    if not picture.mode.startswith("I"):
        return picture
    return picture.convert("I").point(lambda value: value / 256).convert("L")
