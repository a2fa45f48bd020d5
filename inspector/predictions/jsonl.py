"""The inspector's own predictions: JSON Lines, one object a prediction."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from typing import Any

from inspector.core.dataset import Dataset
from inspector.core.errors import FormatError
from inspector.core.ids import id_text, picture_key
from inspector.core.problems import ProblemLog
from inspector.predictions.dump import Dump, refuse_record
from inspector.predictions.records import (
    NO_MASK,
    SENTENCE_KEYS,
    PredictionRecord,
    RawBox,
    four,
    number,
)

_HINT = 'Expected lines such as {"sent_id": 29928, "mask": {"size": [480, 640], "counts": "…"}}.'
_KEYS = ("example_id", "sent_id", *SENTENCE_KEYS)


def looks_like(dump: Dump) -> bool:
    """Say whether the file is JSON Lines; every other format of lines is asked before."""
    return dump.kind == "lines"


def read(dump: Dump, dataset: Dataset, log: ProblemLog) -> Iterator[PredictionRecord]:
    """Read predictions from JSON Lines; bad lines are listed, the others are kept.

    Each line names its example by ``example_id``, by ``sent_id``, or by ``ref_id``, ``ann_id``,
    ``sample_id`` or ``image_id`` with ``sentence``; a box may stand beside or in place of a mask::

        {"sent_id": 29928, "mask": {"size": [480, 640], "counts": "…"}}
        {"ref_id": 10512, "sentence": "right most cup", "mask": [[x1, y1, x2, y2, …]]}
        {"sent_id": 29930, "mask": null}
        {"sent_id": 29931, "box_xywh": [10.5, 20, 50, 60.25]}

    Raises:
        FormatError: If the last line is cut off, or no line is a prediction.
    """
    good = 0
    for record in records_of(dump.records(log), log):
        good += not record.fault
        yield record
    if not good and not dump.options.is_growing:
        first = next((p for p in log.close() if p.code == "bad-record"), None)
        said = "the file is empty"
        if first:
            line = first.where.rpartition(", ")[2]
            said = f"{line}: {first.message.partition(': ')[2].removesuffix('.')}"
        raise FormatError(f"holds no prediction ({said})", path=dump.path, hint=_HINT)


def records_of(
    values: Iterable[tuple[str, dict[str, Any]]], log: ProblemLog
) -> Iterator[PredictionRecord]:
    """Read objects such as lines hold, each with where it stands; list those of no use."""
    for where, value in values:
        try:
            yield _parse(value, where)
        except ValueError as error:
            refuse_record(log, where, error)
            named = _named(value)
            if named:  # found, but of no use: that is not the same as missing
                yield PredictionRecord(where, named, fault=f"The record is of no use: {error}.")


def _named(value: dict[str, Any]) -> dict[str, str]:
    """Give the id that names an example by itself, of a record that is broken otherwise."""
    for key in ("example_id", "sent_id"):
        with contextlib.suppress(ValueError):
            if value.get(key) is not None:
                return {key: id_text(value[key])}
    return {}


def _parse(value: dict[str, Any], where: str) -> PredictionRecord:
    ids = {key: id_text(value[key]) for key in _KEYS if value.get(key) is not None}
    if "image_id" in ids:
        ids["image_id"] = picture_key(ids["image_id"])
    sentence = value.get("sentence") or ""
    if not isinstance(sentence, str):
        raise ValueError("'sentence' is not text")
    if not ids:
        raise ValueError("it names no example (example_id, sent_id, or an id with a sentence)")
    if not sentence and "sent_id" not in ids and "example_id" not in ids:
        raise ValueError(f"{next(iter(ids))} alone does not name an example; add 'sentence'")
    box = RawBox(four(value["box_xywh"]), "xywh", "pixels") if value.get("box_xywh") else None
    if "mask" not in value and box is None:
        raise ValueError("it has no 'mask' (null says 'no target')")
    return PredictionRecord(
        where, ids, sentence, value.get("mask", NO_MASK), number(value.get("score")), box,
    )
