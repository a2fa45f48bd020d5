from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pycocotools import mask as coco

from inspector.core.errors import MaskError, SizeMismatchError
from inspector.core.mask import Mask, check_size, compress_runs, unite
from tests.drawing import draw, random_arrays

SQUARE = [0, 0, 6, 0, 6, 6, 0, 6]
MOVED_SQUARE = [3, 3, 9, 3, 9, 9, 3, 9]


def test_area_and_box():
    mask = draw(
        "....",
        ".##.",
        "..#.",
    )
    assert mask.size_hw == (3, 4)
    assert mask.area == 3
    assert mask.box_xywh == (1.0, 1.0, 2.0, 2.0)


def test_the_empty_mask():
    assert Mask.empty((2, 3)) == draw("...", "...")
    assert Mask.empty((2, 3)).area == 0
    assert Mask.empty((2, 3)).box_xywh == (0.0, 0.0, 0.0, 0.0)


def test_runs_go_down_the_columns():
    assert Mask.from_runs([1, 2, 3], (2, 3)) == draw(".#.", "#..")


def test_arrays_come_back_unchanged():
    for array in random_arrays(300, seed=4):
        mask = Mask.from_array(array)
        assert (mask.to_array() == array).all()
        assert mask.area == array.sum()
        rows, columns = np.flatnonzero(array.any(axis=1)), np.flatnonzero(array.any(axis=0))
        if len(rows):
            left, top = columns[0], rows[0]
            assert mask.box_xywh == (left, top, columns[-1] - left + 1, rows[-1] - top + 1)


@pytest.mark.parametrize(
    ("array", "found"),
    [
        pytest.param(np.zeros((2, 3), np.uint8), r"uint8 of shape \(2, 3\)", id="uint8"),
        pytest.param(np.full((2, 3), 255, np.uint8), r"uint8 of shape \(2, 3\)", id="0 and 255"),
        pytest.param(np.zeros((2, 3)), r"float64 of shape \(2, 3\)", id="float"),
        pytest.param(np.zeros((2, 3, 1), bool), r"bool of shape \(2, 3, 1\)", id="3 dimensions"),
        pytest.param(np.zeros(6, bool), r"bool of shape \(6,\)", id="1 dimension"),
    ],
)
def test_other_arrays_are_refused(array, found):
    text = r"array must be a boolean array of shape \(H, W\), but got " + found
    with pytest.raises(MaskError, match=text):
        Mask.from_array(array)


def test_a_raster_is_not_taken_for_polygons():
    with pytest.raises(MaskError, match="a mask must be run lengths .* or a list of polygons"):
        Mask.from_coco(np.ones((6, 6), np.uint8), (6, 6))


@pytest.mark.parametrize(
    ("size", "text"),
    [
        pytest.param((True, 3), r"two whole numbers, but got \(True, 3\)", id="bool"),
        pytest.param((3, 1.5), r"two whole numbers, but got \(3, 1.5\)", id="fraction"),
        pytest.param((3, "3"), r"two whole numbers, but got \(3, '3'\)", id="text"),
        pytest.param("33", "two whole numbers, but got '33'", id="one text of two"),
        pytest.param((3, float("nan")), "two whole numbers", id="nan"),
        pytest.param((3, None), "two whole numbers", id="none"),
        pytest.param(None, r"\[height, width\], but got None", id="nothing"),
        pytest.param((1, 2, 3), r"\[height, width\], but got \(1, 2, 3\)", id="three"),
        pytest.param((0, 3), r"at least 1 x 1 .*, but got \(0, 3\)", id="zero"),
        pytest.param((-1, -3), "at least 1 x 1", id="negative"),
        pytest.param((10**6, 10**6), "at most 100,000,000 pixels", id="huge"),
        pytest.param((10**8 + 1, 1), "at most 100,000,000 pixels", id="one pixel too many"),
        pytest.param((2**32, 2**32), "at most 100,000,000 pixels", id="wraps around in C"),
    ],
)
def test_sizes_are_checked_before_memory_is_taken(size, text):
    makers = [check_size, lambda s: Mask(s, b"1"), lambda s: Mask.from_runs([1], s)]
    makers += [lambda s: Mask.from_polygons([SQUARE], s)]
    makers += [lambda s: Mask.from_coco({"size": s, "counts": "1"})]
    for make in makers:
        with pytest.raises(MaskError, match="size must be .*" + text):
            make(size)


def test_whole_floats_are_sizes():
    assert check_size([480.0, np.int64(640)]) == (480, 640)


@pytest.mark.parametrize("size", [(10**4, 10**4), (1e4, 1e4)], ids=["whole", "floats"])
def test_a_hundred_million_pixels_are_just_allowed(size):
    assert check_size(size) == (10**4, 10**4)


def test_each_of_several_run_lengths_has_the_size_of_the_picture():
    parts = [draw("#..", "...", "...").to_json(), draw("...", "...", "..#").to_json()]
    assert Mask.from_coco(parts, (3, 3)) == draw("#..", "...", "..#")
    with pytest.raises(SizeMismatchError, match="the mask is 3 x 3 .*, the picture 3 x 2"):
        Mask.from_coco(parts, (2, 3))


