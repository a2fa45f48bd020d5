"""Ground truth kept as pictures: CRIS's intermediate files, RefCOCOm, FiftyOne."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from inspector.core.errors import MaskError
from inspector.core.mask import check_size
from inspector.formats.reading import note_read

_TWO_OVERLAPPING = 254  # 255 + 255 in eight bits


def read_mask_picture(path: Path) -> tuple[np.ndarray, int]:
    """Read a mask picture in which any value but 0 is foreground.

    CRIS adds the polygons of an object up as 255 each, so that two that overlap give 254: that
    is foreground as well. In a palette the index counts, in a colour picture any channel.

    Returns:
        ``(H, W)`` bool, and how many pixels have the value 254.

    Raises:
        MaskError: If the file is missing, no picture, or too big.
    """
    from PIL import Image

    try:
        with Image.open(path) as picture:
            note_read(path)
            check_size((picture.height, picture.width))
            if picture.mode in ("RGBA", "LA", "PA", "CMYK", "YCbCr", "LAB", "HSV"):
                picture = picture.convert("RGB")
            array = np.asarray(picture)
    except FileNotFoundError:
        raise MaskError(f"the mask picture {path.name} was not found") from None
    except MaskError:
        raise
    except Exception as error:  # Pillow raises many kinds on broken files
        raise MaskError(
            f"the mask picture {path.name} cannot be read ({str(error)[:100]})"
        ) from error
    foreground = array > 0 if array.ndim == 2 else (array > 0).any(axis=2)
    overlapping = (array == _TWO_OVERLAPPING) if array.ndim == 2 else np.zeros(0)
    return foreground, int(np.count_nonzero(overlapping))
