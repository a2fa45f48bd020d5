"""Words that go with failure within the same target, where object and picture are held fixed."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from math import comb, inf
from typing import NamedTuple

import numpy as np

from inspector.analysis.language import tokens_of
from inspector.analysis.multiple import benjamini_hochberg
from inspector.core.dataset import Dataset
from inspector.core.protocol import ScoredExamples

FEWEST_TARGETS = 10
ALPHA = 0.05

class Stratum(NamedTuple):
    """One target and one word: sentences, failing ones, those with the word, failing of those."""

    sentences: int
    failed: int
    having: int
    both: int


@dataclass(frozen=True, slots=True)
class Blame:
    """One word.

    Attributes:
        word: In lower case.
        targets: Targets that tell something: some sentences fail and some do not, some have the
            word and some do not.
        sentences: Their sentences with the word.
        failing: Of these, the ones that fail.
        expected: How many would fail if failing had nothing to do with the word.
        odds_ratio: Mantel-Haenszel; above 1 the word goes with failure. Infinite where no
            sentence with the word passes (or no other fails).
        p: Exact two-sided conditional test.
        q: ``p`` corrected for all words tested (Benjamini-Hochberg).
        is_found: q <= 0.05.
    """

    word: str
    targets: int
    sentences: int
    failing: int
    expected: float
    odds_ratio: float
    p: float
    q: float
    is_found: bool


def blame_words(dataset: Dataset, scored: ScoredExamples) -> tuple[Blame, ...]:
    """Compare failing and passing sentences of the same target, word by word.

    A sentence fails with IoU below 0.5. Words that fewer than ten targets tell something about are
    not tested.

    Within a target of k sentences of which f fail, a word that stands in x of them and has
    nothing to do with failing is in a hypergeometric number of failing ones; over the targets
    these numbers are added up and their exact distribution is computed (no normal approximation,
    no seed). Targets are taken as independent given how many of their sentences fail.

    Source: the exact conditional test of 2 x 2 x K tables; the odds ratio is that of Mantel and
    Haenszel, 1959, J. Natl. Cancer Inst. 22, 719-748.

    Args:
        dataset: The sentences.
        scored: One run under its protocol; examples that do not count are left out.

    Returns:
        One entry a word tested, the smallest p first.
    """
    strata = {
        word: found for word, found in _strata(dataset, scored).items()
        if len(found) >= FEWEST_TARGETS
    }
    p = np.array([_exact_p(found) for found in strata.values()])
    q = benjamini_hochberg(p)
    blamed = [
        _blame(word, found, float(p[row]), float(q[row]))
        for row, (word, found) in enumerate(strata.items())
    ]
    return tuple(sorted(blamed, key=lambda one: (one.p, one.word)))


def _blame(word: str, found: list[Stratum], p: float, q: float) -> Blame:
    with_word = sum(s.both * (s.sentences - s.failed - s.having + s.both) / s.sentences
                    for s in found)
    without = sum((s.having - s.both) * (s.failed - s.both) / s.sentences for s in found)
    return Blame(
        word, len(found), sum(s.having for s in found), sum(s.both for s in found),
        sum(s.having * s.failed / s.sentences for s in found),
        with_word / without if without else inf, p, q, q <= ALPHA,
    )


def _strata(dataset: Dataset, scored: ScoredExamples) -> dict[str, list[Stratum]]:
    """Find, for each word, the targets that tell something about it."""
    fails = ~scored.passes(1, 2)
    groups: dict[int, list[int]] = defaultdict(list)
    for row in np.flatnonzero(scored.counts & scored.has_target).tolist():
        groups[int(scored.referent[row])].append(row)
    strata: dict[str, list[Stratum]] = defaultdict(list)
    for rows in groups.values():
        failed = int(fails[rows].sum())
        if not 0 < failed < len(rows):
            continue
        having: dict[str, list[int]] = defaultdict(list)
        for row in rows:
            for word in set(tokens_of(dataset.expressions.sentences[row])):
                having[word].append(row)
        for word, own in having.items():
            if len(own) < len(rows):
                strata[word].append(
                    Stratum(len(rows), failed, len(own), int(fails[own].sum()))
                )
    return strata


def _exact_p(found: list[Stratum]) -> float:
    """Add up the probabilities of all totals that are no more likely than the one observed."""
    whole = np.ones(1)
    kinds = Counter((s.sentences, s.failed, s.having) for s in found)
    for (sentences, failed, having), number in sorted(kinds.items()):
        whole = np.convolve(whole, _power(_hypergeometric(sentences, failed, having), number))
    probability = whole[sum(s.both for s in found)]
    return min(float(whole[whole <= probability * (1 + 1e-9)].sum()), 1.0)


def _hypergeometric(sentences: int, failed: int, having: int) -> np.ndarray:
    """Probabilities of 0, 1 … failing sentences among those with the word."""
    ways = [
        comb(having, k) * comb(sentences - having, failed - k) if k <= failed else 0
        for k in range(having + 1)
    ]
    probabilities: np.ndarray = np.array(ways) / comb(sentences, failed)
    return probabilities


def _power(probabilities: np.ndarray, number: int) -> np.ndarray:
    """Distribution of the sum of ``number`` independent draws."""
    result = np.ones(1)
    while number:
        if number & 1:
            result = np.convolve(result, probabilities)
        number >>= 1
        if number:
            probabilities = np.convolve(probabilities, probabilities)
    return result
