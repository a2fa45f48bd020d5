"""Boxes: their scales, the ways of writing them, and what is no box."""

from __future__ import annotations

import numpy as np
import pytest

from inspector.core.boxes import box_iou
from inspector.core.errors import FormatError, UsageError
from inspector.core.metrics import compute_metrics
from inspector.core.protocol import Protocol
from inspector.core.scores import score_run
from inspector.predictions import load_run
from inspector.predictions.box_scale import BOX_SCALES, check_scale, to_pixels
from inspector.predictions.box_strings import parse_answer
from inspector.predictions.records import RawBox
from tests.building import Picture, Said, Thing, make_dataset
from tests.predictions.dumps import relative, xyxy
from tests.predictions.scene import (
    CUP,
    IOU,
    KITCHEN,
    PREDICTED,
    SCENE,
    codes,
    load,
    rows,
    save_json,
    save_lines,
)


@pytest.mark.parametrize(("answer", "scale"), [
    pytest.param("<|box_start|>(100,200),(500,640)<|box_end|>", "0-1000", id="Qwen2-VL"),
    pytest.param("<ref>cup</ref><box>(100,200),(500,640)</box>", "0-1000", id="Qwen-VL"),
    pytest.param("<ref>cup</ref><box>[[100, 200, 500, 640]]</box>", "0-1000", id="InternVL"),
    pytest.param("<|ref|>cup<|/ref|><|det|>[[100, 200, 500, 640]]<|/det|>", "0-999",
                 id="DeepSeek-VL2"),
    pytest.param("cup {<100><200><500><640>}", "0-100", id="MiniGPT-v2"),
    pytest.param('```json\n[{"bbox_2d": [100, 200, 500, 640], "label": "cup"}]\n```', None,
                 id="Qwen2.5-VL and Qwen3-VL"),
    pytest.param("[100, 200, 500, 640]", None, id="list"),
    pytest.param("The cup is at (100, 200), (500, 640).", None, id="points"),
])
def test_each_model_writes_a_box_its_own_way(answer, scale):
    box, count = parse_answer(answer)
    assert (box.numbers, box.scale, count) == ((100.0, 200.0, 500.0, 640.0), scale, 1)


@pytest.mark.parametrize("answer", [
    "[470,]", "[470]", "[0, 5329, 5310", "[1, 2, 3]", "[0,5329,5310,9,99999]", "", "no cup here",
    "<box>[[100, 200, 500</box>", '{"bbox_2d": [1, 2, null, 4]}', "(1,2)",
])
def test_a_box_that_is_not_whole_is_none(answer):
    # lmms-eval#98, VLM-R1#6, DeepSeek-VL2#123: lists of five, truncated ones
    with pytest.raises(ValueError, match="the answer holds no whole box"):
        parse_answer(answer)


@pytest.mark.parametrize(("scale", "numbers"), [
    ("pixels", (32, 12, 64, 48)), ("0-1", (0.5, 0.25, 1, 1)), ("0-100", (50, 25, 100, 100)),
    ("0-999", (499.5, 249.75, 999, 999)), ("0-1000", (500, 250, 1000, 1000)),
    ("resized", (28, 14, 56, 56)),
])
def test_each_scale_in_pixels(scale, numbers):
    # smart_resize brings 64 x 48 to multiples of 28: 56 x 56
    found = to_pixels(RawBox(tuple(map(float, numbers))), scale, (48, 64))
    assert found == pytest.approx([32, 12, 32, 36])


def test_every_scale_is_tried_above():
    assert [scale.key for scale in BOX_SCALES] == [
        "pixels", "0-1", "0-100", "0-999", "0-1000", "resized",
    ]
    with pytest.raises(UsageError, match="No box scale '0-10'. Choose one of: pixels, 0-1"):
        check_scale("0-10")


def answers(scale: str) -> list[list[float]]:
    """Write the scene's boxes in a scale."""
    frames = {s.key: s.frame for s in BOX_SCALES}
    found = []
    for row in rows():
        across, down = frames[scale](*row["size"])
        left, top, right, bottom = relative(row)
        found.append([left * across, top * down, right * across, bottom * down])
    return found


