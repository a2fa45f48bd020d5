"""What is worth a second look beside the failure mode; an example may have several flags."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import numpy as np

from inspector.core.failures import FAILURE_ROWS
from inspector.core.overlap import measure_pairs
from inspector.core.run import Status
from inspector.core.scores import Scores

_LEFT, _RIGHT = (re.compile(rf"\b{side}(?:most)?\b", re.IGNORECASE) for side in ("left", "right"))
_WRONG_REFERENT = FAILURE_ROWS["wrong_referent"]


@dataclass(frozen=True, slots=True)
class FlagThresholds:
    """What the flags are measured by.

    Attributes:
        boundary: Boundary IoU below which edges are called poor although the IoU is fine.
        piece: Share of a mask in its largest piece below which it is fragmented.
        hole: Share of a filled mask that is holes from which it has holes.
        near: Distance of the IoU from its threshold up to which it is near.
        agree: IoU from which two runs agree with each other.
        against: IoU with the label below which they disagree with it.
    """

    boundary: float = 0.5
    piece: float = 0.9
    hole: float = 0.02
    near: float = 0.05
    agree: float = 0.85
    against: float = 0.5


@dataclass(frozen=True, slots=True)
class Flag:
    """One flag: ``find`` gives ``(n,)`` bool for one run among the others.

    ``needs_shapes`` says that nothing is flagged before boundaries and pieces are measured.
    """

    key: str
    label: str
    description: str
    find: Callable[[Scores, Sequence[Scores], FlagThresholds], np.ndarray]
    needs_shapes: bool = False


def _boundary(scores: Scores, runs: Sequence[Scores], limits: FlagThresholds) -> np.ndarray:
    shapes = scores.shapes
    if shapes is None:
        return np.zeros(len(scores.status), bool)
    fine = _reach(scores.intersection, scores.union, scores.thresholds.iou)
    poor = ~_reach(shapes.boundary_intersection, shapes.boundary_union, limits.boundary)
    found: np.ndarray = _measured(scores) & fine & (scores.union > 0) & poor
    return found


def _fragmented(scores: Scores, runs: Sequence[Scores], limits: FlagThresholds) -> np.ndarray:
    shapes = scores.shapes
    if shapes is None:
        return np.zeros(len(scores.status), bool)
    whole = _reach(shapes.largest_piece, np.maximum(scores.prediction_area, 0), limits.piece)
    target_whole = _reach(shapes.target_largest_piece, scores.target_area, limits.piece)
    found: np.ndarray = _measured(scores) & ~whole & target_whole
    return found


def _holes(scores: Scores, runs: Sequence[Scores], limits: FlagThresholds) -> np.ndarray:
    shapes = scores.shapes
    if shapes is None:
        return np.zeros(len(scores.status), bool)
    filled = np.maximum(scores.prediction_area, 0) + shapes.hole_area
    target_filled = scores.target_area + shapes.target_hole_area
    has = _reach(shapes.hole_area, filled, limits.hole) & (shapes.hole_area > 0)
    target_has = _reach(shapes.target_hole_area, target_filled, limits.hole)
    return _measured(scores) & has & ~(target_has & (shapes.target_hole_area > 0))


def _near(scores: Scores, runs: Sequence[Scores], limits: FlagThresholds) -> np.ndarray:
    threshold, near = Fraction(str(scores.thresholds.iou)), Fraction(str(limits.near))
    low, high = threshold - near, threshold + near
    counted = (scores.status == Status.SCORED) & (scores.union > 0) & (scores.target_area > 0)
    above = scores.intersection * low.denominator >= low.numerator * scores.union
    below = scores.intersection * high.denominator <= high.numerator * scores.union
    found: np.ndarray = counted & above & below
    return found


def _mirror(scores: Scores, runs: Sequence[Scores], limits: FlagThresholds) -> np.ndarray:
    found = np.zeros(len(scores.status), bool)
    dataset = scores.dataset
    for index in np.flatnonzero(scores.failure == _WRONG_REFERENT).tolist():
        sentence = dataset.expressions.sentences[index]
        says_left, says_right = bool(_LEFT.search(sentence)), bool(_RIGHT.search(sentence))
        if says_left == says_right:
            continue
        own = dataset.targets.masks[dataset.expressions.target[index]].box_xywh
        other = dataset.objects.masks[scores.other[index]].box_xywh
        further = (other[0] + other[2] / 2) - (own[0] + own[2] / 2)
        found[index] = further > 0 if says_left else further < 0
    return found


def _label_suspect(
    scores: Scores, runs: Sequence[Scores], limits: FlagThresholds
) -> np.ndarray:
    found = np.zeros(len(scores.status), bool)
    for one, other in combinations(runs, 2):
        has_masks = len(one.run.masks) and len(other.run.masks)
        if has_masks and (scores is one or scores is other):
            found |= _agree_against(one, other, limits)
    return found


def _agree_against(one: Scores, other: Scores, limits: FlagThresholds) -> np.ndarray:
    suspect = np.ones(len(one.status), bool)
    for scores in (one, other):
        suspect &= (
            (scores.status == Status.SCORED) & (scores.run.rows >= 0) & (scores.target_area > 0)
            & (scores.prediction_area > 0)
            & ~_reach(scores.intersection, scores.union, limits.against)
        )
    rows = [np.where(suspect, scores.run.rows, -1) for scores in (one, other)]
    shared = measure_pairs(one.run.masks, rows[0], other.run.masks, rows[1])
    areas = [
        scores.run.masks.areas[scores.run.rows[suspect]] for scores in (one, other)
    ]
    shared = shared[suspect]
    suspect[suspect] = _reach(shared, areas[0] + areas[1] - shared, limits.agree)
    return suspect


FLAGS: tuple[Flag, ...] = (
    Flag("boundary", "poor edges",
         "IoU reaches the threshold, but Boundary IoU is below 0.5.", _boundary, True),
    Flag("fragmented", "fragmented",
         "Less than 0.9 of the prediction is in one piece, unlike the target.", _fragmented, True),
    Flag("holes", "holes",
         "At least 0.02 of the filled prediction is holes, unlike the target.", _holes, True),
    Flag("near_threshold", "near the threshold",
         "IoU is within 0.05 of the threshold.", _near),
    Flag("mirror", "mirrored",
         "The sentence says left or right; the other object that was marked lies on the other "
         "side of the target.", _mirror),
    Flag("label_suspect", "label suspect",
         "Two runs or more agree with each other (IoU at least 0.85) and not with the label "
         "(below 0.5).", _label_suspect),
)
"""Every flag, in the order in which they are shown."""


def find_flags(
    runs: Sequence[Scores], *, limits: FlagThresholds | None = None
) -> list[dict[str, np.ndarray]]:
    """Find the flags of every example in every run.

    Args:
        runs: All runs on one data set; ``label_suspect`` needs two or more.
        limits: The documented thresholds if None.

    Returns:
        By run, by key of :data:`FLAGS`: ``(n,)`` bool. Those that need shapes are False
        everywhere until :func:`~inspector.core.scores.with_shapes` measured them.
    """
    limits = limits or FlagThresholds()
    return [
        {flag.key: flag.find(scores, runs, limits) for flag in FLAGS}
        if scores.known_flags is None
        else {flag.key: (scores.known_flags & (1 << bit)) > 0 for bit, flag in enumerate(FLAGS)}
        for scores in runs
    ]


def list_flags(found: dict[str, np.ndarray]) -> list[list[str]]:
    """Turn the flags of one run into one list of keys an example: the column ``flags``."""
    lists: list[list[str]] = [[] for _ in next(iter(found.values()))]
    for key, flagged in found.items():
        for index in np.flatnonzero(flagged).tolist():
            lists[index].append(key)
    return lists


def _measured(scores: Scores) -> np.ndarray:
    if scores.shapes is None:
        return np.zeros(len(scores.status), bool)
    measured: np.ndarray = (
        scores.shapes.is_measured & (scores.status == Status.SCORED) & (scores.prediction_area > 0)
    )
    return measured


def _reach(part: np.ndarray, whole: np.ndarray, threshold: float) -> np.ndarray:
    """Say where part / whole >= threshold, decided on integers."""
    exact = Fraction(str(threshold))
    reached: np.ndarray = part * exact.denominator >= exact.numerator * whole
    return reached
