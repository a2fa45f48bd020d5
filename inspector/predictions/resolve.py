"""Aligned records -> :class:`~inspector.core.run.Run`: masks decoded, counts and boxes checked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

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


@dataclass(frozen=True, eq=False)
class Resolved:
    """What the aligned records turned out to be; ``n`` examples.

    Attributes:
        record_of: The record that an example took, in the order of the data set.
        status, rows, masks, no_target, reasons, boxes_xywh, counts, stated_iou, counts_frame_hw:
            As those of :class:`~inspector.core.run.Run`.
        box_faults: What is wrong with a box beside a usable mask, as a sentence, by example.
        frames: How many masks of each height and width were resized to their picture.
        sizes_fit: How many masks had their picture's size, of how many.
        notes: What was decided for the file as a whole, such as the scale of its boxes.
    """

    record_of: dict[int, PredictionRecord]
    status: np.ndarray
    rows: np.ndarray
    masks: MaskColumn
    no_target: np.ndarray
    reasons: dict[int, str]
    boxes_xywh: np.ndarray | None
    counts: np.ndarray | None
    stated_iou: np.ndarray | None
    counts_frame_hw: tuple[int, int] | None
    box_faults: dict[int, str]
    frames: Counter[tuple[int, int]]
    sizes_fit: tuple[int, int]
    notes: tuple[str, ...]


def resolve(
    dataset: Dataset, records: Sequence[PredictionRecord], alignment: Alignment, log: ProblemLog,
    options: RunOptions,
) -> Resolved:
    """Decode the masks of aligned records, check their counts and boxes, list what is of no use.

    A file is a run of boxes if boxes stand in place of masks in it and no record has a mask:
    ``null`` beside them says "no target" and is no mask.

    Args:
        dataset: The ground truth.
        records: All records of the file.
        alignment: Which of them each example takes.
        log: Takes what cannot be used.
        options: What the user asked for.
    """
    reading = _Reading(dataset, records, alignment, log, options)
    masks = reading.read_masks()
    reading.read_boxes()
    reading.read_counts()
    reading.refuse_the_rest()
    return Resolved(
        reading.record_of, reading.status, reading.rows, masks, reading.no_target,
        reading.reasons, reading.boxes_xywh, reading.counts, reading.stated_iou,
        reading.counts_frame_hw, reading.box_faults, reading.frames, reading.sizes_fit,
        tuple(reading.notes),
    )


class _Reading:
    """The columns of a run while they are filled."""

    def __init__(
        self, dataset: Dataset, records: Sequence[PredictionRecord], alignment: Alignment,
        log: ProblemLog, options: RunOptions,
    ) -> None:
        self.dataset, self.log, self.options = dataset, log, options
        self.record_of = {
            example: records[alignment.record_of[example]]
            for example in sorted(alignment.record_of)
        }
        n = len(dataset)
        self.status = np.full(n, Status.MISSING, np.int8)
        self.rows = np.full(n, -1, np.int32)
        self.no_target = np.zeros(n, bool)
        self.reasons = dict(alignment.reasons)
        self.status[list(self.reasons)] = Status.INVALID
        self.boxes_xywh: np.ndarray | None = None
        self.counts: np.ndarray | None = None
        self.stated_iou: np.ndarray | None = None
        self.box_faults: dict[int, str] = {}
        self.frames: Counter[tuple[int, int]] = Counter()
        self.sizes_fit = (0, 0)
        self.notes: list[str] = []
        self._has_masks = False
        self._image_of = dataset.expressions.image.tolist()
        found = self.record_of.values()
        has_mask = any(r.mask is not NO_MASK and r.mask is not None for r in found)
        self._is_of_boxes = not has_mask and any(
            r.mask is NO_MASK and r.box is not None for r in found
        )

    def _image(self, example: int) -> ImageRef:
        """Give the picture of an example."""
        return self.dataset.images[self._image_of[example]]

    def _refuse(self, example: int, reason: str, code: str = "broken-prediction") -> None:
        """Make an example invalid, with the reason as a sentence."""
        self.status[example] = Status.INVALID
        self.reasons[example] = self._say(example, reason, code)

    def _say(self, example: int, reason: str, code: str) -> str:
        """List what is wrong with an example's record; return it as a sentence."""
        reason = reason[:1].upper() + reason[1:] + ("" if reason.endswith(".") else ".")
        self.log.add(code, "error", self.record_of[example].where,
                     f"Example {self.dataset.expressions.ids[example]}: {reason}")
        return reason

    def read_masks(self) -> MaskColumn:
        examples = [
            e for e, record in self.record_of.items()
            if record.mask is not NO_MASK and not (self._is_of_boxes and record.mask is None)
        ]
        sizes = [self._image(e).size_hw for e in examples]
        values: list[object] = [self._decoded(e) for e in examples]
        masks, faults = read_masks(values, sizes)
        self._has_masks = len(masks) > 0
        differ = [row for row, fault in faults.items() if isinstance(fault, SizeMismatchError)]
        self.sizes_fit = (len(examples) - len(differ), len(examples))
        for row in differ:
            values[row] = self._fitted(examples[row], values[row])
        if self.frames:
            masks, faults = read_masks(values, sizes)
        else:
            faults |= {row: v for row in differ if isinstance(v := values[row], InspectorError)}
        for row, example in enumerate(examples):
            record = self.record_of[example]
            self.no_target[example] = _says_no_target(record)
            if row not in faults:
                self.status[example], self.rows[example] = Status.SCORED, row
                continue
            differs = isinstance(faults[row], SizeMismatchError)
            self._refuse(example, str(faults[row]),
                         "size-mismatch" if differs else "broken-prediction")
        return masks

    def _decoded(self, example: int) -> object:
        """Turn "no target" into the empty mask and decode what is lazy; errors stand for it."""
        record, size = self.record_of[example], self._image(example).size_hw
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
        image = self._image(example)
        if isinstance(value, InspectorError):
            return value
        try:
            mask = value if isinstance(value, Mask) else Mask.from_coco(value)
            fitted = fit(mask, image, resize=self.options.resize)
        except InspectorError as error:
            return error
        self.frames[mask.size_hw] += 1
        return fitted

    def read_boxes(self) -> None:
        examples = [e for e in self.record_of if self.record_of[e].box is not None]
        if not examples:
            says_nothing = any(_is_no_box(record) for record in self.record_of.values())
            if not says_nothing or self._has_masks:
                return
        self.boxes_xywh = np.full((len(self.dataset), 4), np.nan)
        raw = {e: box for e in examples if (box := self.record_of[e].box) is not None}
        open_ones = [e for e, box in raw.items() if box.scale is None]
        scale, form = "", "xyxy"
        if open_ones:
            scale, form = infer_scale(
                [raw[e] for e in open_ones], [self._image(e).size_hw for e in open_ones],
                target_boxes(self.dataset)[open_ones], self.log, asked=self.options.box_scale,
            )
            self.notes.append(f"boxes read as {scale}")
        for example, box in raw.items():
            own = box.scale or scale
            pixels = to_pixels(box, own, self._image(example).size_hw, form=form)
            fault = "ends before it begins" if (pixels[2:] < 0).any() else ""
            if is_beyond(box, own):
                fault = f"has a number beyond its scale ({own})"
            if not fault:
                self.boxes_xywh[example] = pixels
                continue
            said = f"the box [{', '.join(f'{value:g}' for value in box.numbers)}] {fault}"
            if self._has_masks and self.record_of[example].mask is not NO_MASK:
                self.box_faults[example] = self._say(example, said, "broken-box")
            else:
                self._refuse(example, said, "broken-box")

    def read_counts(self) -> None:
        for example in self.record_of:
            record = self.record_of[example]
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
            self._image(example).size_hw,
        )
        if said and self.dataset.is_scorable[example]:
            self._refuse(example, said, "counts-contradict")
            return
        self.counts[example] = record.counts
        self.status[example] = Status.SCORED
        self.no_target[example] = bool(record.says_nothing)

    def refuse_the_rest(self) -> None:
        """Score boxes where there is nothing else; say why other records cannot be used."""
        boxes_only = not self._has_masks and self.counts is None and self.stated_iou is None
        left = set(np.flatnonzero(self.status == Status.MISSING).tolist())
        for example in self.record_of:
            if example not in left:
                continue
            record = self.record_of[example]
            if record.fault:
                self._refuse(example, record.fault, "broken-box" if boxes_only else
                             "broken-prediction")
            elif record.box is None and not _says_no_target(record):
                self._refuse(example, "it has neither mask nor box")
            elif boxes_only and self.boxes_xywh is not None:
                self.status[example] = Status.SCORED
                self.no_target[example] = _says_no_target(record)
            else:
                what = "holds a box" if record.box is not None else "says 'no target'"
                self._refuse(example, f"it {what} but no mask, unlike the rest of the file")

    @property
    def counts_frame_hw(self) -> tuple[int, int] | None:
        """The frame in which the file's counts were counted; None for the pictures' own."""
        if self.counts is None:
            return None
        return next((f for record in self.record_of.values() if (f := record.frame_hw)), None)


def _says_no_target(record: PredictionRecord) -> bool:
    return record.mask is None or bool(record.says_nothing)


def _is_no_box(record: PredictionRecord) -> bool:
    return record.mask is NO_MASK and record.says_nothing is True and record.counts is None
