"""Faults of other tools that people reported in public; each test says what went wrong there."""

from __future__ import annotations

import json

import pytest

from inspector.core.errors import MaskError, SizeMismatchError
from inspector.core.mask import Mask
from tests.drawing import draw

SIX_BY_FIVE = {"size": [6, 5], "counts": "7330;"}


def test_bytes_that_went_through_str():
    # cocodataset/cocoapi#70: counts are bytes there, and people write str(counts) into JSON
    for counts in ("b'7330;'", 'b"7330;"', b"7330;", bytearray(b"7330;")):
        assert Mask.from_coco({"size": [6, 5], "counts": counts}) == Mask.from_coco(SIX_BY_FIVE)


def test_doubled_backslashes_of_a_bytes_literal():
    # str(b"...\\...") doubles each backslash; "\\" is 44 in the alphabet: 12, and more follows
    counts = Mask.from_runs([12 + 32, 6], (10, 5)).counts
    assert b"\\" in counts
    assert Mask.from_coco({"size": [10, 5], "counts": str(counts)}).area == 6


def test_our_own_counts_are_json_serializable():
    mask = Mask.from_coco(SIX_BY_FIVE)
    assert Mask.from_coco(json.loads(json.dumps(mask.to_json()))) == mask


def test_a_first_polygon_of_four_numbers_is_no_box():
    # cocodataset/cocoapi#139, #348: frPyObjects takes it and all that follow for boxes
    with pytest.raises(MaskError, match="at least three points, but got 4 numbers"):
        Mask.from_coco([[1, 1, 2, 2], [1, 1, 5, 1, 5, 5]], (6, 5))


def test_an_empty_segmentation_list():
    # open-mmlab/mmdetection#3338: IndexError: list index out of range
    with pytest.raises(MaskError, match=r"a mask must be run lengths .* but got \[\]"):
        Mask.from_coco([], (6, 5))


def test_uncompressed_run_lengths():
    # facebookresearch/detectron2#844: "Expected bytes, got list"
    assert Mask.from_coco({"size": [2, 2], "counts": [1, 2, 1]}) == draw(".#", "#.")


@pytest.mark.parametrize("value", ["Z1::", None, 7, {"counts": "1"}, {1: 2, "size": 3}], ids=repr)
def test_a_value_that_is_no_mask_at_all(value):
    # cocodataset/cocoapi#493: "string indices must be integers"
    with pytest.raises(MaskError, match="a mask must be|need 'size' and 'counts'"):
        Mask.from_coco(value, (6, 5))


def test_a_polygon_where_run_lengths_are_expected():
    # obss/sahi#371: "list indices must be integers"
    with pytest.raises(MaskError, match="polygons need the size of their picture"):
        Mask.from_coco([[1, 1, 5, 1, 5, 5]])


def test_swapped_height_and_width():
    # cocodataset/cocoapi#488: the same area, so it decodes, to a scrambled mask
    text = r"the mask is 6 x 5 pixels .*, the picture 5 x 6 .*: height and width are swapped"
    with pytest.raises(SizeMismatchError, match=text):
        Mask.from_coco({"size": [5, 6], "counts": "7330;"}, (6, 5))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        pytest.param(
            {"size": [7, 7], "counts": "7330;"},
            r"sum to 30 pixels, but 7 x 7 \(height x width\) has 49", id="runs too short",
        ),
        pytest.param({"size": [6, 5], "counts": ""}, "the run lengths are empty", id="no runs"),
        pytest.param(
            {"size": [1_000_000, 1_000_000], "counts": "111"},
            "at most 100,000,000 pixels", id="huge size",
        ),
    ],
)
def test_run_lengths_that_leave_memory_uninitialised_elsewhere(value, text):
    # pycocotools 2.0.11: whatever was in memory before, or the end of the process
    with pytest.raises(MaskError, match=text):
        Mask.from_coco(value)


def test_a_valid_mask_without_foreground_that_looks_broken():
    # ultralytics#5780: an empty prediction, not an error
    assert Mask.from_coco({"size": [1249, 1315], "counts": "SnSb1"}) == Mask.empty((1249, 1315))


def test_text_and_list_counts_are_both_read():
    # talmolab/sleap-io#487, roboflow/supervision#1952: loaders that know one of the two
    assert Mask.from_coco({"size": [6, 5], "counts": [7, 3, 3, 3, 14]}) == Mask.from_coco(
        SIX_BY_FIVE
    )


def test_a_list_of_run_lengths_is_joined():
    # RefCLEF: several run-length masks for one object
    parts = [{"size": [2, 2], "counts": [0, 1, 3]}, {"size": [2, 2], "counts": [3, 1]}]
    assert Mask.from_coco(parts, (2, 2)) == draw("#.", ".#")
