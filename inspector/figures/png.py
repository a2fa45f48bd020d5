"""Figures as PNG, with the same look as the SVG: exact areas, smooth lines, words below."""

from __future__ import annotations

import io
import math
from collections.abc import Iterable

import numpy as np

from inspector.core.errors import UsageError
from inspector.figures.figure import Figure
from inspector.figures.lettering import Line, clean, letter
from inspector.figures.setting import Key, Setting, pens_of, set_figure, set_reason, set_tag
from inspector.figures.shapes import Fill, Pass, Stroke, Tag
from inspector.figures.svg import MISSING

MOST_PIXELS = 64_000_000  # of a figure: 200 MB while it is drawn
_BITS = 4  # of a pixel's fraction that OpenCV is told: places are exact to 1/16
_MM = 25.4


def to_png(
    figure: Figure, *, scale: float = 1, caption: bool = True, width_mm: float | None = None
) -> bytes:
    """Draw a figure as PNG.

    Args:
        figure: What to draw.
        scale: Pixels of the file for a pixel of the picture, in (0, 4]. Masks keep their pixel
            edges; the photograph is enlarged smoothly.
        caption: Whether sentence, numbers and legend are set below.
        width_mm: Width in print, which the file then states as its resolution.

    Raises:
        UsageError: If the scale is none of these, or the figure would have too many pixels.
    """
    if not 0 < scale <= 4:
        raise UsageError(f"{scale} is no scale of a PNG. Write a number above 0, up to 4.")
    sheet = set_figure(figure, caption=caption)
    width, height = math.ceil(sheet.width * scale), math.ceil(sheet.height * scale)
    if width * height > MOST_PIXELS:
        raise UsageError(
            f"The figure would have {width:,} x {height:,} pixels; a PNG may have "
            f"{MOST_PIXELS:,}. Choose a smaller scale, or SVG."
        )
    canvas = np.full((height, width, 3), 255, np.uint8)
    below = round(figure.size_hw[0] * scale)
    picture = draw_picture(figure, scale=scale, unit=figure.unit)
    canvas[: picture.shape[0], : picture.shape[1]] = picture[:height, :width]
    draw_setting(canvas, sheet.setting, x=0, y=below, scale=scale)
    dpi = width / width_mm * _MM if width_mm else 96 * scale
    return encode(canvas, facts=figure.facts, dpi=dpi)


def encode(canvas: np.ndarray, *, facts: Iterable[tuple[str, str]], dpi: float) -> bytes:
    """Write a picture as PNG that says what it shows and how large it is in print.

    Args:
        canvas: ``(H, W, 3)`` uint8 RGB.
        facts: Names and values for the file's text chunks.
        dpi: Pixels an inch.
    """
    from PIL import Image
    from PIL.PngImagePlugin import PngInfo

    info = PngInfo()
    for name, value in facts:
        lines = [clean(line) for line in value.split("\n")]
        if any(lines):
            info.add_itxt(name, "\n".join(lines))
    out = io.BytesIO()
    Image.fromarray(canvas).save(out, "PNG", pnginfo=info, dpi=(dpi, dpi), compress_level=4)
    return out.getvalue()


def draw_picture(figure: Figure, *, scale: float, unit: float) -> np.ndarray:
    """Draw photograph and shapes as ``(H, W, 3)`` uint8 RGB.

    Args:
        figure: What to draw.
        scale: Pixels drawn for a pixel of the picture.
        unit: Width of a line of one pixel of the page, in pixels of the picture.
    """
    height, width = (max(1, round(side * scale)) for side in figure.size_hw)
    photograph = figure.photograph.pixels((height, width))
    canvas = np.empty((height, width, 3), np.uint8)
    canvas[:] = _rgb(MISSING) if photograph is None else photograph
    for shape in figure.shapes:
        if isinstance(shape, Fill):
            _fill(canvas, shape, scale)
        elif isinstance(shape, Stroke):
            lines = [(loop * scale, True) for loop in shape.loops]
            for each in shape.passes:
                _draw(canvas, lines, each, unit * scale)
        else:
            _tag(canvas, shape, scale=scale, unit=unit * scale)
    if photograph is None:
        reason = figure.photograph.reason or "The picture cannot be read."
        letter(canvas, [set_reason(reason, unit=unit * scale, size_hw=(height, width))])
    return canvas


def draw_setting(
    canvas: np.ndarray, setting: Setting, *, x: float, y: float, scale: float
) -> None:
    """Draw a caption whose upper left corner is at a pixel of the canvas."""
    letter(canvas, [
        Line(line.words, x + line.x * scale, y + line.y * scale, line.size * scale, line.colour)
        for line in setting.lines
    ])
    for key in setting.keys:
        _key(canvas, key, x + key.x * scale, y + key.y * scale, scale)


def _rgb(colour: str) -> np.ndarray:
    return np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)], np.float32)


def _lay(canvas: np.ndarray, colour: str, alpha: np.ndarray | float) -> None:
    """Lay a colour over a part of a canvas; ``alpha`` in [0, 1], one value a pixel or for all."""
    share = alpha[..., None] if isinstance(alpha, np.ndarray) else alpha
    canvas[:] = (canvas + (_rgb(colour) - canvas) * share + 0.5).astype(np.uint8)


