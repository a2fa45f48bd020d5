"""What every data set format promises; a new format needs a writer in ``writing.py``."""

from __future__ import annotations

from pathlib import Path

import pytest

from inspector.core.errors import FormatError, InspectorError, UsageError
from inspector.core.mask import Mask
from inspector.formats import DATASET_FORMATS, load_dataset
from inspector.formats.pictures import PictureStore
from inspector.formats.request import LoadRequest
from tests.formats.writers import SCENES, WRITERS
from tests.formats.writing import PICTURES, TARGETS

every_format = pytest.mark.parametrize(
    "fmt", [pytest.param(fmt, id=fmt.key) for fmt in DATASET_FORMATS]
)


def data_files(source: Path) -> list[Path]:
    """List the files of a data set without its pictures."""
    files = [source] if source.is_file() else sorted(source.rglob("*"))
    return [path for path in files if path.is_file() and path.suffix != ".jpg"]


def test_every_format_has_a_writer():
    assert list(WRITERS) == [fmt.key for fmt in DATASET_FORMATS] == list(SCENES)


@every_format
def test_the_same_examples_come_out(fmt, tmp_path):
    dataset = load_dataset(LoadRequest(str(WRITERS[fmt.key](tmp_path))))
    scene = SCENES[fmt.key]
    assert dataset.format == fmt.key
    assert dataset.split == "val"
    assert {e.expression.sentence: e.target for e in dataset} == scene.targets
    assert dataset.target_areas.tolist() == [mask.area for mask in scene.targets.values()]
    assert [e.image.size_hw for e in dataset] == [m.size_hw for m in scene.targets.values()]
    assert [e.image.id for e in dataset] == [str(image) for image in scene.images]
    assert tuple(e.category for e in dataset) == scene.categories
    assert tuple(map(dataset.category_of, range(len(dataset)))) == scene.categories
    assert dataset.is_scorable.all()
    assert dataset.referent_count == len(set(scene.referents))
    assert tuple(dataset.expressions.referent.tolist()) == scene.referents
    assert {problem.code for problem in dataset.problems} - {"counts-differ"} == scene.codes
    assert "error" not in {problem.severity for problem in dataset.problems}


@every_format
def test_it_names_the_files_that_it_was_read_from(fmt, tmp_path):
    source = WRITERS[fmt.key](tmp_path)
    there = data_files(source)
    (tmp_path / "todo.txt").write_text("not of the data set")
    files = load_dataset(LoadRequest(str(source))).files
    assert sorted(files) == there


@every_format
def test_boxes_are_those_of_the_masks(fmt, tmp_path):
    dataset = load_dataset(LoadRequest(str(WRITERS[fmt.key](tmp_path))))
    for example in dataset:
        assert [r.box_xywh for r in example.referents] == [example.target.box_xywh]


@every_format
def test_ids_are_unique_and_find_their_example(fmt, tmp_path):
    dataset = load_dataset(LoadRequest(str(WRITERS[fmt.key](tmp_path))))
    ids = [example.id for example in dataset]
    assert len(set(ids)) == len(SCENES[fmt.key])
    for index, example_id in enumerate(ids):
        assert dataset.by_id(example_id) == dataset[index]
        assert dataset[index].index == index


@every_format
def test_ids_are_the_same_in_every_run(fmt, tmp_path):
    first, second = (
        load_dataset(LoadRequest(str(WRITERS[fmt.key](tmp_path / name)))) for name in ("a", "b")
    )
    assert [e.id for e in first] == [e.id for e in second]


@every_format
def test_other_objects_are_distractors_but_a_crowd_is_none(fmt, tmp_path):
    dataset = load_dataset(LoadRequest(str(WRITERS[fmt.key](tmp_path))))
    by_sentence = {e.expression.sentence: e for e in dataset}
    others = by_sentence["left mug"].distractors
    if "right mug" in by_sentence:
        assert [other.mask for other in others] == [TARGETS["right mug"]]
    alone = by_sentence["a dog"].distractors
    assert alone == (() if dataset.distractors_known else None)


@every_format
def test_pictures_are_found(fmt, tmp_path):
    dataset = load_dataset(LoadRequest(str(WRITERS[fmt.key](tmp_path))))
    store = PictureStore()
    assert [store.read(e.image.location) for e in dataset] == [
        PICTURES[image] for image in SCENES[fmt.key].images
    ]


@every_format
def test_only_its_own_format_recognises_a_data_set(fmt, tmp_path):
    source = WRITERS[fmt.key](tmp_path)
    assert [other.key for other in DATASET_FORMATS if other.looks_like(source)] == [fmt.key]


@every_format
def test_val_and_validation_are_the_same_split(fmt, tmp_path):
    source = str(WRITERS[fmt.key](tmp_path))
    for split in ("val", "validation", "all"):
        assert len(load_dataset(LoadRequest(source, split=split))) == len(SCENES[fmt.key])


@every_format
def test_an_unknown_split_lists_those_there_are(fmt, tmp_path):
    with pytest.raises(UsageError, match=r"No split 'vall'\. .* has: val \(\d\)\. Did you mean"):
        load_dataset(LoadRequest(str(WRITERS[fmt.key](tmp_path)), split="vall"))


@every_format
@pytest.mark.parametrize("share", [0.0, 0.1, 0.3, 0.6, 0.9, 0.99])
def test_a_cut_off_file_is_refused_or_listed(fmt, share, tmp_path):
    source = WRITERS[fmt.key](tmp_path)
    scene = SCENES[fmt.key]
    for path in data_files(source):
        whole = path.read_bytes()
        path.write_bytes(whole[: int(len(whole) * share)])
        try:
            dataset = fmt.load(LoadRequest(str(source)))
        except FormatError as error:
            assert path.name in str(error)
        else:  # formats of many files: the rest is of use, and a cut end may be no loss
            listed = [f"{p.where} {p.message}" for p in dataset.problems if p.severity == "error"]
            targets = {e.expression.sentence: e.target for e in dataset}
            assert any(path.name in text for text in listed) or targets == scene.targets
        path.write_bytes(whole)
    assert len(fmt.load(LoadRequest(str(source)))) == len(scene)


@every_format
def test_a_path_that_is_not_there_is_a_plain_error(fmt, tmp_path):
    with pytest.raises(InspectorError):
        load_dataset(LoadRequest(str(tmp_path / "nothing"), format=fmt.key))


@every_format
def test_slices_negative_indexes_and_the_end(fmt, tmp_path):
    dataset = load_dataset(LoadRequest(str(WRITERS[fmt.key](tmp_path))))
    last = len(SCENES[fmt.key]) - 1
    assert dataset[-1] == dataset[last]
    assert list(dataset[1:3]) == [dataset[index] for index in range(1, min(3, last + 1))]
    with pytest.raises(IndexError):
        dataset[last + 1]
    with pytest.raises(KeyError):
        dataset.by_id("no such id")


@every_format
def test_a_target_is_made_of_its_referents(fmt, tmp_path):
    for example in load_dataset(LoadRequest(str(WRITERS[fmt.key](tmp_path)))):
        assert isinstance(example.target, Mask)
        assert not example.is_no_target
        assert len(example.referents) == 1
