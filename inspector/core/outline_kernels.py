"""Rasterising outlines just as COCO does, compiled.

COCO walks along every edge in fifths of a pixel and keeps the steps over the middle of a column.
Here only these steps are computed, by the same sums of doubles, so that the masks are the same to
the bit. Source: ``rleFrPoly`` and ``rleToString`` in cocoapi's ``maskApi.c``.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call,assignment"
from __future__ import annotations

import numpy as np

from inspector.core.compiling import compiled

_SCALE = 5.0  # COCO follows outlines in fifths of a pixel


@compiled
def _place(column, down, down_before, height):
    """Give the place where an outline steps over the middle of a column of pixels."""
    row = -((2 - min(down, down_before)) // 5)  # in fifths; the middle of row r is at 5 r + 2
    return column * height + min(max(row, 0), height)


@compiled
def _cross_flat(x, y, x_end, slope, height, width, places, found):
    """Note the places of an edge that goes right at least as far as down; x <= x_end."""
    column = max(-((2 - x) // 5), 0)  # the first whose middle, 5 * column + 2, is not before x
    along = 5 * column + 2 - x
    while column < width and x + along < x_end:
        one = int(y + slope * along + 0.5)
        other = int(y + slope * (along + 1) + 0.5)
        places[found] = _place(column, one, other, height)
        found += 1
        column += 1
        along += 5
    return found


@compiled
def _cross_steep(x, y, x_end, y_end, slope, height, width, places, found):
    """Note the places of an edge that goes down further than aside; y < y_end."""
    length, rises = y_end - y, slope > 0
    column = max((min(x, x_end) - 2) // 5, 0)
    while column < width and 5 * column + 2 < max(x, x_end):
        middle = 5 * column + 2
        step = min(max(int((middle + 0.5 - x) / slope), 1), length)
        # As the sums are rounded, only trying tells which step is the first beyond the middle.
        while step > 1 and (int(x + slope * (step - 1) + 0.5) > middle) == rises:
            step -= 1
        while step <= length and (int(x + slope * step + 0.5) > middle) != rises:
            step += 1
        if step <= length and (int(x + slope * (step - 1) + 0.5) > middle) != rises:
            places[found] = _place(column, y + step, y + step - 1, height)
            found += 1
        column += 1
    return found


@compiled
def _crossings(points, begin, end, height, width, places):
    """Write where an outline enters or leaves a column of pixels, as places along the runs.

    COCO walks along every edge in fifths of a pixel; here only the steps that count are looked at.
    """
    found, before, down_before = 0, 0, 0
    for corner in range(begin, end, 2):
        after = corner + 2 if corner + 2 < end else begin
        x, y = int(_SCALE * points[corner] + 0.5), int(_SCALE * points[corner + 1] + 0.5)
        x_end = int(_SCALE * points[after] + 0.5)
        y_end = int(_SCALE * points[after + 1] + 0.5)
        is_flat = abs(x_end - x) >= abs(y_end - y)
        is_backwards = x > x_end if is_flat else y > y_end
        if is_backwards:
            x, x_end, y, y_end = x_end, x, y_end, y
        length = x_end - x if is_flat else y_end - y
        slope = ((y_end - y) if is_flat else (x_end - x)) / max(length, 1)
        if is_flat:
            first, down_first = x, int(y + slope * 0 + 0.5)
            last, down_last = x_end, int(y + slope * length + 0.5)
        else:
            first, down_first = int(x + slope * 0 + 0.5), y
            last, down_last = int(x + slope * length + 0.5), y_end
        if is_backwards:
            first, last, down_first, down_last = last, first, down_last, down_first
        if corner > begin and first != before:  # rounding has parted one edge from the next
            middle = first if first < before else first - 1
            if middle % 5 == 2 and 0 <= middle // 5 < width:
                places[found] = _place(middle // 5, down_first, down_before, height)
                found += 1
        if is_flat:
            found = _cross_flat(x, y, x_end, slope, height, width, places, found)
        elif x != x_end:
            found = _cross_steep(x, y, x_end, y_end, slope, height, width, places, found)
        before, down_before = last, down_last
    return found


@compiled
def _sort(places, found, height, width, ordered):
    """Sort places: by counting how many each column has, then the few inside a column."""
    begin = np.zeros(width + 1, np.int64)  # a place below a column's last row is the next one's
    for number in range(found):
        begin[min(places[number] // height + 1, width)] += 1
    for column in range(width):
        begin[column + 1] += begin[column]
    for number in range(found):
        column = min(places[number] // height, width - 1)
        ordered[begin[column]] = places[number]
        begin[column] += 1
    for number in range(1, found):
        place, at = ordered[number], number
        while at > 0 and ordered[at - 1] > place:
            ordered[at] = ordered[at - 1]
            at -= 1
        ordered[at] = place


@compiled
def _write_value(value, out, at):
    """Write one value in COCO's characters; return where the next one goes."""
    more = True
    while more:
        code = value & 31
        value >>= 5
        more = value != -1 if code & 16 else value != 0
        out[at] = 48 + code + (32 if more else 0)
        at += 1
    return at


@compiled
def _write_counts(places, found, pixels, out, at):
    """Write the runs between sorted places, those of length zero joined; return the end."""
    runs = np.empty(found + 1, np.int64)
    kept, before, step = 0, 0, 0
    while step <= found:
        place = places[step] if step < found else pixels
        run = place - before
        before = place
        step += 1
        if kept == 0 or run > 0:
            runs[kept] = run
            kept += 1
        elif step <= found:  # two places at once: what was begun goes on
            place = places[step] if step < found else pixels
            runs[kept - 1] += place - before
            before = place
            step += 1
    for number in range(kept):
        value = runs[number] - runs[number - 2] if number > 2 else runs[number]
        at = _write_value(value, out, at)
    return at


@compiled
def rasterise(points, begins, sizes_hw, lengths):
    """Turn outlines into compressed counts just as COCO's ``rleFrPoly`` and ``rleToString`` do.

    Args:
        points: float64, x and y in turn, of all outlines; finite and within 100,000 pixels.
        begins: ``(n + 1,)`` int64, where each outline begins in ``points``.
        sizes_hw: ``(n, 2)`` int64.
        lengths: ``(n,)`` int64, filled with the lengths of the counts.

    Returns:
        uint8, the counts of all outlines one after another.
    """
    out = np.empty(1 << 16, np.uint8)
    at = 0
    for outline in range(len(lengths)):
        begin, end = begins[outline], begins[outline + 1]
        height, width = sizes_hw[outline, 0], sizes_hw[outline, 1]
        most = 0
        for corner in range(begin, end, 2):
            after = corner + 2 if corner + 2 < end else begin
            most += min(int(abs(points[corner] - points[after])), width) + 4
        places = np.empty(most, np.int64)
        found = _crossings(points, begin, end, height, width, places)
        ordered = np.empty(found, np.int64)
        _sort(places, found, height, width, ordered)
        longest = 6 * (found + 1)  # characters: no run has more than 27 bits and a sign
        if at + longest > len(out):
            larger = np.empty(2 * (at + longest), np.uint8)
            for place in range(at):
                larger[place] = out[place]
            out = larger
        after = _write_counts(ordered, found, height * width, out, at)
        lengths[outline] = after - at
        at = after
    return out[:at]
