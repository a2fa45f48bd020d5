"""The photograph of a figure: its bytes as stored, or in words why there is none."""

from __future__ import annotations

import io
from dataclasses import dataclass

import numpy as np

from inspector.core.grey import eight_bits
from inspector.core.records import PictureLocation
from inspector.core.rle import MAX_PIXELS
from inspector.formats.pictures import PictureStore

_EMBEDDED = {"JPEG": "image/jpeg", "PNG": "image/png"}
"""Kinds that every program which opens SVG can draw; any other is written anew as PNG."""

_ORIENTATION = 0x0112  # EXIF: how a camera was held; masks are in the frame of the stored pixels


@dataclass(frozen=True, slots=True)
class Photograph:
    """A picture that was looked into as far as its head.

    Attributes:
        content: The bytes; None where there is nothing to draw.
        kind: Their content type.
        reason: Why there is nothing to draw.
    """

    content: bytes | None
    kind: str = ""
    reason: str = ""

    def pixels(self, size_hw: tuple[int, int]) -> np.ndarray | None:
        """Give the photograph as ``(H, W, 3)`` uint8 RGB of a size; None if it cannot be read.

        Args:
            size_hw: Height and width that are wanted, in pixels.
        """
        from PIL import Image

        if self.content is None:
            return None
        height, width = size_hw
        try:
            with Image.open(io.BytesIO(self.content)) as picture:
                picture.draft("RGB", (width, height))  # JPEG: decodes fewer pixels for a tile
                whole = _as_rgb(picture)
        except Exception:  # Pillow raises many kinds on broken files
            return None
        if whole.size != (width, height):
            whole = whole.resize((width, height), Image.Resampling.LANCZOS, reducing_gap=3.0)
        return np.array(whole)


def read_photograph(store: PictureStore, location: PictureLocation) -> Photograph:
    """Read a picture; one of a kind that SVG does not know, or that EXIF turns, is written anew.

    Pixels are never changed: what is written anew is PNG.
    """
    try:
        content = store.read(location)
    except FileNotFoundError:
        return Photograph(None, reason="The picture file is gone.")
    except OSError as error:
        return Photograph(None, reason=(
            f"The picture file cannot be read ({error.strerror})." if error.strerror
            else "The picture file cannot be read."  # our own words name the folder
        ))
    if not content:
        return Photograph(None, reason="The picture was not found.")
    return _check(content)


def _check(content: bytes) -> Photograph:
    from PIL import Image

    try:
        with Image.open(io.BytesIO(content)) as picture:
            if picture.width * picture.height > MAX_PIXELS:
                return Photograph(None, reason="The picture has too many pixels to be drawn.")
            kind = _EMBEDDED.get(picture.format or "", "")
            if kind and picture.getexif().get(_ORIENTATION, 1) == 1:
                return Photograph(content, kind)
            out = io.BytesIO()
            _as_rgb(picture).save(out, "PNG", compress_level=3)
            return Photograph(out.getvalue(), "image/png")
    except Image.DecompressionBombError:
        return Photograph(None, reason="The picture has too many pixels to be drawn.")
    except Exception:  # Pillow raises many kinds on broken files
        return Photograph(None, reason="The picture cannot be read.")


def shrunken(photograph: Photograph, size_hw: tuple[int, int]) -> Photograph:
    """Give a photograph as a JPEG of a smaller size, for a tile; itself if it cannot be read."""
    from PIL import Image

    pixels = photograph.pixels(size_hw)
    if pixels is None:
        return photograph
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, "JPEG", quality=88)
    return Photograph(out.getvalue(), "image/jpeg")


def _as_rgb(picture):  # type: ignore[no-untyped-def]  # Pillow is loaded when it is needed
    picture = eight_bits(picture)
    if "A" in picture.getbands() or "transparency" in picture.info:
        from PIL import Image

        over = picture.convert("RGBA")
        picture = Image.alpha_composite(Image.new("RGBA", over.size, "white"), over)
    return picture.convert("RGB")
