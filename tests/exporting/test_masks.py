"""Masks of a selection open elsewhere with the same pixels, and open here again."""

from __future__ import annotations

import contextlib
import io
import json

import numpy as np
import pytest
from pycocotools.coco import COCO

from inspector.core.errors import UsageError
from inspector.core.run import Status
from inspector.core.scores import score_run
from inspector.exporting import prediction_coco, prediction_lines, truth_coco, truth_lines
from inspector.formats import load_dataset
from inspector.formats.request import LoadRequest
from inspector.predictions import load_run
from tests.building import make_run, random_scores


def text_of(masks) -> str:
    return "".join(masks.parts)


def in_pycocotools(text: str, dataset) -> dict[str, dict]:
    """Load results as an evaluation would and give its records by example."""
    coco = COCO()
    coco.dataset = {
        "images": [{"id": int(image.id), "height": image.size_hw[0], "width": image.size_hw[1]}
                   for image in dataset.images],
        "annotations": [], "categories": [], "info": {}, "licenses": [],
    }
    with contextlib.redirect_stdout(io.StringIO()):
        coco.createIndex()
        results = coco.loadRes(json.loads(text))
    return {record["example_id"]: record for record in results.anns.values()} | {
        "masks": {record["example_id"]: results.annToMask(record).astype(bool)
                  for record in results.anns.values() if "segmentation" in record},
    }


@pytest.fixture
def scores():
    return random_scores(11)[0]


@pytest.fixture
def places(scores) -> np.ndarray:
    return np.random.default_rng(1).permutation(len(scores.dataset))[:40]


def test_predictions_in_pycocotools(scores, places):
    dataset, run = scores.dataset, scores.run
    masks = prediction_coco(dataset, run, places)
    found = in_pycocotools(text_of(masks), dataset)
    expected = [p for p in places.tolist() if run.rows[p] >= 0]
    assert masks.written == len(expected) == len(found["masks"])
    for place in expected:
        name, mask = dataset.expressions.ids[place], run.masks[int(run.rows[place])]
        assert found[name]["area"] == mask.area
        assert (found["masks"][name] == mask.to_array()).all()


def test_truth_in_pycocotools(scores, places):
    dataset = scores.dataset
    masks = truth_coco(dataset, places)
    found = in_pycocotools(text_of(masks), dataset)
    for place in places.tolist():
        name, target = dataset.expressions.ids[place], int(dataset.expressions.target[place])
        if target >= 0 and dataset.is_scorable[place]:
            assert (found["masks"][name] == dataset.targets.masks[target].to_array()).all()
        else:
            assert name not in found["masks"]
    assert masks.written + sum(masks.left_out.values()) == len(places)
    assert set(masks.left_out) == {"without target", "unreadable"}


@pytest.mark.parametrize("write", [prediction_lines, prediction_coco])
def test_predictions_open_again_as_a_run(scores, places, write, tmp_path):
    dataset, run = scores.dataset, scores.run
    masks = write(dataset, run, places)
    path = tmp_path / ("run.jsonl" if write is prediction_lines else "run.coco.json")
    path.write_text(text_of(masks), encoding="utf-8")
    again = score_run(dataset, load_run(dataset, path, name=run.name))
    count = 0
    for place in places.tolist():
        usable = run.status[place] == Status.SCORED and (
            run.rows[place] >= 0 or write is prediction_lines
        )
        count += usable
        if not usable:
            assert again.run.status[place] == Status.MISSING
            continue
        for column in ("status", "intersection", "union", "prediction_area", "failure", "other"):
            assert getattr(again, column)[place] == getattr(scores, column)[place]
        if write is prediction_lines:
            assert again.run.says_no_target[place] == run.says_no_target[place]
    assert masks.written == count
    assert (again.run.status == Status.SCORED).sum() == count


