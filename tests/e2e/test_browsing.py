"""Turning pages, changing layers, filtering and sorting, as a person does it."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from inspector.browse import Browser, Selection
from tests.e2e.walking import IS_LONG_TEST


def ids(demo, **selection) -> list[str]:
    """Ids in the order in which the page must show them."""
    filters = {key: selection.pop(key) for key in ("category", "sentence") if key in selection}
    chosen = Selection(**{"run": "words", **selection}, filters=filters)
    return [demo.dataset.expressions.ids[i] for i in Browser(demo).order(chosen)]


def painted(page: Page, example: str) -> None:
    expect(page.locator("#viewer")).to_have_attribute("data-painted", example)
    expect(page.locator("#viewer")).to_have_attribute("data-example", example)


def test_arrows_turn_pages(watched, demo_address, demo):
    page = watched.open(demo_address)
    order = ids(demo)
    page.keyboard.press("ArrowRight")
    painted(page, order[1])
    page.keyboard.press("ArrowRight")
    painted(page, order[2])
    page.keyboard.press("ArrowLeft")
    painted(page, order[1])
    page.get_by_role("button", name="Next example").click()
    painted(page, order[2])
    page.get_by_role("button", name="Previous example").click()
    painted(page, order[1])
    expect(page.locator("#position")).to_have_text(f"2 / {len(order)}")


def test_forty_presses_are_forty_pages(watched, demo_address, demo):
    page = watched.open(demo_address)
    for _ in range(40):
        page.keyboard.press("ArrowRight")
    painted(page, ids(demo)[40])


def test_the_ends_hold(watched, demo_address, demo):
    page = watched.open(demo_address)
    order = ids(demo)
    page.keyboard.press("ArrowLeft")
    painted(page, order[0])
    page.keyboard.press("End")
    painted(page, order[-1])
    page.keyboard.press("ArrowRight")
    painted(page, order[-1])


def test_layers_by_key_and_button(watched, demo_address):
    page = watched.open(f"{demo_address}/?layer=contours")
    layers = ("agreement", "contours", "fill", "truth", "prediction", "picture")
    for key, layer in enumerate(layers, 1):
        page.keyboard.press(str(key))
        expect(page.locator("#viewer")).to_have_attribute("data-layer", layer)
        button = page.locator(f"#layers [data-layer={layer}]")
        expect(button).to_have_attribute("aria-pressed", "true")
        page.locator("#layers [data-layer=contours]").click()
        expect(page.locator("#viewer")).to_have_attribute("data-layer", "contours")


def test_category_filter(watched, demo_address, demo):
    page = watched.open(demo_address)
    page.locator("#filter-category").get_by_label("Category").select_option("candy")
    order = ids(demo, category="candy")
    painted(page, order[0])
    expect(page.locator("#position")).to_have_text(f"1 / {len(order)}")
    assert "category=candy" in page.url


def test_sentence_filter_finds_what_is_typed_or_pasted(watched, demo_address, demo):
    page = watched.open(demo_address)
    field = page.get_by_label("Sentence contains")
    field.fill("LEFT")
    order = ids(demo, sentence="left")
    expect(page.locator("#position")).to_have_text(f"1 / {len(order)}")
    painted(page, order[0])
    field.press("ArrowLeft")
    field.press("1")
    expect(page.locator("#position")).to_have_text("0 / 0")  # typed, not a key of the page


def test_empty_result_says_why_and_offers_the_way_out(watched, demo_address, demo):
    page = watched.open(demo_address)
    page.get_by_label("Sentence contains").fill("lefft")
    expect(page.locator("#message")).to_have_text(
        "No example matches: sentence contains “lefft”. Did you mean “left”?"
    )
    expect(page.locator("#position")).to_have_text("0 / 0")
    picture = page.locator("#figure-png")
    page.get_by_role("button", name="Export").click()
    expect(picture).to_have_attribute("aria-disabled", "true")  # there is none to be saved
    expect(picture).not_to_have_attribute("href", re.compile(""))
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Clear all filters").click()
    painted(page, ids(demo)[0])
    page.get_by_role("button", name="Export").click()
    expect(picture).to_have_attribute("href", re.compile("figures/[0-9]+.png"))
    page.keyboard.press("Escape")
    expect(page.get_by_label("Sentence contains")).to_have_value("")


@IS_LONG_TEST
def test_orders(watched, demo_address, demo):
    page = watched.open(demo_address)
    for sort in ("best", "id", "area", "sentence", "worst"):
        page.locator("#sort").get_by_label("Order").select_option(sort)
        order = ids(demo, sort=sort)
        painted(page, order[0])
        page.keyboard.press("ArrowRight")
        painted(page, order[1])


def test_missing_and_invalid_come_last_and_say_so(watched, demo_address):
    page = watched.open(demo_address)
    page.keyboard.press("End")
    expect(page.locator("#iou")).to_have_text("invalid")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#iou")).to_have_text("missing")


def test_run_changes_and_keeps_the_example(watched, demo_address):
    page = watched.open(f"{demo_address}/?example=111")
    painted(page, "111")
    page.get_by_label("Run", exact=True).select_option("box")
    expect(page.locator("#viewer")).to_have_attribute("data-run", "box")
    painted(page, "111")


def test_address_holds_the_view(watched, demo_address, demo):
    page = watched.open(demo_address)
    page.get_by_label("Run", exact=True).select_option("saliency")
    page.locator("#filter-category").get_by_label("Category").select_option("coin")
    page.keyboard.press("Escape")
    page.locator("#layers [data-layer=fill]").click()
    page.locator("#sort").get_by_label("Order").select_option("sentence")
    painted(page, ids(demo, run="saliency", sort="sentence", category="coin")[0])
    page.get_by_role("button", name="Next example").click()
    expect(page.locator("#position")).to_contain_text("2 / ")
    example = page.locator("#viewer").get_attribute("data-example")
    page.wait_for_url(lambda url: f"example={example}" in url)
    before = page.url
    for part in ("run=saliency", "category=coin", "layer=fill", "sort=sentence"):
        assert part in before
    page = watched.open(before)
    painted(page, example)
    expect(page.locator("#position")).to_contain_text("2 / ")
    expect(page.locator("#viewer")).to_have_attribute("data-layer", "fill")
    expect(page.locator("#filter-category").get_by_label("Category")).to_have_value("coin")


def test_nothing_of_a_page_turn_goes_through_gradio(watched, demo_address):
    page = watched.open(demo_address)
    page.wait_for_load_state("networkidle")
    watched.requests.clear()
    for _ in range(10):
        page.keyboard.press("ArrowRight")
    expect(page.locator("#position")).to_contain_text("11 / ")
    page.wait_for_load_state("networkidle")
    assert watched.requests
    assert all("/data/" in url for url in watched.requests if not url.startswith("blob:"))


def test_hold_space_hides_the_masks(watched, demo_address):
    page = watched.open(f"{demo_address}/?layer=contours")
    pixels = "() => document.querySelector('#canvas').toDataURL()"
    shown = page.evaluate(pixels)
    page.keyboard.down(" ")
    expect(page.locator("#hide")).to_have_attribute("aria-pressed", "true")
    assert page.evaluate(pixels) != shown
    page.keyboard.up(" ")
    expect(page.locator("#hide")).to_have_attribute("aria-pressed", "false")
    assert page.evaluate(pixels) == shown


def test_an_example_that_a_link_names_is_shown_although_its_filters_leave_it_out(
    watched, demo_address
):
    page = watched.open(f"{demo_address}/?example=111&category=orange")
    viewer, position = page.locator("#viewer"), page.locator("#position")
    expect(viewer).to_have_attribute("data-painted", "111")
    expect(page.get_by_text("The filters leave out example 111")).to_be_visible()
    expect(position).to_have_text(re.compile("^– / [1-9]"))
    page.keyboard.press("ArrowLeft")  # the first that they do not leave out
    expect(position).to_have_text(re.compile("^1 / [1-9]"))
    expect(viewer).not_to_have_attribute("data-painted", "111")
