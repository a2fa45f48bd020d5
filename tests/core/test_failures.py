"""One planted case for each failure mode, then the borders between them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from inspector.core.failures import FAILURE_MODES, Thresholds, reaches
from inspector.core.run import Status
from inspector.core.scores import Scores, score_run
from tests.building import (
    BROKEN,
    Picture,
    Said,
    Thing,
    make_dataset,
    modes_of,
    random_scores,
    score,
)
from tests.drawing import draw

KEYS = [
    "missing", "invalid", "false_target", "correct", "empty", "wrong_referent", "wrong_object",
    "several_objects", "part", "spill", "background", "loose",
]


def classify_strip(
    target: str, prediction: object, *others: tuple[str, str], crowd: bool = False
) -> Scores:
    """Score one row of pixels: the target is a cup, the others are (category, drawing)."""
    things = [Thing("target", "cup", draw(target))] if "#" in target else []
    things += [
        Thing(f"other{number}", category, draw(drawing), is_crowd=crowd)
        for number, (category, drawing) in enumerate(others)
    ]
    names = ("target",) if "#" in target else ()
    dataset = make_dataset(
        # a second sentence, so that a run can be read in which the first has no prediction
        Picture("1", (1, len(target)), things, (Said("1", "cup", names), Said("2", "none", ()))),
    )
    masks = {"2": None}
    if prediction is not None:
        masks["1"] = draw(prediction) if isinstance(prediction, str) else prediction
    return score(dataset, masks)


def mode(*arguments, **options) -> str:
    return modes_of(classify_strip(*arguments, **options))[0]


def test_the_keys_are_those_of_the_contract_in_their_order():
    assert [m.key for m in FAILURE_MODES] == KEYS


def test_the_thresholds_are_those_of_the_contract():
    assert Thresholds() == Thresholds(iou=0.5, share=0.8, covered=0.5, background=0.1, twin=0.8)


def test_every_mode_has_words_and_an_icon_of_its_own():
    assert all(m.label and m.describe(Thresholds()).endswith(".") for m in FAILURE_MODES)
    assert len({m.icon for m in FAILURE_MODES}) == len({m.label for m in FAILURE_MODES}) == 12


def test_what_is_said_of_a_mode_follows_the_thresholds():
    words = {m.key: m.describe(Thresholds(share=0.6, covered=0.25, background=0.05))
             for m in FAILURE_MODES}
    assert words["part"].startswith("At least 0.6 of the prediction lies in the target")
    assert words["spill"].startswith("At least 0.6 of the target is covered")
    assert "0.25 of the target and 0.25 of another object" in words["several_objects"]
    assert words["background"] == "IoU is below 0.05 with every known object."


@pytest.mark.parametrize(("key", "target", "prediction", "others"), [
    ("missing", "####......", None, []),
    ("invalid", "####......", BROKEN, []),
    ("false_target", "..........", "#.........", []),
    ("correct", "####......", ".####.....", []),  # 3 / 5
    ("empty", "####......", "..........", [("cup", "......####")]),
    ("wrong_referent", "####......", "......###.", [("cup", "......####")]),
    ("wrong_object", "####......", "......###.", [("dog", "......####")]),
    ("several_objects", "####......", "..#######.", [("cup", ".......##.")]),
    ("part", "######....", "##........", [("cup", "......####")]),
    ("spill", "###.......", "########..", [("cup", "........##")]),
    ("background", "####......", "....##....", [("cup", "......####")]),
    ("loose", "####......", "..######..", [("cup", ".........#")]),  # 2 / 8
], ids=KEYS)
def test_each_mode(key, target, prediction, others):
    assert mode(target, prediction, *others) == key


def test_no_target_and_nothing_marked_is_correct():
    assert mode("......", "......") == "correct"


@pytest.mark.parametrize("prediction", [None, BROKEN], ids=["missing", "invalid"])
def test_what_cannot_be_used_is_never_correct_also_without_target(prediction):
    assert mode("......", prediction) in ("missing", "invalid")


class TestPriorities:
    def test_correct_comes_before_another_object_that_fits_better(self):
        # 3 / 6 with the target, 5 / 5 with the other cup
        assert mode("####......", ".#####....", ("cup", ".#####....")) == "correct"

    def test_the_same_category_comes_before_a_better_fit_of_another(self):
        scores = classify_strip(
            "####......", "......####", ("dog", "......####"), ("cup", "......###.")
        )
        assert modes_of(scores)[0] == "wrong_referent"
        assert scores.other_iou[0] == 0.75

    def test_of_two_that_fit_the_better_one_is_named(self):
        scores = classify_strip(
            "####......", "......####", ("cup", ".....#####"), ("cup", "......####")
        )
        assert scores.dataset.objects.annotation_ids[scores.other[0]] == "other1"
        assert scores.other_iou[0] == 1.0

    def test_of_several_objects_the_one_with_most_pixels_is_named(self):
        scores = classify_strip(
            "####.............", "..###########....",
            ("cup", "....###.........."), ("cup", ".......####......"),
            ("cup", "...........##...."),
        )
        assert modes_of(scores)[0] == "several_objects"
        assert scores.dataset.objects.annotation_ids[scores.other[0]] == "other1"

    def test_wrong_object_comes_before_several_objects(self):
        # half of the target and all of the dog are covered, but the dog alone fits
        assert mode("####......", "..########", ("dog", "...#######")) == "wrong_object"

    def test_several_objects_comes_before_spill(self):
        assert mode("###.......", "##########", ("cup", ".....##...")) == "several_objects"

    def test_part_comes_before_background(self):
        assert mode("#" * 20, "#" + "." * 19) == "part"  # IoU 1 / 20

    def test_spill_comes_before_background(self):
        assert mode("#" + "." * 19, "#" * 20) == "spill"


class TestBorders:
    def test_exactly_half_is_correct(self):
        assert mode("####..", "..##..") == "correct"  # 2 / 4

    def test_one_pixel_below_half_is_not(self):
        assert mode("#####.....", "...##.....") == "part"  # 2 / 5

    def test_another_object_fits_from_exactly_half(self):
        assert mode("##........", "....##....", ("cup", "....####..")) == "wrong_referent"
        assert mode("##........", "....##....", ("cup", "....#####.")) != "wrong_referent"

    def test_half_of_target_and_half_of_other_are_several_objects(self):
        assert mode("####......", "..#####...", ("cup", ".....####.")) == "several_objects"

    def test_less_than_half_of_the_other_is_not(self):
        assert mode("####......", "..#####...", ("cup", ".....#####")) == "loose"  # 2 of 5

    def test_less_than_half_of_the_target_is_not(self):
        assert mode("#####.....", "...#####..", ("cup", "......####")) == "loose"  # 2 of 5

    def test_thresholds_can_be_moved(self):
        scores = classify_strip("####..", "..##..")
        moved = score_run(scores.dataset, scores.run, thresholds=Thresholds(iou=0.51))
        assert modes_of(scores)[0] == "correct"
        assert modes_of(moved)[0] == "part"

    def test_part_needs_exactly_four_fifths_inside(self):
        assert mode("#" * 12 + "....", "." * 8 + "#####" + "...") == "part"  # 4 of 5 pixels
        assert mode("#" * 12 + "....", "." * 9 + "####" + "...") == "loose"  # 3 of 4

    def test_spill_needs_exactly_four_fifths_covered(self):
        assert mode("#####...........", ".###############") == "spill"  # 4 of 5 pixels
        assert mode("####............", ".###############") == "loose"  # 3 of 4, IoU 3 / 16

    def test_background_is_below_a_tenth(self):
        assert mode("######.....", ".....#####.") == "loose"  # exactly 1 / 10
        assert mode("######......", ".....######.") == "background"  # 1 / 11

    def test_touching_any_object_is_not_background(self):
        assert mode("##........", "...#####..", ("dog", ".......###")) == "loose"  # 1 / 7

    @pytest.mark.parametrize(("part", "whole", "threshold", "expected"), [
        pytest.param(6, 10, 0.6, True, id="six tenths"),
        pytest.param(7, 10, 0.7, True, id="seven tenths"),
        pytest.param(3 * 10**17, 10**18, 0.3, True, id="large tie"),
        pytest.param(3 * 10**17 - 1, 10**18, 0.3, False, id="one less than a large tie"),
        pytest.param(0, 0, 0.5, True, id="nothing of nothing"),
    ])
    def test_reaches_is_decided_on_integers(self, part, whole, threshold, expected):
        assert reaches(part, whole, threshold) is expected


class TestWhatIsAnotherObject:
    def test_a_crowd_never_is(self):
        assert mode("####......", "......###.", ("cup", "......####"), crowd=True) == "background"

    def test_the_target_annotated_twice_is_not(self):
        # exactly 4 / 5 with the target; 4 / 8 with the prediction, which would be enough
        assert mode("#####.....", "####.####.", ("cup", "####......")) == "spill"

    def test_less_than_the_same_thing_twice_is(self):
        # 3 / 4 with the target; 3 / 6 with the prediction, whose IoU with the target is 3 / 7
        assert mode("####......", "###.###...", ("cup", "###.......")) == "wrong_referent"

    def test_no_object_is_named_where_none_is_to_blame(self):
        scores = classify_strip("######....", "##........", ("cup", "......####"))
        assert scores.other.tolist() == [-1, -1]
        assert all(math.isnan(value) for value in scores.other_iou)

    def test_the_referents_of_the_example_are_not(self):
        dataset = make_dataset(Picture(
            "1", (1, 10),
            (Thing("a", "cup", draw("###.......")), Thing("b", "cup", draw(".......###"))),
            (Said("1", "both", ("a", "b")), Said("2", "left", ("a",))),
        ))
        scores = score(dataset, {"1": draw("##........"), "2": draw(".......##.")})
        assert modes_of(scores) == ["part", "wrong_referent"]

    def test_it_is_of_the_same_category_if_it_has_that_of_any_referent(self):
        things = [Thing("a", "cup", draw("###.........")), Thing("b", "dog", draw("...###......")),
                  Thing("c", "cup", draw("......###...")), Thing("d", "dog", draw(".........###"))]
        dataset = make_dataset(Picture("1", (1, 12), things, [
            Said(f"{number}", "the cup and the dog", ("a", "b")) for number in range(2)
        ]))
        scores = score(dataset, {"0": things[2].mask, "1": things[3].mask})
        assert modes_of(scores) == ["wrong_referent", "wrong_referent"]

    def test_objects_of_other_pictures_are_not(self):
        cup, other = draw("###......."), draw(".......###")
        dataset = make_dataset(
            Picture("1", (1, 10), (Thing("a", "cup", cup),), (Said("1", "cup", ("a",)),)),
            Picture("2", (1, 10), (Thing("b", "cup", other),), (Said("2", "cup", ("b",)),)),
        )
        assert modes_of(score(dataset, {"1": other, "2": other})) == ["background", "correct"]

    def test_an_object_that_cannot_be_read_is_not(self):
        dataset = make_dataset(Picture(
            "1", (1, 10), (Thing("a", "cup", draw("###.......")), Thing("b", "cup", BROKEN)),
            (Said("1", "cup", ("a",)),),
        ))
        assert modes_of(score(dataset, {"1": draw(".......###")})) == ["background"]


@pytest.mark.parametrize("seed", range(5))
def test_every_score_with_a_ground_truth_gets_a_mode(seed):
    scores, = random_scores(100 + seed)
    assert FAILURE_MODES[-1].applies(None)  # always: it does not look at the case
    has_truth = scores.status != Status.NO_TRUTH
    assert ((scores.failure >= 0) == has_truth).all()
    assert (scores.failure < len(FAILURE_MODES)).all()


def test_random_data_meets_every_mode():
    seen = {key for seed in range(12) for key in modes_of(random_scores(200 + seed)[0])}
    assert seen == {*KEYS, ""}


@pytest.mark.parametrize("seed", range(3))
def test_modes_agree_with_plain_numpy(seed):
    scores, = random_scores(300 + seed, pictures=15)
    for index, key in enumerate(modes_of(scores)):
        if key:
            assert key == mode_by_pixels(scores, index)


def mode_by_pixels(scores: Scores, index: int) -> str:
    """Say the failure mode as the table in the documentation does, on dense arrays."""
    dataset, example = scores.dataset, scores.dataset[index]
    if scores.status[index] != Status.SCORED:
        return Status(scores.status[index]).name.lower()
    prediction = scores.run.masks[scores.run.rows[index]].to_array()
    target = example.target.to_array()
    if not target.any():
        return "false_target" if prediction.any() else "correct"
    if iou(prediction, target) >= 0.5:
        return "correct"
    if not prediction.any():
        return "empty"
    own = {referent.category for referent in example.referents}
    others = [
        (dataset.referent(row).category, dataset.referent(row).mask.to_array())
        for row in dataset.distractor_rows(index)
    ]
    others = [(c, mask) for c, mask in others if iou(mask, target) < 0.8]
    for key, same in (("wrong_referent", True), ("wrong_object", False)):
        best = max([iou(prediction, m) for c, m in others if (c in own) == same], default=0)
        if best >= 0.5 and best > iou(prediction, target):
            return key
    if share(prediction, target) >= 0.5 and any(share(prediction, m) >= 0.5 for _, m in others):
        return "several_objects"
    if share(target, prediction) >= 0.8:
        return "part"
    if share(prediction, target) >= 0.8:
        return "spill"
    if all(iou(prediction, mask) < 0.1 for mask in [target, *(m for _, m in others)]):
        return "background"
    return "loose"


def iou(one: np.ndarray, other: np.ndarray) -> float:
    return (one & other).sum() / max((one | other).sum(), 1)


def share(cover: np.ndarray, of: np.ndarray) -> float:
    return (cover & of).sum() / max(of.sum(), 1)
