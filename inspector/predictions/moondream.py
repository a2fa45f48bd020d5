"""Moondream: SVG paths relative to a box, as its segment skill answers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from inspector.core.dataset import Dataset
from inspector.core.errors import MaskError
from inspector.core.mask import Mask
from inspector.core.problems import ProblemLog
from inspector.predictions.dump import Dump, refuse_record
from inspector.predictions.mask_picture import from_base64
from inspector.predictions.records import ANY_NAMES, LazyMask, PredictionRecord, RawBox, four
from inspector.predictions.svg import fill_nonzero, flatten_path

_PATHS = ("path", "svg_path", "coarse_path")
_BEGINS = re.compile(r"\s*[Mm][\s,]*[-+.\d]")
_SIDES = ("x_min", "y_min", "x_max", "y_max")


class PathMask:
    """A path in a box, both relative: rasterised when it is scored."""

    def __init__(self, path: str, box_xyxy: tuple[float, float, float, float] | None) -> None:
        self._path, self._box = path, box_xyxy

    def read(self, size_hw: tuple[int, int]) -> Mask:
        """Fill the path; the empty mask if there is no path.

        Raises:
            MaskError: If there is a path but no box to place it, or the path cannot be read.
        """
        if not self._path.strip():
            return Mask.empty(size_hw)
        if self._box is None:
            raise MaskError("the path is relative to a box, but the answer has none")
        height, width = size_hw
        left, top, right, bottom = self._box
        place = np.array([left * width, top * height])
        scale = np.array([(right - left) * width, (bottom - top) * height])
        return fill_nonzero([p * scale + place for p in flatten_path(self._path)], size_hw)


def looks_like(dump: Dump) -> bool:
    """Say whether the records have a path, or segments with paths."""
    found = [answer for record in dump.head if (answer := _answer(record)) is not None]
    return any(_is_path(answer) for answer in found)


def read(dump: Dump, dataset: Dataset, log: ProblemLog) -> Iterator[PredictionRecord]:
    """Read paths; x runs from the left to the right side of the box, y from top to bottom.

    The answer of the client, or the engine's ``segments``, beside a key that its user added::

        {"sent_id": 29928, "path": "M.5,.3L.1.2C…z",
         "bbox": {"x_min": 0.2, "y_min": 0.1, "x_max": 0.6, "y_max": 0.9}}
        {"sent_id": 29928, "segments": [{"svg_path": "…", "bbox": {…}, "mask": "<PNG in base64>"}]}

    The box is in shares of the picture, the path in shares of the box: taking the path for shares
    of the picture is the natural mistake. No path is an empty mask; a path without box is invalid.
    A PNG in base64 counts instead of the path where there is one.
    """
    for where, record in dump.records(log):
        try:
            yield _parse(record, where)
        except ValueError as error:
            refuse_record(log, where, error)


def _answer(record: dict[str, Any]) -> dict[str, Any] | None:
    """Find the part of a record that has the path."""
    segments = record.get("segments")
    inner: list[Any] = segments if isinstance(segments, list) else []
    parts = [record, record.get("result"), record.get("segment"), *inner[:1]]
    if segments == []:
        return {"path": ""}
    return next(
        (
            part for part in parts
            if isinstance(part, dict) and any(isinstance(part.get(name), str) for name in _PATHS)
        ),
        None,
    )


def _is_path(answer: dict[str, Any]) -> bool:
    """Tell an SVG path, or none beside a box, from the path of a file."""
    if "svg_path" in answer or "bbox" in answer or answer.get("path") == "":
        return True
    return any(_BEGINS.match(answer[name]) for name in _PATHS if isinstance(answer.get(name), str))


def _parse(record: dict[str, Any], where: str) -> PredictionRecord:
    keys = {k: v for k, v in record.items() if k not in (*_PATHS, "bbox", "id")}
    ids, sentence = ANY_NAMES.read(keys)
    answer = _answer(record)
    if answer is None:
        return PredictionRecord(where, ids, sentence, fault="the answer has no path")
    box = answer.get("bbox")
    try:
        sides = four([box.get(side) for side in _SIDES] if isinstance(box, dict) else box)
    except ValueError:
        sides = None
    picture = answer.get("mask")
    path = next(answer[name] for name in _PATHS if isinstance(answer.get(name), str))
    mask: LazyMask = PathMask(path, sides)
    if isinstance(picture, str) and picture:
        mask = from_base64(picture)
    return PredictionRecord(
        where, ids, sentence, mask,
        box=RawBox(sides, "xyxy", "0-1") if sides else None,
    )
