from __future__ import annotations

import numpy as np
import pytest

from inspector.core import rle
from inspector.core.columns import column_of, read_masks
from inspector.core.errors import InspectorError, SizeMismatchError
from inspector.core.mask import Mask
from tests.drawing import draw, random_arrays

CROSS = draw(".#.", "###", ".#.")
FAULTY = [
    pytest.param({"size": [3, 3], "counts": "1"}, "sum to 1 pixels, but 3 x 3", id="too short"),
    pytest.param({"size": [3, 3], "counts": [1]}, "sum to 1 pixels, but 3 x 3", id="short list"),
    pytest.param({"size": [3, 3], "counts": ""}, "are empty", id="no runs"),
    pytest.param({"size": [3, 3], "counts": "P"}, "cut off in the middle", id="cut off"),
    pytest.param({"size": [3, 3], "counts": "é"}, "a character that COCO's", id="not ASCII"),
    pytest.param({"size": [3, 3], "counts": 9}, "text or a list of whole numbers", id="a number"),
    pytest.param({"size": [3, 4], "counts": "<"}, "mask is 4 x 3 .*, the picture 3 x 3", id="size"),
    pytest.param({"size": [3, 3]}, "need 'size' and 'counts'", id="no counts"),
    pytest.param({"size": [True, 9], "counts": "9"}, "two whole numbers", id="bool size"),
    pytest.param({"size": [10**9] * 2, "counts": "9"}, "at most 100,000,000", id="huge size"),
    pytest.param(draw("#"), "mask is 1 x 1 .*, the picture 3 x 3", id="a Mask of other size"),
    pytest.param([[0, 0, 2, 2]], "three points, but got 4", id="polygon of two points"),
    pytest.param(None, "a mask must be .* but got None", id="nothing"),
    pytest.param("9", "a mask must be .* but got '9'", id="text"),
]


def test_a_column_gives_back_its_masks():
    masks = [Mask.from_array(array) for array in random_arrays(200, seed=11)]
    column = column_of(masks)
    assert len(column) == 200
    assert [column[row] for row in range(200)] == masks
    assert column.areas.tolist() == [mask.area for mask in masks]
    assert column.coco(3) == masks[3].to_coco()


def test_a_column_of_no_masks():
    assert len(column_of([])) == 0
    column, faults = read_masks([], [])
    assert (len(column), faults) == (0, {})


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(CROSS, id="Mask"),
        pytest.param(CROSS.to_coco(), id="bytes"),
        pytest.param(CROSS.to_json(), id="text"),
        pytest.param({"size": (3, 3), "counts": str(CROSS.counts)}, id="bytes literal"),
        pytest.param({"size": [3, 3], "counts": [1, 1, 1, 3, 1, 1, 1]}, id="list"),
        pytest.param({"size": [3.0, 3.0], "counts": np.array([1, 1, 1, 3, 1, 1, 1])}, id="array"),
        pytest.param({"size": [3, 3], "counts": [1, 1, 1, 1, 0, 2, 1, 1, 1, 0]}, id="zero runs"),
        pytest.param([draw("...", "###", "...").to_json(), draw(*[".#."] * 3).to_json()], id="two"),
    ],
)
def test_every_way_to_write_a_mask_gives_the_same(value):
    column, faults = read_masks([value, value], [(3, 3), None])
    assert faults == {}
    assert column[0] == column[1] == CROSS
    assert column.areas.tolist() == [5, 5]


def test_polygons_take_the_size_of_their_picture():
    squares = [[0, 0, 6, 0, 6, 6, 0, 6], [3, 3, 9, 3, 9, 9, 3, 9]]
    column, faults = read_masks([squares, squares], [(10, 10), None])
    assert column.areas.tolist() == [63, 0]
    assert "polygons need the size of their picture" in str(faults[1])


@pytest.mark.parametrize(("value", "text"), FAULTY)
def test_a_faulty_mask_stands_empty_in_its_place(value, text):
    column, faults = read_masks([CROSS, value, CROSS, value], [(3, 3)] * 4)
    assert list(faults) == [1, 3]
    with pytest.raises(InspectorError, match=text):
        raise faults[1]
    assert column.areas.tolist() == [5, 0, 5, 0]
    assert [column[row] for row in range(4)] == [CROSS, Mask.empty((3, 3))] * 2


def test_a_faulty_mask_without_a_picture_is_one_pixel():
    column, faults = read_masks([{"size": [3, 3], "counts": "1"}, CROSS], [None, None])
    assert list(faults) == [0]
    assert [column[0], column[1]] == [Mask.empty((1, 1)), CROSS]


def test_swapped_sides_are_told():
    _, faults = read_masks([draw("###", "###")], [(3, 2)])
    assert isinstance(faults[0], SizeMismatchError)
    assert str(faults[0]).endswith("height and width are swapped")


@pytest.mark.parametrize("batch_bytes", [1, 5, 64, 1 << 16])
def test_sound_and_faulty_masks_mixed_at_batch_borders(monkeypatch, batch_bytes):
    monkeypatch.setattr(rle, "_BATCH_BYTES", batch_bytes)
    rng = np.random.default_rng(12)
    values, sizes, sound = [], [], {}
    for array in random_arrays(150, seed=13):
        for fault in rng.integers(0, len(FAULTY), rng.integers(0, 3)).tolist():
            values.append(FAULTY[fault].values[0])
            sizes.append((3, 3))
        sound[len(values)] = Mask.from_array(array)
        values.append(sound[len(values)].to_json())
        sizes.append(array.shape)
    column, faults = read_masks(values, sizes)
    assert sorted([*faults, *sound]) == list(range(len(values)))
    for row, mask in sound.items():
        assert column[row] == mask
        assert column.areas[row] == mask.area
    for row in faults:
        assert column[row] == Mask.empty((3, 3))


@pytest.mark.parametrize("size", [
    [2, 3], (2, 3), [3, 2], [2.0, 3], [np.int64(2), 3], [True, 3], [2, 3, 1], [2], [], "23", None,
    [0, 3], [-2, -3], [2**40, 2**40], [[2], 3],
])
@pytest.mark.parametrize("counts", [
    b"132", "132", "b'132'", 'b"132"', "b132", bytearray(b"132"), [1, 3, 2], "1é2", "", b"", None,
])
@pytest.mark.parametrize("expected", [(2, 3), (1, 3), None])
def test_the_short_way_judges_like_the_long_one(size, counts, expected):
    value = {"size": size, "counts": counts}
    try:
        alone = Mask.from_coco(value, expected)
    except InspectorError as error:
        alone = error
    column, faults = read_masks([value], [expected])
    if isinstance(alone, Mask):
        assert faults == {}
        assert (column.sizes_hw[0].tolist(), column.coco(0)["counts"]) == (
            list(alone.size_hw), alone.counts)
    else:
        assert (type(faults[0]), str(faults[0])) == (type(alone), str(alone))


@pytest.mark.parametrize("row", [-1, 2])
def test_a_row_that_is_not_there_is_no_mask(row):
    # -1 says "no mask" in a run; counted from the end it would be the last one's, cut off
    column = column_of([draw("#."), draw(".#")])
    with pytest.raises(IndexError):
        column[row]
