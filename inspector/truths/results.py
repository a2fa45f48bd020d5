"""Two ground truths with their match and shapes, and what they do to the runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from inspector.core.dataset import Dataset
from inspector.core.failures import Thresholds
from inspector.core.problems import Problem, ProblemLog
from inspector.core.protocol import Protocol
from inspector.core.scores import Scores
from inspector.truths.carrying import score_b_as_run
from inspector.truths.effects import RankChange, RunEffects, measure_effects
from inspector.truths.matching import Match, match_referents
from inspector.truths.shape import Shapes, compare_shapes

Progress = Callable[[str, int, int], None]

APART = 0.1
"""IoU of A and B below which a matched referent is worth a look: is it the same thing?"""


@dataclass(frozen=True, eq=False)
class TruthPair:
    """Two ground truths of the same referents: all that does not depend on a run.

    Attributes:
        a, b: The data sets.
        match: Who is who.
        shapes: How the masks of each pair differ; rows as in the match.
        label: B's masks scored under A as if they were a run: its overlaps are IoU(A, B) of each
            example of A; what B does not have is missing.
        problems: What a person should look at, B's own problems among it.
    """

    a: Dataset
    b: Dataset
    match: Match
    shapes: Shapes
    label: Scores
    problems: tuple[Problem, ...]

    @cached_property
    def usable(self) -> np.ndarray:
        """``(m,)`` bool, matched examples whose ground truth can be used on both sides."""
        on_a = self.a.is_scorable[self.match.examples_a]
        usable: np.ndarray = on_a & self.b.is_scorable[self.match.examples_b]
        return usable

    @cached_property
    def examples_a(self) -> np.ndarray:
        """Examples of A that both have, in the order of A: those of effects and ceiling."""
        kept: np.ndarray = self.match.examples_a[self.usable]
        return kept

    @cached_property
    def examples_b(self) -> np.ndarray:
        """The example of B that belongs to each of :attr:`examples_a`."""
        kept: np.ndarray = self.match.examples_b[self.usable]
        return kept

    @cached_property
    def b_of_a(self) -> np.ndarray:
        """``(examples of A,)`` int32, the same example of B; -1 where B does not have it."""
        found = np.full(len(self.a), -1, np.int32)
        found[self.match.examples_a] = self.match.examples_b
        return found

    @cached_property
    def row_of_example(self) -> np.ndarray:
        """``(examples of A,)`` int32, row of each one's referent in match and shapes; else -1."""
        row = np.full(self.a.referent_count, -1, np.int32)
        row[self.match.rows_a] = np.arange(len(self.match), dtype=np.int32)
        found: np.ndarray = row[self.a.expressions.referent]
        return found

    @cached_property
    def removed(self) -> np.ndarray:
        """Examples of A that B dropped, with their referent or alone; ambiguous ones are none."""
        ambiguous = np.isin(self.a.expressions.referent, self.match.ambiguous_a)
        return np.flatnonzero((self.b_of_a < 0) & ~ambiguous).astype(np.int32)

    @cached_property
    def summary(self) -> dict[str, float | int | None]:
        """Numbers over the matched referents; None where nothing could be measured.

        ``mIoU`` and ``boundary_mIoU`` are means, ``area_ratio`` is the median of |B| / |A|,
        ``boundary_shift`` the median of the shifts in pixels (positive: A lies outside B) and
        ``boundary_shift_mean`` their mean; the rest counts referents.
        """
        shapes = self.shapes
        shift, known = shapes.shift, shapes.is_measured
        return {
            "referents": int(known.sum()),
            "mIoU": _mean(shapes.iou),
            "boundary_mIoU": _mean(shapes.boundary_iou),
            "oIoU": (
                int(shapes.intersection.sum()) / int(shapes.union.sum())
                if shapes.union.any() else None
            ),
            "area_ratio": _median(shapes.area_ratio),
            "boundary_shift": _median(shift),
            "boundary_shift_mean": _mean(shift),
            "a_outside": int((shift > 0.5).sum()),
            "a_inside": int((shift < -0.5).sum()),
            "identical": int((known & (shapes.intersection == shapes.union)).sum()),
            "parts_gained": int((shapes.parts_gained > 0).sum()),
            "parts_lost": int((shapes.parts_lost > 0).sum()),
            "holes_gained": int((shapes.holes_b > shapes.holes_a).sum()),
            "holes_lost": int((shapes.holes_b < shapes.holes_a).sum()),
        }


