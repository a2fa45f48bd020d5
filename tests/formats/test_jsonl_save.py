from __future__ import annotations

from dataclasses import replace

import pytest

from inspector.formats import jsonl, load_dataset
from inspector.formats.request import LoadRequest
from tests.formats.writing import (
    LEFT_MUG,
    WRITERS,
    annotation,
    ref,
    scene_annotations,
    scene_refs,
    write_refer,
)


def save_and_load(dataset, folder):
    path = folder / "saved.jsonl"
    jsonl.save(dataset, path)
    return jsonl.load(LoadRequest(str(path), split="all"))


def comparable(dataset):
    """Give the examples by id, without the places of their pictures and of the examples."""
    return {
        e.id: replace(e, index=0, image=replace(e.image, location=None)) for e in dataset
    }


def without_annotation_ids(dataset):
    """Give the same where the format has no ids of objects, which saving then numbers."""
    def bare(referents):
        return referents and tuple(replace(r, annotation_id="") for r in referents)

    return {
        example_id: replace(
            e, referents=bare(e.referents), distractors=bare(e.distractors)
        )
        for example_id, e in comparable(dataset).items()
    }


@pytest.mark.parametrize("key", WRITERS)
def test_saved_and_loaded_again(tmp_path, key):
    dataset = load_dataset(LoadRequest(str(WRITERS[key](tmp_path))))
    again = save_and_load(dataset, tmp_path)
    assert without_annotation_ids(again) == without_annotation_ids(dataset)
    assert [e.id for e in again] == [e.id for e in dataset]
    if key != "refcoco-m":
        assert comparable(again) == comparable(dataset)
    assert (again.name, again.split_by) == (dataset.name, dataset.split_by)
    assert again.expressions.referent.tolist() == dataset.expressions.referent.tolist()
    assert again.distractors_known == dataset.distractors_known


@pytest.mark.parametrize("key", WRITERS)
def test_saving_what_was_saved_writes_the_same_file(tmp_path, key):
    dataset = load_dataset(LoadRequest(str(WRITERS[key](tmp_path))))
    again = save_and_load(dataset, tmp_path)
    first = (tmp_path / "saved.jsonl").read_bytes().split(b"\n")
    save_and_load(again, tmp_path)
    assert (tmp_path / "saved.jsonl").read_bytes().split(b"\n")[1:] == first[1:]
    assert sorted(p.name for p in tmp_path.glob("saved*")) == ["saved.jsonl"]  # no .part


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


def test_objects_and_examples_that_cannot_be_read_are_left_out(tmp_path):
    annotations = [*scene_annotations(), annotation(14, 1, 47, None)]
    refs = [*scene_refs(), ref(9, 14, 1, (9, "broken")), ref(10, [11, 14], 1, (10, "both"))]
    folder = write_refer(tmp_path, annotations=annotations, refs=refs)
    dataset = load_dataset(LoadRequest(str(folder)))
    again = save_and_load(dataset, tmp_path)
    assert [e.id for e in again] == ["0", "1", "2", "3"]
    assert comparable(again) == {
        key: example for key, example in comparable(dataset).items() if key not in ("9", "10")
    }
    assert again[0].target == LEFT_MUG


@pytest.mark.parametrize(
    ("folder", "split_by"),
    [
        ("refer/refcoco", None), ("refer/refcocog", "umd"), ("two-models/refcoco", None),
        ("refcoco-m", None),
    ],
)
def test_real_data_saved_and_loaded_again(shared_data, tmp_path, folder, split_by):
    request = LoadRequest(str(shared_data / folder), split="all", split_by=split_by)
    dataset = load_dataset(request)
    again = save_and_load(dataset, tmp_path)
    assert without_annotation_ids(again) == without_annotation_ids(dataset)
