"""Keys that are held, and controls that a key presses, in a real browser."""

from __future__ import annotations

from playwright.sync_api import expect


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
