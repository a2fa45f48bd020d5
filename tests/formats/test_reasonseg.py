from __future__ import annotations

import json
import re

import numpy as np
import pytest

from inspector.core.mask import Mask
from inspector.core.scores import score_run
from inspector.formats import load_dataset
from inspector.formats.request import LoadRequest
from tests.building import make_run
from tests.drawing import draw
from tests.formats.layouts import LEFT_SHAPE, reasonseg_file, scene_files, shape, write_reasonseg


def load(source, **request):
    return load_dataset(LoadRequest(str(source), **request))


def one(tmp_path, *shapes, **request):
    files = {"1": reasonseg_file("mug", "cup", shapes=list(shapes))}
    return load(write_reasonseg(tmp_path, files=files), **request)


def test_the_first_text_is_the_example_by_default(tmp_path):
    # JIA-Lab-research/LISA#157: which text is used?
    assert [e.expression.sentence for e in one(tmp_path, LEFT_SHAPE)] == ["mug"]
    every = one(tmp_path, LEFT_SHAPE, texts="all")
    assert [(e.id, e.expression.sentence) for e in every] == [("1:0", "mug"), ("1:1", "cup")]
    assert every.referent_count == 1


def test_a_file_without_a_polygon_is_listed_and_not_scored(tmp_path):
    # JIA-Lab-research/LISA#157: two files of the test split have none
    files = {**scene_files(), "3": reasonseg_file("a cat", shapes=[])}
    dataset = load(write_reasonseg(tmp_path, files=files))
    assert [e.id for e in dataset] == ["1:0", "2:0", "3:0"]
    assert dataset.is_scorable.tolist() == [True, True, False]
    problems = [(p.code, p.severity, p.where, p.message) for p in dataset.problems
                if p.code != "counts-differ"]
    assert problems == [
        ("missing-truth", "warning", "3.json", "The file has no polygon of a target."),
    ]
    run = make_run(dataset, [{"example_id": "3:0", "mask": draw("......", "......", "......",
                                                                "#.....").to_json()}])
    assert score_run(dataset, run).coverage.examples == 2


def test_ignored_pixels_are_in_neither_count(tmp_path):
    dataset = one(tmp_path, LEFT_SHAPE, shape("ignore region", (4, 0), (5, 0), (5, 3), (4, 3)))
    mask = draw(
        "....##",
        ".#..##",
        ".#..##",
        "#.....",
    )
    run = make_run(dataset, [{"example_id": "1:0", "mask": mask.to_json()}])
    scores = score_run(dataset, run)
    assert scores.intersection.tolist() == [2]
    assert scores.union.tolist() == [5]  # 4 of the target, 1 beside it; not the six ignored
    assert scores.prediction_area.tolist() == [3]


def test_smaller_polygons_are_drawn_over_larger_ones(tmp_path):
    # as LISA does: sorted by area, each over the last
    hole = shape("ignore", (2, 1), (3, 2))
    whole = shape("target", (0, 0), (5, 0), (5, 3), (0, 3))
    for shapes in ([hole, whole], [whole, hole]):
        [example] = one(tmp_path, *shapes)
        assert example.ignored == draw("......", "..#...", "...#..", "......")
        assert example.target.area == 22


def test_the_label_flag_is_skipped(tmp_path):
    [example] = one(tmp_path, LEFT_SHAPE, shape("Flag", (0, 0), (5, 0), (5, 3)))
    assert example.target.area == 4


