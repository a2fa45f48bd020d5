"""Every format of the table: a file of that shape is detected, aligned and read exactly."""

from __future__ import annotations

import numpy as np
import pytest

from inspector.core.metrics import compute_metrics
from inspector.core.protocol import Protocol
from inspector.core.scores import score_run
from inspector.core.table import score_table
from inspector.predictions import PREDICTION_FORMATS
from tests.predictions.dumps import HOLDS, WRITERS
from tests.predictions.scene import IOU, PREDICTED, SCENE, codes, load, masks_of, statuses

every_format = pytest.mark.parametrize("key", [fmt.key for fmt in PREDICTION_FORMATS])
QUIET = {"mask-values", "shared-key", "box-scale", "several-boxes", "duplicate-prediction"}


def test_every_format_has_a_file():
    assert list(WRITERS) == [fmt.key for fmt in PREDICTION_FORMATS]


@every_format
def test_it_is_detected_and_aligned_whole(key, tmp_path):
    run = load(WRITERS[key](tmp_path / "dump"))
    assert run.format == key
    assert statuses(run) == dict.fromkeys(SCENE.expressions.ids, "scored")
    assert run.unmatched == 0
    assert set(codes(run)) <= QUIET
    evidence = {run.evidence(index) for index in range(len(SCENE))}
    assert evidence == {HOLDS.get(key, "mask")}


@pytest.mark.parametrize("key", [k for k in WRITERS if k not in HOLDS])
def test_masks_are_exact(key, tmp_path):
    assert masks_of(load(WRITERS[key](tmp_path / "dump"))) == PREDICTED


@pytest.mark.parametrize("key", [k for k in WRITERS if HOLDS.get(k) != "box"])
def test_mask_metrics_are_those_of_the_masks(key, tmp_path):
    run = load(WRITERS[key](tmp_path / "dump"))
    metrics = compute_metrics(score_run(SCENE, run), Protocol())
    assert metrics["mIoU"] == pytest.approx(sum(IOU.values()) / 4, abs=1e-4)
    assert metrics["P@0.5"] == 1.0
    assert metrics["P@0.7"] == 0.5
    if key == "samtok":
        assert metrics["oIoU"] is None  # an IoU has no pixels to add up
    elif key != "rela":  # whose frames are not the pictures'
        assert metrics["oIoU"] == (200 + 300 + 400 + 800) / (400 + 400 + 400 + 1200)


@pytest.mark.parametrize("key", [k for k in WRITERS if HOLDS.get(k) == "box"])
def test_boxes_have_numbers_of_their_own(key, tmp_path):
    scores = score_run(SCENE, load(WRITERS[key](tmp_path / "dump")))
    metrics = compute_metrics(scores, Protocol())
    assert [k for k, v in metrics.items() if v is not None] == ["box_mIoU", "box_Acc@0.5"]
    assert metrics["box_mIoU"] == pytest.approx(sum(IOU.values()) / 4, abs=0.02)
    table = score_table([scores], Protocol())
    assert table["iou"].null_count == table["intersection"].null_count == 4
    assert table["status"].to_pylist() == ["scored"] * 4
    assert scores.coverage.matched == 4
    boxes = np.column_stack([table[f"box_{side}"] for side in ("x", "y", "width", "height")])
    expected = [mask.box_xywh for mask in PREDICTED.values()]
    assert boxes == pytest.approx(np.array(expected), abs=0.1)


@pytest.mark.parametrize("key", ["mattnet", "padt", "sam", "moondream"])
def test_masks_with_boxes_have_both_numbers_and_never_mix_them(key, tmp_path):
    scores = score_run(SCENE, load(WRITERS[key](tmp_path / "dump")))
    metrics = compute_metrics(scores, Protocol())
    assert metrics["mIoU"] == pytest.approx(sum(IOU.values()) / 4)
    assert metrics["box_mIoU"] == pytest.approx(sum(IOU.values()) / 4)
    assert scores.run.box_xywh(0) == pytest.approx(PREDICTED["29928"].box_xywh)


def test_alignment_names_the_way_it_went(tmp_path):
    ways = {key: load(WRITERS[key](tmp_path / key)).alignment[0] for key in WRITERS}
    assert ways["mattnet"] == "4 by sent_id"
    assert ways["cris"] == "4 by ref_id + sentence"
    assert ways["padt"] == ways["coco-results"] == ways["samtok"] == "4 by image_id + sentence"
    assert ways["lmms-eval"] == "4 by ann_id + sentence"
    assert ways["sa2va"] == "2 by the ground truth in the file"
    assert ways["seg-zero"] == "2 by ann_id, in order"
    assert ways["lisa"] == "3 by image_id, in order"
