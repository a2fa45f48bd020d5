"""Intervals, tests and slices on numbers that can be worked out by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from inspector.analysis.coding import Coded
from inspector.analysis.compare import compare_runs
from inspector.analysis.measures import MEASURES, measure_of, measures_for, sides_of, terms_of
from inspector.analysis.permutation import permutation_test
from inspector.analysis.slices import find_slices
from inspector.core.errors import UsageError
from inspector.core.metrics import METRICS
from inspector.core.protocol import Protocol, apply_protocol
from tests.analysis.simulating import clustered, scored_of
from tests.building import random_scores


def flag(codes: list[int] | np.ndarray, key: str = "flag") -> Coded:
    """An attribute; 1 is yes."""
    return Coded(key, key.capitalize(), ("yes", "no"), 1 - np.asarray(codes), True)


@pytest.mark.parametrize("average", ["sentence", "referent"])
@pytest.mark.parametrize("missing", ["zero", "skip"])
def test_measures_equal_the_metrics(average, missing):
    for seed in range(5):
        scores = random_scores(seed)[0]
        scored = apply_protocol(scores, Protocol(average, missing=missing))
        image = scores.dataset.expressions.image
        for measure in MEASURES:
            if measure.key.startswith("box"):
                continue
            expected = next(m for m in METRICS if m.key == measure.key).compute(scored)
            above, below = terms_of(measure, scored).per_picture(image, 12)
            assert above.sum() / below.sum() == pytest.approx(expected), measure.key


def test_runs_of_boxes_are_looked_at_by_measures_of_boxes():
    masks = scored_of(np.array([0.5, 1.0]))
    boxes = replace(masks, is_boxes_only=True)
    assert measures_for(masks)[0] == "mIoU"
    assert measures_for(boxes) == measures_for(masks, boxes) == ("box_mIoU", "box_Acc@0.5")
    for measure in (*measures_for(masks), *measures_for(boxes)):
        assert measure_of(measure)


def test_the_swap_test_tries_all_ways_with_few_pictures():
    # Differences 1, 1, 1 by picture: of the 8 ways to flip signs, 2 reach a sum of 3.
    first, second = np.ones((3, 1)), np.zeros((3, 1))
    weight = np.ones((3, 1))
    assert permutation_test((first, weight), (second, weight)).tolist() == [0.25]


def test_equal_runs_do_not_differ():
    weight = np.ones((40, 1))
    assert permutation_test((weight, weight), (weight, weight)).tolist() == [1.0]


def test_a_slice_is_set_against_all_other_examples():
    # Two examples a picture: the first of each pair is in the slice and is 0.2 worse.
    image = np.repeat(np.arange(40), 2)
    iou = np.tile([0.5, 0.7], 40)
    report = find_slices([flag(np.tile([1, 0], 40))], image, scored_of(iou))
    one = report.slices[0]
    assert (one.n, one.pictures, one.is_small, one.is_found) == (40, 40, False, True)
    assert (one.mean, one.difference) == (pytest.approx(0.5), pytest.approx(-0.2))
    assert one.interval.low == pytest.approx(-0.2)
    assert (report.n, report.mean) == (80, pytest.approx(0.6))


def test_small_slices_are_marked_and_not_tested():
    image = np.arange(100)
    iou = np.where(image < 20, 0.0, 0.9)
    report = find_slices([flag(image < 20)], image, scored_of(iou))
    one = report.slices[0]
    assert one.is_small
    assert (one.p, one.q, one.interval, report.tested) == (None, None, None, 0)


def test_many_examples_on_few_pictures_are_small():
    image = np.concatenate([np.repeat(np.arange(5), 10), np.arange(5, 105)])
    report = find_slices([flag(np.arange(150) < 50)], image, scored_of(np.full(150, 0.5)))
    assert report.slices[0].is_small


def test_a_perfect_small_slice_is_no_discovery_by_itself():
    # 30 of 30 pass where 85 % do: its own variance is 0, which must not make it certain.
    rng = np.random.default_rng(0)
    iou = np.where(rng.random(1_000) < 0.85, 0.9, 0.1)
    iou[:30] = 0.9
    report = find_slices([flag(np.arange(1_000) < 30)], np.arange(1_000), scored_of(iou),
                         measure="P@0.5")
    assert report.slices[0].p > 0.01


def test_pairs_that_say_nothing_new_are_left_out():
    # Whatever is b is also a: "a and b" would be b once more.
    a, b, c = np.arange(200) < 100, np.arange(200) < 50, np.arange(200) % 2 == 0
    report = find_slices([flag(a, "a"), flag(b, "b"), flag(c, "c")], np.arange(200),
                         scored_of(np.linspace(0, 1, 200)), pairs=True, resamples=0)
    labels = {one.label: one.n for one in report.slices}
    assert {label: n for label, n in labels.items() if "·" in label} == {"A · C": 50}
    assert report.small_pairs == 1  # b and c: 25


def test_slices_of_a_difference_are_paired():
    image = np.repeat(np.arange(50), 2)
    rng = np.random.default_rng(0)
    other = rng.random(100) * 0.8
    inside = np.tile([1, 0], 50)
    report = find_slices([flag(inside)], image, scored_of(other + 0.1 * inside),
                         against=scored_of(other))
    one = report.slices[0]
    assert one.mean == pytest.approx(0.1, abs=1e-3)
    assert one.difference == pytest.approx(0.1, abs=1e-3)
    assert one.interval.low == pytest.approx(0.1, abs=1e-3)  # paired: nothing else varies


def test_examples_that_one_run_lacks_leave_the_difference():
    protocol = Protocol(missing="skip")
    there = np.array([True, True, False, True])
    first = scored_of(np.array([0.5, 0.5, 0.5, 0.5]), protocol=protocol, predicted=there)
    second = scored_of(np.array([0.1, 0.1, 0.9, 0.1]), protocol=protocol)
    found = compare_runs([("a", first), ("b", second)], np.arange(4), measures=["mIoU"])
    assert found.differences[0].value == pytest.approx(0.4)
    assert [number.value for number in found.numbers] == [pytest.approx(0.5), pytest.approx(0.3)]


def test_slices_by_referent_weigh_referents_alike():
    # Inside the slice one referent has 3 sentences at 0 and 39 have one at 0.8.
    referent = np.concatenate([np.zeros(3, int), np.arange(1, 80)])
    iou = np.concatenate([np.zeros(3), np.full(39, 0.8), np.full(40, 0.8)])
    scored = scored_of(iou, referent=referent, protocol=Protocol("referent"))
    report = find_slices([flag(referent < 40)], referent, scored)
    assert report.slices[0].mean == pytest.approx(0.8 * 39 / 40)


def test_ranks_say_how_firm_the_order_is():
    image, _, (iou,) = clustered(np.random.default_rng(0), 80)
    found = compare_runs(
        [("worse", scored_of(iou * 0.5)), ("better", scored_of(iou))], image, measures=["mIoU"])
    ranking = found.rankings[0]
    assert ranking.order == ("better", "worse")
    assert (ranking.same_order, ranking.ranks) == (1.0, ((1.0, 0.0), (0.0, 1.0)))
    assert ranking.words == "better > worse"


@pytest.mark.parametrize("names", [("a", "b"), ("b", "a")])
def test_equal_runs_tie_whichever_is_named_first(names):
    image, _, (iou,) = clustered(np.random.default_rng(0), 80)
    runs = [("worse", scored_of(iou * 0.5)), *((name, scored_of(iou)) for name in names)]
    ranking = compare_runs(runs, image, measures=["mIoU"]).rankings[0]
    assert ranking.words == f"{names[0]} = {names[1]} > worse"
    assert ranking.ranks == ((0.5, 0.5, 0.0), (0.5, 0.5, 0.0), (0.0, 0.0, 1.0))
    assert ranking.same_order == 1.0  # they tie in every resample


def test_runs_that_tie_by_chance_alone_are_not_firmly_equal():
    # One run is right on the first picture of two, the other on the second.
    runs = [(name, scored_of(np.array(iou)))
            for name, iou in (("a", [1.0, 0.0]), ("b", [0.0, 1.0]))]
    ranking = compare_runs(runs, np.arange(2), measures=["mIoU"]).rankings[0]
    assert ranking.words == "a = b"
    assert ranking.same_order == pytest.approx(0.5, abs=0.05)
    assert ranking.ranks[0] == pytest.approx((0.5, 0.5), abs=0.05)


def test_what_cannot_be_compared_is_said():
    scored = scored_of(np.ones(3))
    with pytest.raises(UsageError, match="From 2 to 10 runs can be compared, but got 1"):
        compare_runs([("a", scored)], np.arange(3))
    with pytest.raises(UsageError, match="No measure 'miou'.*Did you mean 'mIoU'"):
        measure_of("miou")
    with pytest.raises(UsageError, match="box mIoU is not defined"):
        find_slices([], np.arange(3), scored, measure="box_mIoU")


def test_the_difference_of_two_oiou_stays_two_ratios():
    sides = sides_of(measure_of("oIoU"), scored_of(np.ones(3)), scored_of(np.zeros(3)))
    assert [sign for sign, _ in sides] == [1, -1]
