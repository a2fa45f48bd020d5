from __future__ import annotations

import json

import pytest

from inspector.core.errors import FormatError
from inspector.core.mask import Mask
from inspector.formats.jsonl import load, looks_like
from inspector.formats.request import LoadRequest
from tests.formats.writing import LEFT_MUG, RIGHT_MUG, scene_lines, write_jsonl

MUGS, DOG = 1, 2  # places of the two pictures in the list of lines


def load_lines(root, lines=None, **request):
    return load(LoadRequest(str(write_jsonl(root, lines=lines)), **request))


def test_ids_and_names(tmp_path):
    dataset = load_lines(tmp_path)
    assert (dataset.name, dataset.split, dataset.split_by) == ("scene", "val", "")
    assert [e.id for e in dataset] == ["0", "1", "2", "3"]
    assert [e.expression.ref_id for e in dataset] == ["101", "101", "102", "201"]
    assert [r.annotation_id for r in dataset[0].referents] == ["11"]
    assert [d.annotation_id for d in dataset[0].distractors] == ["12"]


def test_the_header_is_recognised(tmp_path):
    path = write_jsonl(tmp_path)
    assert looks_like(path)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert looks_like(path)  # with a byte-order mark
    assert len(load(LoadRequest(str(path)))) == 4
    assert not looks_like(path.rename(tmp_path / "scene.txt"))
    assert not looks_like(tmp_path)


def test_blank_lines_and_windows_line_ends(tmp_path):
    path = write_jsonl(tmp_path)
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n\r\n"))
    assert len(load(LoadRequest(str(path)))) == 4


def test_no_target_and_several_targets(tmp_path):
    lines = scene_lines()
    first, second, *_ = lines[MUGS]["expressions"]
    first["targets"], second["targets"] = [], ["11", "12"]
    nothing, both, *_ = load_lines(tmp_path, lines)
    assert nothing.is_no_target and nothing.target == Mask.empty((4, 6))
    assert [d.mask for d in nothing.distractors] == [LEFT_MUG, RIGHT_MUG]
    assert both.target.area == 7
    assert both.distractors == ()


def test_a_data_set_without_any_target(tmp_path):
    lines = scene_lines()
    for line in lines[1:]:
        line["objects"] = []
        for expression in line["expressions"]:
            expression["targets"] = []
    dataset = load_lines(tmp_path, lines)
    assert [e.is_no_target for e in dataset] == [True] * 4
    assert dataset.target_areas.tolist() == [0, 0, 0, 0]
    assert dataset.is_scorable.all()


def test_zero_is_an_id(tmp_path):
    lines = scene_lines()
    for expression in lines[MUGS]["expressions"]:
        expression["ref_id"] = 0
    dataset = load_lines(tmp_path, lines)
    assert dataset[0].id == "0"
    assert [e.expression.ref_id for e in dataset] == ["0", "0", "0", "201"]


@pytest.mark.parametrize("write", [float, lambda number: f"{number}.0", str])
def test_ids_are_written_as_predictions_have_them(write, tmp_path):
    # 29928.0, as pandas writes it, was "29928.0" here and "29928" in every prediction
    lines = scene_lines()
    for line in lines[1:]:
        for thing in line["objects"]:
            thing["ann_id"] = write(int(thing["ann_id"]))
        for expression in line["expressions"]:
            expression |= {key: write(int(expression[key])) for key in ("sent_id", "ref_id")}
            expression["targets"] = [write(int(target)) for target in expression["targets"]]
    dataset = load_lines(tmp_path, lines)
    assert [e.id for e in dataset] == ["0", "1", "2", "3"]
    assert dataset[3].expression.ref_id == "201"
    assert dataset[0].referents[0].annotation_id == "11"


