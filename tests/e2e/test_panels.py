"""Analyses on the page: tables whose rows lead back to the pictures."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from inspector.browse import Browser, Selection
from tests.e2e.walking import IS_LONG_TEST


@IS_LONG_TEST
def test_numbers_of_every_run(watched, demo_address, demo):
    page = watched.open(demo_address)
    page.get_by_role("button", name="Numbers").click()
    rows = page.get_by_role("region", name=re.compile("^Metrics")).locator("tbody tr")
    expect(rows).to_have_count(len(demo.scores))
    mean = f"{100 * demo.metrics[0]['mIoU']:.1f}"
    expect(rows.first).to_contain_text(mean)
    rows.nth(2).get_by_role("button").click()
    expect(page.locator("#viewer")).to_have_attribute("data-run", "box")
    expect(page.locator("#inspect")).to_be_visible()


def test_a_slice_filters_the_page(watched, demo_address, demo):
    page = watched.open(f"{demo_address}/?view=slices")
    region = page.get_by_role("region", name="Slices", exact=True)
    region.get_by_role("button", name="Colour", exact=True).click()
    chosen = Browser(demo).order(Selection("words", "worst", {"slice": "colour=yes"}))
    expect(page.locator("#position")).to_have_text(f"1 / {len(chosen)}")
    expect(page.locator("#chips .chip").first).to_contain_text("colour")
    page.locator("#chips .chip").first.click()
    expect(page.locator("#position")).to_have_text("1 / 64")


def test_a_right_b_wrong_in_one_click(watched, demo_address, demo):
    page = watched.open(f"{demo_address}/?view=compare&run=box&against=words")
    page.get_by_role("button", name="only box right").click()
    chosen = Browser(demo).order(Selection("box", "worst", {"outcome": "first_only:words"}))
    right = demo.scored[2].passes(5, 10) & ~demo.scored[0].passes(5, 10)
    assert len(chosen) == right.sum() > 0
    expect(page.locator("#position")).to_have_text(f"1 / {len(chosen)}")
    expect(page.locator("#chips .chip").first).to_contain_text("box is right, words is wrong")
    expect(page.locator("#pane-names")).to_contain_text("box ·")
    expect(page.locator("#pane-names")).to_contain_text("words ·")


def test_a_link_to_an_analysis(watched, demo_address):
    page = watched.open(f"{demo_address}/?view=compare&run=words&against=saliency")
    expect(page.locator("#panel")).to_contain_text("words against saliency, example by example")
    page.keyboard.press("Escape")
    expect(page.locator("#inspect")).to_be_visible()
