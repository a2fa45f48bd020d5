"""Whether two runs differ: swap them picture by picture and see how often that matters."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

PERMUTATIONS = 9_999
_EXACT_PICTURES = 13  # 2**13 = 8,192 ways to swap are all tried
_NUMBERS_AT_ONCE = 4_000_000


def swaps(
    pictures: int, permutations: int = PERMUTATIONS, seed: int = 0
) -> Iterator[np.ndarray]:
    """Choose the pictures on which the runs are swapped.

    All ways if there are at most 13 pictures, else random ones.

    Yields:
        ``(b, pictures)`` float64 of 0 and 1.
    """
    if pictures <= _EXACT_PICTURES:
        numbers = np.arange(2**pictures)[:, None]
        yield ((numbers >> np.arange(pictures)) & 1).astype(np.float64)
        return
    rng = np.random.default_rng(seed)
    block = max(1, min(permutations, _NUMBERS_AT_ONCE // pictures, 1_000))
    for begin in range(0, permutations, block):
        rows = min(block, permutations - begin)
        yield rng.integers(0, 2, (rows, pictures), dtype=np.int8).astype(np.float64)


def permutation_test(
    first: tuple[np.ndarray, np.ndarray], second: tuple[np.ndarray, np.ndarray], *,
    permutations: int = PERMUTATIONS, seed: int = 0,
) -> np.ndarray:
    """Test whether ratios of two runs differ, paired by picture.

    If the runs are equally good, nothing changes in distribution when their results on a
    picture are swapped (for a mean this flips the sign of the picture's difference). All examples
    of a picture are swapped together, as they are not independent. p is the share of swaps whose
    difference is at least as far from 0 as the one found, that one counted in.

    Args:
        first: Numerator and denominator by picture, ``(pictures, k)`` each, of ``k`` numbers.
        second: The same of the other run.
        permutations: Random swaps; all are tried with at most 13 pictures.
        seed: Of the random swaps.

    Returns:
        ``(k,)`` two-sided p-values; NaN where a number is not defined.
    """
    used = (first[1] > 0).any(axis=1) | (second[1] > 0).any(axis=1)
    a, b, c, d = (part[used] for part in (*first, *second))
    pictures = len(a)
    sums = [part.sum(axis=0) for part in (a, b, c, d)]
    with np.errstate(divide="ignore", invalid="ignore"):
        found = np.abs(sums[0] / sums[1] - sums[2] / sums[3])
        reached, tried = np.zeros(a.shape[1]), 0
        for chosen in swaps(pictures, permutations, seed):
            above, below = chosen @ (c - a), chosen @ (d - b)
            swapped = (sums[0] + above) / (sums[1] + below) - (sums[2] - above) / (sums[3] - below)
            reached += (np.abs(swapped) >= found * (1 - 1e-9) - 1e-12).sum(axis=0)
            tried += len(chosen)
    exact = pictures <= _EXACT_PICTURES
    p = reached / tried if exact else (reached + 1) / (tried + 1)
    return np.where(np.isnan(found), np.nan, p)
