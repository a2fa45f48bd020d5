"""COCO run lengths: checked before any C code sees them, many masks at once.

A mask of height h and width w is written column by column as the lengths of alternating runs,
background first. "Compressed" counts pack each length into characters of six bits (five of value,
one that says "more follows"); from the fourth run on, a length is stored as its difference to the
one two places before. Source: ``rleToString`` and ``rleFrString`` in cocoapi's ``maskApi.c``.

The decoder there fills only what the runs say and trusts the stated size, so that runs which are
too short leave uninitialised memory and a huge size ends the process. Nothing in this package
hands it run lengths that :func:`check_counts` has not passed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from inspector.core import compiled

MAX_PIXELS = 100_000_000
"""Largest h x w of a mask; anything above is refused before memory is taken."""

LONGEST_VALUE = 6
"""Characters of a value: 30 bits hold any difference of two runs below :data:`MAX_PIXELS`."""

_BATCH_BYTES = 1 << 16

OK, EMPTY, CHARACTER, CUT_OFF, TOO_LONG, NEGATIVE, HUGE, SUM = range(8)


@dataclass(frozen=True, slots=True)
class CheckedCounts:
    """What a batch of compressed counts turned out to be; ``n`` masks, ``m`` runs in all.

    Attributes:
        fault: ``(n,)`` int8, 0 where the mask is sound, else one of the codes above.
        area: ``(n,)`` int64, foreground pixels (0 where faulty).
        total: ``(n,)`` int64, sum of all runs, for messages.
        canonical: ``(n,)`` bool, False where runs of length zero stand inside, or a length is
            written with more characters than it needs.
        runs: ``(m,)`` int64, the run lengths of all masks one after another; none where they were
            not to be kept.
        starts: ``(n + 1,)`` int64, where each mask's runs begin in ``runs``.
    """

    fault: np.ndarray
    area: np.ndarray
    total: np.ndarray
    canonical: np.ndarray
    runs: np.ndarray
    starts: np.ndarray


def check_counts(
    buffer: np.ndarray, offsets: np.ndarray, pixels: np.ndarray, *, keep_runs: bool = True
) -> CheckedCounts:
    """Parse the compressed counts of many masks and say which of them are sound.

    Args:
        buffer: ``(b,)`` uint8, the characters of all masks one after another.
        offsets: ``(n + 1,)`` int64, where each mask's characters begin.
        pixels: ``(n,)`` int64, h x w of each mask, each at most :data:`MAX_PIXELS`.
        keep_runs: Whether the runs are wanted; they take ten times the memory of the characters.

    Returns:
        Faults, areas and runs. A mask is sound if every character belongs to the alphabet, no
        value is cut off or longer than 30 bits, every run is >= 0 and at most :data:`MAX_PIXELS`
        (so that no sum can wrap around), and the runs sum to h x w.
    """
    n = len(offsets) - 1
    if compiled.is_worth_it(n):
        return _check_compiled(buffer, offsets, pixels, keep_runs)
    batches = []
    first = 0
    while first < n:  # batches that fit the processor's cache are several times as fast
        last = int(np.searchsorted(offsets, offsets[first] + _BATCH_BYTES, side="right")) - 1
        last = min(max(last, first + 1), n)
        begin, end = int(offsets[first]), int(offsets[last])
        batch = _check_batch(
            buffer[begin:end], offsets[first : last + 1] - begin, pixels[first:last]
        )
        batches.append(batch if keep_runs else replace(batch, runs=batch.runs[:0]))
        first = last
    if len(batches) == 1:
        return batches[0]
    if not batches:
        return _check_batch(buffer, offsets, pixels)
    run_counts = np.concatenate([np.diff(batch.starts) for batch in batches])
    return CheckedCounts(
        fault=np.concatenate([batch.fault for batch in batches]),
        area=np.concatenate([batch.area for batch in batches]),
        total=np.concatenate([batch.total for batch in batches]),
        canonical=np.concatenate([batch.canonical for batch in batches]),
        runs=np.concatenate([batch.runs for batch in batches]),
        starts=np.concatenate(([0], np.cumsum(run_counts))),
    )


def _check_compiled(
    buffer: np.ndarray, offsets: np.ndarray, pixels: np.ndarray, keep_runs: bool
) -> CheckedCounts:
    fault, area, total, canonical, run_count = compiled.check_masks(buffer, offsets, pixels)
    starts = np.concatenate(([0], np.cumsum(run_count)))
    runs = compiled.read_runs(buffer, offsets, starts) if keep_runs else np.zeros(0, np.int64)
    return CheckedCounts(fault, area, total, canonical, runs, starts)


def _check_batch(buffer: np.ndarray, offsets: np.ndarray, pixels: np.ndarray) -> CheckedCounts:
    n = len(offsets) - 1
    fault = np.zeros(n, np.int8)
    sizes = np.diff(offsets)
    fault[sizes == 0] = EMPTY
    if len(buffer) == 0:
        zeros = np.zeros(n, np.int64)
        starts = np.zeros(n + 1, np.int64)
        return CheckedCounts(fault, zeros, zeros, np.ones(n, bool), zeros[:0], starts)

    code = buffer.astype(np.int64) - 48
    owner = np.repeat(np.arange(n), sizes)
    _mark(fault, owner[(code < 0) | (code > 63)], CHARACTER)
    code &= 63
    ends = (code & 32) == 0
    last = offsets[1:][sizes > 0] - 1
    _mark(fault, owner[last][~ends[last]], CUT_OFF)
    ends[last] = True  # keeps a cut-off value from running on into the next mask

    end_at = np.flatnonzero(ends)
    begin_at = np.concatenate(([0], end_at[:-1] + 1))
    length = end_at - begin_at + 1
    value_owner = owner[end_at]
    _mark(fault, value_owner[length > LONGEST_VALUE], TOO_LONG)
    place = np.arange(len(code)) - np.repeat(begin_at, length)
    shift = 5 * np.minimum(place, LONGEST_VALUE)  # faulty ones must not overflow either
    value = np.add.reduceat((code & 31) << shift, begin_at)
    signed = (code[end_at] & 16) != 0
    value[signed] -= np.left_shift(1, 5 * np.minimum(length[signed], LONGEST_VALUE + 1))

    per_mask = np.bincount(value_owner, minlength=n)
    starts = np.concatenate(([0], np.cumsum(per_mask)))
    runs = _undo_differences(value, starts, value_owner)

    _mark(fault, value_owner[runs < 0], NEGATIVE)
    _mark(fault, value_owner[runs > MAX_PIXELS], HUGE)
    total = _sums(runs, starts)
    wrong = (total != pixels) & (fault == OK)
    fault[wrong] = SUM
    index = np.arange(len(runs)) - starts[value_owner]
    area = _sums(np.where(index % 2 == 1, runs, 0), starts)
    canonical = np.ones(n, bool)
    canonical[value_owner[(runs == 0) & (index > 0)]] = False
    canonical[value_owner[_is_padded(code, end_at, length)]] = False
    area[fault != OK] = 0
    return CheckedCounts(fault, area, total, canonical, runs, starts)


def _mark(fault: np.ndarray, owners: np.ndarray, code: int) -> None:
    """Note a fault for masks that have none yet: the first one found is the one reported."""
    fresh = owners[fault[owners] == OK]
    fault[fresh] = code


def _undo_differences(value: np.ndarray, starts: np.ndarray, owner: np.ndarray) -> np.ndarray:
    """Add up the chains of every second run: run[j] = value[j] + run[j - 2] from j = 3 on."""
    index = np.arange(len(value)) - starts[owner]
    odd = index % 2 == 1
    even = ~odd & (index > 0)
    runs = value.copy()
    for chain in (odd, even):
        summed = np.cumsum(np.where(chain, value, 0))
        before = np.concatenate(([0], summed))[starts[owner]]
        runs[chain] = (summed - before)[chain]
    return runs


def _is_padded(code: np.ndarray, end_at: np.ndarray, length: np.ndarray) -> np.ndarray:
    """Say which values end in a character that only repeats the sign of the one before."""
    final = code[end_at] & 31
    negative_before = (code[np.maximum(end_at - 1, 0)] & 16) != 0
    repeats: np.ndarray = final == np.where(negative_before, 31, 0)
    return repeats & (length > 1)


def _sums(values: np.ndarray, starts: np.ndarray) -> np.ndarray:
    summed = np.concatenate(([0], np.cumsum(values)))
    sums: np.ndarray = summed[starts[1:]] - summed[starts[:-1]]
    return sums


def merge_zero_runs(runs: np.ndarray) -> np.ndarray:
    """Join the neighbours of runs of length zero, so that equal masks have equal run lengths.

    Args:
        runs: ``(m,)`` int64, background first; zeros may stand anywhere.

    Returns:
        Run lengths without zeros, except a first one when the mask begins with foreground.
    """
    foreground = np.arange(len(runs)) % 2 == 1
    kept = runs > 0
    runs, foreground = runs[kept], foreground[kept]
    if len(runs) == 0:
        return np.zeros(1, np.int64)
    begins = np.flatnonzero(np.concatenate(([True], foreground[1:] != foreground[:-1])))
    joined = np.add.reduceat(runs, begins)
    return np.concatenate(([0], joined)) if foreground[0] else joined


def describe_fault(code: int, *, total: int, size_hw: tuple[int, int]) -> str:
    """Put a fault of :func:`check_counts` into words."""
    height, width = size_hw
    pixels = height * width
    if code == EMPTY:
        return "the run lengths are empty"
    if code == CHARACTER:
        return "the run lengths hold a character that COCO's compressed counts never have"
    if code == CUT_OFF:
        return "the run lengths are cut off in the middle of a number"
    if code == TOO_LONG:
        return "the run lengths hold a number of more than 30 bits"
    if code == NEGATIVE:
        return "the run lengths hold a negative run"
    if code == HUGE:
        return f"the run lengths hold a run of more than {MAX_PIXELS:,} pixels"
    return (
        f"the runs sum to {total:,} pixels, but {height} x {width} (height x width) "
        f"has {pixels:,}"
    )
