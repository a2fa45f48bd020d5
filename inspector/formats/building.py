"""Puts a data set together from what a loader reads; the one place where records are checked."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from inspector.core.columns import column_of, read_masks
from inspector.core.dataset import Dataset, ExpressionTable, ObjectTable, TargetTable
from inspector.core.errors import FormatError, InspectorError, MaskError
from inspector.core.mask import Mask, check_size, unite
from inspector.core.problems import ProblemLog
from inspector.core.records import ImageRef, PictureLocation


class DatasetBuilder:
    """Collects pictures, objects and expressions in any order, then builds the columns.

    A loader adds what it reads and keeps the row numbers that it gets back. What cannot be used
    becomes a problem in ``log``; what makes the whole file doubtful raises.
    """

    def __init__(
        self, *, name: str, format: str, source: str, split_by: str = "",
        distractors_known: bool,
    ) -> None:
        self.log = ProblemLog()
        self._about = {"name": name, "format": format, "source": source, "split_by": split_by}
        self._distractors_known = distractors_known
        self._images: list[ImageRef] = []
        self._objects: list[tuple[int, str, int, bool, Any, Any, str]] = []
        self._categories: dict[tuple[str, str], int] = {}
        self._expressions: list[tuple[int, str, str, str, str, str, tuple[int, ...], str, str]] = []

    def add_image(
        self, image_id: str, *, file_name: str, size_hw: Any, location: PictureLocation,
        where: str,
    ) -> int:
        """Add a picture and return its row.

        Raises:
            FormatError: If the size is not two whole numbers of a sensible picture: every mask
                of the picture would be doubtful.
        """
        try:
            size = check_size(size_hw)
        except MaskError as error:
            raise FormatError(
                f"{error} for picture {image_id}", path=self._about["source"], record=where
            ) from error
        self._images.append(ImageRef(image_id, file_name, size, location))
        return len(self._images) - 1

    def add_object(
        self, image: int, *, annotation_id: str, category: str, supercategory: str = "",
        mask: Any, box_xywh: Any = None, is_crowd: bool = False, where: str,
    ) -> int:
        """Add an annotated object and return its row; the mask is read when all are known."""
        key = (category, supercategory)
        code = self._categories.setdefault(key, len(self._categories))
        self._objects.append((image, annotation_id, code, is_crowd, mask, box_xywh, where))
        return len(self._objects) - 1

    def add_expression(
        self, image: int, *, sentence: str, raw: str = "", sent_id: str = "", ref_id: str = "",
        sample_id: str = "", example_id: str, objects: tuple[int, ...], split: str,
    ) -> None:
        """Add a sentence and the objects that it names; none for a no-target example."""
        self._expressions.append(
            (image, sentence, raw, sent_id, ref_id, sample_id, objects, split, example_id)
        )

    def build(self, *, split: str) -> Dataset:
        """Check everything that was added and return the data set.

        Raises:
            FormatError: If there is no example, or two have the same id.
        """
        if not self._expressions:
            raise FormatError(
                f"holds no example of split '{split}'",
                path=self._about["source"],
                hint="Choose another with --split.",
            )
        self._check_text()
        order = sorted(range(len(self._objects)), key=lambda row: self._objects[row][0])
        place = np.empty(len(order), np.int64)
        place[order] = np.arange(len(order))
        objects = self._object_table([self._objects[row] for row in order])
        split_names = tuple(dict.fromkeys(row[7] for row in self._expressions))
        targets, target_of = self._target_table(objects, place)
        return Dataset(
            **self._about,
            split=split,
            images=tuple(self._images),
            categories=tuple(name for name, _ in self._categories),
            supercategories=tuple(name for _, name in self._categories),
            split_names=split_names,
            objects=objects,
            targets=targets,
            expressions=self._expression_table(target_of, split_names),
            distractors_known=self._distractors_known,
            problems=self.log.close(),
        )

    def _check_text(self) -> None:
        """Refuse half characters, which JSON and pickles can hold but no file or page can show."""
        texts = [*self._about.values()]
        texts += [name for pair in self._categories for name in pair]
        texts += [text for image in self._images for text in (image.id, image.file_name)]
        texts += [record[1] for record in self._objects]
        for place in (1, 2, 3, 4, 5, 7, 8):
            texts += [record[place] for record in self._expressions]  # type: ignore[misc]
        try:
            "".join(texts).encode()
        except UnicodeEncodeError as error:
            around = error.object[max(error.start - 20, 0) : error.end + 20]
            raise FormatError(
                f"holds text that is not Unicode, near {around!a}", path=self._about["source"]
            ) from error

    def _object_table(self, rows: list[tuple[int, str, int, bool, Any, Any, str]]) -> ObjectTable:
        sizes = [self._images[row[0]].size_hw for row in rows]
        masks, faults = read_masks([row[4] for row in rows], sizes)
        readable = np.ones(len(rows), bool)
        for row, fault in faults.items():
            readable[row] = False
            where = rows[row][6]
            self.log.add("broken-mask", "error", where, _sentence(fault))
        image = np.array([row[0] for row in rows], np.int32)
        boxes = np.zeros((len(rows), 4), np.float64)
        for row, record in enumerate(rows):
            boxes[row] = _box(record[5], masks[row] if readable[row] else None)
        return ObjectTable(
            annotation_ids=[row[1] for row in rows],
            image=image,
            category=np.array([row[2] for row in rows], np.int32),
            is_crowd=np.array([row[3] for row in rows], bool),
            boxes_xywh=boxes,
            masks=masks,
            is_readable=readable,
            begin=np.searchsorted(image, np.arange(len(self._images) + 1)).astype(np.int64),
        )

    def _target_table(
        self, objects: ObjectTable, place: np.ndarray
    ) -> tuple[TargetTable, np.ndarray]:
        rows: dict[tuple[int, ...], int] = {}
        target_of = np.full(len(self._expressions), -1, np.int32)
        for index, record in enumerate(self._expressions):
            if record[6]:
                named = tuple(dict.fromkeys(int(place[row]) for row in record[6]))
                target_of[index] = rows.setdefault(named, len(rows))
        masks: list[Mask] = []
        usable = np.ones(len(rows), bool)
        for named, target in rows.items():
            usable[target] = bool(objects.is_readable[list(named)].all())
            masks.append(unite([objects.masks[row] for row in named]))
            if usable[target] and masks[-1].area == 0:
                ids = ", ".join(objects.annotation_ids[row] for row in named)
                self.log.add("empty-target", "error", f"annotation {ids}",
                             "The target's mask has no pixel; its examples are not scored.")
                usable[target] = False
        counts = [len(named) for named in rows]
        return TargetTable(
            begin=np.concatenate(([0], np.cumsum(counts))).astype(np.int64),
            objects=np.array([row for named in rows for row in named], np.int64),
            masks=column_of(masks),
            is_usable=usable,
        ), target_of

    def _expression_table(
        self, target_of: np.ndarray, split_names: tuple[str, ...]
    ) -> ExpressionTable:
        columns = list(zip(*self._expressions, strict=True))
        ids = list(columns[8])
        if len(set(ids)) != len(ids):
            twice = next(i for i, n in Counter(ids).items() if n > 1)
            raise FormatError(
                f"two examples have the id {twice}; ids must be unique in a data set",
                path=self._about["source"],
            )
        keys = [
            ("ref", ref_id) if ref_id else ("sample", sample_id) if sample_id else
            ("target", image, int(target)) if target >= 0 else ("example", example_id)
            for image, ref_id, sample_id, example_id, target in zip(
                columns[0], columns[4], columns[5], ids, target_of, strict=True
            )
        ]
        number = {key: row for row, key in enumerate(dict.fromkeys(keys))}
        split_row = {name: row for row, name in enumerate(split_names)}
        return ExpressionTable(
            ids=ids,
            sentences=list(columns[1]),
            raw=list(columns[2]),
            sent_ids=list(columns[3]),
            ref_ids=list(columns[4]),
            sample_ids=list(columns[5]),
            image=np.array(columns[0], np.int32),
            target=target_of,
            referent=np.array([number[key] for key in keys], np.int32),
            split=np.array([split_row[name] for name in columns[7]], np.int32),
        )


def _box(box: Any, mask: Mask | None) -> tuple[float, float, float, float]:
    """Take the annotated box if it is one, else the mask's own."""
    try:
        x, y, width, height = (float(value) for value in box)
        if np.isfinite([x, y, width, height]).all():
            return x, y, width, height
    except (TypeError, ValueError, OverflowError):
        pass
    return mask.box_xywh if mask else (0.0, 0.0, 0.0, 0.0)


def _sentence(error: InspectorError) -> str:
    text = str(error)
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")
