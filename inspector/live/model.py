"""What a live model is: something that answers a sentence about a picture with a mask."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from inspector.core.errors import InspectorError
from inspector.core.mask import Mask
from inspector.live.pictures import ModelPicture


class ModelError(InspectorError):
    """A model gave nothing that can be used; the text says why and is shown to who asked."""


@dataclass(frozen=True, slots=True)
class Question:
    """A sentence about a picture."""

    picture: ModelPicture
    sentence: str


class Model(Protocol):
    """Something that can be asked; for several threads, which it answers one after the other.

    Attributes:
        name: For people; holds no path and nothing secret.
        timeout: Seconds that one answer may take.
    """

    name: str
    timeout: float

    def launch(self) -> None:
        """Begin to get ready, without waiting for it."""

    def start(self) -> None:
        """Wait until it is ready.

        Raises:
            ModelError: If it cannot be.
        """

    def answer(self, question: Question) -> Mask | None:
        """Give the mask of the size of the picture, or None where the model says "no target".

        Raises:
            ModelError: If there is no usable answer in time.
        """

    def close(self) -> None:
        """End it at once, in the middle of an answer too; nothing may be asked afterwards."""
