from __future__ import annotations

import numpy as np
import pytest

from inspector.core.columns import column_of
from inspector.core.errors import SizeMismatchError
from inspector.core.mask import Mask
from inspector.core.overlap import Overlap, measure_against, measure_overlap, measure_pairs
from tests.drawing import draw, random_array, random_arrays

LEFT, RIGHT, EMPTY = draw("#..", "#.."), draw("..#", "..#"), draw("...", "...")
TWO, ALL, BORDER = draw("##.", "##."), draw("###", "###"), draw("#.#", "#.#")
ROWS = np.array


@pytest.mark.parametrize(
    ("prediction", "target", "expected"),
    [
        pytest.param(LEFT, LEFT, Overlap(2, 2), id="identical"),
        pytest.param(LEFT, RIGHT, Overlap(0, 4), id="disjoint"),
        pytest.param(LEFT, TWO, Overlap(2, 4), id="inside"),
        pytest.param(TWO, BORDER, Overlap(2, 6), id="in part"),
        pytest.param(LEFT, ALL, Overlap(2, 6), id="everything"),
        pytest.param(EMPTY, LEFT, Overlap(0, 2), id="one empty"),
        pytest.param(EMPTY, EMPTY, Overlap(0, 0), id="both empty"),
    ],
)
def test_measure_overlap(prediction, target, expected):
    assert measure_overlap(prediction, target) == expected
    assert measure_overlap(target, prediction) == expected  # symmetric


def test_background_that_agrees_does_not_count():
    # fizyr/keras-maskrcnn#81: count_nonzero(a == b) is 98 here
    prediction, target = np.zeros((2, 10, 10), bool)
    prediction[0, 0] = target[9, 9] = True
    overlap = measure_overlap(Mask.from_array(prediction), Mask.from_array(target))
    assert overlap == Overlap(0, 2)


def test_1200_random_pairs_against_dense_arrays():
    rng = np.random.default_rng(8)
    left = list(random_arrays(1200, seed=9))
    right = [random_array(array.shape, rng) for array in left]
    lefts = column_of([Mask.from_array(array) for array in left])
    rights = column_of([Mask.from_array(array) for array in right])
    rows = np.arange(1200)
    intersections = measure_pairs(lefts, rows, rights, rows)
    for row, (a, b) in enumerate(zip(left, right, strict=True)):
        assert intersections[row] == (a & b).sum()
        assert (lefts.areas[row], rights.areas[row]) == (a.sum(), b.sum())
        overlap = measure_overlap(Mask.from_array(a), Mask.from_array(b))
        assert overlap == Overlap((a & b).sum(), (a | b).sum())


def test_the_largest_masks_are_still_exact():
    # 99,980,001 and one pixel less: a quotient of the two that was rounded would lose the pixel
    size = (9999, 9999)
    whole, almost = Mask.from_runs([0, 9999**2], size), Mask.from_runs([1, 9999**2 - 1], size)
    assert measure_overlap(whole, almost) == Overlap(9999**2 - 1, 9999**2)
    assert measure_overlap(almost, whole) == Overlap(9999**2 - 1, 9999**2)


def test_masks_of_different_sizes_are_refused():
    with pytest.raises(SizeMismatchError, match="the mask is 3 x 2 pixels .*, the picture 2 x 2"):
        measure_overlap(LEFT, draw("##", "##"))
    with pytest.raises(SizeMismatchError, match="height and width are swapped"):
        measure_overlap(LEFT, draw("##", "##", "##"))


def test_pairs_name_rows_of_both_columns():
    left, right = column_of([LEFT, TWO, EMPTY]), column_of([ALL, RIGHT])
    left_rows, right_rows = ROWS([0, 1, 1, 2, -1, 0, -1]), ROWS([0, 0, 1, 0, 0, -1, -1])
    assert measure_pairs(left, left_rows, right, right_rows).tolist() == [2, 4, 0, 0, 0, 0, 0]


def test_pairs_of_different_sizes_are_refused_unless_one_is_absent():
    left, right = column_of([LEFT, EMPTY]), column_of([ALL, draw("#")])
    assert measure_pairs(left, ROWS([0, -1]), right, ROWS([0, 1])).tolist() == [2, 0]
    for row in (0, 1):  # the empty mask as well
        with pytest.raises(SizeMismatchError, match="mask is 3 x 2 .*, the picture 1 x 1 pixels"):
            measure_pairs(left, ROWS([0, row]), right, ROWS([0, 1]))


def test_no_pairs():
    column = column_of([LEFT])
    nothing = np.zeros(0, np.int64)
    assert measure_pairs(column, nothing, column, nothing).tolist() == []


def test_measure_against():
    one, many = column_of([EMPTY, TWO]), column_of([LEFT, EMPTY, RIGHT, ALL])
    assert measure_against(one, 1, many, [3, 2, 1, 0]).tolist() == [4, 0, 0, 2]
    assert measure_against(one, 0, many, [3, 2]).tolist() == [0, 0]
    assert measure_against(one, 1, many, []).tolist() == []


def test_measure_against_hundreds():
    # pycocotools 2.0.11 with numpy 2: area() of a list of 256 masks or more overflows
    rng = np.random.default_rng(10)
    arrays = [random_array((20, 30), rng) for _ in range(400)]
    column = column_of([Mask.from_array(array) for array in arrays])
    counts = measure_against(column, 0, column, range(400))
    assert counts.tolist() == [(arrays[0] & array).sum() for array in arrays]