def test_a_picture_without_expressions_is_listed_and_one_that_lost_them_refused(tmp_path):
    # a misspelt key made all sentences of a picture vanish in silence
    lines = scene_lines()
    lines[DOG]["expressions"] = []
    dataset = load_lines(tmp_path, lines)
    assert len(dataset) == 3
    assert [(p.code, p.where) for p in dataset.problems if p.code == "no-sentences"] == [
        ("no-sentences", "line 3"),
    ]
    lines[DOG]["sentences"] = lines[DOG].pop("expressions")
    with pytest.raises(FormatError, match=r"line 3: has no 'expressions'. A picture that no"):
        load_lines(tmp_path, lines)


def test_sample_ids_number_their_sentences_whatever_is_loaded(tmp_path):
    lines = scene_lines()
    for expression, split in zip(lines[MUGS]["expressions"], ["train", "val", "val"], strict=True):
        expression.pop("sent_id")
        expression.update(sample_id=7, split=split)
    assert [e.id for e in load_lines(tmp_path, lines, split="all")] == ["7:0", "7:1", "7:2", "3"]
    assert [e.id for e in load_lines(tmp_path, lines)] == ["7:1", "7:2", "3"]


def test_objects_that_are_not_all_there_give_no_distractors(tmp_path):
    lines = scene_lines()
    lines[0]["all_objects"] = False
    dataset = load_lines(tmp_path, lines)
    assert [e.distractors is None for e in dataset] == [False, False, False, True]


def test_splits_of_the_header_and_of_the_expressions(tmp_path):
    lines = scene_lines()
    lines[0]["split"] = "train"
    del lines[DOG]["expressions"][0]["split"]
    lines[MUGS]["expressions"][0]["split"] = "validation"
    assert len(load_lines(tmp_path, lines)) == 3
    assert [e.id for e in load_lines(tmp_path, lines, split="train")] == ["3"]


def test_a_missing_picture_is_listed(tmp_path):
    lines = scene_lines()
    lines[DOG]["image"]["file_name"] = "../../etc/passwd"
    dataset = load_lines(tmp_path, lines)
    [problem] = dataset.problems
    assert (problem.code, problem.where) == ("missing-picture", "line 3")
    assert problem.message.startswith("../../etc/passwd was not found: no picture folder")
    assert dataset[3].image.location is None


def test_pictures_in_a_given_folder(tmp_path):
    folder = (tmp_path / "there" / "pictures")
    write_jsonl(tmp_path / "there")
    path = write_jsonl(tmp_path / "here")
    for picture in (tmp_path / "here" / "pictures").iterdir():
        picture.unlink()
    dataset = load(LoadRequest(str(path), images=folder))
    assert dataset[3].image.location == folder / "2.jpg"


def test_a_broken_mask_is_listed_and_not_scored(tmp_path):
    lines = scene_lines()
    lines[MUGS]["objects"][0]["mask"] = {"size": [4, 6], "counts": "1"}
    dataset = load_lines(tmp_path, lines)
    assert [(p.code, p.where) for p in dataset.problems] == [("broken-mask", "line 2, object 11")]
    assert dataset.is_scorable.tolist() == [False, False, True, True]


def change(path, value):
    """Give the lines with one value set; ``path`` leads to it from the line of the mugs."""
    lines = scene_lines()
    place = lines[MUGS]
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return lines


def drop(*path):
    lines = change(path, None)
    place = lines[MUGS]
    for step in path[:-1]:
        place = place[step]
    del place[path[-1]]
    return lines