def _fill(canvas: np.ndarray, fill: Fill, scale: float) -> None:
    """Colour exactly the pixels of an area; a smaller figure mixes those that fall together."""
    import cv2

    size = canvas.shape[1], canvas.shape[0]
    pixels = fill.area.pixels.astype(np.uint8)
    if scale >= 1:
        if size != pixels.shape[::-1]:
            pixels = cv2.resize(pixels, size, interpolation=cv2.INTER_NEAREST)
        chosen = pixels.astype(bool)
        colour = _rgb(fill.colour)
        mixed = canvas[chosen] * np.float32(1 - fill.alpha) + colour * np.float32(fill.alpha)
        canvas[chosen] = (mixed + 0.5).astype(np.uint8)
        return
    cover = cv2.resize(pixels * np.float32(fill.alpha), size, interpolation=cv2.INTER_AREA)
    _lay(canvas, fill.colour, cover)


def _draw(
    canvas: np.ndarray, lines: list[tuple[np.ndarray, bool]], each: Pass, unit: float
) -> None:
    """Draw along lines (corners in pixels of the canvas, and whether closed) with one pen."""
    width = each.width * unit
    trim = 0.0 if each.is_round else width
    if each.dashes:
        lengths = each.dashes[0] * unit, each.dashes[1] * unit
        lines = [
            (dash, False) for line, closed in lines
            for dash in _dashes(line, *lengths, trim, closed=closed)
        ]
    elif trim:
        lines = [
            (line, True) if closed else (_dashes(line, math.inf, 0.0, trim, closed=False)[0], False)
            for line, closed in lines
        ]
    _cover(canvas, lines, width, each.colour, each.alpha)


def _cover(
    canvas: np.ndarray, pieces: list[tuple[np.ndarray, bool]], width: float, colour: str,
    alpha: float,
) -> None:
    """Draw lines of a width, smooth at their edges, as if all of them were one stroke.

    Lines are drawn larger than they are, since OpenCV's widths are coarse: of a thickness 2 n they
    come out 2 n + 1.5 pixels wide (measured, upright and aslant).
    """
    import cv2

    if not pieces:
        return
    fine = min(max(math.ceil(8 / width), 1), 8)
    points = np.concatenate([piece for piece, _ in pieces])
    room = width / 2 + 2
    low = np.maximum(np.floor(points.min(0) - room), 0).astype(int)
    high = np.minimum(np.ceil(points.max(0) + room), canvas.shape[1::-1]).astype(int)
    if (high <= low).any():
        return
    cover = np.zeros((high - low)[::-1] * fine, np.uint8)
    thick = max(1, 2 * round((width * fine - 1.5) / 2))
    for is_closed in (True, False):
        lines = [
            # A pixel's middle has whole coordinates in OpenCV, its corner has them here.
            np.round((((piece - low) * fine) - 0.5) * (1 << _BITS)).astype(np.int32)
            for piece, closed in pieces if closed == is_closed
        ]
        cv2.polylines(cover, lines, is_closed, 255, thick, cv2.LINE_AA, _BITS)
    if fine > 1:
        width_height = tuple((high - low).tolist())
        cover = cv2.resize(cover, width_height, interpolation=cv2.INTER_AREA)
    part = canvas[low[1] : high[1], low[0] : high[0]]
    _lay(part, colour, cover * np.float32(alpha / 255))


def _dashes(
    line: np.ndarray, dash: float, gap: float, trim: float, *, closed: bool
) -> list[np.ndarray]:
    """Cut a line into dashes; ``trim`` is taken off each, for the round ends that OpenCV adds."""
    points = (np.concatenate([line, line[:1]]) if closed else line).astype(np.float64)
    along = np.concatenate(([0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))))
    count = 1 if math.isinf(dash) else math.ceil(along[-1] / (dash + gap))
    found = []
    for begin in np.arange(count) * (dash + gap) if count > 1 else [0.0]:
        first, last = begin + trim / 2, min(begin + dash, along[-1]) - trim / 2
        if last < first:
            continue
        inside = points[np.searchsorted(along, first, "right") : np.searchsorted(along, last)]
        ends = [
            [np.interp(place, along, points[:, axis]) for axis in (0, 1)]
            for place in (first, last)
        ]
        found.append(np.array([ends[0], *inside.tolist(), ends[1]]))
    return found


def _tag(canvas: np.ndarray, tag: Tag, *, scale: float, unit: float) -> None:
    placed = Tag(tag.words, tag.x * scale, tag.y * scale)
    line, (x, y, width) = set_tag(placed, unit=unit, width=canvas.shape[1])
    _lay(canvas[round(y) : round(y + 20 * unit), round(x) : round(x + width)], "#141619", 0.88)
    letter(canvas, [line])


def _key(canvas: np.ndarray, key: Key, x: float, y: float, scale: float) -> None:
    """Draw a mark of a legend."""
    width, height, unit = key.width * scale, key.height * scale, key.unit * scale
    if key.mark.kind == "area":
        outer = canvas[round(y) : round(y + height), round(x) : round(x + width)]
        edge = max(1, round(unit))
        outer[:] = _rgb("#888888")
        outer[edge:-edge, edge:-edge] = _rgb(key.mark.colour)
        return
    line = np.array([[x, y + height / 2], [x + width, y + height / 2]])
    for each in pens_of(key.mark):
        _draw(canvas, [(line, False)], each, unit)
