from __future__ import annotations

import pytest

from inspector.core.errors import FormatError, UsageError
from inspector.core.mask import Mask
from inspector.formats.refer import load
from inspector.formats.request import LoadRequest
from tests.formats.writing import (
    DOG,
    LEFT_MUG,
    RIGHT_MUG,
    annotation,
    coco_name,
    ref,
    scene_annotations,
    scene_refs,
    write_refer,
)

BROKEN = {"size": [4, 6], "counts": "1"}


def load_refer(root, *, request=None, **content):
    folder = write_refer(root, **content)
    return load(LoadRequest(str(folder), **(request or {})))


def problems_of(dataset, code):
    return [(p.severity, p.where, p.message) for p in dataset.problems if p.code == code]


def test_ids_texts_and_names(tmp_path):
    dataset = load_refer(tmp_path)
    example = dataset.by_id("1")
    assert (dataset.name, dataset.split, dataset.split_by) == ("refcoco", "val", "unc")
    assert example.expression.sentence == "the cup on the left"
    assert example.expression.raw == "THE CUP ON THE LEFT"
    assert (example.expression.sent_id, example.expression.ref_id) == ("1", "101")
    assert example.referents[0].annotation_id == "11"
    assert (example.category, example.referents[0].supercategory) == ("cup", "kitchen")


def test_the_suffix_of_a_refs_file_name_is_ignored(tmp_path):
    # REFER writes COCO_train2014_000000000001_101.jpg, which no folder has
    assert scene_refs()[0]["file_name"] == "COCO_train2014_000000000001_101.jpg"
    example = load_refer(tmp_path)[0]
    assert example.image.file_name == coco_name(1)
    assert example.image.location.name == coco_name(1)


def test_pictures_may_be_named_as_coco_2017_does(tmp_path):
    write_refer(tmp_path)
    pictures = tmp_path / "images" / "train2014"
    (pictures / coco_name(1)).rename(pictures / "000000000001.jpg")
    dataset = load_refer(tmp_path / "elsewhere", request={"images": pictures})
    assert dataset[0].image.location.name == "000000000001.jpg"


def test_missing_pictures_are_listed_once_and_the_masks_stay(tmp_path):
    folder = write_refer(tmp_path)
    (tmp_path / "images" / "train2014" / coco_name(1)).unlink()
    dataset = load(LoadRequest(str(folder)))
    [(severity, where, message)] = problems_of(dataset, "missing-picture")
    assert (severity, where) == ("error", "picture 1")
    assert message.startswith(f"{coco_name(1)} was not found: looked in ")
    assert dataset[0].image.location is None
    assert dataset[0].target == LEFT_MUG


def test_an_annotation_that_no_file_has_names_both_files(tmp_path):
    text = (
        r"refs\(unc\)\.p, ref 9: names annotation 99, which is not among the 4 annotations of "
        r"instances\.json\. Take refs and instances\.json from the same release\."
    )
    with pytest.raises(FormatError, match=text):
        load_refer(tmp_path, refs=[ref(9, 99, 1, (0, "mug"))])


def test_an_annotation_of_another_picture(tmp_path):
    text = "ref 9: names annotation 11, which instances.json gives to picture 1, not 2"
    with pytest.raises(FormatError, match=text):
        load_refer(tmp_path, refs=[ref(9, 11, 2, (0, "mug"))])
    with pytest.raises(FormatError, match=text):  # also where picture 1 was read before
        load_refer(tmp_path, refs=[*scene_refs(), ref(9, 11, 2, (10, "mug"))])


def test_a_picture_that_no_file_has(tmp_path):
    with pytest.raises(FormatError, match="ref 9: names picture 7, which instances.json does not"):
        load_refer(tmp_path, refs=[ref(9, 11, 7, (0, "mug"))])


def test_several_refs_files_must_be_chosen_from(tmp_path):
    write_refer(tmp_path, name="refs(google).p", refs=scene_refs()[:1])
    folder = write_refer(tmp_path, name="refs(umd).p")
    text = r"several refs files: refs\(google\)\.p, refs\(umd\)\.p\. Choose one with --split-by"
    with pytest.raises(UsageError, match=text):
        load(LoadRequest(str(folder)))
    assert len(load(LoadRequest(str(folder), split_by="google"))) == 2
    assert load(LoadRequest(str(folder), split_by="umd")).split_by == "umd"
    assert load(LoadRequest(str(folder / "refs(umd).p"))).split_by == "umd"
    with pytest.raises(UsageError, match=r"No refs\(unc\)\.p .* Choose one of: google, umd"):
        load(LoadRequest(str(folder), split_by="unc"))


