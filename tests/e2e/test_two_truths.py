"""Two ground truths on the page: looked at like a run, analysed, and what was dropped is veiled."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from inspector.formats.request import LoadRequest
from inspector.workspace import Workspace, open_workspace
from tests.e2e.serving import serving


@pytest.fixture(scope="module")
def two(tmp_path_factory) -> Workspace:
    """The demo's two truths, where the second has lost the referent of example 111."""
    from inspector.formats import DEMO_FOLDER

    lines = (DEMO_FOLDER / "truth-coarse.jsonl").read_text(encoding="utf-8").splitlines()
    path = tmp_path_factory.mktemp("truths") / "less.jsonl"
    kept = []
    for line in map(json.loads, lines):
        if "expressions" in line:
            line["expressions"] = [e for e in line["expressions"] if e["ref_id"] != "6"]
        kept.append(json.dumps(line, ensure_ascii=False))
    path.write_text("\n".join(kept) + "\n", encoding="utf-8")
    return open_workspace(
        LoadRequest("demo"), [], second=LoadRequest(str(path), images=DEMO_FOLDER)
    )


@pytest.fixture(scope="module")
def address(two) -> Iterator[str]:
    with serving(two) as where:
        yield where


def test_the_second_truth_is_looked_at_like_a_run(watched, address, two):
    page = watched.open(f"{address}/?run=truth+B&layer=contours&example=138")
    label = two.second.label
    place = two.dataset.index_of["138"]
    iou = int(label.intersection[place]) / int(label.union[place])
    expect(page.locator("#iou")).to_have_text(f"{iou:.3f}")
    expect(page.locator("#legend")).to_contain_text("ground truth B")
    page.locator("#sort").get_by_label("Order").select_option("truth_iou")
    expect(page.locator("#position")).to_have_text("1 / 64")


def test_it_is_dotted_over_a_prediction(watched, address):
    page = watched.open(f"{address}/?run=box&example=138&layer=prediction")
    pixels = "() => document.querySelector('#canvas').toDataURL()"
    dotted = page.evaluate(pixels)
    page.keyboard.press("g")
    expect(page.locator("#second")).to_have_attribute("aria-pressed", "false")
    assert page.evaluate(pixels) != dotted


def test_the_analysis_leads_to_examples_that_beat_the_label(watched, address, two):
    page = watched.open(f"{address}/?view=truths")
    expect(page.locator("#panel")).to_contain_text("What the second truth does to the scores")
    box = next(run for run in two.truths.runs if run.name == "box")
    region = page.get_by_role("region", name="box is closer to B than A's own label")
    region.get_by_role("button").first.click()
    first = two.dataset.expressions.ids[int(two.truths.best_for_talk(2)[0])]
    expect(page.locator("#viewer")).to_have_attribute("data-painted", first)
    expect(page.locator("#position")).to_contain_text(f"/ {len(box.better_than_label)}")


def test_what_was_dropped_opens_veiled(watched, address, two):
    page = watched.open(f"{address}/?view=truths")
    page.get_by_role("region", name="Sentences that B dropped").get_by_role("button").click()
    expect(page.locator("#position")).to_have_text(f"1 / {len(two.second.removed)}")
    viewer = page.locator("#viewer")
    expect(viewer).to_have_attribute("data-veiled", "")
    expect(page.locator("#sentence")).to_have_css("filter", "blur(16px)")
    page.keyboard.press("v")
    expect(page.locator("#sentence")).to_have_css("filter", "none")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#sentence")).to_have_css("filter", "blur(16px)")
