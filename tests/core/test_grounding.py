"""Which object a prediction fits best, on pictures that can be checked by looking."""

from __future__ import annotations

import numpy as np
import pytest

from inspector.core import classifying, grounding
from inspector.core.scores import score_run
from inspector.formats.building import DatasetBuilder
from tests.building import (
    BROKEN,
    Picture,
    Said,
    Thing,
    make_dataset,
    make_run,
    random_scores,
    score,
)
from tests.drawing import draw

ON_TARGET, ELSEWHERE = 1, 0


def grounded(target, prediction, *others) -> int:
    """Say what one prediction fits, of a target and other objects of its picture."""
    things = [Thing("target", "cup", target)]
    things += [Thing(f"other {number}", "cup", mask) for number, mask in enumerate(others)]
    dataset = make_dataset(Picture("1", target.size_hw, things, (Said("1", "x", ("target",)),)))
    return int(score(dataset, {"1": prediction}).grounded[0])


def test_the_better_fit_decides():
    left, right = draw("###......."), draw(".......###")
    assert grounded(left, draw("##.......#"), right) == ON_TARGET
    assert grounded(left, draw("#.......##"), right) == ELSEWHERE


def test_of_two_that_fit_alike_it_is_the_target_though_the_box_promises_less():
    prediction = draw("#....",
                      "#....",
                      "####.")
    target = draw("#....",
                  "#....",
                  ".....")  # 2 of 6
    other = draw(".....",
                 ".###.",
                 ".###.")  # 3 of 9; the boxes share all of its 6 pixels
    one_more = draw(".....",
                    "..##.",
                    ".###.")  # 3 of 8
    assert grounded(target, prediction, other) == ON_TARGET
    assert grounded(target, prediction, one_more) == ELSEWHERE


def test_an_object_that_cannot_be_read_fits_nothing():
    assert grounded(draw("###......."), draw("#.......##"), BROKEN) == ON_TARGET


def test_ignored_pixels_fit_nothing():
    """Without the ignored pixels, all those on the other cup, one of its pixels is on the target.

    The rest of it lies between the two.
    """
    target, other, prediction = "###......", "......###", "#...#####"
    builder = DatasetBuilder(name="i", format="f", source="s", distractors_known=True)
    image = builder.add_image("1", file_name="", size_hw=(1, 9), location=None, where="")
    cup, _ = (
        builder.add_object(image, annotation_id=mask, category="cup", mask=draw(mask), where="")
        for mask in (target, other)
    )
    ignored = (-1, builder.add_ignored(image, draw(other)))
    for number, region in enumerate(ignored):
        builder.add_expression(
            image, sentence="cup", sent_id=f"{number}", example_id=f"{number}", objects=(cup,),
            split="val", ignored=region,
        )
    dataset = builder.build(split="val")
    lines = [{"example_id": f"{number}", "mask": draw(prediction)} for number in range(2)]
    assert score_run(dataset, make_run(dataset, lines)).grounded.tolist() == [ELSEWHERE, ON_TARGET]


@pytest.mark.parametrize("size", [1, 7])
def test_what_is_measured_in_batches_is_what_is_measured_at_once(monkeypatch, size):
    (whole,) = random_scores(21, pictures=15)
    monkeypatch.setattr(classifying, "_BATCH", size)
    monkeypatch.setattr(grounding, "_BATCH", size)
    parts = score_run(whole.dataset, whole.run)
    for column in ("failure", "other", "other_iou", "grounded"):
        np.testing.assert_array_equal(getattr(parts, column), getattr(whole, column))
