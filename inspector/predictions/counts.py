"""What a file says about its own scores, held against the ground truth and against ours."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from inspector.core.dataset import Dataset
from inspector.core.overlap import measure_pairs
from inspector.core.problems import ProblemLog
from inspector.core.run import Run, Status
from inspector.predictions.records import PredictionRecord

_AGREES = 0.001
_FRAME_SLACK = 0.1  # of the target's area: nearest neighbour in another frame loses thin parts
_FRAME_PIXELS = 100


def contradiction(
    counts: tuple[int, int], target_area: int, frame_hw: tuple[int, int] | None,
    size_hw: tuple[int, int],
) -> str:
    """Say why an intersection and a union cannot be those of a prediction with this target.

    The intersection is at most the target's area and the union at least that. Counts from a
    model's frame are held against the area scaled to it, give or take a tenth and 100 pixels.

    Example:
        >>> contradiction((40, 90), 50, None, (480, 640))
        ''
        >>> contradiction((60, 90), 50, None, (480, 640))
        'the file counts 60 shared pixels, but the target has only 50: it is of another example'
    """
    intersection, union = counts
    if intersection > union:
        return f"the file counts {intersection:,} shared pixels of {union:,} covered ones"
    area, slack = float(target_area), 0.0
    if frame_hw is not None:
        area *= frame_hw[0] * frame_hw[1] / (size_hw[0] * size_hw[1])
        slack = _FRAME_SLACK * area + _FRAME_PIXELS
    if intersection > area + slack:
        return (
            f"the file counts {intersection:,} shared pixels, but the target has only "
            f"{area:,.0f}: it is of another example"
        )
    if union < area - slack:
        return (
            f"the file counts {union:,} covered pixels, but the target alone has "
            f"{area:,.0f}: it is of another example"
        )
    return ""


def compare_iou(
    dataset: Dataset, run: Run, records: Mapping[int, PredictionRecord], log: ProblemLog
) -> None:
    """List the IoU values of a file that differ from ours by more than 0.001."""
    stated = {
        example: record for example, record in records.items()
        if record.iou is not None and run.status[example] == Status.SCORED
        and run.evidence(example) in ("mask", "counts") and dataset.is_scorable[example]
    }
    ours = _own_iou(dataset, run, np.array(list(stated), np.int64))
    for (example, record), own in zip(stated.items(), ours.tolist(), strict=True):
        if record.iou is not None and own >= 0 and abs(own - record.iou) > _AGREES:
            log.add(
                "iou-differs", "warning", record.where,
                f"Example {dataset.expressions.ids[example]}: the file says IoU "
                f"{record.iou:.4f}, but it is {own:.4f}.",
            )


def _own_iou(dataset: Dataset, run: Run, examples: np.ndarray) -> np.ndarray:
    """Give our IoU of some examples; -1 where both masks are empty, whose IoU is a rule."""
    rows, targets = run.rows[examples], dataset.expressions.target[examples]
    shared = measure_pairs(run.masks, rows, dataset.targets.masks, targets)
    ignored = measure_pairs(run.masks, rows, dataset.ignored, dataset.expressions.ignored[examples])
    areas = np.zeros(len(examples), np.int64)
    areas[rows >= 0] = run.masks.areas[rows[rows >= 0]]
    union = areas - ignored + dataset.target_areas[examples] - shared
    if run.counts is not None:
        counted = rows < 0
        shared[counted], union[counted] = run.counts[examples[counted]].T
    iou: np.ndarray = np.where(union > 0, shared / np.maximum(union, 1), -1.0)
    return iou