def test_distractors_are_the_other_objects_without_the_crowd(tmp_path):
    dataset = load_refer(tmp_path)
    assert [d.annotation_id for d in dataset.by_id("0").distractors] == ["12"]
    assert [d.annotation_id for d in dataset.by_id("2").distractors] == ["11"]
    assert dataset.by_id("3").distractors == ()
    assert len(dataset.objects.image) == 4  # the crowd is kept, though


def test_several_refs_of_one_object_and_picture(tmp_path):
    # RefCOCOg has more than one ref for the same annotation
    refs = [ref(1, 11, 1, (0, "left mug")), ref(2, 12, 1, (1, "mug")), ref(3, 11, 1, (2, "mug"))]
    dataset = load_refer(tmp_path, refs=refs)
    assert [e.target for e in dataset] == [LEFT_MUG, RIGHT_MUG, LEFT_MUG]
    assert len(dataset.images) == 1
    assert len(dataset.targets.masks) == 2
    assert dataset.expressions.referent.tolist() == [0, 1, 2]


def test_several_referents_are_joined(tmp_path):
    # gRefCOCO: ann_id is a list, [-1] where nothing is meant
    refs = [ref(1, [11, 12], 1, (0, "both mugs")), ref(2, [-1], 1, (1, "the red mug"))]
    both, nothing = load_refer(tmp_path, refs=refs)
    assert (both.target.area, both.category, both.distractors) == (7, "cup", ())
    assert nothing.is_no_target
    assert nothing.target == Mask.empty((4, 6))
    assert len(nothing.distractors) == 2


def test_a_polygon_with_too_few_points_is_left_out_and_listed(tmp_path):
    square = [0, 0, 2, 0, 2, 2, 0, 2]
    polygons = [[1, 1, 2, 2], square, [1, 1, 2, 2, 3]]
    dataset = load_refer(
        tmp_path, annotations=[annotation(11, 1, 47, polygons)], refs=scene_refs()[:1]
    )
    assert problems_of(dataset, "dropped-polygon") == [
        ("warning", "annotation 11", "A polygon of 4 numbers has no area and was left out."),
        ("warning", "annotation 11", "A polygon of 5 numbers has no area and was left out."),
    ]
    assert dataset[0].target == Mask.from_polygons([square], (4, 6))
    assert dataset.is_scorable.all()


@pytest.mark.parametrize("segmentation", [[], [[1, 1, 2, 2]], None, BROKEN], ids=repr)
def test_a_target_that_cannot_be_read_is_not_scored(tmp_path, segmentation):
    annotations = scene_annotations()
    annotations[0]["segmentation"] = segmentation
    dataset = load_refer(tmp_path, annotations=annotations)
    [(severity, where, _)] = problems_of(dataset, "broken-mask")
    assert (severity, where) == ("error", "annotation 11")
    assert dataset.is_scorable.tolist() == [False, False, True, True]
    assert [d.annotation_id for d in dataset.by_id("2").distractors] == []


def test_a_broken_distractor_is_listed_and_nothing_else_suffers(tmp_path):
    broken = annotation(14, 1, 47, BROKEN)
    dataset = load_refer(tmp_path, annotations=[broken, *scene_annotations()])
    [(severity, where, message)] = problems_of(dataset, "broken-mask")
    assert (severity, where) == ("error", "annotation 14")
    assert "sum to 1 pixels, but 4 x 6 (height x width) has 24" in message
    assert dataset.is_scorable.all()
    assert [e.target for e in dataset] == [LEFT_MUG, LEFT_MUG, RIGHT_MUG, DOG]
    assert [d.annotation_id for d in dataset.by_id("0").distractors] == ["12"]


def test_a_target_without_pixels_is_listed_and_not_scored(tmp_path):
    annotations = [annotation(11, 1, 47, Mask.empty((4, 6))), *scene_annotations()[1:]]
    dataset = load_refer(tmp_path, annotations=annotations)
    assert [where for _, where, _ in problems_of(dataset, "empty-target")] == ["annotation 11"]
    assert dataset.is_scorable.tolist() == [False, False, True, True]


def test_an_unknown_category_shows_its_number(tmp_path):
    dataset = load_refer(
        tmp_path, annotations=[annotation(11, 1, 999, LEFT_MUG)], refs=scene_refs()[:1]
    )
    assert dataset[0].category == "category 999"
    assert [where for _, where, _ in problems_of(dataset, "unknown-category")] == ["annotation 11"]


@pytest.mark.parametrize("written", [47.0, "47", "47.0"])
def test_a_category_is_found_however_its_id_is_written(written, tmp_path):
    annotations = [{**annotation(11, 1, 47, LEFT_MUG), "category_id": written}]
    dataset = load_refer(tmp_path, annotations=annotations, refs=scene_refs()[:1])
    assert (dataset[0].category, problems_of(dataset, "unknown-category")) == ("cup", [])


