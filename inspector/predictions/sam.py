"""Segment Anything: masks with ``predicted_iou``, and a key that their user added."""

from __future__ import annotations

from collections.abc import Iterator

from inspector.core.dataset import Dataset
from inspector.core.problems import ProblemLog
from inspector.predictions.coco_results import read_records
from inspector.predictions.dump import Dump
from inspector.predictions.records import PredictionRecord


def looks_like(dump: Dump) -> bool:
    """Say whether the records have ``segmentation`` and ``predicted_iou``."""
    return bool(dump.head) and {"segmentation", "predicted_iou"} <= dump.head[0].keys()


def read(dump: Dump, dataset: Dataset, log: ProblemLog) -> Iterator[PredictionRecord]:
    """Read masks; of several for one ``sent_id`` that with the highest ``predicted_iou`` counts.

    The automatic generator names no sentence; whoever runs it adds a key::

        {"segmentation": {"size": [480, 640], "counts": "…"}, "predicted_iou": 0.98,
         "stability_score": 0.97, "bbox": [x, y, w, h], "sent_id": 29928}
    """
    yield from read_records(dump, log, "predicted_iou")
