"""Genuine records, which lie outside the repository; the counts are those of its README."""

from __future__ import annotations

import json

import pytest

from inspector.core.mask import Mask
from inspector.formats import load_dataset
from inspector.formats.pictures import PictureStore
from inspector.formats.request import LoadRequest


@pytest.mark.parametrize(
    ("folder", "split_by", "examples", "referents", "pictures"),
    [
        ("refer/refcoco", None, 74, 25, 9),
        ("refer/refcocog", "umd", 24, 13, 8),
        ("refer/refcocog", "google", 18, 9, 8),
        ("two-models/refcoco", None, 147, 51, 49),
        ("refcoco-m", None, 36, 13, 4),
    ],
)
def test_counts(shared_data, folder, split_by, examples, referents, pictures):
    request = LoadRequest(str(shared_data / folder), split="all", split_by=split_by)
    dataset = load_dataset(request)
    assert len(dataset) == examples
    assert dataset.referent_count == referents
    assert len(dataset.images) == pictures
    assert dataset.is_scorable.all()
    assert not [problem for problem in dataset.problems if problem.severity == "error"]


def test_every_picture_of_a_parquet_file_is_a_picture(shared_data):
    dataset = load_dataset(LoadRequest(str(shared_data / "refcoco-m")))
    store = PictureStore()
    for image in dataset.images:
        assert store.read(image.location)[:3] == b"\xff\xd8\xff"  # JPEG


def test_polygons_that_overlap_are_joined_by_union(shared_data):
    # google ref 229: adding the polygons up, as refer.py does, counts 106 pixels twice
    folder = shared_data / "refer" / "refcocog"
    dataset = load_dataset(LoadRequest(str(folder), split="all", split_by="google"))
    example = next(e for e in dataset if e.expression.ref_id == "229")
    [referent] = example.referents
    annotations = json.loads((folder / "instances.json").read_text())["annotations"]
    [polygons] = [a["segmentation"] for a in annotations if str(a["id"]) == referent.annotation_id]
    parts = [Mask.from_polygons([polygon], example.image.size_hw).area for polygon in polygons]
    assert sum(parts) - example.target.area == 106


def test_val_of_both_refcoco_layouts_is_the_default(shared_data):
    for folder in ("refer/refcoco", "refcoco-m"):
        assert load_dataset(LoadRequest(str(shared_data / folder))).split == "val"
