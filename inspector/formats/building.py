"""Puts a data set together from what a loader reads; the one place where records are checked."""

from __future__ import annotations

from math import isfinite
from typing import Any, NamedTuple

import numpy as np

from inspector.core.columns import column_of, read_masks
from inspector.core.dataset import Dataset, ObjectTable, TargetTable
from inspector.core.errors import FormatError, InspectorError, MaskError, NoTruthError
from inspector.core.mask import Mask, check_size, subtract, unite
from inspector.core.problems import Problem, ProblemLog
from inspector.core.records import ImageRef, PictureLocation
from inspector.formats.expressions import ExpressionRow, expression_table


class _Object(NamedTuple):
    image: int
    annotation_id: str
    category: int
    is_crowd: bool
    mask: Any
    box_xywh: Any
    where: str


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
        self._objects: list[_Object] = []
        self._categories: dict[tuple[str, str], int] = {}
        self._expressions: list[ExpressionRow] = []
        self._ignored: list[Mask] = []
        self._doubled: dict[tuple[int, str], Mask] = {}
        self._unreadable: dict[int, Problem] = {}

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
        """Add an annotated object and return its row; the mask is read when all are known.

        A loader that could not find or read the mask gives the error in its place: it becomes a
        problem, and examples that need the object are not scored.
        """
        key = (category, supercategory)
        code = self._categories.setdefault(key, len(self._categories))
        self._objects.append(_Object(image, annotation_id, code, is_crowd, mask, box_xywh, where))
        return len(self._objects) - 1

    def add_ignored(self, image: int, mask: Any) -> int:
        """Add a region whose pixels count neither for nor against a prediction; return its row.

        Raises:
            InspectorError: If the mask cannot be read; scores would be wrong without it.
        """
        checked = mask if isinstance(mask, Mask) else Mask.from_coco(mask, self.size_of(image))
        if checked.size_hw != self.size_of(image):
            raise MaskError("the ignored region is not of its picture's size")
        self._ignored.append(checked)
        return len(self._ignored) - 1

    def note_doubled(self, image: int, where: str, mask: Mask) -> None:
        """Keep the pixels that lie in several polygons of the object that is added as ``where``."""
        self._doubled[image, where] = mask

    def size_of(self, image: int) -> tuple[int, int]:
        """Give the checked height and width of a picture that was added."""
        return self._images[image].size_hw

    def add_expression(
        self, image: int, *, sentence: str, raw: str = "", sent_id: str = "", ref_id: str = "",
        sample_id: str = "", example_id: str, objects: tuple[int, ...], split: str,
        level: str = "", ignored: int = -1,
    ) -> None:
        """Add a sentence and the objects that it names; none for a no-target example.

        Raises:
            FormatError: If an object is on another picture: its mask would be scored there.
        """
        for row in objects:
            thing = self._objects[row]
            if thing.image != image:
                raise FormatError(
                    f"names {thing.where}, which is on picture {self._images[thing.image].id}, "
                    f"but the sentence is about picture {self._images[image].id}",
                    path=self._about["source"], record=f"example {example_id}",
                )
        self._expressions.append(ExpressionRow(
            image, sentence, raw, sent_id, ref_id, sample_id, objects, split, example_id, level,
            ignored,
        ))

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
        order = sorted(range(len(self._objects)), key=lambda row: self._objects[row].image)
        place = np.empty(len(order), np.int64)
        place[order] = np.arange(len(order))
        ordered = [self._objects[row] for row in order]
        objects = self._object_table(ordered)
        split_names = tuple(dict.fromkeys(row.split for row in self._expressions))
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
            expressions=expression_table(
                self._expressions, target_of, split_names, source=self._about["source"]
            ),
            ignored=column_of(self._ignored),
            distractors_known=self._distractors_known,
            problems=self.log.close(),
            doubled={
                row: self._doubled[record.image, record.where]
                for row, record in enumerate(ordered)
                if (record.image, record.where) in self._doubled
            },
            unreadable=self._unreadable,
        )

    def _check_text(self) -> None:
        """Refuse half characters, which JSON and pickles can hold but no file or page can show."""
        texts = [*self._about.values()]
        texts += [name for pair in self._categories for name in pair]
        texts += [text for image in self._images for text in (image.id, image.file_name)]
        texts += [record.annotation_id for record in self._objects]
        for record in self._expressions:
            texts += [value for value in record if isinstance(value, str)]
        try:
            "".join(texts).encode()
        except UnicodeEncodeError as error:
            around = error.object[max(error.start - 20, 0) : error.end + 20]
            raise FormatError(
                f"holds text that is not Unicode, near {around!a}", path=self._about["source"]
            ) from error

    def _object_table(self, rows: list[_Object]) -> ObjectTable:
        sizes = [self.size_of(row.image) for row in rows]
        masks, faults = read_masks([row.mask for row in rows], sizes)
        readable = np.ones(len(rows), bool)
        for row, fault in faults.items():
            readable[row] = False
            is_known = isinstance(fault, NoTruthError)
            problem = Problem(
                "missing-truth" if is_known else "broken-mask", "warning" if is_known else "error",
                rows[row].where, _sentence(fault),
            )
            self._unreadable[row] = problem
            self.log.add(problem.code, problem.severity, problem.where, problem.message)
        image = np.array([row.image for row in rows], np.int32)
        boxes = np.zeros((len(rows), 4), np.float64)
        boxes[:] = [
            _box(record.box_xywh) or (masks[row].box_xywh if row not in faults else _NO_BOX)
            for row, record in enumerate(rows)
        ] or boxes
        return ObjectTable(
            annotation_ids=[row.annotation_id for row in rows],
            image=image,
            category=np.array([row.category for row in rows], np.int32),
            is_crowd=np.array([row.is_crowd for row in rows], bool),
            boxes_xywh=boxes,
            masks=masks,
            is_readable=readable,
            begin=np.searchsorted(image, np.arange(len(self._images) + 1)).astype(np.int64),
        )

    def _target_table(
        self, objects: ObjectTable, place: np.ndarray
    ) -> tuple[TargetTable, np.ndarray]:
        rows: dict[tuple[tuple[int, ...], int], int] = {}
        target_of = np.full(len(self._expressions), -1, np.int32)
        places, readable = place.tolist(), objects.is_readable.tolist()
        for index, record in enumerate(self._expressions):
            if record.objects:
                named = tuple(dict.fromkeys(places[row] for row in record.objects))
                target_of[index] = rows.setdefault((named, record.ignored), len(rows))
        masks: list[Mask] = []
        for named, ignored in rows:
            joined = unite([objects.masks[row] for row in named])
            masks.append(subtract(joined, self._ignored[ignored]) if ignored >= 0 else joined)
        column = column_of(masks)
        usable = np.array([all(readable[row] for row in named) for named, _ in rows], bool)
        targets = list(rows)
        for target in np.flatnonzero(usable & (column.areas == 0)).tolist():
            ids = ", ".join(objects.annotation_ids[row] for row in targets[target][0])
            self.log.add("empty-target", "error", f"annotation {ids}",
                         "The target's mask has no pixel; its examples are not scored.")
            usable[target] = False
        counts = [len(named) for named, _ in rows]
        return TargetTable(
            begin=np.concatenate(([0], np.cumsum(counts))).astype(np.int64),
            objects=np.array([row for named, _ in rows for row in named], np.int64),
            masks=column,
            is_usable=usable,
        ), target_of


_NO_BOX = (0.0, 0.0, 0.0, 0.0)


def _box(box: Any) -> tuple[float, float, float, float] | None:
    """Take the annotated box if it is one."""
    try:
        x, y, width, height = map(float, box)
    except (TypeError, ValueError, OverflowError):
        return None
    is_box = isfinite(x) and isfinite(y) and isfinite(width) and isfinite(height)
    return (x, y, width, height) if is_box else None


def _sentence(error: InspectorError) -> str:
    text = str(error)
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")
