"""Failure modes where the file holds no mask: boxes are judged as masks are, counts as told."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from inspector.core.failures import Thresholds
from inspector.core.run import Status
from inspector.core.scores import Scores, score_run
from tests.building import Picture, Said, Thing, make_dataset, make_run, modes_of, score
from tests.drawing import draw


def score_box(
    target: str, prediction: str, *others: tuple[str, str], thresholds: Thresholds | None = None
) -> Scores:
    """Score the box of a drawing; the target is a cup, the others are (category, drawing)."""
    things = [Thing("target", "cup", draw(target))]
    things += [Thing(drawing, category, draw(drawing)) for category, drawing in others]
    dataset = make_dataset(
        Picture("1", (1, len(target)), things, (Said("1", "cup", ("target",)),))
    )
    box = list(draw(prediction).box_xywh)
    return score_run(
        dataset, make_run(dataset, [{"sent_id": "1", "box_xywh": box}]), thresholds=thresholds
    )


@pytest.mark.parametrize(("key", "target", "prediction", "others"), [
    ("correct", "####......", "##........", []),  # 2 / 4
    ("wrong_referent", "####......", "......###.", [("cup", "......####")]),
    ("wrong_object", "####......", "......###.", [("dog", "......####")]),
    ("several_objects", "####......", "..#######.", [("cup", ".......##.")]),
    ("part", "#####.....", "##........", []),  # 2 / 5, all inside
    ("spill", "###.......", "########..", []),  # 3 / 8, all covered
    ("background", "####......", "....##....", []),
    ("loose", "####......", "..######..", []),  # 2 / 8
])
def test_each_mode_of_a_box(key, target, prediction, others):
    assert modes_of(score_box(target, prediction, *others)) == [key]


def test_the_target_annotated_twice_is_no_other_object():
    # 2 / 5 with the target, 2 / 4 with its twin, which share 4 / 5
    assert modes_of(score_box("#####.....", "##........", ("cup", "####......"))) == ["part"]


def test_the_iou_with_the_other_object_is_that_of_the_boxes():
    scores = score_box("##........", "....####..", ("cup", "....##...."))
    assert modes_of(scores) == ["wrong_referent"]
    assert scores.other_iou.tolist() == [0.5]  # not 2 / 2 of the object


def test_boxes_follow_the_threshold():
    assert modes_of(score_box("####......", "##........")) == ["correct"]
    strict = score_box("####......", "##........", thresholds=Thresholds(iou=0.6))
    assert modes_of(strict) == ["part"]


@pytest.mark.parametrize(("threshold", "counts", "mode"), [
    (0.5, (50, 100), "correct"), (0.5, (49, 100), "loose"),
    (0.6, (60, 100), "correct"), (0.6, (59, 100), "loose"),
])
def test_counts_in_a_frame_of_their_own_and_a_stated_iou(threshold, counts, mode):
    cup = Picture("1", (1, 4), [Thing("a", "cup", draw("####"))], [Said("1", "cup", ["a"])])
    dataset = make_dataset(cup)
    bare = replace(
        score(dataset, {"1": draw("####")}).run, rows=np.array([-1], np.int32),
        status=np.array([Status.SCORED], np.int8),
    )
    framed = replace(bare, counts=np.array([counts]), counts_frame_hw=(480, 480))
    stated = replace(bare, stated_iou=np.array([counts[0] / counts[1]]))
    for run in (framed, stated):
        assert modes_of(score_run(dataset, run, thresholds=Thresholds(iou=threshold))) == [mode]


def test_the_box_of_several_referents_is_around_all_of_them():
    dataset = make_dataset(Picture(
        "1", (2, 8),
        [Thing("a", "cup", draw("##......", "........")),
         Thing("b", "cup", draw("........", "......##"))],
        [Said("1", "both", ["a", "b"]), Said("2", "the left one", ["a"])],
    ))
    run = make_run(dataset, [
        {"sent_id": "1", "box_xywh": [0, 0, 4, 2]}, {"sent_id": "2", "box_xywh": [0, 0, 4, 2]},
    ])
    scores = score_run(dataset, run)
    assert scores.boxes.target.tolist() == [[0, 0, 8, 2], [0, 0, 2, 1]]
    assert scores.box_iou.tolist() == [0.5, 0.25]
