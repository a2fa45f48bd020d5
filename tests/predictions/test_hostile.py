"""Broken and hostile files of every format: a clear error or a listed problem."""

from __future__ import annotations

import json
import os

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from inspector.core.errors import FormatError, InspectorError, MaskError
from inspector.predictions import load_run
from inspector.predictions.box_strings import parse_answer, tries_a_box
from inspector.predictions.svg import fill_nonzero, flatten_path
from tests.predictions.dumps import WRITERS
from tests.predictions.scene import (
    CUP,
    KITCHEN,
    SCENE,
    codes,
    load,
    masks_of,
    rows,
    save_json,
    save_lines,
    statuses,
)

LONG = bool(os.environ.get("INSPECTOR_LONG"))
FILES = [key for key in WRITERS if key not in ("cris", "lisa", "seg-zero", "mask-folder", "arrays")]
DOCUMENTS = ["mattnet", "samtok", "mdetr", "rela", "sa2va", "sam", "coco-results"]


@pytest.mark.parametrize("key", DOCUMENTS)
def test_a_document_that_is_cut_in_the_middle(key, tmp_path):
    path = WRITERS[key](tmp_path / "dump.json")
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(FormatError, match="is cut off|holds no prediction"):
        load(path)


@pytest.mark.parametrize("key", [k for k in FILES if k not in DOCUMENTS])
def test_lines_that_are_cut_in_the_middle(key, tmp_path):
    path = WRITERS[key](tmp_path / "dump.jsonl")
    path.write_bytes(path.read_bytes()[:-15])
    with pytest.raises(FormatError, match="is cut off in line 4.*The 3 lines before it are whole"):
        load(path)
    run = load(path, is_growing=True)  # while it is watched that is no fault
    assert list(statuses(run).values()).count("missing") == 1
    assert "cut-off-file" in codes(run)


@pytest.mark.parametrize("key", FILES)
@pytest.mark.parametrize("change", [
    pytest.param(lambda content: b"\xef\xbb\xbf" + content, id="byte-order mark"),
    pytest.param(lambda content: content.replace(b"\n", b"\r\n"), id="windows line ends"),
])
def test_what_editors_add_does_no_harm(key, change, tmp_path):
    path = WRITERS[key](tmp_path / "dump")
    path.write_bytes(change(path.read_bytes()))
    assert set(statuses(load(path)).values()) == {"scored"}


@pytest.mark.parametrize("key", FILES)
def test_latin_1_is_said_or_its_line_is_left_out(key, tmp_path):
    path = WRITERS[key](tmp_path / "dump")
    path.write_bytes(path.read_bytes().replace(b"right most", b"r\xe9ght most").replace(
        b'"sent_id"', b'"x": "\xe9", "sent_id"', 1))
    if b"\xe9" not in path.read_bytes():
        pytest.skip("the format holds no text")
    try:
        run = load(path)
    except FormatError as error:
        assert "is not UTF-8 text" in str(error) or "not a known file" in str(error)
    else:
        assert "bad-record" in codes(run)


@pytest.mark.parametrize("key", ["coco-results", "sam", "mattnet", "padt"])
@pytest.mark.parametrize(("counts", "said"), [
    pytest.param([4, 2], "sum to 6 pixels", id="short"),
    pytest.param([4, 9000], "sum to 9,004 pixels", id="long"),
    pytest.param([3080, -8], "negative run", id="negative"),
    pytest.param([10**30], "run of", id="huge"),
    pytest.param("", "are empty", id="empty text"),
    pytest.param("é", "a character that COCO's", id="foreign letter"),
    pytest.param(7, "counts must be", id="number"),
    pytest.param({"a": 1}, "counts must be", id="object"),
])
def test_run_lengths_that_are_none(key, counts, said, tmp_path):
    path = WRITERS[key](tmp_path / "dump")
    text = path.read_text()
    good = json.dumps(rows()[0]["mask"].to_json())
    path.write_text(text.replace(good, json.dumps({"size": list(KITCHEN), "counts": counts}), 1))
    run = load(path)
    assert said.casefold() in run.reasons[0].casefold()
    assert statuses(run)["29929"] == "scored"


@pytest.mark.parametrize("key", ["coco-results", "mattnet"])
def test_run_lengths_as_a_literal_of_bytes(key, tmp_path):
    # cocoapi#70: str(counts) of bytes
    path = WRITERS[key](tmp_path / "dump")
    counts = rows()[0]["mask"].to_json()["counts"]
    path.write_text(path.read_text().replace(
        json.dumps(counts), json.dumps(str(counts.encode())), 1))
    assert masks_of(load(path))["29928"] == rows()[0]["mask"]


