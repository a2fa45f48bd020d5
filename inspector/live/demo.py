"""The demo's classical method as a live model: ``--model demo``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from inspector.live import classical

if TYPE_CHECKING:
    from PIL import Image


def segment(picture: Image.Image, sentence: str) -> np.ndarray | None:
    """Mask bool (H, W) of what a sentence seems to mean in an RGB picture, None for nothing.

    The demo's run ``words`` was made in the same way, so that asking with a stored sentence gives
    the stored mask.
    """
    mask = classical.segment(np.asarray(picture), sentence)
    return mask if mask.any() else None
