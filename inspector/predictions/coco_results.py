"""COCO results: a list of detections with run lengths or boxes, and some key beside them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

from inspector.core.dataset import Dataset
from inspector.core.problems import ProblemLog
from inspector.predictions.dump import Dump, parsed
from inspector.predictions.records import (
    ANY_NAMES,
    NO_MASK,
    PredictionRecord,
    RawBox,
    four,
    number,
)


def looks_like(dump: Dump) -> bool:
    """Say whether the records have ``image_id`` and ``segmentation``, or a category and a box."""
    if not dump.head:
        return False
    record = dump.head[0]
    if "predicted_iou" in record:
        return False
    return "segmentation" in record or {"image_id", "category_id", "bbox"} <= record.keys()


def read(dump: Dump, dataset: Dataset, log: ProblemLog) -> Iterator[PredictionRecord]:
    """Read masks, and boxes where there are no masks.

    A record needs more than COCO's own keys to say which sentence is meant: ``sent_id``, or
    ``ref_id``, ``ann_id`` or ``image_id`` with the sentence (``caption``, ``sentence``,
    ``expression``), or an ``id`` that is the sentence's::

        {"image_id": 460986, "category_id": 1, "score": 0.9, "sent_id": 29928,
         "segmentation": {"size": [480, 640], "counts": "…"}}

    Of several for one ``sent_id`` that with the highest ``score`` counts.
    """
    yield from best_first(_records(dump, log, "score"))


def read_records(
    dump: Dump, log: ProblemLog, score: str
) -> Iterator[PredictionRecord]:
    """Read records whose confidence stands under a name of its own."""
    yield from best_first(_records(dump, log, score))


def _records(dump: Dump, log: ProblemLog, score: str) -> Iterator[PredictionRecord]:
    yield from parsed(dump.records(log), log, partial(_parse, score=score))


def _parse(record: dict[str, Any], where: str, score: str) -> PredictionRecord:
    ids, sentence = ANY_NAMES.read(record)
    box = record.get("bbox")
    return PredictionRecord(
        where, ids, sentence, record.get("segmentation", NO_MASK), number(record.get(score)),
        RawBox(four(box), "xywh", "pixels") if box else None,
        fault="" if "segmentation" in record or box else "it has neither mask nor box",
    )


def best_first(
    records: Iterable[PredictionRecord],
    key: Callable[[PredictionRecord], Any] = lambda record: (
        record.ids.get("example_id") or record.ids.get("sent_id")
    ),
) -> list[PredictionRecord]:
    """Put the highest score first among records of one key; others keep their places."""
    found = list(records)
    places: dict[Any, list[int]] = {}
    for place, record in enumerate(found):
        if key(record) is not None and record.score is not None:
            places.setdefault(key(record), []).append(place)
    for group in places.values():
        best = sorted((found[place] for place in group), key=lambda r: -(r.score or 0.0))
        for place, record in zip(group, best, strict=True):
            found[place] = record
    return found
