"""Loops over run lengths and opcodes, compiled: numpy needs many passes for each.

Nothing here reads beyond the offsets that it is given, whatever the bytes say.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call,assignment"
from __future__ import annotations

import numpy as np

from inspector.core.compiling import compiled
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


@compiled
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


@compiled
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


@compiled
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


@compiled
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


@compiled
def _column_start(place, start, height):
    """Give where the column of a place begins, which is not before that of an earlier one."""
    if place - start >= 8 * height:
        return place // height * height
    while place - start >= height:  # several times as fast as dividing, for the next columns
        start += height
    return start


@compiled
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


@compiled
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
