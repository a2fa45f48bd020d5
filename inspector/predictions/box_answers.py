"""Answers of language models that hold a box: Qwen-VL, InternVL, DeepSeek-VL2, MiniGPT-v2."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from inspector.core.dataset import Dataset
from inspector.core.problems import ProblemLog
from inspector.predictions.box_strings import parse_answer, tries_a_box
from inspector.predictions.dump import Dump, refuse_record
from inspector.predictions.records import (
    ANY_NAMES,
    MASK_NAMES,
    PredictionRecord,
    RawBox,
    four,
)

_ANSWERS = (
    "response", "answer", "output", "prediction", "pred", "model_output", "generated_text",
    "extracted_answer", "pred_box", "bbox_2d", "box", "bbox", "result", "text",
)


def looks_like(dump: Dump) -> bool:
    """Say whether a record has an answer that is, or was to be, a box."""
    return any(_field(record) for record in dump.head) and not any(
        MASK_NAMES & record.keys() for record in dump.head
    )


def read(dump: Dump, dataset: Dataset, log: ProblemLog) -> Iterator[PredictionRecord]:
    """Read the first box of each answer; its scale is the model's, or inferred.

    The answer stands under ``response``, ``answer``, ``output``, ``prediction`` or the like, as
    text in the model's own way (two corners) or as a list of four numbers, of which it is inferred
    whether they are two corners or a corner and a size::

        {"sent_id": 29928, "response": "<|box_start|>(103,200),(512,640)<|box_end|>"}
        {"image_id": 460986, "sentence": "right most cup", "bbox_2d": [103, 200, 512, 640]}

    Answers without a whole box are invalid and listed. Lines before the first answer are the
    file's own description and are left out.
    """
    several = seen = 0
    for where, record in dump.records(log):
        name = _field(record)
        if not name and not seen:
            log.add("bad-record", "info", where,
                    "The record has no answer and was taken for the file's own description.")
            continue
        seen += 1
        try:
            found, count = _parse(record, name, where, dump.options.box_scale)
        except ValueError as error:
            refuse_record(log, where, error)
            continue
        several += count > 1
        yield found
    if several:
        log.add("several-boxes", "info", dump.path.name,
                f"{several:,} answers hold several boxes; the first of each counts.",
                count=several)


def holds_answer(record: dict[str, Any]) -> bool:
    """Say whether a record has an answer that is, or was to be, a box."""
    return bool(_field(record))


def _field(record: dict[str, Any]) -> str:
    """Find the name under which a record has its answer."""
    for name in _ANSWERS:
        value = record.get(name)
        if isinstance(value, str) and tries_a_box(value):
            return name
        if isinstance(value, list) and value and all(
            isinstance(v, (int, float)) and not isinstance(v, bool) for v in value
        ):
            return name
    return ""


def _parse(
    record: dict[str, Any], name: str, where: str, asked: str | None
) -> tuple[PredictionRecord, int]:
    ids, sentence = ANY_NAMES.read({key: v for key, v in record.items() if key != name})
    box, count, fault = None, 0, ""
    value = record.get(name) if name else next(
        (record[other] for other in _ANSWERS if other in record), None
    )
    try:
        if isinstance(value, str):
            box, count = parse_answer(value)
            box = replace(box, scale=(asked or box.scale) if box.scale else None)
        else:
            box, count = RawBox(four(value), "xyxy" if name == "bbox_2d" else None), 1
    except ValueError as error:
        fault = str(error)
    return PredictionRecord(where, ids, sentence, box=box, fault=fault), count
