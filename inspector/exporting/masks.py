"""Masks of selected examples as COCO run lengths, line by line.

Predictions and truth each come in two forms. The list of results that pycocotools loads holds
masks only (or boxes only, of a run of boxes); it has no way to say "no target", which stands there
as the mask without a pixel. The inspector's own lines hold everything that can be opened again, as
``--run`` or as data set.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from inspector.core.columns import MaskColumn
from inspector.core.dataset import Dataset
from inspector.core.errors import UsageError
from inspector.core.records import ImageRef
from inspector.core.run import Run, Status
from inspector.formats.saving import lines_of


@dataclass(frozen=True, slots=True)
class Masks:
    """The parts of a file, and what of the selection is not in it.

    Attributes:
        parts: Pieces of text, made as they are taken.
        written: Number of examples in the file.
        left_out: Number of the others by reason, such as ``{"missing": 3}``.
    """

    parts: Iterable[str]
    written: int
    left_out: Mapping[str, int]

    def describe_left_out(self) -> str:
        """Say in words what is not in the file; empty if nothing is."""
        return ", ".join(f"{count} {reason}" for reason, count in self.left_out.items())


def prediction_coco(dataset: Dataset, run: Run, places: np.ndarray) -> Masks:
    """Give the predictions of a run as a list of results for pycocotools.

    An entry holds ``image_id``, ``segmentation`` and, beside what COCO knows, ``example_id``,
    ``sentence`` and the target's ``category`` by name. ``category_id``, without which pycocotools
    does not load a list, is 1 everywhere: sentences are no classes. There is no ``score``: what a
    run said of it is not kept.

    Raises:
        UsageError: If there is not one to write.
    """
    kinds = ("box alone",) if run.is_boxes_only else ("mask", "empty mask")
    sorted_out = _sort_out(run, places)
    wanted = {place for kind in kinds for place in sorted_out.pop(kind, [])}
    chosen = [place for place in places.tolist() if place in wanted]
    return _masks(
        _list(_entry(dataset, place, _coco_part(run, place)) for place in chosen),
        len(chosen), sorted_out, f"a mask in the run {run.name}",
    )


def prediction_lines(dataset: Dataset, run: Run, places: np.ndarray) -> Masks:
    """Give the predictions of a run in the inspector's own format.

    Raises:
        UsageError: If there is not one to write.
    """
    sorted_out = _sort_out(run, places)
    kept = {"mask", "empty mask", "no target", "box alone"} & sorted_out.keys()
    kinds = {place: kind for kind in kept for place in sorted_out.pop(kind)}
    ids = dataset.expressions.ids

    def lines() -> Iterator[str]:
        for place in places.tolist():
            if place in kinds:
                yield _text({"example_id": ids[place], **_own_part(run, place, kinds[place])})
                yield "\n"

    return _masks(lines(), len(kinds), sorted_out, f"a prediction in the run {run.name}")


def truth_coco(dataset: Dataset, places: np.ndarray) -> Masks:
    """Give the targets as a list of results for pycocotools; no-target examples have none.

    Raises:
        UsageError: If there is not one to write.
    """
    target = dataset.expressions.target[places]
    usable = dataset.is_scorable[places]
    chosen = places[(target >= 0) & usable].tolist()
    masks = dataset.targets.masks

    def part(place: int) -> dict[str, Any]:
        return {"segmentation": _mask(masks, int(dataset.expressions.target[place]))}

    left_out = {
        "without target": places[target < 0].tolist(), "unreadable": places[~usable].tolist(),
    }
    return _masks(
        _list(_entry(dataset, place, part(place)) for place in chosen), len(chosen), left_out,
        "a target",
    )


def truth_lines(dataset: Dataset, places: np.ndarray) -> Masks:
    """Give the examples as a data set in the inspector's own format, with all objects.

    Pictures are named by their file names, to be found with ``--images`` when it is opened.

    Raises:
        UsageError: If no example is selected.
    """
    return _masks(
        lines_of(dataset, _file_name, places.tolist()), len(places), {}, "a place in the data set"
    )


def _file_name(image: ImageRef) -> str:
    return image.location.name if isinstance(image.location, Path) else image.file_name


def _sort_out(run: Run, places: np.ndarray) -> dict[str, list[int]]:
    """Part examples by what was predicted for each; an empty mask is one that says "no target"."""
    found: dict[str, list[int]] = {}
    for place in places.tolist():
        status = Status(int(run.status[place]))
        row = int(run.rows[place])
        if status == Status.SCORED and row >= 0:
            says_nothing = run.says_no_target[place] and not run.masks.areas[row]
            kind = "empty mask" if says_nothing else "mask"
        elif status == Status.SCORED and run.says_no_target[place]:
            kind = "no target"
        elif status == Status.SCORED:
            kind = "box alone" if run.box_xywh(place) else "numbers alone"
        else:
            kind = status.name.lower()
        found.setdefault(kind, []).append(place)
    return found


def _coco_part(run: Run, place: int) -> dict[str, Any]:
    if run.is_boxes_only:
        return {"bbox": list(run.box_xywh(place) or ())}
    return {"segmentation": _mask(run.masks, int(run.rows[place]))}


def _own_part(run: Run, place: int, kind: str) -> dict[str, Any]:
    part: dict[str, Any] = {}
    if kind != "box alone":
        part["mask"] = _mask(run.masks, int(run.rows[place])) if kind == "mask" else None
    if box := run.box_xywh(place):
        part["box_xywh"] = list(box)
    return part


def _entry(dataset: Dataset, place: int, part: dict[str, Any]) -> dict[str, Any]:
    table = dataset.expressions
    image_id = dataset.images[table.image[place]].id
    number = image_id.isascii() and image_id.isdigit() and str(int(image_id[:18])) == image_id
    return {
        "image_id": int(image_id) if number else image_id,
        "category_id": 1,
        "example_id": table.ids[place],
        "sentence": table.sentences[place],
        "category": dataset.category_of(place),
        **part,
    }


def _mask(masks: MaskColumn, row: int) -> dict[str, Any]:
    return {"size": masks.sizes_hw[row].tolist(), "counts": masks.counts(row).decode("ascii")}


def _list(entries: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Write a JSON list, one entry a line."""
    before = "[\n"
    for entry in entries:
        yield before + _text(entry)
        before = ",\n"
    yield "\n]\n"


def _text(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _masks(
    parts: Iterable[str], written: int, left_out: Mapping[str, Sequence[int]], what: str
) -> Masks:
    if not written:
        raise UsageError(f"None of the selected examples has {what}. Select others.")
    return Masks(parts, written, {key: len(some) for key, some in left_out.items() if some})
