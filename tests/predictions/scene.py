"""A small data set with ids as COCO's, and one prediction for each of its sentences."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from inspector.core.mask import Mask
from inspector.core.run import Run, Status
from inspector.predictions import load_run
from inspector.predictions.options import RunOptions
from tests.building import Picture, Said, Thing, make_dataset


def rectangle(size_hw: tuple[int, int], left: int, top: int, right: int, bottom: int) -> Mask:
    array = np.zeros(size_hw, bool)
    array[top:bottom, left:right] = True
    return Mask.from_array(array)


KITCHEN, STREET = (48, 64), (40, 60)
CUP, DOG = rectangle(KITCHEN, 40, 10, 60, 30), rectangle(KITCHEN, 4, 20, 24, 40)
CAR = rectangle(STREET, 10, 10, 50, 30)

SCENE = make_dataset(
    Picture("460986", KITCHEN, (Thing("683672", "cup", CUP), Thing("683673", "dog", DOG)), (
        Said("29928", "right most cup", ("683672",), ref_id="10512", raw="Right most cup."),
        Said("29929", "the cup", ("683672",), ref_id="10512"),
        Said("29930", "the dog", ("683673",), ref_id="10513"),
    )),
    Picture("581857", STREET, (Thing("1719310", "car", CAR),), (
        Said("31000", "a car", ("1719310",), ref_id="10600"),
    )),
)

PREDICTED = {
    "29928": rectangle(KITCHEN, 40, 10, 60, 20),  # the upper half: IoU 0.5
    "29929": rectangle(KITCHEN, 45, 10, 60, 30),  # three quarters: IoU 0.75
    "29930": DOG,
    "31000": rectangle(STREET, 10, 10, 50, 40),  # half as much again: IoU 2 / 3
}
IOU = {"29928": 0.5, "29929": 0.75, "29930": 1.0, "31000": 2 / 3}


def rows() -> list[dict[str, Any]]:
    """Give what is known of each sentence, for a writer of files."""
    found = []
    for example in SCENE:
        mask, target = PREDICTED[example.id], example.target
        shared = int((mask.to_array() & target.to_array()).sum())
        found.append({
            "sent_id": int(example.id), "ref_id": int(example.expression.ref_id),
            "ann_id": int(example.referents[0].annotation_id), "image_id": int(example.image.id),
            "sentence": example.expression.sentence, "size": example.image.size_hw,
            "mask": mask, "target": target, "box": list(mask.box_xywh),
            "I": shared, "U": mask.area + target.area - shared,
        })
    return found


def save_json(path: Path, value: Any) -> Path:
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def save_lines(path: Path, *records: Any) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def load(path: Path, **options: Any) -> Run:
    return load_run(SCENE, path, name="model", options=RunOptions(**options))


def statuses(run: Run) -> dict[str, str]:
    """Give what became of each example."""
    names = [Status(status).name.lower() for status in run.status.tolist()]
    return dict(zip(SCENE.expressions.ids, names, strict=True))


def masks_of(run: Run) -> dict[str, Mask]:
    """Give the masks by example, of those that have one."""
    return {
        example: run.masks[row]
        for example, row in zip(SCENE.expressions.ids, run.rows.tolist(), strict=True) if row >= 0
    }


def codes(run: Run) -> list[str]:
    return [problem.code for problem in run.problems]
