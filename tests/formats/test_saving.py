from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from inspector.cli import main
from inspector.core.errors import FormatError
from inspector.formats import jsonl, load_dataset
from inspector.formats.pictures import PictureStore
from inspector.formats.request import LoadRequest
from inspector.formats.saving import save
from tests.drawing import draw
from tests.formats.layouts import (
    LEFT_SHAPE,
    mask_record,
    reasonseg_file,
    shape,
    write_reasonseg,
    write_refcocom,
)
from tests.formats.writers import WRITERS
from tests.formats.writing import (
    DOG,
    LEFT_MUG,
    PICTURES,
    annotation,
    ref,
    scene_annotations,
    scene_lines,
    scene_refs,
    write_jsonl,
    write_refer,
)


def save_and_load(dataset, folder, **request):
    path = folder / "saved.jsonl"
    save(dataset, path)
    return jsonl.load(LoadRequest(str(path), split="all", **request))


def comparable(dataset):
    """Give the examples by id, without what saving may change: places, and made-up object ids."""
    def bare(referents):
        return referents and tuple(replace(r, annotation_id="") for r in referents)

    return {
        e.id: replace(
            e, index=0, image=replace(e.image, location=None, file_name=""),
            referents=bare(e.referents), distractors=bare(e.distractors),
        )
        for e in dataset
    }


def pictures_of(dataset):
    store = PictureStore()
    return [store.read(image.location) for image in dataset.images]


@pytest.mark.parametrize("key", WRITERS)
def test_every_format_saved_and_loaded_again(tmp_path, key):
    dataset = load_dataset(LoadRequest(str(WRITERS[key](tmp_path))))
    again = save_and_load(dataset, tmp_path)
    assert comparable(again) == comparable(dataset)
    assert [e.id for e in again] == [e.id for e in dataset]
    assert (again.name, again.split_by) == (dataset.name, dataset.split_by)
    assert again.expressions.referent.tolist() == dataset.expressions.referent.tolist()
    assert again.distractors_known == dataset.distractors_known
    assert pictures_of(again) == pictures_of(dataset) == [PICTURES[1], PICTURES[2]]


@pytest.mark.parametrize("key", WRITERS)
def test_ids_of_objects_stay_where_the_format_has_them(tmp_path, key):
    dataset = load_dataset(LoadRequest(str(WRITERS[key](tmp_path))))
    again = save_and_load(dataset, tmp_path)
    if "" not in dataset.objects.annotation_ids:
        assert again.objects.annotation_ids == dataset.objects.annotation_ids
    else:
        assert all(again.objects.annotation_ids)


@pytest.mark.parametrize("key", WRITERS)
def test_converted_from_the_command_line(tmp_path, key, capsys):
    source, out = WRITERS[key](tmp_path), tmp_path / "saved.jsonl"
    assert main(["convert", str(source), "--out", str(out)]) == 0
    assert f"Written to {out}." in capsys.readouterr().out
    dataset = load_dataset(LoadRequest(str(source)))
    assert comparable(load_dataset(LoadRequest(str(out)))) == comparable(dataset)


@pytest.mark.parametrize("key", WRITERS)
def test_saving_what_was_saved_writes_the_same_file(tmp_path, key):
    dataset = load_dataset(LoadRequest(str(WRITERS[key](tmp_path))))
    again = save_and_load(dataset, tmp_path)
    first = (tmp_path / "saved.jsonl").read_bytes().split(b"\n")
    save_and_load(again, tmp_path)
    assert (tmp_path / "saved.jsonl").read_bytes().split(b"\n")[1:] == first[1:]
    files = [path.name for path in tmp_path.iterdir() if path.is_file()]
    assert not [name for name in files if name.endswith(".part")]


def test_crowds_splits_several_targets_and_no_target(tmp_path):
    refs = [
        ref(1, [11, 12], 1, (0, "both mugs"), split="train"),
        ref(2, [-1], 1, (1, "the “red” müg")),
        ref(3, 21, 2, (2, "a dog"), split="testA"),
    ]
    dataset = load_dataset(LoadRequest(str(write_refer(tmp_path, refs=refs)), split="all"))
    again = save_and_load(dataset, tmp_path)
    assert comparable(again) == comparable(dataset)
    assert again.objects.is_crowd.tolist() == dataset.objects.is_crowd.tolist()
    assert set(again.split_names) == {"train", "val", "testA"}


