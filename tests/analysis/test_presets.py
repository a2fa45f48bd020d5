"""Every preset against the edge cases that are documented of its evaluator, by name."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from inspector.analysis.counting import gather
from inspector.analysis.presets import PRESETS, PresetResult, compute_preset, find_preset
from inspector.analysis.protocols import PHRASES, QUANTITIES, Rules, compute_quantity, evaluate
from inspector.core.dataset import Dataset
from inspector.core.errors import UsageError
from inspector.core.mask import Mask
from inspector.core.metrics import compute_metrics
from inspector.core.protocol import Protocol
from inspector.core.scores import Scores, score_run
from inspector.formats.building import DatasetBuilder
from inspector.formats.coco import read_segmentation
from tests.building import (
    BROKEN,
    Picture,
    Said,
    Thing,
    make_dataset,
    make_run,
    random_scores,
    score,
    score_strips,
)
from tests.core.test_metrics_properties import every_protocol
from tests.drawing import draw


def printed(scores: Scores, key: str) -> PresetResult:
    return compute_preset(gather(scores), find_preset(key))


def number(scores: Scores, key: str, name: str) -> float | None:
    return printed(scores, key).numbers[name]


def saying(scores: Scores, *nothing: bool) -> Scores:
    """Let the model say of some examples that nothing is meant, whatever its masks are."""
    run = replace(scores.run, says_no_target=np.array(nothing))
    return score_run(scores.dataset, run)


MEANS = {"lisa": "giou", "lavt": "mIoU", "cris": "IoU", "rela": "gIoU", "visionreasoner": "gIoU",
         "visionreasoner-nonobj": "gIoU", "seg-zero": "gIoU", "padt": "RES CIoU"}

A, NONE = "####........", "............"  # 12 columns divide the square frame's 480 evenly


class TestVerifiedEdgeCases:
    """The table "Verified edge cases" of the published numbers."""

    @pytest.mark.parametrize(("key", "expected"), [
        ("lisa", 1.0), ("lavt", 0.0), ("cris", 0.0), ("visionreasoner", 0.0), ("padt", 0.0),
        ("visionreasoner-nonobj", 1.0), ("seg-zero", None),
    ])
    def test_both_empty(self, key, expected):
        assert number(score_strips((NONE, NONE)), key, MEANS[key]) == expected

    @pytest.mark.parametrize(("key", "said", "expected"), [
        ("rela", True, 1.0), ("rela", False, 0.0),
        ("visionreasoner-nonobj", True, 1.0), ("visionreasoner-nonobj", False, 0.0),
    ])
    def test_both_empty_where_the_statement_decides(self, key, said, expected):
        # a second example says that nothing is meant, so that the run is known to say it at all
        scores = saying(score_strips((NONE, NONE), (A, NONE)), said, True)
        assert number(scores, key, MEANS[key]) == pytest.approx(expected / 2)

    @pytest.mark.parametrize("key", MEANS)
    def test_marked_where_nothing_is_meant(self, key):
        assert number(score_strips((NONE, A)), key, MEANS[key]) == 0.0

    @pytest.mark.parametrize("key", MEANS)
    def test_nothing_marked_where_there_is_a_target(self, key):
        assert number(score_strips((A, NONE)), key, MEANS[key]) == 0.0

    @pytest.mark.parametrize(("key", "name"), [("rela", "cIoU"), ("visionreasoner", "cIoU")])
    def test_what_is_marked_where_nothing_is_meant_adds_to_the_union(self, key, name):
        assert number(score_strips((NONE, A), (A, A)), key, name) == 0.5

    def test_a_hole_where_polygons_overlap(self):
        # two squares of 12 x 12 that share 5 x 5: refer.py counts 25 of 263 pixels twice
        scores = self.overlapping_squares()
        assert number(scores, "lavt", "mIoU") == pytest.approx(1 - 25 / 263, abs=0.002)
        for key in ("cris", "rela"):
            assert number(scores, key, MEANS[key]) == pytest.approx(1.0)
        assert number(scores, "mattnet", "overall IoU") == 1.0
        assert any("1 objects have overlapping" in note for note in printed(scores, "lavt").notes)

    def test_the_documented_hole_of_lavt(self):
        # two of 23 rows lie in two polygons, so that LAVT's target has 21 of them: IoU .913
        array = np.zeros((48, 48), bool)
        array[:23, :] = True
        scores = score(
            make_dataset(Picture("1", (48, 48), (Thing("a", "cup", Mask.from_array(array)),),
                                 (Said("1", "cup", ("a",)),))),
            {"1": Mask.from_array(array)},
        )
        hole = np.zeros((48, 48), bool)
        hole[:2, :] = True
        dataset = replace(scores.dataset, doubled={0: Mask.from_array(hole)})
        assert number(score_run(dataset, scores.run), "lavt", "mIoU") == pytest.approx(21 / 23)
        assert round(21 / 23, 3) == 0.913

    def overlapping_squares(self) -> Scores:
        builder = DatasetBuilder(name="toy", format="toy", source="", distractors_known=True)
        image = builder.add_image("1", file_name="1.jpg", size_hw=(48, 48), location=None, where="")
        squares = [[0, 0, 12, 0, 12, 12, 0, 12], [7, 7, 19, 7, 19, 19, 7, 19]]
        row = builder.add_object(
            image, annotation_id="a", category="cup", where="annotation a",
            mask=read_segmentation(squares, builder, image, "annotation a"),
        )
        builder.add_expression(image, sentence="cup", sent_id="1", example_id="1", objects=(row,),
                               split="val")
        dataset = builder.build(split="val")
        assert dataset.targets.masks.areas.tolist() == [263]
        assert dataset.doubled[0].area == 25
        return score(dataset, {"1": dataset[0].target})

    def test_an_ignored_pixel(self):
        # 4 of target, 1 ignored and not marked: VisionReasoner gets .8, LISA 1
        dataset = self.with_ignored()
        scores = score(dataset, {"1": Mask.from_array(self.strip(0, 4))})
        assert number(scores, "lisa", "giou") == pytest.approx(1 - 1e-5 / 4)
        assert number(scores, "visionreasoner", "gIoU") == 0.8
        assert number(scores, "seg-zero", "gIoU") == 0.8

    def test_an_ignored_pixel_that_is_marked(self):
        dataset = self.with_ignored()
        scores = score(dataset, {"1": Mask.from_array(self.strip(0, 5))})
        assert number(scores, "lisa", "giou") == pytest.approx(1.0, abs=1e-5)
        assert number(scores, "visionreasoner", "gIoU") == 1.0

    def strip(self, begin: int, end: int) -> np.ndarray:
        array = np.zeros((1, 10), bool)
        array[0, begin:end] = True
        return array

    def with_ignored(self) -> Dataset:
        builder = DatasetBuilder(name="toy", format="toy", source="", distractors_known=True)
        image = builder.add_image("1", file_name="1.jpg", size_hw=(1, 10), location=None, where="")
        row = builder.add_object(image, annotation_id="a", category="cup", where="a",
                                 mask=Mask.from_array(self.strip(0, 4)))
        builder.add_expression(
            image, sentence="cup", sent_id="1", example_id="1", objects=(row,), split="val",
            ignored=builder.add_ignored(image, Mask.from_array(self.strip(4, 5))),
        )
        return builder.build(split="val")


class TestReLA:
    """Six samples: NT right, NT missed with 4 px, NT head missed but mask empty, target rejected,
    IoU .5, perfect."""

    SCORES = saying(score_strips(
        (NONE, NONE), (NONE, "####........"), (NONE, NONE), ("####........", NONE),
        ("########....", "####........"), ("####........", "####........"),
    ), True, False, False, True, False, False)

    def test_six_samples(self):
        numbers = printed(self.SCORES, "rela").numbers
        assert round(100 * numbers["gIoU"], 3) == 41.667
        assert round(100 * numbers["cIoU"], 3) == 40.0  # (4 + 4) / (4 + 4 + 8 + 4)
        assert round(numbers["T_acc"], 4) == 0.6667
        assert round(numbers["N_acc"], 4) == 0.3333
        assert round(100 * numbers["Pr@0.7"], 2) == 33.33

    def test_an_empty_mask_without_the_statement_is_wrong_for_rela_and_right_for_lisa(self):
        evaluation = evaluate(gather(self.SCORES), find_preset("rela").rules)
        assert evaluation.iou.tolist() == [1, 0, 0, 0, 0.5, 1]
        lisa = evaluate(gather(self.SCORES), find_preset("lisa").rules)
        assert lisa.iou.round(3).tolist() == [1, 0, 1, 0, 0.5, 1]

    def test_a_rejected_target_loses_its_mask_in_rela_and_keeps_it_in_gsva(self):
        scores = saying(score_strips((A, A), (A, A)), True, False)
        assert number(scores, "rela", "cIoU") == 0.5
        assert number(scores, "gsva", "cIoU") == 1.0

    def test_without_no_target_examples_the_accuracies_are_not_defined(self):
        numbers = printed(score_strips((A, A)), "rela").numbers
        assert (numbers["T_acc"], numbers["N_acc"]) == (None, None)

    def test_empty_masks_stand_in_where_the_run_never_says_it(self):
        result = printed(score_strips((NONE, NONE)), "rela")
        assert result.numbers["gIoU"] == 1.0
        assert any("empty masks stand for it" in note for note in result.notes)


def test_gsva_on_ref_zom_leaves_false_areas_out():
    scores = score_strips((NONE, A), (A, A))
    rules = replace(find_preset("gsva").rules, false_area="left-out")
    assert compute_quantity(evaluate(gather(scores), rules), "oIoU") == 1.0


class TestVisionReasoner:
    """Items (4/4), (empty, empty, no box), (empty, empty, with box), (0/9 without target)."""

    SCORES = saying(score_strips(
        ("####........", "####........"), (NONE, NONE), (NONE, NONE), (NONE, "#########..."),
    ), False, True, False, False)

    def test_four_items(self):
        assert number(self.SCORES, "visionreasoner", "gIoU") == 0.25
        assert number(self.SCORES, "visionreasoner-nonobj", "gIoU") == 0.50
        assert round(number(self.SCORES, "visionreasoner", "cIoU"), 4) == 0.3077
        assert round(number(self.SCORES, "visionreasoner-nonobj", "N-Acc"), 3) == 0.333

    def test_one_row_an_object(self):
        scores = score_strips((A, A), (A, NONE), (A, NONE), referents=["cup", "cup", "dog"])
        assert number(scores, "visionreasoner", "gIoU") == 0.5

    def test_the_box_of_the_first_sentence_counts(self):
        # Five sentences of one thing; the box of the first is right, those of the others are not.
        dataset = make_dataset(Picture("1", (1, 12), (Thing("a", "cup", draw(A)),), [
            Said(f"{n}", "cup", ("a",), ref_id="r") for n in range(5)
        ]))
        boxes = [[0, 0, 4, 1]] + [[8, 0, 4, 1]] * 4
        run = make_run(dataset, [
            {"example_id": f"{n}", "box_xywh": box, "mask": draw(A)}
            for n, box in enumerate(boxes)
        ])
        assert number(score_run(dataset, run), "visionreasoner", "bbox_AP") == 1.0

    def test_boxes_need_a_run_with_boxes(self):
        assert number(self.SCORES, "visionreasoner", "bbox_AP") is None


class TestCRIS:
    def test_a_perfect_prediction_is_a_millionth_of_its_union_short(self):
        assert number(score_strips((A, A)), "cris", "IoU") == 4 / (4 + 1e-6)
        assert number(score_strips((A, A)), "cris", "IoU") == pytest.approx(1 - 1e-6 / 4, abs=1e-12)

    @pytest.mark.parametrize(("tenths", "passes"), [(5, 0), (6, 0), (7, 1), (8, 0), (9, 1)])
    def test_thresholds_of_32_bits(self, tenths, passes):
        # 0.5 is itself, .6 and .8 are rounded up, .7 and .9 down: a tie passes only the latter
        scores = score_strips(("#" * 1000, "#" * (100 * tenths) + "." * (1000 - 100 * tenths)))
        assert number(scores, "cris", f"Pr@{tenths}0") == passes
        assert number(scores, "mattnet", f"Pr@0.{tenths}") == 1

    def test_without_epsilon_only_ties_differ(self):
        scores = score_strips(("##########", "######...."), ("##########", "#######..."))
        rules = Rules(reached=">")
        assert compute_quantity(evaluate(gather(scores), rules), "P@0.6") == 0.5


class TestLISA:
    def test_one_hundred_thousandth_is_added(self):
        assert number(score_strips((A, A)), "lisa", "giou") == 4 / (4 + 1e-5)

    def test_sums_of_32_bits_lose_pixels(self):
        scores = score_strips(*[("#" * 10, "#" * 10)] * 3)
        big = replace(scores, intersection=np.array([2**24, 1, 1]),
                      union=np.array([2**24, 2, 2]))
        assert number(big, "lisa", "ciou") == 2**24 / (2**24 + 4)
        assert number(big, "mattnet", "overall IoU") == (2**24 + 2) / (2**24 + 4)


class TestMissing:
    SCORES = score_strips((A, A), (A, None), (A, BROKEN))

    def test_sa2va_leaves_them_out_of_its_sums(self):
        assert number(self.SCORES, "sa2va", "GIoU") == pytest.approx(1 / 3)
        assert number(self.SCORES, "sa2va", "CIoU") == 1.0

    def test_seg_zero_drops_masks_that_could_not_be_made(self):
        assert number(self.SCORES, "seg-zero", "gIoU") == 0.5

    def test_others_count_the_target(self):
        assert number(self.SCORES, "mattnet", "overall IoU") == pytest.approx(1 / 3)


def test_padt_prints_a_mean_as_ciou():
    scores = score_strips(("########....", "####........"), (A, A))
    assert number(scores, "padt", "RES CIoU") == 0.75
    assert number(scores, "mattnet", "overall IoU") == 8 / 12


def test_the_card_of_refcoco_m_is_our_default():
    for seed in range(5):
        scores, = random_scores(500 + seed)
        expected = compute_metrics(scores, Protocol())["mIoU"]
        assert number(scores, "refcoco-m", "mIoU") == pytest.approx(expected)


def test_parts_need_levels():
    result = printed(score_strips((A, A)), "refcocom")
    assert set(result.numbers.values()) == {None}
    assert any("objects and parts" in note for note in result.notes)


def test_parts_and_objects_apart():
    scores = score_strips((A, A), ("########....", "####........"))
    words = replace(scores.dataset.expressions, levels=["object", "part"])
    dataset = replace(scores.dataset, expressions=words)
    numbers = printed(score_run(dataset, scores.run), "refcocom").numbers
    assert numbers == {"mIoU, Part": 0.5, "mIoU, Obj & Part": 0.75}


@every_protocol
@pytest.mark.parametrize("seed", range(2))
def test_the_same_rules_give_the_same_numbers_as_the_metrics(protocol, seed):
    scores, = random_scores(600 + seed)
    evaluation = evaluate(
        gather(scores), Rules(protocol.average, protocol.empty_union, protocol.missing)
    )
    metrics = compute_metrics(scores, protocol)
    found = {key: compute_quantity(evaluation, key) for key in QUANTITIES}
    assert found == pytest.approx({key: metrics[key] for key in QUANTITIES})


@pytest.mark.parametrize("seed", range(3))
def test_the_square_frame_is_a_dense_nearest_resize(seed):
    scores, = random_scores(700 + seed)
    counts = gather(scores).counts["union", "square"]
    for index in np.flatnonzero(scores.status == 1).tolist():
        target = squash(scores.dataset[index].target.to_array())
        predicted = squash(scores.run.masks[scores.run.rows[index]].to_array())
        assert counts.intersection[index] == (target & predicted).sum()
        assert counts.union[index] == (target | predicted).sum()


def squash(mask: np.ndarray) -> np.ndarray:
    """Resize as PIL's NEAREST does: the pixel under the middle of each new pixel."""
    rows, columns = (
        np.floor((np.arange(480) + 0.5) * side / 480).astype(int) for side in mask.shape
    )
    return mask[np.ix_(rows, columns)]


