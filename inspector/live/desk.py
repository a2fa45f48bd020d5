"""A model with its line and the pictures that viewers gave: what a server offers."""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict

from inspector.core.errors import UsageError
from inspector.live.line import Line
from inspector.live.model import Model
from inspector.live.pictures import ModelPicture

_MOST_PICTURES = 16
_MOST_BYTES = 200_000_000


class Desk:
    """One model for all viewers; closing it ends the model.

    Args:
        model: What is asked.
        line: Who waits for it.
    """

    def __init__(self, model: Model, *, line: Line | None = None) -> None:
        self.model = model
        self.line = line or Line()
        self.pictures = PictureShelf()

    def describe(self) -> dict[str, str | float]:
        """Give what the page says about it."""
        return {"name": self.model.name, "timeout": self.model.timeout}

    def close(self) -> None:
        """End it at once."""
        self.line.close()
        self.model.close()


class PictureShelf:
    """Keeps the pictures that were given last, in memory only; for several threads."""

    def __init__(self, most: int = _MOST_PICTURES, most_bytes: int = _MOST_BYTES) -> None:
        self._most, self._most_bytes = most, most_bytes
        self._kept: OrderedDict[str, ModelPicture] = OrderedDict()
        self._lock = threading.Lock()

    def put(self, picture: ModelPicture) -> str:
        """Keep a picture, and give a token that nobody can guess; the oldest make room."""
        token = secrets.token_urlsafe(18)
        with self._lock:
            self._kept[token] = picture
            weight = sum(len(kept.content) for kept in self._kept.values())
            while len(self._kept) > self._most or (
                weight > self._most_bytes and len(self._kept) > 1
            ):
                weight -= len(self._kept.popitem(last=False)[1].content)
        return token

    def get(self, token: str) -> ModelPicture:
        """Give a picture back.

        Raises:
            UsageError: If it is not there, or not any more.
        """
        with self._lock:
            picture = self._kept.get(token)
            if picture is None:
                raise UsageError("That picture is not kept any more. Give it again.")
            self._kept.move_to_end(token)
            return picture
