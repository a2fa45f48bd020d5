"""Selection and mask effect, ceiling, better than the label: exact, and checked by hand."""

from __future__ import annotations

import functools
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from inspector.core.bootstrap import Sums, bootstrap, interval_of
from inspector.core.columns import column_of
from inspector.core.dataset import Dataset
from inspector.core.failures import FAILURE_MODES, Thresholds
from inspector.core.mask import Mask
from inspector.core.protocol import Protocol, apply_protocol
from inspector.core.run import Run, Status
from inspector.core.scores import Scores, score_run
from inspector.truths.effects import is_greater
from inspector.truths.resampling import (
    METRIC_KEYS,
    interval,
    kendall_tau,
    order,
    sum_by_cluster,
)
from inspector.truths.results import Truths, compare_under_both, pair_truths
from tests.building import BROKEN, Picture, Said, Thing, make_dataset, make_run
from tests.drawing import draw
from tests.truths.pairs import grow, make_pair


@functools.cache
def generated(seed: int, protocol: Protocol, *, runs: int = 2) -> Truths:
    """Two truths and runs that grow, shrink, miss or break a mask by chance."""
    pair = make_pair(seed, ids="none", other_words=0.1, dropped_sentences=0.3, pictures=6)
    rng = np.random.default_rng(seed)
    scored = []
    for number in range(runs):
        lines = []
        for example in pair.a:
            kind = rng.choice(["grown", "missing", "broken", "none"], p=[0.7, 0.1, 0.1, 0.1])
            mask = grow(example.target.to_array(), int(rng.integers(-6, 4)))
            if kind != "missing":
                lines.append({"sent_id": example.id, "mask": {
                    "grown": Mask.from_array(mask),
                    "broken": BROKEN, "none": None,
                }[kind]})
        scored.append(score_run(pair.a, make_run(pair.a, lines, name=f"run{number}")))
    return compare_under_both(pair_truths(pair.a, pair.b), scored, protocol)


@pytest.mark.parametrize("seed", range(3))
def test_every_number_is_that_of_the_integer_sums(seed):
    truths = generated(seed, Protocol())
    for run in truths.runs:
        a, b, rows = run.scores_a, run.scores_b, truths.pair.examples_a
        sums = [
            [Fraction(int(table.intersection[chosen].sum()), int(table.union[chosen].sum())),
             Fraction(int((2 * table.intersection >= table.union)[chosen].sum()), len(chosen))]
            for table, chosen in ((a, np.arange(len(a.status))), (a, rows),
                                  (b, np.arange(len(b.status))))
        ]
        for place, key in enumerate(("oIoU", "P@0.5")):
            a_all, a_matched, b_matched = (row[place] for row in sums)
            assert run.a_all[key] == float(a_all)
            assert run.a_matched[key] == float(a_matched)
            assert run.b_matched[key] == float(b_matched)


@pytest.mark.parametrize("seed", range(3))
def test_the_scores_under_b_are_those_of_scoring_under_b(seed):
    """Carrying a run over gives what its masks score when they are keyed to B itself."""
    truths = generated(seed, Protocol())
    pair = truths.pair
    for run in truths.runs:
        for place, (one, other) in enumerate(
            zip(pair.examples_a.tolist(), pair.examples_b.tolist(), strict=True)
        ):
            row = run.scores_a.run.rows[one]
            target = pair.b[other].target.to_array()
            assert run.scores_b.status[place] == run.scores_a.status[one]
            found = run.scores_a.run.masks[row].to_array() if row >= 0 else np.zeros_like(target)
            assert run.scores_b.intersection[place] == (found & target).sum()
            assert run.scores_b.union[place] == (found | target).sum()


@pytest.mark.parametrize("seed", range(3))
def test_better_than_the_label_is_counted_exactly(seed):
    truths = generated(seed, Protocol())
    pair = truths.pair
    for run in truths.runs:
        expected = set()
        for place, (one, other) in enumerate(
            zip(pair.examples_a.tolist(), pair.examples_b.tolist(), strict=True)
        ):
            a, b = pair.a[one].target.to_array(), pair.b[other].target.to_array()
            label = Fraction(int((a & b).sum()), int((a | b).sum()))
            found = run.scores_b
            if found.status[place] == Status.SCORED:
                iou = Fraction(int(found.intersection[place]), int(found.union[place]))
                expected |= {one} if iou > label else set()
        assert set(run.better_than_label.tolist()) == expected
        assert len(run.better_than_label) == len(expected) == len(run.gain)
        assert (np.diff(run.gain) <= 0).all() and (run.gain > 0).all()