def test_examples_without_a_readable_truth_stay_listed_and_unscored(tmp_path):
    annotations = [*scene_annotations(), annotation(14, 1, 47, None)]
    refs = [*scene_refs(), ref(9, 14, 1, (9, "broken")), ref(10, [11, 14], 1, (10, "both"))]
    folder = write_refer(tmp_path, annotations=annotations, refs=refs)
    dataset = load_dataset(LoadRequest(str(folder)))
    again = save_and_load(dataset, tmp_path)
    scorable = {e.id: bool(again.is_scorable[e.index]) for e in again}
    assert scorable == {"0": True, "1": True, "2": True, "3": True, "9": False, "10": False}
    told = [{(p.code, p.severity, p.message) for p in d.problems if "truth" in p.code
             or "mask" in p.code} for d in (dataset, again)]
    assert told[0] == told[1]  # an error was a warning, and its reason lost
    assert [p.code for p in again.problems] == ["broken-mask"]
    assert again[0].target == LEFT_MUG


def test_a_truth_that_is_known_to_be_missing_stays_that(tmp_path):
    files = {"1": reasonseg_file("mug", shapes=[])}
    dataset = load_dataset(LoadRequest(str(write_reasonseg(tmp_path, files=files))))
    again = save_and_load(dataset, tmp_path)
    told = [[(p.code, p.severity, p.message) for p in d.problems if p.code == "missing-truth"]
            for d in (dataset, again)]
    assert told[0] == told[1] and len(told[0]) == 1


def test_ids_stay_where_other_splits_of_their_sample_are_left_out(tmp_path):
    # the sentence 1 of its sample was alone in the saved file, and became 0
    lines = scene_lines()
    for place, (expression, split) in enumerate(
        zip(lines[1]["expressions"], ["train", "val", "val"], strict=True)
    ):
        expression |= {"sent_id": "" if place else "x", "sample_id": "7", "split": split}
    dataset = jsonl.load(LoadRequest(str(write_jsonl(tmp_path, lines=lines)), split="val"))
    assert [e.id for e in dataset] == ["7:1", "7:2", "3"]
    again = save_and_load(dataset, tmp_path)
    assert [e.id for e in again] == ["7:1", "7:2", "3"]
    assert [e.expression.sample_id for e in again] == ["7", "7", ""]


def test_a_link_in_the_place_of_the_file_is_followed(tmp_path):
    real, link = tmp_path / "real.jsonl", tmp_path / "link.jsonl"
    link.symlink_to(real)
    save(load_dataset(LoadRequest(str(write_refer(tmp_path)))), link)
    assert link.is_symlink() and len(load_dataset(LoadRequest(str(real)))) == 4


def test_ignored_regions_are_saved(tmp_path):
    files = {"1": reasonseg_file("mug", shapes=[
        LEFT_SHAPE, shape("ignore", (2, 1), (2, 2)), shape("Ignore", (5, 0), (5, 3)),
    ])}
    dataset = load_dataset(LoadRequest(str(write_reasonseg(tmp_path, files=files))))
    again = save_and_load(dataset, tmp_path)
    assert again[0].ignored == dataset[0].ignored == draw(
        ".....#",
        "..#..#",
        "..#..#",
        ".....#",
    )
    assert again.target_areas.tolist() == dataset.target_areas.tolist() == [2]


def test_levels_are_saved(tmp_path):
    records = [mask_record(101, 1, 41, LEFT_MUG, ((0, "mug"),)),
               mask_record("201_1", 2, 16, DOG, ((1, "the dog's head"),))]
    source = write_refcocom(tmp_path, records=records)
    (source / "masks" / "201_1.png").write_bytes((source / "masks" / "201.png").read_bytes())
    again = save_and_load(load_dataset(LoadRequest(str(source))), tmp_path)
    assert again.expressions.levels == ["object", "part"]


