"""Failure modes by number and by what fixing them would gain; grounding apart from mask quality."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from inspector.core.failures import FAILURE_MODES, FAILURE_ROWS
from inspector.core.grounding import ON_TARGET
from inspector.core.metrics import METRICS, compute_metric
from inspector.core.protocol import Protocol, apply_protocol
from inspector.core.run import Status
from inspector.core.scores import Scores


@dataclass(frozen=True, slots=True)
class ModeCount:
    """One failure mode of a run.

    Attributes:
        key: Of the failure mode.
        count: Examples that failed this way.
        share: Of the examples whose ground truth can be used.
        gain: By metric, how much it would rise if just these predictions were the target; None
            where the metric is not defined. Of ``correct`` too: what better edges could bring.
    """

    key: str
    count: int
    share: float
    gain: dict[str, float | None]


def count_modes(
    scores: Scores, protocol: Protocol, *, metrics: Sequence[str] | None = None
) -> list[ModeCount]:
    """Count every failure mode and say what fixing it would gain.

    Args:
        scores: One run.
        protocol: The rules in force.
        metrics: Which numbers; mIoU and oIoU if None, or box mIoU for a run of boxes alone.

    Returns:
        One entry a mode in the order of ``FAILURE_MODES``. The gains of several modes do not add
        up for oIoU, nor where referents are averaged first.
    """
    if metrics is None:
        metrics = ("box_mIoU",) if scores.run.is_boxes_only else ("mIoU", "oIoU")
    before = _numbers(scores, protocol, metrics)
    examples = int((scores.failure >= 0).sum())
    found = []
    for row, mode in enumerate(FAILURE_MODES):
        chosen = scores.failure == row
        number = int(chosen.sum())
        after = _numbers(fix(scores, chosen), protocol, metrics) if number else before
        gain = {key: _rise(before[key], after[key]) for key in metrics}
        found.append(ModeCount(mode.key, number, number / max(examples, 1), gain))
    return found


def _rise(before: float | None, after: float | None) -> float | None:
    return None if before is None or after is None else after - before


def _numbers(
    scores: Scores, protocol: Protocol, metrics: Sequence[str]
) -> dict[str, float | None]:
    scored = apply_protocol(scores, protocol)
    return {key: compute_metric(scored, key) for key in metrics}


def fix(scores: Scores, chosen: np.ndarray) -> Scores:
    """Give the scores that the run would have if some of its predictions were the target.

    Args:
        scores: One run.
        chosen: ``(n,)`` bool, which predictions; those without a truth stay as they are.

    Returns:
        Scores whose counts, statuses and boxes are those of perfect predictions there. The run's
        masks are left as they are: only what the metrics look at changes. Pixels counted in a
        model's own frame become those of the picture's.
    """
    chosen = chosen & (scores.status != Status.NO_TRUTH)
    area, run = scores.target_area, scores.run
    if run.counts_frame_hw is not None:  # keep to the frame: its target is at most the union
        area = np.where(chosen, scores.union, area)
    has_target = scores.dataset.expressions.target >= 0
    boxes = scores.boxes
    if boxes is not None:
        boxes = replace(
            boxes,
            predicted=np.where(chosen[:, None], boxes.target, boxes.predicted),
            iou=np.where(chosen & has_target, 1.0, boxes.iou),
        )
    stated = run.stated_iou
    if stated is not None:
        run = replace(run, stated_iou=np.where(chosen, np.nan, stated))
    status = np.where(chosen, Status.SCORED, scores.status).astype(np.int8)
    correct = FAILURE_ROWS["correct"]
    return replace(
        scores,
        run=run,
        status=status,
        intersection=np.where(chosen, area, scores.intersection),
        union=np.where(chosen, area, scores.union),
        prediction_area=np.where(chosen, area, scores.prediction_area),
        failure=np.where(chosen, correct, scores.failure).astype(np.int8),
        other=np.where(chosen, -1, scores.other).astype(np.int32),
        other_iou=np.where(chosen, np.nan, scores.other_iou),
        marks_nothing=np.where(chosen, ~has_target, scores.marks_nothing),
        grounded=np.where(chosen & has_target, ON_TARGET, scores.grounded).astype(np.int8),
        boxes=boxes,
        shapes=None,
    )


@dataclass(frozen=True, slots=True)
class GroundingSplit:
    """The two numbers that explain most of a difference in mIoU.

    Attributes:
        grounding: Share of examples with a target whose prediction fits no other known object
            better.
        quality: Mean IoU of those; None where there are none.
        on_target, examples: The numbers behind the share.
        others_known: Whether the data set lists all objects of its pictures.
        note: What is to be said beside the numbers, or empty.
    """

    grounding: float | None
    quality: float | None
    on_target: int
    examples: int
    others_known: bool
    note: str


def split_grounding(scores: Scores, protocol: Protocol) -> GroundingSplit:
    """Tell grounding (the right object) from mask quality (its IoU, given the right object).

    Where the data set lists only the objects that are referred to, both are given against those,
    and the note says so; the metric ``grounding`` is not defined then.
    """
    scored = replace(apply_protocol(scores, protocol), others_known=True)
    grounding = next(m for m in METRICS if m.key == "grounding").compute(scored)
    on_target = scored.counts & (scored.grounded == ON_TARGET)
    group = scored.has_target & (scored.status != Status.NO_TRUTH)
    if protocol.missing == "skip":
        group &= scored.is_predicted
    known = scores.dataset.distractors_known
    note = "" if known else (
        "The data lists only the objects that sentences refer to; others in the picture are "
        "unknown, so grounding is an upper bound."
    )
    if grounding is None:
        note = "Not defined: the run holds no masks, or no example has a target."
    return GroundingSplit(
        grounding,
        None if grounding is None else scored.mean(scored.iou, on_target),
        int(on_target.sum()), int(group.sum()), known, note,
    )
