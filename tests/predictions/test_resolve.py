"""What a record holds decides what its example is scored by: a mask, a box, or nothing."""

from __future__ import annotations

import pytest

from inspector.core.metrics import compute_metrics
from inspector.core.protocol import Protocol
from inspector.core.scores import score_run
from tests.predictions.scene import CUP, SCENE, load, save_json, save_lines, statuses

BOX = [40, 10, 20, 20]  # that of the cup
MASK = CUP.to_json()


def said(run):
    return [(p.code, p.where.rpartition(", ")[2], p.message) for p in run.problems]


def metrics(run):
    return compute_metrics(score_run(SCENE, run), Protocol(missing="skip"))


def test_null_beside_boxes_says_no_target_and_leaves_them_boxes(tmp_path):
    # one null made it a run of masks, in which every box was invalid
    run = load(save_lines(
        tmp_path / "run.jsonl", {"sent_id": 29928, "box_xywh": BOX},
        {"sent_id": 29930, "mask": None},
    ))
    assert [run.evidence(index) for index in range(4)] == ["box", "", "box", ""]
    assert run.says_no_target.tolist() == [False, False, True, False]
    assert (run.is_boxes_only, run.problems) == (True, ())
    assert compute_metrics(score_run(SCENE, run), Protocol())["box_mIoU"] == 1 / 4


def test_null_alone_is_a_run_of_masks(tmp_path):
    run = load(save_lines(tmp_path / "run.jsonl", {"sent_id": 29930, "mask": None}))
    assert (run.evidence(2), metrics(run)["mIoU"]) == ("mask", 0.0)


@pytest.mark.parametrize("first", [{"pred_box": BOX}, {"rle": MASK, "pred_box": BOX}])
def test_a_record_with_neither_mask_nor_box_is_invalid(first, tmp_path):
    # beside boxes it counted as scored, and ended in a traceback
    run = load(save_json(tmp_path / "run.json", {"predictions": [
        {"sent_id": 29928, **first},
        {"sent_id": 29930, **dict.fromkeys(first)},
    ]}))
    assert statuses(run) == {
        "29928": "scored", "29929": "missing", "29930": "invalid", "31000": "missing",
    }
    assert said(run) == [("broken-prediction", "prediction 2",
                          "Example 29930: It has neither mask nor box.")]
    score_run(SCENE, run)


def test_a_box_among_masks_is_invalid_and_says_so(tmp_path):
    run = load(save_lines(
        tmp_path / "run.jsonl", {"sent_id": 29928, "mask": MASK},
        {"sent_id": 29930, "box_xywh": BOX},
    ))
    what = "Example 29930: It holds a box but no mask, unlike the rest of the file."
    assert said(run) == [("broken-prediction", "line 2", what)]


def test_a_broken_box_beside_a_mask_is_listed_and_the_mask_scored(tmp_path):
    # it was dropped without a word, and box_mIoU was lower for it
    run = load(save_lines(
        tmp_path / "run.jsonl", {"sent_id": 29928, "mask": MASK, "box_xywh": [60, 30, -20, -20]},
        {"sent_id": 29929, "mask": MASK, "box_xywh": BOX},
    ))
    assert said(run) == [("broken-box", "line 1",
                          "Example 29928: The box [60, 30, -20, -20] ends before it begins.")]
    assert (run.evidence(0), run.box_xywh(0)) == ("mask", None)
    assert metrics(run)["mIoU"] == 1.0
