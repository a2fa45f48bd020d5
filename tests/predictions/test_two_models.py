"""Real predictions, shuffled, duplicated, partly missing and partly foreign, in many key styles."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from inspector.core.dataset import Dataset
from inspector.core.mask import Mask
from inspector.core.run import Status
from inspector.formats import load_dataset
from inspector.formats.request import LoadRequest
from inspector.predictions import load_run


@pytest.fixture(scope="module")
def dataset(shared_data) -> Dataset:
    return load_dataset(LoadRequest(str(shared_data / "two-models" / "refcoco")))


@pytest.fixture(scope="module")
def masks(shared_data, dataset) -> dict[str, Mask]:
    folder = shared_data / "two-models" / "predictions" / "ours"
    return {
        path.stem.partition("_")[2]: Mask.from_array(np.asarray(Image.open(path)) > 127)
        for path in sorted(folder.glob("*.png"))
    }


def ids_of(dataset: Dataset, sent_id: str) -> dict[str, Any]:
    example = dataset.by_id(sent_id)
    return {
        "example_id": example.id, "sent_id": int(sent_id), "ref_id": example.expression.ref_id,
        "ann_id": float(example.referents[0].annotation_id), "image_id": int(example.image.id),
        "sentence": example.expression.sentence,
    }


STYLES = {
    "example_id": lambda row: {"example_id": row["example_id"]},
    "sent_id": lambda row: {"sent_id": row["sent_id"]},
    "sent_id as text of a float": lambda row: {"sent_id": f"{row['sent_id']}.0"},
    "ref_id and sentence": lambda row: {"ref_id": row["ref_id"], "sentence": row["sentence"]},
    "ann_id as float and sentence in capitals":
        lambda row: {"ann_id": row["ann_id"], "sentence": row["sentence"].upper() + "."},
    "image_id and sentence": lambda row: {"image_id": row["image_id"], "sentence": row["sentence"]},
    "file name and sentence": lambda row: {
        "image_id": f"train2014/COCO_train2014_{row['image_id']:012d}_2.jpg",
        "sentence": f"  {row['sentence']} ",
    },
    "everything at once": lambda row: row,
    "an unknown sent_id, but picture and sentence": lambda row: {
        "sent_id": 10**9 + row["sent_id"], "image_id": row["image_id"],
        "sentence": row["sentence"],
    },
}
FOREIGN = {"sent_id": 77, "image_id": 1, "ref_id": 5, "ann_id": 9, "example_id": "77",
           "sentence": "a thing of another data set"}


@pytest.mark.parametrize("style", STYLES)
def test_alignment_is_exact(style, dataset, masks, tmp_path):
    rng = np.random.default_rng(7)
    kept = sorted(masks)[5:]  # five are missing
    twice = kept[:4]
    size = {"size": [1, 1], "counts": [1]}
    lines = [STYLES[style](ids_of(dataset, s)) | {"mask": masks[s].to_json()} for s in kept]
    lines = [lines[i] for i in rng.permutation(len(lines))]
    lines += [STYLES[style](ids_of(dataset, s)) | {"mask": size} for s in twice]  # all come later
    foreign = STYLES[style](FOREIGN) | {"mask": size}
    for place in (0, 20, 40):
        lines.insert(place, foreign)
    run = write_and_load(dataset, tmp_path / "run.jsonl", lines)
    found = {
        dataset.expressions.ids[i]: run.masks[run.rows[i]]
        for i in np.flatnonzero(run.status == Status.SCORED)
    }
    assert found == {sent_id: masks[sent_id] for sent_id in kept}
    assert (run.duplicate, run.unmatched) == (len(twice), 3)
    assert (run.status == Status.MISSING).sum() == len(dataset) - len(kept)


def write_and_load(dataset: Dataset, path: Path, lines: list[dict]):
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return load_run(dataset, path, name="model")


def test_a_folder_named_by_annotation_and_number_of_the_sentence(dataset, masks, tmp_path):
    for sent_id, mask in masks.items():
        row = ids_of(dataset, sent_id)
        own = dataset.by_id(sent_id).referents
        same = [example.id for example in dataset if example.referents == own]
        name = f"{row['image_id']}_{int(row['ann_id'])}_{same.index(sent_id)}.png"
        Image.fromarray(mask.to_array().astype(np.uint8) * 255).save(tmp_path / name)
    run = load_run(dataset, tmp_path, name="model")
    found = {
        dataset.expressions.ids[i]: run.masks[run.rows[i]]
        for i in np.flatnonzero(run.status == Status.SCORED)
    }
    assert found == masks
    assert run.alignment == ("56 by ann_id + number of the sentence",)


def test_masks_squashed_to_a_square_frame_need_to_be_asked_for(dataset, masks, tmp_path):
    from inspector.predictions.frames import resize_nearest
    from inspector.predictions.options import RunOptions

    path = tmp_path / "run.jsonl"
    path.write_text("".join(
        json.dumps({"sent_id": int(s), "mask": resize_nearest(mask, (480, 480)).to_json()}) + "\n"
        for s, mask in masks.items()
    ))
    run = load_run(dataset, path, name="model")
    assert (run.status == Status.INVALID).sum() == 56
    assert {problem.code for problem in run.problems} == {"size-mismatch"}
    run = load_run(dataset, path, name="model", options=RunOptions(resize="nearest"))
    assert run.frames_hw == ((480, 480, 56),)
    assert run.describe_frames() == "56 masks of 480 x 480 resized by nearest neighbour"
