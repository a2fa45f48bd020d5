"""A plot with logarithmic axes as SVG, without a library."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 760, 420
_LEFT, _RIGHT, _TOP, _BOTTOM = 70, 190, 50, 70
_COLOURS = ("#b3261e", "#d97706", "#1d6fb8", "#3f7d4f", "#6b4fa0")
_DASHES = ("", "6 4", "2 3", "10 4 2 4", "")


@dataclass(frozen=True, slots=True)
class Line:
    """A line of points (x, y), both above 0."""

    label: str
    points: list[tuple[float, float]]


def draw(
    title: str, lines: Sequence[Line], *, x_label: str, y_label: str,
    limit: tuple[float, str] | None = None, notes: Sequence[str] = (),
) -> str:
    """Draw lines on two logarithmic axes.

    Args:
        title: Above the plot, and its name for those who do not see it.
        lines: The lines; told apart by colour, dashes and labels at their ends.
        x_label: What runs from left to right.
        y_label: What runs upwards.
        limit: A height to be marked, and its name.
        notes: Said below.
    """
    xs = [x for line in lines for x, _ in line.points]
    ys = [y for line in lines for _, y in line.points] + ([limit[0]] if limit else [])
    low_x, high_x = math.floor(math.log10(min(xs))), math.ceil(math.log10(max(xs)) - 0.05)
    low_y, high_y = math.floor(math.log10(min(ys))), math.ceil(math.log10(max(ys)))

    def at(x: float, y: float) -> tuple[float, float]:
        across = (math.log10(x) - low_x) / max(high_x - low_x, 1)
        up = (math.log10(y) - low_y) / max(high_y - low_y, 1)
        return (round(_LEFT + across * (WIDTH - _LEFT - _RIGHT), 1),
                round(HEIGHT - _BOTTOM - up * (HEIGHT - _TOP - _BOTTOM), 1))

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'font-family="sans-serif" font-size="12"><title>{escape(title)}</title>',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        f'<text x="{_LEFT}" y="24" font-size="14">{escape(title)}</text>',
    ]
    right, floor = WIDTH - _RIGHT, HEIGHT - _BOTTOM
    for power in range(low_x, high_x + 1):
        x, _ = at(10.0**power, 10.0**low_y)
        parts.append(f'<path d="M{x} {_TOP}V{floor}" stroke="#e3e3e3"/>')
        parts.append(f'<text x="{x}" y="{floor + 18}" text-anchor="middle">{10**power:,}</text>')
    for power in range(low_y, high_y + 1):
        _, y = at(10.0**low_x, 10.0**power)
        value = 10.0**power
        parts.append(f'<path d="M{_LEFT} {y}H{right}" stroke="#e3e3e3"/>')
        parts.append(f'<text x="{_LEFT - 8}" y="{y + 4}" text-anchor="end">{value:,g}</text>')
    parts.append(f'<text x="{right + 40}" y="{floor + 18}">{escape(x_label)}</text>')
    parts.append(f'<text x="{_LEFT - 8}" y="{_TOP - 10}" text-anchor="end">'
                 f'{escape(y_label)}</text>')
    if limit:
        _, y = at(10.0**low_x, limit[0])
        parts.append(f'<path d="M{_LEFT} {y}H{right}" stroke="#444444" stroke-dasharray="1 3"/>')
        parts.append(f'<text x="{_LEFT + 6}" y="{y - 5}" fill="#444444">{escape(limit[1])}</text>')
    ends: list[float] = []
    for number, line in enumerate(lines):
        colour, dash = _COLOURS[number % len(_COLOURS)], _DASHES[number % len(_DASHES)]
        points = [at(x, y) for x, y in line.points]
        path = " ".join(f"{x},{y}" for x, y in points)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2" '
                     f'stroke-dasharray="{dash}"/>')
        parts += [f'<circle cx="{x}" cy="{y}" r="3" fill="{colour}"/>' for x, y in points]
        x, y = points[-1]
        while any(abs(y - other) < 14 for other in ends):
            y += 14
        ends.append(y)
        parts.append(f'<text x="{right + 8}" y="{y + 4}" fill="{colour}">'
                     f'{escape(line.label)}</text>')
    for number, note in enumerate(notes):
        across = _LEFT + (number % 2) * 260
        down = HEIGHT - 28 + (number // 2) * 16
        parts.append(f'<text x="{across}" y="{down}" fill="#555555">{escape(note)}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"
