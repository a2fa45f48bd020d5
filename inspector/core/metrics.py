"""Numbers over a whole run, and the rules by which they are made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

import numpy as np

from inspector.core.errors import UsageError, nearest
from inspector.core.grounding import ON_TARGET, UNKNOWN
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
        resize: ``nearest`` where masks of another size than their picture's were to be resized.
    """

    average: Literal["sentence", "referent"] = "sentence"
    empty_union: Literal["one", "zero", "skip"] = "one"
    missing: Literal["zero", "skip"] = "zero"
    resize: Literal["never", "nearest"] = "never"

    def to_json(self) -> dict[str, str]:
        """Give the object of the contract; ``resize`` stands there only where it was asked for."""
        rules = {name: getattr(self, name) for name in self.__slots__}
        return {key: rule for key, rule in rules.items() if (key, rule) != ("resize", "never")}


@dataclass(frozen=True, slots=True, eq=False)
class ScoredExamples:
    """Scores under a protocol; ``n`` examples in the order of the data set.

    Attributes:
        iou: ``(n,)`` float64 in [0, 1]; NaN where the example is left out.
        counts: ``(n,)`` bool, False where the example leaves mIoU, oIoU and P@X.
        intersection, union: ``(n,)`` int64.
        is_predicted: ``(n,)`` bool, has a usable prediction.
        is_empty_pair: ``(n,)`` bool, usable prediction and target are both empty.
        is_stated: ``(n,)`` bool, only the IoU is known, from the file: no pixels to add up.
        is_boxes_only: The run holds boxes and nothing else.
        box_iou: ``(n,)`` float64, 0 without a usable box; NaN where no box is scored: without a
            target, and everywhere if the run holds no boxes.
        boundary_iou: ``(n,)`` float64 in [0, 1], by the same rules as ``iou``; NaN where the
            example is left out, or has a prediction whose boundary was not measured.
        grounded: ``(n,)`` int8, as in the scores.
        others_known: Whether the data set lists all objects of its pictures.
        category: ``(n,)`` int32, row of ``Dataset.category_names``; -1 without a target.
        status, has_target, marks_nothing, referent: As in the scores and the data set.
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
    marks_nothing: np.ndarray
    is_stated: np.ndarray
    is_boxes_only: bool
    box_iou: np.ndarray
    boundary_iou: np.ndarray
    grounded: np.ndarray
    others_known: bool
    category: np.ndarray
    referent: np.ndarray
    protocol: Protocol

    def take(self, chosen: np.ndarray) -> ScoredExamples:
        """Keep some of the examples.

        Args:
            chosen: ``(n,)`` bool.
        """
        columns = {
            name: value[chosen]
            for name in self.__slots__
            if isinstance(value := getattr(self, name), np.ndarray)
        }
        return replace(self, **columns)

    @property
    def shown_iou(self) -> np.ndarray:
        """``(n,)`` float64, what an example is shown and sorted by: box IoU in a run of boxes."""
        return self.box_iou if self.is_boxes_only else self.iou

    def passes(self, numerator: int, denominator: int) -> np.ndarray:
        """``(n,)`` bool: IoU >= numerator / denominator, decided on integers.

        Both empty passes exactly if the empty rule says one; unusable predictions never pass.
        """
        reached = (self.intersection * denominator >= numerator * self.union) & (self.union > 0)
        reached = np.where(self.is_stated, self.iou >= numerator / denominator, reached)
        reached = np.where(self.is_empty_pair, self.protocol.empty_union == "one", reached)
        passed: np.ndarray = reached & self.is_predicted & self.counts
        return passed

    def mean(self, values: np.ndarray, counts: np.ndarray | None = None) -> float | None:
        """Average over the counted examples, by sentence or by referent; None of nothing."""
        counts = self.counts if counts is None else counts
        chosen = values[counts].astype(np.float64)
        if not len(chosen):
            return None
        if self.protocol.average == "sentence":
            return float(chosen.mean())
        _, group = np.unique(self.referent[counts], return_inverse=True)
        return float((np.bincount(group, chosen) / np.bincount(group)).mean())


def apply_protocol(scores: Scores, protocol: Protocol) -> ScoredExamples:
    """Turn exact counts into per-example IoU under the rules."""
    predicted = scores.status == Status.SCORED
    counts = scores.status != Status.NO_TRUTH
    if scores.run.is_boxes_only:
        counts &= False
    stated, is_stated = _stated(scores)
    empty_pair = predicted & (scores.union == 0) & scores.marks_nothing & ~is_stated
    if protocol.missing == "skip":
        counts &= predicted
    if protocol.empty_union == "skip":
        counts &= ~empty_pair
    iou = np.where(is_stated, stated, scores.intersection / np.maximum(scores.union, 1))
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
        marks_nothing=scores.marks_nothing,
        is_stated=is_stated,
        is_boxes_only=scores.run.is_boxes_only,
        box_iou=_box_iou(scores, protocol),
        boundary_iou=_boundary_iou(scores, protocol, counts, empty_pair),
        grounded=scores.grounded,
        others_known=scores.dataset.distractors_known,
        category=scores.dataset.category_codes,
        referent=scores.dataset.expressions.referent,
        protocol=protocol,
    )


def _stated(scores: Scores) -> tuple[np.ndarray, np.ndarray]:
    """Give the IoU that the file states, and where it is all that is known."""
    stated = scores.run.stated_iou
    if stated is None:
        return np.zeros(len(scores.status)), np.zeros(len(scores.status), bool)
    only = (scores.status == Status.SCORED) & (scores.run.rows < 0) & ~np.isnan(stated)
    if scores.run.counts is not None:
        only &= scores.run.counts[:, 1] < 0
    return stated, only


def _box_iou(scores: Scores, protocol: Protocol) -> np.ndarray:
    iou = scores.box_iou.copy()
    if scores.boxes is not None and protocol.missing == "zero":
        lacks_box = np.isnan(scores.boxes.predicted[:, 0])
        has_target = ~np.isnan(scores.boxes.target[:, 0])
        iou[lacks_box & has_target & (scores.status != Status.NO_TRUTH)] = 0.0
    return iou


def _boundary_iou(
    scores: Scores, protocol: Protocol, counts: np.ndarray, empty_pair: np.ndarray
) -> np.ndarray:
    iou = np.full(len(scores.status), np.nan)
    if scores.shapes is None:
        return iou
    shapes = scores.shapes
    measured = shapes.is_measured & (scores.status == Status.SCORED)
    iou[measured] = (
        shapes.boundary_intersection[measured] / np.maximum(shapes.boundary_union[measured], 1)
    )
    iou[scores.status != Status.SCORED] = 0.0
    iou[empty_pair & measured] = 1.0 if protocol.empty_union == "one" else 0.0
    iou[~counts] = np.nan
    return iou


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

    Source: "overall IoU" of LAVT and MAttNet; also called cIoU. Big objects rule it. Not
    defined where the file states an IoU without the pixels that it was counted from.
    """
    if (scored.is_stated & scored.counts).any():
        return None
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
    return _share(scored, ~scored.has_target, scored.marks_nothing)


