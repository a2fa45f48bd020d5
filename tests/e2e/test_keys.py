"""Keys that are held, and controls that a key presses, in a real browser."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.e2e.test_finding import BAD


def test_what_is_hidden_by_its_button_stays_hidden(watched, demo_address):
    page = watched.open(demo_address)
    hide, following = page.locator("#hide"), page.locator("#next")
    pressed = "aria-pressed"
    hide.focus()
    page.keyboard.press(" ")
    expect(hide).to_have_attribute(pressed, "true")
    following.focus()
    page.keyboard.press(" ")
    expect(page.locator("#position")).to_contain_text("2 / ")
    page.evaluate("() => window.dispatchEvent(new Event('blur'))")
    page.locator("#viewer").focus()
    page.keyboard.press(" ")
    expect(hide).to_have_attribute(pressed, "true")
    hide.focus()
    page.keyboard.press(" ")
    expect(hide).to_have_attribute(pressed, "false")
    page.locator("#viewer").focus()
    page.keyboard.down(" ")
    expect(hide).to_have_attribute(pressed, "true")
    page.evaluate("() => window.dispatchEvent(new Event('blur'))")  # its letting go is not heard
    expect(hide).to_have_attribute(pressed, "false")
    page.keyboard.up(" ")


def test_escape_leaves_a_field_and_what_it_holds_stays(watched, full_address):
    page = watched.open(full_address)
    page.locator("#more summary").click()
    page.locator("#live").click()
    fields = page.locator("input[type=search]:visible").evaluate_all(
        "fields => fields.map((field) => field.id)"
    )
    others = {"live-sentence", "tag-new"}  # filters come last: they change what is on show
    assert others < set(fields)
    for name in ("live-sentence", *sorted(set(fields) - others)):  # a tag is kept when it is left
        field = page.locator(f"#{name}")
        field.fill("12")
        field.press("Escape")
        expect(field).to_have_value("12")
        expect(field).not_to_be_focused()
    for opener in ("saved-views", "share", "choose-rules", "choose-colours"):
        page.locator(f"#{opener}").click()
        dialog = page.locator("dialog[open]")
        name = dialog.locator("input[type=search]").first.get_attribute("id")
        field = page.locator(f"#{name}")
        field.fill("12")
        field.press("Escape")
        expect(dialog).to_have_count(0)
        expect(page.locator(f"#{opener}")).to_be_focused()
        expect(field).to_have_value("12")


def test_a_link_that_fits_nothing_has_a_way_out(watched, demo_address):
    page = watched.page
    page.goto(f"{demo_address}/?words=left")
    expect(page.locator("#message")).to_contain_text("'left' is not a range for 'words'")
    page.locator("#clear").click()
    expect(page.locator("#viewer")).to_have_attribute("data-painted", "117")
    expect(page.locator("#message")).to_be_hidden()
    expect(page.locator("#clear")).to_be_hidden()
    watched.forgive(BAD)
