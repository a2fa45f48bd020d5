"""What another ground truth does to the score of each run, split into its two causes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from inspector.core.bootstrap import Sums, bootstrap
from inspector.core.metrics import METRICS
from inspector.core.protocol import Protocol, ScoredExamples, apply_protocol
from inspector.core.scores import Scores
from inspector.truths.carrying import rests_on_pixels, score_on_b
from inspector.truths.matching import Match
from inspector.truths.resampling import (
    DRAWS,
    METRIC_KEYS,
    Interval,
    interval,
    is_turned,
    kendall_tau,
    order,
    sum_by_cluster,
)

Values = dict[str, float | None]


@dataclass(frozen=True, slots=True, eq=False)
class RunEffects:
    """One run under both ground truths.

    Attributes:
        name: Name of the run.
        scores_a: Under A, all examples of A.
        scores_b: Under B, the examples that both have, in the order of ``Truths.examples_a``;
            None where the file holds only what was counted against its own ground truth.
        a_all, a_matched, b_matched: Every metric of the score command, under A on all of A, under
            A and under B on the examples that both have.
        selection_effect: ``a_matched - a_all`` of each of :data:`METRIC_KEYS`.
        mask_effect: ``b_matched - a_matched``.
        ceiling: Every metric of B's masks under A, on the examples counted in ``a_matched``.
        examples_all, examples_matched: How many examples count in the first and in the others.
        better_than_label: int32, examples of A whose prediction is nearer to B than A is, the
            greatest gain first; None where ``scores_b`` is.
        gain: IoU(prediction, B) - IoU(A, B) of each of these.
    """

    name: str
    scores_a: Scores
    scores_b: Scores | None
    a_all: Values
    a_matched: Values
    b_matched: Values
    selection_effect: dict[str, Interval]
    mask_effect: dict[str, Interval]
    ceiling: Values
    examples_all: int
    examples_matched: int
    better_than_label: np.ndarray | None
    gain: np.ndarray


@dataclass(frozen=True, slots=True)
class RankChange:
    """How the order of the runs by one metric changes.

    Attributes:
        a_all, a_matched, b_matched: Names of the runs, best first.
        selection, mask, whole: Kendall's tau of the first and second order, the second and third,
            the first and third; with the 95 % interval over draws of pictures.
        turned: Share of the draws in which two runs change places from A on all to B.
    """

    a_all: tuple[str, ...]
    a_matched: tuple[str, ...]
    b_matched: tuple[str, ...]
    selection: Interval
    mask: Interval
    whole: Interval
    turned: float


def measure_effects(
    match: Match, usable: np.ndarray, label: Scores, runs: Sequence[Scores], protocol: Protocol,
    *, draws: int = DRAWS,
) -> tuple[tuple[RunEffects, ...], dict[str, RankChange]]:
    """Score each run under B as well, and split the difference.

    Args:
        match: Who is who.
        usable: ``(m,)`` bool, which of the matched examples have a ground truth on both sides.
        label: B's masks scored under A.
        runs: Scores under A.
        protocol: The rules; the same under both.
        draws: Draws of pictures for the intervals.

    Returns:
        One entry a run, and the change of rank by metric where there are two runs or more.
    """
    examples_a, examples_b = match.examples_a[usable], match.examples_b[usable]
    seen = [_Run(scores, match, examples_a, examples_b, label, protocol) for scores in runs]
    image = match.referents_a.dataset.expressions.image
    _, cluster = np.unique(image, return_inverse=True)  # pictures without examples are not drawn
    clusters = int(cluster.max()) + 1
    shape = len(seen), 3, len(METRIC_KEYS)
    above, below = np.full((2, clusters, *shape), np.nan)
    for place, run in enumerate(seen):
        populations = (run.all, cluster), (run.on_a, cluster[examples_a]), (
            run.on_b, cluster[examples_a])
        for way, (scored, of) in enumerate(populations):
            if scored is not None:
                sums = sum_by_cluster(scored, of, clusters)
                above[:, place, way], below[:, place, way] = sums.numerator, sums.denominator
    # The same draws serve all of them, so that differences are paired.
    flat = Sums(above.reshape(clusters, -1), below.reshape(clusters, -1))
    drawn = bootstrap(flat, resamples=draws).reshape(draws, *shape)
    pictures = np.count_nonzero(below > 0, axis=0)
    effects = tuple(
        run.effects(drawn[:, place], pictures[place]) for place, run in enumerate(seen)
    )
    return effects, _rank_changes(effects, drawn, pictures)


class _Run:
    """One run under the rules, on the three sets of examples."""

    def __init__(
        self, scores: Scores, match: Match, examples_a: np.ndarray, examples_b: np.ndarray,
        label: Scores, protocol: Protocol,
    ) -> None:
        self._scores, self._examples_a, self._label = scores, examples_a, label
        self._protocol = protocol
        chosen = np.zeros(len(scores.status), bool)
        chosen[examples_a] = True
        self.all = apply_protocol(scores, protocol)
        self.on_a = self.all.take(chosen)
        self.scores_b: Scores | None = None
        self.on_b: ScoredExamples | None = None
        if rests_on_pixels(scores.run, examples_a):
            b = match.referents_b.dataset
            self.scores_b = score_on_b(scores, b, examples_a, examples_b)
            self.on_b = apply_protocol(self.scores_b, protocol)

    def effects(self, drawn: np.ndarray, pictures: np.ndarray) -> RunEffects:
        """Put everything together.

        Args:
            drawn: ``(draws, 3, metrics)``.
            pictures: ``(3, metrics)`` int, how many each number rests on.
        """
        a_all, a_matched = _values(self.all), _values(self.on_a)
        b_matched: Values = dict.fromkeys(a_all) if self.on_b is None else _values(self.on_b)
        counted = np.zeros(len(self._scores.status), bool)
        counted[self._examples_a[self.on_a.counts]] = True
        better, gain = self._better_than_label()
        return RunEffects(
            name=self._scores.run.name,
            scores_a=self._scores,
            scores_b=self.scores_b,
            a_all=a_all,
            a_matched=a_matched,
            b_matched=b_matched,
            selection_effect=_differences(a_all, a_matched, drawn[:, :2], pictures[:2]),
            mask_effect=_differences(a_matched, b_matched, drawn[:, 1:], pictures[1:]),
            ceiling=_values(apply_protocol(self._label, self._protocol).take(counted)),
            examples_all=int(self.all.counts.sum()),
            examples_matched=int(counted.sum()),
            better_than_label=better,
            gain=gain,
        )

    def _better_than_label(self) -> tuple[np.ndarray | None, np.ndarray]:
        if self.scores_b is None or self.on_b is None:
            return None, np.zeros(0)
        rows = self._examples_a
        predicted, covered = self.scores_b.intersection, self.scores_b.union
        label, label_union = self._label.intersection[rows], self._label.union[rows]
        is_better = is_greater(predicted, covered, label, label_union)
        is_better &= self.on_b.is_predicted & (self._scores.run.rows[rows] >= 0)
        found = np.flatnonzero(is_better)
        gain = predicted[found] / covered[found] - label[found] / label_union[found]
        best = np.argsort(-gain, kind="stable")
        return rows[found[best]].astype(np.int32), gain[best]


def is_greater(
    part: np.ndarray, whole: np.ndarray, other_part: np.ndarray, other_whole: np.ndarray
) -> np.ndarray:
    """Compare fractions of whole numbers exactly; False where one has nothing below the line.

    Example:
        >>> third, three, one = np.array([333_333_333]), np.array([999_999_999]), np.array([1])
        >>> is_greater(third, three - 1, one, np.array([3])).item()
        True
        >>> is_greater(third, three, one, np.array([3])).item()
        False
    """
    # masks have at most 1e8 pixels, so that the products stay below 2**63
    greater: np.ndarray = part * other_whole > other_part * whole
    return greater & (whole > 0) & (other_whole > 0)


def _values(scored: ScoredExamples) -> Values:
    return {metric.key: metric.compute(scored) for metric in METRICS}


def _differences(
    before: Values, after: Values, drawn: np.ndarray, pictures: np.ndarray
) -> dict[str, Interval]:
    """Take the second from the first; of two numbers of pictures the smaller one counts."""
    effects = {}
    for place, key in enumerate(METRIC_KEYS):
        first, second = before[key], after[key]
        value = None if first is None or second is None else second - first
        effects[key] = interval(
            value, drawn[:, 1, place] - drawn[:, 0, place], int(pictures[:, place].min())
        )
    return effects


def _rank_changes(
    runs: Sequence[RunEffects], drawn: np.ndarray, pictures: np.ndarray
) -> dict[str, RankChange]:
    """Compare the orders of the runs by each metric that is known for two of them or more."""
    changes = {}
    for place, key in enumerate(METRIC_KEYS):
        rows, known = [], []
        for row, run in enumerate(runs):
            values = run.a_all[key], run.a_matched[key], run.b_matched[key]
            if None not in values:
                rows.append(row)
                known.append(values)
        if len(rows) < 2:
            continue
        points, names = np.array(known, float).T, [runs[row].name for row in rows]
        of_draws = drawn[..., place][:, rows]  # (draws, runs, 3)
        orders = [order(names, column.tolist()) for column in points]
        taus = []
        for one, other in ((0, 1), (1, 2), (0, 2)):
            value = float(kendall_tau(points[one], points[other]))
            taus.append(interval(
                None if np.isnan(value) else value,
                kendall_tau(of_draws[..., one], of_draws[..., other]),
                int(pictures[rows][:, [one, other], place].min()),
            ))
        changes[key] = RankChange(
            a_all=orders[0], a_matched=orders[1], b_matched=orders[2],
            selection=taus[0], mask=taus[1], whole=taus[2],
            turned=float(is_turned(of_draws[..., 0], of_draws[..., 2]).mean()),
        )
    return changes