def _target_accuracy(scored: ScoredExamples) -> float | None:
    """Share of examples with a target that were not left empty. Source: GRES (ReLA), T-acc."""
    if scored.has_target.all():
        return None
    return _share(scored, scored.has_target, ~scored.marks_nothing)


def _share(scored: ScoredExamples, group: np.ndarray, right: np.ndarray) -> float | None:
    group = group & (scored.status != Status.NO_TRUTH)
    if scored.protocol.missing == "skip":
        group = group & scored.is_predicted
    return float((right & scored.is_predicted)[group].mean()) if group.any() else None


def _boundary_mean_iou(scored: ScoredExamples) -> float | None:
    """Average the Boundary IoU; not defined where a prediction has no mask to measure.

    Source: Cheng et al., Boundary IoU (CVPR 2021), with their band of 2 % of the diagonal. Their
    AP takes the smaller of mask IoU and Boundary IoU instead; this is the Boundary IoU alone.
    """
    if np.isnan(scored.boundary_iou[scored.counts]).any():
        return None
    return scored.mean(scored.boundary_iou)


def _mean_over_categories(scored: ScoredExamples) -> float | None:
    """Average mIoU over categories, so that rare ones weigh as much as frequent ones.

    A target of several categories counts as a category of its own; examples without a target
    have none.
    """
    chosen = scored.counts & (scored.category >= 0)
    if scored.is_boxes_only or not chosen.any():
        return None
    means = [
        float(scored.iou[chosen & (scored.category == code)].mean())
        for code in np.unique(scored.category[chosen]).tolist()
    ]
    return float(np.mean(means))


def _grounding(scored: ScoredExamples) -> float | None:
    """Share of examples with a target whose prediction fits no other object better.

    Not defined where the data set does not list all objects of its pictures, and where a
    prediction has no mask. A missing prediction counts as not on the target, or not at all.
    """
    group = scored.has_target & (scored.status != Status.NO_TRUTH)
    if scored.protocol.missing == "skip":
        group = group & scored.is_predicted
    without_mask = group & scored.is_predicted & (scored.grounded == UNKNOWN)
    if not scored.others_known or without_mask.any():
        return None
    return float((scored.grounded == ON_TARGET)[group].mean()) if group.any() else None


def _box_mean_iou(scored: ScoredExamples) -> float | None:
    """Average box IoU over the examples that have a target. Source: lmms-eval, "IoU" of boxes."""
    return scored.mean(scored.box_iou, ~np.isnan(scored.box_iou))


