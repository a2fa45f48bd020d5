"""Why a prediction is wrong: failure modes in priority order, the first that applies counts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import numpy as np

from inspector.core.dataset import Dataset
from inspector.core.overlap import measure_against
from inspector.core.run import Run, Status


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


@dataclass(frozen=True, slots=True)
class OtherObject:
    """Another object of the picture, measured against the prediction."""

    row: int
    area: int
    intersection: int
    union: int
    same_category: bool


@dataclass(frozen=True, slots=True)
class Case:
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

    ``other`` names the other object that is to blame, where the mode has one.
    """

    key: str
    label: str
    icon: str
    description: str
    applies: Callable[[Case], bool]
    other: Callable[[Case], OtherObject | None] = lambda case: None


def _off_target(case: Case) -> bool:
    share = case.thresholds.background
    return not reaches(case.intersection, case.union, share) and not any(
        reaches(other.intersection, other.union, share) for other in case.others
    )


FAILURE_MODES: tuple[FailureMode, ...] = (
    FailureMode("missing", "missing", "∅", "No prediction was found.",
                lambda case: case.status == Status.MISSING),
    FailureMode("invalid", "invalid", "⚠", "A prediction was found but cannot be used.",
                lambda case: case.status == Status.INVALID),
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
                "The prediction covers at least half of the target and half of another object.",
                lambda case: case.also_covered is not None,
                lambda case: case.also_covered),
    FailureMode("part", "part", "◔",
                "At least 0.8 of the prediction lies in the target, which it covers too little.",
                lambda case: reaches(case.intersection, case.prediction_area,
                                     case.thresholds.share)),
    FailureMode("spill", "spill", "⬚",
                "At least 0.8 of the target is covered, by a prediction that goes far beyond it.",
                lambda case: reaches(case.intersection, case.target_area,
                                     case.thresholds.share)),
    FailureMode("background", "background", "▒",
                "IoU is below 0.1 with every known object.", _off_target),
    FailureMode("loose", "loose", "≈", "Whatever is left: partly right, partly not.",
                lambda case: True),
)


def classify(case: Case) -> tuple[int, OtherObject | None]:
    """Give the row of the first failure mode that applies, and the other object it names."""
    for row, mode in enumerate(FAILURE_MODES):
        if mode.applies(case):
            return row, mode.other(case)
    raise AssertionError("the last failure mode always applies")


def classify_all(
    dataset: Dataset, run: Run, status: np.ndarray, intersection: np.ndarray, union: np.ndarray,
    prediction_area: np.ndarray, *, thresholds: Thresholds,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Classify every example of a run.

    Crowd regions are never "another object", nor are objects that are the target annotated twice
    (IoU with it >= ``thresholds.twin``). Only the objects that the data set lists are known.

    Returns:
        ``(n,)`` int8 failure modes (-1 where there is no truth), ``(n,)`` int32 rows of the other
        objects (-1), ``(n,)`` float64 IoU with them (NaN).
    """
    n = len(dataset)
    failure = np.full(n, -1, np.int8)
    other_row = np.full(n, -1, np.int32)
    other_iou = np.full(n, np.nan)
    target_area = dataset.target_areas
    twins: dict[int, frozenset[int]] = {}
    for index in range(n):
        if progress and index % 500 == 0:
            progress(index, n)
        if status[index] == Status.NO_TRUTH:
            continue
        case = Case(
            status=Status(int(status[index])),
            has_target=bool(dataset.expressions.target[index] >= 0),
            target_area=int(target_area[index]),
            prediction_area=int(prediction_area[index]),
            intersection=int(intersection[index]),
            union=int(union[index]),
            others=(),
            thresholds=thresholds,
        )
        needs_others = (
            case.status == Status.SCORED and case.has_target and case.prediction_area > 0
            and not case.is_correct
        )
        if needs_others:
            others = _others(dataset, run, index, twins, thresholds)
            case = Case(case.status, True, case.target_area, case.prediction_area,
                        case.intersection, case.union, others, thresholds)
        failure[index], other = classify(case)
        if other is not None:
            other_row[index] = other.row
            other_iou[index] = other.intersection / other.union
    if progress:
        progress(n, n)
    return failure, other_row, other_iou


def _others(
    dataset: Dataset, run: Run, index: int, twins: dict[int, frozenset[int]],
    thresholds: Thresholds,
) -> tuple[OtherObject, ...]:
    target = int(dataset.expressions.target[index])
    objects = dataset.objects
    rows = dataset.distractor_rows(index)
    if target not in twins:
        shared = measure_against(dataset.targets.masks, target, objects.masks, rows)
        area = int(dataset.targets.masks.areas[target])
        twins[target] = frozenset(
            row for row, pixels in zip(rows, shared.tolist(), strict=True)
            if pixels and reaches(pixels, area + int(objects.masks.areas[row]) - pixels,
                                  thresholds.twin)
        )
    rows = [row for row in rows if row not in twins[target]]
    categories = set(objects.category[dataset.referent_rows(index)].tolist())
    mask = int(run.rows[index])
    shared = measure_against(run.masks, mask, objects.masks, rows)
    predicted = int(run.masks.areas[mask])
    return tuple(
        OtherObject(
            row=row,
            area=int(objects.masks.areas[row]),
            intersection=pixels,
            union=predicted + int(objects.masks.areas[row]) - pixels,
            same_category=int(objects.category[row]) in categories,
        )
        for row, pixels in zip(rows, shared.tolist(), strict=True)
        if pixels
    )
