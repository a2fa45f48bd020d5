"""Verdicts, tags, notes, review, kept views, exports and presenting, in a real browser."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Page, expect

from inspector.browse import Browser, Selection
from inspector.findings import dataset_key, read_findings
from tests.e2e.walking import IS_LONG_TEST


@pytest.fixture
def address(serve, demo, store):
    return serve(demo, findings=store)


def found(store, demo):
    return read_findings(store, dataset_key(demo.dataset))[1]


def saved(page: Page) -> None:
    expect(page.locator("#finding-state")).to_have_attribute("data-state", "saved")
    expect(page.locator("#finding-state")).to_contain_text("Saved ·")


def painted(page: Page, example: str) -> None:
    expect(page.locator("#viewer")).to_have_attribute("data-painted", example)


def first_two(demo) -> list[str]:
    order = Browser(demo).order(Selection(run="words"))
    return [demo.dataset.expressions.ids[place] for place in order[:2]]


def test_verdict_tag_and_note_by_keys_are_kept(watched, address, demo, store):
    page = watched.open(address)
    example = first_two(demo)[0]
    page.keyboard.press("l")
    expect(page.get_by_role("button", name="Label wrong")).to_have_attribute(
        "aria-pressed", "true")
    saved(page)
    page.keyboard.press("t")
    page.keyboard.type("twin objects")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="twin objects")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("n")
    page.keyboard.type("which one? <b>both</b>")
    page.keyboard.press("Escape")
    saved(page)
    finding = found(store, demo)[example]
    assert finding.verdicts["words"].verdict == "label_wrong"
    assert finding.tags == ("twin objects",)
    assert finding.note == "which one? <b>both</b>"
    page.reload()
    expect(page.get_by_role("textbox", name="Note")).to_have_value("which one? <b>both</b>")
    page.locator("#present").click()
    expect(page.locator("#presented")).to_contain_text("which one? <b>both</b>")


def test_a_verdict_is_taken_back_by_its_key_and_by_undo(watched, address, demo, store):
    page = watched.open(address)
    example, second = first_two(demo)
    verdicts = page.get_by_role("group", name="Verdict", exact=True)
    page.keyboard.press("w")
    saved(page)
    page.keyboard.press("w")
    expect(verdicts.locator("[aria-pressed=true]")).to_have_count(0)
    page.keyboard.press("u")
    expect(verdicts.locator("[aria-pressed=true]")).to_have_text("Model wrong")
    page.keyboard.press("ArrowRight")
    painted(page, second)
    page.keyboard.press("u")  # takes back what was done on the first, and shows it
    painted(page, example)
    expect(verdicts.locator("[aria-pressed=true]")).to_have_count(0)
    page.keyboard.press("Shift+u")
    expect(verdicts.locator("[aria-pressed=true]")).to_have_text("Model wrong")


def test_two_people_see_each_other(watched, browser, address):
    page = watched.open(address)
    with browser.new_context() as other_context:
        other = other_context.new_page()
        other.goto(address)
        other.wait_for_selector("#viewer[data-painted]:not([data-painted=''])")
        other.keyboard.press("a")
        expect(page.get_by_role("button", name="Ambiguous")).to_have_attribute(
            "aria-pressed", "true")


def test_two_notes_at_once_lose_neither(watched, browser, address):
    page = watched.open(address)
    note = page.get_by_role("textbox", name="Note")
    note.focus()
    page.keyboard.type("mine")
    with browser.new_context() as other_context:
        other = other_context.new_page()
        other.goto(address)
        other.wait_for_selector("#viewer[data-painted]:not([data-painted=''])")
        saved(page)
        expect(other.get_by_role("textbox", name="Note")).to_have_value("mine")
        other.route("**/findings?since=*", lambda route: route.abort())  # it hears nothing new
        note.fill("mine, and more")
        page.keyboard.press("Escape")
        saved(page)
        other.get_by_role("textbox", name="Note").fill("theirs")
        other.keyboard.press("Escape")
        box = other.locator("#note-theirs")
        expect(box).to_contain_text("mine, and more")
        box.get_by_role("button", name="Keep mine").click()
        expect(box).to_be_hidden()
        expect(note).to_have_value("theirs")


def test_filters_by_findings_have_live_counts(watched, address, demo):
    page = watched.open(address)
    example = first_two(demo)[0]
    page.keyboard.press("w")
    saved(page)
    page.get_by_text("More filters").click()
    verdict = page.get_by_role("combobox", name="Verdict")
    expect(verdict.locator("option", has_text="Model wrong (1)")).to_have_count(1)
    verdict.select_option("model_wrong")
    expect(page.locator("#position")).to_have_text("1 / 1")
    painted(page, example)
    expect(page).to_have_url(re.compile("verdict=model_wrong"))
    page.get_by_role("button", name="verdict is model wrong").click()
    page.get_by_role("combobox", name="Findings").select_option("none")
    expect(page.locator("#position")).to_have_text("1 / 63")


def test_a_review_goes_on_by_itself_and_ends_with_shares(watched, address, demo, store):
    page = watched.open(address)
    page.get_by_role("button", name="Review").click()
    dialog = page.get_by_role("dialog", name="Judge a sample of the failures")
    dialog.get_by_label("Examples").fill("3")
    dialog.get_by_role("button", name="Draw and begin").click()
    expect(page.locator("#review-count")).to_have_text("0 of 3 judged")
    expect(page.locator("#position")).to_have_text("1 / 3")
    seen = []
    for done, key in enumerate("wla", 1):
        example = page.locator("#viewer").get_attribute("data-example")
        painted(page, example)
        seen.append(example)
        page.keyboard.press(key)
        expect(page.locator("#review-count")).to_have_text(f"{done} of 3 judged")
        if done < 3:
            expect(page.locator("#position")).to_have_text(f"{done + 1} / 3")
    assert len(set(seen)) == 3
    page.locator("#review-result").click()
    expect(page.locator("#panel")).to_contain_text("3 of 3 judged")
    assert len(found(store, demo)) == 3


@IS_LONG_TEST
def test_a_view_is_kept_by_name(watched, address):
    page = watched.open(f"{address}/?sort=area&layer=fill")
    page.get_by_role("button", name="Views", exact=True).click()
    dialog = page.get_by_role("dialog", name="Kept views")
    dialog.get_by_label("Name of this view").fill("large ones")
    dialog.get_by_role("button", name="Keep", exact=True).click()
    link = dialog.get_by_role("link", name="large ones")
    expect(link).to_have_attribute("href", re.compile("sort=area"))
    dialog.get_by_role("button", name="Close").click()
    page.get_by_role("combobox", name="Order").select_option("worst")
    page.get_by_role("button", name="Views", exact=True).click()
    link.click()
    expect(page).to_have_url(re.compile("sort=area"))
    expect(page.get_by_role("combobox", name="Order")).to_have_value("area")


SAVED = {
    "figure-png": b"\x89PNG", "figure-svg": b"<svg", "rows-csv": b"example_id",
    "rows-parquet": b"PAR1", "masks-coco": b"[", "sheet-png": b"\x89PNG", "findings-jsonl": b"{",
}
"""How each file that can be saved begins."""


def test_what_is_filtered_can_be_saved(watched, address, tmp_path):
    page = watched.open(f"{address}/?failure=wrong_referent")
    page.keyboard.press("w")
    saved(page)
    page.get_by_role("button", name="Export").click()
    paths = {}
    for link, begins in SAVED.items():
        with page.expect_download() as download:
            page.locator(f"#{link}").click()
        paths[link] = tmp_path / download.value.suggested_filename
        download.value.save_as(paths[link])
        assert begins in paths[link].read_bytes()[:400], link
    assert len(set(paths.values())) == len(SAVED)  # no file is named like another
    assert len(paths["rows-csv"].read_text().splitlines()) == 1 + 9
    assert len(json.loads(paths["masks-coco"].read_text())) == 9


def test_a_report_is_made_from_the_page(watched, address, tmp_path):
    page = watched.open(address)
    page.get_by_role("button", name="Export").click()
    dialog = page.get_by_role("dialog", name="Export")
    dialog.get_by_label("Title").fill("Our failures")
    dialog.get_by_label("Examples in it").fill("2")
    with page.expect_download(timeout=60_000) as download:
        dialog.get_by_role("button", name="Make the report").click()
    path = tmp_path / "report.html"
    download.value.save_as(path)
    assert "Our failures" in path.read_text(encoding="utf-8")


def test_presenting_shows_only_what_is_to_be_seen(watched, address, demo):
    page = watched.open(address)
    second = first_two(demo)[1]
    page.keyboard.press("n")
    page.keyboard.type("look at the twin")
    page.keyboard.press("Escape")
    saved(page)
    page.keyboard.press("Shift+P")
    expect(page.locator("#presented-note")).to_have_text("look at the twin")
    expect(page.locator("#facts-side")).to_be_hidden()
    expect(page.locator("#sort-order")).to_be_hidden()
    page.keyboard.press("ArrowRight")
    painted(page, second)
    expect(page.locator("#presented-note")).to_have_text("")
    page.keyboard.press("Escape")
    expect(page.locator("#facts-side")).to_be_visible()


def test_without_a_place_to_write_the_page_says_so(watched, demo_address):
    page = watched.open(demo_address)
    expect(page.locator("#finding-state")).to_contain_text("Findings cannot be kept here")
    expect(page.get_by_role("button", name="Model wrong")).to_be_disabled()
    page.keyboard.press("w")
    expect(page.get_by_role("button", name="Model wrong")).to_have_attribute(
        "aria-pressed", "false")


def test_a_server_that_is_away_for_a_moment_loses_nothing(watched, address, demo, store):
    page = watched.open(address)
    page.route("**/findings", lambda route: route.abort())
    page.keyboard.press("w")
    expect(page.locator("#finding-state")).to_contain_text("Trying again")
    page.unroute("**/findings")
    saved(page)
    assert found(store, demo)[first_two(demo)[0]].verdicts["words"].verdict == "model_wrong"
    watched.forgive("ERR_FAILED")
