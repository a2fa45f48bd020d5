"""benchmark-samtok: the results that it writes, an IoU a sample without masks."""

from __future__ import annotations

from collections.abc import Iterator

from inspector.core.dataset import Dataset
from inspector.core.problems import ProblemLog
from inspector.predictions.dump import Dump, objects, refuse_record
from inspector.predictions.records import ANY_NAMES, PredictionRecord, number


def looks_like(dump: Dump) -> bool:
    """Say whether the document has ``per_sample_results``."""
    return isinstance(dump.mapping.get("per_sample_results"), list)


def read(dump: Dump, dataset: Dataset, log: ProblemLog) -> Iterator[PredictionRecord]:
    """Read the IoU of each sample; there are no pixels to add up, so oIoU is not defined.

    Three lines of ``results/<model>.json``::

        {"per_sample_results": [
          {"image_id": 460986, "expression": "right most cup",
           "metrics": {"iou": 0.787, "precision": 0.9, "recall": 0.86, "pred_count": 1}}]}
    """
    for where, record in objects(dump.document["per_sample_results"], dump.path, log,
                                 what="sample"):
        try:
            ids, sentence = ANY_NAMES.read(record)
            metrics = record.get("metrics")
            iou = number(metrics.get("iou")) if isinstance(metrics, dict) else None
            if iou is None:
                raise ValueError("it has no 'metrics' with a number 'iou'")
            yield PredictionRecord(where, ids, sentence, iou=iou)
        except ValueError as error:
            refuse_record(log, where, error)
