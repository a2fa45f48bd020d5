"""The outline of a mask along pixel edges, as closed loops that fill back to exactly the mask."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

Loops = tuple[np.ndarray, ...]
"""Closed loops, each ``(k, 2)`` int32 corners as x, y in pixels from the picture's corner."""


@dataclass(frozen=True, eq=False)
class Area:
    """A set of pixels that is drawn, with its outline made when it is first asked for.

    Attributes:
        pixels: ``(H, W)`` bool.
    """

    pixels: np.ndarray

    @cached_property
    def loops(self) -> Loops:
        """The outline of the area."""
        return trace(self.pixels)

    @cached_property
    def is_empty(self) -> bool:
        """Whether there is no pixel in it."""
        return not self.pixels.any()

    @cached_property
    def box_xywh(self) -> tuple[int, int, int, int]:
        """The smallest box around it in pixels; all zeros where it is empty."""
        rows, columns = np.flatnonzero(self.pixels.any(1)), np.flatnonzero(self.pixels.any(0))
        if not len(rows):
            return 0, 0, 0, 0
        top, left = int(rows[0]), int(columns[0])
        return left, top, int(columns[-1]) + 1 - left, int(rows[-1]) + 1 - top


def trace(pixels: np.ndarray) -> Loops:
    """Trace the 4-connected regions of a mask and their holes.

    Args:
        pixels: ``(H, W)`` bool.

    Returns:
        Loops of corners; straight pieces are one edge, and edges are in turn horizontal and
        vertical. The mask lies on the right hand of the way along a loop (y grows downwards), so
        that both fill rules of SVG, ``evenodd`` and ``nonzero``, give the mask back. Two pixels
        that touch at a corner alone are in loops of their own.

    Example:
        >>> [loop.tolist() for loop in trace(np.array([[0, 1, 1]], dtype=bool))]
        [[[1, 0], [3, 0], [3, 1], [1, 1]]]
    """
    rows, columns = np.flatnonzero(pixels.any(1)), np.flatnonzero(pixels.any(0))
    if not len(rows):
        return ()
    top, left = int(rows[0]), int(columns[0])
    inside = np.pad(pixels[top : rows[-1] + 1, left : columns[-1] + 1], 1)
    corners = _Corners(inside)
    shift = np.array([left, top], np.int32)
    return tuple(loop + shift for loop in corners.loops())


class _Corners:
    """The corners of all outlines, in reading order, each with its two neighbours.

    A point where four pixels meet is a corner if one or three of them are in the mask. If two
    that face each other are (a saddle), it is two corners: first the one whose horizontal edge
    goes left, then the one whose horizontal edge goes right.
    """

    def __init__(self, inside: np.ndarray) -> None:
        above, below = inside[:-1], inside[1:]
        a, b, c, d = above[:, :-1], above[:, 1:], below[:, :-1], below[:, 1:]
        saddle = (a == d) & (b == c) & (a != b)
        y, x = np.nonzero((a ^ b ^ c ^ d) | saddle)
        times = np.where(saddle[y, x], 2, 1)
        is_second = np.repeat(np.cumsum(times) - times, times) != np.arange(times.sum())
        y, x = np.repeat(y, times), np.repeat(x, times)
        # Each pixel of a saddle keeps its own corner: the upper left one goes left and up.
        goes_down = is_second ^ b[y, x] & saddle[y, x]
        in_columns = np.lexsort((goes_down, y, x))
        above_or_below = np.empty(len(y), np.int64)
        above_or_below[in_columns[0::2]] = in_columns[1::2]
        above_or_below[in_columns[1::2]] = in_columns[0::2]
        self._vertical: list[int] = above_or_below.tolist()
        self._begins_region: list[bool] = d[y, x].tolist()
        self._points = np.stack([x, y], 1).astype(np.int32)

    def loops(self) -> list[np.ndarray]:
        """Follow every loop once, from its first corner in reading order."""
        vertical, begins_region = self._vertical, self._begins_region
        seen = bytearray(len(vertical))
        found = []
        for start in range(len(vertical)):
            if seen[start]:
                continue
            # The first corner is the upper left one: a region goes on to the right, a hole down.
            path, at = [], start
            is_horizontal = begins_region[start]
            while not seen[at]:
                seen[at] = 1
                path.append(at)
                at = at ^ 1 if is_horizontal else vertical[at]  # pairs in a row are neighbours
                is_horizontal = not is_horizontal
            found.append(self._points[path])
        return found
