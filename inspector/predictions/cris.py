"""CRIS: the pictures that its ``visualize`` option writes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from inspector.core.dataset import Dataset
from inspector.core.problems import ProblemLog
from inspector.predictions.dump import Dump
from inspector.predictions.mask_files import are_mostly, list_strangers
from inspector.predictions.mask_picture import MaskPicture, PictureCensus
from inspector.predictions.records import PredictionRecord

_NAME = re.compile(r"(?P<ref>\d+)-iou=(?P<iou>[\d.]+|nan)-(?P<sentence>.*)\.png$", re.IGNORECASE)
_BESIDE = re.compile(r"\d+-(img\.jpg|mask\.png)$")


def looks_like(dump: Dump) -> bool:
    """Say whether most pictures of a folder are named as CRIS names them."""
    return are_mostly(dump.names, _NAME, _BESIDE)


def read(dump: Dump, dataset: Dataset, log: ProblemLog) -> Iterator[PredictionRecord]:
    """List the predicted masks; the IoU in their names is held against ours.

    Expected files, of which only the last of each kind is a prediction::

        vis/10512-img.jpg   vis/10512-mask.png   vis/10512-iou=87.31-right_most_cup.png

    The number in front is the ``ref_id``; ``_`` stands for a space. CRIS writes one file a
    sentence, so that of equal sentences of one referent only the last is there.
    """
    list_strangers(dump.path, dump.names, _NAME, _BESIDE, log)
    census = PictureCensus()
    dump.afterwards.append(census.report)
    for name in dump.names:
        found = _NAME.match(name)
        if not found:
            continue
        iou = float(found["iou"]) / 100 if re.fullmatch(r"\d+(\.\d+)?", found["iou"]) else None
        yield PredictionRecord(
            name, {"ref_id": found["ref"]}, found["sentence"].replace("_", " "),
            MaskPicture(dump.path / name, census), iou=iou, is_file=True,
        )
