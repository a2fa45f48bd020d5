"""The rules that evaluators differ in, one field each, and the numbers that they lead to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from inspector.analysis.counting import Counts, Frame, Material, Truth
from inspector.core.protocol import Protocol
from inspector.core.run import Status

TENTHS = range(5, 10)
QUANTITIES = ("mIoU", "oIoU", *(f"P@0.{tenths}" for tenths in TENTHS), "N-acc", "T-acc")


@dataclass(frozen=True, slots=True)
class Rules:
    """Everything in which evaluators of the same masks are known to differ.

    Attributes:
        average: Over sentences; inside each referent first; or over the first sentence of each
            referent alone.
        empty_union: IoU where prediction and target are both empty. ``stated`` decides by what
            the model says in place of the mask, as data sets without targets do (GRES): 1 where
            it says that nothing is meant, else 0.
        missing: Predictions that are missing or invalid score 0 with the target's area in the
            union; leave every number; score 0 in means and are left out of sums (``mean``); or
            score 0 where missing and are left out where invalid (``invalid-skip``).
        reached: Whether an IoU equal to the threshold passes P@X.
        thresholds: ``float32``: X is rounded to 32 bits and compared as a float.
        epsilon: What is added to every union before dividing.
        precision_over: P@X over all examples, or over those that have a target.
        truth, frame: What is counted, and where; see :func:`~inspector.analysis.counting.gather`.
        rejected: Where the model says that nothing is meant but there is a target: its mask
            counts as it is, or shares no pixel with the target. Only under ``stated``.
        false_area: Whether what is marked where nothing is meant adds to the sum of unions.
        sums: ``float32`` adds pixels up in 32 bits, exact only to 16.7 million.
    """

    average: Literal["sentence", "referent", "first"] = "sentence"
    empty_union: Literal["one", "zero", "skip", "stated"] = "one"
    missing: Literal["zero", "skip", "mean", "invalid-skip"] = "zero"
    reached: Literal[">=", ">"] = ">="
    thresholds: Literal["exact", "float32"] = "exact"
    epsilon: float = 0.0
    precision_over: Literal["all", "target"] = "all"
    truth: Truth = "union"
    frame: Frame = "picture"
    rejected: Literal["kept", "dropped"] = "kept"
    false_area: Literal["counted", "left-out"] = "counted"
    sums: Literal["exact", "float32"] = "exact"


def rules_of(protocol: Protocol) -> Rules:
    """Write the protocol of the page and the commands as rules."""
    return Rules(protocol.average, protocol.empty_union, protocol.missing)


PHRASES: dict[tuple[str, object], str] = {
    ("average", "sentence"): "averaged over sentences",
    ("average", "referent"): "averaged inside each referent first",
    ("average", "first"): "only the first sentence of each referent",
    ("empty_union", "one"): "both empty counts 1",
    ("empty_union", "zero"): "both empty counts 0",
    ("empty_union", "skip"): "both empty is left out",
    ("empty_union", "stated"): "both empty counts 1 only if the model says that nothing is meant",
    ("missing", "zero"): "missing predictions score 0",
    ("missing", "skip"): "missing predictions are left out",
    ("missing", "mean"): "missing predictions score 0 but are left out of sums",
    ("missing", "invalid-skip"): "missing predictions score 0, invalid ones are left out",
    ("reached", ">="): "IoU >= X passes",
    ("reached", ">"): "only IoU > X passes",
    ("thresholds", "exact"): "exact thresholds",
    ("thresholds", "float32"): "thresholds rounded to 32 bits",
    ("epsilon", 0.0): "plain division",
    ("epsilon", 1e-8): "1e-8 added to every union",
    ("epsilon", 1e-6): "1e-6 added to every union",
    ("epsilon", 1e-5): "1e-5 added to every union",
    ("precision_over", "all"): "P@X over all examples",
    ("precision_over", "target"): "P@X over examples with a target",
    ("truth", "union"): "polygons of one object joined",
    ("truth", "once"): "pixels where polygons of one object overlap cut out of the target",
    ("truth", "ignored"): "ignored regions count as target",
    ("frame", "picture"): "at the picture's own size",
    ("frame", "square"): "both masks squashed to 480 x 480",
    ("rejected", "kept"): "a rejected sentence keeps its mask",
    ("rejected", "dropped"): "a rejected sentence shares no pixel with its target",
    ("false_area", "counted"): "pixels marked where nothing is meant add to the union",
    ("false_area", "left-out"): "pixels marked where nothing is meant add to no union",
    ("sums", "exact"): "pixels added up exactly",
    ("sums", "float32"): "pixels added up in 32-bit floats",
}
"""Every value of every rule in words."""


def phrase(rules: Rules, fields: tuple[str, ...]) -> str:
    """Say some of the rules in words, joined by semicolons."""
    return "; ".join(PHRASES[field, getattr(rules, field)] for field in fields)


@dataclass(frozen=True, slots=True, eq=False)
class Evaluation:
    """Per-example values under some rules.

    ``is_looked_at`` are the examples that the rules take at all, by whatever a run is scored;
    none of a run of boxes alone has a mask that counts.
    """

    rules: Rules
    is_looked_at: np.ndarray
    iou: np.ndarray
    counts: Counts
    is_averaged: np.ndarray
    is_summed: np.ndarray
    is_predicted: np.ndarray
    is_empty_pair: np.ndarray
    is_stated_iou: np.ndarray
    has_target: np.ndarray
    says_nothing: np.ndarray
    referent: np.ndarray

    def mean(self, values: np.ndarray, chosen: np.ndarray) -> float | None:
        """Average over examples, or inside each referent first; None of nothing."""
        values = values[chosen].astype(np.float64)
        if not len(values):
            return None
        if self.rules.average != "referent":
            return float(values.mean())
        _, group = np.unique(self.referent[chosen], return_inverse=True)
        return float((np.bincount(group, values) / np.bincount(group)).mean())


def evaluate(material: Material, rules: Rules) -> Evaluation | None:
    """Apply rules to counts; None where the run's file does not hold what they count on."""
    counts = material.counts.get((rules.truth, rules.frame))
    if counts is None:
        return None
    scored = material.scored
    looked_at = scored.status != Status.NO_TRUTH
    if rules.average == "first":
        first = np.zeros(len(looked_at), bool)
        first[np.unique(scored.referent, return_index=True)[1]] = True
        looked_at &= first
    usable = np.zeros_like(looked_at) if scored.is_boxes_only else looked_at
    is_averaged = usable.copy()
    if rules.missing == "skip":
        is_averaged &= scored.is_predicted
    elif rules.missing == "invalid-skip":
        is_averaged &= scored.status != Status.INVALID
    is_summed = is_averaged & (scored.is_predicted if rules.missing == "mean" else True)
    stated = _states_nothing(material)
    by_statement = rules.empty_union == "stated"
    nothing = stated if by_statement else scored.marks_nothing
    intersection, union = counts.intersection.copy(), counts.union.copy()
    if by_statement:
        right = ~scored.has_target & nothing
        union[right] = 0
        if rules.rejected == "dropped":
            lost = scored.has_target & nothing
            intersection[lost] = 0
    if rules.false_area == "left-out":
        union[~scored.has_target] = 0
    divisor = union + rules.epsilon
    iou = np.divide(intersection, divisor, out=np.zeros(len(divisor)), where=divisor > 0)
    iou[scored.is_stated] = scored.iou[scored.is_stated]
    is_empty_pair = (
        scored.is_predicted & (counts.union == 0) & ~scored.is_stated
        & (scored.marks_nothing | (rules.frame == "square"))
    )
    if by_statement:
        iou[~scored.has_target & usable] = 0.0
        iou[~scored.has_target & nothing] = 1.0
        is_empty_pair = ~scored.has_target & nothing
    else:
        iou[is_empty_pair] = 1.0 if rules.empty_union == "one" else 0.0
    is_empty_pair = is_empty_pair & usable
    if rules.empty_union == "skip":
        is_averaged &= ~is_empty_pair
        is_summed &= ~is_empty_pair
    return Evaluation(
        rules, looked_at, iou,
        Counts(intersection, union, counts.target_area, counts.prediction_area),
        is_averaged, is_summed, scored.is_predicted, is_empty_pair, scored.is_stated,
        scored.has_target, nothing, scored.referent,
    )


