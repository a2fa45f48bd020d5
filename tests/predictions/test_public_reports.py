"""Reports of real users about predictions and metrics, each as a test named after its subject.

The numbers are those of the list of reports that this project was given; those about pictures, JPEG
masks, boxes, frames and captions stand beside their subjects (test_mask_folder, test_boxes,
test_frames, test_refused), those about run lengths in tests/core/test_mask_reports.py.
"""

from __future__ import annotations

import numpy as np
import pytest

from inspector.core.mask import Mask
from inspector.core.metrics import METRICS, compute_metrics
from inspector.core.protocol import Protocol, apply_protocol
from inspector.core.scores import score_run
from inspector.predictions import load_run
from tests.building import Picture, Said, Thing, make_dataset, score, score_strips
from tests.drawing import draw
from tests.predictions.scene import (
    CUP,
    KITCHEN,
    SCENE,
    codes,
    load,
    masks_of,
    rectangle,
    rows,
    save_json,
    save_lines,
)


def test_a_lost_space_in_a_sentence_still_matches_and_is_said(tmp_path):
    # 9: VLMEvalKit#1330, "guy in" became "guyin"
    run = load(save_lines(
        tmp_path / "a.jsonl", {"image_id": 460986, "sentence": "rightmost cup", "mask": None}
    ))
    assert run.alignment == ("1 by image_id + sentence by letters",)
    assert run.says_no_target.tolist() == [True, False, False, False]


def test_mean_and_overall_iou_stand_side_by_side():
    # 24: CRIS#12, ETRIS#4: a small miss and a huge hit give mIoU 0.5 and oIoU close to 1
    metrics = compute_metrics(score_strips(("#" + "." * 999, "." * 1000), ("#" * 1000,) * 2),
                              Protocol())
    assert metrics["mIoU"] == 0.5
    assert metrics["oIoU"] == 1000 / 1001
    named = {metric.key: metric.description for metric in METRICS}
    assert "also called gIoU; not Generalized IoU" in named["mIoU"]
    assert "also called cIoU, overall IoU" in named["oIoU"]


def test_a_sentence_and_an_instance_protocol_are_both_offered():
    # 25: VisionReasoner#12, #13: 5,786 instances in place of 10,834 sentences
    scores = score_strips(("##", "##"), ("##", "#."), ("##", ".."), ("##", "##"),
                          referents=["a", "a", "a", "b"])
    assert compute_metrics(scores, Protocol("sentence"))["mIoU"] == 2.5 / 4
    assert compute_metrics(scores, Protocol("referent"))["mIoU"] == (0.5 + 1) / 2


def test_overall_iou_is_ruled_by_one_large_miss():
    # 26: Seg-Zero#26: gIoU agrees, cIoU differs by ten points
    small = [("#" + "." * 999,) * 2] * 99
    metrics = compute_metrics(score_strips(*small, ("#" * 1000, "." * 1000)), Protocol())
    assert metrics["mIoU"] == 0.99
    assert metrics["oIoU"] == 99 / 1099


def test_empty_outputs_are_told_apart_by_target():
    # 28: gRefCOCO#4: a score that rewards empty outputs
    metrics = compute_metrics(score_strips(("....", "...."), ("##..", "....")), Protocol())
    assert (metrics["N-acc"], metrics["T-acc"]) == (1.0, 0.0)


def test_a_prediction_of_none_counts_the_whole_target(tmp_path):
    # 29: Sa2VA#119: None leaves the sum of unions, and cIoU rises
    first, second = rows()[2:]
    run = load(save_json(tmp_path / "a.json", [
        {"img_id": "0", "gt_masks": [first["target"].to_json()], "prediction_masks": [None]},
        {"img_id": "1", "gt_masks": [second["target"].to_json()],
         "prediction_masks": [[second["mask"].to_json()]]},
    ]))
    scores = score_run(SCENE, run)
    assert scores.union.tolist()[2:] == [400, 1200]
    assert run.reasons[2] == "The model gave no mask (null)."
    skipped = compute_metrics(scores, Protocol(missing="skip"))
    assert skipped["oIoU"] == 800 / 1200  # the other number, for who wants it


@pytest.mark.parametrize(("rule", "iou"), [("one", 1.0), ("zero", 0.0), ("skip", None)])
def test_nothing_predicted_of_nothing_is_a_rule_and_no_nan(rule, iou):
    # 30, 31: Sa2VA#171, segmentation_models#407, torchmetrics: NaN, 0 or 1
    scores = score_strips(("....", "...."))
    assert compute_metrics(scores, Protocol(empty_union=rule))["mIoU"] == iou
    beside = score_strips(("....", "...."), ("##..", "##.."))
    assert compute_metrics(beside, Protocol(empty_union=rule))["mIoU"] == (
        {"one": 1.0, "zero": 0.5, "skip": 1.0}[rule]
    )