def test_refs_without_sentences_are_listed(tmp_path):
    dataset = load_refer(tmp_path, refs=[*scene_refs(), ref(7, 11, 1)])
    assert len(dataset) == 4
    [(severity, where, _)] = problems_of(dataset, "no-sentences")
    assert (severity, where) == ("warning", "refs(unc).p, ref 7")


@pytest.mark.parametrize(
    ("record", "text"),
    [
        pytest.param("a ref", "it is text, not an object", id="no dictionary"),
        pytest.param({"ref_id": 1}, "no 'ann_id'", id="field missing"),
        pytest.param(ref(1, "x", 1, (0, "mug")), "invalid literal", id="id is no number"),
        pytest.param(ref(1, 11, 1) | {"sentences": ["mug"]}, "a sentence is text", id="sentence"),
        pytest.param(ref(1, 11, 1) | {"sentences": None}, "not iterable", id="no sentences"),
        pytest.param(ref(1, 11, 1, (9, "m"), split=3), "'3' stands where text", id="split"),
        pytest.param(ref(float("inf"), 11, 1, (9, "m")), "infinity", id="infinite id"),
    ],
)
def test_bad_records_are_left_out_and_listed(tmp_path, record, text):
    dataset = load_refer(tmp_path, refs=[record, *scene_refs()])
    [(severity, where, message)] = problems_of(dataset, "bad-record")
    assert (severity, where) == ("error", "refs(unc).p, record 0")
    assert message.startswith("The record was left out: ") and text in message
    assert len(dataset) == 4


def test_byte_strings_as_keys_and_values(tmp_path):
    record = ref(1, 11, 1, (0, "ignored"))
    record["sentences"] = [{b"sent_id": 0, b"sent": "café".encode(), b"raw": b"Caf"}]
    record = {key.encode(): value for key, value in record.items()} | {b"split": b"val"}
    [example] = load_refer(tmp_path, refs=[record])
    assert (example.expression.sentence, example.split) == ("café", "val")


def test_equal_sentence_ids_are_an_error(tmp_path):
    refs = [ref(1, 11, 1, (5, "mug")), ref(2, 12, 1, (5, "mug"))]
    with pytest.raises(FormatError, match="two examples have the id 5; ids must be unique"):
        load_refer(tmp_path, refs=refs)


def test_a_refs_file_that_holds_something_else(tmp_path):
    with pytest.raises(FormatError, match="holds an object, but a refs file is a list of records"):
        load_refer(tmp_path, refs={"refs": []})


def test_splits(tmp_path):
    refs = [
        ref(number, 11, 1, (number, "mug"), split=split)
        for number, split in enumerate(["train", "val", "testA", "testB", "testB"])
    ]
    folder = write_refer(tmp_path, refs=refs)
    for split, count in [(None, 1), ("test", 3), ("testB", 2), ("train,val", 2), ("all", 5)]:
        assert len(load(LoadRequest(str(folder), split=split))) == count
    assert [e.split for e in load(LoadRequest(str(folder), split="test"))] == [
        "testA", "testB", "testB",
    ]


def test_other_annotation_files_can_be_named(tmp_path):
    folder = write_refer(tmp_path)
    moved = (folder / "instances.json").rename(tmp_path / "instances_train2014.json")
    with pytest.raises(FormatError, match="instances.json: there is no such file. Put it there"):
        load(LoadRequest(str(folder)))
    assert len(load(LoadRequest(str(folder), instances=(moved,)))) == 4


@pytest.mark.parametrize(
    ("content", "text"),
    [
        pytest.param(b"[]", "is not a COCO annotation file", id="a list"),
        pytest.param(b'{"images": []}', "is not a COCO .*: 'annotations'", id="no annotations"),
        pytest.param(b'{"images": [3]}', "is not a COCO annotation file", id="numbers as images"),
        pytest.param(b"\xff{}", r"is not UTF-8 text \(byte 0\)", id="not UTF-8"),
        pytest.param(b'{"images": [', "is not complete JSON at character 12", id="cut off"),
        pytest.param(b"[" * 100_000, "is nested too deeply", id="nested too deeply"),
        pytest.param(b"9" * 5000, "holds a number of more than 4,300 digits", id="5,000 digits"),
    ],
)
def test_an_annotation_file_that_is_none(tmp_path, content, text):
    folder = write_refer(tmp_path)
    (folder / "instances.json").write_bytes(content)
    with pytest.raises(FormatError, match=r"instances\.json: " + text):
        load(LoadRequest(str(folder)))
