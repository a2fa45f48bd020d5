"""Pictures as a model gets them: plain JPEG or PNG, in the frame that its mask must have."""

from __future__ import annotations

import io
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from inspector.core.errors import InspectorError
from inspector.core.grey import eight_bits

if TYPE_CHECKING:
    from PIL import Image

MOST_PIXELS = 50_000_000
"""Of a picture that a model is asked about: 150 MB when it is unpacked."""

_STORED = ("JPEG", "PNG", "GIF", "BMP", "WEBP")
_DROPPED = ("JPEG", "PNG", "WEBP")
_ORIENTATION = 0x0112  # EXIF: how a viewer should turn the picture; 1 is as it is
_unpacking = threading.Lock()  # one at a time, so that the memory for it is taken once


class PictureError(InspectorError):
    """A picture that no model can be asked about; says why."""


@dataclass(frozen=True, slots=True)
class ModelPicture:
    """A whole picture of grey or RGB pixels of 8 bits, which no reader of it turns.

    Attributes:
        content: The bytes of a JPEG or PNG file.
        kind: Their content type.
        size_hw: Height and width in pixels.
    """

    content: bytes
    kind: Literal["image/jpeg", "image/png"]
    size_hw: tuple[int, int]


def stored_picture(content: bytes) -> ModelPicture:
    """Make ready a picture of a data set, in the frame of its stored pixels.

    A photograph that says it is turned is not turned, since the masks of data sets are not; the
    wish is taken out, for some readers would follow it.

    Raises:
        PictureError: If it cannot be read, or has more than :data:`MOST_PIXELS` pixels.
    """
    return _make(content, _STORED, turn=False)


def dropped_picture(content: bytes) -> ModelPicture:
    """Make ready a photograph that a viewer gave; turned as it asks for, since it has no masks.

    Raises:
        PictureError: If it is no whole JPEG, PNG or WebP, or has more than :data:`MOST_PIXELS`
            pixels.
    """
    return _make(content, _DROPPED, turn=True)


def to_pixels(content: bytes) -> Image.Image:
    """Unpack the bytes of a :class:`ModelPicture` to a PIL picture of mode RGB that says no more.

    Raises:
        OSError: If they are none.
    """
    from PIL import Image

    with Image.open(io.BytesIO(content), formats=("JPEG", "PNG")) as opened:
        plain = opened.convert("RGB")
    return Image.frombytes("RGB", plain.size, plain.tobytes())


def _make(content: bytes, formats: tuple[str, ...], *, turn: bool) -> ModelPicture:
    from PIL import Image

    try:
        with _unpacking, Image.open(io.BytesIO(content), formats=formats) as opened:
            width, height = opened.size
            if width * height > MOST_PIXELS:
                raise PictureError(
                    f"The picture has {width:,} x {height:,} pixels. A model is asked about "
                    f"pictures of at most {MOST_PIXELS:,} pixels."
                )
            opened.load()
            return _plain(opened, content, turn=turn)
    except Image.DecompressionBombError as error:
        raise PictureError(
            f"The picture has too many pixels. A model is asked about at most {MOST_PIXELS:,}."
        ) from error
    except PictureError:
        raise
    except Exception as error:  # Pillow raises many kinds on broken files
        said = " ".join(str(error).split())[:100]
        unknown = isinstance(error, Image.UnidentifiedImageError)
        raise PictureError(
            f"This is no picture of a known kind. Choose one of: {', '.join(formats)}." if unknown
            else f"The picture cannot be read ({said}). Give another one."
        ) from error


def _plain(opened: Image.Image, content: bytes, *, turn: bool) -> ModelPicture:
    """Keep the bytes where every reader sees the same pixels in them, else write them anew."""
    from PIL import Image, ImageOps

    turned = opened.getexif().get(_ORIENTATION, 1) not in (0, 1)
    is_plain = (
        opened.mode in ("RGB", "L") and "transparency" not in opened.info and not turned
        and not getattr(opened, "is_animated", False)
    )
    kinds: dict[str, Literal["image/jpeg", "image/png"]] = {
        "JPEG": "image/jpeg", "PNG": "image/png",
    }
    if is_plain and opened.format in kinds:
        return ModelPicture(content, kinds[opened.format], (opened.height, opened.width))
    picture = eight_bits(opened).convert("RGB")
    if turn and turned:
        picture = ImageOps.exif_transpose(picture)
    out = io.BytesIO()
    clean = Image.frombytes("RGB", picture.size, picture.tobytes())
    clean.save(out, "PNG", compress_level=1)
    return ModelPicture(out.getvalue(), "image/png", (clean.height, clean.width))
