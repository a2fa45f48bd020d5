"""A data set as columns: 142,210 examples fit in a few hundred megabytes."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any, overload

import numpy as np

from inspector.core.columns import MaskColumn
from inspector.core.crops import read_boxes
from inspector.core.mask import Mask
from inspector.core.problems import Problem
from inspector.core.records import Example, Expression, ImageRef, Referent


@dataclass(frozen=True, slots=True, eq=False)
class ObjectTable:
    """All annotated objects, sorted by picture.

    Attributes:
        annotation_ids: One id an object.
        image: ``(m,)`` int32, row of the picture.
        category: ``(m,)`` int32, row of ``Dataset.categories``.
        is_crowd: ``(m,)`` bool, regions of many things; never "another object".
        boxes_xywh: ``(m, 4)`` float64, absolute pixels.
        masks: ``m`` masks; those not readable stand there empty.
        is_readable: ``(m,)`` bool.
        begin: ``(images + 1,)`` int64, where each picture's objects begin.
    """

    annotation_ids: list[str]
    image: np.ndarray
    category: np.ndarray
    is_crowd: np.ndarray
    boxes_xywh: np.ndarray
    masks: MaskColumn
    is_readable: np.ndarray
    begin: np.ndarray


@dataclass(frozen=True, slots=True, eq=False)
class TargetTable:
    """Each different set of referents once; many sentences share one target.

    Attributes:
        begin: ``(g + 1,)`` int64, where each target's objects begin in ``objects``.
        objects: Rows of the object table.
        masks: ``g`` union masks, without the pixels that are ignored.
        is_usable: ``(g,)`` bool; False where a mask of the referents could not be read.
    """

    begin: np.ndarray
    objects: np.ndarray
    masks: MaskColumn
    is_usable: np.ndarray

    def objects_of(self, target: int) -> np.ndarray:
        """Give the rows of the objects that form one target."""
        return self.objects[self.begin[target] : self.begin[target + 1]]


@dataclass(frozen=True, slots=True, eq=False)
class ExpressionTable:
    """One row an example; texts as lists, the rest as arrays.

    Attributes:
        ids: The example ids.
        sentences, raw, sent_ids, ref_ids, sample_ids: Texts, empty where there is none.
        image: ``(n,)`` int32, row of the picture.
        target: ``(n,)`` int32, row of the target table; -1 for no-target examples.
        referent: ``(n,)`` int32, the same number for sentences of one referent.
        split: ``(n,)`` int32, row of ``Dataset.split_names``.
        levels: ``object`` or ``part`` where the data set tells them apart, else empty.
        ignored: ``(n,)`` int32, row of ``Dataset.ignored``; -1 where every pixel counts.
    """

    ids: list[str]
    sentences: list[str]
    raw: list[str]
    sent_ids: list[str]
    ref_ids: list[str]
    sample_ids: list[str]
    image: np.ndarray
    target: np.ndarray
    referent: np.ndarray
    split: np.ndarray
    levels: list[str]
    ignored: np.ndarray


@dataclass(frozen=True, eq=False)
class Dataset(Sequence[Example]):
    """The examples of one or several splits, with everything that is annotated around them.

    A sequence of :class:`Example`, made on demand from the columns. ``distractors_known`` says
    whether the format lists all objects of its pictures or only those that are referred to.
    ``ignored`` holds the regions that count neither for nor against a prediction. ``doubled``
    gives, by row of an object whose polygons overlap, the pixels that lie in two of them or more:
    evaluators that add polygons up and keep what equals 1 cut them out of the target.
    ``unreadable`` says, by row of an object without a readable mask, what is wrong with it.
    ``files`` are those that the annotations were read from, pictures of the data set aside.
    """

    name: str
    format: str
    source: str
    split: str
    split_by: str
    images: tuple[ImageRef, ...]
    categories: tuple[str, ...]
    supercategories: tuple[str, ...]
    split_names: tuple[str, ...]
    objects: ObjectTable
    targets: TargetTable
    expressions: ExpressionTable
    ignored: MaskColumn
    distractors_known: bool
    problems: tuple[Problem, ...] = ()
    doubled: Mapping[int, Mask] = field(default_factory=dict)
    unreadable: Mapping[int, Problem] = field(default_factory=dict)
    files: tuple[Path, ...] = ()

    def __len__(self) -> int:
        return len(self.expressions.ids)

    @overload
    def __getitem__(self, index: int) -> Example: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Example]: ...
    def __getitem__(self, index: int | slice) -> Example | Sequence[Example]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        if index < 0:
            index += len(self)
        if not 0 <= index < len(self):
            raise IndexError(index)
        table = self.expressions
        referents = tuple(self.referent(row) for row in self.referent_rows(index))
        others = tuple(self.referent(row) for row in self.distractor_rows(index))
        ignored = int(table.ignored[index])
        return Example(
            id=table.ids[index],
            index=index,
            image=self.images[table.image[index]],
            expression=Expression(
                sentence=table.sentences[index],
                raw=table.raw[index],
                sent_id=table.sent_ids[index],
                ref_id=table.ref_ids[index],
                sample_id=table.sample_ids[index],
                level=table.levels[index],
            ),
            referents=referents,
            distractors=others if self.distractors_known or others else None,
            split=self.split_names[table.split[index]],
            ignored=self.ignored[ignored] if ignored >= 0 else None,
        )

    def by_id(self, example_id: str) -> Example:
        """Find an example by its id; KeyError if there is none."""
        return self[self.index_of[example_id]]

    def take(self, rows: np.ndarray) -> Dataset:
        """Keep some examples, in the order given, over the same pictures and objects.

        Args:
            rows: ``(m,)`` int, their places.
        """
        chosen = rows.tolist()
        columns: dict[str, Any] = {}
        for column in fields(ExpressionTable):
            values = getattr(self.expressions, column.name)
            columns[column.name] = (
                values[rows] if isinstance(values, np.ndarray) else [values[row] for row in chosen]
            )
        part = replace(self, expressions=ExpressionTable(**columns))
        for name in ("object_boxes", "target_boxes", "_may_distract"):
            vars(part)[name] = getattr(self, name)  # found out once for all parts
        return part

    @cached_property
    def index_of(self) -> dict[str, int]:
        """Place of each example id."""
        return {example_id: index for index, example_id in enumerate(self.expressions.ids)}

    @cached_property
    def ids_digest(self) -> str:
        """Changes with the ids of the examples and with their order, which a run rests on."""
        ids = "\0".join(self.expressions.ids).encode(errors="surrogatepass")
        return hashlib.blake2b(ids, digest_size=16).hexdigest()

    @cached_property
    def is_scorable(self) -> np.ndarray:
        """``(n,)`` bool: False where the ground truth itself could not be read."""
        target = self.expressions.target
        usable = np.ones(len(self), bool)
        usable[target >= 0] = self.targets.is_usable[target[target >= 0]]
        return usable

    @cached_property
    def target_areas(self) -> np.ndarray:
        """``(n,)`` int64, pixels of each example's target; 0 without one."""
        target = self.expressions.target
        areas = np.zeros(len(self), np.int64)
        areas[target >= 0] = self.targets.masks.areas[target[target >= 0]]
        return areas

    @cached_property
    def category_names(self) -> tuple[str, ...]:
        """Every different category of a target, as :meth:`category_of` writes it."""
        return self._categories_of_targets[0]

    @cached_property
    def category_codes(self) -> np.ndarray:
        """``(n,)`` int32, row of ``category_names``; -1 without a target."""
        target = self.expressions.target
        codes = np.full(len(self), -1, np.int32)
        codes[target >= 0] = self._categories_of_targets[1][target[target >= 0]]
        return codes

    @cached_property
    def _categories_of_targets(self) -> tuple[tuple[str, ...], np.ndarray]:
        number: dict[str, int] = {}
        codes = [
            number.setdefault(self._join(self.targets.objects_of(target)), len(number))
            for target in range(len(self.targets.is_usable))
        ]
        return tuple(number), np.array(codes, np.int32)

    @property
    def referent_count(self) -> int:
        """Number of different referents."""
        return int(self.expressions.referent.max()) + 1 if len(self) else 0

    @property
    def level_names(self) -> tuple[str, ...]:
        """The levels that its sentences are on, in order of appearance; none where unmarked."""
        return tuple(dict.fromkeys(level for level in self.expressions.levels if level))

    def referent(self, row: int) -> Referent:
        """Make the record of one row of the object table."""
        table = self.objects
        category = int(table.category[row])
        x, y, width, height = table.boxes_xywh[row].tolist()
        return Referent(
            annotation_id=table.annotation_ids[row],
            category=self.categories[category],
            supercategory=self.supercategories[category],
            mask=table.masks[row],
            box_xywh=(x, y, width, height),
            is_crowd=bool(table.is_crowd[row]),
        )

    def referent_rows(self, index: int) -> list[int]:
        """Rows of the objects that one example names."""
        target = self.expressions.target[index]
        return self.targets.objects_of(target).tolist() if target >= 0 else []

    def distractor_rows(self, index: int) -> list[int]:
        """Rows of the other readable objects of the example's picture, crowd regions left out."""
        begin, end = self.objects.begin[self.expressions.image[index] :][:2].tolist()
        named = set(self.referent_rows(index))
        rows = (np.flatnonzero(self._may_distract[begin:end]) + begin).tolist()
        return [row for row in rows if row not in named]

    @cached_property
    def object_boxes(self) -> np.ndarray:
        """``(m, 4)`` int64, x, y, width, height of each object's mask; zeros where it is empty."""
        return read_boxes(self.objects.masks)

    @cached_property
    def target_boxes(self) -> np.ndarray:
        """``(g, 4)`` int64, the same of each target's mask."""
        return read_boxes(self.targets.masks)

    @cached_property
    def _may_distract(self) -> np.ndarray:
        may_distract: np.ndarray = self.objects.is_readable & ~self.objects.is_crowd
        return may_distract

    def category_of(self, index: int) -> str:
        """Category of one example's referents, joined by ``;`` where they differ."""
        code = int(self.category_codes[index])
        return self.category_names[code] if code >= 0 else ""

    def _join(self, rows: np.ndarray) -> str:
        codes = self.objects.category[rows].tolist()
        return ";".join(dict.fromkeys(self.categories[code] for code in codes))