def test_what_is_not_in_the_file_is_counted(scores):
    everything = np.arange(len(scores.dataset))
    lines = prediction_lines(scores.dataset, scores.run, everything)
    coco = prediction_coco(scores.dataset, scores.run, everything)
    status = np.bincount(scores.run.status, minlength=4)
    none = int(scores.run.says_no_target.sum())
    missing, invalid = int(status[Status.MISSING]), int(status[Status.INVALID])
    assert lines.left_out == coco.left_out == {"missing": missing, "invalid": invalid}
    assert f"{missing} missing" in coco.describe_left_out()
    assert none and text_of(lines).count('"mask": null') == none


def test_truth_opens_again_as_a_data_set(scores, places, tmp_path):
    path = tmp_path / "truth.jsonl"
    path.write_text(text_of(truth_lines(scores.dataset, places)), encoding="utf-8")
    again = load_dataset(LoadRequest(str(path), split="all"))
    assert sorted(again.expressions.ids) == sorted(scores.dataset.expressions.ids[p]
                                                   for p in places.tolist())
    for place in places.tolist():
        old = scores.dataset[place]
        new = again.by_id(old.id)
        assert new.expression.sentence == old.expression.sentence
        assert (new.target.to_array() == old.target.to_array()).all()
        assert [r.category for r in new.referents] == [r.category for r in old.referents]
        assert len(new.distractors or ()) == len(old.distractors or ())


def test_ids_that_are_counted_in_a_sample_stay_what_they_are(tmp_path):
    from tests.building import Picture, Said, Thing, make_dataset
    from tests.drawing import draw

    said = tuple(Said("", f"cup {number}", ("a",), sample_id="s") for number in range(3))
    dataset = make_dataset(Picture("1", (1, 3), (Thing("a", "cup", draw("##.")),), said))
    path = tmp_path / "truth.jsonl"
    path.write_text(text_of(truth_lines(dataset, np.array([2, 1]))))
    again = load_dataset(LoadRequest(str(path), split="all"))
    assert {e.id: e.expression.sentence for e in again} == {"s:2": "cup 2", "s:1": "cup 1"}


class TestBoxes:
    @pytest.fixture
    def run(self, scores):
        lines = [{"example_id": scores.dataset.expressions.ids[p], "box_xywh": [0, 0, p + 1, 1]}
                 for p in range(4)]
        return make_run(scores.dataset, lines)

    def test_in_pycocotools(self, scores, run):
        found = in_pycocotools(text_of(prediction_coco(scores.dataset, run, np.arange(6))),
                               scores.dataset)
        assert [found[scores.dataset.expressions.ids[p]]["bbox"] for p in range(4)] == [
            [0, 0, p + 1, 1] for p in range(4)
        ]

    def test_they_open_again(self, scores, run, tmp_path):
        path = tmp_path / "boxes.jsonl"
        path.write_text(text_of(prediction_lines(scores.dataset, run, np.arange(6))))
        again = load_run(scores.dataset, path, name="boxes")
        assert (again.boxes_xywh[:4] == run.boxes_xywh[:4]).all() and again.is_boxes_only


def test_hostile_ids_and_sentences_are_text():
    from tests.building import Picture, Said, Thing, make_dataset
    from tests.drawing import draw

    name = '"},{\n"../../x": </script>'
    dataset = make_dataset(
        Picture("007", (1, 3), (Thing("a", "cup", draw("##.")),), (Said(name, name, ("a",)),))
    )
    run = make_run(dataset, [{"example_id": name, "mask": draw(".##")}])
    entry, = json.loads(text_of(prediction_coco(dataset, run, np.array([0]))))
    assert (entry["example_id"], entry["sentence"]) == (name, name)
    assert entry["image_id"] == "007"  # as a number it would be another picture
    line, = text_of(prediction_lines(dataset, run, np.array([0]))).splitlines()
    assert json.loads(line)["example_id"] == name


@pytest.mark.parametrize("write", [prediction_coco, prediction_lines])
def test_nothing_to_write_is_said(scores, write):
    missing = np.flatnonzero(scores.run.status == Status.MISSING)
    with pytest.raises(UsageError, match="None of the selected examples has a .* in the run run0."):
        write(scores.dataset, scores.run, missing)
    with pytest.raises(UsageError, match="None of the selected examples has a target. Select oth"):
        truth_coco(scores.dataset, np.array([], int))
