"""Run lengths that are short, long, negative, huge or of the wrong type, in every format."""

from __future__ import annotations

import pytest

from inspector.core.errors import InspectorError
from inspector.formats import load_dataset
from inspector.formats.request import LoadRequest
from tests.formats.writing import (
    annotation,
    scene_annotations,
    scene_lines,
    scene_rows,
    write_jsonl,
    write_refcoco_m,
    write_refer,
)

BROKEN = {
    "short": "7330;", "long": "7330;7330;7330;", "negative": "7330O", "empty": "", "a space": "7 3",
    "cut off": "7330`", "huge run": "oooooo1", "beyond 30 bits": "ooooooooooooooo1", "text": "mask",
    "not ascii": "é", "a literal of nothing": "b''", "half a literal": "b'7330;", "NUL": "\0",
}
UNCOMPRESSED = {
    "short": [1, 2], "long": [24, 1], "negative": [-1, 25], "huge": [2**63, 24],
    "wraps around to fit": [2**64, 24], "nested": [[24]], "text": ["24"], "none": [None],
    "empty": [],
    "fractions": [0.5, 23.5], "true": [True, 23], "infinite": [float("inf")], "no list": 24,
    "a dictionary": {"0": 24}, "nothing": None,
}
SIZES = {
    "swapped": [6, 4], "huge": [10**6, 10**6], "zero": [0, 0], "negative": [-4, -6],
    "text": ["4", "6"],
    "one": [4], "three": [4, 6, 3], "none": None, "a number": 24, "beyond 64 bits": [2**70, 1],
    "fractions": [4.5, 6],
}
VALUES = {
    **{f"compressed, {k}": {"size": [4, 6], "counts": v} for k, v in BROKEN.items()},
    **{f"uncompressed, {k}": {"size": [4, 6], "counts": v} for k, v in UNCOMPRESSED.items()},
    **{f"size, {k}": {"size": v, "counts": [24]} for k, v in SIZES.items()},
    "a string": "7330;", "a number": 7, "true": True, "a list of nothing": [None], "keys": {"a": 1},
    "polygon of text": [["1", "2", "x", "4", "5", "6"]], "far away": [[0, 0, 1e9, 0, 1e9, 1e9]],
    "without end": [[0, 0, float("inf"), 0, 1, 1]], "no number": [[0, 0, float("nan"), 0, 1, 1]],
}


def check(dataset) -> None:
    """The mask is listed as broken, its two examples are not scored, the others are."""
    assert dataset.is_scorable.tolist() == [False, False, True, True]
    problems = [p for p in dataset.problems if p.severity == "error"]
    assert [problem.code for problem in problems] == ["broken-mask"]
    assert dataset.target_areas.tolist() == [0, 0, 3, 7]


@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES)
def test_in_annotations(tmp_path, value):
    annotations = [annotation(11, 1, 47, value), *scene_annotations()[1:]]
    check(load_dataset(LoadRequest(str(write_refer(tmp_path, annotations=annotations)))))


@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES)
def test_in_lines(tmp_path, value):
    lines = scene_lines()
    lines[1]["objects"][0]["mask"] = value
    check(load_dataset(LoadRequest(str(write_jsonl(tmp_path, lines=lines)))))


@pytest.mark.parametrize("counts", BROKEN.values(), ids=BROKEN)
def test_in_parquet(tmp_path, counts):
    rows = scene_rows()
    rows[0]["samples"][0]["mask"] = {"size": [4, 6], "counts": counts}
    check(load_dataset(LoadRequest(str(write_refcoco_m(tmp_path, rows=rows)))))


@pytest.mark.parametrize("size", [[2**31 - 1] * 2, [0, 6], [-1, 6], [4], [], None], ids=str)
def test_sizes_in_parquet(tmp_path, size):
    rows = scene_rows()
    rows[0]["samples"][1]["mask"]["size"] = size
    dataset = load_dataset(LoadRequest(str(write_refcoco_m(tmp_path, rows=rows))))
    assert dataset.is_scorable.tolist() == [True, True, False, True]


def test_a_literal_of_bytes_is_read(tmp_path):
    # cocodataset/cocoapi#70: str(counts) of bytes
    lines = scene_lines()
    mask = lines[1]["objects"][0]["mask"]
    mask["counts"] = str(mask["counts"].encode())
    assert mask["counts"].startswith("b'")
    dataset = load_dataset(LoadRequest(str(write_jsonl(tmp_path, lines=lines))))
    assert dataset.target_areas.tolist() == [4, 4, 3, 7]


def test_a_picture_whose_size_is_broken_refuses_the_file(tmp_path):
    for size in SIZES.values():
        lines = scene_lines()
        lines[1]["image"]["size"] = size
        if size == [6, 4]:
            continue  # a picture may have any sides: then its masks do not fit
        with pytest.raises(InspectorError, match="line 2: size must be"):
            load_dataset(LoadRequest(str(write_jsonl(tmp_path, lines=lines))))
