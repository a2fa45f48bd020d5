"""Numbers over a whole run, and the rules by which they are made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from inspector.core.run import Status
from inspector.core.scores import Scores


@dataclass(frozen=True, slots=True)
class Protocol:
    """The rules in force; they stand beside every number.

    Attributes:
        average: ``sentence`` averages over examples; ``referent`` first inside a referent, then
            over referents (mIoU and P@X; oIoU is always the sum over examples).
        empty_union: IoU of a scored example whose prediction and target are both empty: 1, 0, or
            the example leaves mIoU, oIoU and P@X.
        missing: An example without a usable prediction scores 0 and counts the target's area in
            oIoU, or leaves every metric.
    """

    average: Literal["sentence", "referent"] = "sentence"
    empty_union: Literal["one", "zero", "skip"] = "one"
    missing: Literal["zero", "skip"] = "zero"

    def to_json(self) -> dict[str, str]:
        """Give the object of the contract."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True, eq=False)
class ScoredExamples:
    """Scores under a protocol; ``n`` examples in the order of the data set.

    Attributes:
        iou: ``(n,)`` float64 in [0, 1]; NaN where the example is left out.
        counts: ``(n,)`` bool, False where the example leaves mIoU, oIoU and P@X.
        intersection, union: ``(n,)`` int64.
        is_predicted: ``(n,)`` bool, has a usable prediction.
        is_empty_pair: ``(n,)`` bool, usable prediction and target are both empty.
        status, has_target, prediction_area, referent: As in the scores and the data set.
        protocol: The rules.
    """

    iou: np.ndarray
    counts: np.ndarray
    intersection: np.ndarray
    union: np.ndarray
    is_predicted: np.ndarray
    is_empty_pair: np.ndarray
    status: np.ndarray
    has_target: np.ndarray
    prediction_area: np.ndarray
    referent: np.ndarray
    protocol: Protocol

    def passes(self, numerator: int, denominator: int) -> np.ndarray:
        """``(n,)`` bool: IoU >= numerator / denominator, decided on integers.

        Both empty passes exactly if the empty rule says one; unusable predictions never pass.
        """
        reached = self.intersection * denominator >= numerator * self.union
        reached = np.where(self.is_empty_pair, self.protocol.empty_union == "one", reached)
        passed: np.ndarray = reached & self.is_predicted & self.counts
        return passed

    def mean(self, values: np.ndarray) -> float | None:
        """Average over the counted examples, by sentence or by referent; None of nothing."""
        chosen = values[self.counts].astype(np.float64)
        if not len(chosen):
            return None
        if self.protocol.average == "sentence":
            return float(chosen.mean())
        _, group = np.unique(self.referent[self.counts], return_inverse=True)
        return float((np.bincount(group, chosen) / np.bincount(group)).mean())


def apply_protocol(scores: Scores, protocol: Protocol) -> ScoredExamples:
    """Turn exact counts into per-example IoU under the rules."""
    predicted = scores.status == Status.SCORED
    empty_pair = predicted & (scores.union == 0)
    counts = scores.status != Status.NO_TRUTH
    if protocol.missing == "skip":
        counts &= predicted
    if protocol.empty_union == "skip":
        counts &= ~empty_pair
    iou = scores.intersection / np.maximum(scores.union, 1)
    iou[empty_pair] = 1.0 if protocol.empty_union == "one" else 0.0
    iou[~counts] = np.nan
    return ScoredExamples(
        iou=iou,
        counts=counts,
        intersection=scores.intersection,
        union=scores.union,
        is_predicted=predicted,
        is_empty_pair=empty_pair,
        status=scores.status,
        has_target=scores.dataset.expressions.target >= 0,
        prediction_area=scores.prediction_area,
        referent=scores.dataset.expressions.referent,
        protocol=protocol,
    )


@dataclass(frozen=True, slots=True)
class Metric:
    """One number over many scores; ``compute`` gives None where it is not defined."""

    key: str
    label: str
    description: str
    unit: str
    higher_is_better: bool
    source: str
    compute: Callable[[ScoredExamples], float | None]


def mean_iou(scored: ScoredExamples) -> float | None:
    """Average the per-example IoU.

    Source: RefCOCO-M card, "Evaluation Protocol"; also called gIoU in LISA and GRES.
    """
    return scored.mean(scored.iou)


def overall_iou(scored: ScoredExamples) -> float | None:
    """Divide the sum of all intersections by the sum of all unions.

    Source: "overall IoU" of LAVT and MAttNet; also called cIoU. Big objects rule it.
    """
    union = int(scored.union[scored.counts].sum())
    return int(scored.intersection[scored.counts].sum()) / union if union else None


def _precision_at(tenths: int) -> Metric:
    return Metric(
        key=f"P@0.{tenths}",
        label=f"P@0.{tenths}",
        description=f"Share of examples with IoU >= 0.{tenths}, decided on integers.",
        unit="fraction",
        higher_is_better=True,
        source="LAVT and MAttNet, precision@X with >=; CRIS uses >",
        compute=lambda scored: scored.mean(scored.passes(tenths, 10)),
    )


def _no_target_accuracy(scored: ScoredExamples) -> float | None:
    """Share of no-target examples that were left empty. Source: GRES (ReLA), N-acc."""
    if scored.has_target.all():
        return None
    return _share(scored, ~scored.has_target, scored.prediction_area == 0)


def _target_accuracy(scored: ScoredExamples) -> float | None:
    """Share of examples with a target that were not left empty. Source: GRES (ReLA), T-acc."""
    if scored.has_target.all():
        return None
    return _share(scored, scored.has_target, scored.prediction_area > 0)


def _share(scored: ScoredExamples, group: np.ndarray, right: np.ndarray) -> float | None:
    group = group & (scored.status != Status.NO_TRUTH)
    if scored.protocol.missing == "skip":
        group = group & scored.is_predicted
    return float((right & scored.is_predicted)[group].mean()) if group.any() else None


METRICS: tuple[Metric, ...] = (
    Metric(
        "mIoU", "mIoU", "Mean of the per-example IoU (also called gIoU; not Generalized IoU).",
        "fraction", True, "RefCOCO-M card", mean_iou,
    ),
    Metric(
        "oIoU", "oIoU", "Sum of intersections / sum of unions (also called cIoU, overall IoU).",
        "fraction", True, "LAVT, MAttNet", overall_iou,
    ),
    *(_precision_at(tenths) for tenths in range(5, 10)),
    Metric(
        "N-acc", "N-acc", "Share of no-target examples for which nothing was marked.",
        "fraction", True, "GRES (ReLA)", _no_target_accuracy,
    ),
    Metric(
        "T-acc", "T-acc", "Share of examples with a target for which something was marked.",
        "fraction", True, "GRES (ReLA)", _target_accuracy,
    ),
)


def compute_metrics(scores: Scores, protocol: Protocol) -> dict[str, float | None]:
    """Compute every metric of :data:`METRICS`; None where one is not defined on the data."""
    scored = apply_protocol(scores, protocol)
    return {metric.key: metric.compute(scored) for metric in METRICS}
