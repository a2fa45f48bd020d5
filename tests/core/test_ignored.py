"""Pixels that count neither for nor against a prediction."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest

from inspector.core.errors import MaskError, SizeMismatchError
from inspector.core.mask import Mask, subtract
from inspector.core.scores import score_run, with_shapes
from inspector.formats.building import DatasetBuilder
from tests.building import make_run
from tests.drawing import draw, random_array


def dataset_of(target, ignored):
    """Build one picture that is a row of pixels; a target without ``#`` is a no-target example."""
    builder = DatasetBuilder(name="i", format="f", source="s", distractors_known=False)
    image = builder.add_image("1", file_name="", size_hw=(1, len(target)), location=None, where="")
    objects = ()
    if "#" in target:
        objects = (builder.add_object(image, annotation_id="a", category="cup",
                                      mask=draw(target), where="a"),)
    builder.add_expression(
        image, sentence="cup", sent_id="1", example_id="1", objects=objects, split="val",
        ignored=builder.add_ignored(image, draw(ignored)),
    )
    return builder.build(split="val")


@pytest.mark.parametrize(("target", "ignored", "predicted", "expected"), [
    pytest.param("##....", "..##..", "##....", (2, 2, 2), id="outside it"),
    pytest.param("##....", "..##..", "####..", (2, 2, 2), id="over it"),
    pytest.param("##....", "..##..", "..###.", (0, 3, 1), id="over it and beyond"),
    pytest.param("###...", "..##..", "####..", (2, 2, 2), id="where it lies on the target"),
    pytest.param("##....", "..##..", "..##..", (0, 2, 0), id="on it alone"),
    pytest.param("......", "..##..", "..##..", (0, 0, 0), id="no target, on it alone"),
    pytest.param("......", "..##..", ".##...", (0, 1, 1), id="no target, beyond it"),
])
def test_they_leave_intersection_union_and_prediction(target, ignored, predicted, expected):
    dataset = dataset_of(target, ignored)
    run = make_run(dataset, [{"example_id": "1", "mask": draw(predicted)}])
    scores = score_run(dataset, run)
    assert (scores.intersection[0], scores.union[0], scores.prediction_area[0]) == expected


def test_every_number_is_that_of_masks_without_them():
    """Whatever is measured on masks: the same as if the model had not marked ignored pixels."""
    rng = np.random.default_rng(3)
    for _ in range(20):
        size = (40, 50)
        builder = DatasetBuilder(name="i", format="f", source="s", distractors_known=True)
        image = builder.add_image("1", file_name="", size_hw=size, location=None, where="")
        things = [
            builder.add_object(image, annotation_id=name, category=kind, where=name,
                               mask=Mask.from_array(random_array(size, rng)))
            for name, kind in (("a", "cup"), ("b", "cup"), ("c", "dog"))
        ]
        region = Mask.from_array(random_array(size, rng))
        for number, ignored in enumerate((region, None)):
            builder.add_expression(
                image, sentence="cup", sent_id=str(number), example_id=str(number),
                objects=(things[0],), split="val",
                ignored=builder.add_ignored(image, ignored) if ignored else -1,
            )
        dataset = builder.build(split="val")
        marked = [Mask.from_array(random_array(size, rng)) for _ in range(2)]
        cleared = [subtract(marked[0], region), marked[1]]
        with_them, without = (
            with_shapes(score_run(dataset, make_run(dataset, [
                {"example_id": str(number), "mask": mask} for number, mask in enumerate(masks)
            ]))) for masks in (marked, cleared)
        )
        for column in ("intersection", "union", "prediction_area", "failure", "other",
                       "other_iou", "grounded"):
            np.testing.assert_array_equal(getattr(with_them, column), getattr(without, column))
        for column in fields(with_them.shapes):
            np.testing.assert_array_equal(getattr(with_them.shapes, column.name),
                                          getattr(without.shapes, column.name))


def test_the_target_of_an_example_is_without_them():
    [example] = dataset_of("###...", "..##..")
    assert example.ignored == draw("..##..")
    assert example.target == draw("##....")


def test_a_target_that_is_ignored_as_a_whole_is_not_scored():
    dataset = dataset_of("##....", "###...")
    assert not dataset.is_scorable.any()
    assert [problem.code for problem in dataset.problems] == ["empty-target"]


@pytest.mark.parametrize("mask", [draw("#"), {"size": [1, 6], "counts": "1"}, None], ids=repr)
def test_a_region_that_cannot_be_read_is_refused(mask):
    builder = DatasetBuilder(name="i", format="f", source="s", distractors_known=False)
    image = builder.add_image("1", file_name="", size_hw=(1, 6), location=None, where="")
    with pytest.raises(MaskError):
        builder.add_ignored(image, mask)


def test_subtract_is_what_numpy_says():
    rng = np.random.default_rng(8)
    for _ in range(100):
        size = tuple(rng.integers(1, 20, 2).tolist())
        one, two = random_array(size, rng), random_array(size, rng)
        assert subtract(Mask.from_array(one), Mask.from_array(two)) == Mask.from_array(one & ~two)


def test_subtract_refuses_another_size():
    with pytest.raises(SizeMismatchError, match="the mask is 1 x 1 .*, the picture 2 x 1"):
        subtract(draw("##"), draw("#"))
