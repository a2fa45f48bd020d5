"""Is one run really better than another: intervals, a test, and how firm the order is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from inspector.analysis.measures import Measure, Terms, measure_of, terms_of
from inspector.analysis.multiple import holm
from inspector.analysis.outcomes import TIE_MARGIN, Outcome, outcomes_of
from inspector.analysis.permutation import PERMUTATIONS, permutation_test
from inspector.analysis.ranking import Ranking, rank_runs
from inspector.core.bootstrap import (
    RESAMPLES,
    SEED,
    Interval,
    Sums,
    bootstrap,
    interval_of,
)
from inspector.core.errors import UsageError
from inspector.core.protocol import ScoredExamples

MOST_RUNS = 10
COMPARED = ("mIoU", "oIoU", "P@0.5", "P@0.6", "P@0.7", "P@0.8", "P@0.9")

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class RunNumber:
    """One measure of one run; ``value`` is a fraction, None where it is not defined."""

    run: str
    measure: str
    value: float | None
    interval: Interval | None


@dataclass(frozen=True, slots=True)
class Difference:
    """One measure of two runs, on the examples that count in both.

    Attributes:
        first, second: Names of the runs.
        measure: Key of the measure.
        value: First less second, a fraction.
        interval: 95 %, paired bootstrap over pictures.
        p: Paired permutation test over pictures, two-sided.
        p_adjusted: ``p`` corrected for all pairs of runs (Holm).
    """

    first: str
    second: str
    measure: str
    value: float | None
    interval: Interval | None
    p: float | None
    p_adjusted: float | None


@dataclass(frozen=True, slots=True)
class Tally:
    """Examples that the first run wins, ties and loses against the second."""

    first: str
    second: str
    wins: int
    ties: int
    losses: int
    left_out: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """Runs against each other.

    Attributes:
        runs: Their names.
        numbers: Every measure of every run.
        differences: Every measure of every pair of runs.
        tallies: Wins, ties and losses of every pair.
        rankings: One a measure that all runs have.
        pictures, resamples, permutations, seed, margin: How it was made.
    """

    runs: tuple[str, ...]
    numbers: tuple[RunNumber, ...]
    differences: tuple[Difference, ...]
    tallies: tuple[Tally, ...]
    rankings: tuple[Ranking, ...]
    pictures: int
    resamples: int
    permutations: int
    seed: int
    margin: float


def compare_runs(
    runs: Sequence[tuple[str, ScoredExamples]], image: np.ndarray, *,
    measures: Sequence[str] = COMPARED, resamples: int = RESAMPLES,
    permutations: int = PERMUTATIONS, seed: int = SEED, margin: float = TIE_MARGIN,
    progress: Progress | None = None,
) -> Comparison:
    """Compare two to ten runs of one data set under one protocol.

    All runs are measured on the same resampled pictures, so that intervals of differences are
    paired. A measure that is not defined on a run (oIoU of stated IoUs) stands there as None. Runs
    that are equal to the last digit tie: they have no order and share their ranks.

    Args:
        runs: Names and scored examples.
        image: ``(n,)`` int, picture of each example.
        measures: Keys of measures.
        resamples: Of the bootstrap.
        permutations: Of the test.
        seed: Of both.
        margin: IoU within which an example is a tie.
        progress: Called with (what, done, all).

    Raises:
        UsageError: If there are fewer than two or more than ten runs.
    """
    if not 2 <= len(runs) <= MOST_RUNS:
        raise UsageError(f"From 2 to {MOST_RUNS} runs can be compared, but got {len(runs)}.")
    _, image = np.unique(image, return_inverse=True)
    pictures = int(image.max()) + 1 if len(image) else 0
    names = [name for name, _ in runs]
    numbers: list[RunNumber] = []
    differences: list[Difference] = []
    rankings: list[Ranking] = []
    for done, key in enumerate(measures):
        if progress:
            progress("compare", done, len(measures))
        each = _Resampled(measure_of(key), runs, image, pictures, resamples, seed)
        numbers += each.numbers()
        differences += each.differences(permutations)
        rankings += each.ranking()
    if progress:
        progress("compare", len(measures), len(measures))
    tallies = [
        _tally(first, second, margin) for first, second in combinations(runs, 2)
    ]
    return Comparison(
        tuple(names), tuple(numbers), tuple(differences), tuple(tallies), tuple(rankings),
        pictures, resamples, permutations, seed, margin,
    )


class _Resampled:
    """One measure of all runs, on the pictures and on the same resamples of them."""

    def __init__(
        self, measure: Measure, runs: Sequence[tuple[str, ScoredExamples]], image: np.ndarray,
        pictures: int, resamples: int, seed: int,
    ) -> None:
        self.measure, self.runs, self.seed = measure, runs, seed
        self.image, self.pictures = image, pictures
        self.names = [name for name, _ in runs]
        self.terms = [self._terms(scored) for _, scored in runs]
        self.pairs = list(combinations(range(len(runs)), 2))
        columns = [self._sums(terms, None) for terms in self.terms]
        self.is_shared = self._all_count_alike()
        if not self.is_shared:
            for first, second in self.pairs:
                both = self._both(first, second)
                columns += [self._sums(self.terms[first], both),
                            self._sums(self.terms[second], both)]
        above, below = (np.stack(part, axis=1) for part in zip(*columns, strict=True))
        used = (below > 0).any(axis=1)
        self.sums = Sums(above[used], below[used])
        self.drawn = bootstrap(self.sums, resamples=resamples, seed=seed)
        self.values = self.sums.ratio
        self.counts = (self.sums.denominator > 0).sum(axis=0)

    def _terms(self, scored: ScoredExamples) -> Terms | None:
        try:
            return terms_of(self.measure, scored)
        except UsageError:  # not defined on this run; the others have it
            return None

    def _both(self, first: int, second: int) -> np.ndarray:
        one, other = self.terms[first], self.terms[second]
        if one is None or other is None:
            return np.zeros(0, np.int64)
        return np.flatnonzero((one.denominator > 0) & (other.denominator > 0))

    def _all_count_alike(self) -> bool:
        counted = [None if terms is None else terms.denominator > 0 for terms in self.terms]
        first = counted[0]
        return first is not None and all(
            one is not None and np.array_equal(one, first) for one in counted[1:]
        )

    def _sums(
        self, terms: Terms | None, chosen: np.ndarray | None
    ) -> tuple[np.ndarray, np.ndarray]:
        if terms is None:
            return np.zeros(self.pictures), np.zeros(self.pictures)
        return terms.per_picture(self.image, self.pictures, chosen)

    def _columns(self, number: int) -> tuple[int, int]:
        """Where the two runs of a pair stand, on the examples that count in both."""
        if self.is_shared:
            return self.pairs[number]
        begin = len(self.names) + 2 * number
        return begin, begin + 1

    def numbers(self) -> list[RunNumber]:
        """Give the measure of each run."""
        return [
            RunNumber(name, self.measure.key, _number(self.values[row]),
                      interval_of(self.drawn[:, row], int(self.counts[row])))
            for row, name in enumerate(self.names)
        ]

    def differences(self, permutations: int) -> list[Difference]:
        """Give the difference of each pair of runs."""
        if not self.pairs:
            return []
        left, right = (
            np.array(side) for side in zip(
                *(self._columns(number) for number in range(len(self.pairs))), strict=True)
        )
        sums = self.sums
        p = permutation_test(
            (sums.numerator[:, left], sums.denominator[:, left]),
            (sums.numerator[:, right], sums.denominator[:, right]),
            permutations=permutations, seed=self.seed,
        )
        adjusted = np.full(len(p), np.nan)
        adjusted[~np.isnan(p)] = holm(p[~np.isnan(p)])
        return [
            Difference(
                self.names[a], self.names[b], self.measure.key,
                _number(self.values[one] - self.values[other]),
                interval_of(self.drawn[:, one] - self.drawn[:, other], int(self.counts[one])),
                _number(p[number]), _number(adjusted[number]),
            )
            for number, ((a, b), one, other) in enumerate(
                zip(self.pairs, left.tolist(), right.tolist(), strict=True))
        ]

    def ranking(self) -> list[Ranking]:
        """Give the order of the runs; none where a run has no number."""
        k = len(self.names)
        found = rank_runs(self.measure.key, self.names, self.values[:k], self.drawn[:, :k])
        return [found] if found else []


def _tally(
    first: tuple[str, ScoredExamples], second: tuple[str, ScoredExamples], margin: float
) -> Tally:
    found = outcomes_of(first[1], second[1], margin=margin)
    counts = [int((found == kind).sum()) for kind in (
        Outcome.WIN, Outcome.TIE, Outcome.LOSS, Outcome.LEFT_OUT)]
    return Tally(first[0], second[0], *counts)


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
