"""Every metric under every rule of the contract, on cases that can be added up by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from inspector.core.boundary import band_width
from inspector.core.errors import UsageError
from inspector.core.metrics import METRICS, compute_metric, compute_metrics
from inspector.core.protocol import Protocol, apply_protocol
from inspector.core.run import Status
from inspector.core.scores import Scores, score_run, with_shapes
from tests.building import (
    BROKEN,
    Picture,
    Said,
    Thing,
    make_dataset,
    make_run,
    score,
    score_strips,
)
from tests.drawing import draw

PRECISIONS = [f"P@0.{tenths}" for tenths in range(5, 10)]


def metrics(scores: Scores, **rules: str) -> dict[str, float | None]:
    return compute_metrics(scores, Protocol(**rules))


def test_the_keys_are_those_of_the_contract_in_their_order():
    keys = [metric.key for metric in METRICS]
    assert keys == [
        "mIoU", "oIoU", *PRECISIONS, "boundary_mIoU", "N-acc", "T-acc", "mIoU_category",
        "box_mIoU", "box_Acc@0.5", "grounding",
    ]


def test_the_default_rules_are_those_of_the_contract():
    assert Protocol().to_json() == {"average": "sentence", "empty_union": "one", "missing": "zero"}


def test_mean_and_overall():
    scores = score_strips(
        ("########", "######.."),  # 6 / 8
        ("##......", ".#......"),  # 1 / 2
    )
    assert metrics(scores)["mIoU"] == (0.75 + 0.5) / 2
    assert metrics(scores)["oIoU"] == 7 / 10


def test_predictions_at_or_above_the_threshold_pass():
    scores = score_strips(
        ("##########", "#####....."), ("##########", "######...."), ("##########", "#######..."),
        ("##########", "########.."), ("##########", "#########."), ("##########", "##########"),
    )
    # 0.6, 0.7 … are ties that float32, or 0.1 * 7, would get wrong
    assert [metrics(scores)[key] for key in PRECISIONS] == [6 / 6, 5 / 6, 4 / 6, 3 / 6, 2 / 6]


def test_one_pixel_below_the_threshold_does_not_pass():
    scores = score_strips(("#" * 1000, "#" * 599 + "." * 401))
    assert metrics(scores)["P@0.5"] == 1.0
    assert metrics(scores)["P@0.6"] == 0.0


class TestBothEmpty:
    SCORES = score_strips(("......", "......"), ("####..", "##...."))  # both empty, 2 / 4

    @pytest.mark.parametrize(("rule", "mean", "precision"), [
        ("one", (1 + 0.5) / 2, 1.0), ("zero", 0.5 / 2, 0.5), ("skip", 0.5, 1.0),
    ])
    def test_the_rule_decides(self, rule, mean, precision):
        values = metrics(self.SCORES, empty_union=rule)
        assert values["mIoU"] == mean
        assert values["P@0.5"] == precision
        assert values["oIoU"] == 0.5  # they add nothing to either sum

    @pytest.mark.parametrize("rule", ["one", "zero", "skip"])
    def test_the_accuracies_do_not_follow_the_rule(self, rule):
        values = metrics(self.SCORES, empty_union=rule)
        assert (values["N-acc"], values["T-acc"]) == (1.0, 1.0)

    def test_without_union_there_is_no_overall(self):
        scores = score_strips(("......", "......"))
        assert metrics(scores)["oIoU"] is None
        assert metrics(scores)["mIoU"] == 1.0

    def test_where_all_are_skipped_nothing_is_defined(self):
        scores = score_strips(("......", "......"))
        values = metrics(scores, empty_union="skip")
        assert {values[key] for key in ("mIoU", "oIoU", *PRECISIONS)} == {None}
        assert values["N-acc"] == 1.0

    def test_a_false_target_counts_its_area(self):
        scores = score_strips(("......", "##...."), ("####..", "####.."))
        values = metrics(scores)
        assert values["mIoU"] == 0.5
        assert values["oIoU"] == 4 / 6


@pytest.mark.parametrize("unusable", [None, BROKEN], ids=["missing", "invalid"])
class TestWithoutUsablePrediction:
    def test_zero_counts_the_target_in_both(self, unusable):
        values = metrics(score_strips(("####", "####"), ("##..", unusable)))
        assert values["mIoU"] == 0.5
        assert values["oIoU"] == 4 / 6
        assert values["P@0.5"] == 0.5

    def test_skip_leaves_every_metric(self, unusable):
        scores = score_strips(
            ("####", "####"), ("##..", unusable), ("....", unusable), ("....", "....")
        )
        values = metrics(scores, missing="skip")
        assert [values[key] for key in ("mIoU", "oIoU", "P@0.9", "N-acc", "T-acc")] == [1.0] * 5

    @pytest.mark.parametrize("rule", ["one", "zero", "skip"])
    def test_it_never_passes_also_where_there_is_no_target(self, unusable, rule):
        values = metrics(score_strips(("....", unusable), ("####", "####")), empty_union=rule)
        assert values["mIoU"] == 0.5  # no rule for two empty masks makes it right
        assert [values[key] for key in PRECISIONS] == [0.5] * 5
        assert values["N-acc"] == 0.0

    def test_of_nothing_there_is_no_number(self, unusable):
        values = metrics(score_strips(("####", unusable)), missing="skip")
        assert set(values.values()) == {None}

    def test_it_marks_nothing(self, unusable):
        values = metrics(score_strips(("####", unusable), ("####", "#..."), ("....", "....")))
        assert values["T-acc"] == 0.5


class TestAverageOverReferents:
    SCORES = score_strips(
        ("####", "####"), ("####", "####"), ("####", "##.."),  # cup: 1, 1, 1/2
        ("####", "...."),  # dog: 0
        referents=["cup", "cup", "cup", "dog"],
    )

    def test_mean_inside_a_referent_comes_first(self):
        assert metrics(self.SCORES)["mIoU"] == 2.5 / 4
        assert metrics(self.SCORES, average="referent")["mIoU"] == pytest.approx(2.5 / 3 / 2)

    def test_precision_follows(self):
        assert metrics(self.SCORES)["P@0.9"] == 2 / 4
        assert metrics(self.SCORES, average="referent")["P@0.9"] == pytest.approx(2 / 3 / 2)

    def test_overall_does_not(self):
        assert metrics(self.SCORES)["oIoU"] == metrics(self.SCORES, average="referent")["oIoU"]

    def test_a_referent_of_which_nothing_is_left_does_not_count(self):
        scores = score_strips(
            ("####", "####"), ("####", None), ("####", None), referents=["cup", "dog", "dog"]
        )
        assert metrics(scores, average="referent")["mIoU"] == 0.5
        assert metrics(scores, average="referent", missing="skip")["mIoU"] == 1.0


class TestNoTargetAccuracy:
    def test_as_gres_counts_them(self):
        scores = score_strips(
            ("....", "...."), ("....", "#..."), ("....", "...."),  # two of three left empty
            ("####", "#..."), ("####", "...."),  # one of two marked
        )
        assert metrics(scores)["N-acc"] == pytest.approx(2 / 3)
        assert metrics(scores)["T-acc"] == 0.5

    def test_not_defined_without_no_target_examples(self):
        values = metrics(score_strips(("####", "####")))
        assert (values["N-acc"], values["T-acc"]) == (None, None)

    def test_where_no_example_has_a_target(self):
        values = metrics(score_strips(("....", "....")))
        assert (values["N-acc"], values["T-acc"]) == (1.0, None)


def test_sums_beyond_32_bits_are_exact():
    side, pictures = 10_000, 50
    full, half = [0, side * side], [0, side * side // 2, side * side // 2]
    dataset = make_dataset(*(
        Picture(
            f"{number}", (side, side),
            (Thing("a", "sky", {"size": [side, side], "counts": full}),),
            (Said(f"{number}", "sky", ("a",)),),
        )
        for number in range(pictures)
    ))
    scores = score(dataset, {
        f"{number}": {"size": [side, side], "counts": half if number else full}
        for number in range(pictures)
    })
    assert scores.union.sum() == 50 * 10**8  # more than 2 ** 32
    assert metrics(scores)["oIoU"] == (1 + 49 / 2) / 50


def test_an_example_without_truth_is_in_no_number():
    dataset = make_dataset(Picture(
        "1", (1, 4), (Thing("good", "cup", {"size": [1, 4], "counts": [0, 4]}),
                      Thing("bad", "cup", BROKEN)),
        (Said("1", "good", ("good",)), Said("2", "bad", ("bad",))),
    ))
    whole = {"size": [1, 4], "counts": [0, 4]}
    values = metrics(score(dataset, {"1": whole, "2": whole}))
    assert [values[key] for key in ("mIoU", "oIoU", *PRECISIONS)] == [1.0] * 7
    values = metrics(score(dataset, {"1": whole}))
    assert values["mIoU"] == 1.0


def test_iou_of_each_example():
    scores = score_strips(("####", "##.."), ("....", "...."), ("##..", None))
    assert apply_protocol(scores, Protocol()).iou.tolist() == [0.5, 1.0, 0.0]
    skipped = apply_protocol(scores, Protocol("sentence", "skip", "skip"))
    assert str(skipped.iou.tolist()) == "[0.5, nan, nan]"
    assert skipped.counts.tolist() == [True, False, False]


class TestByName:
    SCORES = score_strips(("####", "###."), ("####", "##.."), ("....", "...."))  # 3 / 4, 1 / 2, 1
    SCORED = apply_protocol(SCORES, Protocol())

    @pytest.mark.parametrize(("alias", "key"), [
        ("gIoU", "mIoU"), ("cIoU", "oIoU"), ("overall IoU", "oIoU"), ("Pr@0.5", "P@0.5"),
        ("N_acc", "N-acc"),
    ])
    def test_aliases(self, alias, key):
        assert compute_metric(self.SCORED, alias) == metrics(self.SCORES)[key]

    @pytest.mark.parametrize(("key", "share"), [
        ("P@0.75", 2 / 3), ("P@0.750001", 1 / 3), ("P@0.5", 1.0), ("P@1", 1 / 3), ("P@.33", 1.0),
    ])
    def test_any_threshold_is_decided_on_integers(self, key, share):
        assert compute_metric(self.SCORED, key) == pytest.approx(share)

    @pytest.mark.parametrize("key", ["P@0", "P@1.1", "P@half", "P@0.1234567", "P@1/3"])
    def test_no_threshold(self, key):
        with pytest.raises(UsageError, match="is not an IoU threshold"):
            compute_metric(self.SCORED, key)

    def test_an_unknown_metric_lists_the_known_ones(self):
        with pytest.raises(UsageError, match="No metric 'mIuO'. Choose one of: mIoU, .*'mIoU'?"):
            compute_metric(self.SCORED, "mIuO")


def test_every_category_weighs_the_same():
    categories = ["cup", "cup", "cup", "dog"]
    dataset = make_dataset(*(
        Picture(f"{n}", (1, 4), (Thing("a", category, draw("####")),), (Said(f"{n}", "x", ("a",)),))
        for n, category in enumerate(categories)
    ))
    masks = ["####", "####", "##..", "#..."]
    scores = score(dataset, {f"{n}": draw(mask) for n, mask in enumerate(masks)})
    assert metrics(scores)["mIoU"] == 2.75 / 4
    assert metrics(scores)["mIoU_category"] == pytest.approx((2.5 / 3 + 0.25) / 2)


def test_boundary_iou_is_given_once_it_was_measured():
    scores = score_strips(("####", "##.."), ("....", "...."), ("####", None))  # 1 / 2, 1, 0
    assert metrics(scores)["boundary_mIoU"] is None
    measured = with_shapes(scores)
    assert metrics(measured)["boundary_mIoU"] == 0.5
    assert metrics(measured, empty_union="zero")["boundary_mIoU"] == pytest.approx(0.5 / 3)
    assert metrics(measured, missing="skip")["boundary_mIoU"] == 0.75


@pytest.mark.parametrize("rule", ["one", "zero"])
def test_every_metric_of_a_run_with_masks_a_box_and_stated_numbers(rule):
    """Half a cup with its box, nothing, 1 where there is no target, and 0.6: no mask for two."""
    dataset = make_dataset(Picture("1", (1, 4), [Thing("a", "cup", draw("####"))], [
        Said(f"{number}", "cup", ("a",) if number != 3 else ()) for number in range(1, 5)
    ]))
    masks = make_run(dataset, [
        {"sent_id": "1", "mask": draw("##.."), "box_xywh": [0, 0, 2, 1]},
        {"sent_id": "2", "mask": None},
    ])
    run = replace(
        masks, status=np.full(4, Status.SCORED, np.int8),
        stated_iou=np.array([np.nan, np.nan, 1.0, 0.6]),
    )
    values = metrics(with_shapes(score_run(dataset, run)), empty_union=rule)
    assert values == {
        "mIoU": pytest.approx((0.5 + 0 + 1 + 0.6) / 4),  # what is stated is no empty pair
        "oIoU": None,
        "P@0.5": 3 / 4, "P@0.6": 2 / 4, "P@0.7": 1 / 4, "P@0.8": 1 / 4, "P@0.9": 1 / 4,
        "boundary_mIoU": None,  # some have a boundary, some do not
        "N-acc": 1.0,
        "T-acc": pytest.approx(2 / 3),
        "mIoU_category": pytest.approx((0.5 + 0 + 0.6) / 3),
        "box_mIoU": pytest.approx(0.5 / 3),  # without a target there is no box to hit
        "box_Acc@0.5": pytest.approx(1 / 3),
        "grounding": None,
    }


@pytest.mark.parametrize(("width", "share"), [(2.0, 1.0), (1.999999, 0.0)])
def test_a_box_of_just_half_the_target_is_accurate(width, share):
    dataset = score_strips(("####", "####")).dataset
    run = make_run(dataset, [{"sent_id": "1", "box_xywh": [0, 0, width, 1]}])
    assert metrics(score_run(dataset, run))["box_Acc@0.5"] == share


@pytest.mark.parametrize(("size", "width"), [
    ((480, 640), 16), ((375, 500), 12), ((378, 504), 13), ((3, 4), 1),  # 16, 12.5, 12.6, 0.1
])
def test_the_boundary_is_as_wide_as_a_fiftieth_of_the_diagonal_rounded(size, width):
    assert band_width(size) == width
