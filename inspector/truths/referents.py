"""The referents of a data set as columns: what two data sets are matched by."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from inspector.core.dataset import Dataset
from inspector.core.sentences import normalise_sentence

Sentences = tuple[str, ...]
"""Normalised sentences in order, those that repeat as often as they do."""


@dataclass(frozen=True, slots=True, eq=False)
class Referents:
    """One row a referent, numbered as in ``Dataset.expressions.referent``.

    Attributes:
        dataset: Whose referents these are.
        examples: Rows of the examples that speak of each, in the order of the data.
        image: ``(r,)`` int32, row of the picture.
        target: ``(r,)`` int32, row of the target table; -1 without one.
        annotation_ids, ref_ids, sample_ids: Empty where there is none; ``;`` joins several.
        sentences, raw: Normalised and sorted; ``raw`` is empty where the data has none.
        categories: In lower case, sorted; empty where they are not known.
        boxes_xywh: ``(r, 4)`` float64, the box around all annotated ones; NaN without target.
    """

    dataset: Dataset
    examples: list[list[int]]
    image: np.ndarray
    target: np.ndarray
    annotation_ids: list[str]
    ref_ids: list[str]
    sample_ids: list[str]
    sentences: list[Sentences]
    raw: list[Sentences]
    categories: list[tuple[str, ...]]
    boxes_xywh: np.ndarray

    def __len__(self) -> int:
        return len(self.examples)

    def is_usable(self, row: int) -> bool:
        """Whether a referent has a mask that can be read."""
        target = self.target[row]
        return bool(target >= 0 and self.dataset.targets.is_usable[target])


STAND_INS = ("unknown", "object", "")
"""Categories that stand where the data does not know the kind of a thing."""


def referents_of(dataset: Dataset) -> Referents:
    """Collect the referents of a data set."""
    table, objects = dataset.expressions, dataset.objects
    normal = [normalise_sentence(sentence) for sentence in table.sentences]
    raw = [normalise_sentence(sentence) if sentence else "" for sentence in table.raw]
    gathered: dict[int, list[int]] = defaultdict(list)
    for example, referent in enumerate(table.referent.tolist()):
        gathered[referent].append(example)
    examples = [gathered[referent] for referent in range(len(gathered))]
    first = np.array([rows[0] for rows in examples], np.int64)
    target = np.array([  # R-RefCOCO has sentences without target beside those with one
        next((t for row in rows if (t := int(table.target[row])) >= 0), -1) for rows in examples
    ], np.int32)
    names = [name.casefold() for name in dataset.categories]
    annotation_ids, categories = [], []
    boxes = np.full((len(examples), 4), np.nan)
    for referent, row in enumerate(target.tolist()):
        rows = dataset.targets.objects_of(row) if row >= 0 else np.zeros(0, np.int64)
        ids = [objects.annotation_ids[thing] for thing in rows.tolist()]
        annotation_ids.append(";".join(sorted(ids)) if all(ids) else "")
        known = {names[code] for code in objects.category[rows].tolist()} - {*STAND_INS}
        categories.append(tuple(sorted(known)))
        if len(rows):
            corners = objects.boxes_xywh[rows]
            begin, end = corners[:, :2].min(axis=0), (corners[:, :2] + corners[:, 2:]).max(axis=0)
            boxes[referent] = [*begin, *(end - begin)]
    return Referents(
        dataset=dataset,
        examples=examples,
        image=table.image[first],
        target=target,
        annotation_ids=annotation_ids,
        ref_ids=[table.ref_ids[row] for row in first.tolist()],
        sample_ids=[table.sample_ids[row] for row in first.tolist()],
        sentences=[tuple(sorted(normal[row] for row in rows)) for rows in examples],
        raw=[
            tuple(sorted(raw[row] for row in rows)) if all(raw[row] for row in rows) else ()
            for rows in examples
        ],
        categories=categories,
        boxes_xywh=boxes,
    )
