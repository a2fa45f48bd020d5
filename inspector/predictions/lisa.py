"""LISA: the pictures that its ``chat.py`` writes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from inspector.core.dataset import Dataset
from inspector.core.ids import picture_key
from inspector.core.problems import ProblemLog
from inspector.predictions.dump import Dump
from inspector.predictions.mask_files import are_mostly, list_strangers
from inspector.predictions.mask_picture import MaskPicture, PictureCensus
from inspector.predictions.records import PredictionRecord

_NAME = re.compile(r"(?P<picture>.+)_mask_(?P<number>\d+)\.(jpg|jpeg|png)$", re.IGNORECASE)
_BESIDE = re.compile(r".+_masked_img_\d+\.(jpg|jpeg|png)$", re.IGNORECASE)


def looks_like(dump: Dump) -> bool:
    """Say whether most pictures of a folder are named as LISA names them."""
    return are_mostly(dump.names, _NAME, _BESIDE)


def read(dump: Dump, dataset: Dataset, log: ProblemLog) -> Iterator[PredictionRecord]:
    """List the masks; a JPEG is foreground from half of its largest value on.

    Expected files, of which the second kind is the picture with the mask painted on it::

        vis/COCO_train2014_000000460986_mask_0.jpg
        vis/COCO_train2014_000000460986_masked_img_0.jpg

    The names carry the picture alone: they fit where a picture has one sentence, or just as many
    masks as sentences, which are then taken in order with a warning.
    """
    list_strangers(dump.path, dump.names, _NAME, _BESIDE, log)
    census = PictureCensus()
    dump.afterwards.append(census.report)
    found = [match for name in dump.names if (match := _NAME.match(name))]
    for match in sorted(found, key=lambda m: (m["picture"], int(m["number"]))):
        yield PredictionRecord(
            match.string, {"image_id": picture_key(match["picture"])},
            mask=MaskPicture(dump.path / match.string, census), is_file=True,
        )
