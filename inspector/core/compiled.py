"""Decides when compiled loops are worth their import, and runs them on all processors.

The import of numba and the loading of kept machine code take about half a second, in which numpy
and pycocotools are done with a few thousand masks. Results are the same to the bit either way.
"""

# mypy: disable-error-code="no-untyped-call"
from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from types import ModuleType

import numpy as np

WORTH_IT = 3_000
"""Masks, pairs or outlines from which the compiled loops are imported."""

ONCE_LOADED = 50
"""The same where they are there already."""

_CONFIGURATION = ".numba_config.yaml"
_AT_LEAST = 1_000  # of them a thread: starting one takes as long as a dozen
_MOST_THREADS = 8


def is_worth_it(count: int) -> bool:
    """Say whether so many masks, pairs or outlines are to be handled by compiled loops."""
    is_loaded = _kernels.cache_info().currsize > 0
    return count >= (ONCE_LOADED if is_loaded else WORTH_IT) and _kernels() is not None


@cache
def _kernels() -> ModuleType | None:
    """Import the loops; None where numba has no build for this platform, or must not be trusted.

    numba obeys a file in the folder where the command is given, which may be one of downloaded
    data: it could name code to load.
    """
    if Path(_CONFIGURATION).exists():
        return None
    try:
        from inspector.core import kernels
    except ImportError:
        return None
    return kernels


def load() -> None:
    """Load, or compile where that was never done, every loop; ``make run`` does it beforehand."""
    if _kernels() is None:
        return
    buffer, offsets = np.frombuffer(b"04", np.uint8), np.array([0, 2])
    one, square = np.zeros(1, np.int64), np.array([0.0, 0, 2, 0, 2, 2])
    check_masks(buffer, offsets, np.array([4]))
    read_runs(buffer, offsets, offsets)
    intersect(b"04", offsets, one, b"04", offsets, one)
    read_boxes(b"04", offsets, np.array([2]))
    rasterise(square, np.array([0, len(square)]), np.array([[2, 2]]))
    is_plain_pickle(b"N.")


def _loaded() -> ModuleType:
    kernels = _kernels()
    if kernels is None:
        raise RuntimeError("ask is_worth_it first")
    return kernels


