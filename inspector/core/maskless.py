"""Scores that rest on something else than a mask: counts, an IoU, or a box in the file."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from inspector.core.boxes import EXACT, box_iou, measure_boxes, target_boxes
from inspector.core.dataset import Dataset
from inspector.core.failures import (
    FAILURE_ROWS,
    Case,
    OtherObject,
    Thresholds,
    classify,
    reaches,
)
from inspector.core.run import EVIDENCE, Run, Status


@dataclass(frozen=True, slots=True)
class BoxScores:
    """The boxes of a run against those of the targets; ``n`` examples.

    Attributes:
        predicted: ``(n, 4)`` float64, x, y, width, height; NaN without a usable box.
        target: ``(n, 4)`` float64; NaN without target or truth.
        iou: ``(n,)`` float64; NaN where there is no usable box, no target or no truth.
    """

    predicted: np.ndarray
    target: np.ndarray
    iou: np.ndarray


def score_boxes(dataset: Dataset, run: Run) -> BoxScores | None:
    """Measure box IoU on absolute pixels; None where the run holds no boxes."""
    if run.boxes_xywh is None:
        return None
    target = target_boxes(dataset)
    return BoxScores(run.boxes_xywh, target, box_iou(run.boxes_xywh, target))


def without_mask(run: Run, status: np.ndarray) -> np.ndarray:
    """``(n,)`` bool: scored, but not from a mask."""
    found: np.ndarray = (status == Status.SCORED) & (run.rows < 0)
    return found


def known_to_mark_nothing(dataset: Dataset, run: Run, maskless: np.ndarray) -> np.ndarray:
    """``(n,)`` bool: no mask, and yet it is known that nothing was marked.

    The file says so, or states an IoU above 0 where there is no target: only two empty masks have
    one. An IoU of 0 there says that something was marked, unless the file counts two empty masks
    as 0; N-acc is then not defined.
    """
    nothing: np.ndarray = maskless & run.says_no_target
    if run.stated_iou is not None:
        agrees = (run.evidence_codes == EVIDENCE.index("iou")) & (run.stated_iou > 0)
        nothing = nothing | maskless & agrees & (dataset.expressions.target < 0)
    return nothing


def take_counts(
    run: Run, chosen: np.ndarray, intersection: np.ndarray, union: np.ndarray,
    prediction_area: np.ndarray, target_area: np.ndarray,
) -> None:
    """Write what a file says about the examples without a mask into the columns of the scores.

    Counts are taken as they are. Where only an IoU or a box is known, both counts stay 0 and the
    area of the prediction -1: no pixel was counted.
    """
    intersection[chosen], union[chosen], prediction_area[chosen] = 0, 0, -1
    if run.counts is None:
        return
    counted = chosen & (run.counts[:, 1] >= 0)
    intersection[counted], union[counted] = run.counts[counted].T
    if run.counts_frame_hw is None:
        area = union[counted] + intersection[counted] - target_area[counted]
        prediction_area[counted] = np.maximum(area, 0)


def classify_without_mask(
    dataset: Dataset, run: Run, index: int, *, intersection: int, union: int,
    prediction_area: int, marks_nothing: bool, boxes: BoxScores | None, thresholds: Thresholds,
) -> tuple[int, OtherObject | None]:
    """Say why one example without a mask failed, as far as it can be told.

    Boxes are judged as masks are, with areas of boxes in place of pixels. With counts alone no
    other object can be measured, so that neither it nor the background is ever to blame; with an
    IoU alone an example is ``correct``, ``empty``, ``false_target`` or ``loose``.
    """
    has_target = bool(dataset.expressions.target[index] >= 0)
    if run.says_no_target[index] or not has_target:
        wrong = "empty" if has_target else "false_target"
        return FAILURE_ROWS["correct" if marks_nothing and not has_target else wrong], None
    evidence = run.evidence(index)
    if evidence == "box" and boxes is not None:
        return classify(_box_case(dataset, run, index, boxes, thresholds))
    if evidence == "counts" and run.counts_frame_hw is None:
        area = int(dataset.target_areas[index])
        case = Case(Status.SCORED, True, area, prediction_area, intersection, union, (), thresholds)
        row, other = classify(case)
        return (FAILURE_ROWS["loose"] if row == FAILURE_ROWS["background"] else row), other
    if evidence == "counts":
        is_correct = reaches(intersection, union, thresholds.iou)
    else:
        stated = Fraction(repr(float(run.stated_iou[index]))) if run.stated_iou is not None else 0
        is_correct = stated >= Fraction(str(thresholds.iou))
    return FAILURE_ROWS["correct" if is_correct else "loose"], None


def _box_case(
    dataset: Dataset, run: Run, index: int, boxes: BoxScores, thresholds: Thresholds
) -> Case:
    """Describe a box as a failure mode looks at it, in millionths of square pixels."""
    own, target = boxes.predicted[index : index + 1], boxes.target[index : index + 1]
    rows = dataset.distractor_rows(index)
    objects = dataset.objects
    others = objects.boxes_xywh[rows].reshape(-1, 4)
    twin = box_iou(others, np.repeat(target, len(rows), axis=0)) >= thresholds.twin
    shared, covered = measure_boxes(np.repeat(own, len(rows), axis=0), others)
    categories = set(objects.category[dataset.referent_rows(index)].tolist())
    intersection, union = measure_boxes(own, target)
    return Case(
        status=Status.SCORED,
        has_target=True,
        target_area=_exact(target[0, 2:].prod()),
        prediction_area=_exact(own[0, 2:].prod()),
        intersection=_exact(intersection[0]),
        union=_exact(union[0]),
        others=tuple(
            OtherObject(
                row=row,
                area=_exact(others[place, 2:].prod()),
                intersection=_exact(shared[place]),
                union=_exact(covered[place]),
                same_category=int(objects.category[row]) in categories,
            )
            for place, row in enumerate(rows)
            if shared[place] > 0 and not twin[place]
        ),
        thresholds=thresholds,
    )


def _exact(area: float) -> int:
    return round(float(area) * EXACT)
