from __future__ import annotations

import numpy as np
import pytest

from inspector.core.errors import UsageError
from inspector.core.mask import Mask
from inspector.core.run import Status
from inspector.core.scores import score_run
from tests.building import (
    BROKEN,
    Picture,
    Said,
    Thing,
    make_dataset,
    make_run,
    modes_of,
    random_scores,
    score,
    score_strips,
)
from tests.drawing import draw


@pytest.mark.parametrize(("target", "prediction", "intersection", "union"), [
    pytest.param("####..", "####..", 4, 4, id="equal"),
    pytest.param("####..", "..####", 2, 6, id="half shared"),
    pytest.param("##....", "....##", 0, 4, id="disjoint"),
    pytest.param("####..", "......", 0, 4, id="empty prediction"),
    pytest.param("......", "##....", 0, 2, id="no target, something marked"),
    pytest.param("......", "......", 0, 0, id="no target, nothing marked"),
    pytest.param("####..", None, 0, 4, id="missing counts the target"),
    pytest.param("####..", BROKEN, 0, 4, id="invalid counts the target"),
    pytest.param("......", None, 0, 0, id="missing without target"),
])
def test_counts(target, prediction, intersection, union):
    scores = score_strips((target, prediction))
    assert scores.intersection.tolist() == [intersection]
    assert scores.union.tolist() == [union]


def test_status_and_prediction_area():
    scores = score_strips(("##..", "#..."), ("##..", None), ("##..", BROKEN), ("....", "...."))
    assert [Status(s).name for s in scores.status] == ["SCORED", "MISSING", "INVALID", "SCORED"]
    assert scores.prediction_area.tolist() == [1, -1, -1, 0]
    assert scores.target_area.tolist() == [2, 2, 2, 0]


def test_null_says_no_target_and_is_the_empty_mask():
    dataset = score_strips(("##..", "##..")).dataset
    scores = score(dataset, {"1": None})
    assert scores.run.says_no_target.tolist() == [True]
    assert scores.prediction_area.tolist() == [0]
    assert (scores.intersection[0], scores.union[0]) == (0, 2)


def test_the_target_of_two_referents_is_their_union():
    dataset = make_dataset(Picture(
        "1", (1, 6), (Thing("a", "cup", draw("##....")), Thing("b", "cup", draw(".##..."))),
        (Said("1", "both cups", ("a", "b")),),
    ))
    scores = score(dataset, {"1": draw("####..")})
    assert (scores.intersection[0], scores.union[0]) == (3, 4)  # the shared pixel counts once


def test_an_example_without_readable_truth_is_in_no_number():
    dataset = make_dataset(Picture(
        "1", (1, 4), (Thing("good", "cup", draw("##..")), Thing("bad", "cup", BROKEN)),
        (Said("1", "good", ("good",)), Said("2", "bad", ("bad",)),
         Said("3", "both", ("good", "bad"))),
    ))
    scores = score(dataset, {"1": draw("##.."), "2": draw("##.."), "3": draw("##..")})
    assert [Status(s).name for s in scores.status] == ["SCORED", "NO_TRUTH", "NO_TRUTH"]
    assert modes_of(scores) == ["correct", "", ""]
    assert scores.coverage.examples == 1
    assert scores.coverage.matched == 1


def test_coverage_adds_up():
    scores = score_strips(("##..", "##.."), ("##..", BROKEN), ("##..", None), ("##..", "...."))
    assert scores.coverage.to_json() == {
        "examples": 4, "matched": 2, "missing": 1, "invalid": 1, "duplicate": 0, "unmatched": 0,
    }


def test_progress_ends_with_everything_done():
    dataset = score_strips(("##..", "##.."), ("##..", "##..")).dataset
    run = make_run(dataset, [{"example_id": "1", "mask": None}])
    seen: list[tuple[int, int]] = []
    score_run(dataset, run, progress=lambda done, all_: seen.append((done, all_)))
    assert seen[0] == (0, 2)
    assert seen[-1] == (2, 2)


@pytest.mark.parametrize("seed", range(4))
def test_counts_agree_with_plain_numpy(seed):
    for scores in random_scores(seed, runs=3):
        dataset, run = scores.dataset, scores.run
        for index, example in enumerate(dataset):
            if scores.status[index] == Status.NO_TRUTH:
                continue
            target = np.zeros(example.image.size_hw, bool)
            for referent in example.referents:
                target |= referent.mask.to_array()
            predicted = np.zeros_like(target)
            if scores.status[index] == Status.SCORED:
                predicted = run.masks[run.rows[index]].to_array()
                assert scores.prediction_area[index] == predicted.sum()
            else:
                assert scores.prediction_area[index] == -1
            assert scores.intersection[index] == (target & predicted).sum()
            assert scores.union[index] == (target | predicted).sum()
            assert scores.target_area[index] == target.sum()


def test_runs_do_not_disturb_each_other():
    first, second, third = random_scores(7, runs=3)
    again = score_run(first.dataset, first.run)
    assert np.array_equal(again.intersection, first.intersection)
    assert np.array_equal(again.failure, first.failure)
    assert first.dataset is second.dataset is third.dataset


def test_a_prediction_of_a_huge_picture_is_exact():
    side = 10_000
    full = {"size": [side, side], "counts": [0, side * side]}
    dataset = make_dataset(Picture(
        "1", (side, side), (Thing("a", "sky", full),), (Said("1", "all of it", ("a",)),)
    ))
    scores = score(dataset, {"1": Mask.from_runs([1, side * side - 1], (side, side))})
    assert (scores.intersection[0], scores.union[0]) == (side * side - 1, side * side)


class TestAlignment:
    """A run is a list of rows: with other examples every number of it would be wrong."""

    @staticmethod
    def strips(*names: str):
        return make_dataset(*(
            Picture(name, (1, 4), (Thing(name, "cup", draw("##..")),), (Said(name, "cup", [name]),))
            for name in names
        ))

    def test_the_same_examples_read_twice_are_the_same(self):
        run = make_run(self.strips("1", "2"), [{"example_id": "1", "mask": None}])
        assert score_run(self.strips("1", "2"), run).coverage.matched == 1

    @pytest.mark.parametrize(("names", "said"), [
        pytest.param(("2", "1"), "was loaded with other examples", id="another order"),
        pytest.param(("1", "3"), "was loaded with other examples", id="other examples"),
        pytest.param(("1",), "is of 2 examples, the data set of 1.", id="fewer examples"),
    ])
    def test_others_are_refused(self, names, said):
        run = make_run(self.strips("1", "2"), [{"example_id": "1", "mask": None}])
        with pytest.raises(UsageError, match=said):
            score_run(self.strips(*names), run)