@pytest.mark.parametrize(
    ("runs", "text"),
    [
        pytest.param([], "are empty", id="empty"),
        pytest.param([5, -1], r"a negative run \(-1\)", id="negative"),
        pytest.param([1, 2], "sum to 3 pixels, but 2 x 2 .* has 4", id="too short"),
        pytest.param([1.5, 2.5], "hold 1.5, which is not a whole number", id="fraction"),
        pytest.param([True, 3], "hold True, which is not a whole number", id="bool"),
        pytest.param(["4"], "hold '4', which is not a whole number", id="text"),
        pytest.param([None], "hold None", id="none"),
        pytest.param([float("nan"), 4], "hold nan", id="nan"),
        pytest.param([[4]], r"hold \[4\]", id="nested"),
        pytest.param([2**63, 2**63, 4], "a run of 9,223,372,036,854,775,808", id="wraps to 4"),
        pytest.param([2**32, 4], "a run of 4,294,967,296", id="wraps to 4 in C"),
    ],
)
def test_broken_runs_are_refused(runs, text):
    with pytest.raises(MaskError, match=text):
        Mask.from_runs(runs, (2, 2))


@given(st.lists(st.integers(0, 4), min_size=1, max_size=14), st.booleans())
@settings(max_examples=200, derandomize=True, deadline=None)
def test_equal_masks_are_equal_however_they_were_written(runs, compressed):
    height = sum(runs) or 1
    runs = runs if sum(runs) else [1]
    pixels = np.repeat(np.arange(len(runs)) % 2 == 1, runs).reshape(height, 1)
    counts = compress_runs(np.array(runs), (height, 1)) if compressed else runs
    mask = Mask.from_coco({"size": [height, 1], "counts": counts})
    assert mask == Mask.from_array(pixels)
    assert hash(mask) == hash(Mask.from_array(pixels))


def test_needless_characters_make_no_difference():
    assert Mask((2, 2), b"1Q02") == Mask((2, 2), b"112") == draw("..", "#.")


def test_overlapping_polygons_of_one_referent_join_by_union():
    # refer.py adds them up, which makes the shared pixels 2 and loses them in `mask == 1`.
    mask = Mask.from_polygons([SQUARE, MOVED_SQUARE], (10, 10))
    assert mask.area == 63  # 36 + 36 - 9


@pytest.mark.parametrize(
    ("polygons", "text"),
    [
        pytest.param([[1, 1, 3, 3]], "three points, but got 4 numbers", id="four numbers"),
        pytest.param([[1, 1, 3, 3], SQUARE], "but got 4 numbers", id="four numbers come first"),
        pytest.param([SQUARE, [1, 1, 3, 3]], "but got 4 numbers", id="four numbers come last"),
        pytest.param([[1, 1, 3, 3, 5, 5, 7]], "but got 7 numbers", id="odd"),
        pytest.param([], "there is no polygon", id="none"),
        pytest.param([["a"] * 6], "must be a list of numbers", id="text"),
        pytest.param([[0, 0, 1, 0, 10**400, 1]], "a list of numbers", id="400 digits"),
        pytest.param([[0, 0, 1, 0, float("nan"), 1]], "not within 100,000", id="nan"),
        pytest.param([[0, 0, 1, 0, 1e9, 1]], "not within 100,000", id="far away"),
        pytest.param([[-9e4, 0, 9e4, 1] * 50], "longer than 2,000,000 pixels", id="zigzag"),
    ],
)
def test_broken_polygons_are_refused(polygons, text):
    with pytest.raises(MaskError, match=text):
        Mask.from_polygons(polygons, (10, 10))


def test_polygons_inside_and_outside_the_picture_are_rasterised_as_coco_does():
    rng = np.random.default_rng(5)
    for _ in range(300):
        height, width = rng.integers(1, 40, 2).tolist()
        count = rng.integers(1, 4)
        polygons = [rng.uniform(-20, 60, 2 * rng.integers(3, 9)).tolist() for _ in range(count)]
        mask = Mask.from_polygons(polygons, (height, width))
        expected = np.zeros((height, width), bool)
        for part in coco.frPyObjects(polygons, height, width):
            expected |= coco.decode(part).astype(bool)
        assert mask == Mask.from_array(expected)  # the same bytes, so canonical as well


def test_unite():
    assert unite([draw("#..", "..."), draw(".#.", "..."), draw("...", "..#")]) == draw("##.", "..#")
    assert unite([draw("#.")]) == draw("#.")


def test_unite_equals_or_on_arrays():
    rng = np.random.default_rng(6)
    for array in random_arrays(200, seed=7):
        others = [rng.random(array.shape) < rng.random() for _ in range(2)]
        united = unite([Mask.from_array(part) for part in (array, *others)])
        assert united == Mask.from_array(array | others[0] | others[1])


def test_masks_of_different_sizes_cannot_be_joined():
    text = r"masks of 2 x 1 pixels \(width x height\) and 1 x 2 pixels .* cannot be joined"
    with pytest.raises(SizeMismatchError, match=text):
        unite([draw("##"), draw("#", "#")])
    with pytest.raises(MaskError, match="the union of no masks has no size"):
        unite([])
