"""How certain a difference is: pictures drawn anew, as the sentences of one belong together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from inspector.core.protocol import ScoredExamples

METRIC_KEYS = ("mIoU", "oIoU", "P@0.5", "P@0.6", "P@0.7", "P@0.8", "P@0.9")
"""The metrics whose change is split, in the order of the last axis of all arrays here."""

DRAWS = 1_000
_BATCH_CELLS = 2_000_000  # numbers of one batch of draws: 16 MB


class Interval(NamedTuple):
    """A number and the bounds of its 95 % interval; None where it is not defined."""

    value: float | None
    low: float | None
    high: float | None

    def to_json(self) -> dict[str, float | None]:
        """Give the object of the contract."""
        return dict(self._asdict())


_SUMS = len(METRIC_KEYS) + 2  # weight, weighted IoU, intersection, union, five weighted passes


def sum_by_cluster(scored: ScoredExamples, cluster: np.ndarray, clusters: int) -> np.ndarray:
    """Add up per cluster what :func:`metrics_of` needs.

    Args:
        scored: ``n`` examples under the rules. With ``average`` by referent each example weighs
            1 / the number of counted ones of its referent.
        cluster: ``(n,)`` int, which cluster each example is of.
        clusters: How many there are.

    Returns:
        ``(clusters, 9)`` float64; the intersections and unions are whole numbers.
    """
    counts = scored.counts
    weight = np.ones(int(counts.sum()))
    if scored.protocol.average == "referent":
        _, group, size = np.unique(
            scored.referent[counts], return_inverse=True, return_counts=True
        )
        weight = 1.0 / size[group]
    pixels = np.nan if (scored.is_stated & counts).any() else 1.0
    columns = [
        weight, weight * scored.iou[counts], scored.intersection[counts] * pixels,
        scored.union[counts] * pixels,
        *(weight * scored.passes(tenths, 10)[counts] for tenths in range(5, 10)),
    ]
    where = cluster[counts]
    return np.stack([np.bincount(where, column, clusters) for column in columns], axis=1)


def metrics_of(sums: np.ndarray) -> np.ndarray:
    """Divide sums ``(…, 9)`` into the metrics of :data:`METRIC_KEYS`; NaN where undefined."""
    weight, iou, intersection, union = (sums[..., place] for place in range(4))
    passed = sums[..., 4:]
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.concatenate([
            (iou / weight)[..., None], (intersection / union)[..., None],
            passed / weight[..., None],
        ], axis=-1)


def resample(sums: np.ndarray, *, draws: int = DRAWS, seed: int = 0) -> np.ndarray:
    """Draw clusters anew and compute the metrics of each draw.

    The same draws serve everything in ``sums``, so that differences are paired.

    Args:
        sums: ``(clusters, populations, 9)``, such as three ways to score each of several runs.
        draws: How often as many clusters as there are get drawn, with repeats.
        seed: Equal seeds give equal draws.

    Returns:
        ``(draws, populations, 7)`` float64.
    """
    clusters, populations = sums.shape[:2]
    flat = sums.reshape(clusters, -1)
    rng = np.random.default_rng(seed)
    drawn = []
    batch = max(1, _BATCH_CELLS // max(clusters, 1))
    for begin in range(0, draws, batch):
        count = min(batch, draws - begin)
        chosen = rng.integers(0, clusters, (count, clusters))
        chosen += np.arange(count)[:, None] * clusters
        times = np.bincount(chosen.ravel(), minlength=count * clusters).reshape(count, clusters)
        drawn.append(times.astype(np.float64) @ flat)
    return metrics_of(np.concatenate(drawn).reshape(draws, populations, _SUMS))


def interval(value: float | None, drawn: np.ndarray) -> Interval:
    """Give the middle 95 % of the draws; None where too few of them are defined."""
    known = drawn[~np.isnan(drawn)]
    if value is None or 2 * len(known) < len(drawn):
        return Interval(value, None, None)
    low, high = np.percentile(known, (2.5, 97.5)).tolist()
    return Interval(value, low, high)


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
