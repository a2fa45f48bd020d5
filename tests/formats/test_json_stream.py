from __future__ import annotations

import json

import numpy as np
import pytest

from inspector.core.errors import FormatError
from inspector.formats import json_stream
from inspector.formats.json_stream import iterate_arrays


def read(path, *keys):
    return list(iterate_arrays(path, frozenset(keys)))


def write(tmp_path, content):
    path = tmp_path / "file.json"
    path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    return path


@pytest.fixture(params=[1, 7, 1 << 20], ids=lambda size: f"{size} bytes at once")
def chunk(request, monkeypatch):
    monkeypatch.setattr(json_stream, "_CHUNK", request.param)


def test_elements_of_the_arrays_that_are_asked_for(tmp_path, chunk):
    path = write(tmp_path, {"info": {"a": [1]}, "a": [1, {"b": [2]}], "skip": [3], "n": 12.5,
                            "b": []})
    assert read(path, "a", "b") == [("a", None), ("a", 1), ("a", {"b": [2]}), ("b", None)]


def test_the_same_as_a_plain_reader(tmp_path, chunk):
    rng = np.random.default_rng(3)
    content = {
        "a": [rng.choice([1, -12345, 1.5e-7, "é\\\"\n😀", None, True]) for _ in range(50)],
        "b": [{"x": rng.integers(0, 10**9, 5).tolist(), "y": {"z": "]}"}} for _ in range(20)],
    }
    content = json.loads(json.dumps(content, default=lambda value: value.item()))
    for text in (json.dumps(content), json.dumps(content, indent=2, ensure_ascii=False)):
        path = write(tmp_path, b"\xef\xbb\xbf" + text.encode())
        found = read(path, "a", "b")
        assert [value for key, value in found if key == "a"][1:] == content["a"]
        assert [value for key, value in found if key == "b"][1:] == content["b"]


@pytest.mark.parametrize("share", np.linspace(0, 0.99, 23).tolist())
def test_a_cut_off_file_is_refused(tmp_path, share, chunk):
    whole = json.dumps({"a": [1, {"b": "c"}], "d": {"e": 12}}).encode()
    with pytest.raises(FormatError, match="file.json: is not complete JSON"):
        read(write(tmp_path, whole[: int(len(whole) * share)]), "a")


@pytest.mark.parametrize(("content", "text"), [
    pytest.param(b'{"a": [1 2]}', "not complete JSON at character 9", id="no comma"),
    pytest.param(b'{"a" [1]}', "not complete JSON", id="no colon"),
    pytest.param(b'{"a": [1]} x', "not complete JSON", id="something behind"),
    pytest.param(b'{"a": 3}', "has 'a' that is not a list", id="no list"),
    pytest.param(b"[1]", "holds no object", id="a list"),
    pytest.param(b'{"a": ["\xe9"]}', r"is not UTF-8 text \(byte 8\)", id="latin-1"),
    pytest.param(b'{"a": [' + b"[" * 100_000, "is nested too deeply", id="deep"),
    pytest.param(b'{"a": [' + b"9" * 5000 + b"]}", "a number of more than", id="5,000 digits"),
])
def test_what_is_wrong_is_said(tmp_path, content, text):
    with pytest.raises(FormatError, match=text):
        read(write(tmp_path, content), "a")


def test_a_file_that_is_not_there_and_a_folder(tmp_path):
    with pytest.raises(FormatError, match="there is no such file"):
        read(tmp_path / "gone.json", "a")
    with pytest.raises(FormatError, match="cannot be read"):
        read(tmp_path, "a")
