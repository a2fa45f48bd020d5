"""SVG paths: parsed, flattened to polygons, and filled by one exact rule."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

import numpy as np

from inspector.core.errors import MaskError
from inspector.core.mask import Mask

_LONGEST = 2_000_000  # characters
_MOST_POINTS = 400_000
_FARTHEST = 1e6
_STEPS = 24  # lines that stand for one curve; a curve across 1,000 pixels is off by less than one

_TOKEN = re.compile(r"[MLHVCSQTAZmlhvcsqtaz]|[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|[\s,]+|.")
_ARGUMENTS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}

Point = tuple[float, float]


def flatten_path(path: str) -> list[np.ndarray]:
    """Turn a path into closed polygons, ``(k, 2)`` float64 each, in the path's own coordinates.

    All commands M L H V C S Q T A Z are read, upper and lower case, with SVG's compact numbers
    (``M.5.3L1-2``). Every subpath is closed, as filling does.

    Raises:
        MaskError: If the text is no path, or larger than any mask needs.

    Example:
        >>> flatten_path("M0,0H1V1z")[0].tolist()
        [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]]
    """
    if len(path) > _LONGEST:
        raise MaskError(f"the path is longer than {_LONGEST:,} characters")
    polygons: list[list[Point]] = []
    pen = _Pen()
    for command, values in _commands(path):
        if command.upper() == "M":
            polygons.append([])
        elif not polygons:
            raise MaskError("the path does not begin with M")
        pen.draw(command, values, polygons)
        if sum(map(len, polygons[-1:])) > _MOST_POINTS:
            raise MaskError(f"the path has more than {_MOST_POINTS:,} points")
    found = [np.array(points, np.float64) for points in polygons if len(points) > 2]
    if any(not np.isfinite(points).all() or np.abs(points).max() > _FARTHEST for points in found):
        raise MaskError("the path has a coordinate far beyond its picture")
    return found


def fill_nonzero(polygons: list[np.ndarray], size_hw: tuple[int, int]) -> Mask:
    """Fill polygons in pixels: a pixel belongs to the mask if its centre is inside.

    Inside means a winding number other than zero, so that a subpath of the opposite direction is
    a hole. A centre just on an edge counts for the edge on its left and above, so that shapes that
    touch share no pixel.
    """
    height, width = size_hw
    winding = np.zeros((height, width + 1), np.int32)
    for points in polygons:
        begin, end = points, np.roll(points, -1, axis=0)
        for (x0, y0), (x1, y1) in zip(begin.tolist(), end.tolist(), strict=True):
            if y0 == y1:
                continue
            direction = 1 if y1 > y0 else -1
            top, bottom = min(y0, y1), max(y0, y1)
            first, last = max(0, math.ceil(top - 0.5)), min(height, math.ceil(bottom - 0.5))
            rows = np.arange(first, last)
            crossing = x0 + (rows + 0.5 - y0) * ((x1 - x0) / (y1 - y0))
            columns = np.clip(np.ceil(crossing - 0.5), 0, width).astype(np.int64)
            np.add.at(winding, (rows, columns), direction)
    return Mask.from_array(np.cumsum(winding[:, :width], axis=1) != 0)


def _commands(path: str) -> Iterator[tuple[str, list[float]]]:
    """Give each command with its numbers; further numbers repeat it (after M as L)."""
    command = ""
    numbers: list[float] = []
    for token in _tokens(path):
        if token.isalpha():
            yield from _repeated(command, numbers)
            command, numbers = token, []
        else:
            numbers.append(float(token))
    yield from _repeated(command, numbers)


def _tokens(path: str) -> Iterator[str]:
    arc_place, in_arc = 0, False
    position = 0
    while position < len(path):
        if in_arc and arc_place % 7 in (3, 4) and path[position] in "01":
            yield path[position]  # flags may stand without anything between them
            position += 1
            arc_place += 1
            continue
        found = _TOKEN.match(path, position)
        if found is None:
            raise MaskError("the path cannot be read")
        token, position = found.group(), found.end()
        if not token.strip(" \t\r\n,"):
            continue
        if token.upper() in _ARGUMENTS:
            in_arc, arc_place = token in "Aa", 0
        elif token[0].isdecimal() or token[0] in "+-." and len(token) > 1:
            arc_place += 1
        else:
            raise MaskError(f"the path holds {token!r}")
        yield token


def _repeated(command: str, numbers: list[float]) -> Iterator[tuple[str, list[float]]]:
    if not command:
        if numbers:
            raise MaskError("the path does not begin with M")
        return
    count = _ARGUMENTS[command.upper()]
    if (count == 0 and numbers) or (count and (not numbers or len(numbers) % count)):
        raise MaskError(f"the path gives {command} {len(numbers)} numbers, not {count} each time")
    if count == 0:
        yield command, []
    for place in range(0, len(numbers), count or 1):
        yield command, numbers[place : place + count]
        command = {"M": "L", "m": "l"}.get(command, command)


class _Pen:
    """Follows the commands of a path and writes the points of its polygons."""

    def __init__(self) -> None:
        self.at: Point = (0.0, 0.0)
        self._start: Point = (0.0, 0.0)
        self._control: Point | None = None  # of the last curve, for S and T
        self._control_of = ""

    def draw(self, command: str, values: list[float], polygons: list[list[Point]]) -> None:
        """Carry out one command."""
        kind, (x, y) = command.upper(), self.at
        if command.islower() and kind not in "HVA":
            values = [v + (x, y)[place % 2] for place, v in enumerate(values)]
        points = [(values[i], values[i + 1]) for i in range(0, len(values) - 1, 2)]
        control = self._mirrored(kind)
        self._control, self._control_of = None, kind
        if kind == "Z":
            self.at = self._start
            polygons.append([])  # a command after Z begins anew at the same point
            polygons[-1].append(self._start)
            return
        if kind == "M":
            self._start = points[0]
            new = [points[0]]
        elif kind == "L":
            new = [points[0]]
        elif kind == "H":
            new = [(values[0] + x * command.islower(), y)]
        elif kind == "V":
            new = [(x, values[0] + y * command.islower())]
        elif kind == "A":
            end = (values[5] + x * command.islower(), values[6] + y * command.islower())
            new = _arc(self.at, values, end)
        else:
            controls = [control, *points] if kind in "ST" else points
            self._control = controls[-2]
            new = _bezier([self.at, *controls])
        polygons[-1].extend(new)
        self.at = new[-1]

    def _mirrored(self, kind: str) -> Point:
        """Give the control point that S and T take from the curve before."""
        before = {"S": "CS", "T": "QT"}.get(kind, "")
        if self._control is None or self._control_of not in before:
            return self.at
        return 2 * self.at[0] - self._control[0], 2 * self.at[1] - self._control[1]


def _bezier(controls: list[Point]) -> list[Point]:
    """Give points along a curve of the second or third degree, without its beginning."""
    t = np.linspace(0, 1, _STEPS + 1)[1:, None]
    points = np.array(controls)[:, None, :]
    while len(points) > 1:  # de Casteljau
        points = points[:-1] * (1 - t) + points[1:] * t
    return [(float(x), float(y)) for x, y in points[0]]


def _arc(begin: Point, values: list[float], end: Point) -> list[Point]:
    """Give points along an elliptical arc. Source: SVG 1.1, F.6.5, end points to centre."""
    rx, ry, turn = abs(values[0]), abs(values[1]), math.radians(values[2])
    large, sweep = bool(values[3]), bool(values[4])
    if rx == 0 or ry == 0 or begin == end:
        return [end]
    cos, sin = math.cos(turn), math.sin(turn)
    dx, dy = (begin[0] - end[0]) / 2, (begin[1] - end[1]) / 2
    x, y = cos * dx + sin * dy, cos * dy - sin * dx
    stretch = math.sqrt(max(1.0, (x / rx) ** 2 + (y / ry) ** 2))
    rx, ry = rx * stretch, ry * stretch
    rest = max(0.0, 1 / ((x / rx) ** 2 + (y / ry) ** 2) - 1)
    factor = math.sqrt(rest) * (1 if large != sweep else -1)
    cx, cy = factor * rx * y / ry, -factor * ry * x / rx
    first = math.atan2((y - cy) / ry, (x - cx) / rx)
    last = math.atan2((-y - cy) / ry, (-x - cx) / rx)
    span = last - first
    if sweep and span < 0:
        span += 2 * math.pi
    elif not sweep and span > 0:
        span -= 2 * math.pi
    middle = (begin[0] + end[0]) / 2, (begin[1] + end[1]) / 2
    points = []
    for step in range(1, _STEPS):
        angle = first + span * step / _STEPS
        px, py = cx + rx * math.cos(angle), cy + ry * math.sin(angle)
        points.append((cos * px - sin * py + middle[0], sin * px + cos * py + middle[1]))
    return [*points, end]
