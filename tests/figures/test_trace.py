"""Outlines fill back to exactly the mask they were traced from."""

from __future__ import annotations

import numpy as np
import pytest

from inspector.figures.svg import path_data
from inspector.figures.trace import Area, trace
from tests.drawing import draw, random_arrays
from tests.figures.filling import fill


def loops_of(*rows: str) -> list[list[list[int]]]:
    return [loop.tolist() for loop in trace(draw(*rows).to_array())]


def test_one_pixel():
    assert loops_of("...", ".#.") == [[[1, 1], [2, 1], [2, 2], [1, 2]]]


def test_straight_pieces_are_one_edge():
    assert loops_of("#####", "##...") == [[[0, 0], [5, 0], [5, 1], [2, 1], [2, 2], [0, 2]]]


def test_a_hole_goes_the_other_way_round():
    outer, hole = loops_of("###", "#.#", "###")
    assert outer == [[0, 0], [3, 0], [3, 3], [0, 3]]
    assert hole == [[1, 1], [1, 2], [2, 2], [2, 1]]


@pytest.mark.parametrize("rows", [("#.", ".#"), (".#", "#.")], ids=["falling", "rising"])
def test_pixels_that_touch_at_a_corner_are_apart(rows):
    loops = loops_of(*rows)
    assert [len(loop) for loop in loops] == [4, 4]


def test_holes_that_touch_at_a_corner_are_one_loop():
    assert [len(loop) for loop in loops_of("####", "#.##", "##.#", "####")] == [4, 8]


def test_nothing_has_no_outline():
    assert trace(np.zeros((3, 4), bool)) == ()
    assert Area(np.zeros((3, 4), bool)).box_xywh == (0, 0, 0, 0)


@pytest.mark.parametrize("rule", ["evenodd", "nonzero"])
def test_random_masks_come_back(rule):
    for array in random_arrays(400, seed=8):
        assert (fill(path_data(trace(array)), array.shape, rule) == array).all()


def test_edges_are_in_turn_horizontal_and_vertical():
    for array in random_arrays(100, seed=9):
        for loop in trace(array):
            steps = np.diff(np.concatenate([loop, loop[:1]]), axis=0)
            is_horizontal = steps[:, 1] == 0
            assert steps.any(1).all()
            assert (is_horizontal[1:] != is_horizontal[:-1]).all()


def test_as_many_loops_as_regions_and_holes():
    import cv2

    for array in random_arrays(100, seed=10):
        regions = cv2.connectedComponents(array.astype(np.uint8), connectivity=4)[0] - 1
        around = np.pad(~array, 1, constant_values=True).astype(np.uint8)
        holes = cv2.connectedComponents(around, connectivity=8)[0] - 2
        assert len(trace(array)) == regions + holes


def test_noise_whose_pixels_touch_at_corners_everywhere():
    array = np.random.default_rng(1).random((120, 160)) < 0.5
    assert (fill(path_data(trace(array)), array.shape) == array).all()


def test_the_box():
    assert Area(draw("....", ".##.", "..#.").to_array()).box_xywh == (1, 1, 2, 2)
