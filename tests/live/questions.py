"""Pictures to ask a model about."""

from __future__ import annotations

import io

import numpy as np
from PIL import Image

from inspector.live.model import Question
from inspector.live.pictures import ModelPicture

SIZE = (2, 3)


def encode(picture: Image.Image, kind: str = "PNG", **options) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, kind, **options)
    return buffer.getvalue()


def question(sentence: str = "the cup", size_hw: tuple[int, int] = SIZE) -> Question:
    """Ask about a picture whose red is the column and whose green is the row."""
    rows, columns = np.indices(size_hw)
    pixels = np.stack([columns, rows, np.zeros(size_hw)], axis=2).astype(np.uint8)
    return Question(ModelPicture(encode(Image.fromarray(pixels)), "image/png", size_hw), sentence)
