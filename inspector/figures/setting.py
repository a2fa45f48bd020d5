"""Where the words below a figure stand; one setting for SVG and PNG."""

from __future__ import annotations

from dataclasses import dataclass, replace

from inspector.figures.captions import Caption, Mark
from inspector.figures.figure import Figure
from inspector.figures.lettering import Line, break_lines, clean, width_of
from inspector.figures.shapes import DOTTED, OVER, Pass, Tag, cased

SENTENCE, FACTS = 15.0, 12.5  # sizes of letters in units of a figure
_LEAST_WIDTH = 160.0  # units: a caption needs room also below a narrow picture
_GAP, _INSET = 8.0, 4.0
_MARKS = {"area": 12.0}  # lengths of the legend's marks: lines need room for their dashes
_LINE_MARK = 22.0
_GREY = "#555555"


@dataclass(frozen=True, slots=True)
class Key:
    """A mark of the legend at its place; ``x`` and ``y`` of the upper left corner.

    ``unit`` is the length of a pixel of the page, ``width`` and ``height`` follow from it.
    """

    mark: Mark
    x: float
    y: float
    unit: float

    @property
    def width(self) -> float:
        """Length of the mark."""
        return _MARKS.get(self.mark.kind, _LINE_MARK) * self.unit

    @property
    def height(self) -> float:
        """Height of the mark."""
        return _MARKS["area"] * self.unit


def pens_of(mark: Mark) -> tuple[Pass, ...]:
    """Give the pens of a mark that is a line: those of the line that it stands for."""
    if mark.kind == "dashed":
        return OVER
    if mark.kind == "dotted":
        return Pass("#cccccc", 1.0, 5, is_round=False), DOTTED[1]
    casing, line = cased(mark.colour, 2.5)
    return replace(casing, is_round=False), replace(line, is_round=False)


@dataclass(frozen=True, slots=True)
class Setting:
    """A caption set in a width; all lengths in one unit, from the caption's upper left corner."""

    height: float
    lines: tuple[Line, ...]
    keys: tuple[Key, ...]


def set_caption(
    caption: Caption, *, width: float, unit: float, most: int = 8, legend: bool = True
) -> Setting:
    """Set a caption below a picture.

    Args:
        caption: The words.
        width: Room, in any unit of length.
        unit: One pixel of the page in that unit.
        most: Lines of the sentence; more are cut.
        legend: Whether the colours are named.
    """
    lines: list[Line] = []
    inset, y = _INSET * unit, _GAP * unit
    room = max(width - 2 * inset, inset)
    sentence = clean(caption.sentence)
    for words in break_lines(f"“{sentence}”" if sentence else "", size=SENTENCE * unit,
                             width=room, most=most):
        y += SENTENCE * unit * 1.3
        lines.append(Line(words, inset, y - SENTENCE * unit * 0.3, SENTENCE * unit))
    for fact in caption.facts:
        for words in break_lines(fact, size=FACTS * unit, width=room, most=3, between=" · "):
            y += FACTS * unit * 1.45
            lines.append(Line(words, inset, y - FACTS * unit * 0.4, FACTS * unit, _GREY))
    keys: list[Key] = []
    if legend and caption.legend:
        y += 4 * unit
        y = _set_legend(caption.legend, room, unit, y, lines, keys)
    return Setting(y + 6 * unit, tuple(lines), tuple(keys))


def _set_legend(
    marks: tuple[Mark, ...], room: float, unit: float, y: float, lines: list[Line],
    keys: list[Key],
) -> float:
    """Put the marks into rows; give where the last one ends."""
    size, step, inset = FACTS * unit, FACTS * unit * 1.6, _INSET * unit
    x, y = inset, y + step
    for mark in marks:
        before = Key(mark, 0, 0, unit).width + 6 * unit
        words = next(iter(break_lines(mark.words, size=size, width=room - before, most=1)), "")
        length = before + width_of(words, size)
        if x > inset and x + length > inset + room:
            x, y = inset, y + step
        keys.append(Key(mark, x, y - step + 4 * unit, unit))
        lines.append(Line(words, x + before, y - 5.5 * unit, size, _GREY))
        x += length + 14 * unit
    return y


def set_tag(tag: Tag, *, unit: float, width: float) -> tuple[Line, tuple[float, float, float]]:
    """Place a tag inside the picture.

    Args:
        tag: Its place is in pixels of the picture.
        unit: One pixel of the page in pixels of the picture.
        width: Of the picture.

    Returns:
        The words, and left, top and width of the field behind them, 20 units high.
    """
    size, edge = 12 * unit, 6 * unit
    words = next(iter(break_lines(tag.words, size=size, width=width - 2 * edge, most=1)), "")
    whole = width_of(words, size) + 2 * edge
    left, top = max(min(tag.x, width - whole), 0), max(tag.y - 20 * unit, 0)
    return Line(words, left + edge, top + 14 * unit, size, "#ffffff"), (left, top, whole)


def set_reason(reason: str, *, unit: float, size_hw: tuple[int, int]) -> Line:
    """Place the words that stand where there is no photograph."""
    height, width = size_hw
    size = FACTS * unit
    size *= min(1.0, 0.9 * width / width_of(reason, size))
    return Line(reason, (width - width_of(reason, size)) / 2, height / 2, size, "#ffffff")


@dataclass(frozen=True, slots=True)
class SetFigure:
    """The whole of a figure in pixels of its picture: the picture's frame and the words below."""

    width: float
    height: float
    setting: Setting


def set_figure(figure: Figure, *, caption: bool) -> SetFigure:
    """Say how large a figure is with its caption, and where that stands."""
    height, width = figure.size_hw
    if not caption:
        return SetFigure(width, height, Setting(0, (), ()))
    whole = max(width, _LEAST_WIDTH * figure.unit)
    setting = set_caption(figure.caption, width=whole, unit=figure.unit)
    return SetFigure(whole, height + setting.height, setting)
