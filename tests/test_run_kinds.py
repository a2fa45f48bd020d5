"""Runs of masks, counts, IoU and boxes go through everything behind the page and the commands."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from inspector.browse import SORTS, Browser, Selection
from inspector.core.protocol import Protocol
from inspector.core.scores import score_run
from inspector.server.items import Items
from inspector.summary import describe_runs, summary_json, write_table
from inspector.workspace import Workspace
from tests.predictions.dumps import HOLDS, WRITERS
from tests.predictions.scene import SCENE, load


@pytest.fixture(scope="module")
def workspace(tmp_path_factory) -> Workspace:
    folder = tmp_path_factory.mktemp("runs")
    runs = [load(write(folder / key)) for key, write in WRITERS.items()]
    named = [replace(run, name=run.format) for run in runs]
    return Workspace(SCENE, tuple(score_run(SCENE, run) for run in named), Protocol())


def test_what_the_browser_gets_is_plain_json(workspace):
    items = Items(workspace, Browser(workspace))
    for index in range(len(SCENE)):
        item = json.loads(json.dumps(items.whole(index), allow_nan=False))
        for run, scores in zip(item["runs"], workspace.scores, strict=True):
            has_mask = scores.run.evidence(index) == "mask"
            assert (run["mask"] is not None) == has_mask
            assert run["status"] == "scored"


@pytest.mark.parametrize("sort", [sort.key for sort in SORTS])
def test_every_run_can_be_put_in_every_order(workspace, sort):
    browser = Browser(workspace)
    for scores in workspace.scores:
        assert sorted(browser.order(Selection(scores.run.name, sort)).tolist()) == [0, 1, 2, 3]


def test_what_is_shown_and_sorted_by_is_never_mixed(workspace):
    for scores, scored in zip(workspace.scores, workspace.scored, strict=True):
        is_boxes = HOLDS.get(scores.run.name) == "box"
        assert scored.is_boxes_only == is_boxes
        assert scored.shown_iou is (scored.box_iou if is_boxes else scored.iou)
        assert scored.shown_iou[2] == pytest.approx(1.0, abs=0.03)


def test_json_and_tables_of_every_kind(workspace, tmp_path):
    summary = json.loads(json.dumps(summary_json(workspace), allow_nan=False))
    for run, scores in zip(summary["runs"], workspace.scores, strict=True):
        assert ("box_mIoU" in run["metrics"]) == (scores.boxes is not None)
        assert (run["metrics"]["mIoU"] is None) == (HOLDS.get(run["name"]) == "box")
        counted = sum(run["coverage"][key] for key in ("matched", "missing", "invalid"))
        assert counted == run["coverage"]["examples"] == 4
    assert {r["name"] for r in summary["runs"] if "counts_frame" in r} == {"rela"}
    lines = describe_runs(workspace).split("\n")
    assert len({len(line) for line in lines[: len(WRITERS) + 1]}) == 1  # one width
    for kind in ("csv", "parquet"):
        write_table(workspace, str(tmp_path / f"out.{kind}"), kind)


def test_the_version_changes_with_a_box_and_with_a_count(tmp_path):
    for key in ("lmms-eval", "seg-zero", "samtok"):
        run = load(WRITERS[key](tmp_path / key))
        columns = ("counts", "stated_iou", "boxes_xywh")
        column = next(name for name in columns if getattr(run, name) is not None)
        other = getattr(run, column).copy()
        other[0] = other[0] * 0.5
        versions = {
            Workspace(SCENE, (score_run(SCENE, r),), Protocol()).version
            for r in (run, replace(run, **{column: other}))
        }
        assert len(versions) == 2
