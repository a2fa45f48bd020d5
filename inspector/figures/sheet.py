"""Many figures on one sheet, each small with its words below; as SVG and as PNG."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np

from inspector import __version__
from inspector.core.errors import UsageError
from inspector.figures import png, svg
from inspector.figures.captions import Caption, Mark
from inspector.figures.figure import Figure
from inspector.figures.lettering import Line, break_lines
from inspector.figures.photograph import shrunken
from inspector.figures.setting import Setting, set_caption

MOST_FIGURES = 60
MOST_COLUMNS = 10
_TILE_W, _TILE_H = 320.0, 240.0
_GAP, _MARGIN = 16.0, 20.0
_LINES = 0.8  # of the page's width: thinner, as the pictures are small
_FIELD = "#f1f1f1"
_SHARP = 2  # pixels of an embedded photograph for one of the sheet

_ORDER = ("area", "line", "dashed", "dotted")  # of the legend

Drawn = TypeVar("Drawn")


@dataclass(frozen=True, slots=True)
class _Tile(Generic[Drawn]):
    """One figure made small: what was drawn, and its place inside the tile in pixels."""

    drawn: Drawn
    width: float
    height: float
    setting: Setting


@dataclass(frozen=True, slots=True)
class _Placed(Generic[Drawn]):
    tile: _Tile[Drawn]
    x: float
    y: float
    field_height: float


@dataclass(frozen=True, slots=True)
class _Plan(Generic[Drawn]):
    """The whole sheet in pixels at scale 1."""

    width: float
    height: float
    title: tuple[Line, ...]
    placed: tuple[_Placed[Drawn], ...]
    legend: Setting
    legend_y: float


def sheet_svg(figures: Iterable[Figure], *, columns: int = 4, title: str = "") -> str:
    """Draw up to 60 figures on one sheet as SVG; photographs are made small, masks stay exact.

    Args:
        figures: Taken one after the other, so that only one is held at a time.
        columns: Figures side by side, 1 to 10.
        title: A heading, such as what was selected.

    Raises:
        UsageError: If there are too many figures or columns, or no figure.
    """
    def draw(figure: Figure, scale: float) -> str:
        size_hw = tuple(max(1, round(side * scale * _SHARP)) for side in figure.size_hw)
        small = figure.photograph
        if scale * _SHARP < 1:
            small = shrunken(small, size_hw)  # type: ignore[arg-type]
        return "\n".join([
            *svg.describe(figure),
            *svg.draw_picture(figure, unit=_LINES / scale, photograph=small),
        ])

    plan = _plan(figures, columns, title, draw)
    width, height = svg.number(plan.width), svg.number(plan.height)
    parts = [
        f'<svg xmlns="{svg.NAMESPACE}" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}">',
        f"<title>{svg.text(title or 'Contact sheet')}</title>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        *svg.draw_lines(plan.title),
    ]
    for placed in plan.placed:
        parts += _svg_tile(placed)
    parts += [
        f'<g transform="translate({svg.number(_MARGIN)} {svg.number(plan.legend_y)})">',
        *svg.draw_lines(plan.legend.lines), *svg.draw_keys(plan.legend.keys), "</g>", "</svg>", "",
    ]
    return "\n".join(parts)


def _svg_tile(placed: _Placed[tuple[str, tuple[int, int]]]) -> Iterable[str]:
    tile = placed.tile
    content, (rows, columns) = tile.drawn
    left, top = _picture_at(placed)
    yield (
        f'<rect x="{svg.number(placed.x)}" y="{svg.number(placed.y)}" '
        f'width="{svg.number(_TILE_W)}" height="{svg.number(placed.field_height)}" '
        f'fill="{_FIELD}"/>'
    )
    yield (
        f'<svg x="{svg.number(left)}" y="{svg.number(top)}" width="{svg.number(tile.width)}" '
        f'height="{svg.number(tile.height)}" viewBox="0 0 {columns} {rows}">'
    )
    yield content
    yield "</svg>"
    below = svg.number(placed.y + placed.field_height)
    yield f'<g transform="translate({svg.number(placed.x)} {below})">'
    yield from svg.draw_lines(tile.setting.lines)
    yield "</g>"


def sheet_png(figures: Iterable[Figure], *, columns: int = 4, title: str = "") -> bytes:
    """Draw up to 60 figures on one sheet as PNG, each 320 pixels wide.

    Args:
        figures: Taken one after the other.
        columns: Figures side by side, 1 to 10.
        title: A heading, such as what was selected.

    Raises:
        UsageError: If there are too many figures or columns, or no figure.
    """
    def draw(figure: Figure, small: float) -> np.ndarray:
        return png.draw_picture(figure, scale=small, unit=_LINES / small)

    plan = _plan(figures, columns, title, draw)
    width, height = round(plan.width), round(plan.height)
    if width * height > png.MOST_PIXELS:
        raise UsageError(
            f"The sheet would have {width:,} x {height:,} pixels; a PNG may have "
            f"{png.MOST_PIXELS:,}. Choose fewer examples, or SVG."
        )
    canvas = np.full((height, width, 3), 255, np.uint8)
    png.draw_setting(canvas, Setting(0, plan.title, ()), x=0, y=0, scale=1)
    for placed in plan.placed:
        _png_tile(canvas, placed)
    png.draw_setting(canvas, plan.legend, x=_MARGIN, y=plan.legend_y, scale=1)
    facts = [("Title", title), ("Software", f"inspector {__version__}")]
    return png.encode(canvas, facts=facts, dpi=96)


def _png_tile(canvas: np.ndarray, placed: _Placed[tuple[np.ndarray, tuple[int, int]]]) -> None:
    x, y = round(placed.x), round(placed.y)
    bottom = round(placed.y + placed.field_height)
    canvas[y:bottom, x : x + round(_TILE_W)] = 0xF1
    picture = placed.tile.drawn[0]
    left, top = (round(place) for place in _picture_at(placed))
    room = canvas[top : top + picture.shape[0], left : left + picture.shape[1]]
    room[:] = picture[: room.shape[0], : room.shape[1]]
    png.draw_setting(canvas, placed.tile.setting, x=placed.x, y=bottom, scale=1)


def _picture_at(placed: _Placed[Drawn]) -> tuple[float, float]:
    """Give the upper left corner of a picture in the middle of its field."""
    tile = placed.tile
    return (
        placed.x + (_TILE_W - tile.width) / 2, placed.y + (placed.field_height - tile.height) / 2
    )


def _plan(
    figures: Iterable[Figure], columns: int, title: str, draw: Callable[[Figure, float], Drawn]
) -> _Plan[tuple[Drawn, tuple[int, int]]]:
    """Draw all figures and place them in rows that are as high as their highest."""
    if not 1 <= columns <= MOST_COLUMNS:
        raise UsageError(f"{columns} columns do not fit. Write a number from 1 to {MOST_COLUMNS}.")
    tiles, marks = _tiles(figures, draw)
    columns = min(columns, len(tiles))
    width = 2 * _MARGIN + columns * _TILE_W + (columns - 1) * _GAP
    lines, y = [], _MARGIN
    for words in break_lines(title, size=18, width=width - 2 * _MARGIN, most=3):
        y += 24
        lines.append(Line(words, _MARGIN, y - 6, 18))
    y += _GAP if lines else 0
    placed: list[_Placed[tuple[Drawn, tuple[int, int]]]] = []
    for first in range(0, len(tiles), columns):
        row = tiles[first : first + columns]
        field = max(tile.height for tile in row)
        placed += [
            _Placed(tile, _MARGIN + at * (_TILE_W + _GAP), y, field) for at, tile in enumerate(row)
        ]
        y += field + max(tile.setting.height for tile in row) + _GAP
    legend = set_caption(
        Caption("", (), tuple(marks)), width=width - 2 * _MARGIN, unit=1
    )
    return _Plan(width, y + legend.height + _MARGIN / 2, tuple(lines), tuple(placed), legend, y)


def _tiles(
    figures: Iterable[Figure], draw: Callable[[Figure, float], Drawn]
) -> tuple[list[_Tile[tuple[Drawn, tuple[int, int]]]], list[Mark]]:
    tiles: list[_Tile[tuple[Drawn, tuple[int, int]]]] = []
    marks: dict[Mark, None] = {}
    for figure in figures:
        if len(tiles) == MOST_FIGURES:
            raise UsageError(f"A contact sheet holds up to {MOST_FIGURES} examples. Choose fewer.")
        height, width = figure.size_hw
        scale = min(_TILE_W / width, _TILE_H / height, 4.0)
        setting = set_caption(figure.caption, width=_TILE_W, unit=1, most=2, legend=False)
        tiles.append(_Tile(
            (draw(figure, scale), figure.size_hw), width * scale, height * scale, setting
        ))
        marks |= dict.fromkeys(figure.caption.legend)
    if not tiles:
        raise UsageError("No example is selected. A contact sheet needs at least one.")
    return tiles, sorted(marks, key=lambda mark: _ORDER.index(mark.kind))
