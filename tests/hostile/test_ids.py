"""Ids that stand twice, or are no ids: the first counts and it is said, or nothing is used."""

from __future__ import annotations

import math

import pytest

from inspector.core.errors import FormatError
from inspector.formats import load_dataset
from inspector.formats.coco import as_id
from inspector.formats.request import LoadRequest
from tests.formats import layouts, repacks
from tests.formats.writing import (
    DOG,
    RIGHT_MUG,
    TARGETS,
    annotation,
    ref,
    scene_annotations,
    scene_lines,
    scene_refs,
    scene_rows,
    write_jsonl,
    write_refcoco_m,
    write_refer,
)


def load(source):
    return load_dataset(LoadRequest(str(source)))


def test_an_annotation_that_stands_twice(tmp_path):
    annotations = [*scene_annotations(), annotation(11, 1, 47, RIGHT_MUG)]
    dataset = load(write_refer(tmp_path, annotations=annotations))
    assert dataset[0].target == TARGETS["left mug"]
    assert "duplicate-record" in {p.code for p in dataset.problems}


def test_an_annotation_that_stands_on_two_pictures(tmp_path):
    annotations = [annotation(11, 2, 18, DOG), *scene_annotations()]
    with pytest.raises(FormatError, match="gives to picture 2, not 1"):
        load(write_refer(tmp_path, annotations=annotations))


@pytest.mark.parametrize("writer", [write_refer, layouts.write_grefcoco, layouts.write_ref_zom])
def test_a_sentence_id_that_stands_twice(writer, tmp_path):
    refs = [*scene_refs(), ref(301, 12, 1, (0, "again"))]
    with pytest.raises(FormatError, match="two examples have the id 0"):
        load(writer(tmp_path, refs=refs))


def test_ids_in_lines(tmp_path):
    lines = scene_lines()
    lines[2]["expressions"][0]["sent_id"] = 0
    with pytest.raises(FormatError, match="two examples have the id 0"):
        load(write_jsonl(tmp_path, lines=lines))
    lines = scene_lines()
    lines[1]["objects"][1]["ann_id"] = "11"
    with pytest.raises(FormatError, match="line 2: two objects have the ann_id 11"):
        load(write_jsonl(tmp_path, lines=lines))


def test_a_sample_that_stands_twice(tmp_path):
    rows = scene_rows()
    rows[1]["samples"][0]["id"] = 101
    with pytest.raises(FormatError, match="two examples have the id 101:0"):
        load(write_refcoco_m(tmp_path, rows=rows))


def test_a_row_that_stands_twice(tmp_path):
    rows = repacks.benchmark_rows()
    with pytest.raises(FormatError, match="two examples have the id 0"):
        load(repacks.write_benchmark(tmp_path, rows=[*rows, rows[0]]))


def test_segments_that_stand_twice_number_their_sentences_on(tmp_path):
    records = layouts.scene_records()
    dataset = load(layouts.write_cris(tmp_path, records=[*records, records[0]]))
    assert dataset.expressions.ids == ["101:0", "101:1", "102:0", "201:0", "101:2", "101:3"]
    assert "duplicate-record" in {p.code for p in dataset.problems}


@pytest.mark.parametrize("value", [
    1.5, math.nan, math.inf, True, None, "", "1.5", "x", [1], {}, 2**63, -(2**70), 1e300, b"x",
], ids=repr)
def test_what_is_no_id(value):
    with pytest.raises((TypeError, ValueError, OverflowError)):
        as_id(value)


@pytest.mark.parametrize(("value", "number"), [
    (7, 7), (7.0, 7), ("7", 7), ("7.0", 7), (-1, -1), (2**62, 2**62),
])
def test_what_is_one(value, number):
    # pandas and JSON round trips make 718034.0 of an id, hub re-packs text
    assert as_id(value) == number


def test_refs_whose_ids_are_none_are_listed(tmp_path):
    refs = [*scene_refs(), ref(2**70, 11, 1, (9, "x")), ref(9, math.nan, 1, (10, "x"))]
    dataset = load(write_refer(tmp_path, refs=refs))
    assert len(dataset) == 4
    assert [p.code for p in dataset.problems if p.severity == "error"] == ["bad-record"] * 2
