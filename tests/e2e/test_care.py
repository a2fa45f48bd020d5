"""Sentences that may hurt are veiled until they are asked for, in a real browser."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from inspector.care import CareWords
from tests.e2e.walking import IS_LONG_TEST


@pytest.fixture
def address(serve, demo):
    return serve(demo, care=CareWords(("orange",)))


def test_a_veiled_example_is_shown_by_a_key(watched, address):
    page = watched.open(address)  # "the whole orange in the back" is the worst one
    viewer = page.locator("#viewer")
    expect(viewer).to_have_attribute("data-veiled", "")
    expect(page.locator("#message")).to_have_text("This sentence may hurt. V shows it.")
    canvas = page.locator("#canvas")
    expect(canvas).to_have_attribute("aria-label", re.compile("This sentence may hurt"))
    expect(canvas).not_to_have_attribute("aria-label", re.compile("orange"))
    assert page.locator("#sentence").evaluate("(s) => getComputedStyle(s).filter") != "none"
    page.keyboard.press("v")
    expect(viewer).not_to_have_attribute("data-veiled", "")
    expect(page.locator("#sentence")).to_have_text("the whole orange in the back")
    expect(canvas).to_have_attribute("aria-label", re.compile("the whole orange in the back"))
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    expect(viewer).not_to_have_attribute("data-veiled", "")


@IS_LONG_TEST
def test_the_gallery_and_the_table_veil_too(watched, address):
    page = watched.open(f"{address}/?view=gallery")
    tile = page.locator("[data-position='0']")
    expect(tile).to_have_attribute("data-veiled", "")
    expect(tile).to_have_attribute("aria-label", "This sentence may hurt. V shows it., 0.000")
    page.keyboard.press("d")
    expect(page.locator("#table tbody tr").first.locator(".veiled-words")).to_have_count(1)


@IS_LONG_TEST
def test_the_veil_can_be_taken_off_for_good(watched, address):
    page = watched.open(address)
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("button", name="Veil sentences that may hurt").click()
    page.keyboard.press("Escape")
    expect(page.locator("#viewer")).not_to_have_attribute("data-veiled", "")
    page.reload()
    expect(page.locator("#sentence")).to_have_text("the whole orange in the back")
    expect(page.locator("#viewer")).not_to_have_attribute("data-veiled", "")