def test_the_truth_is_never_resized(tmp_path):
    # 33: deeplab-pytorch#40: truth at the model's size inflates scores
    from inspector.predictions.frames import resize_nearest

    squashed = resize_nearest(CUP, (24, 24))
    run = load(save_lines(tmp_path / "a.jsonl", {"sent_id": 29928, "mask": squashed.to_json()}),
               resize="nearest")
    scores = score_run(SCENE, run)
    assert scores.target_area[0] == CUP.area
    assert masks_of(run)["29928"].size_hw == KITCHEN


def test_predictions_by_picture_alone_never_overwrite_each_other(tmp_path):
    # 34: MiniGPT-4#423: one sentence's answer stood for all sentences of its picture
    run = load(save_json(tmp_path / "a.json", [
        {"image_id": 460986, "category_id": 1, "score": 1, "segmentation": CUP.to_json()},
        {"image_id": 581857, "category_id": 1, "score": 1,
         "segmentation": rows()[3]["mask"].to_json()},
    ]))
    assert set(run.reasons) == {0, 1, 2}
    assert codes(run) == ["ambiguous-key"] * 3
    assert set(masks_of(run)) == {"31000"}


def test_two_examples_with_the_same_sentence_never_swap_their_masks(tmp_path):
    left, right = draw("##......"), draw("......##")
    dataset = make_dataset(Picture("1", (1, 8), (Thing("11", "cup", left),
                                                 Thing("12", "cup", right)), (
        Said("101", "cup", ("11",), ref_id="21"), Said("102", "cup", ("12",), ref_id="22"),
    )))
    lines = [{"ref_id": 22, "sentence": "cup", "mask": right.to_json()},
             {"ref_id": 21, "sentence": "cup", "mask": left.to_json()}]
    run = load_run(dataset, save_lines(tmp_path / "a.jsonl", *lines), name="model")
    assert [run.masks[row] for row in run.rows] == [left, right]
    one = load_run(dataset, save_lines(tmp_path / "b.jsonl", {"image_id": 1, "sentence": "cup",
                                                              "mask": right.to_json()}), name="m")
    assert set(one.reasons) == {0, 1}


def test_the_threshold_stands_in_every_label():
    # 36: VL-BERT#83: a threshold that is too small counts wrong boxes
    for metric in METRICS:
        if metric.key.startswith("P@") or "Acc@" in metric.key:
            threshold = metric.key.partition("@")[2]
            assert threshold in metric.label
            assert f">= {threshold}" in metric.description


def test_per_picture_and_accumulated_numbers_are_both_shown():
    # 38: pytorch-deeplab-resnet#5: a gap of two points
    metrics = compute_metrics(score_strips(("####....", "##......"), ("##......", "##......")),
                              Protocol())
    assert (metrics["mIoU"], metrics["oIoU"]) == (0.75, 4 / 6)


def test_agreement_about_the_background_counts_nothing():
    # 39: keras-maskrcnn#81: count_nonzero(a == b) gives 0.998 here
    scores = score_strips(("#" + "." * 999, "." * 999 + "#"))
    assert apply_protocol(scores, Protocol()).iou.tolist() == [0.0]


def test_masks_stay_run_lengths():
    # 41: roboflow/notebooks#336: 10,834 dense masks of 640 x 480 are 3.3 GB
    size = (480, 640)
    things = [Thing(f"{k}", "cup", rectangle(size, 5, 5, 200, 200)) for k in range(50)]
    dataset = make_dataset(*(
        Picture(f"{k}", size, (thing,), (Said(f"1{k}", "cup", (thing.id,)),))
        for k, thing in enumerate(things)
    ))
    scores = score(dataset, {f"1{k}": thing.mask for k, thing in enumerate(things)})
    assert len(scores.run.masks.buffer) < 50 * 2_000
    assert (scores.intersection == 195 * 195).all()


def test_values_of_uint8_never_overflow(tmp_path):
    # 45: a + b, a == 1 and a & b on 0 / 255
    ones = np.ones(KITCHEN, np.uint8) * 255
    np.savez(tmp_path / "a.npz", **{"29928": ones})
    assert masks_of(load(tmp_path / "a.npz"))["29928"] == Mask.from_array(ones > 0)
