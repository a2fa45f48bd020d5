from __future__ import annotations

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from inspector.core.errors import FormatError, UsageError
from inspector.formats.pictures import PictureStore
from inspector.formats.refcoco_m import load, looks_like
from inspector.formats.request import LoadRequest
from tests.drawing import draw
from tests.formats.writing import (
    CARD,
    DOG,
    LEFT_MUG,
    PICTURES,
    SAMPLE,
    TARGETS,
    sample,
    scene_rows,
    write_refcoco_m,
)

FILE = "validation-00000-of-00001.parquet"


def load_rows(root, rows=None, schema=CARD):
    return load(LoadRequest(str(write_refcoco_m(root, rows=rows, schema=schema))))


def test_a_sentence_that_is_null_is_listed_and_the_others_keep_their_numbers(tmp_path):
    # it became an empty sentence, which was scored
    rows = scene_rows()
    rows[0]["samples"][0]["sentences"] = [None, "the cup on the left"]
    dataset = load_rows(tmp_path, rows)
    assert [e.id for e in dataset] == ["101:1", "102:0", "201:0"]
    assert [p.message for p in dataset.problems if p.code == "no-sentences"] == [
        "Sentence 0 of sample 101 is null and was left out.",
    ]


def test_ids_and_names(tmp_path):
    dataset = load_rows(tmp_path)
    assert [e.id for e in dataset] == ["101:0", "101:1", "102:0", "201:0"]
    assert [e.expression.sample_id for e in dataset] == ["101", "101", "102", "201"]
    assert (dataset.name, dataset.split, dataset.split_by) == ("refcoco-m", "val", "")
    assert dataset[0].expression.ref_id == dataset[0].expression.sent_id == ""
    assert dataset[0].referents[0].annotation_id == ""


def test_only_referred_objects_are_listed(tmp_path):
    dataset = load_rows(tmp_path)
    assert not dataset.distractors_known
    assert dataset.by_id("201:0").distractors is None


@pytest.mark.parametrize("part", ["", "data", f"data/{FILE}"], ids=["folder", "data", "file"])
def test_a_folder_its_data_folder_or_its_file(tmp_path, part):
    path = write_refcoco_m(tmp_path) / part
    assert looks_like(path)
    dataset = load(LoadRequest(str(path)))
    assert len(dataset) == 4
    assert dataset.split == "val"


def test_several_files_and_splits(tmp_path):
    folder = write_refcoco_m(tmp_path) / "data"
    rows = scene_rows()
    pq.write_table(pa.Table.from_pylist(rows[:1], CARD), folder / "test-00000-of-00002.parquet")
    pq.write_table(pa.Table.from_pylist(rows[1:], CARD), folder / "test-00001-of-00002.parquet")
    source = str(tmp_path / "refcoco-m")
    test = load(LoadRequest(source, split="test"))
    assert [e.id for e in test] == ["101:0", "101:1", "102:0", "201:0"]
    assert {e.split for e in test} == {"test"}
    store = PictureStore()
    assert [store.read(image.location) for image in test.images] == list(PICTURES.values())
    assert load(LoadRequest(source)).split == "val"
    with pytest.raises(FormatError, match="two examples have the id 101:0"):
        load(LoadRequest(source, split="all"))


def test_a_file_without_a_split_in_its_name(tmp_path):
    path = tmp_path / "0000.parquet"
    pq.write_table(pa.Table.from_pylist(scene_rows(), CARD), path)
    assert load(LoadRequest(str(path))).split == "all"


def test_image_meta_in_place_of_image_id(tmp_path):
    # huggingface/datasets#3637: a parquet whose columns differ from its card
    meta = pa.struct([("width", pa.int64()), ("height", pa.int64()), ("image_id", pa.int64())])
    schema = pa.schema([
        CARD.field("image"), CARD.field("samples"), ("image_meta", meta),
        ("file_name", pa.string()),
    ])
    rows = scene_rows()
    for row, (height, width) in zip(rows, [(4, 6), (3, 5)], strict=True):
        row["image_meta"] = {"width": width, "height": height, "image_id": row["image_id"]}
    dataset = load_rows(tmp_path, rows, schema)
    assert [image.id for image in dataset.images] == ["1", "2"]
    assert [image.size_hw for image in dataset.images] == [(4, 6), (3, 5)]
    assert {e.expression.sentence: e.target for e in dataset} == TARGETS


@pytest.mark.parametrize("kind", ["text", "list of one"])
def test_siblings_call_the_column_sentence(tmp_path, kind):
    # moondream/refcoco_rle, err805/refcoco_rlee: `sentence` in place of `sentences`
    text = pa.string() if kind == "text" else pa.list_(pa.string())
    fields = [SAMPLE.field(name) for name in ("id", "label", "bbox", "mask")]
    schema = pa.schema([
        CARD.field("image"), CARD.field("image_id"),
        ("samples", pa.list_(pa.struct([*fields, ("sentence", text)]))),
    ])
    rows = scene_rows()
    for row in rows:
        row["samples"] = [
            {**sample, "sentence": sentence if kind == "text" else [sentence]}
            for sample in row["samples"] for sentence in sample["sentences"][:1]
        ]
    dataset = load_rows(tmp_path, rows, schema)
    assert [e.expression.sentence for e in dataset] == ["left mug", "right mug", "a dog"]
    assert [e.id for e in dataset] == ["101:0", "102:0", "201:0"]