def test_the_ceiling_is_the_iou_of_the_two_truths():
    truths = generated(0, Protocol())
    pair = truths.pair
    ious = []
    for one, other in zip(pair.examples_a.tolist(), pair.examples_b.tolist(), strict=True):
        a, b = pair.a[one].target.to_array(), pair.b[other].target.to_array()
        ious.append((a & b).sum() / (a | b).sum())
    for run in truths.runs:
        assert run.ceiling["mIoU"] == pytest.approx(np.mean(ious), abs=1e-12)
        assert run.ceiling["P@0.9"] == np.mean(np.array(ious) >= 0.9)


@pytest.fixture
def toy() -> Truths:
    """Two pictures of ten pixels; B drops the second and trims the first from 4 pixels to 2."""
    a = make_dataset(
        Picture("1", (1, 10), [Thing("1", "cup", draw("####......"))],
                [Said("1", "the cup", ["1"]), Said("2", "cup", ["1"])]),
        Picture("2", (1, 10), [Thing("2", "dog", draw("##########"))],
                [Said("3", "rude words", ["2"])]),
    )
    b = make_dataset(Picture(
        "1", (1, 10), [Thing("9", "cup", draw("##........"))],
        [Said("", "cup", ["9"], sample_id="9"), Said("", "the cup", ["9"], sample_id="9")],
    ))
    run = make_run(a, [
        {"sent_id": "1", "mask": draw("##........")}, {"sent_id": "2", "mask": draw("####......")},
        {"sent_id": "3", "mask": draw("##########")},
    ])
    return compare_under_both(pair_truths(a, b), [score_run(a, run)], Protocol())


def test_thresholds_of_the_runs_hold_for_both_truths(toy):
    # Both truths share 2 of 4 pixels; the first prediction is B's mask, the second A's.
    strict = Thresholds(iou=0.95)
    a, run = toy.pair.a, toy.runs[0].scores_a.run
    pair = pair_truths(a, toy.pair.b, thresholds=strict)
    (effects,) = compare_under_both(pair, [score_run(a, run, thresholds=strict)], Protocol()).runs
    assert pair.label.thresholds == effects.scores_b.thresholds == strict
    assert modes(toy.pair.label)[0] == "correct"
    assert "correct" not in modes(pair.label)
    assert modes(effects.scores_b)[0] == "correct"
    lenient = pair_truths(a, toy.pair.b, thresholds=Thresholds(iou=0.5))
    assert modes(lenient.label)[:2] == ["correct", "correct"]


def modes(scores: Scores) -> list[str]:
    return [FAILURE_MODES[row].key for row in scores.failure]


class TestByHand:
    def test_scores(self, toy):
        (run,) = toy.runs
        assert run.a_all["mIoU"] == (0.5 + 1 + 1) / 3
        assert run.a_matched["mIoU"] == 0.75
        assert run.b_matched["mIoU"] == 0.75  # 1 and 0.5, the other way round
        assert (run.a_all["oIoU"], run.a_matched["oIoU"]) == (16 / 18, 6 / 8)
        assert run.b_matched["oIoU"] == 4 / 6
        assert run.selection_effect["mIoU"].value == pytest.approx(-1 / 12)
        assert run.mask_effect["mIoU"].value == 0
        assert run.mask_effect["oIoU"].value == pytest.approx(-1 / 12)
        assert (run.examples_all, run.examples_matched) == (3, 2)

    def test_ceiling_and_better_than_the_label(self, toy):
        (run,) = toy.runs
        assert (run.ceiling["mIoU"], run.ceiling["P@0.5"], run.ceiling["P@0.6"]) == (0.5, 1, 0)
        assert run.better_than_label.tolist() == [0]  # 1 > 0.5; the other is A's mask itself
        assert run.gain.tolist() == [0.5]
        assert toy.best_for_talk(0).tolist() == [0]

    def test_what_was_removed(self, toy):
        assert toy.pair.removed.tolist() == [2]
        assert toy.pair.b_of_a.tolist() == [1, 0, -1]
        assert toy.pair.row_of_example.tolist() == [0, 0, -1]
        assert toy.pair.summary["area_ratio"] == 0.5
        assert toy.pair.summary["mIoU"] == 0.5

    def test_an_interval_of_one_picture_with_matches_is_not_pretended(self, toy):
        (run,) = toy.runs
        # one of four draws has no picture of B at all, the rest are that picture alone
        assert run.mask_effect["mIoU"] == (0, None, None)

    def test_one_run_has_no_rank(self, toy):
        assert toy.rank_change == {}