def test_nan_in_a_document_spoils_its_record_alone(tmp_path):
    path = WRITERS["coco-results"](tmp_path / "dump")
    text = path.read_text()
    path.write_text(text.replace('"score": 0.9', '"score": NaN', 1))
    assert set(statuses(load(path)).values()) == {"scored"}
    good = json.dumps(rows()[0]["mask"].to_json())
    path.write_text(text.replace(good, "NaN", 1))
    assert statuses(load(path))["29928"] == "invalid"
    path.write_text(text.replace("460986", "NaN", 1))
    assert "bad-record" in codes(load(path))


@pytest.mark.parametrize("key", FILES)
def test_an_empty_file(key, tmp_path):
    (tmp_path / "dump.json").touch()
    with pytest.raises(FormatError, match="is not a known file of predictions"):
        load(tmp_path / "dump.json")


def test_a_directory_where_a_file_is_expected(tmp_path):
    (tmp_path / "run.json").mkdir()
    with pytest.raises(FormatError, match="is not a known file of predictions"):
        load(tmp_path / "run.json")


def test_a_document_that_is_nested_without_end(tmp_path):
    (tmp_path / "a.json").write_text("[" * 200_000)
    with pytest.raises(FormatError):
        load(tmp_path / "a.json")


def test_sentences_of_every_kind_are_only_text(tmp_path):
    nasty = ["<script>alert(1)</script>", "\u202eevil", "🙂" * 50, "x" * 10_000, "a\0b", "'; --"]
    path = save_lines(tmp_path / "a.jsonl", {"sent_id": 29928, "mask": None}, *(
        {"image_id": 460986, "sentence": sentence, "mask": None} for sentence in nasty
    ))
    run = load(path)
    assert run.unmatched == len(nasty)
    assert all(len(p.message) < 300 for p in run.problems)


def test_a_picture_name_that_climbs_out_is_only_a_name(tmp_path):
    path = save_lines(tmp_path / "a.jsonl", {"sent_id": 29928, "mask": None}, {
        "image_id": "../../etc/passwd", "sentence": "the dog", "mask": None})
    assert load(path).unmatched == 1


