"""Analyses as blocks: every panel gives tables whose rows fit their columns and lead somewhere."""

from __future__ import annotations

import json

import pytest

from inspector.browse import Browser, read_selection
from inspector.core.protocol import Protocol
from inspector.formats import DEMO_FOLDER
from inspector.formats.request import LoadRequest
from inspector.server.opened import Opened
from inspector.server.panels import PANELS
from inspector.ui.texts import TEXTS
from inspector.workspace import Workspace, open_workspace


def test_every_panel_has_a_name_on_the_page():
    for panel in PANELS:
        assert f"view.{panel.key}" in TEXTS["en"]
        assert f"view.{panel.key}.title" in TEXTS["en"]


@pytest.fixture(scope="module")
def full() -> Workspace:
    """The demo with its runs and a second ground truth, so that every panel is there."""
    return open_workspace(LoadRequest("demo"), [], second=LoadRequest(
        str(DEMO_FOLDER / "truth-tight.jsonl"), images=DEMO_FOLDER))


@pytest.mark.parametrize("panel", PANELS, ids=lambda panel: panel.key)
def test_blocks_of_the_demo(full, panel):
    assert panel.applies(full)
    seen = []
    blocks = panel.make(full, {"run": "words", "against": "box"},
                        lambda done, total: seen.append((done, total)))
    assert blocks
    json.dumps(blocks, allow_nan=False)
    assert bool(seen) == (panel.key != "truths")  # which is there at once
    assert seen == sorted(seen)
    assert all(0 <= done <= total for done, total in seen)
    browser = Browser(full)
    for block in blocks:
        assert block["kind"] in ("table", "words")
        if block["kind"] == "words":
            assert block["text"]
            continue
        for row in block["rows"]:
            assert {column["key"] for column in block["columns"]} <= row.keys(), block["title"]
            if "select" in row:
                chosen = {"run": "words", **row["select"]}
                selection = read_selection(chosen, full)
                browser.order(selection)


@pytest.mark.parametrize("panel", PANELS, ids=lambda panel: panel.key)
def test_what_a_panel_needs_is_said_where_it_is_not_there(demo_workspace, panel):
    alone = Opened(Workspace(demo_workspace.dataset, (), Protocol()))
    [block] = alone.panel(panel.key, {})["result"]
    alone.close()
    option = "--second-truth DATASET_B" if panel.key == "truths" else "--run [NAME=]PATH"
    assert block["kind"] == "words" and option in block["text"]


def test_a_slice_counts_what_its_filter_selects(demo_workspace):
    panel = next(panel for panel in PANELS if panel.key == "slices")
    table = panel.make(demo_workspace, {"run": "box"}, lambda done, total: None)[0]
    browser = Browser(demo_workspace)
    for row in table["rows"]:
        selection = read_selection({"run": "box", **row["select"]}, demo_workspace)
        assert len(browser.order(selection)) == row["n"], row["label"]
