"""JSON that is cut off, in another encoding, without end, or says two things at once."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path

import pytest

from inspector.core.errors import FormatError, InspectorError
from inspector.formats import load_dataset
from inspector.formats.request import LoadRequest
from tests.formats import layouts
from tests.formats.writing import TARGETS, write_jsonl, write_refer

FILES: dict[str, tuple[Callable[[Path], Path], str]] = {
    "instances": (write_refer, "instances.json"),
    "grefs": (layouts.write_grefcoco, "grefs(unc).json"),
    "annotations of CRIS": (layouts.write_cris, "anns/refcoco/val.json"),
    "annotations of RefCOCOm": (layouts.write_refcocom, "annotations/val.json"),
    "samples": (layouts.write_fiftyone, "samples.json"),
    "lines": (write_jsonl, ""),
}
every_file = pytest.mark.parametrize("name", FILES)


def made(name: str, root: Path) -> tuple[str, Path]:
    """Write a valid data set; give its source and the JSON file in it."""
    writer, below = FILES[name]
    source = writer(root)
    return str(source), source / below if below else source


def targets_of(source: str) -> dict[str, object]:
    return {e.expression.sentence: e.target for e in load_dataset(LoadRequest(source))}


@every_file
def test_cut_at_every_place(tmp_path, name):
    source, path = made(name, tmp_path)
    whole = path.read_bytes()
    last = len(whole.rstrip())
    for length in range(0, last, max(last // 60, 1)):
        path.write_bytes(whole[:length])
        try:
            assert targets_of(source) == TARGETS  # a line that is whole is whole
        except FormatError as error:
            assert str(error).endswith(f"(file: {path})") or "holds no example" in str(error)
        except Exception as error:
            assert "is in none of the known formats" in str(error), length
        else:
            raise AssertionError(length)


@every_file
def test_a_byte_order_mark_is_no_matter(tmp_path, name):
    source, path = made(name, tmp_path)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert targets_of(source) == TARGETS


@every_file
@pytest.mark.parametrize("encoding", ["latin-1", "utf-16", "utf-32"])
def test_another_encoding_is_said(tmp_path, name, encoding):
    source, path = made(name, tmp_path)
    text = path.read_text().replace("mug", "ünmistakable mug").replace("COCO_", "CÖCO_")
    path.write_bytes(text.encode(encoding))
    key = {"samples": "fiftyone", "lines": "jsonl"}.get(name)
    with pytest.raises(FormatError, match=r"is not UTF-8 text \(byte \d+\)"):
        load_dataset(LoadRequest(source, format=key))


@every_file
@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000, "[" * 980 + "]" * 980,
                                  '{"images": ' + "[" * 990 + "]" * 990 + "}", "9" * 10_000,
                                  "null", "true", '"text"', "{}", "[]", "[[]]", "[null]", "{", "",
                                  " ", "\0", '{"samples": null}', '{"samples": [null, 1, "x"]}'],
                         ids=lambda text: f"{text[:12]!a} {len(text)}")
def test_json_of_another_shape(tmp_path, name, text):
    source, path = made(name, tmp_path)
    path.write_text(text)
    key = {"samples": "fiftyone", "lines": "jsonl"}.get(name)
    with pytest.raises(InspectorError):
        load_dataset(LoadRequest(source, format=key))


@every_file
@pytest.mark.parametrize("number", [
    "NaN", "Infinity", "-Infinity", "1e400", "-1e400", "1" + "0" * 400, "1e-400", "-0.0",
    "9" * 5000,
], ids=lambda number: number[:9])
def test_numbers_that_are_none(tmp_path, name, number):
    """Each number of the file in turn is replaced; nothing but words may come of it."""
    source, path = made(name, tmp_path)
    whole = path.read_text()
    places = [at for at, c in enumerate(whole) if c.isdigit() and whole[at - 1] in " ["]
    for at in places[:: max(len(places) // 25, 1)]:
        end = at
        while whole[end] in "0123456789.":
            end += 1
        path.write_text(whole[:at] + number + whole[end:])
        try:
            dataset = load_dataset(LoadRequest(source))
        except FormatError:
            continue
        for example in dataset:
            if dataset.is_scorable[example.index] and not math.isfinite(float(number)):
                assert example.target == TARGETS[example.expression.sentence]


@every_file
def test_the_last_of_equal_keys_counts_as_everywhere_in_python(tmp_path, name):
    source, path = made(name, tmp_path)
    text = path.read_text()
    for key in ("file_name", "img_name", "filepath", "sentence", "sent", "label"):
        text = text.replace(f'"{key}": ', f'"{key}": "first", "{key}": ')
    path.write_text(text)
    assert targets_of(source) == TARGETS


def test_nan_in_boxes_gives_the_box_of_the_mask(tmp_path):
    source = write_refer(tmp_path)
    content = json.loads((source / "instances.json").read_text())
    for record in content["annotations"]:
        record["bbox"] = [float("nan"), 0, 1e400, 1]
    (source / "instances.json").write_text(json.dumps(content))
    for example in load_dataset(LoadRequest(str(source))):
        assert example.referents[0].box_xywh == example.target.box_xywh
