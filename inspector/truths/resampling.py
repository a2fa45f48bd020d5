"""How certain a difference is: pictures drawn anew, as the sentences of one belong together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from inspector.core.bootstrap import Sums, interval_of
from inspector.core.protocol import ScoredExamples

METRIC_KEYS = ("mIoU", "oIoU", "P@0.5", "P@0.6", "P@0.7", "P@0.8", "P@0.9")
"""The metrics whose change is split, in the order of the last axis of all arrays here."""

DRAWS = 1_000


class Interval(NamedTuple):
    """A number and the bounds of its 95 % interval; None where it is not defined."""

    value: float | None
    low: float | None
    high: float | None

    def to_json(self) -> dict[str, float | None]:
        """Give the object of the contract."""
        return dict(self._asdict())


def sum_by_cluster(scored: ScoredExamples, cluster: np.ndarray, clusters: int) -> Sums:
    """Add up per cluster what the metrics of :data:`METRIC_KEYS` are ratios of.

    Args:
        scored: ``n`` examples under the rules. With ``average`` by referent each example weighs
            1 / the number of counted ones of its referent.
        cluster: ``(n,)`` int, which cluster each example is of.
        clusters: How many there are.

    Returns:
        Two times ``(clusters, 7)``; intersections and unions are whole numbers.
    """
    counts = scored.counts
    weight = np.ones(int(counts.sum()))
    if scored.protocol.average == "referent":
        _, group, size = np.unique(
            scored.referent[counts], return_inverse=True, return_counts=True
        )
        weight = 1.0 / size[group]
    pixels = 1.0 if scored.sums_pixels else np.nan
    passed = [weight * scored.passes(tenths, 10)[counts] for tenths in range(5, 10)]
    where = cluster[counts]

    def add_up(*columns: np.ndarray) -> np.ndarray:
        return np.stack([np.bincount(where, column, clusters) for column in columns], axis=1)

    return Sums(
        add_up(weight * scored.iou[counts], scored.intersection[counts] * pixels, *passed),
        add_up(weight, scored.union[counts] * pixels, *[weight] * len(passed)),
    )


def interval(value: float | None, drawn: np.ndarray, pictures: int) -> Interval:
    """Give the 95 % interval of a number; None where fewer than half of the draws define it.

    Args:
        value: The number.
        drawn: ``(draws,)`` float64, the number in each draw; NaN where it is not defined.
        pictures: How many it rests on; one alone says nothing about others.
    """
    known = np.count_nonzero(~np.isnan(drawn))
    found = None
    if value is not None and 2 * known >= len(drawn):
        found = interval_of(drawn, pictures)
    return Interval(value, None, None) if found is None else Interval(value, found.low, found.high)


def kendall_tau(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Compare two orders of the same runs.

    Args:
        one: ``(…, runs)`` float64, the value of each run.
        other: ``(…, runs)`` float64, the same under another rule.

    Returns:
        ``(…,)`` Kendall's tau-b in [-1, 1]: 1 where all pairs of runs stand in the same order,
        -1 where all are turned round; NaN where all runs are equal on a side, or one is unknown.

    Example:
        >>> kendall_tau(np.array([0.7, 0.6, 0.5]), np.array([0.7, 0.5, 0.6])).round(3).item()
        0.333
    """
    signs_one, signs_other = _signs(one), _signs(other)
    weight = np.sqrt((signs_one**2).sum(axis=-1) * (signs_other**2).sum(axis=-1))
    with np.errstate(invalid="ignore", divide="ignore"):
        tau: np.ndarray = (signs_one * signs_other).sum(axis=-1) / weight
    return tau


def is_turned(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """``(…,)`` bool, whether any two runs have changed places."""
    turned: np.ndarray = (_signs(one) * _signs(other) < 0).any(axis=-1)
    return turned


def _signs(values: np.ndarray) -> np.ndarray:
    first, second = np.triu_indices(values.shape[-1], 1)
    difference = values[..., first] - values[..., second]
    return np.where(np.abs(difference) < 1e-12, 0.0, np.sign(difference))  # not a rounding error


def order(names: Sequence[str], values: Sequence[float]) -> tuple[str, ...]:
    """Name runs from the best to the worst; equal ones stay as they were given."""
    return tuple(names[row] for row in sorted(range(len(names)), key=lambda row: -values[row]))