@dataclass(frozen=True, eq=False)
class Truths:
    """Two ground truths and the runs under both.

    Attributes:
        pair: The ground truths.
        runs: The effects on each run, in the order in which they were given.
        rank_change: By metric, where there are two runs or more.
        protocol: The rules in force, under A and B alike.
        problems: The pair's, and what cannot be said about a run.
    """

    pair: TruthPair
    runs: tuple[RunEffects, ...]
    rank_change: dict[str, RankChange]
    protocol: Protocol
    problems: tuple[Problem, ...]

    def best_for_talk(self, run: int, count: int = 10) -> np.ndarray:
        """Give the examples of A where a prediction beats A's label by most, one a referent."""
        better = self.runs[run].better_than_label
        if better is None:
            return np.zeros(0, np.int32)
        referent = self.pair.a.expressions.referent[better]
        _, first = np.unique(referent, return_index=True)
        return better[np.sort(first)][:count]


def pair_truths(
    a: Dataset, b: Dataset, *, thresholds: Thresholds | None = None,
    progress: Progress | None = None,
) -> TruthPair:
    """Match two ground truths and measure how their masks differ.

    Args:
        a: Usually the older one: runs are aligned to it.
        b: The other one.
        thresholds: What the failure modes of B's masks under A are measured by: those of the
            runs that they stand beside.
        progress: Called with (what, done, all).

    Raises:
        UsageError: If they have no picture in common.
    """
    match = match_referents(a, b)
    step = (lambda done, total: progress("compare masks", done, total)) if progress else None
    shapes = compare_shapes(match, progress=step)
    label = score_b_as_run(a, b, match.examples_a, match.examples_b, thresholds=thresholds)
    of_b = tuple(
        replace(problem, where=f"B, {problem.where}".removesuffix(", ")) for problem in b.problems
    )
    problems = of_b + match.problems + _apart(match, shapes)
    return TruthPair(a, b, match, shapes, label, problems)


def compare_under_both(pair: TruthPair, runs: Sequence[Scores], protocol: Protocol) -> Truths:
    """Say what the second ground truth does to runs that were scored under the first."""
    effects, ranks = measure_effects(pair.match, pair.usable, pair.label, runs, protocol)
    log = ProblemLog()
    for run in effects:
        if run.scores_b is None:
            log.add(
                "truths-counts", "warning", run.name,
                "The file holds pixel counts or an IoU without masks, made with its own ground "
                "truth: it cannot be scored under B.",
            )
    return Truths(pair, effects, ranks, protocol, pair.problems + log.close())


def _apart(match: Match, shapes: Shapes) -> tuple[Problem, ...]:
    """Say which matched referents hardly overlap."""
    log = ProblemLog()
    for row in np.flatnonzero(shapes.iou < APART).tolist():
        a = match.referents_a
        referent = int(match.rows_a[row])
        log.add(
            "truths-apart", "info",
            f"picture {a.dataset.images[a.image[referent]].id}, {name_of(match, referent)}",
            f"The masks of A and B have an IoU of {shapes.iou[row]:.3f}: one of them may be of "
            "another thing.",
        )
    return log.close()


def name_of(match: Match, referent: int) -> str:
    """Name a referent of A by the ids that it has, for messages."""
    side = match.referents_a
    for kind, ids in (
        ("ref", side.ref_ids), ("annotation", side.annotation_ids), ("sample", side.sample_ids)
    ):
        if ids[referent]:
            return f"{kind} {ids[referent]}"
    return f"example {side.dataset.expressions.ids[side.examples[referent][0]]}"


def _mean(values: np.ndarray) -> float | None:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else None


def _median(values: np.ndarray) -> float | None:
    known = values[~np.isnan(values)]
    return float(np.median(known)) if len(known) else None