class TestPictures:
    def test_below_the_file_they_are_named_by_their_path(self, tmp_path):
        dataset = load_dataset(LoadRequest(str(write_refer(tmp_path / "data" / "deep"))))
        again = save_and_load(dataset, tmp_path)
        assert again.images[0].file_name.startswith("data/deep/images/train2014/COCO_")
        assert pictures_of(again) == list(PICTURES.values())

    def test_elsewhere_they_are_named_by_their_name_and_the_folder_is_said(self, tmp_path, capsys):
        source = write_refer(tmp_path / "here")
        folder = tmp_path / "far" / "away"
        folder.mkdir(parents=True)
        out = folder / "saved.jsonl"
        assert main(["convert", str(source), "--out", str(out)]) == 0
        pictures = tmp_path / "here" / "images" / "train2014"
        assert f"Pictures lie in {pictures}: open with --images {pictures}." in (
            capsys.readouterr().out
        )
        assert pictures_of(load_dataset(LoadRequest(str(out)))) == [None, None]
        again = load_dataset(LoadRequest(str(out), images=pictures))
        assert pictures_of(again) == list(PICTURES.values())

    def test_inside_parquet_they_are_copied(self, tmp_path, capsys):
        source, out = WRITERS["refcoco-m"](tmp_path), tmp_path / "mine" / "m.jsonl"
        out.parent.mkdir()
        assert main(["convert", str(source), "--out", str(out)]) == 0
        assert "2 pictures were copied to m-pictures beside it." in capsys.readouterr().out
        assert sorted(p.name for p in (out.parent / "m-pictures").iterdir()) == ["1.png", "2.png"]
        assert pictures_of(load_dataset(LoadRequest(str(out)))) == list(PICTURES.values())

    def test_ids_never_lead_out_of_the_folder_or_onto_each_other(self, tmp_path):
        dataset = load_dataset(LoadRequest(str(WRITERS["refcoco-m"](tmp_path))))
        images = (replace(dataset.images[0], id="../x"), replace(dataset.images[1], id="..:x"))
        save(replace(dataset, images=images), tmp_path / "saved.jsonl")
        names = sorted(path.name for path in (tmp_path / "saved-pictures").iterdir())
        assert names == ["_x.png", "_x_.png"]


@pytest.mark.parametrize(
    ("out", "text"),
    [("folder", "it is a folder"), ("a.csv", r"must end in \.jsonl"),
     ("nowhere/a.jsonl", "cannot be written")],
)
def test_where_nothing_can_be_written(tmp_path, out, text, capsys):
    (tmp_path / "folder").mkdir()
    source = write_refer(tmp_path)
    assert main(["convert", str(source), "--out", str(tmp_path / out)]) == 2
    assert re.search(text, capsys.readouterr().err)


def test_a_picture_that_is_gone_leaves_no_file_behind(tmp_path):
    dataset = load_dataset(LoadRequest(str(WRITERS["refcoco-m"](tmp_path))))
    dataset.images[0].location.path.unlink()
    with pytest.raises(FormatError, match="picture 1 cannot be read"):
        save(dataset, tmp_path / "saved.jsonl")
    assert not list(tmp_path.glob("*saved.jsonl*"))


@pytest.mark.parametrize(
    ("folder", "split_by"),
    [
        ("refer/refcoco", None), ("refer/refcocog", "umd"), ("refer/refcocog", "google"),
        ("two-models/refcoco", None), ("refcoco-m", None),
    ],
)
def test_real_data_saved_and_loaded_again(shared_data, tmp_path, folder, split_by):
    request = LoadRequest(str(shared_data / folder), split="all", split_by=split_by)
    dataset = load_dataset(request)
    location = dataset.images[0].location
    images = location.parent if isinstance(location, Path) else None
    again = save_and_load(dataset, tmp_path, images=images)
    assert comparable(again) == comparable(dataset)
    assert pictures_of(again) == pictures_of(dataset)


def test_one_line_as_it_is_written(tmp_path):
    save(load_dataset(LoadRequest(str(write_refer(tmp_path)))), tmp_path / "saved.jsonl")
    header, mugs, _ = map(json.loads, (tmp_path / "saved.jsonl").read_text().splitlines())
    assert header == {
        "inspector": "dataset", "version": 1, "name": "refcoco", "split": "val",
        "split_by": "unc", "all_objects": True,
    }
    assert mugs["expressions"][0] == {
        "sent_id": "0", "ref_id": "101", "sample_id": "", "sentence": "left mug",
        "raw": "LEFT MUG", "split": "val", "targets": ["11"],
    }
