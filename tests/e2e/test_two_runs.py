"""Two runs on one example and over all: overlay, scatter, orders by what sentences do."""

from __future__ import annotations

import numpy as np
from playwright.sync_api import expect

from inspector.analysis.spread import measure_spread
from inspector.browse import Browser, Selection
from tests.e2e.walking import IS_LONG_TEST


def test_the_other_run_lies_dashed_over_this_one(watched, demo_address):
    page = watched.open(f"{demo_address}/?example=111&run=words&against=box&layer=contours")
    pixels = "() => document.querySelector('#canvas').toDataURL()"
    alone = page.evaluate(pixels)
    page.get_by_role("button", name="Over", exact=True).click()
    assert page.evaluate(pixels) != alone
    expect(page.locator("#pane-names")).to_contain_text("box ·")
    page.get_by_label("Other run").select_option("saliency")
    expect(page.locator("#pane-names")).to_contain_text("saliency ·")


def test_a_rectangle_among_two_runs_filters(watched, demo_address, demo):
    page = watched.open(f"{demo_address}/?view=scatter&run=words")
    page.get_by_label("Across").select_option("box")
    expect(page.locator("#scatter")).to_contain_text("scored examples are drawn")
    box = page.locator("#scatter canvas").bounding_box()
    right, bottom = box["x"] + box["width"] - 20, box["y"] + box["height"] - 30
    page.mouse.move(right, bottom)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.6, box["y"] + box["height"] * 0.6)
    page.mouse.up()
    chip = page.locator("#chips .chip", has_text="IoU of box is from")
    expect(chip).to_be_visible()
    query = dict(part.split("=") for part in page.url.split("?")[1].split("&"))
    low, high = (float(end) for end in query["iou"].split(".."))
    other = query["other_iou"].replace("%3A", ":").removeprefix("box:")
    from_, to = (float(end) for end in other.split(".."))
    words, boxes = demo.scored[0].shown_iou, demo.scored[2].shown_iou
    expected = ((words >= low) & (words <= high) & (boxes >= from_) & (boxes <= to)).sum()
    assert expected > 0
    page.keyboard.press("Escape")
    expect(page.locator("#position")).to_contain_text(f"/ {expected}")


@IS_LONG_TEST
def test_targets_whose_sentences_differ_most_come_first(watched, demo_address, demo):
    page = watched.open(f"{demo_address}/?sort=spread&run=words")
    spread = measure_spread(demo.scores[0], demo.scored[0])
    values = spread.by_example(spread.range, len(demo.dataset))
    order = Browser(demo).order(Selection("words", "spread"))
    scored = values[order][~np.isnan(values[order])]
    assert values[order[0]] == np.nanmax(values)
    assert (np.diff(scored[:20]) <= 0).all()
    expect(page.locator("#viewer")).to_have_attribute(
        "data-painted", demo.dataset.expressions.ids[int(order[0])]
    )
