"""Seg-Zero and VisionReasoner: the shards that their evaluation writes, counts without masks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from inspector.core.dataset import Dataset
from inspector.core.ids import id_text, picture_key
from inspector.core.problems import ProblemLog
from inspector.predictions.dump import Dump, parsed
from inspector.predictions.records import PredictionRecord, whole

_SHARD = re.compile(r"output_(\d+)\.json$")
_KEYS = {"image_id", "ann_id", "intersection", "union"}


def looks_like(dump: Dump) -> bool:
    """Say whether this is one shard, or a folder of ``output_<i>.json``."""
    if dump.kind == "folder":
        shards = _shards(dump)
        return bool(shards) and looks_like(Dump(shards[0]))
    return bool(dump.head) and _KEYS <= dump.head[0].keys()


def read(dump: Dump, dataset: Dataset, log: ProblemLog) -> Iterator[PredictionRecord]:
    """Read intersections and unions, shard after shard.

    A record of ``output_0.json``; ``think`` is the model's reasoning::

        {"image_id": "460986", "ann_id": "683672", "think": "…", "intersection": 812,
         "union": 1032, "bbox_iou": 1, "non_object": false}

    There is no sentence. Where a file has one record an annotation it serves all sentences of
    it; where it has several (the ``_all`` sets), they must be as many as sentences.
    """
    for path in _shards(dump) if dump.kind == "folder" else [dump.path]:
        yield from parsed(Dump(path, dump.options).records(log), log, _parse)


def _shards(dump: Dump) -> list[Path]:
    found = [(int(match[1]), name) for name in dump.names if (match := _SHARD.match(name))]
    return [dump.path / name for _, name in sorted(found)]


def _parse(record: dict[str, Any], where: str) -> PredictionRecord:
    ids = {
        "image_id": picture_key(id_text(record["image_id"])), "ann_id": id_text(record["ann_id"])
    }
    counts = whole(record["intersection"], "intersection"), whole(record["union"], "union")
    nothing = record.get("non_object")
    return PredictionRecord(
        where, ids, counts=counts,
        says_nothing=bool(nothing) if isinstance(nothing, (bool, int)) else None,
    )
