"""By what referents of two data sets can be told to be the same: ids, sentences, boxes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from inspector.core.boxes import box_iou
from inspector.truths.referents import Referents

BOX_IOU = 0.5
BOX_EDGES = 8.0
"""Boxes agree if their IoU is at least 0.5, or they overlap and no edge is 8 pixels off: a small
object that was redrawn."""


def _annotations(side: Referents) -> list[str]:
    return side.annotation_ids


def _refs(side: Referents) -> list[str]:
    return side.ref_ids


def _samples(side: Referents) -> list[str]:
    return side.sample_ids


Ids = Callable[[Referents], list[str]]

ID_KINDS: tuple[tuple[str, Ids, Ids], ...] = (
    ("ann_id", _annotations, _annotations),
    ("ref_id", _refs, _refs),
    ("sample_id", _samples, _samples),
    ("sample_id", _refs, _samples),
    ("sample_id", _annotations, _samples),
    ("sample_id", _samples, _refs),
    ("sample_id", _samples, _annotations),
)
"""Which ids of A are looked for among which of B, and how that is called; tried in this order."""

ID_NAMES: dict[Ids, str] = {
    _annotations: "annotation ids", _refs: "ref ids", _samples: "sample ids"
}


def _sent(side: Referents) -> list[tuple[str, ...]]:
    return side.sentences


def _raw(side: Referents) -> list[tuple[str, ...]]:
    return side.raw


SENTENCE_KINDS = ((_sent, _sent), (_raw, _sent), (_sent, _raw))
"""As which sentences of B those of A are looked for."""


def do_boxes_agree(one_xywh: np.ndarray, other_xywh: np.ndarray) -> bool:
    """Say whether two boxes can be of the same thing, drawn twice.

    Example:
        >>> box = np.array([10.0, 10, 12, 12])
        >>> do_boxes_agree(box, box + [-5, -5, 10, 10])  # a small object, grown by 5 pixels
        True
        >>> do_boxes_agree(box, box + [12, 0, 0, 0])  # its neighbour
        False
    """
    iou = float(box_iou(one_xywh[None], other_xywh[None])[0])
    corners = [np.concatenate([box[:2], box[:2] + box[2:]]) for box in (one_xywh, other_xywh)]
    return iou >= BOX_IOU or (iou > 0 and float(np.abs(corners[0] - corners[1]).max()) < BOX_EDGES)


def unique_rows(ids: Sequence[str]) -> dict[str, int]:
    """Give the row of each id that only one referent has."""
    counts = Counter(ids)
    return {key: row for row, key in enumerate(ids) if key and counts[key] == 1}


def group_rows(
    keys: Iterable[tuple[int, tuple[str, ...]]],
) -> dict[tuple[int, tuple[str, ...]], list[int]]:
    """Give the rows of each key, a picture and sentences, in their order."""
    groups: dict[tuple[int, tuple[str, ...]], list[int]] = defaultdict(list)
    for row, key in enumerate(keys):
        groups[key].append(row)
    return dict(groups)


def owners_of(
    sentences: Sequence[tuple[str, ...]], pictures: Sequence[int]
) -> dict[tuple[int, str], set[int]]:
    """Say which referents of a picture each of its sentences belongs to."""
    owners: dict[tuple[int, str], set[int]] = defaultdict(set)
    for row, (words, picture) in enumerate(zip(sentences, pictures, strict=True)):
        if picture >= 0:
            for sentence in words:
                owners[picture, sentence].add(row)
    return owners
