from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from inspector.core.arrow import choice_column, number_column, text_column


@pytest.mark.parametrize("values", [
    [], [""], ["a"], ["", "", ""], ["cup", "", "tasse à thé", "杯", "😀"], ["a\0b", "\n"],
    [f"sentence {number}" for number in range(1000)],
], ids=len)
def test_text_is_what_arrow_makes_of_it(values):
    column = text_column(values)
    column.validate(full=True)
    assert column.equals(pa.array(values, pa.string()))


@pytest.mark.parametrize("dtype", [bool, np.int8, np.int32, np.int64, np.uint8, np.float32, float])
@pytest.mark.parametrize("count", [0, 1, 7, 8, 9, 1000])
def test_numbers_are_what_arrow_makes_of_them(dtype, count):
    rng = np.random.default_rng(count)
    values, empty = rng.integers(0, 100, count).astype(dtype), rng.random(count) < 0.3
    kind = {"b": pa.bool_(), "f": pa.float64()}.get(np.dtype(dtype).kind, pa.int64())
    for mask in (None, empty):
        column = number_column(values, empty=mask)
        column.validate(full=True)
        assert column.equals(pa.array(values.tolist(), kind, mask=mask))


def test_nan_is_a_number():
    assert number_column(np.array([np.nan, 1.0])).null_count == 0


def test_columns_that_are_slices_of_others():
    boxes = np.arange(12.0).reshape(3, 4)
    assert number_column(boxes[:, 2]).to_pylist() == [2, 6, 10]


def test_choices_name_the_last_by_minus_one():
    assert choice_column(["dog", "cup", ""], np.array([0, -1, 1], np.int8)).to_pylist() == [
        "dog", "", "cup"
    ]
    assert choice_column([], np.zeros(0, int)).to_pylist() == []