def test_a_file_of_counts_cannot_be_scored_under_another_truth():
    a = make_dataset(Picture("1", (1, 4), [Thing("1", "cup", draw("##.."))],
                             [Said("1", "cup", ["1"])]))
    run = Run(
        name="counts", source="", format="rela", status=np.array([Status.SCORED], np.int8),
        rows=np.array([-1], np.int32), masks=column_of([]), says_no_target=np.zeros(1, bool),
        counts=np.array([[1, 2]]),
    )
    truths = compare_under_both(pair_truths(a, a), [score_run(a, run)], Protocol())
    (effects,) = truths.runs
    assert (effects.a_matched["mIoU"], effects.ceiling["mIoU"]) == (0.5, 1)
    assert (effects.b_matched["mIoU"], effects.mask_effect["mIoU"]) == (None, (None, None, None))
    assert effects.better_than_label is None
    assert effects.selection_effect["mIoU"].value == 0
    assert [problem.code for problem in truths.problems] == ["truths-counts"]


def test_a_run_of_boxes_is_carried_over_as_boxes():
    a = make_dataset(Picture("1", (2, 8), [Thing("1", "cup", draw("####....", "####...."))],
                             [Said("1", "cup", ["1"])]))
    b = make_dataset(Picture("1", (2, 8), [Thing("1", "cup", draw("##......", "##......"))],
                             [Said("1", "cup", ["1"])]))
    run = make_run(a, [{"sent_id": "1", "box_xywh": [0, 0, 2, 2]}])
    (effects,) = compare_under_both(pair_truths(a, b), [score_run(a, run)], Protocol()).runs
    assert (effects.a_matched["box_mIoU"], effects.b_matched["box_mIoU"]) == (0.5, 1)
    assert effects.a_matched["mIoU"] is None
    assert effects.mask_effect["mIoU"] == (None, None, None)
    assert effects.better_than_label.tolist() == []


def test_examples_without_target_are_carried_and_score_by_the_empty_rule():
    said = [Said("1", "cup", ["1"]), Said("2", "the dog", [], ref_id="7")]
    a = make_dataset(Picture("1", (1, 4), [Thing("1", "cup", draw("##.."))], said))
    run = make_run(a, [{"sent_id": "1", "mask": draw("##..")}, {"sent_id": "2", "mask": None}])
    (effects,) = compare_under_both(pair_truths(a, a), [score_run(a, run)], Protocol()).runs
    assert effects.b_matched["mIoU"] == effects.ceiling["mIoU"] == 1
    assert (effects.b_matched["N-acc"], effects.ceiling["N-acc"]) == (1, 1)
    assert len(effects.better_than_label) == 0


def test_a_truth_that_cannot_be_read_on_one_side_is_in_no_effect():
    def one(mask: object) -> Dataset:
        return make_dataset(Picture(
            "1", (1, 4), [Thing("1", "cup", mask), Thing("2", "cup", draw("..##"))],
            [Said("1", "cup", ["1"]), Said("2", "other cup", ["2"])],
        ))
    a = one(draw("##.."))
    pair = pair_truths(a, one(BROKEN))
    run = make_run(a, [{"sent_id": "1", "mask": draw("##..")},
                       {"sent_id": "2", "mask": draw("..#.")}])
    (effects,) = compare_under_both(pair, [score_run(a, run)], Protocol()).runs
    assert (len(pair.match), pair.examples_a.tolist(), pair.removed.tolist()) == (2, [1], [])
    assert pair.shapes.is_measured.tolist() == [False, True]
    assert (effects.a_matched["mIoU"], effects.b_matched["mIoU"]) == (0.5, 0.5)
    assert [(problem.code, problem.where) for problem in pair.problems] == [
        ("broken-mask", "B, annotation 1")]


