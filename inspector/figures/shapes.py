"""What a figure is drawn of, whoever draws it: areas, cased lines and small tags."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from inspector.figures.trace import Area, Loops

CASING, CASING_ALPHA = "#000000", 0.7  # a line must show on any photograph
OTHER = "#bbbbbb"


@dataclass(frozen=True, slots=True, eq=False)
class Fill:
    """An area in one colour; ``alpha`` in [0, 1]."""

    area: Area
    colour: str
    alpha: float


@dataclass(frozen=True, slots=True)
class Pass:
    """One way of a pen along a line; widths and dashes in units of the figure.

    Attributes:
        colour: As ``#rrggbb``.
        alpha: In [0, 1].
        width: Of the line.
        dashes: Length of a dash and of the gap after it; None for a whole line.
        is_round: Whether lines and dashes end in half circles.
    """

    colour: str
    alpha: float
    width: float
    dashes: tuple[float, float] | None = None
    is_round: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class Stroke:
    """A line along the outline of an area, or of a box, drawn by one pen after the other."""

    outline: Area | tuple[float, float, float, float]
    passes: tuple[Pass, ...]

    @property
    def loops(self) -> Loops:
        """Where the line goes: ``(k, 2)`` corners as x, y in pixels of the picture."""
        if isinstance(self.outline, Area):
            return self.outline.loops
        x, y, width, height = self.outline
        corners = [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]
        return (np.array(corners, np.float64),)


@dataclass(frozen=True, slots=True)
class Tag:
    """Words on a dark field whose lower left corner is at x, y in pixels of the picture."""

    words: str
    x: float
    y: float


Shape = Fill | Stroke | Tag


def cased(colour: str, width: float, *, dashes: tuple[float, float] | None = None) -> tuple[
    Pass, ...
]:
    """Give the pens of a line in a colour on a dark casing."""
    return (
        Pass(CASING, CASING_ALPHA, width + 2, dashes), Pass(colour, 1.0, width, dashes),
    )


OVER = (
    Pass(CASING, CASING_ALPHA, 4, is_round=False),
    Pass("#ffffff", 1.0, 2.5, (7, 5), is_round=False),
)
"""The prediction of another run: white and dashed, on dark."""

DOTTED = (Pass("#ffffff", 0.9, 4), Pass("#000000", 1.0, 3, (0.1, 5)))
"""The second ground truth: black and dotted, on light."""


def hatched(area: Area, step: int) -> Fill:
    """Fill a region that counts neither for nor against a prediction with grey stripes.

    Args:
        area: The region.
        step: Size in pixels of the blocks that the stripes are made of; four of eight are drawn.
    """
    rows, columns = (np.arange(length) // step for length in area.pixels.shape)
    stripes = (rows[:, None] + columns[None, :]) % 8 < 4
    return Fill(Area(area.pixels & stripes), OTHER, 0.8)
