"""From a reviewed sample to all failures: weighted shares with 95 % intervals.

The failures are drawn stratum by stratum without replacement, so each stratum's sample is
hypergeometric. The interval of the total is the hull of two:

- MOVER (Zou and Donner, Statistics in Medicine 2008): the exact (Clopper-Pearson, hypergeometric)
  limits of each stratum, whose distances to the stratum's share are added as variances are.
  It knows that strata differ, but is too short where many strata have a handful each.
- the exact limits of a plain sample from all failures, of the size that is worth as much under
  these weights (Kish: 1 / sum of W²/n). It knows nothing of the strata, and is too short only
  where they differ in a way that the first knows.

The limits are rounded outward to whole numbers of failures: the true total is one. Simulated over
1 to 9 strata of 1 to 4,000 failures, samples of 10 to 100 and shares from 2 to 95 %
(``tests/findings/test_coverage.py``), it covers the truth in 94 to 100 % of the reviews: never
noticeably less than it says, mostly more where strata are small.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

_TAIL = 0.025
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Counted:
    """One stratum: ``found`` of ``reviewed`` of ``failures``."""

    failures: int
    reviewed: int
    found: int


@dataclass(frozen=True, slots=True)
class Share:
    """A share with its 95 % interval; all in [0, 1].

    Attributes:
        value: Estimated from the strata that were looked into, weighted.
        low, high: Holds for all failures: strata of which nothing was reviewed count as
            anything from none to all.
    """

    value: float
    low: float
    high: float


def estimate_share(strata: Sequence[Counted]) -> Share | None:
    """Estimate which share of all failures is of a kind.

    Args:
        strata: What was drawn at random from each stratum. Those without failures are ignored.

    Returns:
        None if nothing was reviewed.

    Example:
        >>> share = estimate_share([Counted(failures=300, reviewed=30, found=9)])
        >>> round(share.value, 3), round(share.low, 3), round(share.high, 3)
        (0.3, 0.157, 0.483)
    """
    seen = [stratum for stratum in strata if stratum.reviewed]
    total = sum(stratum.failures for stratum in strata)
    known = sum(stratum.failures for stratum in seen)
    if not known:
        return None
    value = sum(s.failures / known * s.found / s.reviewed for s in seen)
    low, high = _hull(seen, known, value)
    lowest = sum(s.found for s in seen)
    highest = known - sum(s.reviewed - s.found for s in seen)
    below = max(math.floor(low * known + _ROUNDING), lowest)
    above = min(math.ceil(high * known - _ROUNDING), highest)
    return Share(value, below / total, (above + total - known) / total)


def _hull(strata: Sequence[Counted], total: int, value: float) -> tuple[float, float]:
    below = above = 0.0
    for stratum in strata:
        low, high = exact_limits(stratum.failures, stratum.reviewed, stratum.found)
        own, weight = stratum.found / stratum.reviewed, stratum.failures / total
        below += (weight * (own - low)) ** 2
        above += (weight * (high - own)) ** 2
    worth = 1 / sum((s.failures / total) ** 2 / s.reviewed for s in strata)
    size = max(1, min(sum(s.reviewed for s in strata), math.floor(worth + _ROUNDING)))
    low, _ = exact_limits(total, size, math.floor(value * size + _ROUNDING))
    _, high = exact_limits(total, size, math.ceil(value * size - _ROUNDING))
    return min(value - math.sqrt(below), low), max(value + math.sqrt(above), high)


@lru_cache(maxsize=100_000)
def exact_limits(failures: int, reviewed: int, found: int) -> tuple[float, float]:
    """Give the exact 95 % limits of a share after a plain draw without replacement.

    The smallest and the largest number of failures of the kind under which as many, or as few,
    as were found are drawn with a probability above 2.5 %.

    Source: Clopper and Pearson, Biometrika 1934, for the hypergeometric distribution.

    Example:
        >>> exact_limits(failures=10, reviewed=10, found=4)
        (0.4, 0.4)
        >>> exact_limits(failures=100, reviewed=10, found=0)
        (0.0, 0.29)
    """
    fewest, most = found, failures - (reviewed - found)
    low, high = fewest, most
    while low < high:
        middle = (low + high) // 2
        if _drawn(failures, middle, reviewed, found, reviewed) > _TAIL:
            high = middle
        else:
            low = middle + 1
    lower, high = low, most
    low = fewest
    while low < high:
        middle = (low + high + 1) // 2
        if _drawn(failures, middle, reviewed, 0, found) > _TAIL:
            low = middle
        else:
            high = middle - 1
    return lower / failures, low / failures


def _drawn(failures: int, of_kind: int, reviewed: int, least: int, most: int) -> float:
    """Probability that a draw holds from ``least`` to ``most`` of a kind."""
    first = max(least, reviewed - (failures - of_kind), 0)
    last = min(most, of_kind, reviewed)
    return sum(
        math.exp(_log_choose(of_kind, k) + _log_choose(failures - of_kind, reviewed - k)
                 - _log_choose(failures, reviewed))
        for k in range(first, last + 1)
    )


def _log_choose(n: int, k: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