def test_pil_resizes_the_same_way():
    from PIL import Image

    mask = np.random.default_rng(1).random((375, 613)) < 0.5
    resized = Image.fromarray(mask.astype(np.uint8)).resize((480, 480), Image.Resampling.NEAREST)
    assert (np.asarray(resized).astype(bool) == squash(mask)).all()


def test_keys_are_unique_and_every_rule_has_words():
    assert len({preset.key for preset in PRESETS}) == len(PRESETS)
    for preset in PRESETS:
        for name in Rules.__slots__:
            assert (name, getattr(preset.rules, name)) in PHRASES


def test_an_unknown_preset_names_the_near_one():
    with pytest.raises(UsageError, match="Did you mean 'lavt'"):
        find_preset("lavd")


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.key)
def test_perfect_predictions_are_perfect_everywhere(preset):
    scores = score_strips((A, A), ("########....", "########...."))
    for name, value in compute_preset(gather(scores), preset).numbers.items():
        assert value is None or value == pytest.approx(1.0, abs=1e-5), name


def test_a_file_of_counts_has_no_other_frame():
    scores = score_strips((A, A))
    run = replace(scores.run, rows=np.full(1, -1, np.int32), counts=np.array([[3, 4]]))
    result = printed(score_run(scores.dataset, run), "lavt")
    assert set(result.numbers.values()) == {None}
    assert any("holds no masks" in note for note in result.notes)
    assert number(score_run(scores.dataset, run), "mattnet", "overall IoU") == 0.75


