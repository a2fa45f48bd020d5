"""The rules of scoring, and per-example IoU under them."""

from __future__ import annotations

from dataclasses import dataclass, replace
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
        is_framed: ``(n,)`` bool, pixels were counted in a frame of another size than the picture.
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
    is_framed: np.ndarray
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

    @property
    def sums_pixels(self) -> bool:
        """Whether the counted pixels may be added up, as oIoU does.

        They may not where a file states an IoU without pixels, nor where some were counted in a
        frame of their own (of 480 x 480, say) and others in their picture's.
        """
        framed = self.is_framed[self.counts & (self.union > 0)]
        return not (self.is_stated & self.counts).any() and framed.all() == framed.any()

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
        is_framed=scores.is_framed,
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
    if scores.boxes is not None:
        lacks_box = np.isnan(scores.boxes.predicted[:, 0])
        has_target = ~np.isnan(scores.boxes.target[:, 0])
        zero = lacks_box & has_target & (scores.status != Status.NO_TRUTH)
        if protocol.missing == "skip":
            zero &= scores.marks_nothing  # an answer, and a wrong one: nothing is missing
        iou[zero] = 0.0
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
