"""What a server refuses, or cannot answer, is said where it was asked and loses nothing."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from inspector.browse import Browser, Selection
from inspector.findings import dataset_key, read_findings


@pytest.fixture
def address(serve, demo, store):
    return serve(demo, findings=store)


@pytest.fixture
def examples(demo) -> list[str]:
    order = Browser(demo).order(Selection(run="words"))
    return [demo.dataset.expressions.ids[place] for place in order[:2]]


FINDINGS = re.compile("/findings([?]since=[0-9]+)?$")


def refuse(page: Page, address: str | re.Pattern[str], *, method: str = "", **answer) -> None:
    """Answer requests with an error, until ``page.unroute(address)``."""
    answer = {"status": 503, "json": {"error": "The file is locked."}} | answer
    page.route(address, lambda route: route.fulfill(**answer)
               if method in ("", route.request.method) else route.fallback())


def turn(page: Page, key: str, example: str) -> None:
    page.keyboard.press(key)
    expect(page.locator("#viewer")).to_have_attribute("data-painted", example)


def test_a_refused_note_and_tag_stay_with_their_example(watched, address, demo, store, examples):
    page = watched.open(address)
    note, tag, said = (page.locator(f"#{name}") for name in ("note", "tag-new", "finding-state"))
    first, second = examples
    refuse(page, "**/findings", method="POST")
    page.keyboard.press("n")
    page.keyboard.type("which one?")
    page.keyboard.press("Escape")
    expect(said).to_have_text("Not saved: The file is locked.")
    expect(note).to_have_value("which one?")
    tag.fill("left, blurry")
    tag.press("Enter")
    expect(tag).to_have_value("left, blurry")
    tag.press("Escape")
    turn(page, "ArrowRight", second)
    expect(note).to_have_value("")
    expect(tag).to_have_value("")
    turn(page, "ArrowLeft", first)
    expect(note).to_have_value("which one?")
    expect(tag).to_have_value("left, blurry")
    expect(said).to_have_text("Not saved: The file is locked.")
    page.unroute("**/findings")
    note.focus()
    note.press("Escape")  # leaving the field tries again
    tag.fill("blurry")
    tag.press("Enter")
    expect(page.locator("#tag-list")).to_contain_text("blurry")
    expect(tag).to_have_value("")
    expect(said).to_contain_text("Saved ·")
    found = read_findings(store, dataset_key(demo.dataset))[1]
    assert (found[first].note, found[first].tags) == ("which one?", ("blurry",))
    assert list(found) == [first]
    tag.fill("half")
    page.evaluate("() => document.getElementById('viewer').page.step(1)")  # as a program does
    expect(page.locator("#viewer")).to_have_attribute("data-painted", second)
    expect(tag).to_have_value("")
    page.evaluate("() => document.getElementById('viewer').page.step(-1)")
    expect(tag).to_have_value("half")
    watched.forgive("503 (Service Unavailable)")


def test_two_notes_at_once_are_shown_on_their_example(watched, address, demo, store, examples):
    page = watched.open(address)
    first, second = examples
    held = []
    page.route("**/findings", lambda route: held.append(route)
               if route.request.method == "POST" else route.fallback())
    with page.expect_request(lambda asked: asked.method == "POST"):
        page.keyboard.press("n")
        page.keyboard.type("mine")
        page.keyboard.press("Escape")
    turn(page, "ArrowRight", second)
    held.pop().fulfill(status=409, json={
        "error": "Another note was written meanwhile.", "theirs": "theirs", "noteRevision": 0,
        "who": "somebody",
    })
    page.unroute("**/findings")
    box, note = page.locator("#note-theirs"), page.locator("#note")
    expect(page.locator("#finding-state")).to_contain_text("Another note was written meanwhile.")
    expect(box).to_be_hidden()
    expect(note).to_have_value("")
    turn(page, "ArrowLeft", first)
    expect(box).to_contain_text("theirs")
    expect(note).to_have_value("mine")
    turn(page, "ArrowRight", second)
    expect(box).to_be_hidden()
    turn(page, "ArrowLeft", first)
    box.get_by_role("button", name="Keep mine").click()
    expect(box).to_be_hidden()
    expect(page.locator("#finding-state")).to_contain_text("Saved ·")
    assert {key: finding.note for key, finding in read_findings(
        store, dataset_key(demo.dataset))[1].items()} == {first: "mine"}
    watched.forgive("409 (Conflict)")


def test_a_first_request_that_fails_closes_nothing(watched, address):
    page = watched.page
    refuse(page, FINDINGS)
    watched.open(address)
    said, verdict = page.locator("#finding-state"), page.get_by_role("button", name="Model wrong")
    expect(said).to_have_text("Findings are not here yet, asking again: The file is locked.")
    expect(verdict).to_be_disabled()
    page.unroute(FINDINGS)
    expect(verdict).to_be_enabled()
    expect(said).to_have_text("Nothing noted yet")

    for button, asked, fault in (
        ("saved-views", "**/views", "view-fault"), ("review", "**/queues", "review-fault"),
    ):
        refuse(page, asked)
        page.locator(f"#{button}").click()
        expect(page.locator(f"#{fault}")).to_have_text("The file is locked.")
        expect(page.locator("#view-none")).to_be_hidden()
        page.keyboard.press("Escape")
        page.unroute(asked)
        page.locator(f"#{button}").click()
        expect(page.locator(f"#{fault}")).to_be_hidden()
        if button == "saved-views":
            expect(page.locator("#view-none")).to_be_visible()
            page.locator("#view-name").fill("large ones")
            page.locator("#view-form button").click()
            remove = page.get_by_role("button", name="Delete large ones")
            refuse(page, asked, method="DELETE")
            remove.click()
            expect(page.locator(f"#{fault}")).to_have_text("The file is locked.")
            expect(remove).to_be_visible()
            page.unroute(asked)
        page.keyboard.press("Escape")
    watched.forgive("503 (Service Unavailable)")


def test_data_that_is_gone_is_said_wherever_it_is_asked_for(watched, address, demo, store):
    """Every request of the page at once: none is left without an answer, or without words."""
    page = watched.page
    data = re.compile("/data/(?!start|pointer)")
    gone = {"status": 410, "json": {"error": "These numbers are gone."}}
    # Requests go past a route for a moment after the first one is set, so one stays all the time.
    page.route("**/*", lambda route: route.fallback())

    # as the page begins: what it does not need for its first example
    refuse(page, re.compile("/(images|problems)$"), **gone)
    watched.open(address)
    expect(page.locator("#message")).to_contain_text("Reload the page")

    page.unroute(re.compile("/(images|problems)$"))
    watched.open(address)
    expect(page.locator("#message")).to_be_hidden()
    refuse(page, data, **gone)
    with page.expect_response(re.compile("/referents$")) as asked:
        page.keyboard.press("Shift+ArrowRight")  # asks which examples have one referent
    assert asked.value.status == 410
    expect(page.locator("#message")).to_contain_text("Reload the page")
    for view in ("gallery", "table", "scatter", "failures", "findings"):
        page.unroute(data)
        watched.open(address)
        refuse(page, data, **gone)
        with page.expect_response(data):
            page.locator(f"#views [data-view='{view}']").click()
        expect(page.get_by_text(re.compile("Reload the page|These numbers are gone"))
               .filter(visible=True).first).to_be_visible()
    watched.forgive("410 (Gone)")