class TestInference:
    @pytest.mark.parametrize("scale", ["pixels", "0-1", "0-100", "0-1000", "resized"])
    def test_the_scale_of_a_file_is_inferred_and_said(self, scale, tmp_path):
        # lmms-eval#98, VLM-R1#194, Qwen3-VL#991: the wrong scale gives IoU about 0.15
        run = load(save_lines(tmp_path / "run.jsonl", *(
            {"sent_id": row["sent_id"], "response": str([round(v, 4) for v in box])}
            for row, box in zip(rows(), answers(scale), strict=True)
        )))
        metrics = compute_metrics(score_run(SCENE, run), Protocol())
        assert metrics["box_mIoU"] == pytest.approx(sum(IOU.values()) / 4, abs=0.01)
        assert f"boxes read as {scale}" in run.alignment
        (problem,) = run.problems
        assert (problem.code, problem.severity) == ("box-scale", "info")
        assert problem.message.startswith(
            f"The file does not say the scale of its boxes; read as {scale} ("
        )
        assert "'--box-scale KEY' overrides." in problem.message

    def test_a_person_may_know_better(self, tmp_path):
        path = save_lines(tmp_path / "run.jsonl", *(
            {"sent_id": row["sent_id"], "response": str(box)}
            for row, box in zip(rows(), answers("0-100"), strict=True)
        ))
        run = load(path, box_scale="0-1000")
        assert "boxes read as 0-1000" in run.alignment
        assert compute_metrics(score_run(SCENE, run), Protocol())["box_mIoU"] < 0.1

    @pytest.mark.parametrize("form", ["xyxy", "xywh"])
    def test_corners_and_sizes_are_told_apart_for_the_file(self, form, tmp_path):
        run = load(save_lines(tmp_path / "run.jsonl", *(
            {"sent_id": row["sent_id"],
             "bbox": row["box"] if form == "xywh" else xyxy(row["box"])} for row in rows()
        )))
        assert run.box_xywh(3) == PREDICTED["31000"].box_xywh
        assert f"read as pixels {form} (" in run.problems[0].message

    def test_one_wild_number_among_ten_does_not_change_the_scale(self, tmp_path):
        lines = [
            {"sent_id": row["sent_id"], "response": str(box)}
            for row, box in zip(rows(), answers("0-1000"), strict=True)
        ]
        wild = {"sent_id": 29928, "response": "[0,5329,5310,9000]"}
        # one answer of the ten takes part only if it is the first for its sentence
        run = load(save_lines(tmp_path / "run.jsonl", *lines, wild))
        assert "boxes read as 0-1000" in run.alignment


class TestBrokenBoxes:
    def test_malformed_answers_are_invalid_and_listed(self, tmp_path):
        good = [{"sent_id": row["sent_id"], "response": str(xyxy(row["box"]))} for row in rows()]
        good[1]["response"] = "[470,]"
        good[2]["response"] = "[0,5329,5310,9,99999]"
        run = load(save_lines(tmp_path / "run.jsonl", *good))
        assert [run.reasons[i] for i in (1, 2)] == [
            "The answer holds no whole box: '[470,]'.",
            "The answer holds no whole box: '[0,5329,5310,9,99999]'.",
        ]
        assert codes(run).count("broken-box") == 2
        scores = score_run(SCENE, run)
        assert scores.coverage.to_json() == {
            "examples": 4, "matched": 2, "missing": 0, "invalid": 2, "duplicate": 0, "unmatched": 0,
        }
        metrics = compute_metrics(scores, Protocol())
        assert metrics["box_mIoU"] == pytest.approx((0.5 + 2 / 3) / 4)  # unreadable ones score 0
        skipped = compute_metrics(scores, Protocol(missing="skip"))
        assert skipped["box_mIoU"] == pytest.approx((0.5 + 2 / 3) / 2)

    @pytest.mark.parametrize(("box", "said"), [
        ([60, 10, 40, 20], "ends before it begins"), ([40, 20, 60, 10], "ends before it begins"),
    ])
    def test_a_box_that_ends_before_it_begins(self, box, said, tmp_path):
        lines = [{"sent_id": row["sent_id"], "bbox_2d": xyxy(row["box"])} for row in rows()]
        lines[0]["bbox_2d"] = box
        run = load(save_lines(tmp_path / "run.jsonl", *lines))
        assert run.reasons[0] == f"The box {[float(v) for v in box]} {said}.".replace(".0", "")

    def test_a_box_without_area_scores_0(self, tmp_path):
        lines = [{"sent_id": row["sent_id"], "box_xywh": row["box"]} for row in rows()]
        lines[0]["box_xywh"] = [40, 10, 0, 20]
        run = load(save_lines(tmp_path / "run.jsonl", *lines))
        assert run.reasons == {}
        assert score_run(SCENE, run).box_iou[0] == 0

    def test_a_number_beyond_the_scale_of_the_model(self, tmp_path):
        run = load(save_lines(
            tmp_path / "run.jsonl",
            {"sent_id": 29928, "response": "<|box_start|>(100,200),(5000,640)<|box_end|>"},
            {"sent_id": 29929, "response": "<|box_start|>(100,200),(500,640)<|box_end|>"},
        ))
        said = "The box [100, 200, 5000, 640] has a number beyond its scale (0-1000)."
        assert run.reasons[0] == said

    def test_four_zeros_of_lmms_eval_are_an_answer_it_could_not_read(self, tmp_path):
        lines = [
            {"doc_id": 0, "refcoco_IoU": {"answer": "a car", "pred": [0.0, 0.0, 0.0, 0.0],
                                          "ann_id": "1719310"}},
            {"doc_id": 1, "refcoco_IoU": {"answer": "the dog", "pred": [0.1, 0.4, 0.4, 0.8],
                                          "ann_id": "683673"}},
        ]
        run = load(save_lines(tmp_path / "samples.jsonl", *lines))
        assert run.reasons[3] == "Lmms-eval could not read the answer (four zeros)."


