from __future__ import annotations

import pytest

from inspector.core.errors import FormatError
from inspector.formats.building import DatasetBuilder
from tests.drawing import draw

LEFT, RIGHT = draw("#.."), draw("..#")


@pytest.fixture
def builder():
    return DatasetBuilder(name="b", format="f", source="s.jsonl", distractors_known=True)


def add_image(builder, image_id="1", size_hw=(1, 3)):
    return builder.add_image(
        image_id, file_name="1.jpg", size_hw=size_hw, location=None, where=f"picture {image_id}"
    )


def add_object(builder, image, ann_id, mask=LEFT, **more):
    return builder.add_object(
        image, annotation_id=ann_id, category="cup", mask=mask, where=f"object {ann_id}", **more
    )


def add_expression(builder, image, example_id, *objects, **more):
    builder.add_expression(
        image, sentence="a cup", example_id=example_id, objects=objects, split="val", **more
    )


def test_objects_may_come_in_any_order(builder):
    first, second = add_image(builder, "1"), add_image(builder, "2")
    b = add_object(builder, second, "b", RIGHT)
    a = add_object(builder, first, "a", LEFT)
    c = add_object(builder, second, "c", LEFT)
    add_expression(builder, second, "x", c)
    add_expression(builder, first, "y", a)
    add_expression(builder, second, "z", b, c)
    dataset = builder.build(split="val")
    assert [[r.annotation_id for r in e.referents] for e in dataset] == [["c"], ["a"], ["b", "c"]]
    assert [[d.annotation_id for d in e.distractors] for e in dataset] == [["b"], [], []]
    assert [e.image.id for e in dataset] == ["2", "1", "2"]
    assert dataset.target_areas.tolist() == [1, 1, 2]


def test_a_picture_without_objects_between_others(builder):
    images = [add_image(builder, str(number)) for number in range(3)]
    for number in (0, 2):
        row = add_object(builder, images[number], f"o{number}")
        add_expression(builder, images[number], f"e{number}", row)
    add_expression(builder, images[1], "e1")
    dataset = builder.build(split="val")
    assert [[r.annotation_id for r in e.referents] for e in dataset] == [["o0"], ["o2"], []]
    assert [e.distractors for e in dataset] == [(), (), ()]


def test_an_object_named_twice_by_one_sentence_is_one_referent(builder):
    image = add_image(builder)
    row = add_object(builder, image, "a")
    add_expression(builder, image, "x", row, row)
    [example] = builder.build(split="val")
    assert len(example.referents) == 1


@pytest.mark.parametrize(
    ("box", "expected"),
    [
        pytest.param([0.5, 0, 2, 1], (0.5, 0.0, 2.0, 1.0), id="as annotated"),
        pytest.param(None, (0.0, 0.0, 1.0, 1.0), id="none"),
        pytest.param([1, 2, 3], (0.0, 0.0, 1.0, 1.0), id="three numbers"),
        pytest.param("abcd", (0.0, 0.0, 1.0, 1.0), id="text"),
        pytest.param([0, 0, float("nan"), 1], (0.0, 0.0, 1.0, 1.0), id="nan"),
        pytest.param([0, 0, 10**400, 1], (0.0, 0.0, 1.0, 1.0), id="400 digits"),
    ],
)
def test_a_box_that_is_none_is_taken_from_the_mask(builder, box, expected):
    image = add_image(builder)
    add_expression(builder, image, "x", add_object(builder, image, "a", box_xywh=box))
    assert builder.build(split="val")[0].referents[0].box_xywh == expected


@pytest.mark.parametrize("size", [(0, 3), (None, None), ("4", 3), (10**6, 10**6)], ids=str)
def test_a_picture_without_a_sensible_size_raises(builder, size):
    with pytest.raises(FormatError, match=r"s\.jsonl, picture 7: size must be .* for picture 7"):
        add_image(builder, "7", size)


def test_a_mask_of_another_size_is_a_problem(builder):
    image = add_image(builder)
    add_expression(builder, image, "x", add_object(builder, image, "a", draw("#", ".", ".")))
    dataset = builder.build(split="val")
    assert dataset.is_scorable.tolist() == [False]
    [problem] = dataset.problems
    assert (problem.code, problem.severity, problem.where) == ("broken-mask", "error", "object a")
    assert problem.message == (
        "The mask is 1 x 3 pixels (width x height), the picture 3 x 1 pixels (width x height): "
        "height and width are swapped."
    )


def test_referents_are_told_apart_by_the_best_id_there_is(builder):
    image = add_image(builder)
    a, b = add_object(builder, image, "a"), add_object(builder, image, "b", RIGHT)
    for number, (row, ids) in enumerate([
        (a, {"ref_id": "1"}), (a, {"ref_id": "2"}), (b, {"ref_id": "2"}),
        (a, {"sample_id": "1"}), (a, {}), (b, {}), (a, {}),
    ]):
        add_expression(builder, image, f"e{number}", row, **ids)
    add_expression(builder, image, "nothing")
    add_expression(builder, image, "nothing either")
    dataset = builder.build(split="val")
    assert dataset.expressions.referent.tolist() == [0, 1, 1, 2, 3, 4, 3, 5, 6]
    assert dataset.referent_count == 7


def test_no_example_at_all(builder):
    with pytest.raises(FormatError, match="holds no example of split 'val'. Choose another with"):
        builder.build(split="val")


def test_equal_example_ids(builder):
    image = add_image(builder)
    for example_id in ("x", "y", "x"):
        add_expression(builder, image, example_id)
    with pytest.raises(FormatError, match="two examples have the id x; ids must be unique"):
        builder.build(split="val")


def test_an_object_of_another_picture_is_no_referent(builder):
    first, second = add_image(builder, "1"), add_image(builder, "2")
    thing = add_object(builder, first, "a")
    text = "example 7: names object a, which is on picture 1, but the sentence is about picture 2"
    with pytest.raises(FormatError, match=text):
        add_expression(builder, second, "7", thing)
