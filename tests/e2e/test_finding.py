"""Gallery, table, scatter, and filters that combine, in a real browser."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from inspector.browse import Browser, Selection
from tests.e2e.walking import IS_LONG_TEST

BAD = "400 (Bad Request)"  # the browser itself writes refused requests to the console


def order(demo, filters: dict | None = None, **selection) -> list[str]:
    chosen = Selection(**{"run": "words", **selection}, filters=filters or {})
    return [demo.dataset.expressions.ids[i] for i in Browser(demo).order(chosen)]


def painted(page: Page, example: str) -> None:
    expect(page.locator("#viewer")).to_have_attribute("data-painted", example)


def test_gallery_opens_an_example_and_comes_back_to_its_place(watched, demo_address, demo):
    page = watched.open(demo_address)
    page.keyboard.press("c")
    ids = order(demo)
    gallery = page.get_by_role("group", name="Gallery")
    first = gallery.get_by_role("button").first
    expect(first).to_have_attribute("data-example", ids[0])
    expect(first.locator(".value")).to_have_text("0.000")
    gallery.evaluate("(g) => { g.scrollTop = g.scrollHeight; }")
    last = gallery.locator(f"[data-position='{len(ids) - 1}']")
    expect(last).to_have_attribute("data-example", ids[-1])
    expect(last.locator(".value")).to_have_text("invalid")
    place = gallery.evaluate("(g) => g.scrollTop")
    last.click()
    painted(page, ids[-1])
    expect(gallery).to_be_hidden()
    page.keyboard.press("c")
    expect(gallery.locator("[aria-current]")).to_have_attribute("data-example", ids[-1])
    assert abs(gallery.evaluate("(g) => g.scrollTop") - place) < 200


def test_gallery_tiles_show_the_sorted_value(watched, demo_address, demo):
    page = watched.open(f"{demo_address}/?view=gallery&sort=area")
    largest = demo.dataset.by_id(order(demo, sort="area")[0])
    tile = page.locator("[data-position='0']")
    expect(tile.locator(".value")).to_have_text(f"{largest.target.area:,} px")


def test_gallery_by_keys(watched, demo_address, demo):
    page = watched.open(f"{demo_address}/?view=gallery")
    page.locator("[data-position='0']").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-position='2']")).to_be_focused()
    page.keyboard.press("Enter")
    painted(page, order(demo)[2])


def test_only_visible_tiles_are_in_the_page(watched, demo_address):
    page = watched.open(f"{demo_address}/?view=gallery")
    expect(page.locator(".tile").first).to_be_visible()
    assert page.locator(".tile").count() < 60


def test_table_sorts_both_ways_and_opens(watched, demo_address, demo):
    page = watched.open(f"{demo_address}/?view=table")
    table = page.get_by_role("table")
    rows = table.locator("tbody tr")
    expect(rows.first).to_have_attribute("data-example", order(demo)[0])
    head = table.get_by_role("columnheader", name="Target px")
    head.get_by_role("button").click()
    expect(rows.first).to_have_attribute("data-example", order(demo, sort="area")[0])
    expect(head).to_have_attribute("aria-sort", "descending")
    head.get_by_role("button").click()
    expect(head).to_have_attribute("aria-sort", "ascending")
    ascending = order(demo, sort="area", reverse=True)
    expect(rows.first).to_have_attribute("data-example", ascending[0])
    page.get_by_role("button", name="Next rows").click()
    expect(rows.first).to_have_attribute("data-example", ascending[50])
    rows.first.get_by_role("button").click()
    painted(page, ascending[50])
    assert "sort=area" in page.url
    assert "reverse=1" in page.url


def test_scatter_filters_by_a_rectangle(watched, demo_address, demo):
    page = watched.open(f"{demo_address}/?view=scatter")
    expect(page.locator("#scatter")).to_contain_text("scored examples are drawn")
    box = page.locator("#scatter canvas").bounding_box()
    page.mouse.move(box["x"] + box["width"] - 20, box["y"] + 10)
    page.mouse.down()
    page.mouse.move(box["x"] + 70, box["y"] + box["height"] * 0.45)
    page.mouse.up()
    page.wait_for_url(re.compile("area=.*"))
    query = dict(part.split("=") for part in page.url.split("?")[1].split("&"))
    filters = {"area": query["area"], "iou": query["iou"]}
    expect(page.locator("#chips .chip")).to_have_count(3)
    left = order(demo, filters)
    assert 0 < len(left) < 64
    page.keyboard.press("e")
    expect(page.locator("#position")).to_have_text(f"1 / {len(left)}")


def test_filters_combine_and_are_said(watched, demo_address, demo):
    page = watched.open(demo_address)
    page.locator("#filter-failure [data-value=wrong_referent]").click()
    page.locator("#filter-failure [data-value=part]").click()
    page.locator("#filter-category select").select_option("coin")
    page.get_by_role("button", name="Whole words").click()
    page.locator("#filter-sentence input").fill("coin")
    filters = {"failure": "wrong_referent,part", "category": "coin", "sentence": "coin",
               "match": "w"}
    ids = order(demo, filters)
    expect(page.locator("#position")).to_have_text(f"1 / {len(ids)}")
    painted(page, ids[0])
    chips = page.locator("#chips .chip")
    expect(chips).to_have_text([
        re.compile("^failure mode is wrong referent or part"), re.compile("^category is coin"),
        re.compile("^sentence contains the word “coin”"), "Clear",
    ])
    expect(page.locator("#sentence mark")).to_have_text("coin")
    chips.nth(1).click()
    filters.pop("category")
    expect(page.locator("#position")).to_have_text(f"1 / {len(order(demo, filters))}")
    chips.last.click()
    expect(page.locator("#position")).to_have_text("1 / 64")
    expect(page.locator("#chips")).to_be_hidden()


def test_live_counts_follow_the_other_filters(watched, demo_address, demo):
    page = watched.open(demo_address)
    page.locator("#filter-category select").select_option("candy")
    expected = len(order(demo, {"category": "candy", "failure": "wrong_referent"}))
    expect(page.locator("#filter-failure [data-value=wrong_referent] .count")).to_have_text(
        str(expected)
    )


@IS_LONG_TEST
def test_iou_range_by_brushing_and_by_typing(watched, demo_address, demo):
    page = watched.open(demo_address)
    expect(page.locator("#filter-failure .count").first).to_have_text(re.compile(r"\d"))
    box = page.locator("#filter-iou canvas").bounding_box()
    page.mouse.move(box["x"] + box["width"] * 0.501, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.99, box["y"] + 20)
    page.mouse.up()
    expected = order(demo, {"iou": "0.5..1"})
    expect(page.locator("#position")).to_have_text(f"1 / {len(expected)}")
    page.get_by_label("IoU, to").fill("0.8")
    page.get_by_label("IoU, to").press("Enter")
    expect(page.locator("#position")).to_have_text(f"1 / {len(order(demo, {'iou': '0.5..0.8'}))}")


@IS_LONG_TEST
def test_a_click_on_a_bar_leaves_what_it_counts(watched, demo_address):
    page = watched.open(demo_address)
    expect(page.locator("#filter-failure .count").first).to_have_text(re.compile(r"\d"))
    page.locator("#filter-words").evaluate("(field) => { field.closest('details').open = true; }")
    for key, bar in (("words", 0), ("words", 2), ("iou", 9)):
        canvas = page.locator(f"#filter-{key} canvas")
        shown = canvas.get_attribute("title").splitlines()
        counted = int(shown[bar].rpartition(": ")[2])
        assert counted, shown[bar]
        box = canvas.bounding_box()
        canvas.click(position={"x": (bar + 0.5) * box["width"] / len(shown), "y": 20})
        expect(page.locator("#position")).to_have_text(f"1 / {counted}")
        page.locator(f"#chips [data-filter={key}]").click()
        expect(page.locator("#chips .chip")).to_have_count(0)


@IS_LONG_TEST
def test_a_near_word_is_one_click_away(watched, demo_address, demo):
    page = watched.open(demo_address)
    page.locator("#filter-sentence input").fill("lefft")
    page.get_by_role("button", name="Search for “left”").click()
    expect(page.locator("#position")).to_have_text(f"1 / {len(order(demo, {'sentence': 'left'}))}")
    expect(page.locator("#filter-sentence input")).to_have_value("left")


def test_what_is_no_pattern_is_said(watched, demo_address):
    page = watched.open(demo_address)
    page.get_by_role("button", name="Regular expression").click()
    page.locator("#filter-sentence input").fill("(left")
    expect(page.locator("#message")).to_contain_text("is not a regular expression")
    page.locator("#filter-sentence input").fill("(left)")
    expect(page.locator("#message")).to_be_hidden()
    watched.forgive(BAD)


def test_a_refusal_stays_as_long_as_what_is_on_show_is_not_what_was_asked_for(
    watched, demo_address, demo,
):
    page = watched.open(demo_address)
    words, message = page.locator("#filter-sentence input"), page.locator("#message")
    page.get_by_role("button", name="Regular expression").click()
    words.fill("left")
    lefts = order(demo, {"sentence": "left"})
    painted(page, lefts[0])
    words.fill("left(")
    expect(message).to_contain_text("is not a regular expression")
    words.press("Escape")
    page.keyboard.press("ArrowRight")
    painted(page, lefts[1])
    expect(message).to_contain_text("is not a regular expression")
    words.fill("(left)")
    expect(message).to_be_hidden()
    watched.forgive(BAD)


def test_what_is_typed_just_before_a_mode_is_chosen_counts(watched, demo_address):
    page = watched.open(demo_address)
    page.locator("#filter-sentence input").fill("(")
    page.get_by_role("button", name="Regular expression").click()
    expect(page.locator("#message")).to_contain_text("is not a regular expression")
    expect(page.locator("#filter-sentence input")).to_have_value("(")
    watched.forgive(BAD)


def test_back_and_forward(watched, demo_address, demo):
    page = watched.open(demo_address)
    page.locator("#filter-category select").select_option("coin")
    coins = order(demo, {"category": "coin"})
    painted(page, coins[0])
    page.locator("#filter-category select").select_option("candy")
    painted(page, order(demo, {"category": "candy"})[0])
    page.go_back()
    painted(page, coins[0])
    expect(page.locator("#filter-category select")).to_have_value("coin")
    page.go_back()
    expect(page.locator("#position")).to_have_text("1 / 64")
    page.go_forward()
    expect(page.locator("#position")).to_have_text(f"1 / {len(coins)}")


def test_a_link_opens_the_same_view_elsewhere(watched, demo_address, browser):
    page = watched.open(
        f"{demo_address}/?run=box&view=table&sort=area&reverse=1&failure=correct&iou=0.5..0.9"
    )
    expect(page.get_by_role("table").locator("tbody tr").first).to_be_visible()
    other = browser.new_context().new_page()
    other.goto(page.url)
    rows = other.get_by_role("table").locator("tbody tr")
    expect(rows).to_have_count(page.get_by_role("table").locator("tbody tr").count())
    expect(rows.first).to_have_attribute(
        "data-example",
        page.get_by_role("table").locator("tbody tr").first.get_attribute("data-example"),
    )
    other.context.close()


def test_eight_tabs_at_once(watched, demo_address, browser):
    context = browser.new_context()
    pages = [context.new_page() for _ in range(8)]
    for page in pages:
        page.goto(demo_address)
    for page in pages:
        page.wait_for_selector("#viewer[data-painted]:not([data-painted=''])")
        page.keyboard.press("ArrowRight")
        expect(page.locator("#position")).to_have_text("2 / 64")
    context.close()
