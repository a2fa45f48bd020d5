"""The commands and options that explain numbers, from outside."""

from __future__ import annotations

import csv
import io
import json
import re
import sys

import pytest

from inspector.cli import main
from inspector.core.table import COLUMNS, score_table
from inspector.formats import DEMO_FOLDER


def run(capsys, *arguments: str) -> tuple[int, str, str]:
    status = main(list(arguments))
    out, err = capsys.readouterr()
    return status, out, err


def test_by_category(capsys):
    status, out, _ = run(capsys, "score", "demo", "--by", "category")
    assert status == 0
    assert "run       category        n    mIoU    oIoU   P@0.5" in out
    assert "words     candy           8  0.3676  0.2245  0.3750" in out


def test_by_category_as_json_adds_up_to_the_whole(capsys):
    _, out, _ = run(capsys, "score", "demo", "--by", "category", "--json", "-")
    entry = json.loads(out)["runs"][0]
    rows = entry["groups"]["rows"]
    assert sum(row["n"] for row in rows) == 64
    mean = sum(row["n"] * row["mIoU"] for row in rows) / 64
    assert mean == pytest.approx(entry["metrics"]["mIoU"])
    named = [row["mIoU"] for row in rows if row["value"] != "–"]
    assert sum(named) / len(named) == pytest.approx(entry["metrics"]["mIoU_category"])


@pytest.mark.parametrize("column", COLUMNS)
def test_by_any_column(column, capsys):
    assert run(capsys, "score", "demo", "--by", column)[0] == 0


def test_numbers_are_cut_into_groups(capsys):
    _, out, _ = run(capsys, "score", "demo", "--by", "target_area", "--json", "-")
    rows = json.loads(out)["runs"][0]["groups"]["rows"]
    assert len(rows) == 5
    assert sum(row["n"] for row in rows) == 64


def test_the_list_of_columns_is_that_of_the_table(demo_workspace):
    table = score_table(demo_workspace.scores, demo_workspace.protocol)
    assert tuple(table.column_names) == COLUMNS


@pytest.mark.parametrize(("limit", "status", "said"), [
    ("mIoU=0.10", 0, ""), ("P@0.55=0.01", 0, ""), ("gIoU=0.1", 0, ""),
    ("mIoU=0.38", 1, "below the limit: saliency has mIoU 0.1165, below 0.38\n"),
    ("box_mIoU=0.5", 1, "below the limit: words has no box_mIoU; saliency has no box_mIoU; "
                        "box has no box_mIoU\n"),
])
def test_fail_below(limit, status, said, capsys):
    found, out, err = run(capsys, "score", "demo", "--fail-below", limit)
    assert (found, err) == (status, said)
    assert "mIoU" in out  # what was measured is printed all the same


def test_several_limits_are_one_line(capsys):
    status, _, err = run(
        capsys, "score", "demo", "--fail-below", "mIoU=0.2", "--fail-below", "oIoU=0.2"
    )
    assert status == 1
    assert err.count("\n") == 1
    assert "saliency has mIoU" in err and "saliency has oIoU" in err


@pytest.mark.parametrize(("options", "error"), [
    (["--fail-below", "mIoU"], "--fail-below mIoU is no limit. Write METRIC=FRACTION"),
    (["--fail-below", "mIoU=70"], "--fail-below mIoU=70 is no limit"),
    (["--fail-below", "mIoO=0.7"], "No metric 'mIoO'."),
    (["--by", "categry"], "No column 'categry'."),
    (["--preset", "lavd"], "No preset 'lavd'."),
    (["--at", "1.5"], "'1.5' is not an IoU threshold."),
    (["--iou-threshold", "half"], "--iou-threshold half is no share."),
    (["--iou-threshold", "0"], "--iou-threshold 0 is no share. Write a number above 0, up to 1."),
])
def test_what_is_wrong_is_said_in_one_line(options, error, capsys):
    status, out, err = run(capsys, "score", "demo", *options)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"error: {error}")


def test_any_threshold(capsys):
    _, out, _ = run(capsys, "score", "demo", "--at", "0.5", "--at", "0.125", "--json", "-")
    entry = json.loads(out)["runs"][0]
    assert entry["at"]["P@0.5"] == entry["metrics"]["P@0.5"]
    assert entry["at"]["P@0.125"] > entry["at"]["P@0.5"]


def test_presets_stand_beside_the_metrics(capsys):
    _, out, _ = run(capsys, "score", "demo", "--preset", "refcoco-m", "--preset", "rela",
                    "--json", "-")
    entry = json.loads(out)["runs"][0]
    assert entry["presets"]["refcoco-m"]["numbers"]["mIoU"] == entry["metrics"]["mIoU"]
    assert set(entry["presets"]["rela"]["numbers"]) == {
        "gIoU", "cIoU", "T_acc", "N_acc", "Pr@0.7", "Pr@0.8", "Pr@0.9",
    }


