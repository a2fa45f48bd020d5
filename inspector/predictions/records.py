"""What every reader of predictions returns: one record a prediction, its mask not yet checked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

SENTENCE_KEYS = ("ref_id", "ann_id", "sample_id", "image_id")
"""Ids that name an example together with its sentence, most precise first."""


@dataclass(frozen=True, slots=True)
class PredictionRecord:
    """One prediction as a file gives it.

    Attributes:
        where: Line, or file name, for messages.
        ids: Those of ``example_id``, ``sent_id`` and :data:`SENTENCE_KEYS` that the record has,
            as text.
        sentence: The sentence, or empty.
        mask: Run lengths, polygons, a mask picture; None says "no target".
        score: The model's own confidence, if it gave one.
    """

    where: str
    ids: dict[str, str]
    sentence: str
    mask: Any
    score: float | None = None


def id_text(value: Any) -> str:
    """Write an id one way: 718034, 718034.0 and "718034.0" are the same.

    Raises:
        ValueError: If the value is neither text nor a whole number.
    """
    if isinstance(value, bool) or value is None:
        raise ValueError(f"an id must be text or a whole number, but got {value!r}")
    if isinstance(value, float):
        if not value.is_integer():
            raise ValueError(f"an id must be a whole number, but got {value!r}")
        return str(int(value))
    text = str(value).strip() if isinstance(value, (int, str)) else ""
    if not text:
        raise ValueError(f"an id must be text or a whole number, but got {str(value)[:40]!r}")
    head, dot, tail = text.partition(".")
    return head if dot and head.isdigit() and tail.strip("0") == "" and tail else text
