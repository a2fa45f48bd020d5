"""How two masks differ: shifts that are known, parts and holes that can be counted by eye."""

from __future__ import annotations

import json

import numpy as np
import pytest

from inspector.core.boundary import measure_boundary
from inspector.core.errors import SizeMismatchError
from inspector.core.mask import Mask
from inspector.core.overlap import measure_overlap
from inspector.truths.matching import match_referents
from inspector.truths.shape import compare_shapes, measure_shape
from tests.drawing import draw, random_arrays
from tests.truths.pairs import grow, make_pair


@pytest.mark.parametrize("seed", range(4))
def test_the_shift_of_grown_masks_is_recovered_within_half_a_pixel(seed):
    pair = make_pair(seed)
    match = match_referents(pair.a, pair.b)
    shapes = compare_shapes(match)
    expected = [pair.grown[match.referents_a.annotation_ids[row]] for row in match.rows_a.tolist()]
    assert set(expected) == {0, 1, 2, 3, 4, 5}
    assert np.abs(shapes.shift - expected).max() < 0.5
    still = np.array(expected) == 0
    assert (shapes.shift[still] == 0).all() and (shapes.iou[still] == 1).all()
    assert (shapes.area_ratio[~still] < 1).all()


@pytest.mark.parametrize("pixels", [1, 2, 3, 4, 5])
def test_it_is_recovered_on_real_outlines(pixels, shared_data):
    instances = json.loads((shared_data / "refer" / "refcoco" / "instances.json").read_text())
    sizes = {image["id"]: (image["height"], image["width"]) for image in instances["images"]}
    errors = []
    for record in instances["annotations"]:
        if record["iscrowd"] or record["area"] < 400:
            continue
        tight = Mask.from_coco(record["segmentation"], sizes[record["image_id"]])
        grown = Mask.from_array(grow(tight.to_array(), pixels))
        errors.append(abs(measure_shape(grown, tight).shift - pixels))
    assert len(errors) > 50
    # A disc of whole pixels grows slanted edges by less than its radius: 3.5 for radius 4.
    assert np.mean(errors) < 0.2
    assert np.max(errors) < 0.5


def test_turned_round_it_is_the_same_with_the_other_sign():
    for one, other in zip(random_arrays(60, seed=1), random_arrays(60, seed=1), strict=True):
        other = np.roll(other, 1, axis=0)
        a, b = Mask.from_array(one), Mask.from_array(other)
        there, back = measure_shape(a, b), measure_shape(b, a)
        assert there.shift == -back.shift or (np.isnan(there.shift) and np.isnan(back.shift))
        assert (there.parts_gained, there.holes_a) == (back.parts_lost, back.holes_b)


def test_counts_are_those_of_the_core():
    for one, other in zip(random_arrays(60, seed=2), random_arrays(60, seed=2), strict=True):
        a, b = Mask.from_array(one), Mask.from_array(np.roll(other, 2, axis=1))
        shape = measure_shape(a, b)
        assert shape[:2] == measure_overlap(a, b)
        assert shape[2:4] == measure_boundary(a, b)


def test_a_mask_is_not_shifted_from_itself():
    for array in random_arrays(60, seed=3):
        shift = measure_shape(Mask.from_array(array), Mask.from_array(array)).shift
        assert shift == 0 or np.isnan(shift)


def test_the_edge_of_the_picture_is_no_edge_of_the_mask():
    a, b = draw(*["######...."] * 12), draw(*["####......"] * 12)
    assert measure_shape(a, b).shift == pytest.approx(2, abs=0.01)
    everything = draw(*["##########"] * 12)
    assert np.isnan(measure_shape(everything, everything).shift)


def test_a_hole_that_one_of_them_fills_does_not_count_as_a_shift():
    ring = np.zeros((60, 60), bool)
    ring[10:50, 10:50] = True
    filled = ring.copy()
    ring[22:38, 22:38] = False
    shape = measure_shape(Mask.from_array(filled), Mask.from_array(ring))
    assert (shape.shift, shape.holes_a, shape.holes_b) == (0, 0, 1)


def test_without_pixels_there_is_no_shift():
    shape = measure_shape(draw("#..", "..."), draw("...", "..."))
    assert np.isnan(shape.shift)
    assert shape[:2] == (0, 1)
    assert (shape.parts_a, shape.parts_b, shape.parts_gained, shape.parts_lost) == (1, 0, 0, 1)


def test_parts_and_holes():
    a = draw(
        "###...##",
        "#.#...##",
        "###.....",
        "......#.",
    )
    b = draw(
        "###.....",
        "####....",
        "####...#",
        "#.#.....",
    )
    shape = measure_shape(a, b)
    assert (shape.parts_a, shape.parts_b) == (3, 2)  # pixels that touch at a corner are one part
    assert (shape.parts_gained, shape.parts_lost) == (1, 2)
    assert (shape.holes_a, shape.holes_b) == (1, 0)  # the picture's edge closes nothing in


def test_sizes_must_agree():
    with pytest.raises(SizeMismatchError, match="the mask is 2 x 1 pixels"):
        measure_shape(draw("..."), draw(".."))