def test_boundaries_are_measured_unless_told_otherwise(capsys):
    _, out, _ = run(capsys, "score", "demo", "--json", "-")
    assert json.loads(out)["runs"][0]["metrics"]["boundary_mIoU"] > 0
    _, out, _ = run(capsys, "score", "demo", "--json", "-", "--no-boundary")
    assert "boundary_mIoU" not in json.loads(out)["runs"][0]["metrics"]


def test_the_table_has_boundaries_and_flags_where_they_were_measured(capsysbinary):
    assert main(["score", "demo", "--csv", "-"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsysbinary.readouterr().out.decode())))
    assert list(rows[0])[-2:] == ["boundary_iou", "flags"]
    assert any("mirror" in row["flags"].split(";") for row in rows)
    assert main(["score", "demo", "--csv", "-", "--no-boundary"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsysbinary.readouterr().out.decode())))
    assert tuple(rows[0]) == COLUMNS


def test_failures_as_text(capsys):
    status, out, _ = run(capsys, "failures", "demo")
    assert status == 0
    assert "wrong_referent          9   14.06%     +14.06      +4.03" in out
    assert "grounding 0.6557, mask quality given the right object 0.5515" in out
    assert "geometry: Mean IoU where prediction and target overlap" in out
    assert "leverage: half of all union pixels lie in 11 of 64 examples" in out


def test_thresholds_are_options(capsys):
    _, out, _ = run(capsys, "failures", "demo", "--iou-threshold", "0.9", "--json", "-")
    modes = {mode["key"]: mode["count"] for mode in json.loads(out)["runs"][2]["modes"]}
    assert modes["correct"] < 62


def test_failures_as_json(capsys):
    _, out, _ = run(capsys, "failures", "demo", "--json", "-")
    entry = json.loads(out)["runs"][0]
    assert set(entry) == {"name", "coverage", "modes", "grounding", "flags", "leverage", "geometry"}
    assert sum(mode["count"] for mode in entry["modes"]) == 64
    assert len(entry["leverage"]["top"]) == 10


def test_protocols_as_text(capsys):
    status, out, _ = run(capsys, "protocols", "demo", "--published", "35.1")
    assert status == 0
    assert "words: what known evaluators would print" in out
    assert "both empty counts 0 (REFER / MAttNet, LAVT" in out
    assert "no effect here: " in out
    assert "within rounding of 35.1" in out


def test_protocols_as_json(capsys):
    _, out, _ = run(capsys, "protocols", "demo", "--json", "-")
    entry = json.loads(out)["runs"][0]
    assert entry["finding"] is None
    assert {preset["key"] for preset in entry["presets"]} >= {"lavt", "rela", "visionreasoner"}


def test_a_published_number_that_is_none(capsys):
    status, _, err = run(capsys, "protocols", "demo", "--published", "good")
    assert (status, err) == (2, "error: 'good' is no published number. Write a fraction such as "
                                "0.743 or a percentage such as 74.3.\n")


def test_leaderboard(capsys):
    status, out, _ = run(capsys, "leaderboard", "demo")
    assert status == 0
    assert "measured   words" in out
    assert "No recorded result compares with it." in out
    assert re.search("not ranked, results of other data sets: .*refcocog [0-9]+", out)
    assert "LAVT" not in out  # whose numbers say nothing here
    _, out, _ = run(capsys, "leaderboard", "demo", "--metric", "cIoU", "--json", "-")
    assert json.loads(out)["runs"][0]["metric"] == "oIoU"


@pytest.mark.parametrize(("command", "said"), [
    ("failures", "check the geometry"), ("protocols", "count words as others do"),
])
def test_the_longest_part_shows_how_far_it_is(command, said, capsys, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    _, _, err = run(capsys, command, "demo")
    assert f"{said} █" in err


@pytest.mark.parametrize("command", ["slices", "compare", "failures", "protocols", "leaderboard"])
def test_numbers_stand_beside_what_they_rest_on(command, capsys, tmp_path):
    half = tmp_path / "half.jsonl"
    lines = (DEMO_FOLDER / "runs" / "box.jsonl").read_text(encoding="utf-8").splitlines()
    half.write_text("\n".join(lines[:32]) + "\n", encoding="utf-8")
    other = DEMO_FOLDER / "runs" / "words.jsonl"
    status, out, _ = run(capsys, command, "demo", "--run", str(half), "--run", str(other),
                         "--json", str(tmp_path / "found.json"))
    assert status == 0
    assert "half: 32 of 64 examples matched, 32 missing (32 by sent_id)\nwarning: half: 50 %" in out
    assert "words: 61 of 64 examples matched" in out
    assert "warning: words" not in out
    runs = json.loads((tmp_path / "found.json").read_text(encoding="utf-8"))["runs"]
    assert {one["name"]: one["coverage"]["missing"] for one in runs} == {"half": 32, "words": 1}
    assert ("of the ties, 1 " in out) == (command == "compare")
