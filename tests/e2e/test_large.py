"""A page on a table that was scored before, and the rows of all its runs, in a real browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from inspector.browse import ALL_RUNS, Selection, deep, make_browser
from inspector.formats.request import LoadRequest
from inspector.summary import write_table
from inspector.table_opening import open_table
from inspector.workspace import DEMO_FOLDER, Workspace
from tests.e2e.walking import IS_LONG_TEST


@pytest.fixture(scope="module")
def stored(demo: Workspace, tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    path = tmp_path_factory.mktemp("table") / "scores.parquet"
    write_table(demo, str(path), "parquet")
    return open_table(LoadRequest("demo"), str(path))


def test_a_table_opens_on_its_worst_example(watched, serve, stored, demo):
    page = watched.open(serve(stored))
    worst = int(make_browser(demo).order(Selection("words"))[0])
    viewer = page.locator("#viewer")
    expect(viewer).to_have_attribute("data-painted", demo.dataset.expressions.ids[worst])
    expect(page.locator("#iou")).to_have_text("0.000")
    expect(page.locator("#position")).to_have_text("1 / 64")
    expect(page.locator("#coverage")).to_contain_text("table that was scored elsewhere")
    expect(page.get_by_text("There is no mask to draw").first).to_be_visible()


def test_masks_of_a_run_are_shown_with_the_numbers_of_the_table(
    watched, serve, demo, tmp_path
):
    write_table(demo, str(tmp_path / "scores.parquet"), "parquet")
    workspace = open_table(
        LoadRequest("demo"), str(tmp_path / "scores.parquet"),
        [f"words={DEMO_FOLDER / 'runs' / 'words.jsonl'}"],
    )
    page = watched.open(serve(workspace))
    expect(page.get_by_text("There is no mask to draw")).to_have_count(0)
    page.keyboard.press("5")
    expect(page.locator("#viewer")).to_have_attribute("data-layer", "prediction")


@IS_LONG_TEST
def test_rows_of_all_runs_in_windows(watched, serve, stored, monkeypatch):
    monkeypatch.setattr(deep, "SHALLOW", 10)  # the second page lies deep
    monkeypatch.setattr(deep, "_SMALL", 20)
    page = watched.open(f"{serve(stored)}/?view=table&sort=best")
    bar = page.locator("#table .bar")
    bar.get_by_label("All runs").check()
    expect(bar).to_contain_text("1–50 of 192")
    assert "rows=all" in page.url
    rows = page.get_by_role("table").locator("tbody tr")
    order = make_browser(stored).order(Selection(ALL_RUNS, "best")).tolist()
    ids = stored.dataset.expressions.ids
    bar.get_by_role("button", name="Next rows").click()
    expect(bar).to_contain_text("51–100 of 192")
    expect(rows.first).to_have_attribute("data-example", ids[order[50] % 64])
    run = stored.scores[order[50] // 64].run.name
    expect(rows.first).to_contain_text(run)
    rows.first.get_by_role("button").click()
    viewer = page.locator("#viewer")
    expect(viewer).to_have_attribute("data-painted", ids[order[50] % 64])
    expect(viewer).to_have_attribute("data-run", run)


@IS_LONG_TEST
def test_what_is_of_one_run_is_said(watched, serve, stored):
    page = watched.page
    watched.open(f"{serve(stored)}/?view=table&sort=best")
    page.goto(page.url + "&rows=all&outcome=wins:box")
    expect(page.locator("#table .bar")).to_contain_text("is of one run")
    watched.forgive("400 (Bad Request)")
