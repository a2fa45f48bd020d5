"""Moondream: SVG paths relative to a box, as its segment skill answers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from inspector.core.dataset import Dataset
from inspector.core.errors import MaskError
from inspector.core.mask import Mask, unite
from inspector.core.problems import ProblemLog
from inspector.predictions.dump import Dump, parsed
from inspector.predictions.mask_picture import from_base64
from inspector.predictions.records import ANY_NAMES, LazyMask, PredictionRecord, RawBox, four
from inspector.predictions.svg import fill_nonzero, flatten_path

_PATHS = ("path", "svg_path", "coarse_path")
_BEGINS = re.compile(r"\s*[Mm][\s,]*[-+.\d]")
_SIDES = ("x_min", "y_min", "x_max", "y_max")


class SeveralMasks:
    """The masks of several segments: their union."""

    def __init__(self, parts: Sequence[LazyMask]) -> None:
        self._parts = parts

    def read(self, size_hw: tuple[int, int]) -> Mask:
        """Join the masks of all segments.

        Raises:
            MaskError: If one of them cannot be read.
            SizeMismatchError: If they differ in size.
        """
        return unite([part.read(size_hw) for part in self._parts])


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
    return any(_is_path(answer) for record in dump.head for answer in _answers(record))


def read(dump: Dump, dataset: Dataset, log: ProblemLog) -> Iterator[PredictionRecord]:
    """Read paths; x runs from the left to the right side of the box, y from top to bottom.

    The answer of the client, or the engine's ``segments``, beside a key that its user added::

        {"sent_id": 29928, "path": "M.5,.3L.1.2C…z",
         "bbox": {"x_min": 0.2, "y_min": 0.1, "x_max": 0.6, "y_max": 0.9}}
        {"sent_id": 29928, "segments": [{"svg_path": "…", "bbox": {…}, "mask": "<PNG in base64>"}]}

    The box is in shares of the picture, the path in shares of the box: taking the path for shares
    of the picture is the natural mistake. No path is an empty mask; a path without box is invalid.
    A PNG in base64 counts instead of the path where there is one. Several segments are joined by
    union; their box is the one around all of them.
    """
    several = 0
    for found in parsed(dump.records(log), log, _parse):
        several += isinstance(found.mask, SeveralMasks)
        yield found
    if several:
        log.add("several-boxes", "info", dump.path.name,
                f"{several:,} answers hold several segments, which were joined by union.",
                count=several)


def _answers(record: dict[str, Any]) -> list[dict[str, Any]]:
    """Find the parts of a record that have a path: all segments, or the one answer."""
    segments = record.get("segments")
    if segments == []:
        return [{"path": ""}]
    for part in (record, record.get("result"), record.get("segment")):
        if _has_path(part):
            return [part]
    return [part for part in segments if _has_path(part)] if isinstance(segments, list) else []


def _has_path(part: Any) -> bool:
    return isinstance(part, dict) and any(isinstance(part.get(name), str) for name in _PATHS)


def _is_path(answer: dict[str, Any]) -> bool:
    """Tell an SVG path, or none beside a box, from the path of a file."""
    if "svg_path" in answer or "bbox" in answer or answer.get("path") == "":
        return True
    return any(_BEGINS.match(answer[name]) for name in _PATHS if isinstance(answer.get(name), str))


def _parse(record: dict[str, Any], where: str) -> PredictionRecord:
    keys = {k: v for k, v in record.items() if k not in (*_PATHS, "bbox", "id")}
    ids, sentence = ANY_NAMES.read(keys)
    answers = _answers(record)
    if not answers:
        return PredictionRecord(where, ids, sentence, fault="the answer has no path")
    segments = record.get("segments")
    listed = segments if isinstance(segments, list) else []
    if any(answers[0] is one for one in listed) and len(answers) < len(listed):
        fault = f"{len(listed) - len(answers)} of its {len(listed)} segments have no path"
        return PredictionRecord(where, ids, sentence, fault=fault)
    parts = [_part(answer) for answer in answers]
    sides = np.array([box for _, box in parts if box is not None])
    box = None
    if len(sides) == len(parts):  # around all of them
        left, top = sides[:, :2].min(axis=0).tolist()
        right, bottom = sides[:, 2:].max(axis=0).tolist()
        box = RawBox((left, top, right, bottom), "xyxy", "0-1")
    masks = [mask for mask, _ in parts]
    return PredictionRecord(
        where, ids, sentence, masks[0] if len(masks) == 1 else SeveralMasks(masks), box=box,
    )


def _part(answer: dict[str, Any]) -> tuple[LazyMask, tuple[float, float, float, float] | None]:
    """Give the mask of one answer, and the sides of its box if it has one."""
    box = answer.get("bbox")
    try:
        sides = four([box.get(side) for side in _SIDES] if isinstance(box, dict) else box)
    except ValueError:
        sides = None
    picture = answer.get("mask")
    if isinstance(picture, str) and picture:
        return from_base64(picture), sides
    return PathMask(next(answer[n] for n in _PATHS if isinstance(answer.get(n), str)), sides), sides
