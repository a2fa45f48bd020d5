"""How predictions are read where a person may decide: nothing here changes a number unasked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class RunOptions:
    """What the user asked for.

    Attributes:
        resize: ``nearest`` brings masks of the same proportions, or of a square frame of the
            model, to their picture's size; ``never`` makes them invalid.
        box_scale: Key of :data:`~inspector.predictions.box_scale.BOX_SCALES` for boxes whose file
            does not say its scale, or None to infer it.
        is_growing: The file may still be written: a last line that is not complete is left out.
    """

    resize: Literal["never", "nearest"] = "never"
    box_scale: str | None = None
    is_growing: bool = False
