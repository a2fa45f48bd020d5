"""Fills paths as a program that knows only SVG would, to set against the masks they came from."""

from __future__ import annotations

import re

import numpy as np

TOKEN = re.compile(r"([MhvzL])|(-?\d+(?:\.\d+)?)")


def vertical_edges(data: str) -> list[tuple[float, float, float]]:
    """Read path data (M x y, h, v, z) and give its upright edges as x, y from, y to."""
    edges, numbers, command = [], [], ""
    x = y = left = top = 0.0

    def close() -> None:
        if y != top:
            assert x == left, "a loop closes along one edge"
            edges.append((x, y, top))

    for letter, number in TOKEN.findall(data):
        if letter == "z":
            close()
            x, y = left, top
            continue
        if letter:
            command, numbers = letter, []
            continue
        numbers.append(float(number))
        if command == "M" and len(numbers) == 2:
            x, y = left, top = numbers
        elif command == "h":
            x += numbers[0]
        elif command == "v":
            edges.append((x, y, y + numbers[0]))
            y += numbers[0]
    return edges


def fill(data: str, size_hw: tuple[int, int], rule: str = "evenodd") -> np.ndarray:
    """Say of the middle of each pixel whether it is inside, ``(H, W)`` bool."""
    height, width = size_hw
    winding = np.zeros((height, width + 1), int)
    for x, begin, end in vertical_edges(data):
        assert x == int(x) and begin == int(begin) and end == int(end), "edges lie between pixels"
        low, high = int(min(begin, end)), int(max(begin, end))
        winding[low:high, int(x)] += 1 if end > begin else -1
    if rule == "evenodd":
        return np.cumsum(winding % 2, axis=1)[:, :width] % 2 == 1
    return np.cumsum(winding, axis=1)[:, :width] != 0