def _box_accuracy(scored: ScoredExamples) -> float | None:
    """Share of examples with a target whose box reaches IoU 0.5.

    Source: "Acc@0.5" of referring expression comprehension, with >=; VisionReasoner uses >.
    """
    return scored.mean(scored.box_iou >= 0.5, ~np.isnan(scored.box_iou))


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
        "boundary_mIoU", "Boundary mIoU",
        "Mean of the per-example Boundary IoU, with a band of 2 % of the picture's diagonal.",
        "fraction", True, "Boundary IoU (Cheng et al.)", _boundary_mean_iou,
    ),
    Metric(
        "N-acc", "N-acc", "Share of no-target examples for which nothing was marked.",
        "fraction", True, "GRES (ReLA)", _no_target_accuracy,
    ),
    Metric(
        "T-acc", "T-acc", "Share of examples with a target for which something was marked.",
        "fraction", True, "GRES (ReLA)", _target_accuracy,
    ),
    Metric(
        "mIoU_category", "mIoU by category",
        "Mean over categories of the mIoU of each.",
        "fraction", True, "mean class IoU of semantic segmentation", _mean_over_categories,
    ),
    Metric(
        "box_mIoU", "box mIoU",
        "Mean of the box IoU over examples with a target, where the run holds boxes.",
        "fraction", True, "lmms-eval", _box_mean_iou,
    ),
    Metric(
        "box_Acc@0.5", "box Acc@0.5",
        "Share of examples with a target whose predicted box has IoU >= 0.5 with the target's.",
        "fraction", True, "MAttNet, lmms-eval; VisionReasoner uses >", _box_accuracy,
    ),
    Metric(
        "grounding", "Grounding",
        "Share of predictions whose best-fitting object is the target.",
        "fraction", True, "ours; its opposite is coco-analyze's swap", _grounding,
    ),
)

ALIASES = {
    "gIoU": "mIoU", "cIoU": "oIoU", "overall IoU": "oIoU", "IoU": "mIoU", "N_acc": "N-acc",
    "T_acc": "T-acc",
}
"""Other names of our metrics: gIoU and cIoU are printed by LISA, GLaMM and on no-target data."""


def precision_at(threshold: str) -> Metric:
    """Make the metric P@X of a threshold that is written as a decimal number.

    Raises:
        UsageError: If it is no number in (0, 1] of at most six decimals.
    """
    try:
        exact = Fraction(0) if "/" in threshold else Fraction(threshold)
    except (ValueError, ZeroDivisionError):
        exact = Fraction(0)
    if not 0 < exact <= 1 or 1_000_000 % exact.denominator:
        raise UsageError(
            f"'{threshold}' is not an IoU threshold. Write a number such as 0.75: above 0, at "
            "most 1, with up to six decimals."
        )
    return Metric(
        f"P@{threshold}", f"P@{threshold}",
        f"Share of examples with IoU >= {threshold}, decided on integers.",
        "fraction", True, "LAVT and MAttNet, precision@X with >=; CRIS uses >",
        lambda scored: scored.mean(scored.passes(exact.numerator, exact.denominator)),
    )


def find_metric(key: str) -> Metric:
    """Give the metric of a key, an alias, or ``P@X`` with any threshold X.

    Raises:
        UsageError: If there is no such metric.
    """
    for metric in METRICS:
        if metric.key == ALIASES.get(key, key):
            return metric
    name, at, threshold = key.partition("@")
    if at and name in ("P", "Pr", "precision"):
        return precision_at(threshold)
    keys = [metric.key for metric in METRICS]
    raise UsageError(
        f"No metric '{key}'. There are: {', '.join([*keys, *ALIASES])}, P@X for any X."
        f"{nearest(key, keys)}"
    )


def compute_metric(scored: ScoredExamples, key: str) -> float | None:
    """Compute one metric by what :func:`find_metric` knows it as; None where not defined."""
    return find_metric(key).compute(scored)


def compute_metrics(scores: Scores, protocol: Protocol) -> dict[str, float | None]:
    """Compute every metric of :data:`METRICS`; None where one is not defined on the data."""
    return _compute(apply_protocol(scores, protocol))


def compute_levels(scores: Scores, protocol: Protocol) -> dict[str, dict[str, float | None]]:
    """Compute every metric on the examples of each level alone; nothing where none is marked.

    RefCOCOm's numbers are told apart this way: its object level alone hides its point.
    """
    levels = np.array(scores.dataset.expressions.levels, object)
    scored = apply_protocol(scores, protocol)
    return {
        name: _compute(scored.take(levels == name)) for name in scores.dataset.level_names
    }


def _compute(scored: ScoredExamples) -> dict[str, float | None]:
    return {metric.key: metric.compute(scored) for metric in METRICS}
