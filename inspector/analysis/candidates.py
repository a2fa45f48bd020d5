"""Which slices are looked at: every value of every attribute, and every pair of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from inspector.analysis.coding import Coded

SMALL_EXAMPLES = 30
SMALL_PICTURES = 10


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """A set of examples.

    Attributes:
        parts: One or two (attribute key, value) that all of them have.
        label: The same for people.
        places: ``(k,)`` int, the examples, ascending.
        pictures: How many different pictures they are on.
        is_small: Fewer than 30 examples or 10 pictures, in the slice or in the rest.
    """

    parts: tuple[tuple[str, str], ...]
    label: str
    places: np.ndarray
    pictures: int
    is_small: bool


def find_candidates(
    coded: Sequence[Coded], image: np.ndarray, counted: np.ndarray, *, pairs: bool,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[list[Candidate], int]:
    """List the slices among the examples that count.

    Args:
        coded: The attributes.
        image: ``(n,)`` int, picture of each example.
        counted: ``(n,)`` bool, the examples that count under the protocol.
        pairs: Whether to look at pairs of values of two attributes too.
        progress: Called with (done, all).

    Returns:
        Single slices, small ones included, then pairs that are not small; and the number of small
        pairs. A pair that holds the same examples as one of its two values is left out: it is
        the same question once more.
    """
    rows = np.flatnonzero(counted)
    everywhere = _Counter(image, rows)
    singles = [
        everywhere.candidate(((one.key, value),), _label(one, value), places)
        for one in coded
        for value, places in zip(one.values, _split(one, rows), strict=True)
        if len(places) and (not one.is_flag or value == one.values[0])
    ]
    sizes = {candidate.parts[0]: len(candidate.places) for candidate in singles}
    found: list[Candidate] = []
    small = done = 0
    total = len(coded) * (len(coded) - 1) // 2
    for place, first in enumerate(coded if pairs else ()):
        for second in coded[place + 1 :]:
            crossed, fewer = _cross(first, second, everywhere, sizes)
            found += crossed
            small += fewer
            done += 1
            if progress:
                progress(done, total)
    return singles + found, small


class _Counter:
    """Counts pictures and judges what is small among the examples that count."""

    def __init__(self, image: np.ndarray, rows: np.ndarray) -> None:
        self.image, self.rows = image, rows
        self.per_picture = np.bincount(image[rows])
        self.pictures = int(np.count_nonzero(self.per_picture))

    def candidate(
        self, parts: tuple[tuple[str, str], ...], label: str, places: np.ndarray
    ) -> Candidate:
        inside = np.bincount(self.image[places], minlength=len(self.per_picture))
        pictures = int(np.count_nonzero(inside))
        left = int(np.count_nonzero(self.per_picture > inside))
        is_small = (
            min(len(places), len(self.rows) - len(places)) < SMALL_EXAMPLES
            or min(pictures, left) < SMALL_PICTURES
        )
        return Candidate(parts, label, places, pictures, is_small)


def _label(coded: Coded, value: str) -> str:
    return coded.label if coded.is_flag else f"{coded.label}: {value}"


def _split(coded: Coded, rows: np.ndarray) -> list[np.ndarray]:
    """Give the examples of each value."""
    codes = coded.codes[rows]
    order = rows[np.argsort(codes, kind="stable")]
    ends = np.searchsorted(np.sort(codes), np.arange(len(coded.values) + 1))
    return [order[begin:end] for begin, end in zip(ends[:-1], ends[1:], strict=True)]


def _cross(
    first: Coded, second: Coded, everywhere: _Counter, sizes: dict[tuple[str, str], int]
) -> tuple[list[Candidate], int]:
    rows = everywhere.rows
    ones, others = first.codes[rows].astype(np.int64), second.codes[rows]
    there = (ones >= 0) & (others >= 0)
    if first.is_flag:
        there &= ones == 0
    if second.is_flag:
        there &= others == 0
    width = len(second.values)
    codes = ones[there] * width + others[there]
    order = rows[there][np.argsort(codes, kind="stable")]
    values, begins, counts = np.unique(np.sort(codes), return_index=True, return_counts=True)
    found, small = [], 0
    for code, begin, count in zip(
        values.tolist(), begins.tolist(), counts.tolist(), strict=True
    ):
        a, b = first.values[code // width], second.values[code % width]
        parts = (first.key, a), (second.key, b)
        if count in (sizes[parts[0]], sizes[parts[1]]):
            continue
        if count < SMALL_EXAMPLES:
            small += 1
            continue
        label = f"{_label(first, a)} · {_label(second, b)}"
        candidate = everywhere.candidate(parts, label, order[begin : begin + count])
        if candidate.is_small:
            small += 1
        else:
            found.append(candidate)
    return found, small
