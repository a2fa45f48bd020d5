"""PaDT: the JSON Lines that its ``eval_refcoco.py`` writes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from inspector.core.dataset import Dataset
from inspector.core.problems import ProblemLog
from inspector.predictions.dump import Dump, parsed
from inspector.predictions.records import (
    NO_MASK,
    KeyNames,
    PredictionRecord,
    RawBox,
    four,
    number,
)

_NAMES = KeyNames(sentences=("category", "sentence", "label"))


def looks_like(dump: Dump) -> bool:
    """Say whether the records have a sentence under ``category``, a ``bbox`` and a ``mask``."""
    if not dump.head or not isinstance(dump.head[0].get("category"), str):
        return False
    names = dump.head[0].keys()
    says_otherwise = {"sentence", "example_id", "sent_id", "ref_id", "ann_id", "sample_id"} & names
    return "image_id" in names and bool({"mask", "rle"} & names) and not says_otherwise


def read(dump: Dump, dataset: Dataset, log: ProblemLog) -> Iterator[PredictionRecord]:
    """Read masks and boxes; the sentence stands under ``category``.

    A line of ``outputs/refcoco/val_0_pred_results_x.json``, JSON Lines in spite of its name::

        {"image_id": 460986, "category": "right most cup", "bbox": [x, y, w, h], "score": 0.9,
         "mask": {"size": [480, 640], "counts": "…"}}

    Of several answers for one sentence the first counts. PaDT's own evaluation takes the best,
    which needs the ground truth.
    """
    yield from parsed(dump.records(log), log, _parse)


def _parse(record: dict[str, Any], where: str) -> PredictionRecord:
    ids, sentence = _NAMES.read(record)
    mask = record.get("mask", record.get("rle"))
    box = record.get("bbox")
    return PredictionRecord(
        where, ids, sentence, NO_MASK if mask is None else mask, number(record.get("score")),
        RawBox(four(box), "xywh", "pixels") if box else None,
        fault="" if mask is not None or box else "the model gave neither mask nor box",
    )
