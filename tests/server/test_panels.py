"""Analyses as blocks: every panel gives tables whose rows fit their columns and lead somewhere."""

from __future__ import annotations

import json

import pytest

from inspector.browse import Browser, read_selection
from inspector.server.panels import PANELS
from inspector.ui.texts import TEXTS


def offered(workspace):
    return [panel for panel in PANELS if panel.applies(workspace)]


def test_every_panel_has_a_name_on_the_page():
    for panel in PANELS:
        assert f"view.{panel.key}" in TEXTS["en"]
        assert f"view.{panel.key}.title" in TEXTS["en"]


@pytest.mark.parametrize("panel", PANELS, ids=lambda panel: panel.key)
def test_blocks_of_the_demo(demo_workspace, panel):
    if not panel.applies(demo_workspace):
        pytest.skip(f"the demo alone does not offer '{panel.key}'")
    seen = []
    blocks = panel.make(demo_workspace, {"run": "words", "against": "box"},
                        lambda done, total: seen.append((done, total)))
    assert blocks
    json.dumps(blocks, allow_nan=False)
    assert all(0 <= done <= total for done, total in seen)
    browser = Browser(demo_workspace)
    for block in blocks:
        assert block["kind"] in ("table", "words")
        if block["kind"] == "words":
            assert block["text"]
            continue
        for row in block["rows"]:
            assert {column["key"] for column in block["columns"]} <= row.keys(), block["title"]
            if "select" in row:
                chosen = {"run": "words", **row["select"]}
                selection = read_selection(chosen, demo_workspace)
                browser.order(selection)


def test_a_slice_counts_what_its_filter_selects(demo_workspace):
    panel = next(panel for panel in PANELS if panel.key == "slices")
    table = panel.make(demo_workspace, {"run": "box"}, lambda done, total: None)[0]
    browser = Browser(demo_workspace)
    for row in table["rows"]:
        selection = read_selection({"run": "box", **row["select"]}, demo_workspace)
        assert len(browser.order(selection)) == row["n"], row["label"]