def test_several_boxes_in_one_answer_the_first_counts(tmp_path):
    text = "<|box_start|>(625,208),(937,416)<|box_end|> <|box_start|>(0,0),(9,9)<|box_end|>"
    run = load(save_lines(tmp_path / "run.jsonl", {"sent_id": 29928, "response": text}))
    assert run.box_xywh(0) == pytest.approx((40, 9.984, 19.968, 9.984))
    assert codes(run) == ["several-boxes"]


def test_no_box_says_no_target(tmp_path):
    document = {
        str(row["sent_id"]): {"scores": [0.9], "boxes": [xyxy(row["box"])]} for row in rows()
    }
    document["29930"] = {"scores": [], "boxes": []}
    run = load(save_json(tmp_path / "run.json", document))
    assert run.says_no_target.tolist() == [False, False, True, False]
    assert score_run(SCENE, run).failure.tolist()[2] == 4  # empty


def test_running_numbers_of_mdetr_are_taken_in_order_with_a_probe(tmp_path):
    document = {
        str(number): {"scores": [0.9], "boxes": [xyxy(row["box"])]}
        for number, row in enumerate(rows())
    }
    run = load(save_json(tmp_path / "run.json", document))
    assert run.alignment == ("4 by row order",)
    assert codes(run) == ["row-order"]
    assert run.box_xywh(3) == PREDICTED["31000"].box_xywh


def test_keys_of_mdetr_that_may_be_ids_or_running_numbers_are_a_warning(tmp_path):
    # they were taken for sent_ids without a word: every box on another sentence
    thing = (Thing("1", "cup", CUP),)
    said = [Said(sent_id, "cup", ("1",)) for sent_id in "10"]
    document = {number: {"scores": [], "boxes": []} for number in "01"}
    path = save_json(tmp_path / "run.json", document)
    run = load_run(make_dataset(Picture("7", KITCHEN, thing, tuple(said))), path, name="model")
    assert (run.alignment, codes(run)) == (("2 by sent_id",), ["ambiguous-names"])
    in_order = make_dataset(Picture("7", KITCHEN, thing, tuple(said[::-1])))
    assert load_run(in_order, path, name="model").problems == ()  # both readings are one


def test_keys_of_mdetr_may_be_ids_of_examples_without_a_sent_id(tmp_path):
    said = Said("", "cup", ("1",), sample_id="s")
    dataset = make_dataset(Picture("7", KITCHEN, (Thing("1", "cup", CUP),), (said,)))
    path = save_json(tmp_path / "run.json", {"s:0": {"scores": [], "boxes": []}})
    assert load_run(dataset, path, name="model").alignment == ("1 by example_id",)


def test_a_box_that_lands_on_another_object_is_named(tmp_path):
    from inspector.core.failures import FAILURE_MODES

    run = load(save_lines(tmp_path / "run.jsonl", {"sent_id": 29928, "box_xywh": [4, 20, 20, 20]}))
    scores = score_run(SCENE, run)
    assert FAILURE_MODES[scores.failure[0]].key == "wrong_object"
    assert scores.other_iou[0] == 1.0


def test_lines_of_description_before_the_first_answer_are_left_out(tmp_path):
    # RefCOCOs: the first two lines of its annotators' results are about the file
    run = load(save_lines(
        tmp_path / "run.jsonl", {"annotator": "A"}, {"date": "2025"},
        *({"pred_box": xyxy(row["box"])} for row in rows()),
    ))
    assert run.alignment[0] == "4 by row order"
    assert codes(run).count("bad-record") == 2


def test_a_file_without_one_readable_answer(tmp_path):
    with pytest.raises(FormatError, match="holds no prediction"):
        load(save_lines(tmp_path / "run.jsonl", {"response": 7}))


def test_an_iou_of_exactly_one_half_reaches_it():
    # half the width; unrounded floats put nearly half of such pairs below 0.5
    rng = np.random.default_rng(5)
    target = np.round(rng.uniform(1, 600, (20_000, 4)), 2)
    target[:, 2] = np.round(target[:, 2] * 50) / 25  # halves have two decimals too
    half = target * [1, 1, 0.5, 1]
    assert (box_iou(np.round(half, 2), target) == 0.5).all()


def test_an_answer_of_no_box_is_not_missing(tmp_path):
    """Under ``skip`` only what is missing leaves the numbers; "nothing there" is an answer."""
    document = {
        str(row["sent_id"]): {"scores": [0.9], "boxes": [xyxy(row["box"])]} for row in rows()
    }
    document["29930"] = {"scores": [], "boxes": []}
    scores = score_run(SCENE, load(save_json(tmp_path / "run.json", document)))
    both = [
        compute_metrics(scores, Protocol(missing=rule))["box_mIoU"] for rule in ("zero", "skip")
    ]
    assert both[0] == both[1]