def test_it_counts_what_lisa_counts(tmp_path):
    import cv2

    rng = np.random.default_rng(5)
    for _ in range(20):
        polygons = [rng.integers(0, 6, (3, 2)) for _ in range(4)]
        labels = rng.choice(["target", "ignore"], 4).tolist()
        dataset = one(tmp_path, *(shape(label, *p.tolist())
                                  for label, p in zip(labels, polygons, strict=True)))
        areas = []
        for polygon in polygons:
            alone = np.zeros((4, 6), np.uint8)
            cv2.polylines(alone, np.array([polygon], np.int32), True, 1, 1)
            cv2.fillPoly(alone, np.array([polygon], np.int32), 1)
            areas.append(alone.sum())
        truth = np.zeros((4, 6), np.uint8)
        for place in np.argsort(areas)[::-1]:
            value = 255 if labels[place] == "ignore" else 1
            cv2.polylines(truth, np.array([polygons[place]], np.int32), True, value, 1)
            cv2.fillPoly(truth, np.array([polygons[place]], np.int32), value)
        if not (truth == 1).any():
            assert not dataset.is_scorable.any()
            continue
        predicted = rng.random((4, 6)) < 0.5
        run = make_run(dataset, [{"example_id": "1:0",
                                  "mask": Mask.from_array(predicted).to_json()}])
        scores = score_run(dataset, run)
        kept = truth != 255
        assert scores.intersection[0] == (predicted & (truth == 1))[kept].sum()
        assert scores.union[0] == (predicted | (truth == 1))[kept].sum()


def test_windows_text_is_read(tmp_path):
    content = json.dumps(reasonseg_file("un café", shapes=[LEFT_SHAPE]), ensure_ascii=False)
    source = write_reasonseg(tmp_path, files={"1": content.encode("cp1252")})
    assert load(source)[0].expression.sentence == "un café"


@pytest.mark.parametrize(("content", "text"), [
    pytest.param(b"{", "not of the documented shape", id="cut off"),
    pytest.param(b"[]", "not of the documented shape", id="a list"),
    pytest.param({"shapes": []}, "has no 'text'", id="no text"),
    pytest.param({"text": [3], "shapes": []}, "is a number, expected text", id="text is a number"),
    pytest.param({"text": ["a"], "shapes": [3]}, "documented shape", id="shape is a number"),
    pytest.param({"text": ["a"], "shapes": [{"label": "t", "points": [[1, 1e9]]}]},
                 "within 100,000 pixels", id="far away"),
    pytest.param({"text": ["a"], "shapes": [{"label": "t", "points": [[1, 2, 3]]}]},
                 r"must be \[\[x, y\], …\]", id="three numbers a point"),
    pytest.param({"text": ["a"], "shapes": [{"label": "t", "points": [[1, None]]}]},
                 "pixels", id="no number"),
])
def test_bad_files_are_left_out_and_listed(tmp_path, content, text):
    files = {**scene_files(), "3": content}
    dataset = load(write_reasonseg(tmp_path, files=files))
    assert [e.id for e in dataset] == ["1:0", "2:0"]
    [problem] = [p for p in dataset.problems if p.code == "bad-record"]
    assert (problem.severity, problem.where) == ("error", "3.json")
    assert re.search(text, problem.message)


def test_a_broken_picture_gives_no_size(tmp_path):
    source = write_reasonseg(tmp_path)
    (source / "val" / "2.jpg").write_bytes(b"no picture")
    dataset = load(source)
    assert [e.id for e in dataset] == ["1:0"]
    assert "the picture cannot be read" in dataset.problems[0].message


def test_a_missing_picture_needs_a_size_from_its_file(tmp_path):
    files = scene_files()
    files["1"] |= {"imageHeight": 4, "imageWidth": 6}
    source = write_reasonseg(tmp_path, files=files)
    for stem in ("1", "2"):
        (source / "val" / f"{stem}.jpg").unlink()
    dataset = load(source, format="reasonseg")
    assert [e.id for e in dataset] == ["1:0"]
    assert {p.code for p in dataset.problems} >= {"missing-picture", "bad-record"}


def test_one_split_may_be_named_itself(tmp_path):
    source = write_reasonseg(tmp_path, split="test")
    for path in (source, source / "test"):
        dataset = load(path)
        assert (dataset.name, dataset.split, len(dataset)) == ("reasonseg", "test", 2)
