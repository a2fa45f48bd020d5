"""Which kinds of examples fail more than the rest, with what certainty."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from inspector.analysis.candidates import Candidate, find_candidates
from inspector.analysis.coding import Coded
from inspector.analysis.measures import Sides, Terms, measure_of, sides_of
from inspector.analysis.multiple import benjamini_hochberg
from inspector.core.bootstrap import (
    SEED,
    Interval,
    Sums,
    divide,
    interval_ends,
    resample_weights,
)
from inspector.core.errors import UsageError
from inspector.core.protocol import ScoredExamples
from inspector.core.student import t_two_sided

RESAMPLES = 1_000
ALPHA = 0.05
_AT_ONCE = 400  # slices measured together

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Slice:
    """One kind of examples.

    Attributes:
        parts: One or two (attribute key, value).
        label: The same for people.
        n, pictures: Examples that count, and pictures that they are on.
        mean: The measure over the slice, a fraction (of two runs: A less B); None if undefined.
        mean_interval: Its 95 % interval; None where the slice is small.
        difference: ``mean`` less the measure over all other examples.
        interval: 95 % interval of ``difference``; None where the slice is small.
        p: Two-sided p-value of no difference; None where the slice is small: it was not tested.
        q: ``p`` corrected for all slices tested (Benjamini-Hochberg).
        is_small: Fewer than 30 examples or 10 pictures, here or in the rest.
        is_found: q <= 0.05.
    """

    parts: tuple[tuple[str, str], ...]
    label: str
    n: int
    pictures: int
    mean: float | None
    mean_interval: Interval | None
    difference: float | None
    interval: Interval | None
    p: float | None
    q: float | None
    is_small: bool
    is_found: bool


@dataclass(frozen=True, slots=True)
class SliceReport:
    """All slices that were looked at.

    Attributes:
        measure: Key of the measure.
        n, pictures, mean: Of all examples that count.
        slices: Found ones first, then by p; small ones last.
        tested: How many were tested, for which q is corrected.
        small_pairs: Pairs too small to be listed.
        resamples, seed: Of the intervals.
    """

    measure: str
    n: int
    pictures: int
    mean: float | None
    slices: tuple[Slice, ...]
    tested: int
    small_pairs: int
    resamples: int
    seed: int


def find_slices(
    coded: Sequence[Coded], image: np.ndarray, scored: ScoredExamples, *,
    against: ScoredExamples | None = None, measure: str = "mIoU", pairs: bool = False,
    resamples: int = RESAMPLES, seed: int = SEED, progress: Progress | None = None,
) -> SliceReport:
    """Measure every slice against all other examples, and say which differ.

    The interval is a bootstrap over pictures (see :mod:`inspector.core.bootstrap`). The
    p-value is that of Student's t of difference / standard error, where the standard error is
    the larger of two: the one from the pictures' own contributions (linearised, robust to any
    dependence inside a picture), and, for means, the one that would hold if the slice were like
    the rest (variance and correlation inside pictures taken from all examples). The first alone
    is far too small where by chance a small slice has nearly equal values. Degrees of freedom
    are the slice's effective number of pictures less 1, (Σ w)² / Σ w² - 1 over its examples a
    picture, w. Small slices are not tested.

    Source: ratio estimators of cluster samples (Cochran, 1977, ch. 11); correction over all
    slices tested: Benjamini and Hochberg, 1995.

    Args:
        coded: Attributes from :func:`inspector.analysis.coding.code_dataset`.
        image: ``(n,)`` int, picture of each example (``dataset.expressions.image``).
        scored: One run under its protocol.
        against: Another; then everything is about ``scored`` less ``against``, on the examples
            that count in both.
        measure: Key of :data:`inspector.analysis.measures.MEASURES`.
        pairs: Whether to look at pairs of values too.
        resamples: Of the bootstrap; 0 leaves the intervals out.
        seed: Of the bootstrap.
        progress: Called with (what, done, all).

    Raises:
        UsageError: If the measure is unknown or not defined on these examples.
    """
    chosen = measure_of(measure)
    sides = sides_of(chosen, scored, against)
    counted = sides[0][1].denominator > 0
    for _, terms in sides[1:]:
        counted = counted & (terms.denominator > 0)
    if not counted.any():
        raise UsageError(
            f"{chosen.label} is not defined: no example counts. Choose another measure."
        )
    pictures, image = np.unique(image, return_inverse=True)
    candidates, small_pairs = find_candidates(
        coded, image, counted, pairs=pairs,
        progress=(lambda done, total: progress("pairs", done, total)) if progress else None,
    )
    measured = []
    for begin in range(0, len(candidates), _AT_ONCE):
        if progress:
            progress("slices", begin, len(candidates))
        some = candidates[begin : begin + _AT_ONCE]
        measured.append(_Measured(sides, image, len(pictures), some))
    p = np.concatenate([part.p for part in measured]) if measured else np.zeros(0)
    q = benjamini_hochberg(p)
    slices: list[Slice] = []
    for number, part in enumerate(measured):
        begin = number * _AT_ONCE
        slices += part.slices(p[begin:], q[begin:], resamples, seed)
        if progress:
            progress("intervals", number + 1, len(measured))
    slices.sort(key=lambda one: (one.is_small, not one.is_found, 1.0 if one.p is None else one.p))
    overall = sum(sign * _ratio(terms, image, len(pictures)) for sign, terms in sides)
    return SliceReport(
        measure, int(counted.sum()), len(np.unique(image[counted])), float(overall),
        tuple(slices), int(np.count_nonzero(~np.isnan(p))), small_pairs, resamples, seed,
    )


def _ratio(terms: Terms, image: np.ndarray, pictures: int) -> float:
    numerator, denominator = terms.per_picture(image, pictures)
    return float(numerator.sum() / denominator.sum())


class _Measured:
    """Some slices with the sums of their pictures, inside and outside."""

    def __init__(
        self, sides: Sides, image: np.ndarray, pictures: int, candidates: Sequence[Candidate]
    ) -> None:
        self.candidates, self.sides = candidates, sides
        self.image, self.all_pictures = image, pictures
        self.inside: list[Sums] = []
        self.outside: list[Sums] = []
        for _, terms in sides:
            inside, outside = self._sum_up(terms)
            self.inside.append(inside)
            self.outside.append(outside)
        self.mean = self._signed([sums.ratio for sums in self.inside])
        self.difference = self.mean - self._signed([sums.ratio for sums in self.outside])
        self.is_small = np.array([one.is_small for one in candidates], bool)
        self.p = self._test()

    def _signed(self, values: Sequence[np.ndarray]) -> np.ndarray:
        signs = [sign for sign, _ in self.sides]
        return np.asarray(sum(sign * value for sign, value in zip(signs, values, strict=True)))

    def _sum_up(self, terms: Terms) -> tuple[Sums, Sums]:
        total = terms.per_picture(self.image, self.all_pictures)
        shape = self.all_pictures, len(self.candidates)
        inside, outside = Sums(np.empty(shape), np.empty(shape)), Sums(np.empty(shape),
                                                                      np.empty(shape))
        everything = np.arange(len(self.image))
        for column, candidate in enumerate(self.candidates):
            own = terms.per_picture(self.image, self.all_pictures, candidate.places)
            if terms.referent is None:
                rest = total[0] - own[0], total[1] - own[1]
            else:
                others = np.delete(everything, candidate.places)
                rest = terms.per_picture(self.image, self.all_pictures, others)
            inside.numerator[:, column], inside.denominator[:, column] = own
            outside.numerator[:, column], outside.denominator[:, column] = rest
        return inside, outside

    def _test(self) -> np.ndarray:
        variance = self._robust_variance()
        if self.sides[0][1].is_mean:
            variance = np.maximum(variance, self._null_variance())
        weights = self.inside[0].denominator
        effective = divide(weights.sum(axis=0) ** 2, (weights**2).sum(axis=0))
        usable = ~self.is_small & (variance > 0) & ~np.isnan(self.difference) & (effective > 1)
        t = np.divide(self.difference, np.sqrt(variance), out=np.zeros(len(variance)),
                      where=usable)
        p = t_two_sided(t, np.where(usable, effective - 1, 1.0))
        is_same = ~self.is_small & ~usable & (self.difference == 0)  # nothing varies at all
        return np.where(usable, p, np.where(is_same, 1.0, np.nan))

    def _robust_variance(self) -> np.ndarray:
        """Square and add what each picture contributes to the difference."""
        influence = np.zeros((self.all_pictures, len(self.candidates)))
        counted = np.zeros(self.all_pictures, bool)
        for (sign, _), inside, outside in zip(self.sides, self.inside, self.outside, strict=True):
            for part, direction in ((inside, sign), (outside, -sign)):
                whole = part.denominator.sum(axis=0)
                residual = part.numerator - np.nan_to_num(part.ratio) * part.denominator
                influence += direction * np.nan_to_num(divide(residual, whole[None, :]
                                                              + np.zeros_like(residual)))
            counted |= (inside.denominator[:, :1] + outside.denominator[:, :1] > 0)[:, 0]
        pictures = max(int(counted.sum()), 2)
        found: np.ndarray = (influence**2).sum(axis=0) * pictures / (pictures - 1)
        return found

    def _null_variance(self) -> np.ndarray:
        """Give the variance of the difference if the slice were like the rest."""
        terms = self.sides[0][1]
        values, _, where = terms.units(self.image)
        residual = values - values.mean()
        sigma = float(residual.var())
        per_picture = np.bincount(where, residual, self.all_pictures)
        number = np.bincount(where, minlength=self.all_pictures)
        pairs = float((number * (number - 1)).sum())
        shared = float((per_picture**2).sum() - (residual**2).sum())
        rho = min(max(shared / pairs / sigma, 0.0), 1.0) if pairs and sigma else 0.0
        inside, outside = self.inside[0].denominator, self.outside[0].denominator
        own, rest = inside.sum(axis=0), outside.sum(axis=0)
        with np.errstate(divide="ignore", invalid="ignore"):
            alone = 1 / own + 1 / rest
            together = ((inside / own - outside / rest) ** 2).sum(axis=0)
            found: np.ndarray = np.nan_to_num(sigma * ((1 - rho) * alone + rho * together))
        return found

    def slices(
        self, p: np.ndarray, q: np.ndarray, resamples: int, seed: int
    ) -> list[Slice]:
        """Put everything together; the intervals are made here."""
        large = np.flatnonzero(~self.is_small)
        mean, difference = self._intervals(large, resamples, seed)
        return [
            Slice(
                one.parts, one.label, len(one.places), one.pictures,
                _number(self.mean[row]), mean.get(row), _number(self.difference[row]),
                difference.get(row), _number(p[row]), _number(q[row]), one.is_small,
                bool(q[row] <= ALPHA),
            )
            for row, one in enumerate(self.candidates)
        ]

    def _intervals(
        self, rows: np.ndarray, resamples: int, seed: int
    ) -> tuple[dict[int, Interval], dict[int, Interval]]:
        if not resamples or not len(rows):
            return {}, {}
        there = sum(s.denominator.sum(axis=1) for s in (self.inside[0], self.outside[0])) > 0
        mean, difference = np.empty((2, resamples, len(rows)))
        done = 0
        kept = [
            [(part.numerator[np.ix_(there, rows)], part.denominator[np.ix_(there, rows)])
             for part in parts] for parts in (self.inside, self.outside)
        ]
        for weights in resample_weights(int(there.sum()), resamples, seed):
            inside, outside = (
                self._signed([divide(weights @ above, weights @ below) for above, below in parts])
                for parts in kept
            )
            block = slice(done, done + len(weights))
            mean[block], difference[block] = inside, inside - outside
            done += len(weights)
        pictures = np.array([self.candidates[row].pictures for row in rows.tolist()])
        return _by_row(rows, mean, pictures), _by_row(rows, difference, pictures)


def _by_row(rows: np.ndarray, drawn: np.ndarray, pictures: np.ndarray) -> dict[int, Interval]:
    low, high = interval_ends(drawn, pictures)
    return {
        row: Interval(float(low[place]), float(high[place]))
        for place, row in enumerate(rows.tolist()) if not np.isnan(low[place])
    }


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
