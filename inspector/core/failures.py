"""Why a prediction is wrong: failure modes in priority order, the first that applies counts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import NamedTuple

import numpy as np

from inspector.core.run import Status

_MISSING, _INVALID = Status.MISSING, Status.INVALID  # looking them up costs more than comparing


@dataclass(frozen=True, slots=True)
class Thresholds:
    """What the failure modes are measured by; all are shares in [0, 1].

    Attributes:
        iou: IoU from which a prediction is correct, or fits another object.
        share: Share of the prediction inside the target (``part``), or of the target inside the
            prediction (``spill``).
        covered: Share of target and of another object that ``several_objects`` needs.
        background: IoU below which a prediction touches no object (TIDE's value).
        twin: IoU of another object with the target from which it is the same thing twice.
    """

    iou: float = 0.5
    share: float = 0.8
    covered: float = 0.5
    background: float = 0.1
    twin: float = 0.8


def reaches(part: int, whole: int, threshold: float) -> bool:
    """Say whether part / whole >= threshold, decided on integers.

    The threshold is taken as the decimal number that a person writes: 0.6 is 6/10.
    """
    numerator, denominator = _fraction(threshold)
    return part * denominator >= numerator * whole


@cache
def _fraction(threshold: float) -> tuple[int, int]:
    exact = Fraction(str(threshold))
    return exact.numerator, exact.denominator


class OtherObject(NamedTuple):
    """Another object of the picture, measured against the prediction."""

    row: int
    area: int
    intersection: int
    union: int
    same_category: bool


class Case(NamedTuple):
    """What the failure modes look at: one example in one run, in pixels."""

    status: Status
    has_target: bool
    target_area: int
    prediction_area: int
    intersection: int
    union: int
    others: tuple[OtherObject, ...]
    thresholds: Thresholds

    @property
    def is_correct(self) -> bool:
        """IoU >= t; without a target, an empty prediction."""
        if not self.has_target:
            return self.prediction_area == 0
        return reaches(self.intersection, self.union, self.thresholds.iou)

    def fitting(self, *, same_category: bool) -> OtherObject | None:
        """The other object that the prediction fits best, if well enough and better than target."""
        fits = [
            other
            for other in self.others
            if other.same_category == same_category
            and reaches(other.intersection, other.union, self.thresholds.iou)
            and other.intersection * self.union > self.intersection * other.union
        ]
        return max(fits, key=lambda o: Fraction(o.intersection, o.union), default=None)

    @property
    def also_covered(self) -> OtherObject | None:
        """Another object of which the prediction covers at least half, beside half the target."""
        half = self.thresholds.covered
        if not reaches(self.intersection, self.target_area, half):
            return None
        covered = [o for o in self.others if o.area and reaches(o.intersection, o.area, half)]
        return max(covered, key=lambda o: o.intersection, default=None)


@dataclass(frozen=True, slots=True)
class FailureMode:
    """One reason; ``applies`` is asked in the order of :data:`FAILURE_MODES`.

    ``template`` says when it applies, with thresholds in braces; ``other`` names the other object
    that is to blame, where the mode has one.
    """

    key: str
    label: str
    icon: str
    template: str
    applies: Callable[[Case], bool]
    other: Callable[[Case], OtherObject | None] = lambda case: None

    def describe(self, thresholds: Thresholds) -> str:
        """Say when the mode applies under these thresholds.

        Example:
            >>> FAILURE_MODES[10].describe(Thresholds(background=0.2))
            'IoU is below 0.2 with every known object.'
        """
        return self.template.format(
            share=f"{thresholds.share:g}", covered=f"{thresholds.covered:g}",
            background=f"{thresholds.background:g}",
        )


def _off_target(case: Case) -> bool:
    share = case.thresholds.background
    return not reaches(case.intersection, case.union, share) and not any(
        reaches(other.intersection, other.union, share) for other in case.others
    )


FAILURE_MODES: tuple[FailureMode, ...] = (
    FailureMode("missing", "missing", "∅", "No prediction was found.",
                lambda case: case.status == _MISSING),
    FailureMode("invalid", "invalid", "⚠", "A prediction was found but cannot be used.",
                lambda case: case.status == _INVALID),
    FailureMode("false_target", "false target", "◎",
                "The sentence refers to nothing, but something was marked.",
                lambda case: not case.has_target and case.prediction_area > 0),
    FailureMode("correct", "correct", "✓",
                "IoU reaches the threshold; or there is no target and nothing was marked.",
                lambda case: case.is_correct),
    FailureMode("empty", "empty", "□", "There is a target, but nothing was marked.",
                lambda case: case.prediction_area == 0),
    FailureMode("wrong_referent", "wrong referent", "⇄",
                "Another object of the same category fits the prediction.",
                lambda case: case.fitting(same_category=True) is not None,
                lambda case: case.fitting(same_category=True)),
    FailureMode("wrong_object", "wrong object", "✗",
                "An object of another category fits the prediction.",
                lambda case: case.fitting(same_category=False) is not None,
                lambda case: case.fitting(same_category=False)),
    FailureMode("several_objects", "several objects", "∪",
                "The prediction covers at least {covered} of the target and {covered} of another "
                "object.",
                lambda case: case.also_covered is not None,
                lambda case: case.also_covered),
    FailureMode("part", "part", "◔",
                "At least {share} of the prediction lies in the target, which it covers too "
                "little.",
                lambda case: reaches(case.intersection, case.prediction_area,
                                     case.thresholds.share)),
    FailureMode("spill", "spill", "⬚",
                "At least {share} of the target is covered, by a prediction that goes far beyond "
                "it.",
                lambda case: reaches(case.intersection, case.target_area,
                                     case.thresholds.share)),
    FailureMode("background", "background", "▒",
                "IoU is below {background} with every known object.", _off_target),
    FailureMode("loose", "loose", "≈", "Whatever is left: partly right, partly not.",
                lambda case: True),
)


FAILURE_ROWS = {mode.key: row for row, mode in enumerate(FAILURE_MODES)}
"""Row of each failure mode by its key: the number by which scores name it."""

TEACHING_ORDER = (
    "wrong_referent", "wrong_object", "several_objects", "background", "loose", "spill", "part",
    "false_target", "empty", "correct", "missing", "invalid",
)
"""Which of two examples with the same IoU teaches more; the first screen shows the first."""

TEACHING_RANKS = np.array(
    [*(TEACHING_ORDER.index(mode.key) for mode in FAILURE_MODES), 99], np.int8
)
"""Rank of each row of ``FAILURE_MODES`` in that order, and of -1, which comes last."""


def classify(case: Case) -> tuple[int, OtherObject | None]:
    """Give the row of the first failure mode that applies, and the other object it names."""
    for row, mode in enumerate(FAILURE_MODES):
        if mode.applies(case):
            return row, mode.other(case)
    raise AssertionError("the last failure mode always applies")
