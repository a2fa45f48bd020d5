"""lmms-eval: the samples that ``--log_samples`` writes for tasks on boxes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from inspector.core.dataset import Dataset
from inspector.core.ids import id_text
from inspector.core.problems import ProblemLog
from inspector.predictions.dump import Dump, parsed
from inspector.predictions.records import PredictionRecord, RawBox, four


def looks_like(dump: Dump) -> bool:
    """Say whether the lines have ``doc_id`` and a metric with a predicted box."""
    return bool(dump.head) and "doc_id" in dump.head[0] and _answer(dump.head[0]) is not None


def read(dump: Dump, dataset: Dataset, log: ProblemLog) -> Iterator[PredictionRecord]:
    """Read the boxes, four numbers between 0 and 1 or in pixels.

    A line of ``<date>_samples_refcoco_bbox_rec_val.jsonl``; ``ann_id`` is the annotation, and
    ``doc_id`` the place in the data set where there is none::

        {"doc_id": 0, "target": "…", "resps": [["[0.1, 0.2, 0.5, 0.6]"]], "refcoco_IoU": {
         "answer": "right most cup", "pred": [0.1, 0.2, 0.5, 0.6], "ann_id": "683672", "bbox": […]}}

    Four zeros are what lmms-eval writes for an answer that it could not read: invalid.
    """
    yield from parsed(dump.records(log), log, _parse)


def _answer(record: dict[str, Any]) -> dict[str, Any] | None:
    """Find a metric of the record that carries a predicted box."""
    return next(
        (
            value for value in record.values()
            if isinstance(value, dict) and isinstance(value.get("pred"), list)
        ),
        None,
    )


def _parse(record: dict[str, Any], where: str) -> PredictionRecord:
    answer = _answer(record)
    if answer is None:
        raise ValueError("it has no metric with a predicted box")
    ids = {"ann_id": id_text(answer["ann_id"])} if answer.get("ann_id") is not None else {}
    sentence = answer.get("answer") or ""
    place = record.get("doc_id")
    fault, box = "", None
    try:
        box = RawBox(four(answer["pred"]), "xyxy")
        if not any(box.numbers):
            fault, box = "lmms-eval could not read the answer (four zeros)", None
    except ValueError as error:
        fault = str(error)
    return PredictionRecord(
        where, ids, sentence if isinstance(sentence, str) else "", box=box, fault=fault,
        place=place if isinstance(place, int) and not isinstance(place, bool) else None,
    )
