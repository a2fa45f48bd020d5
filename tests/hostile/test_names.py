"""File names in the data that climb out of the folders that were given."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from inspector.core.records import PictureCell
from inspector.formats import load_dataset
from inspector.formats.pictures import PictureStore
from inspector.formats.request import LoadRequest
from inspector.formats.saving import save
from tests.formats import layouts
from tests.formats.writing import PICTURES, picture, scene_lines, write_jsonl, write_refer

SECRET = picture(11, 7)
NAMES = {
    "up": "../secret.jpg", "up twice": "../../secret.jpg", "etc": "../../../../../../etc/passwd",
    "absolute": "/etc/passwd", "absolute secret": "{secret}", "two slashes": "//etc/passwd",
    "backslashes": "..\\secret.jpg", "here": ".", "above": "..", "nothing": "", "space": " ",
    "NUL": "a\0.jpg", "NUL behind": "1.jpg\0", "long": "x" * 300 + ".jpg",
    "very long": "x" * 70_000,
    "many folders": "a/" * 3000 + "1.jpg", "a link": "link.jpg", "a link to etc": "passwd.jpg",
    "through a linked folder": "linked/secret.jpg", "a loop": "loop.jpg", "a device": "/dev/zero",
    "a file address": "file:///etc/passwd", "percent": "%2e%2e%2fsecret.jpg",
    "home": "~/secret.jpg",
    "a variable": "$HOME/secret.jpg", "dots": "....//secret.jpg", "line end": "secret.jpg\n",
}
every_name = pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)


def guard(root: Path, *folders: Path) -> None:
    """Put a secret outside and links that lead to it into every folder."""
    (root / "secret.jpg").write_bytes(SECRET)
    for folder in folders:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "link.jpg").symlink_to(root / "secret.jpg")
        (folder / "passwd.jpg").symlink_to("/etc/passwd")
        (folder / "linked").symlink_to(root)
        (folder / "loop.jpg").symlink_to(folder / "loop.jpg")


def check(dataset, folder: Path, tmp_path: Path) -> None:
    """Every picture is in the folder or not there, and nothing else is read or copied."""
    store = PictureStore()
    for image in dataset.images:
        assert not isinstance(image.location, PictureCell)
        if image.location is not None:
            assert image.location.resolve().is_relative_to(folder.resolve())
            assert store.read(image.location) in PICTURES.values()
    assert "missing-picture" in {problem.code for problem in dataset.problems}
    copy = tmp_path / "copy"
    copy.mkdir(exist_ok=True)
    save(dataset, copy / "set.jsonl")
    assert [path.name for path in copy.iterdir()] == ["set.jsonl"]


@every_name
def test_in_lines(name, tmp_path):
    folder = tmp_path / "set"
    guard(tmp_path, folder, folder / "pictures", folder / "images")
    lines = scene_lines()
    lines[1]["image"]["file_name"] = name.format(secret=tmp_path / "secret.jpg")
    dataset = load_dataset(LoadRequest(str(write_jsonl(folder, lines=lines))))
    assert dataset.images[0].location is None
    check(dataset, folder, tmp_path)


@every_name
def test_in_annotations(name, tmp_path):
    folder = tmp_path / "set"
    source = write_refer(folder)
    guard(tmp_path, source, folder / "images" / "train2014")
    content = json.loads((source / "instances.json").read_text())
    content["images"][0]["file_name"] = name.format(secret=tmp_path / "secret.jpg")
    (source / "instances.json").write_text(json.dumps(content))
    if name == "":  # then COCO's own name is tried
        (folder / "images" / "train2014" / "COCO_train2014_000000000001.jpg").unlink()
    dataset = load_dataset(LoadRequest(str(source)))
    assert dataset.images[0].location is None
    check(dataset, folder, tmp_path)


@every_name
def test_in_records_of_cris(name, tmp_path):
    folder = tmp_path / "set"
    records = layouts.scene_records()
    records[0]["img_name"] = name.format(secret=tmp_path / "secret.jpg")
    source = layouts.write_cris(folder, records=records)
    guard(tmp_path, source, folder / "images" / "train2014")
    check(load_dataset(LoadRequest(str(source))), folder, tmp_path)


@every_name
def test_names_of_masks(name, tmp_path):
    folder = tmp_path / "set"
    records = layouts.scene_records()
    stem = name.format(secret=tmp_path / "secret.jpg").removesuffix(".jpg")
    records[0]["segment_id"] = stem
    source = layouts.write_cris(folder, records=records)
    (tmp_path / "secret.png").write_bytes(layouts.mask_png(layouts.LEFT_MUG))
    (source / "masks" / "refcoco" / "link.png").symlink_to(tmp_path / "secret.png")
    dataset = load_dataset(LoadRequest(str(source)))
    scorable = {e.expression.sentence: bool(dataset.is_scorable[e.index]) for e in dataset}
    assert not scorable.get("left mug", False)
    assert scorable["a dog"]
    assert [p for p in dataset.problems if p.code == "broken-mask"]


@every_name
def test_in_samples_of_fiftyone(name, tmp_path):
    folder = tmp_path / "set"
    samples = layouts.scene_samples()
    samples[0]["filepath"] = name.format(secret=tmp_path / "secret.jpg")
    samples[1]["detections"]["detections"][0]["mask"] = None
    samples[1]["detections"]["detections"][0]["mask_path"] = name.format(
        secret=tmp_path / "secret.jpg"
    )
    source = layouts.write_fiftyone(folder, samples=samples)
    guard(tmp_path, source, source / "data")
    dataset = load_dataset(LoadRequest(str(source)))
    assert not dataset.is_scorable[-1]
    check(dataset, folder, tmp_path)


def test_the_ids_of_a_picture_name_no_file(tmp_path):
    # saving copies pictures out of parquet files under their ids
    from tests.formats.writing import scene_rows, write_refcoco_m

    rows = scene_rows()
    for row, name in zip(rows, ("../../up", "/etc/passwd"), strict=True):
        row["file_name"] = name
    dataset = load_dataset(LoadRequest(str(write_refcoco_m(tmp_path / "set", rows=rows))))
    out = tmp_path / "out"
    out.mkdir()
    save(dataset, out / "set.jsonl")
    names = sorted(str(path.relative_to(tmp_path)) for path in out.rglob("*") if path.is_file())
    assert names == ["out/set-pictures/1.png", "out/set-pictures/2.png", "out/set.jsonl"]