RULES = [
    Rules(), *(preset.rules for preset in PRESETS), Rules(average="referent"),
    Rules(empty_union="skip", missing="skip"), Rules(reached=">"), Rules(average="first"),
]


@pytest.mark.parametrize("rules", RULES, ids=repr)
@pytest.mark.parametrize("seed", range(3))
def test_invariants_of_published_numbers_hold_under_all_rules(rules, seed):
    evaluation = evaluate(gather(random_scores(1300 + seed)[0]), rules)
    falling = [compute_quantity(evaluation, f"P@0.{tenths}") for tenths in range(5, 10)]
    assert falling == sorted(falling, reverse=True)
    if rules.precision_over == "all" and rules.empty_union == "one":
        mean = compute_quantity(evaluation, "mIoU")
        assert 0.5 * falling[0] - 1e-6 <= mean <= falling[0] + 0.5 * (1 - falling[0]) + 1e-6


@pytest.mark.parametrize("rules", RULES, ids=repr)
def test_of_one_example_mean_and_overall_are_equal_under_all_rules(rules):
    evaluation = evaluate(gather(score_strips(("######......", "####........"))), rules)
    mean, overall = (compute_quantity(evaluation, key) for key in ("mIoU", "oIoU"))
    assert mean == pytest.approx(overall, rel=1e-5)
    assert mean == pytest.approx(4 / 6, rel=1e-5)
