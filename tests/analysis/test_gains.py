"""Planted failures are classified right, and gains equal the score after really fixing them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from inspector.analysis.gains import count_modes, fix, split_grounding
from inspector.core.columns import column_of
from inspector.core.failures import FAILURE_MODES, Thresholds
from inspector.core.metrics import compute_metrics
from inspector.core.protocol import Protocol
from inspector.core.run import Run, Status
from inspector.core.scores import Scores, score_run
from tests.analysis.planting import KINDS, plant
from tests.building import (
    Picture,
    Said,
    Thing,
    make_dataset,
    modes_of,
    random_scores,
    score,
    score_strips,
)
from tests.core.test_metrics_properties import every_protocol
from tests.drawing import draw


def really_fix(scores: Scores, chosen: np.ndarray) -> Scores:
    """Write the target in place of the chosen predictions and score the run again."""
    run, dataset = scores.run, scores.dataset
    masks = [run.masks[row] for row in range(len(run.masks))]
    rows, status = run.rows.copy(), run.status.copy()
    for index in np.flatnonzero(chosen & dataset.is_scorable).tolist():
        rows[index], status[index] = len(masks), Status.SCORED
        masks.append(dataset[index].target)
    return score_run(dataset, replace(run, rows=rows, status=status, masks=column_of(masks)),
                     thresholds=scores.thresholds)


class TestPlanted:
    SCORES, PLANTED = plant()

    def test_there_are_enough_of_every_kind(self):
        assert len(self.PLANTED) == 360
        assert set(Counter(self.PLANTED).values()) == {30}
        assert {mode.key for mode in FAILURE_MODES} == set(KINDS)

    def test_every_planted_failure_is_classified_right(self):
        found = modes_of(self.SCORES)
        wrong = [(i, p, f) for i, (p, f) in enumerate(zip(self.PLANTED, found, strict=True))
                 if p != f]
        assert wrong == []

    @pytest.mark.parametrize("seed", [1, 2])
    def test_also_with_other_seeds(self, seed):
        scores, planted = plant(10, seed=seed)
        assert modes_of(scores) == planted

    def test_the_other_object_is_named(self):
        ids = self.SCORES.dataset.objects.annotation_ids
        for index, kind in enumerate(self.PLANTED):
            named = ids[self.SCORES.other[index]] if self.SCORES.other[index] >= 0 else ""
            expected = {"wrong_referent": "twin", "wrong_object": "other",
                        "several_objects": "twin"}.get(kind)
            assert named == (f"{index}-{expected}" if expected else "")

    @every_protocol
    def test_the_gain_is_that_of_really_fixing(self, protocol):
        before = compute_metrics(self.SCORES, protocol)
        for row, mode in enumerate(count_modes(self.SCORES, protocol)):
            fixed = really_fix(self.SCORES, self.SCORES.failure == row)
            after = compute_metrics(fixed, protocol)
            assert mode.count == 30
            for key in ("mIoU", "oIoU"):
                assert mode.gain[key] == pytest.approx(after[key] - before[key], abs=1e-12)

    def test_shares_add_up(self):
        assert sum(m.share for m in count_modes(self.SCORES, Protocol())) == pytest.approx(1)


@every_protocol
@pytest.mark.parametrize("seed", range(2))
def test_fixed_scores_equal_those_of_a_fixed_run(protocol, seed):
    scores, = random_scores(800 + seed)
    rng = np.random.default_rng(seed)
    chosen = rng.random(len(scores.status)) < 0.5
    fixed, really = fix(scores, chosen), really_fix(scores, chosen)
    assert compute_metrics(fixed, protocol) == pytest.approx(compute_metrics(really, protocol))
    for name in ("status", "intersection", "union", "prediction_area", "marks_nothing",
                 "grounded", "failure"):
        assert getattr(fixed, name).tolist() == getattr(really, name).tolist(), name


def test_fixing_everything_gives_one():
    scores, = random_scores(42)
    fixed = fix(scores, np.ones(len(scores.status), bool))
    values = compute_metrics(fixed, Protocol())
    assert [values[key] for key in ("mIoU", "oIoU", "P@0.9", "N-acc", "T-acc", "grounding")] == (
        [1.0] * 6
    )


def test_thresholds_move_the_modes():
    scores = score_strips(("####......", "##........"))
    strict = score_run(scores.dataset, scores.run, thresholds=Thresholds(iou=0.6))
    counts = {m.key: m.count for m in count_modes(strict, Protocol())}
    assert (counts["correct"], counts["part"]) == (0, 1)


def test_a_run_of_boxes_gains_in_box_iou():
    dataset = make_dataset(Picture(
        "1", (4, 10), (Thing("a", "cup", draw(*["####......"] * 4)),),
        (Said("1", "cup", ("a",)),),
    ))
    run = Run(
        name="boxes", source="", format="box-answers", status=np.array([1], np.int8),
        rows=np.array([-1], np.int32), masks=column_of([]), says_no_target=np.zeros(1, bool),
        boxes_xywh=np.array([[8.0, 0.0, 2.0, 4.0]]),
    )
    gains = {m.key: m.gain for m in count_modes(score_run(dataset, run), Protocol()) if m.count}
    assert gains == {"background": {"box_mIoU": 1.0}}


class TestGrounding:
    def scene(self, *masks: str, known: bool = True) -> Scores:
        said = tuple(Said(f"{n}", "cup", ("a",)) for n in range(len(masks)))
        dataset = make_dataset(Picture("1", (1, 12), (
            Thing("a", "cup", draw("####........")), Thing("b", "cup", draw("......####..")),
        ), said), distractors_known=known)
        return score(dataset, {f"{n}": draw(mask) for n, mask in enumerate(masks)})

    def test_the_two_numbers(self):
        # 1/2 of the target; all of the other; nothing; 3 of the other and 1 of the target
        scores = self.scene("##..........", "......####..", "............", "...#..###...")
        split = split_grounding(scores, Protocol())
        assert (split.grounding, split.quality) == (0.25, 0.5)
        assert (split.on_target, split.examples, split.note) == (1, 4, "")
        assert scores.grounded.tolist() == [1, 0, 0, 0]
        assert compute_metrics(scores, Protocol())["grounding"] == 0.25

    def test_equal_fits_are_the_target(self):
        assert self.scene("..##..##....").grounded.tolist() == [1]

    def test_where_others_are_unknown_the_metric_is_not_defined_and_the_split_says_so(self):
        scores = self.scene("##..........", known=False)
        assert compute_metrics(scores, Protocol())["grounding"] is None
        split = split_grounding(scores, Protocol())
        assert split.grounding == 1.0
        assert "others in the picture are unknown" in split.note

    def test_missing_predictions_follow_the_rule(self):
        scores = score_strips(("####", "####"), ("####", None))
        assert compute_metrics(scores, Protocol())["grounding"] == 0.5
        assert compute_metrics(scores, Protocol(missing="skip"))["grounding"] == 1.0
