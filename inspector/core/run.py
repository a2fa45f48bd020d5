"""All predictions of one model, aligned to the examples of a data set."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property
from typing import Literal

import numpy as np

from inspector.core.columns import MaskColumn
from inspector.core.crops import read_boxes
from inspector.core.problems import Problem


class Status(IntEnum):
    """What became of an example in one run; the names in lower case stand in the table."""

    MISSING = 0
    SCORED = 1
    INVALID = 2
    NO_TRUTH = 3  # the ground truth itself cannot be read: not in the table, in no metric


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many predictions found their example; ``matched + missing + invalid = examples``.

    Attributes:
        examples: Examples whose ground truth can be used.
        matched: Examples with a usable prediction.
        missing: Examples without one.
        invalid: Examples whose prediction was found but cannot be used.
        duplicate: Further predictions for an example that already had one.
        unmatched: Predictions that belong to no example.
    """

    examples: int
    matched: int
    missing: int
    invalid: int
    duplicate: int
    unmatched: int

    @property
    def has_gap(self) -> bool:
        """Whether one example in twenty or more has no usable prediction."""
        return 0 < self.examples <= 20 * (self.examples - self.matched)

    def to_json(self) -> dict[str, int]:
        """Give the object of the contract."""
        return {name: getattr(self, name) for name in self.__slots__}


Evidence = Literal["mask", "counts", "iou", "box", ""]
"""What a prediction's score rests on; only a mask or a box can be drawn."""

EVIDENCE: tuple[Evidence, ...] = ("mask", "counts", "iou", "box", "")
"""All of them; where one is stored as a number, it is the row here."""


@dataclass(frozen=True, eq=False)
class Run:
    """One model on one data set; ``n`` examples.

    Attributes:
        name: As the user or the file named it.
        source: Path of the predictions.
        format: Key of the prediction format.
        status: ``(n,)`` int8 of :class:`Status` (``SCORED``: something usable was predicted).
        rows: ``(n,)`` int32, row in ``masks``; -1 where there is no usable mask.
        masks: The usable masks; several examples may share one.
        says_no_target: ``(n,)`` bool, True where the model said that nothing is meant.
        reasons: Why a prediction is invalid, by example.
        duplicate: Number of further predictions for examples that had one.
        unmatched: Number of predictions that belong to no example.
        alignment: How predictions were matched, in words, such as ``1,200 by sent_id``.
        problems: Everything that was found.
        boxes_xywh: ``(n, 4)`` float64 in absolute pixels, NaN where there is no usable box; None
            where the file holds no boxes at all.
        counts: ``(n, 2)`` int64, intersection and union as the file gives them where it holds no
            mask to count on; -1 elsewhere. None where the file has none.
        stated_iou: ``(n,)`` float64, the IoU that the file gives where it holds neither mask nor
            counts; NaN elsewhere. None where the file has none.
        counts_frame_hw: Height and width of the frame in which ``counts`` were counted, or None
            for the picture's own size.
        frames_hw: Height, width and number of the masks that were resized to their picture.
        aligned_to: ``ids_digest`` of the data set whose examples it is aligned to; empty for a
            run that was put together by hand.
    """

    name: str
    source: str
    format: str
    status: np.ndarray
    rows: np.ndarray
    masks: MaskColumn
    says_no_target: np.ndarray
    reasons: dict[int, str] = field(default_factory=dict)
    duplicate: int = 0
    unmatched: int = 0
    alignment: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    boxes_xywh: np.ndarray | None = None
    counts: np.ndarray | None = None
    stated_iou: np.ndarray | None = None
    counts_frame_hw: tuple[int, int] | None = None
    frames_hw: tuple[tuple[int, int, int], ...] = ()
    aligned_to: str = ""

    @cached_property
    def is_boxes_only(self) -> bool:
        """Whether the file holds boxes and nothing else: then no mask metric is defined."""
        return self.boxes_xywh is not None and not (
            len(self.masks) or self.counts is not None or self.stated_iou is not None
        )

    def evidence(self, index: int) -> Evidence:
        """Say what one example's score rests on; empty where nothing usable was predicted."""
        return EVIDENCE[int(self.evidence_codes[index])]

    @cached_property
    def evidence_codes(self) -> np.ndarray:
        """``(n,)`` int8, what each example's score rests on: row of :data:`EVIDENCE`."""
        codes = np.full(len(self.status), EVIDENCE.index("box"), np.int8)
        if self.stated_iou is not None:
            codes[self.stated_iou >= 0] = EVIDENCE.index("iou")
        if self.counts is not None:
            codes[self.counts[:, 1] >= 0] = EVIDENCE.index("counts")
        codes[self.rows >= 0] = EVIDENCE.index("mask")
        codes[self.status != Status.SCORED] = EVIDENCE.index("")
        return codes

    @cached_property
    def mask_boxes(self) -> np.ndarray:
        """``(m, 4)`` int64, x, y, width, height of each mask; zeros where it is empty."""
        return read_boxes(self.masks)

    def box_xywh(self, index: int) -> tuple[float, float, float, float] | None:
        """Give the predicted box of one example in absolute pixels, or None."""
        if self.boxes_xywh is None or np.isnan(self.boxes_xywh[index, 0]):
            return None
        x, y, width, height = self.boxes_xywh[index].tolist()
        return x, y, width, height

    def describe_frames(self) -> str:
        """Name the frames that are not the pictures' own, as a phrase; empty without any."""
        parts = [
            f"{count:,} masks of {width} x {height} resized by nearest neighbour"
            for height, width, count in self.frames_hw
        ]
        if self.counts_frame_hw is not None:
            height, width = self.counts_frame_hw
            parts.append(f"pixels counted in frames of {width} x {height}")
        return "; ".join(parts)
