"""Figures as SVG: the photograph inside the file, masks as exact paths, words as text."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from html import escape

import numpy as np

from inspector.figures.figure import Figure
from inspector.figures.lettering import FONTS, Line, clean
from inspector.figures.photograph import Photograph
from inspector.figures.setting import Key, pens_of, set_figure, set_reason, set_tag
from inspector.figures.shapes import Fill, Pass, Stroke, Tag
from inspector.figures.trace import Loops

MISSING = "#888888"
NAMESPACE = "http://www.w3.org/2000/svg"


def to_svg(
    figure: Figure, *, scale: float = 1.0, caption: bool = True, width_mm: float | None = None
) -> str:
    """Draw a figure as one SVG document that needs nothing from outside and runs nothing.

    Args:
        figure: What to draw.
        scale: Pixels of the document for a pixel of the picture; nothing is drawn coarser or
            finer for it.
        caption: Whether sentence, numbers and legend are set below.
        width_mm: Width in print; takes the place of ``scale``.
    """
    sheet = set_figure(figure, caption=caption)
    if width_mm is not None:
        per = width_mm / sheet.width
        size = f'width="{number(width_mm)}mm" height="{number(sheet.height * per)}mm"'
    else:
        size = f'width="{number(sheet.width * scale)}" height="{number(sheet.height * scale)}"'
    below = figure.size_hw[0]
    return "\n".join([
        f'<svg xmlns="{NAMESPACE}" {size} '
        f'viewBox="0 0 {number(sheet.width)} {number(sheet.height)}">',
        *describe(figure),
        f'<rect width="{number(sheet.width)}" height="{number(sheet.height)}" fill="#ffffff"/>',
        # A document inside the document: what reaches beyond the picture is cut off.
        f'<svg width="{figure.size_hw[1]}" height="{below}">',
        *draw_picture(figure, unit=figure.unit, photograph=figure.photograph),
        "</svg>",
        f'<g transform="translate(0 {below})">',
        *draw_lines(sheet.setting.lines),
        *draw_keys(sheet.setting.keys),
        "</g>",
        "</svg>", "",
    ])


def describe(figure: Figure) -> Iterator[str]:
    """Name the figure for those who cannot see it, and keep what it was made of."""
    facts = dict(figure.facts)
    yield f"<title>{text(facts.pop('Title'))}</title>"
    lines = [f"{key.rpartition(':')[2]}: {value}" for key, value in facts.items() if value]
    yield f"<desc>{text('; '.join(lines))}</desc>"


def draw_picture(figure: Figure, *, unit: float, photograph: Photograph) -> Iterator[str]:
    """Draw photograph and shapes in a frame of the picture's pixels.

    Args:
        figure: What to draw.
        unit: Width of a line of one pixel of the page, in pixels of the picture.
        photograph: In place of the figure's own, such as a smaller one.
    """
    height, width = figure.size_hw
    if photograph.content is None:
        yield f'<rect width="{width}" height="{height}" fill="{MISSING}"/>'
    else:
        data = base64.b64encode(photograph.content).decode("ascii")
        yield (
            f'<image width="{width}" height="{height}" preserveAspectRatio="none" '
            f'href="data:{photograph.kind};base64,{data}"/>'
        )
    for shape in figure.shapes:
        if isinstance(shape, Fill):
            yield (
                f'<path fill="{shape.colour}" fill-opacity="{number(shape.alpha)}" '
                f'fill-rule="evenodd" shape-rendering="crispEdges" '
                f'd="{path_data(shape.area.loops)}"/>'
            )
        elif isinstance(shape, Stroke):
            data = path_data(shape.loops)
            yield from (_pen(data, each, unit) for each in shape.passes)
        else:
            yield from _tag(shape, unit, width)
    if photograph.content is None:
        yield from draw_lines([
            set_reason(photograph.reason, unit=unit, size_hw=figure.size_hw)
        ])


def path_data(loops: Loops) -> str:
    """Write loops whose edges are in turn horizontal and vertical as the data of a path."""
    return "".join(_loop(loop) for loop in loops)


def _loop(loop: np.ndarray) -> str:
    steps = np.diff(loop, axis=0)
    parts = [f"M{number(loop[0, 0])} {number(loop[0, 1])}"]
    parts += [
        f"h{number(right)}" if right else f"v{number(down)}" for right, down in steps.tolist()
    ]
    return "".join([*parts, "z"])


def _pen(data: str, each: Pass, unit: float) -> str:
    ends = "round" if each.is_round else "butt"
    dashes = ""
    if each.dashes:
        lengths = " ".join(number(length * unit) for length in each.dashes)
        dashes = f' stroke-dasharray="{lengths}"'
    opacity = f' stroke-opacity="{number(each.alpha)}"' if each.alpha < 1 else ""
    return (
        f'<path fill="none" stroke="{each.colour}"{opacity} '
        f'stroke-width="{number(each.width * unit)}" stroke-linejoin="round" '
        f'stroke-linecap="{ends}"{dashes} d="{data}"/>'
    )


def _tag(tag: Tag, unit: float, picture_width: float) -> Iterator[str]:
    line, (x, y, width) = set_tag(tag, unit=unit, width=picture_width)
    yield (
        f'<rect x="{number(x)}" y="{number(y)}" width="{number(width)}" '
        f'height="{number(20 * unit)}" fill="#141619" fill-opacity="0.88"/>'
    )
    yield from draw_lines([line])


def draw_lines(lines: list[Line] | tuple[Line, ...]) -> Iterator[str]:
    """Write lines of words as text that can be searched and changed."""
    for line in lines:
        yield (
            f'<text x="{number(line.x)}" y="{number(line.y)}" font-family="{FONTS}" '
            f'font-size="{number(line.size)}" fill="{line.colour}" '
            f'xml:space="preserve">{text(line.words)}</text>'
        )


def draw_keys(keys: tuple[Key, ...]) -> Iterator[str]:
    """Draw the marks of a legend."""
    for key in keys:
        x, y, unit, mark = number(key.x), key.y, key.unit, key.mark
        if mark.kind == "area":
            yield (
                f'<rect x="{x}" y="{number(y)}" width="{number(key.width)}" '
                f'height="{number(key.height)}" fill="{mark.colour}" stroke="#888888" '
                f'stroke-width="{number(unit)}"/>'
            )
            continue
        middle = f"M{x} {number(y + key.height / 2)}h{number(key.width)}"
        yield from (_pen(middle, each, unit) for each in pens_of(mark))


def text(words: str) -> str:
    """Write words so that they are text in XML, whatever they hold."""
    return escape(clean(words))


def number(value: float) -> str:
    """Write a length with at most three decimals."""
    return f"{value:.3f}".rstrip("0").rstrip(".") or "0"
