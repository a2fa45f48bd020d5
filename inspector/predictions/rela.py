"""ReLA (GRES): the detailed results that its evaluator writes, counts without masks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from inspector.core.dataset import Dataset
from inspector.core.ids import id_text, picture_key
from inspector.core.problems import ProblemLog
from inspector.predictions.dump import Dump, parsed
from inspector.predictions.records import PredictionRecord, number, whole

FRAME_HW = (480, 480)


def looks_like(dump: Dump) -> bool:
    """Say whether the records have ReLA's ``pred_nt``, ``I`` and ``U``."""
    return bool(dump.head) and {"pred_nt", "I", "U"} <= dump.head[0].keys()


def read(dump: Dump, dataset: Dataset, log: ProblemLog) -> Iterator[PredictionRecord]:
    """Read intersections and unions, which ReLA counts in frames of 480 x 480.

    A record of ``inference/grefcoco_detailed_results.json`` (``cIoU`` is that of the sample; for
    ``source`` refcoco there are no ids, only the sentence and the picture)::

        {"source": "grefcoco", "img_id": 460986, "gt_nt": false, "pred_nt": false,
         "sent": "right most cup", "sent_info": {"raw": "…", "sent_id": 29928, "ref_id": 10512},
         "I": 812, "U": 1032, "cIoU": 0.787}

    ``pred_nt`` is what the no-target head says: true stands for an empty prediction.
    """
    yield from parsed(dump.records(log), log, _parse)


def _parse(record: dict[str, Any], where: str) -> PredictionRecord:
    info = record.get("sent_info")
    info = info if isinstance(info, dict) else {}
    ids = {key: id_text(info[key]) for key in ("sent_id", "ref_id") if info.get(key) is not None}
    if record.get("img_id") is not None:
        ids["image_id"] = picture_key(id_text(record["img_id"]))
    sentence = record.get("sent") or info.get("raw") or ""
    if isinstance(sentence, dict):
        sentence = sentence.get("raw") or ""
    return PredictionRecord(
        where, ids, sentence if isinstance(sentence, str) else "",
        counts=(whole(record["I"], "I"), whole(record["U"], "U")), frame_hw=FRAME_HW,
        iou=None if record.get("gt_nt") else number(record.get("cIoU")),
        says_nothing=bool(record["pred_nt"]),
    )