def check_masks(
    buffer: np.ndarray, offsets: np.ndarray, pixels: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Check compressed counts as :func:`inspector.core.rle.check_counts` describes it.

    Returns:
        ``(n,)`` each: fault (int8), area, total (int64), canonical (bool), number of runs (int64).
    """
    n = len(pixels)
    _check_offsets(buffer, offsets)
    fault, area, total = np.zeros(n, np.int8), np.zeros(n, np.int64), np.zeros(n, np.int64)
    canonical, run_count = np.zeros(n, bool), np.zeros(n, np.int64)
    buffer, offsets, pixels = _frozen(buffer), _int64(offsets), _int64(pixels)
    check = _loaded().check

    def some(first: int, last: int) -> None:
        check(buffer, offsets[first : last + 1], pixels[first:last], fault[first:last],
              area[first:last], total[first:last], canonical[first:last], run_count[first:last])

    _in_parts(n, some)
    return fault, area, total, canonical, run_count


def read_runs(buffer: np.ndarray, offsets: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """Give the run lengths of all masks, ``(m,)`` int64; mask i has those from ``starts[i]`` on."""
    _check_offsets(buffer, offsets)
    runs = np.empty(int(starts[-1]), np.int64)
    buffer, offsets, starts = _frozen(buffer), _int64(offsets), _int64(starts)
    read = _loaded().read_runs
    _in_parts(len(offsets) - 1, lambda first, last: read(
        buffer, offsets[first : last + 1], starts[first : last + 1], runs
    ))
    return runs


def intersect(
    left: bytes, left_offsets: np.ndarray, left_rows: np.ndarray,
    right: bytes, right_offsets: np.ndarray, right_rows: np.ndarray,
) -> np.ndarray:
    """Count the pixels that pairs of checked masks share.

    Args:
        left: Compressed counts of many masks.
        left_offsets: ``(n + 1,)`` int64, where each one's begin.
        left_rows: ``(p,)`` int64 >= 0, the left mask of each pair.
        right: The same of the right ones.
        right_offsets: ``(m + 1,)`` int64.
        right_rows: ``(p,)`` int64 >= 0.

    Returns:
        ``(p,)`` int64.
    """
    lefts, rights = np.frombuffer(left, np.uint8), np.frombuffer(right, np.uint8)
    for buffer, offsets, rows in (
        (lefts, left_offsets, left_rows), (rights, right_offsets, right_rows)
    ):
        _check_offsets(buffer, offsets)
        if len(rows) and not 0 <= int(rows.min()) <= int(rows.max()) < len(offsets) - 1:
            raise IndexError("a pair names a mask that is not there")
    counts = np.zeros(len(left_rows), np.int64)
    left_offsets, left_rows = _int64(left_offsets), _int64(left_rows)
    right_offsets, right_rows = _int64(right_offsets), _int64(right_rows)
    kernel = _loaded().intersect
    _in_parts(len(counts), lambda first, last: kernel(
        lefts, left_offsets, left_rows[first:last],
        rights, right_offsets, right_rows[first:last], counts[first:last],
    ))
    return counts


def read_boxes(buffer: bytes, offsets: np.ndarray, heights: np.ndarray) -> np.ndarray:
    """``(n, 4)`` int64: x, y, width and height of each checked mask; zeros where it is empty."""
    masks = np.frombuffer(buffer, np.uint8)
    _check_offsets(masks, offsets)
    boxes = np.zeros((len(heights), 4), np.int64)
    offsets, heights = _int64(offsets), _int64(heights)
    kernel = _loaded().read_boxes
    _in_parts(len(heights), lambda first, last: kernel(
        masks, offsets[first : last + 1], heights[first:last], boxes[first:last]
    ))
    return boxes


def rasterise(points: np.ndarray, begins: np.ndarray, sizes_hw: np.ndarray) -> list[bytes]:
    """Give the compressed counts of many outlines, each just as COCO's own code makes them.

    Args:
        points: float64, x and y in turn; finite and within 100,000 pixels.
        begins: ``(n + 1,)`` int64, where each outline begins in ``points``, at even places.
        sizes_hw: ``(n, 2)`` height and width of each picture.
    """
    n = len(begins) - 1
    _check_offsets(points, begins)
    points, begins, sizes = np.ascontiguousarray(points), _int64(begins), _int64(sizes_hw)
    lengths, made = np.zeros(n, np.int64), {}
    from inspector.core.outline_kernels import rasterise as kernel


    def some(first: int, last: int) -> None:
        made[first] = kernel(
            points, begins[first : last + 1], sizes[first:last], lengths[first:last]
        ).tobytes()

    _in_parts(n, some)
    counts = b"".join(made[first] for first in sorted(made))
    ends = np.cumsum(lengths).tolist()
    return [counts[end - length : end] for end, length in zip(ends, lengths.tolist(), strict=True)]


_PLAIN = np.full(256, -9, np.int64)  # for each opcode the bytes that follow it, or a code
_PLAIN[list(b"]}N(aesu\x88\x89\x94")] = 0  # lists, dictionaries, None, bools; into the memo
_PLAIN[list(b"Kqh\x80")] = 1  # a number, the memo, the protocol
_PLAIN[list(b"M")] = 2
_PLAIN[list(b"J")] = 4
_PLAIN[list(b"G\x95")] = 8  # a float, a frame
_PLAIN[list(b".")] = -1
_PLAIN[list(b"U\x8cC")] = -2
_PLAIN[list(b"XTB")] = -3
_PLAIN[list(b"rj")] = -4


def is_plain_pickle(data: bytes) -> bool:
    """Say whether a pickle has no other opcodes than those of lists, dictionaries, text, numbers.

    Python's own unpickler does no harm with these: nothing is named, called or built, no tuple or
    huge number is hashed, and the memo is not larger than the file.
    """
    return int(_loaded().find_plain_end(np.frombuffer(data, np.uint8), _PLAIN)) >= 0


def _in_parts(count: int, some: Callable[[int, int], None]) -> None:
    """Call ``some(first, last)`` for parts of a range, one a processor, side by side."""
    parts = max(min(_processors(), _MOST_THREADS, count // _AT_LEAST), 1)
    borders = [count * part // parts for part in range(parts + 1)]
    if parts == 1:
        some(0, count)
        return
    with ThreadPoolExecutor(parts) as pool:
        for _ in pool.map(some, borders[:-1], borders[1:]):
            pass


def _processors() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # Windows and macOS have none
        return os.cpu_count() or 1


def _check_offsets(buffer: np.ndarray, offsets: np.ndarray) -> None:
    """Stop before a loop would read outside of its buffer: it does not look itself."""
    if int(offsets[0]) < 0 or int(offsets[-1]) > len(buffer) or (np.diff(offsets) < 0).any():
        raise IndexError("masks begin or end outside of their buffer")


def _frozen(array: np.ndarray) -> np.ndarray:
    """Look at an array as read-only: numba compiles each kind of array anew."""
    view = np.ascontiguousarray(array).view()
    view.flags.writeable = False
    return view


def _int64(array: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(array, np.int64)


if __name__ == "__main__":
    load()
