"""What every data set format promises; a new format needs a writer in ``writing.py``."""

from __future__ import annotations

from pathlib import Path

import pytest

from inspector.core.errors import FormatError, InspectorError, UsageError
from inspector.core.mask import Mask
from inspector.formats import DATASET_FORMATS, load_dataset
from inspector.formats.pictures import PictureStore
from inspector.formats.request import LoadRequest
from tests.formats.writing import PICTURES, TARGETS, WRITERS

every_format = pytest.mark.parametrize(
    "fmt", [pytest.param(fmt, id=fmt.key) for fmt in DATASET_FORMATS]
)


def data_files(source: Path) -> list[Path]:
    """List the files of a data set without its pictures."""
    files = [source] if source.is_file() else sorted(source.rglob("*"))
    return [path for path in files if path.is_file()]


def test_every_format_has_a_writer():
    assert list(WRITERS) == [fmt.key for fmt in DATASET_FORMATS]


@every_format
def test_the_same_examples_come_out(fmt, tmp_path):
    dataset = load_dataset(LoadRequest(str(WRITERS[fmt.key](tmp_path))))
    assert dataset.format == fmt.key
    assert dataset.split == "val"
    assert {e.expression.sentence: e.target for e in dataset} == TARGETS
    assert dataset.target_areas.tolist() == [4, 4, 3, 7]
    assert [e.image.size_hw for e in dataset] == [(4, 6)] * 3 + [(3, 5)]
    assert [e.image.id for e in dataset] == ["1", "1", "1", "2"]
    assert [e.category for e in dataset] == ["cup", "cup", "cup", "dog"]
    assert [dataset.category_of(index) for index in range(4)] == ["cup", "cup", "cup", "dog"]
    assert dataset.is_scorable.all()
    assert dataset.referent_count == 3
    assert dataset.expressions.referent.tolist() == [0, 0, 1, 2]
    assert dataset.problems == ()


@every_format
def test_boxes_are_those_of_the_masks(fmt, tmp_path):
    dataset = load_dataset(LoadRequest(str(WRITERS[fmt.key](tmp_path))))
    for example in dataset:
        assert [r.box_xywh for r in example.referents] == [example.target.box_xywh]


@every_format
def test_ids_are_unique_and_find_their_example(fmt, tmp_path):
    dataset = load_dataset(LoadRequest(str(WRITERS[fmt.key](tmp_path))))
    ids = [example.id for example in dataset]
    assert len(set(ids)) == 4
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
    assert [other.mask for other in others] == [TARGETS["right mug"]]
    alone = by_sentence["a dog"].distractors
    assert alone == (() if dataset.distractors_known else None)


@every_format
def test_pictures_are_found(fmt, tmp_path):
    dataset = load_dataset(LoadRequest(str(WRITERS[fmt.key](tmp_path))))
    store = PictureStore()
    assert [store.read(e.image.location) for e in dataset] == [
        PICTURES[1], PICTURES[1], PICTURES[1], PICTURES[2],
    ]


@every_format
def test_only_its_own_format_recognises_a_data_set(fmt, tmp_path):
    source = WRITERS[fmt.key](tmp_path)
    assert [other.key for other in DATASET_FORMATS if other.looks_like(source)] == [fmt.key]


@every_format
def test_val_and_validation_are_the_same_split(fmt, tmp_path):
    source = str(WRITERS[fmt.key](tmp_path))
    for split in ("val", "validation", "all"):
        assert len(load_dataset(LoadRequest(source, split=split))) == 4


@every_format
def test_an_unknown_split_lists_those_there_are(fmt, tmp_path):
    with pytest.raises(UsageError, match=r"No split 'vall'\. .* has: val \(\d\)\. Did you mean"):
        load_dataset(LoadRequest(str(WRITERS[fmt.key](tmp_path)), split="vall"))


@every_format
@pytest.mark.parametrize("share", [0.0, 0.1, 0.3, 0.6, 0.9, 0.99])
def test_a_cut_off_file_is_refused(fmt, share, tmp_path):
    source = WRITERS[fmt.key](tmp_path)
    for path in data_files(source):
        whole = path.read_bytes()
        path.write_bytes(whole[: int(len(whole) * share)])
        with pytest.raises(FormatError) as caught:
            fmt.load(LoadRequest(str(source)))
        assert path.name in str(caught.value)
        path.write_bytes(whole)
    assert len(fmt.load(LoadRequest(str(source)))) == 4


@every_format
def test_a_path_that_is_not_there_is_a_plain_error(fmt, tmp_path):
    with pytest.raises(InspectorError):
        load_dataset(LoadRequest(str(tmp_path / "nothing"), format=fmt.key))


@every_format
def test_slices_negative_indexes_and_the_end(fmt, tmp_path):
    dataset = load_dataset(LoadRequest(str(WRITERS[fmt.key](tmp_path))))
    assert dataset[-1] == dataset[3]
    assert list(dataset[1:3]) == [dataset[1], dataset[2]]
    with pytest.raises(IndexError):
        dataset[4]
    with pytest.raises(KeyError):
        dataset.by_id("no such id")


@every_format
def test_a_target_is_made_of_its_referents(fmt, tmp_path):
    for example in load_dataset(LoadRequest(str(WRITERS[fmt.key](tmp_path)))):
        assert isinstance(example.target, Mask)
        assert not example.is_no_target
        assert len(example.referents) == 1