FIRST = ("expressions", 0)


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        pytest.param(drop("image"), "has no 'image'", id="no image"),
        pytest.param(change(["image"], "x.jpg"), "'image' that is not an object", id="image"),
        pytest.param(drop("image", "id"), "has no 'id'", id="no image id"),
        pytest.param(drop("image", "size"), "has no 'size'", id="no size"),
        pytest.param(change(["image", "size"], [4, "6"]), "two whole numbers", id="size"),
        pytest.param(change(["image", "size"], [10**6] * 2), "at most 100,000,000", id="huge size"),
        pytest.param(change(["objects"], "x"), "'objects' that are not a list", id="objects"),
        pytest.param(change(["objects"], [1]), "'objects' that are not a list", id="object"),
        pytest.param(drop("objects", 0, "ann_id"), "has no 'ann_id'", id="no ann_id"),
        pytest.param(drop("objects", 0, "mask"), "has no 'mask'", id="no mask"),
        pytest.param(
            change(["objects", 1, "ann_id"], 11), "two objects have the ann_id 11", id="twice"
        ),
        pytest.param(change(["expressions"], 5), "'expressions' that are not", id="expressions"),
        pytest.param(change(FIRST, "a mug"), "'expressions' that are not", id="expression"),
        pytest.param(drop(*FIRST, "sentence"), "has no 'sentence'", id="no sentence"),
        pytest.param(change([*FIRST, "sentence"], 5), "is a number, expected text", id="number"),
        pytest.param(drop(*FIRST, "targets"), "has no 'targets'", id="no targets"),
        pytest.param(change([*FIRST, "targets"], "11"), "'targets' that are not", id="targets"),
        pytest.param(
            change([*FIRST, "targets"], ["21"]),
            "names the target 21, which is not among its objects", id="target of another picture",
        ),
        pytest.param(drop(*FIRST, "sent_id"), "needs a sent_id or a sample_id", id="no id"),
    ],
)
def test_a_bad_line_is_named(tmp_path, lines, text):
    with pytest.raises(FormatError, match=rf"^scene\.jsonl, line 2: .*{text}"):
        load_lines(tmp_path, lines)


@pytest.mark.parametrize(
    ("line", "text"),
    [
        pytest.param(b'{"image": {', "is not complete JSON at character 11. Is the", id="cut"),
        pytest.param(b"[1, 2]", "is a list, but each line is one object", id="list"),
        pytest.param(b"\xff", r"is not UTF-8 text \(byte 0\)", id="not UTF-8"),
        pytest.param(b"[" * 100_000, "is nested too deeply", id="nested too deeply"),
        pytest.param(b"9" * 5000, "holds a number of more than 4,300 digits", id="5,000 digits"),
    ],
)
def test_a_line_that_is_no_object(tmp_path, line, text):
    path = write_jsonl(tmp_path)
    path.write_bytes(path.read_bytes() + line)
    with pytest.raises(FormatError, match=rf"scene\.jsonl, line 4: {text}"):
        load(LoadRequest(str(path)))


@pytest.mark.parametrize(
    ("header", "text"),
    [
        pytest.param({}, "line 1: does not begin with the header", id="empty"),
        pytest.param({"inspector": "predictions"}, "does not begin with the header", id="other"),
        pytest.param({"inspector": "dataset"}, "has version None, but .* version 1", id="none"),
        pytest.param({"inspector": "dataset", "version": 9}, "has version 9, but", id="newer"),
    ],
)
def test_a_header_that_is_none(tmp_path, header, text):
    with pytest.raises(FormatError, match=text):
        load_lines(tmp_path, [header, *scene_lines()[1:]])


def test_equal_ids_are_an_error(tmp_path):
    lines = scene_lines()
    lines[DOG]["expressions"][0]["sent_id"] = 0
    with pytest.raises(FormatError, match="two examples have the id 0; ids must be unique"):
        load_lines(tmp_path, lines)


def test_half_a_character_is_refused(tmp_path):
    lines = change([*FIRST, "sentence"], "left \ud83d mug")
    assert "\\ud83d" in json.dumps(lines)  # valid JSON, but no text that could be written again
    with pytest.raises(FormatError, match=r"holds text that is not Unicode, near .*\\ud83d mug"):
        load_lines(tmp_path, lines)


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(FormatError, match=r"cannot be read \(Is a directory\)"):
        load(LoadRequest(str(tmp_path)))
