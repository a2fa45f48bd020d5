"""Loops over run lengths and outlines, compiled by numba: numpy needs many passes for each.

Imported by :mod:`inspector.core.compiled` alone, and only where there is much to do: the import
takes longer than a few thousand masks. The machine code is kept beside this file, or in the user's
cache folder where that cannot be written to; it holds no interpreter lock, so that two threads use
two cores. Nothing here reads beyond the offsets that it is given, whatever the bytes say.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call,assignment"
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import njit

from inspector.core.rle import (
    CHARACTER,
    CUT_OFF,
    EMPTY,
    HUGE,
    LONGEST_VALUE,
    MAX_PIXELS,
    NEGATIVE,
    OK,
    SUM,
    TOO_LONG,
)

_SCALE = 5.0  # COCO follows outlines in fifths of a pixel


def _compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    try:
        return njit(nogil=True, cache=True)(function)
    except RuntimeError:  # there is no folder to keep the machine code in
        return njit(nogil=True)(function)


@_compiled
def _next_value(buffer, at, end):
    """Read one value of a sound mask: it, and where the next one begins."""
    code = np.int64(buffer[at]) - 48
    at += 1
    if not code & 32:  # most are of one character
        return (code & 31) - ((code & 16) << 1), at
    value, shift = code & 31, 5
    while code & 32 and at < end:
        code = np.int64(buffer[at]) - 48
        at += 1
        value |= (code & 31) << shift
        shift += 5
    if code & 16:
        value -= 1 << shift
    return value, at


@_compiled
def check(buffer, offsets, pixels, fault, area, total, canonical, run_count):
    """Fill in what :func:`inspector.core.rle.check_counts` says of each mask."""
    for mask in range(len(pixels)):
        at, end = offsets[mask], offsets[mask + 1]
        sum_of_all, foreground, number, shortest, longest = 0, 0, 0, 0, 0
        wild, is_cut, is_long, is_canonical = np.int64(0), False, False, True
        base, base_after = 0, 0  # what the next two differences are added to
        while at < end:
            code = np.int64(buffer[at]) - 48
            at += 1
            wild |= code >> 6
            if not code & 32:
                value = (code & 31) - ((code & 16) << 1)
            else:
                value, length, repeats = code & 31, 1, False
                while code & 32 and at < end:
                    before = code
                    code = np.int64(buffer[at]) - 48
                    at += 1
                    wild |= code >> 6
                    value += (code & 31) << 5 * min(length, LONGEST_VALUE)
                    length += 1
                    repeats = code & 31 == (31 if before & 16 else 0)
                if code & 16:
                    value -= 1 << 5 * min(length, LONGEST_VALUE + 1)
                is_canonical &= not repeats  # its last character only repeats the sign
                is_cut |= code & 32 != 0
                is_long |= length > LONGEST_VALUE
            run = value + base
            base, base_after = base_after, run if number else 0
            shortest, longest = min(shortest, run), max(longest, run)
            is_canonical &= run != 0 or number == 0
            sum_of_all += run
            foreground += run if number & 1 else 0
            number += 1
        found = OK
        if number == 0:
            found = EMPTY
        elif wild:
            found = CHARACTER
        elif is_cut:
            found = CUT_OFF
        elif is_long:
            found = TOO_LONG
        elif shortest < 0:
            found = NEGATIVE
        elif longest > MAX_PIXELS:
            found = HUGE
        elif sum_of_all != pixels[mask]:
            found = SUM
        fault[mask] = found
        area[mask] = foreground if found == OK else 0
        total[mask], canonical[mask], run_count[mask] = sum_of_all, is_canonical, number


@_compiled
def read_runs(buffer, offsets, starts, runs):
    """Write the run lengths of each mask, faulty ones too, to its place in ``runs``."""
    for mask in range(len(offsets) - 1):
        at, end, number = offsets[mask], offsets[mask + 1], 0
        base, base_after = 0, 0
        while at < end:
            code, value, length = np.int64(32), 0, 0
            while code & 32 and at < end:
                code = np.int64(buffer[at]) - 48
                at += 1
                value += (code & 31) << 5 * min(length, LONGEST_VALUE)
                length += 1
            if code & 16:
                value -= 1 << 5 * min(length, LONGEST_VALUE + 1)
            run = value + base
            base, base_after = base_after, run if number else 0
            runs[starts[mask] + number] = run
            number += 1


@_compiled
def intersect(left, left_offsets, left_rows, right, right_offsets, right_rows, counts):
    """Count the pixels that each pair of sound masks shares, walking along both at once."""
    for pair in range(len(counts)):
        a, a_end = left_offsets[left_rows[pair]], left_offsets[left_rows[pair] + 1]
        b, b_end = right_offsets[right_rows[pair]], right_offsets[right_rows[pair] + 1]
        a_number, a_base, a_base_after, a_stop = 0, 0, 0, 0
        b_number, b_base, b_base_after, b_stop = 0, 0, 0, 0
        done, shared = 0, 0
        while True:
            if a_stop <= b_stop:
                if a >= a_end:
                    break
                value, a = _next_value(left, a, a_end)
                run = value + a_base
                a_base, a_base_after = a_base_after, run if a_number else 0
                a_number += 1
                a_stop += run
            else:
                if b >= b_end:
                    break
                value, b = _next_value(right, b, b_end)
                run = value + b_base
                b_base, b_base_after = b_base_after, run if b_number else 0
                b_number += 1
                b_stop += run
            stop = min(a_stop, b_stop)
            if stop > done:
                shared += 0 if a_number & 1 or b_number & 1 else stop - done
                done = stop
        counts[pair] = shared


@_compiled
def _column_start(place, start, height):
    """Give where the column of a place begins, which is not before that of an earlier one."""
    if place - start >= 8 * height:
        return place // height * height
    while place - start >= height:  # several times as fast as dividing, for the next columns
        start += height
    return start


@_compiled
def read_boxes(buffer, offsets, heights, boxes):
    """Write x, y, width and height of each sound mask's own box; zeros where it is empty."""
    for mask in range(len(heights)):
        at, end, number = offsets[mask], offsets[mask + 1], 0
        base, base_after, stop, height = 0, 0, 0, heights[mask]
        left, top, bottom, column = -1, height, 0, 0  # columns as places of their first pixels
        while at < end:
            value, at = _next_value(buffer, at, end)
            run = value + base
            base, base_after = base_after, run if number else 0
            number += 1
            stop += run
            if number & 1 or run == 0:
                continue
            first = _column_start(stop - run, column, height)
            column = _column_start(stop - 1, first, height)
            if left < 0:
                left = first
            if first < column:
                top, bottom = 0, height - 1
            top, bottom = min(top, stop - run - first), max(bottom, stop - 1 - column)
        if left >= 0:
            boxes[mask, 0], boxes[mask, 1] = left // height, top
            boxes[mask, 2], boxes[mask, 3] = (column - left) // height + 1, bottom - top + 1


