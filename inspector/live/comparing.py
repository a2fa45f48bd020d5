"""What a model said just now, against the ground truth and against what is stored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from inspector.core.dataset import Dataset
from inspector.core.ignored import counted_mask
from inspector.core.mask import Mask
from inspector.core.overlap import Overlap, measure_overlap
from inspector.core.protocol import Protocol
from inspector.core.run import Status
from inspector.core.scores import Scores


@dataclass(frozen=True, slots=True)
class Measured:
    """Exact counts of two masks and their IoU; None where no rule gives one."""

    overlap: Overlap
    iou: float | None

    def to_json(self) -> dict[str, Any]:
        """Give ``intersection``, ``union`` and ``iou``."""
        return {**self.overlap._asdict(), "iou": self.iou}


@dataclass(frozen=True, slots=True)
class LiveAnswer:
    """An answer of a live model.

    Attributes:
        mask: What it marked; None says "no target".
        size_hw: Of the picture.
        truth: Against the target; None where there is none to compare with.
        stored: Against the stored prediction of a run; None where there is none.
    """

    mask: Mask | None
    size_hw: tuple[int, int]
    truth: Measured | None = None
    stored: Measured | None = None

    def to_json(self) -> dict[str, Any]:
        """Give what the page draws and says."""
        return {
            "mask": self.mask.counts.decode("ascii") if self.mask is not None else None,
            "saysNoTarget": self.mask is None,
            "size": list(self.size_hw),
            "truth": self.truth.to_json() if self.truth else None,
            "stored": self.stored.to_json() if self.stored else None,
        }


def measure_truth(
    dataset: Dataset, index: int, mask: Mask | None, protocol: Protocol
) -> Measured | None:
    """Measure an answer against the target of an example, as a run's prediction would be.

    Ignored pixels are in neither count. Where both are empty the protocol's rule gives the IoU:
    1, 0, or None for ``skip``.

    Returns:
        None for an example without ground truth.

    Raises:
        SizeMismatchError: If the mask is not of the example's size.
    """
    if not dataset.is_scorable[index]:
        return None
    row = int(dataset.expressions.target[index])
    target_area, intersection, area = int(dataset.target_areas[index]), 0, 0
    if mask is not None:
        mask = counted_mask(dataset, index, mask)
        area = mask.area
        if row >= 0:
            intersection = measure_overlap(mask, dataset.targets.masks[row]).intersection
    overlap = Overlap(intersection, target_area + area - intersection)
    empty = {"one": 1.0, "zero": 0.0, "skip": None}[protocol.empty_union]
    return Measured(overlap, overlap.intersection / overlap.union if overlap.union else empty)


def measure_stored(scores: Scores, index: int, mask: Mask | None) -> Measured | None:
    """Measure an answer against the stored prediction of a run, over all pixels.

    Returns:
        None where nothing usable is stored, or something else than a mask. The IoU is None where
        both mark nothing: they agree, but no rule of scoring speaks of two predictions.

    Raises:
        SizeMismatchError: If the mask is not of the stored one's size.
    """
    run = scores.run
    row = int(run.rows[index])
    if scores.status[index] != Status.SCORED or (row < 0 and not run.says_no_target[index]):
        return None
    stored = run.masks[row] if row >= 0 else None
    if mask is None or stored is None:
        area = sum(part.area for part in (mask, stored) if part is not None)
        overlap = Overlap(0, area)
    else:
        overlap = measure_overlap(mask, stored)
    return Measured(overlap, overlap.intersection / overlap.union if overlap.union else None)
