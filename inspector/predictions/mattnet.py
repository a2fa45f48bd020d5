"""MAttNet: the JSON that its ``eval_masks.py`` writes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from inspector.core.dataset import Dataset
from inspector.core.ids import id_text
from inspector.core.problems import ProblemLog
from inspector.predictions.dump import Dump, objects, parsed
from inspector.predictions.records import NO_MASK, PredictionRecord, RawBox, four, number


def looks_like(dump: Dump) -> bool:
    """Say whether the document lists predictions with ``sent_id`` and ``rle`` or ``pred_box``."""
    records = dump.mapping.get("predictions")
    if not isinstance(records, list) or not records or not isinstance(records[0], dict):
        return False
    return "sent_id" in records[0] and bool({"rle", "pred_box"} & records[0].keys())


def read(dump: Dump, dataset: Dataset, log: ProblemLog) -> Iterator[PredictionRecord]:
    """Read masks and boxes; the detections alone (under ``dets``) are a run of boxes.

    Three lines of ``cache/results/refcoco_unc/masks/<id>_val.json``::

        {"predictions": [{"sent_id": 29928, "sent": "right most cup", "gd_box": […],
                          "pred_box": [x, y, w, h], "pred_score": 0.9,
                          "rle": {"size": [480, 640], "counts": "…"}}], "iou": …}
    """
    listed = objects(dump.document["predictions"], dump.path, log, what="prediction")
    yield from parsed(listed, log, _parse)


def _parse(record: dict[str, Any], where: str) -> PredictionRecord:
    box = record.get("pred_box")
    sentence = record.get("sent") or ""
    return PredictionRecord(
        where,
        {"sent_id": id_text(record["sent_id"])},
        sentence if isinstance(sentence, str) else "",
        record["rle"] if record.get("rle") is not None else NO_MASK,
        number(record.get("pred_score")),
        RawBox(four(box), "xywh", "pixels") if box is not None else None,
    )
