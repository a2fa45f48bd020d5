"""Intervals by resampling whole pictures: sentences of one picture are not independent."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from inspector.core.student import normal_below, t_975

RESAMPLES = 2_000
SEED = 0
_NUMBERS_AT_ONCE = 4_000_000


@dataclass(frozen=True, slots=True)
class Interval:
    """A 95 % interval; both ends in the unit of the number."""

    low: float
    high: float


@dataclass(frozen=True, slots=True, eq=False)
class Sums:
    """Numbers that are ratios of two sums over pictures.

    Attributes:
        numerator: ``(pictures, k)`` float64, what each picture adds to each of ``k`` numbers.
        denominator: ``(pictures, k)`` float64.
    """

    numerator: np.ndarray
    denominator: np.ndarray

    @property
    def ratio(self) -> np.ndarray:
        """``(k,)`` the numbers themselves; NaN where the denominator is 0."""
        return divide(self.numerator.sum(axis=0), self.denominator.sum(axis=0))


def divide(numerator: np.ndarray, denominator: np.ndarray) -> np.ndarray:
    """Divide; NaN where there is nothing to divide by."""
    return np.asarray(np.divide(
        numerator, denominator, out=np.full(np.shape(numerator), np.nan), where=denominator > 0
    ))


def resample_weights(
    pictures: int, resamples: int = RESAMPLES, seed: int = SEED
) -> Iterator[np.ndarray]:
    """Draw the pictures anew, with replacement, and say how often each was drawn.

    Each resample draws as many pictures as there are (multinomial counts, all equally likely).
    The same seed gives the same resamples whatever is measured on them, so that runs and slices
    are compared on the same ones.

    Yields:
        ``(b, pictures)`` float64, ``b`` resamples at a time.
    """
    rng = np.random.default_rng(seed)
    block = max(1, min(resamples, _NUMBERS_AT_ONCE // max(pictures, 1), 500))
    for begin in range(0, resamples, block):
        rows = min(block, resamples - begin)
        drawn = rng.integers(0, pictures, (rows, pictures))
        drawn += np.arange(rows)[:, None] * pictures
        counts = np.bincount(drawn.ravel(), minlength=rows * pictures)
        yield counts.reshape(rows, pictures).astype(np.float64)


def bootstrap(sums: Sums, *, resamples: int = RESAMPLES, seed: int = SEED) -> np.ndarray:
    """Compute ratios on resampled pictures.

    Returns:
        ``(resamples, k)`` float64; NaN where a resample holds nothing that counts.
    """
    pictures = len(sums.numerator)
    drawn = np.empty((resamples, sums.numerator.shape[1]))
    done = 0
    for weights in resample_weights(pictures, resamples, seed) if pictures else ():
        rows = slice(done, done + len(weights))
        drawn[rows] = divide(weights @ sums.numerator, weights @ sums.denominator)
        done += len(weights)
    drawn[done:] = np.nan
    return drawn


def interval_ends(drawn: np.ndarray, pictures: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Take 95 % intervals of resampled numbers: expanded percentiles.

    Plain percentiles are too narrow with few pictures (they leave out the factor
    sqrt(G / (G - 1)) and Student's t), so they are taken further out: at
    Φ(-t sqrt(G / (G - 1))), where t is the 97.5 % quantile of Student's t with G - 1 degrees of
    freedom and G the number of pictures. With many pictures these are the 2.5 and 97.5
    percentiles.

    Source: Hesterberg, 2015, "What Teachers Should Know About the Bootstrap", The American
    Statistician 69, 371-386 (expanded percentile interval).

    Args:
        drawn: ``(resamples, k)``; NaN are left out.
        pictures: ``(k,)`` int, how many pictures each number rests on.

    Returns:
        ``(k,)`` lower and upper ends; NaN with fewer than two pictures or no resample.
    """
    ordered = np.sort(drawn, axis=0)
    valid = np.count_nonzero(~np.isnan(ordered), axis=0)
    levels = np.array([_expanded_level(number) for number in pictures.tolist()])
    usable = (valid > 0) & (pictures > 1)
    return (
        np.where(usable, _quantile(ordered, valid, levels), np.nan),
        np.where(usable, _quantile(ordered, valid, 1 - levels), np.nan),
    )


def _expanded_level(pictures: int) -> float:
    if pictures < 2:
        return 0.0
    return normal_below(-t_975(pictures - 1) * math.sqrt(pictures / (pictures - 1)))


def _quantile(ordered: np.ndarray, valid: np.ndarray, level: np.ndarray) -> np.ndarray:
    """Interpolate in sorted columns whose first ``valid`` rows are numbers."""
    if not len(ordered):
        return np.full(len(level), np.nan)
    place = np.clip(level * (valid - 1), 0, np.maximum(valid - 1, 0))
    below = np.floor(place).astype(int)
    above = np.minimum(below + 1, np.maximum(valid - 1, 0))
    columns = np.arange(ordered.shape[1])
    share = place - below
    ends: np.ndarray = ordered[below, columns] * (1 - share) + ordered[above, columns] * share
    return ends


def interval_of(drawn: np.ndarray, pictures: int) -> Interval | None:
    """Take the interval of one resampled number; None where it is not defined."""
    low, high = interval_ends(drawn[:, None], np.array([pictures]))
    return None if np.isnan(low[0]) else Interval(float(low[0]), float(high[0]))
