"""Files that hold nothing to score are recognised, and it is said what to do."""

from __future__ import annotations

import io
import json
import pickle
import zipfile

import pytest

from inspector.core.errors import FormatError
from tests.predictions.scene import load, save_json, save_lines


def torch_zip() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("archive/data.pkl", pickle.dumps([1]))
    return buffer.getvalue()


@pytest.mark.parametrize(("name", "content"), [
    pytest.param("ref_seg_predictions.pth", torch_zip(), id="ReLA save_imgs"),
    pytest.param("ref_seg_predictions.pth", pickle.dumps([1]), id="old torch file"),
    pytest.param("tmp_0.pkl", pickle.dumps([1], 0), id="Sa2VA's temporary pickles"),
    pytest.param("run", pickle.dumps([1], 5), id="pickle without a name"),
])
def test_pickles_and_torch_files_are_not_opened(name, content, tmp_path):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(FormatError, match="is a pickle or a torch file, which runs code") as error:
        load(tmp_path / name)
    assert "Convert it where torch is installed" in str(error.value)


def test_lmdb(tmp_path):
    (tmp_path / "val.lmdb").mkdir()
    (tmp_path / "val.lmdb" / "data.mdb").write_bytes(b"\0" * 64)
    with pytest.raises(FormatError, match="is an LMDB database.*Write its masks as PNG files"):
        load(tmp_path / "val.lmdb")


@pytest.mark.parametrize("document", [
    pytest.param({"predictions": [{"sent": "the cup", "ref_id": 1}]}, id="REG evaluation"),
    pytest.param([{"sent": "the cup", "ref_id": 1}], id="a bare list of them"),
])
def test_captions_are_text_results(document, tmp_path):
    with pytest.raises(FormatError, match="is a file of text results"):
        load(save_json(tmp_path / "sample_expressions_testA.json", document))


@pytest.mark.parametrize("answer", [
    pytest.param({"bbox_2d": [2, 2, 6, 6]}, id="four numbers"),
    pytest.param({"answer": "<box>[[200, 200, 600, 600]]</box>"}, id="text of a model"),
])
def test_answers_with_boxes_beside_a_ref_id_are_no_captions(answer, tmp_path):
    line = {"ref_id": 10513, "sent": "the dog", **answer}
    assert load(save_lines(tmp_path / "answers.jsonl", line)).format == "box-answers"
    with pytest.raises(FormatError, match="is a file of text results"):
        load(save_lines(tmp_path / "c.jsonl", {"ref_id": 1, "sent": "x", "answer": "a dog"}))


def test_the_segmentation_task_of_lmms_eval_is_captioning(tmp_path):
    # lmms-eval#17: CIDEr on RefCOCO
    line = {"doc_id": 0, "target": "x", "refcoco_CIDEr": {"answer": ["a"], "pred": "a cup"},
            "refcoco_Bleu_4": {"answer": ["a"], "pred": "a cup"}}
    with pytest.raises(FormatError, match="captions are scored by CIDEr"):
        load(save_lines(tmp_path / "samples.jsonl", line))


@pytest.mark.parametrize("document", [
    pytest.param([{"model": "GLaMM", "dataset": "refcoco", "giou": "0.8", "ciou": "0.79"}],
                 id="GLaMM stats.json"),
    pytest.param([["grefcoco", {"gIoU": 66.3, "cIoU": 63.1, "T_acc": 0.9}]], id="ReLA results"),
])
def test_final_numbers_are_no_predictions(document, tmp_path):
    with pytest.raises(FormatError, match="holds only the final numbers of a run"):
        load(save_json(tmp_path / "stats.json", document))


def test_a_data_set_is_no_run(tmp_path):
    path = save_lines(tmp_path / "a.jsonl", {"inspector": "dataset", "version": 1}, {"image": {}})
    with pytest.raises(FormatError, match="holds no prediction: it is a data set"):
        load(path)


@pytest.mark.parametrize("value", ["text", [1, 2], {"a": 1}, [], {}, [[]], 7, None])
def test_other_json_is_not_known(value, tmp_path):
    (tmp_path / "a.json").write_text(json.dumps(value))
    with pytest.raises(FormatError):
        load(tmp_path / "a.json")
