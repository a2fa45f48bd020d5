"""Numbers that can be resampled: each is a sum over pictures divided by another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from inspector.core.errors import UsageError, say_choices
from inspector.core.protocol import ScoredExamples


@dataclass(frozen=True, slots=True, eq=False)
class Terms:
    """What each of ``n`` examples adds to the two sums of which a number is the ratio.

    Attributes:
        numerator: ``(n,)`` float64.
        denominator: ``(n,)`` float64; 0 where the example is left out.
        referent: ``(n,)`` int to average inside each referent first, or None.
        is_mean: The denominator is 1 or 0 everywhere.
    """

    numerator: np.ndarray
    denominator: np.ndarray
    referent: np.ndarray | None
    is_mean: bool

    def per_picture(
        self, image: np.ndarray, pictures: int, chosen: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Add up numerator and denominator of some examples inside each picture.

        Args:
            image: ``(n,)`` int, picture of each example, below ``pictures``.
            pictures: How many there are.
            chosen: ``(k,)`` places of the examples; all if None.

        Returns:
            ``(pictures,)`` float64 twice. With ``referent``, one unit is a referent: its mean
            over those of its sentences that are chosen.
        """
        numerator, denominator, units = self.units(image, chosen)
        return (
            np.bincount(units, numerator, pictures), np.bincount(units, denominator, pictures)
        )

    def units(
        self, image: np.ndarray, chosen: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Give numerator, denominator and picture of each unit that is averaged over."""
        counted = self.denominator > 0
        rows = np.flatnonzero(counted) if chosen is None else chosen[counted[chosen]]
        numerator, denominator, where = self.numerator[rows], self.denominator[rows], image[rows]
        if self.referent is None:
            return numerator, denominator, where
        _, first, group = np.unique(self.referent[rows], return_index=True, return_inverse=True)
        means = np.bincount(group, numerator) / np.bincount(group, denominator)
        return means, np.ones(len(means)), where[first]


@dataclass(frozen=True, slots=True)
class Measure:
    """One number; ``terms`` gives the numerator and the denominator of each example."""

    key: str
    label: str
    description: str
    is_mean: bool
    terms: Callable[[ScoredExamples], tuple[np.ndarray, np.ndarray]]


def _iou(scored: ScoredExamples) -> tuple[np.ndarray, np.ndarray]:
    return np.where(scored.counts, np.nan_to_num(scored.iou), 0.0), scored.counts.astype(float)


def _overall(scored: ScoredExamples) -> tuple[np.ndarray, np.ndarray]:
    if not scored.sums_pixels:
        raise UsageError(
            "oIoU is not defined where a file states an IoU without pixels, or counted them in "
            "frames of several sizes. Choose another measure."
        )
    counts = scored.counts
    return (np.where(counts, scored.intersection, 0).astype(float),
            np.where(counts, scored.union, 0).astype(float))


def _precision(tenths: int) -> Measure:
    return Measure(
        f"P@0.{tenths}", f"P@0.{tenths}", f"Share of examples with IoU >= 0.{tenths}.", True,
        lambda scored: (scored.passes(tenths, 10).astype(float), scored.counts.astype(float)),
    )


def _box(scored: ScoredExamples) -> tuple[np.ndarray, np.ndarray]:
    return np.nan_to_num(scored.box_iou), (~np.isnan(scored.box_iou)).astype(float)


def _box_accuracy(scored: ScoredExamples) -> tuple[np.ndarray, np.ndarray]:
    return (scored.box_iou >= 0.5).astype(float), (~np.isnan(scored.box_iou)).astype(float)


MEASURES: tuple[Measure, ...] = (
    Measure("mIoU", "mIoU", "Mean of the per-example IoU.", True, _iou),
    Measure("oIoU", "oIoU", "Sum of intersections / sum of unions.", False, _overall),
    *(_precision(tenths) for tenths in range(5, 10)),
    Measure("box_mIoU", "box mIoU", "Mean of the box IoU.", True, _box),
    Measure("box_Acc@0.5", "box Acc@0.5", "Share of boxes with IoU >= 0.5.", True, _box_accuracy),
)


OF_MASKS = ("mIoU", "oIoU", "P@0.5", "P@0.7", "P@0.9")
"""Keys of the measures by which runs of masks are looked at where nobody has named any."""
_OF_BOXES = ("box_mIoU", "box_Acc@0.5")


def measures_for(*scored: ScoredExamples) -> tuple[str, ...]:
    """Give keys of the measures by which runs are looked at where nobody has named any.

    The first is the one to use where only one fits. Those of boxes as soon as one of the runs is
    of boxes alone: nothing about masks is defined on it.
    """
    return _OF_BOXES if any(one.is_boxes_only for one in scored) else OF_MASKS


def measure_of(key: str) -> Measure:
    """Find a measure by its key.

    Raises:
        UsageError: If there is none; the message lists the known ones.
    """
    known = [measure.key for measure in MEASURES]
    if key not in known:
        raise UsageError(f"No measure '{key}'. {say_choices(key, known)}")
    return MEASURES[known.index(key)]


def terms_of(measure: Measure, scored: ScoredExamples) -> Terms:
    """Take the terms of one run under its protocol; oIoU is never averaged inside referents."""
    numerator, denominator = measure.terms(scored)
    by_referent = measure.is_mean and scored.protocol.average == "referent"
    return Terms(
        numerator, denominator, scored.referent if by_referent else None, measure.is_mean
    )


Sides = tuple[tuple[int, Terms], ...]
"""A number as a signed sum of ratios: one run, or two runs with the signs 1 and -1."""


def sides_of(
    measure: Measure, scored: ScoredExamples, against: ScoredExamples | None = None
) -> Sides:
    """Take a measure of one run, or of one run less another on the examples both count.

    The difference of two means is one mean of differences; that of two oIoU stays two ratios.
    """
    terms = terms_of(measure, scored)
    if against is None:
        return ((1, terms),)
    other = terms_of(measure, against)
    both = (terms.denominator > 0) & (other.denominator > 0)
    if measure.is_mean:
        numerator = np.where(both, terms.numerator - other.numerator, 0.0)
        return ((1, Terms(numerator, both.astype(float), terms.referent, True)),)
    return tuple(
        (sign, Terms(np.where(both, one.numerator, 0.0), np.where(both, one.denominator, 0.0),
                     None, False))
        for sign, one in ((1, terms), (-1, other))
    )