def test_links_out_of_a_mask_folder_are_not_followed_into_folders(tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    folder = WRITERS["mask-folder"](tmp_path / "masks")
    Image.new("L", (64, 48)).save(outside / "0.png")
    (folder / "460986").symlink_to(outside)
    assert load(folder).unmatched == 0


class TestPictures:
    def reason(self, tmp_path, name="29928.png") -> str:
        folder = tmp_path / "masks"
        return load(folder).reasons[0]

    @pytest.fixture
    def folder(self, tmp_path):
        return WRITERS["mask-folder"](tmp_path / "masks")

    def test_no_byte(self, folder, tmp_path):
        (folder / "29928.png").write_bytes(b"")
        assert self.reason(tmp_path).startswith("The picture cannot be read")

    def test_cut_off(self, folder, tmp_path):
        content = (folder / "29928.png").read_bytes()
        (folder / "29928.png").write_bytes(content[: len(content) // 2])
        assert self.reason(tmp_path).startswith("The picture cannot be read")

    def test_animated(self, folder, tmp_path):
        frames = [Image.new("L", (64, 48), value) for value in (0, 255)]
        frames[0].save(folder / "29928.png", "PNG", save_all=True, append_images=frames[1:])
        assert self.reason(tmp_path) == "The picture has 2 frames; a mask picture has one."

    def test_cmyk(self, folder, tmp_path):
        Image.new("CMYK", (64, 48)).save(folder / "29928.png", "TIFF")
        assert "this one has the mode CMYK" in self.reason(tmp_path)

    def test_floats(self, folder, tmp_path):
        Image.fromarray(np.zeros(KITCHEN, np.float32)).save(folder / "29928.png", "TIFF")
        assert "this one has the mode F" in self.reason(tmp_path)

    def test_decompression_bomb(self, folder, tmp_path):
        Image.new("1", (20_000, 20_000)).save(folder / "29928.png")
        assert self.reason(tmp_path).startswith("The picture cannot be read (Image size")

    def test_one_that_disappears_while_the_folder_is_read(self, folder, tmp_path):
        (folder / "29928.png").unlink()
        (folder / "29928.png").symlink_to(tmp_path / "gone.png")
        assert statuses(load(folder))["29928"] == "missing"


def test_a_file_that_changes_while_it_is_read_is_said(tmp_path, monkeypatch):
    path = WRITERS["jsonl"](tmp_path / "run.jsonl")
    import inspector.predictions as predictions

    original = predictions.align_records

    def write_and_align(*arguments):
        with path.open("a") as file:
            file.write('{"sent_id": 29928, "mask": null}\n')
        return original(*arguments)

    monkeypatch.setattr(predictions, "align_records", write_and_align)
    assert [(p.code, p.severity) for p in load(path).problems] == [("file-changed", "warning")]


def test_two_masks_for_one_sentence_and_a_mask_without_pixel(tmp_path):
    empty = {"size": list(KITCHEN), "counts": [48 * 64]}
    run = load(save_lines(
        tmp_path / "a.jsonl", {"sent_id": 29928, "mask": empty},
        {"sent_id": 29928, "mask": CUP.to_json()},
    ))
    assert masks_of(run)["29928"].area == 0
    assert (run.duplicate, run.says_no_target.any()) == (1, False)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 10**6) | st.floats() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(
        st.sampled_from(["size", "counts", "sent_id", "image_id", "bbox", "pred"]), inner,
        max_size=3),
    max_leaves=6,
)


@pytest.mark.parametrize("key", FILES)
@settings(max_examples=2_000 if LONG else 25, deadline=None, derandomize=not LONG,
          suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_value_anywhere_is_a_problem_or_an_error_with_words(key, data, tmp_path):
    path = WRITERS[key](tmp_path / "dump")
    is_lines = path.read_text().startswith('{') and path.read_text().count("\n") > 1
    text = path.read_text()
    value = [json.loads(line) for line in text.splitlines()] if is_lines else json.loads(text)
    place = value
    while isinstance(place, (dict, list)) and len(place):
        steps = list(place) if isinstance(place, dict) else list(range(len(place)))
        step = data.draw(st.sampled_from(steps))
        inner = place[step]
        if not isinstance(inner, (dict, list)) or not inner or data.draw(st.booleans()):
            place[step] = data.draw(VALUES)
            break
        place = inner
    (save_lines(path, *value) if is_lines else save_json(path, value))
    try:
        run = load_run(SCENE, path, name="model")
    except InspectorError as error:
        assert str(error)
    else:
        for example, mask in masks_of(run).items():
            assert mask.size_hw == SCENE.by_id(example).image.size_hw


@settings(max_examples=20_000 if LONG else 300, deadline=None, derandomize=not LONG)
@given(text=st.text("MLHVCSQTAZmlhvcsqtaz0123456789.,-+e ²\n", max_size=60))
def test_any_text_is_a_path_or_an_error_with_words(text):
    try:
        polygons = flatten_path(text)
    except MaskError as error:
        assert str(error)
    else:
        assert fill_nonzero(polygons, (7, 9)).size_hw == (7, 9)


@settings(max_examples=20_000 if LONG else 300, deadline=None, derandomize=not LONG)
@given(text=st.text('[](){}<>|"bboxdet_2start,.-0123456789 :/', max_size=80))
def test_any_answer_is_a_box_or_an_error_with_words(text):
    try:
        box, count = parse_answer(text)
    except ValueError as error:
        assert str(error)
    else:
        assert len(box.numbers) == 4 and count > 0
        assert np.isfinite(box.numbers).all()


@pytest.mark.parametrize("answer", ["[" * 200_000, "[" + " " * 200_000, "(" + "1" * 200_000,
                                    "<box>[[1" + "1," * 100_000, "M" + "1" * 200_000])
def test_no_answer_takes_long(answer):
    with pytest.raises(ValueError, match="no whole box"):
        parse_answer(answer)
    tries_a_box(answer)


def test_a_number_with_too_many_digits_is_no_box():
    with pytest.raises(ValueError, match="a box must be four numbers"):
        parse_answer(f"[1, 2, 3, {'9' * 400}]")


@settings(max_examples=3_000 if LONG else 60, deadline=None, derandomize=not LONG,
          suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=st.binary(max_size=200), start=st.sampled_from(
    [b"", b"{", b"[", b"\x93NUMPY\x01\x00", b"PK\x03\x04", b"\x80\x04", b'{"predictions": [']))
def test_any_bytes_are_an_error_with_words(content, start, tmp_path):
    for name in ("a.json", "a.jsonl", "a.npy", "a.npz", "a"):
        (tmp_path / name).write_bytes(start + content)
        with pytest.raises(InspectorError):
            load_run(SCENE, tmp_path / name, name="model")


@pytest.mark.parametrize("name", [
    "²", "1_2_²", "٣", "a" * 250, "..", " ", "-1", "1e5", "0x10", "%00", "\u202e", "29928 (1)",
])
def test_names_of_files_are_only_names(name, tmp_path):
    folder = WRITERS["mask-folder"](tmp_path / "masks")
    Image.new("L", (64, 48)).save(folder / f"{name}.png", "PNG")
    run = load(folder)
    assert codes(run) == ["extra-file"]


@pytest.mark.parametrize("key", ["²", "9" * 5_000, "", "NaN", "-1"])
def test_keys_of_running_numbers_are_only_keys(key, tmp_path):
    path = WRITERS["mdetr"](tmp_path / "dump")
    document = json.loads(path.read_text()) | {key: {"scores": [], "boxes": []}}
    assert load(save_json(path, document)).unmatched == 1