@pytest.mark.parametrize("folder", ["refcoco-m", "RefCOCO-M", "refcoco_m"])
def test_the_folder_may_write_its_name_otherwise(tmp_path, folder):
    source = write_refcoco_m(tmp_path)
    source.rename(tmp_path / folder)
    assert load(LoadRequest(str(tmp_path / folder))).name == "refcoco-m"


def test_lists_of_fixed_length_and_large_lists(tmp_path):
    mask = pa.struct([("counts", pa.string()), ("size", pa.list_(pa.int64(), 2))])
    fields = [SAMPLE.field(name) for name in ("id", "label", "sentences")]
    schema = pa.schema([
        CARD.field("image"), CARD.field("image_id"),
        ("samples", pa.large_list(pa.struct([*fields, ("mask", mask)]))),
    ])
    dataset = load_rows(tmp_path, None, schema)
    assert {e.expression.sentence: e.target for e in dataset} == TARGETS
    assert dataset[3].referents[0].box_xywh == DOG.box_xywh  # without a bbox, that of the mask


@pytest.mark.parametrize(
    ("schema", "text"),
    [
        pytest.param(
            pa.schema([("image_id", pa.int64()), ("caption", pa.string())]),
            "has the columns caption, image_id, but RefCOCO-M has 'samples'", id="no samples",
        ),
        pytest.param(
            pa.schema([("samples", pa.string())]), "has 'samples' of type string", id="text",
        ),
        pytest.param(
            pa.schema([("samples", pa.list_(pa.string()))]),
            "has 'samples' of type list<.*string>, but RefCOCO-M's are lists of {id", id="texts",
        ),
        pytest.param(
            pa.schema([("samples", pa.list_(pa.struct([SAMPLE.field("sentences")])))]),
            "has 'samples' of type list<.*sentences", id="no mask",
        ),
        pytest.param(
            pa.schema([("samples", pa.list_(pa.struct([SAMPLE.field("mask")])))]),
            "has 'samples' of type list<.*mask", id="no sentences",
        ),
    ],
)
def test_another_schema(tmp_path, schema, text):
    path = tmp_path / "val.parquet"
    pq.write_table(pa.Table.from_pylist([], schema), path)
    with pytest.raises(FormatError, match=r"val\.parquet: " + text):
        load(LoadRequest(str(path)))


def test_a_cut_off_file(tmp_path):
    path = write_refcoco_m(tmp_path) / "data" / FILE
    path.write_bytes(path.read_bytes()[:-100])
    assert looks_like(path)  # so that load() can say what is wrong
    with pytest.raises(FormatError, match="cannot be read as parquet .* Is the file cut off?"):
        load(LoadRequest(str(path)))


def test_samples_without_a_sentence_are_listed(tmp_path):
    rows = scene_rows()
    rows[0]["samples"] += [sample(103, "cup", LEFT_MUG), None]
    rows[1]["samples"] = []
    dataset = load_rows(tmp_path, rows)
    assert len(dataset) == 3
    messages = [p.message for p in dataset.problems if p.code == "no-sentences"]
    assert messages == [
        "Sample 103 has no sentence and was left out.",
        "Sample None has no sentence and was left out.",
        "The picture has no sample.",
    ]


def test_a_broken_mask_is_listed_and_not_scored(tmp_path):
    rows = scene_rows()
    rows[0]["samples"][1]["mask"]["counts"] = "1"
    dataset = load_rows(tmp_path, rows)
    assert dataset.is_scorable.tolist() == [True, True, False, True]
    [problem] = dataset.problems
    assert (problem.code, problem.where) == ("broken-mask", f"{FILE}, picture 1, sample 102")


def test_a_first_sample_without_a_mask_does_not_take_the_picture_with_it(tmp_path):
    rows = scene_rows()
    rows[0]["samples"][0]["mask"] = None
    assert load_rows(tmp_path, rows).is_scorable.tolist() == [False, False, True, True]


def test_masks_of_one_picture_that_differ_in_size(tmp_path):
    rows = scene_rows()
    rows[0]["samples"][1] = sample(102, "cup", draw("##"), "right mug")
    dataset = load_rows(tmp_path, rows)
    assert dataset.is_scorable.tolist() == [True, True, False, True]
    assert "The mask is 2 x 1 pixels" in dataset.problems[0].message


def test_a_file_without_pictures(tmp_path):
    dataset = load_rows(tmp_path, None, CARD.remove(0))
    assert [image.location for image in dataset.images] == [None, None]
    assert [(p.code, p.severity) for p in dataset.problems] == [("no-pictures", "warning")] * 2


def test_a_folder_without_parquet(tmp_path):
    assert not looks_like(tmp_path)
    with pytest.raises(UsageError, match="There is no parquet file in"):
        load(LoadRequest(str(tmp_path)))