@_compiled
def _place(column, down, down_before, height):
    """Give the place where an outline steps over the middle of a column of pixels."""
    row = -((2 - min(down, down_before)) // 5)  # in fifths; the middle of row r is at 5 r + 2
    return column * height + min(max(row, 0), height)


@_compiled
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


@_compiled
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


@_compiled
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


@_compiled
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


@_compiled
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


@_compiled
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


@_compiled
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


@_compiled
def find_plain_end(data, kinds):
    """Walk over the opcodes of a pickle; see :func:`inspector.core.compiled.is_plain_pickle`.

    Args:
        data: uint8, the pickle.
        kinds: ``(256,)`` int64: how many bytes follow each opcode, or one of the codes of
            :mod:`inspector.core.compiled`.

    Returns:
        Where the opcode STOP stands; -1 if anything is not plain or ends too early.
    """
    at, size, done = 0, len(data), 0
    while at < size:
        kind = kinds[data[at]]
        begin = at + 1
        done += 1
        if kind >= 0:
            at = begin + kind
        elif kind == -1:  # STOP
            return at
        elif kind == -2 or kind == -3:  # text after its length in one byte, or in four
            width = 1 if kind == -2 else 4
            if begin + width > size:
                return -1
            length = np.int64(data[begin])
            for place in range(1, width):
                length |= np.int64(data[begin + place]) << 8 * place
            at = begin + width + length
        elif kind == -4 and begin + 4 <= size:  # a place of the memo in four bytes
            place = np.int64(data[begin])
            for byte in range(1, 4):
                place |= np.int64(data[begin + byte]) << 8 * byte
            if place >= done:  # no pickler numbers further than it has written
                return -1
            at = begin + 4
        else:
            return -1
    return -1
