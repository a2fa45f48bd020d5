"""Pictures made on the server: thumbnails. Masks are drawn by the browser."""

from __future__ import annotations

import io

from inspector.core.grey import eight_bits
from inspector.core.rle import MAX_PIXELS

THUMBNAIL_SIDE = 256
_RECIPE = 1  # changes with what make_thumbnail makes of a picture
_MOST_PIXELS = 40_000_000  # after what a JPEG can leave out: 160 MB while it is made smaller


def thumbnail_recipe() -> str:
    """Name how thumbnails are made: one made in another way is not taken for one of these."""
    import PIL

    return f"{_RECIPE} {THUMBNAIL_SIDE} {PIL.__version__}"


def make_thumbnail(content: bytes) -> bytes | None:
    """Shrink a picture to at most 256 pixels a side, as JPEG; None if it cannot be read.

    The frame stays that of the stored pixels, as masks have it: a photograph that says it is
    turned is not turned.
    """
    from PIL import Image

    try:
        with Image.open(io.BytesIO(content)) as picture:
            picture.draft("RGB", (THUMBNAIL_SIDE, THUMBNAIL_SIDE))  # JPEG: decodes fewer pixels
            if picture.width * picture.height > _MOST_PIXELS:
                return None
            small = eight_bits(picture).convert("RGB")
        small.thumbnail((THUMBNAIL_SIDE, THUMBNAIL_SIDE), reducing_gap=2.0)
        out = io.BytesIO()
        small.save(out, "JPEG", quality=82)
    except Exception:  # Pillow raises many kinds on broken files; the page shows a grey tile
        return None
    return out.getvalue()


def is_too_large(content: bytes) -> bool:
    """Say whether a picture would unpack to more pixels than a mask may have."""
    from PIL import Image

    try:
        with Image.open(io.BytesIO(content)) as picture:
            return picture.width * picture.height > MAX_PIXELS
    except Image.DecompressionBombError:
        return True
    except Exception:  # what cannot be read at all, the browser says better
        return False
