"""Numbers over a whole run, and the rules by which they are made."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from inspector.core.errors import UsageError, say_choices
from inspector.core.grounding import ON_TARGET, UNKNOWN
from inspector.core.protocol import Protocol, ScoredExamples, apply_protocol
from inspector.core.run import Status
from inspector.core.scores import Scores


@dataclass(frozen=True, slots=True)
class Metric:
    """One number over many scores; ``compute`` gives None where it is not defined."""

    key: str
    label: str
    description: str
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
    defined where pixels cannot be added up: see :attr:`ScoredExamples.sums_pixels`.
    """
    if not scored.sums_pixels:
        return None
    union = int(scored.union[scored.counts].sum())
    return int(scored.intersection[scored.counts].sum()) / union if union else None


def precision_at(threshold: str) -> Metric:
    """Make the metric P@X of a threshold that is written as a decimal number.

    Raises:
        UsageError: If it is no number in (0, 1] of at most six decimals.
    """
    plain = re.fullmatch(r"[01]?\.\d{1,6}|[01]", threshold, re.ASCII)
    exact = Fraction(threshold if plain else 0)
    if not 0 < exact <= 1:
        raise UsageError(
            f"'{threshold}' is not an IoU threshold. Write a number such as 0.75: above 0, at "
            "most 1, with up to six decimals."
        )
    return Metric(
        f"P@{threshold}", f"P@{threshold}",
        f"Share of examples with IoU >= {threshold}, decided on integers.",
        "LAVT and MAttNet, precision@X with >=; CRIS uses >",
        lambda scored: scored.mean(scored.passes(exact.numerator, exact.denominator)),
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
    if (group & scored.is_stated & (scored.iou == 0)).any():
        return None  # an IoU of 0 alone does not say whether anything was marked
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
        "RefCOCO-M card", mean_iou,
    ),
    Metric(
        "oIoU", "oIoU", "Sum of intersections / sum of unions (also called cIoU, overall IoU).",
        "LAVT, MAttNet", overall_iou,
    ),
    *(precision_at(f"0.{tenths}") for tenths in range(5, 10)),
    Metric(
        "boundary_mIoU", "Boundary mIoU",
        "Mean of the per-example Boundary IoU, with a band of 2 % of the picture's diagonal.",
        "Boundary IoU (Cheng et al.)", _boundary_mean_iou,
    ),
    Metric(
        "N-acc", "N-acc", "Share of no-target examples for which nothing was marked.",
        "GRES (ReLA)", _no_target_accuracy,
    ),
    Metric(
        "T-acc", "T-acc", "Share of examples with a target for which something was marked.",
        "GRES (ReLA)", _target_accuracy,
    ),
    Metric(
        "mIoU_category", "mIoU by category",
        "Mean over categories of the mIoU of each.",
        "mean class IoU of semantic segmentation", _mean_over_categories,
    ),
    Metric(
        "box_mIoU", "box mIoU",
        "Mean of the box IoU over examples with a target, where the run holds boxes.",
        "lmms-eval", _box_mean_iou,
    ),
    Metric(
        "box_Acc@0.5", "box Acc@0.5",
        "Share of examples with a target whose predicted box has IoU >= 0.5 with the target's.",
        "MAttNet, lmms-eval; VisionReasoner uses >", _box_accuracy,
    ),
    Metric(
        "grounding", "Grounding",
        "Share of predictions whose best-fitting object is the target.",
        "ours; its opposite is coco-analyze's swap", _grounding,
    ),
)

ALIASES = {
    "gIoU": "mIoU", "cIoU": "oIoU", "overall IoU": "oIoU", "IoU": "mIoU", "N_acc": "N-acc",
    "T_acc": "T-acc",
}
"""Other names of our metrics: gIoU and cIoU are printed by LISA, GLaMM and on no-target data."""


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
        f"No metric '{key}'. {say_choices(key, [*keys, *ALIASES, 'P@X for any X'])}"
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
