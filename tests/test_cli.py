"""The commands from outside: what they print, what they write, how they end."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from inspector import __version__
from inspector.cli import main
from inspector.core.errors import UsageError
from inspector.predictions import parse_run_option
from tests.drawing import draw

METRICS = ["mIoU", "oIoU", "P@0.5", "P@0.6", "P@0.7", "P@0.8", "P@0.9", "boundary_mIoU", "N-acc",
           "T-acc", "mIoU_category", "grounding"]
COLUMNS = (
    "example_id,image_id,file_name,ref_id,ann_id,sent_id,sample_id,sentence,category,run,status,"
    "intersection,union,iou,target_area,prediction_area,failure"
).split(",")


def write_lines(path: Path, *lines: dict) -> str:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return str(path)


@pytest.fixture
def scene(tmp_path) -> str:
    """One picture, whose file is missing, with a cup and two sentences; 4 pixels of target."""
    cup = draw("####......").to_json()
    return write_lines(
        tmp_path / "scene.jsonl", {"inspector": "dataset", "version": 1, "name": "scene"},
        {"image": {"id": "1", "file_name": "1.jpg", "size": [1, 10]},
         "objects": [{"ann_id": "11", "category": "cup", "mask": cup}],
         "expressions": [
             {"sent_id": "101", "sentence": "left, “cup”", "targets": ["11"], "split": "val"},
             {"sent_id": "102", "sentence": "the cup", "targets": ["11"], "split": "val"}]},
    )


@pytest.fixture
def run(tmp_path) -> str:
    """Predictions of which one covers half of the target and one has another size."""
    return write_lines(
        tmp_path / "base.jsonl",
        {"sent_id": 101, "mask": draw("##........").to_json()},
        {"sent_id": 102, "mask": draw("##").to_json()},
    )


def test_the_demo_is_scored(capsys):
    assert main(["score", "demo"]) == 0
    out, err = capsys.readouterr()
    assert "demo, split val: 12 pictures, 33 referents, 64 examples" in out
    assert "average over sentences; missing and invalid predictions score 0" in out
    assert "words: 61 of 64 examples matched, 1 missing, 2 invalid (63 by sent_id)" in out
    assert err == ""


def test_json_on_standard_output_has_the_shape_of_the_contract(scene, run, capsys):
    assert main(["score", scene, "--run", run, "--json", "-"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert json.loads(out) == {
        "inspector": __version__,
        "dataset": {
            "name": "scene", "format": "jsonl", "split": "val", "split_by": "", "source": scene,
            "images": 1, "referents": 1, "examples": 2,
        },
        "protocol": {"average": "sentence", "empty_union": "one", "missing": "zero"},
        "runs": [{
            "name": "base", "source": run,
            "coverage": {"examples": 2, "matched": 1, "missing": 0, "invalid": 1, "duplicate": 0,
                         "unmatched": 0},
            "metrics": dict.fromkeys(METRICS, 0.0)
            | {"mIoU": 0.25, "oIoU": 0.25, "P@0.5": 0.5, "N-acc": None, "T-acc": None}
            | {"boundary_mIoU": 0.25, "mIoU_category": 0.25, "grounding": 0.5},
        }],
        "problems": [
            {"code": "missing-picture", "severity": "error", "count": 1, "where": "line 2",
             "message": "1.jpg was not found: no picture folder was found beside the data set "
                        "(give one with --images DIR)."},
            {"code": "size-mismatch", "severity": "error", "count": 1,
             "where": "base.jsonl, line 2",
             "message": "Example 102: The mask is 2 x 1 pixels (width x height), the picture "
                        "10 x 1 pixels (width x height)."},
        ],
    }


def test_rules_are_options(scene, run, capsys):
    rules = ["--average", "referent", "--empty-union", "skip", "--missing", "skip"]
    assert main(["score", scene, "--run", run, "--json", "-", *rules]) == 0
    summary = json.loads(capsys.readouterr().out)
    assert summary["protocol"] == {"average": "referent", "empty_union": "skip", "missing": "skip"}
    assert summary["runs"][0]["metrics"]["mIoU"] == 0.5


def test_csv_on_standard_output(scene, run, capsysbinary):
    assert main(["score", scene, "--run", run, "--csv", "-"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsysbinary.readouterr().out.decode())))
    assert list(rows[0])[: len(COLUMNS)] == COLUMNS
    assert [row["sentence"] for row in rows] == ["left, “cup”", "the cup"]
    assert [row["iou"] for row in rows] == ["0.5", "0"]
    assert [row["prediction_area"] for row in rows] == ["2", ""]


def test_json_csv_and_parquet_files_say_the_same(scene, run, tmp_path, capsys):
    paths = {kind: tmp_path / f"out.{kind}" for kind in ("json", "csv", "parquet")}
    options = [part for kind, path in paths.items() for part in (f"--{kind}", str(path))]
    assert main(["score", scene, "--run", run, "--run", f"again={run}", *options]) == 0
    assert "base: 1 of 2 examples matched, 1 invalid" in capsys.readouterr().out
    summary = json.loads(paths["json"].read_text(encoding="utf-8"))
    assert [entry["name"] for entry in summary["runs"]] == ["base", "again"]
    rows = pq.read_table(paths["parquet"]).to_pylist()
    assert [(row["run"], row["example_id"], row["iou"]) for row in rows] == [
        ("base", "101", 0.5), ("base", "102", 0.0), ("again", "101", 0.5), ("again", "102", 0.0),
    ]
    with paths["csv"].open(encoding="utf-8", newline="") as file:
        assert [row["example_id"] for row in csv.DictReader(file)] == ["101", "102"] * 2
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "base.jsonl", "out.csv", "out.json", "out.parquet", "scene.jsonl",
    ]


class TestRunNames:
    @pytest.mark.parametrize(("value", "name", "path"), [
        ("base=preds.jsonl", "base", "preds.jsonl"),
        ("my model=a/b.jsonl", "my model", "a/b.jsonl"),
        ("a=b=c.jsonl", "a", "b=c.jsonl"),
        ("preds.jsonl", "preds", "preds.jsonl"),
        ("a/preds.v2.jsonl", "preds.v2", "a/preds.v2.jsonl"),
        ("a/b=c.jsonl", "b=c", "a/b=c.jsonl"),
        ("=c.jsonl", "=c", "=c.jsonl"),
    ], ids=["name", "space", "second equals", "stem", "dots", "slash before equals", "no name"])
    def test_the_name_stands_before_the_first_equals_sign(self, value, name, path):
        assert parse_run_option(value) == (name, Path(path))

    def test_a_name_that_is_not_unicode_is_made_readable(self):
        assert parse_run_option("\udcff.jsonl")[0] == "\\udcff"

    def test_equal_names_are_an_error(self, scene, run, capsys):
        assert main(["score", scene, "--run", run, "--run", f"base={run}"]) == 2
        assert capsys.readouterr().err == (
            "error: Two runs are named 'base'. Name them: --run NAME=PATH.\n"
        )


class TestCheck:
    def test_problems_of_severity_error_give_one(self, scene, run, capsys):
        assert main(["check", scene, "--run", run]) == 1
        out = capsys.readouterr().out
        assert "base: 1 of 2 examples matched, 1 invalid" in out
        assert "error: size-mismatch: base.jsonl, line 2: Example 102: The mask is 2 x 1" in out

    def test_the_demo_without_its_runs_would_be_whole(self, tmp_path, capsys):
        run = write_lines(tmp_path / "a.jsonl", {"sent_id": 101, "mask": None})
        assert main(["check", "demo", "--run", run]) == 0
        assert "No problems found." in capsys.readouterr().out

    def test_warnings_alone_give_zero(self, tmp_path, capsys):
        lines = [{"sent_id": 101, "mask": None}, {"sent_id": 7, "mask": None}]
        assert main(["check", "demo", "--run", write_lines(tmp_path / "a.jsonl", *lines)]) == 0
        assert "warning: unmatched-prediction: a.jsonl, line 2: No example has sent_id 7." in (
            capsys.readouterr().out
        )


def test_help_and_version_end_well(capsys):
    for option in ("--help", "--version"):
        with pytest.raises(SystemExit) as ending:
            main([option])
        assert ending.value.code == 0
    assert f"inspector {__version__}" in capsys.readouterr().out


def test_user_paths_mean_the_home_folder(monkeypatch, tmp_path, run):
    monkeypatch.setenv("HOME", str(tmp_path))
    assert parse_run_option("~/base.jsonl") == ("base", tmp_path / "base.jsonl")
    with pytest.raises(UsageError, match=r"'~nobody-of-that-name/x' cannot be used as a path"):
        parse_run_option("~nobody-of-that-name/x")
