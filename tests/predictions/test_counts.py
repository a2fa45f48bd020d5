"""Files that hold counts or an IoU: scored from them, held against the truth and against ours."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from inspector.core.failures import FAILURE_MODES
from inspector.core.metrics import compute_metrics
from inspector.core.protocol import Protocol, apply_protocol
from inspector.core.run import Status
from inspector.core.scores import score_run
from inspector.core.table import score_table
from inspector.predictions import load_run
from tests.building import Picture, Said, Thing, make_dataset, modes_of
from tests.drawing import draw
from tests.predictions.dumps import WRITERS, picture
from tests.predictions.scene import CUP, SCENE, codes, load, rows, save_json


def shard(path, *counts: tuple[int, int]):
    return save_json(path / "output_0.json", [
        {"image_id": str(row["image_id"]), "ann_id": str(row["ann_id"]), "intersection": shared,
         "union": covered, "think": "", "bbox_iou": 0}
        for row, (shared, covered) in zip(rows(), counts, strict=True)
    ])


class TestSegZero:
    def test_counts_are_scored_and_there_is_no_mask_to_draw(self, tmp_path):
        scores = score_run(SCENE, load(shard(tmp_path, (100, 400), (0, 500), (400, 400), (0, 900))))
        assert scores.intersection.tolist() == [100, 0, 400, 0]
        assert scores.union.tolist() == [400, 500, 400, 900]
        assert scores.prediction_area.tolist() == [100, 100, 400, 100]
        assert [scores.run.evidence(i) for i in range(4)] == ["counts"] * 4
        assert (scores.run.rows == -1).all()
        metrics = compute_metrics(scores, Protocol())
        assert metrics["oIoU"] == 500 / 2200
        assert metrics["mIoU"] == pytest.approx((0.25 + 0 + 1 + 0) / 4)
        assert modes_of(scores) == ["part", "loose", "correct", "loose"]  # never "background"

    @pytest.mark.parametrize(("counts", "said"), [
        ((401, 500), "The file counts 401 shared pixels, but the target has only 400: it is of "
                     "another example."),
        ((100, 399), "The file counts 399 covered pixels, but the target alone has 400: it is of "
                     "another example."),
        ((300, 200), "The file counts 300 shared pixels of 200 covered ones."),
    ], ids=["more than the target", "less than the target", "more shared than covered"])
    def test_counts_that_contradict_the_truth_are_listed(self, counts, said, tmp_path):
        run = load(shard(tmp_path, counts, (0, 500), (400, 400), (0, 900)))
        assert run.reasons == {0: said}
        assert [(p.code, p.severity, p.where) for p in run.problems] == [
            ("shared-key", "warning", "output_0.json, record 1"),
            ("counts-contradict", "error", "output_0.json, record 1"),
        ]

    def test_several_sentences_of_one_annotation_need_as_many_records(self, tmp_path):
        # rows that the evaluation dropped would shift all after them
        records = [{"image_id": "460986", "ann_id": "683672", "intersection": 0, "union": 400},
                   {"image_id": "460986", "ann_id": "683673", "intersection": 0, "union": 400}]
        run = load(save_json(tmp_path / "output_0.json", [*records, records[1]]))
        assert set(run.reasons) == {0, 1}
        assert codes(run) == ["ambiguous-key", "ambiguous-key", "duplicate-prediction"]

    def test_one_record_an_annotation_serves_all_its_sentences(self, tmp_path):
        records = [{"image_id": "460986", "ann_id": "683672", "intersection": 200, "union": 400},
                   {"image_id": "460986", "ann_id": "683673", "intersection": 0, "union": 400}]
        run = load(save_json(tmp_path / "output_0.json", records))
        assert run.alignment == ("2 by ann_id, one for all its sentences", "1 by ann_id")
        (problem,) = run.problems
        assert problem.message == (
            "2 sentences share ann_id 683672; one prediction serves all of them."
        )
        # --average referent gives the numbers of a protocol with one expression an instance
        metrics = compute_metrics(score_run(SCENE, run), Protocol("referent", missing="skip"))
        assert metrics["mIoU"] == 0.25

    def test_an_annotation_of_another_picture_is_not_taken(self, tmp_path):
        records = [{"image_id": "1", "ann_id": "683672", "intersection": 0, "union": 400},
                   {"image_id": "581857", "ann_id": "1719310", "intersection": 0, "union": 900}]
        run = load(save_json(tmp_path / "output_0.json", records))
        assert run.unmatched == 1
        assert np.flatnonzero(run.status == Status.SCORED).tolist() == [3]

    def test_shards_are_read_in_the_order_of_their_numbers(self, tmp_path):
        for number, (place, shared) in enumerate([(0, 1), (2, 3), (3, 4)] * 4):
            row = rows()[place]
            save_json(tmp_path / f"output_{number}.json", [
                {"image_id": row["image_id"], "ann_id": row["ann_id"], "intersection": shared,
                 "union": 900 if number < 10 else 901}
            ])
        run = load(tmp_path)
        assert run.duplicate == 3 + 3
        assert run.counts.tolist()[2] == [3, 900]  # output_1, not output_10

    @pytest.mark.parametrize("value", [-1, 1.5, "812", None, True, 10**12])
    def test_counts_that_are_none(self, value, tmp_path):
        records = [{"image_id": 460986, "ann_id": 683673, "intersection": 0, "union": 400},
                   {"image_id": 581857, "ann_id": 1719310, "intersection": value, "union": 900}]
        run = load(save_json(tmp_path / "output_0.json", records))
        assert codes(run) == ["bad-record"]
        assert "'intersection' must be a number of pixels" in run.problems[0].message


NO_TARGET = make_dataset(*(
    Picture(f"{number}", (480, 480), things, (Said(f"10{number}", "cup", names),))
    for number, (things, names) in enumerate([
        ((), ()), ((), ()), ((), ()), ((Thing("a", "cup", draw(*["#" * 480] * 480)),), ("a",)),
    ], 1)
))


class TestReLA:
    def records(self, tmp_path, *rows_):
        return save_json(tmp_path / "grefcoco_detailed_results.json", [
            {"source": "grefcoco", "img_id": number, "gt_nt": number < 4, "pred_nt": nothing,
             "sent": "cup", "sent_info": {"sent_id": 100 + number}, "I": shared, "U": covered,
             "cIoU": 0.0}
            for number, (nothing, shared, covered) in enumerate(rows_, 1)
        ])

    def test_the_head_says_whether_nothing_is_meant_not_the_mask(self, tmp_path):
        # sample 3 of the check: the head missed, but the mask is empty; ReLA scores 0, LISA 1
        run = load_run(NO_TARGET, self.records(
            tmp_path, (True, 0, 0), (False, 0, 4), (False, 0, 0), (True, 0, 480 * 480),
        ), name="model")
        scores = score_run(NO_TARGET, run)
        assert apply_protocol(scores, Protocol()).iou.tolist() == [1, 0, 0, 0]
        metrics = compute_metrics(scores, Protocol())
        assert (metrics["mIoU"], metrics["N-acc"], metrics["T-acc"]) == (0.25, 1 / 3, 0.0)
        assert metrics["P@0.5"] == 0.25
        assert modes_of(scores) == ["correct", "false_target", "false_target", "empty"]

    def test_counts_are_of_square_frames_and_that_is_said(self, tmp_path):
        run = load(WRITERS["rela"](tmp_path / "dump"))
        assert run.counts_frame_hw == (480, 480)
        assert run.describe_frames() == "pixels counted in frames of 480 x 480"

    def test_a_frame_is_allowed_for_when_counts_are_held_against_the_truth(self, tmp_path):
        record = {"img_id": 460986, "pred_nt": False, "gt_nt": False, "sent": "the dog",
                  "sent_info": {"sent_id": 29930}, "U": 60_000}
        scaled = 400 * 480 * 480 // (48 * 64)  # 30,000
        run = load(save_json(tmp_path / "a.json", [record | {"I": scaled}]))
        assert run.reasons == {}
        run = load(save_json(tmp_path / "a.json", [record | {"I": scaled + 4_000}]))
        assert "but the target has only 30,000" in run.reasons[2]

    @pytest.mark.parametrize(("records", "overall"), [
        pytest.param([True, True], 0.5, id="all counted in frames"),
        pytest.param([True, False], None, id="one missing: its target counts in its own picture"),
    ])
    def test_pixels_of_two_frames_are_not_added_up(self, records, overall, tmp_path):
        half = draw(*["#" * 320 + "." * 320] * 480)
        dataset = make_dataset(*(
            Picture(f"{number}", (480, 640), (Thing("a", "cup", half),),
                    (Said(f"10{number}", "cup", ("a",)),)) for number in (1, 2)
        ))
        frame = 480 * 480 // 2
        path = save_json(tmp_path / "grefcoco_detailed_results.json", [
            {"source": "grefcoco", "img_id": number, "gt_nt": False, "pred_nt": False,
             "sent": "cup", "sent_info": {"sent_id": 100 + number}, "I": frame // 2, "U": frame,
             "cIoU": 0.0}
            for number, there in enumerate(records, 1) if there
        ])
        scores = score_run(dataset, load_run(dataset, path, name="model"))
        assert compute_metrics(scores, Protocol())["oIoU"] == overall
        assert compute_metrics(scores, Protocol(missing="skip"))["oIoU"] == 0.5

    def test_without_ids_the_sentence_and_the_picture_serve(self, tmp_path):
        run = load(save_json(tmp_path / "refcoco_detailed_results.json", [
            {"source": "refcoco", "img_id": 460986, "gt_nt": False, "pred_nt": False,
             "sent": "Right most cup.", "sent_info": {"raw": "Right most cup."}, "I": 0,
             "U": 31_000, "cIoU": 0.0},
        ]))
        assert run.alignment == ("1 by image_id + sentence",)


class TestStatedIoU:
    def test_an_iou_that_differs_from_ours_is_listed(self, tmp_path):
        path = WRITERS["cris"](tmp_path / "vis")
        (path / "10513-iou=100.00-the_dog.png").rename(path / "10513-iou=98.70-the_dog.png")
        (problem,) = load(path).problems
        assert (problem.code, problem.where) == ("iou-differs", "10513-iou=98.70-the_dog.png")
        assert problem.message == "Example 29930: the file says IoU 0.9870, but it is 1.0000."

    def test_a_thousandth_is_no_difference(self, tmp_path):
        path = WRITERS["cris"](tmp_path / "vis")
        (path / "10513-iou=100.00-the_dog.png").rename(path / "10513-iou=99.91-the_dog.png")
        assert load(path).problems == ()

    def test_the_iou_alone_gives_no_sum_of_pixels(self, tmp_path):
        scores = score_run(SCENE, load(WRITERS["samtok"](tmp_path / "dump")))
        table = score_table([scores], Protocol())
        assert table["intersection"].null_count == table["union"].null_count == 4
        assert table["iou"].to_pylist()[:3] == [0.5, 0.75, 1.0]
        assert table["evidence"].to_pylist() == ["iou"] * 4
        assert [FAILURE_MODES[row].key for row in scores.failure] == ["correct"] * 4

    @pytest.mark.parametrize(("iou", "modes", "accuracy"), [
        pytest.param(1.0, ["correct"] * 4, 1.0, id="two empty masks"),
        pytest.param(0.0, ["false_target"] * 3 + ["loose"], None, id="not known what was marked"),
    ])
    def test_without_a_target_it_says_whether_something_was_marked(
        self, iou, modes, accuracy, tmp_path
    ):
        path = save_json(tmp_path / "m.jsonl", {"sent_id": 101, "mask": None})
        run = replace(load_run(NO_TARGET, path, name="model"), stated_iou=np.full(4, iou),
                      status=np.full(4, Status.SCORED, np.int8),
                      rows=np.full(4, -1, np.int32), says_no_target=np.zeros(4, bool))
        scores = score_run(NO_TARGET, run)
        assert modes_of(scores) == modes
        metrics = compute_metrics(scores, Protocol())
        assert (metrics["mIoU"], metrics["N-acc"]) == (iou, accuracy)

    @pytest.mark.parametrize("iou", [-0.1, 1.2, 78.7])
    def test_an_iou_beyond_1_is_invalid(self, iou, tmp_path):
        run = load(save_json(tmp_path / "m.json", {"per_sample_results": [
            {"image_id": 460986, "expression": "the dog", "metrics": {"iou": iou}},
        ]}))
        assert run.reasons[2] == f"The IoU {iou:g} in the file is not within 0 and 1."


def test_cris_names_its_pictures_by_ref_and_sentence(tmp_path):
    path = WRITERS["cris"](tmp_path / "vis")
    (path / "notes.txt").touch()
    run = load(path)
    assert run.alignment == ("4 by ref_id + sentence",)
    assert codes(run) == ["other-file"]
    picture(CUP).save(path / "10512-iou=nan-no_such_sentence.png")
    assert [(p.code, p.message) for p in load(path).problems if p.code == "extra-file"] == [
        ("extra-file", "No example has ref_id 10512 and the sentence 'no such sentence'.")
    ]
