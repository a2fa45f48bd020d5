"""Aligned records -> :class:`~inspector.core.run.Run`: masks decoded, counts and boxes checked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from inspector.core.boxes import target_boxes
from inspector.core.columns import MaskColumn, read_masks
from inspector.core.dataset import Dataset
from inspector.core.errors import InspectorError, SizeMismatchError
from inspector.core.mask import Mask
from inspector.core.problems import ProblemLog
from inspector.core.records import ImageRef
from inspector.core.run import Status
from inspector.predictions.align import Alignment
from inspector.predictions.box_scale import infer_scale, is_beyond, to_pixels
from inspector.predictions.counts import contradiction
from inspector.predictions.frames import fit
from inspector.predictions.options import RunOptions
from inspector.predictions.records import NO_MASK, PredictionRecord


@dataclass(eq=False)
class Resolved:
    """What the aligned records turned out to be; ``n`` examples, columns as those of ``Run``.

    Attributes:
        sizes_fit: How many masks had their picture's size, of how many.
    """

    dataset: Dataset
    records: Sequence[PredictionRecord]
    alignment: Alignment
    log: ProblemLog
    options: RunOptions
    reasons: dict[int, str] = field(default_factory=dict)
    frames: Counter[tuple[int, int]] = field(default_factory=Counter)
    sizes_fit: tuple[int, int] = (0, 0)
    boxes_xywh: np.ndarray | None = None
    counts: np.ndarray | None = None
    stated_iou: np.ndarray | None = None

    def __post_init__(self) -> None:
        n = len(self.dataset)
        self.status = np.full(n, Status.MISSING, np.int8)
        self.rows = np.full(n, -1, np.int32)
        self.no_target = np.zeros(n, bool)
        self.reasons = dict(self.alignment.reasons)
        self.status[list(self.reasons)] = Status.INVALID
        self.examples = sorted(self.alignment.record_of)
        self._image_of = self.dataset.expressions.image.tolist()
        self.masks = self._read_masks()
        self._read_boxes()
        self._read_counts()
        self._refuse_the_rest()

    def record(self, example: int) -> PredictionRecord:
        """Give the record that an example took."""
        return self.records[self.alignment.record_of[example]]

    def image(self, example: int) -> ImageRef:
        """Give the picture of an example."""
        return self.dataset.images[self._image_of[example]]

    def _refuse(self, example: int, reason: str, code: str = "broken-prediction") -> None:
        """Make an example invalid, with the reason as a sentence."""
        reason = reason[:1].upper() + reason[1:] + ("" if reason.endswith(".") else ".")
        self.status[example], self.reasons[example] = Status.INVALID, reason
        self.log.add(code, "error", self.record(example).where,
                     f"Example {self.dataset.expressions.ids[example]}: {reason}")

    def _read_masks(self) -> MaskColumn:
        examples = [e for e in self.examples if self.record(e).mask is not NO_MASK]
        sizes = [self.image(e).size_hw for e in examples]
        values: list[object] = [self._decoded(e) for e in examples]
        masks, faults = read_masks(values, sizes)
        differ = [row for row, fault in faults.items() if isinstance(fault, SizeMismatchError)]
        self.sizes_fit = (len(examples) - len(differ), len(examples))
        for row in differ:
            values[row] = self._fitted(examples[row], values[row])
        if self.frames:
            masks, faults = read_masks(values, sizes)
        else:
            faults |= {row: v for row in differ if isinstance(v := values[row], InspectorError)}
        for row, example in enumerate(examples):
            record = self.record(example)
            self.no_target[example] = record.mask is None or bool(record.says_nothing)
            if row not in faults:
                self.status[example], self.rows[example] = Status.SCORED, row
                continue
            differs = isinstance(faults[row], SizeMismatchError)
            self._refuse(example, str(faults[row]),
                         "size-mismatch" if differs else "broken-prediction")
        return masks

    def _decoded(self, example: int) -> object:
        """Turn "no target" into the empty mask and decode what is lazy; errors stand for it."""
        record, size = self.record(example), self.image(example).size_hw
        if record.fault:
            return InspectorError(record.fault)
        if record.mask is None:
            return Mask.empty(size)
        try:
            return record.mask.read(size) if hasattr(record.mask, "read") else record.mask
        except InspectorError as error:
            return error

    def _fitted(self, example: int, value: object) -> object:
        """Resize a mask of another size if that was asked for; an error stands for a refusal."""
        image = self.image(example)
        if isinstance(value, InspectorError):
            return value
        try:
            mask = value if isinstance(value, Mask) else Mask.from_coco(value)
            fitted = fit(mask, image, resize=self.options.resize)
        except InspectorError as error:
            return error
        self.frames[mask.size_hw] += 1
        return fitted

    def _read_boxes(self) -> None:
        examples = [e for e in self.examples if self.record(e).box is not None]
        if not examples:
            says_nothing = [e for e in self.examples if self._is_no_box(e)]
            if not says_nothing or len(self.masks):
                return
        self.boxes_xywh = np.full((len(self.dataset), 4), np.nan)
        raw = {e: box for e in examples if (box := self.record(e).box) is not None}
        open_ones = [e for e, box in raw.items() if box.scale is None]
        scale, form = "", "xyxy"
        if open_ones:
            scale, form = infer_scale(
                [raw[e] for e in open_ones], [self.image(e).size_hw for e in open_ones],
                target_boxes(self.dataset)[open_ones], self.log, asked=self.options.box_scale,
            )
            self.alignment.notes.append(f"boxes read as {scale}")
        for example, box in raw.items():
            own = box.scale or scale
            pixels = to_pixels(box, own, self.image(example).size_hw, form=form)
            fault = "ends before it begins" if (pixels[2:] < 0).any() else ""
            if is_beyond(box, own):
                fault = f"has a number beyond its scale ({own})"
            if not fault:
                self.boxes_xywh[example] = pixels
            elif not len(self.masks):
                numbers = ", ".join(f"{value:g}" for value in box.numbers)
                self._refuse(example, f"the box [{numbers}] {fault}", "broken-box")

    def _is_no_box(self, example: int) -> bool:
        record = self.record(example)
        return record.mask is NO_MASK and record.says_nothing is True and record.counts is None

    def _read_counts(self) -> None:
        for example in self.examples:
            record = self.record(example)
            if record.mask is not NO_MASK or record.fault:
                continue
            if record.counts is not None:
                self._take_counts(example, record)
            elif record.iou is not None:
                if self.stated_iou is None:
                    self.stated_iou = np.full(len(self.dataset), np.nan)
                if not 0 <= record.iou <= 1:
                    said = f"the IoU {record.iou:g} in the file is not within 0 and 1"
                    self._refuse(example, said, "counts-contradict")
                    continue
                self.stated_iou[example] = record.iou
                self.status[example] = Status.SCORED
                self.no_target[example] = bool(record.says_nothing)

    def _take_counts(self, example: int, record: PredictionRecord) -> None:
        if self.counts is None:
            self.counts = np.full((len(self.dataset), 2), -1, np.int64)
        if record.counts is None:
            return
        said = contradiction(
            record.counts, int(self.dataset.target_areas[example]), record.frame_hw,
            self.image(example).size_hw,
        )
        if said and self.dataset.is_scorable[example]:
            self._refuse(example, said, "counts-contradict")
            return
        self.counts[example] = record.counts
        self.status[example] = Status.SCORED
        self.no_target[example] = bool(record.says_nothing)

    def _refuse_the_rest(self) -> None:
        """Score boxes where there is nothing else; say why other records cannot be used."""
        boxes_only = not len(self.masks) and self.counts is None and self.stated_iou is None
        left = set(np.flatnonzero(self.status == Status.MISSING).tolist())
        for example in self.examples:
            if example not in left:
                continue
            record = self.record(example)
            if record.fault:
                self._refuse(example, record.fault, "broken-box" if boxes_only else
                             "broken-prediction")
            elif boxes_only and self.boxes_xywh is not None:
                self.status[example] = Status.SCORED
                self.no_target[example] = bool(record.says_nothing)
            else:
                self._refuse(example, "it holds a box but no mask, unlike the rest of the file")

    @property
    def counts_frame_hw(self) -> tuple[int, int] | None:
        """The frame in which the file's counts were counted; None for the pictures' own."""
        if self.counts is None:
            return None
        return next((f for e in self.examples if (f := self.record(e).frame_hw)), None)
