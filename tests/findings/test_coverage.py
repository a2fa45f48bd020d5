"""Whether intervals of a review hold the truth as often as they say.

Small by default; INSPECTOR_LONG=1 runs more rounds over more populations. Seeds are fixed.
"""

from __future__ import annotations

import math
import os
from fractions import Fraction

import numpy as np
import pytest

from inspector.findings.estimating import Counted, estimate_share, exact_limits
from inspector.findings.queues import allocate

IS_LONG = bool(os.environ.get("INSPECTOR_LONG"))
ROUNDS = 3_000 if IS_LONG else 300
LEAST = 0.935 if IS_LONG else 0.915  # less the noise of so many rounds

POPULATIONS = {
    "one": [400],
    "eight": [300, 200, 150, 100, 60, 40, 10, 3],
    "skewed": [1500, 40, 30, 20, 10, 5, 3, 2],
    "small": [20, 12, 8, 6, 3, 2, 1],
    "nine alike": [90] * 9,
    **({"tiny": [3, 3, 2, 2, 1, 1], "two": [4000, 4000], "nine large": [900] * 9,
        "five": [100] * 5} if IS_LONG else {}),
}
RATES = (0.02, 0.1, 0.31, 0.5, 0.95, "mixed") if IS_LONG else (0.1, 0.31, "mixed")
SIZES = (10, 20, 50, 100) if IS_LONG else (50,)


@pytest.mark.timeout(1_200)
@pytest.mark.parametrize("how", ["proportional", "equal"])
@pytest.mark.parametrize("name", POPULATIONS)
def test_the_interval_holds_the_truth_in_19_of_20_reviews(name, how):
    failures = np.array(POPULATIONS[name])
    rng = np.random.default_rng([len(name), len(how)])
    for size in SIZES:
        drawn = np.array(allocate(failures.tolist(), min(size, failures.sum()), how))
        for rate in RATES:
            rates = np.linspace(0.05, 0.9, len(failures)) if rate == "mixed" else np.full(
                len(failures), rate)
            held = 0
            for _ in range(ROUNDS):
                of_kind = rng.binomial(failures, rates)
                found = rng.hypergeometric(of_kind, failures - of_kind, drawn)
                share = estimate_share([
                    Counted(*numbers) for numbers in zip(
                        failures.tolist(), drawn.tolist(), found.tolist(), strict=True)
                ])
                truth = of_kind.sum() / failures.sum()
                held += share.low - 1e-12 <= truth <= share.high + 1e-12
            assert held / ROUNDS >= LEAST, (name, how, size, rate, held / ROUNDS)


def test_fifty_failures_say_about_a_quarter_more_or_less():
    # What an hour is worth: 31 % of 863 failures in eight modes.
    drawn = allocate(POPULATIONS["eight"], 50, "proportional")
    found = [5, 3, 3, 2, 1, 1, 0, 0]
    share = estimate_share([
        Counted(*numbers) for numbers in zip(POPULATIONS["eight"], drawn, found, strict=True)
    ])
    assert 0.25 < share.value < 0.35
    assert share.high - share.low < 0.31


@pytest.mark.parametrize(("failures", "reviewed", "found"), [
    (10, 4, 0), (10, 4, 1), (10, 4, 4), (25, 7, 3), (12, 11, 6), (30, 1, 1), (6, 6, 2),
])
def test_exact_limits_against_counting_every_draw(failures, reviewed, found):
    possible = []
    for of_kind in range(failures + 1):
        chances = [
            Fraction(math.comb(of_kind, k) * math.comb(failures - of_kind, reviewed - k),
                     math.comb(failures, reviewed))
            for k in range(reviewed + 1)
        ]
        as_many, as_few = sum(chances[found:]), sum(chances[: found + 1])
        if min(as_many, as_few) > Fraction(1, 40):
            possible.append(of_kind)
    assert exact_limits(failures, reviewed, found) == (
        possible[0] / failures, possible[-1] / failures
    )


def test_a_large_population_is_as_the_binomial():
    # Clopper and Pearson's own for 3 of 20: 3.2 % to 37.9 %
    low, high = exact_limits(1_000_000, 20, 3)
    assert (low, high) == (pytest.approx(0.0321, abs=1e-4), pytest.approx(0.3789, abs=1e-4))


def test_of_nothing():
    assert estimate_share([]) is None
    assert estimate_share([Counted(5, 0, 0)]) is None
