"""Two runs example by example: who wins, who is right, how much their masks agree."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from inspector.core.overlap import measure_pairs
from inspector.core.protocol import ScoredExamples
from inspector.core.run import Status
from inspector.core.scores import Scores

TIE_MARGIN = 0.01
"""IoU by which a run must be better to win: resizing and rasterising alone change a mask by about
this much (the two published models of the shared data agree with their own recomputed IoU within
0.011), and a person sees no difference."""


class Outcome(IntEnum):
    """How the first run does on an example against the second."""

    LOSS = -1
    TIE = 0
    WIN = 1
    LEFT_OUT = 2  # one of the runs does not count there under the protocol


class WhoIsRight(IntEnum):
    """Which run reaches the IoU threshold on an example."""

    LEFT_OUT = -1
    BOTH_WRONG = 0
    FIRST_ONLY = 1
    SECOND_ONLY = 2
    BOTH_RIGHT = 3


def outcomes_of(
    first: ScoredExamples, second: ScoredExamples, *, margin: float = TIE_MARGIN
) -> np.ndarray:
    """Say who wins each example: by more than ``margin`` in IoU, else it is a tie.

    Returns:
        ``(n,)`` int8 of :class:`Outcome`.
    """
    both = first.counts & second.counts
    difference = np.where(both, np.nan_to_num(first.iou) - np.nan_to_num(second.iou), 0.0)
    wins = np.where(np.abs(difference) > margin + 1e-12, np.sign(difference), Outcome.TIE)
    return np.where(both, wins, Outcome.LEFT_OUT).astype(np.int8)


def who_is_right(
    first: ScoredExamples, second: ScoredExamples, *, tenths: int = 5
) -> np.ndarray:
    """Say which run reaches IoU >= ``tenths`` / 10, decided on integers.

    Returns:
        ``(n,)`` int8 of :class:`WhoIsRight`; ``FIRST_ONLY`` is "A right, B wrong".
    """
    both = first.counts & second.counts
    right = first.passes(tenths, 10) * 1 + second.passes(tenths, 10) * 2
    return np.where(both, right, WhoIsRight.LEFT_OUT).astype(np.int8)


@dataclass(frozen=True, slots=True, eq=False)
class Agreement:
    """How much two runs say the same, whatever the truth is.

    Attributes:
        iou: ``(n,)`` float64, IoU of the two predicted masks; 1 where both mark nothing, 0 where
            one does; NaN where a run has no mask there.
        mean_iou: Mean of ``iou``; None of nothing.
        compared: Examples in that mean.
        both_right, both_wrong, first_only, second_only: Shares of the examples that count in
            both runs, at IoU 0.5; None of nothing.
        neither: Examples that count in both runs although neither has a usable prediction: ties
            that say nothing of the models.
    """

    iou: np.ndarray
    mean_iou: float | None
    compared: int
    both_right: float | None
    both_wrong: float | None
    first_only: float | None
    second_only: float | None
    neither: int


def agree(
    scores: tuple[Scores, Scores], scored: tuple[ScoredExamples, ScoredExamples]
) -> Agreement:
    """Compare the masks of two runs with each other, and who is right.

    Pixels that the data set ignores are part of the masks here.
    """
    iou = mask_agreement(*scores)
    right = who_is_right(*scored)
    counted = right[right != WhoIsRight.LEFT_OUT]
    shares = [float((counted == v).mean()) if len(counted) else None for v in (
        WhoIsRight.BOTH_RIGHT, WhoIsRight.BOTH_WRONG, WhoIsRight.FIRST_ONLY,
        WhoIsRight.SECOND_ONLY)]
    there = ~np.isnan(iou)
    mean = float(iou[there].mean()) if there.any() else None
    neither = (right != WhoIsRight.LEFT_OUT) & np.logical_and(
        *(one.status != Status.SCORED for one in scores)
    )
    return Agreement(iou, mean, int(there.sum()), *shares, int(neither.sum()))


def mask_agreement(first: Scores, second: Scores) -> np.ndarray:
    """``(n,)`` float64, IoU of two runs' masks, as :class:`Agreement` says."""
    places = np.arange(len(first.status))
    return prediction_iou(first, places, second, places)


def prediction_iou(
    first: Scores, first_places: np.ndarray, second: Scores, second_places: np.ndarray
) -> np.ndarray:
    """Measure predicted masks of two lists of examples of one picture size against each other.

    Returns:
        ``(k,)`` float64; 1 where both mark nothing, 0 where one does; NaN where one has neither a
        mask nor says that nothing is meant.
    """
    rows, areas, known = [], [], []
    for scores, places in ((first, first_places), (second, second_places)):
        usable = scores.status[places] == Status.SCORED
        row = np.where(usable, scores.run.rows[places], -1)
        area = np.zeros(len(places), np.int64)
        area[row >= 0] = scores.run.masks.areas[row[row >= 0]]
        rows.append(row)
        areas.append(area)
        known.append(usable & ((row >= 0) | scores.run.says_no_target[places]))
    shared = measure_pairs(first.run.masks, rows[0], second.run.masks, rows[1])
    union = areas[0] + areas[1] - shared
    iou = np.where(union > 0, shared / np.maximum(union, 1), 1.0)
    return np.where(known[0] & known[1], iou, np.nan)