class TestIntervals:
    def test_they_are_those_of_the_other_analyses(self):
        # Five pictures: plain percentiles held the truth in 83 of 100 cases, these in 91.
        drawn = bootstrap(Sums(np.arange(5.0)[:, None], np.ones((5, 1))))[:, 0]
        expected = interval_of(drawn, 5)
        assert interval(2.0, drawn, 5) == (2.0, expected.low, expected.high)
        low, high = np.percentile(drawn, (2.5, 97.5))
        assert expected.low < low and high < expected.high

    def test_sums_are_ratios_of_all_metrics(self):
        (run,) = generated(0, Protocol(), runs=1).runs
        scored = apply_protocol(run.scores_a, Protocol())
        image = run.scores_a.dataset.expressions.image
        sums = sum_by_cluster(scored, image, int(image.max()) + 1)
        expected = [run.a_all[key] for key in METRIC_KEYS]
        assert sums.ratio.tolist() == pytest.approx(expected, abs=1e-12)

    def test_undefined_draws_give_no_interval(self):
        assert interval(0.5, np.array([np.nan, np.nan, 0.5]), 3)[1:] == (None, None)

    def test_one_picture_gives_no_interval(self):
        assert interval(0.5, np.array([0.5, 0.5, 0.5]), 1) == (0.5, None, None)


@pytest.mark.parametrize(("one", "other", "tau"), [
    ([3, 2, 1], [30, 20, 10], 1), ([3, 2, 1], [1, 2, 3], -1), ([4, 3, 2, 1], [4, 3, 1, 2], 2 / 3),
    ([2, 1], [1, 2], -1), ([1, 1, 0], [1, 1, 0], 1), ([2, 1, 0], [1, 1, 0], 2 / 6**0.5),
])
def test_kendall_tau(one, other, tau):
    assert kendall_tau(np.array(one, float), np.array(other, float)) == pytest.approx(tau)


def test_rank_change_of_two_runs_that_swap():
    """One run copies A's inflated masks, the other draws B's: each wins under its own truth."""
    pair = make_pair(3, dropped=0.0, other_words=0.0, same_words=0.0)
    both = pair_truths(pair.a, pair.b)
    lines = {"coarse": [], "tight": []}
    for one, other in zip(both.examples_a.tolist(), both.examples_b.tolist(), strict=True):
        lines["coarse"].append({"sent_id": pair.a[one].id, "mask": pair.a[one].target})
        lines["tight"].append({"sent_id": pair.a[one].id, "mask": pair.b[other].target})
    scores = [score_run(pair.a, make_run(pair.a, of, name=name)) for name, of in lines.items()]
    truths = compare_under_both(both, scores, Protocol())
    change = truths.rank_change["mIoU"]
    assert (change.a_all, change.b_matched) == (("coarse", "tight"), ("tight", "coarse"))
    assert change.mask == change.whole == (-1, -1, -1)
    assert change.selection == (1, 1, 1)
    assert change.turned == 1
    assert truths.runs[1].b_matched["mIoU"] == 1
    assert truths.runs[1].a_matched["mIoU"] == truths.runs[1].ceiling["mIoU"]
    grown = sum(pair.grown[rows] > 0 for rows in
                (pair.a[one].referents[0].annotation_id for one in both.examples_a.tolist()))
    assert len(truths.runs[1].better_than_label) == grown
    assert len(truths.runs[0].better_than_label) == 0


# Two pictures, p and q; B drops y and v and trims the rest. Of each run the masks for 1 to 5.
UNDER_A = {"1": ("p", "x", "####......"), "2": ("p", "x", "####......"),
           "3": ("p", "y", "......####"), "4": ("q", "z", "######...."),
           "5": ("q", "v", ".......###")}
UNDER_B = {"4": ("q", "z", "####......"), "1": ("p", "x", "##........"),
           "2": ("p", "x", "##........")}
GIVEN = {
    "broad": {"1": "###.......", "2": "####......", "3": "......####", "4": "###.......",
              "5": ".......###"},
    "as A": {"1": "####......", "3": "..........", "4": "######....", "5": ".........."},
    "as B": {"1": "##........", "2": "##........", "3": "..........", "4": "####......",
             "5": ".........."},
}


def truth_of(said: dict[str, tuple[str, str, str]]) -> Dataset:
    pictures: dict[str, tuple[dict[str, Thing], list[Said]]] = {}
    for sentence, (picture, name, mask) in said.items():
        things, sentences = pictures.setdefault(picture, ({}, []))
        things[name] = Thing(name, "cup", draw(mask))
        sentences.append(Said(sentence, f"cup {sentence}", [name], name))
    return make_dataset(*(
        Picture(picture, (1, 10), tuple(things.values()), sentences)
        for picture, (things, sentences) in pictures.items()
    ))