def _states_nothing(material: Material) -> np.ndarray:
    """Say where the model says that nothing is meant: in so many words, else by an empty mask."""
    scores = material.scores
    if not has_statements(material):
        return scores.marks_nothing
    stated: np.ndarray = scores.run.says_no_target & (scores.status == Status.SCORED)
    return stated


def has_statements(material: Material) -> bool:
    """Whether the run says of any example in so many words that nothing is meant."""
    return bool(material.scores.run.says_no_target.any())


def compute_quantity(evaluation: Evaluation, key: str) -> float | None:
    """Compute one of :data:`QUANTITIES`; None where it is not defined on the data."""
    if key == "mIoU":
        return evaluation.mean(evaluation.iou, evaluation.is_averaged)
    if key == "oIoU":
        return _overall(evaluation)
    if key == "N-acc":
        return _share(evaluation, ~evaluation.has_target, evaluation.says_nothing)
    if key == "T-acc":
        return _share(evaluation, evaluation.has_target, ~evaluation.says_nothing)
    chosen = evaluation.is_averaged
    if evaluation.rules.precision_over == "target":
        chosen = chosen & evaluation.has_target
    return evaluation.mean(_passes(evaluation, int(key.removeprefix("P@0."))), chosen)


def _overall(evaluation: Evaluation) -> float | None:
    chosen = evaluation.is_summed
    if (evaluation.is_stated_iou & chosen).any():
        return None
    intersection = evaluation.counts.intersection[chosen]
    union = evaluation.counts.union[chosen]
    if not union.any():
        return None
    if evaluation.rules.sums == "float32":
        sums = [np.cumsum(part, dtype=np.float32)[-1] for part in (intersection, union)]
        return float(sums[0]) / float(sums[1])
    return int(intersection.sum()) / int(union.sum())


def _share(evaluation: Evaluation, group: np.ndarray, right: np.ndarray) -> float | None:
    if evaluation.has_target.all():
        return None
    chosen = group & (evaluation.is_averaged | evaluation.is_empty_pair)
    if evaluation.rules.missing == "skip":
        chosen &= evaluation.is_predicted
    return float((right & evaluation.is_predicted)[chosen].mean()) if chosen.any() else None


def _passes(evaluation: Evaluation, tenths: int) -> np.ndarray:
    rules, counts = evaluation.rules, evaluation.counts
    ten, part = 10 * counts.intersection, tenths * counts.union
    passed = (ten >= part if rules.reached == ">=" else ten > part) & (counts.union > 0)
    as_floats = evaluation.is_stated_iou
    if rules.epsilon or rules.thresholds == "float32":
        as_floats = np.ones(len(passed), bool)
    threshold = float(np.float32(tenths / 10)) if rules.thresholds == "float32" else tenths / 10
    floats = evaluation.iou >= threshold if rules.reached == ">=" else evaluation.iou > threshold
    passed = np.where(as_floats, floats, passed)
    is_one = rules.empty_union in ("one", "stated")
    passed = np.where(evaluation.is_empty_pair, is_one, passed)
    result: np.ndarray = passed & evaluation.is_predicted
    return result
