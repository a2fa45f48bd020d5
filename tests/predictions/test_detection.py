"""What looks like several formats is taken for the right one."""

from __future__ import annotations

import json

import pytest

from inspector.core.errors import FormatError
from inspector.predictions import PREDICTION_FORMATS, detect
from tests.predictions.dumps import WRITERS
from tests.predictions.scene import CUP, load, masks_of, save_json, save_lines

MASK = CUP.to_json()
BOX = {"x_min": 0.1, "y_min": 0.1, "x_max": 0.5, "y_max": 0.5}


@pytest.mark.parametrize(("record", "key"), [
    pytest.param({"sent_id": 29928, "mask": MASK, "response": "[SEG] at (3, 4)"}, "jsonl",
                 id="a mask beside an answer"),
    pytest.param({"sent_id": 29928, "mask": MASK, "bbox": [1, 2, 3, 4]}, "jsonl",
                 id="a mask beside a box"),
    pytest.param({"sent_id": 29928, "mask": MASK, "path": "Masks/1.png"}, "jsonl",
                 id="the path of a file"),
    pytest.param({"image_id": 460986, "sentence": "the cup", "category": "cup", "mask": MASK},
                 "jsonl", id="a category beside a sentence"),
    pytest.param({"sent_id": 29928, "ref_id": 10512, "sentence": "x", "mask": None}, "jsonl",
                 id="no target"),
    pytest.param({"image_id": 460986, "category": "the cup", "mask": MASK}, "padt", id="PaDT"),
    pytest.param({"sent_id": 29928, "segmentation": MASK}, "coco-results", id="COCO results"),
    pytest.param({"sent_id": 29928, "path": "M0,0H1V1z", "bbox": BOX}, "moondream", id="path"),
    pytest.param({"sent_id": 29928, "path": "", "bbox": BOX}, "moondream", id="empty path"),
    pytest.param({"sent_id": 29928, "bbox": [1, 2, 3, 4]}, "box-answers", id="box"),
    pytest.param({"sent_id": 29928, "response": "[470,]"}, "box-answers", id="broken box"),
    pytest.param({"sent_id": 29928, "box_xywh": [1, 2, 3, 4]}, "jsonl", id="our own box"),
    pytest.param({"doc_id": 0, "m": {"pred": [0, 0, 1, 1]}}, "lmms-eval", id="lmms-eval"),
])
@pytest.mark.parametrize("lines", [True, False], ids=["lines", "list"])
def test_one_record_is_enough(record, key, lines, tmp_path):
    if key == "jsonl" and not lines:
        pytest.skip("the inspector's own format is JSON Lines")
    path = tmp_path / "run.json"
    (save_lines(path, record, record) if lines else save_json(path, [record]))
    assert detect(path)[1].key == key


@pytest.mark.parametrize("key", [k for k, write in WRITERS.items()])
@pytest.mark.parametrize("suffix", [".json", ".jsonl", ".txt", ""])
def test_the_name_of_a_file_says_little(key, suffix, tmp_path):
    path = WRITERS[key](tmp_path / "dump")
    if path.suffix or path.is_dir():
        pytest.skip("the writer chooses the name")
    named = path.rename(path.with_suffix(suffix))
    assert detect(named)[1].key == key


def test_a_document_over_many_lines_is_no_json_lines(tmp_path):
    path = WRITERS["mattnet"](tmp_path / "dump")
    path.write_text(json.dumps(json.loads(path.read_text()), indent=1))
    assert detect(path)[1].key == "mattnet"


def test_a_prompt_beside_a_sent_id_contradicts_nothing(tmp_path):
    run = load(save_lines(tmp_path / "a.jsonl", {
        "sent_id": 29928, "question": "Please locate: the cup.", "response": "[1, 2, 3, 4]"}))
    assert run.alignment[0] == "1 by sent_id"


def test_a_picture_that_is_an_object_is_passed_over(tmp_path):
    run = load(save_lines(tmp_path / "a.jsonl", {
        "sent_id": 29928, "image": {"path": "1.jpg"}, "segmentation": MASK}))
    assert masks_of(run) == {"29928": CUP}


def test_a_caption_with_a_mask_is_no_caption(tmp_path):
    path = save_json(tmp_path / "a.json", [
        {"ref_id": 10512, "sent": "the cup", "segmentation": MASK}])
    assert masks_of(load(path)) == {"29929": CUP}


def test_keys_are_unique_and_the_own_format_comes_last():
    keys = [fmt.key for fmt in PREDICTION_FORMATS]
    assert len(set(keys)) == len(keys)
    assert keys[-1] == "jsonl"


def test_a_folder_of_runs_is_told_from_a_run(tmp_path):
    (tmp_path / "all").mkdir()
    for key in ("jsonl", "mattnet", "mask-folder"):
        WRITERS[key](tmp_path / "all" / key)
    with pytest.raises(FormatError, match="is not a run but holds 3: jsonl, mask-folder, mattnet"):
        detect(tmp_path / "all")
