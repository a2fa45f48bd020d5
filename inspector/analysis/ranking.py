"""How firm the order of several runs is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

_ROUNDING = 1e-12  # two ways to add the same numbers up


@dataclass(frozen=True, slots=True)
class Ranking:
    """How firm the order of the runs is under one measure.

    Attributes:
        measure: Key of the measure.
        order: Names, the best first.
        ties: For each run of ``order`` but the last, whether the next is just as good.
        same_order: Share of the resamples in which the whole order is the same, ties included.
        ranks: For each run of ``order``, the share of resamples in which it is first, second …;
            runs that tie share their ranks equally.
    """

    measure: str
    order: tuple[str, ...]
    ties: tuple[bool, ...]
    same_order: float
    ranks: tuple[tuple[float, ...], ...]

    @property
    def words(self) -> str:
        """Write the order, such as ``a > b = c``, where b and c tie."""
        first, *others = self.order
        return first + "".join(
            f" {'=' if tie else '>'} {name}" for tie, name in zip(self.ties, others, strict=True)
        )


def rank_runs(
    measure: str, names: Sequence[str], values: np.ndarray, drawn: np.ndarray
) -> Ranking | None:
    """Order runs by a measure, and say how often resamples order them alike.

    Args:
        measure: Key of the measure.
        names: Of ``k`` runs.
        values: ``(k,)`` float64, the measure of each.
        drawn: ``(resamples, k)`` float64, the same on each resample.

    Returns:
        None where a run has no number, or no resample gives all of them one.
    """
    drawn = drawn[~np.isnan(drawn).any(axis=1)]
    if np.isnan(values).any() or not len(drawn):
        return None
    order = np.argsort(-values, kind="stable")
    values, drawn = values[order], drawn[:, order]
    steps, drawn_steps = _signs(values[:-1] - values[1:]), _signs(drawn[:, :-1] - drawn[:, 1:])
    return Ranking(
        measure, tuple(names[row] for row in order.tolist()), tuple((steps == 0).tolist()),
        float((drawn_steps == steps).all(axis=1).mean()),
        tuple(_rank_shares(drawn, run) for run in range(len(names))),
    )


def _signs(differences: np.ndarray) -> np.ndarray:
    return np.where(np.abs(differences) < _ROUNDING, 0.0, np.sign(differences))


def _rank_shares(drawn: np.ndarray, run: int) -> tuple[float, ...]:
    """Say how often a run has each rank; of ranks that it shares with others it has a part each."""
    signs = _signs(drawn - drawn[:, [run]])
    better, alike = (signs > 0).sum(axis=1), (signs == 0).sum(axis=1)
    return tuple(
        float(np.where((better <= rank) & (rank < better + alike), 1 / alike, 0.0).mean())
        for rank in range(drawn.shape[1])
    )