def numbers(
    run: str, truth: dict[str, tuple[str, str, str]], sentences: str, p: int = 1, q: int = 1
) -> dict[str, float]:
    """Score a run in plain Python, each referent as one, with each picture drawn so often."""
    rows = []
    for sentence in sentences:
        picture, referent, target = truth[sentence]
        masks = target, GIVEN[run].get(sentence, "." * 10)
        marked = [{place for place, sign in enumerate(mask) if sign == "#"} for mask in masks]
        alike = sum(truth[other][1] == referent for other in sentences)
        drawn = {"p": p, "q": q}[picture]
        rows.append((drawn, drawn / alike, len(marked[0] & marked[1]), len(marked[0] | marked[1])))
    whole = sum(weight for _, weight, _, _ in rows)
    return {
        "mIoU": sum(weight * shared / covered for _, weight, shared, covered in rows) / whole,
        "oIoU": sum(drawn * shared for drawn, _, shared, _ in rows)
        / sum(drawn * covered for drawn, _, _, covered in rows),
    } | {
        f"P@0.{tenths}": sum(weight for _, weight, shared, covered in rows
                             if 10 * shared >= tenths * covered) / whole
        for tenths in range(5, 10)
    }


class TestTwoPicturesInPlainPython:
    @pytest.fixture(scope="class")
    def truths(self) -> Truths:
        a = truth_of(UNDER_A)
        scores = [
            score_run(a, make_run(a, [
                {"sent_id": sentence, "mask": draw(mask)} for sentence, mask in masks.items()
            ], name=name))
            for name, masks in GIVEN.items()
        ]
        return compare_under_both(
            pair_truths(a, truth_of(UNDER_B)), scores, Protocol(average="referent"))

    @pytest.mark.parametrize("key", METRIC_KEYS)
    @pytest.mark.parametrize("place", range(3), ids=GIVEN)
    def test_effects_with_their_intervals(self, place, key, truths):
        """With two pictures an interval goes to the ends: one of the two drawn twice, or both."""
        run = truths.runs[place]
        for effect, (before, after) in {
            "selection_effect": ((UNDER_A, "12345"), (UNDER_A, "124")),
            "mask_effect": ((UNDER_A, "124"), (UNDER_B, "124")),
        }.items():
            drawn = [
                numbers(run.name, *after, p, 2 - p)[key] - numbers(run.name, *before, p, 2 - p)[key]
                for p in (1, 0, 2)
            ]
            expected = drawn[0], min(drawn), max(drawn)
            assert getattr(run, effect)[key] == pytest.approx(expected, abs=1e-12)

    def test_the_order_of_the_runs(self, truths):
        change = truths.rank_change["mIoU"]
        assert change.a_all == ("broad", "as A", "as B")
        assert change.a_matched == ("as A", "broad", "as B")  # one of three pairs is turned
        assert change.b_matched == ("as B", "broad", "as A")  # all three, then two of three
        taus = change.selection.value, change.mask.value, change.whole.value
        assert taus == pytest.approx((1 / 3, -1, -1 / 3))

    def test_what_a_rule_leaves_out_is_not_counted(self, truths):
        scores = [run.scores_a for run in truths.runs]
        skipping = compare_under_both(truths.pair, scores, Protocol(missing="skip"))
        counted = [(run.examples_all, run.examples_matched) for run in skipping.runs]
        assert counted == [(5, 3), (4, 2), (5, 3)]


def test_where_a_file_states_an_iou_no_pixels_are_added_up():
    a = truth_of(UNDER_B)
    run = make_run(a, [{"sent_id": "1", "mask": draw("##........")}])
    stated = replace(run, status=np.full(3, Status.SCORED, np.int8),
                     stated_iou=np.array([0.5, np.nan, 0.7]))
    scored = apply_protocol(score_run(a, stated), Protocol())
    sums = sum_by_cluster(scored, np.array([0, 1, 1]), 2)
    found = dict(zip(METRIC_KEYS, sums.ratio.tolist(), strict=True))
    assert np.isnan(found.pop("oIoU"))
    assert found == pytest.approx({
        "mIoU": 2.2 / 3, "P@0.5": 1, "P@0.6": 2 / 3, "P@0.7": 2 / 3, "P@0.8": 1 / 3, "P@0.9": 1 / 3,
    })


def test_order_keeps_equal_runs_as_given():
    assert order(["x", "y", "z"], [0.5, 0.7, 0.5]) == ("y", "x", "z")


def test_fractions_are_compared_exactly():
    big = 99_999_999
    part, whole = np.array([big - 1, big, 0]), np.array([big, big, 0])
    assert is_greater(part, whole, np.array([big - 2] * 3), np.array([big - 1] * 3)).tolist() == [
        True, True, False]
