"""Sa2VA: what its ``RES.py`` collects for each picture, written as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from inspector.core.dataset import Dataset
from inspector.core.errors import MaskError
from inspector.core.mask import Mask
from inspector.core.problems import ProblemLog
from inspector.predictions.dump import Dump, refuse_record
from inspector.predictions.records import NO_MASK, PredictionRecord


class _BareCounts:
    """Compressed counts that stand without the size of their picture."""

    def __init__(self, counts: str) -> None:
        self._counts = counts

    def read(self, size_hw: tuple[int, int]) -> Mask:
        return Mask.from_coco({"size": list(size_hw), "counts": self._counts})


def looks_like(dump: Dump) -> bool:
    """Say whether the records have ``gt_masks`` and ``prediction_masks``."""
    return bool(dump.head) and {"gt_masks", "prediction_masks"} <= dump.head[0].keys()


def read(dump: Dump, dataset: Dataset, log: ProblemLog) -> Iterator[PredictionRecord]:
    """Read predictions picture by picture; the file's own ground truth says which is which.

    ``img_id`` is only the place of the picture in Sa2VA's own order, so it is not used::

        {"img_id": "0", "gt_masks": ["<counts>", …], "prediction_masks": [["<counts>"], null, …]}

    A prediction of ``null`` is missing: Sa2VA's own evaluation leaves it out of the sum of unions,
    which raises its cIoU; here it counts the whole target.
    """
    for where, record in dump.records(log):
        truths, masks = record.get("gt_masks"), record.get("prediction_masks")
        if not isinstance(truths, list) or not isinstance(masks, list) or (
            len(truths) != len(masks)
        ):
            refuse_record(log, where, ValueError("its masks are not as many as its truths"))
            continue
        for place, (truth, mask) in enumerate(zip(truths, masks, strict=True)):
            spot = f"{where}, sentence {place + 1}"
            try:
                counts = _truth(truth)
            except (ValueError, MaskError) as error:
                refuse_record(log, spot, error)
                continue
            value = _mask(mask)
            yield PredictionRecord(
                spot, {}, mask=value, truth=counts,
                fault="the model gave no mask (null)" if value is NO_MASK else "",
            )


def _truth(value: Any) -> bytes:
    if isinstance(value, str):
        return value.encode()
    if isinstance(value, dict):
        return Mask.from_coco(value).counts
    raise ValueError("its ground truth is no run lengths")


def _mask(value: Any) -> Any:
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if value is None or value == []:
        return NO_MASK
    return _BareCounts(value) if isinstance(value, str) else value
