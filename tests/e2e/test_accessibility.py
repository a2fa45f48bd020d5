"""WCAG 2.2 AA in a real browser: axe-core on every view, and what no engine can see."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Page, expect

from inspector.formats.request import LoadRequest
from inspector.server.access import Access
from inspector.server.passwords import Password
from inspector.workspace import open_workspace
from tests.e2e.axe import violations
from tests.e2e.serving import serving
from tests.e2e.test_states import predictions, write
from tests.e2e.walking import (
    CONTROLS,
    DIALOGS,
    IS_LONG_TEST,
    VIEWS,
    go,
    misplaced,
    small_targets,
    states,
)


@pytest.mark.parametrize("kind", [
    pytest.param({}, id="light"),
    pytest.param({"color_scheme": "dark", "viewport": {"width": 420, "height": 860}}, id="phone"),
])
@pytest.mark.timeout(600)
@IS_LONG_TEST
def test_nothing_is_found_in_any_state(page_of, full_address, kind):
    page = page_of(full_address, **kind)
    found = {}
    for state in states(page):
        wrong = violations(page) + small_targets(page) + misplaced(page)
        if wrong:
            found[state] = wrong
    assert found == {}


@pytest.mark.parametrize(("kind", "rules"), [
    pytest.param({}, None, id="light"),
    pytest.param({"color_scheme": "dark"}, ["color-contrast"], id="dark", marks=IS_LONG_TEST),
    pytest.param({"viewport": {"width": 1024, "height": 768}}, [], id="middle",
                 marks=IS_LONG_TEST),
    pytest.param({"locale": "zh-CN"}, None, id="Chinese", marks=IS_LONG_TEST),
])
@pytest.mark.timeout(600)
def test_nothing_is_found_in_any_view(page_of, full_address, kind, rules):
    page = page_of(full_address, **kind)
    found = {}
    for view in VIEWS:
        go(page, view)
        wrong = violations(page, rules) + small_targets(page) + misplaced(page)
        if wrong:
            found[view or "inspect"] = wrong
    assert found == {}


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=IS_LONG_TEST)])
def test_axe_finds_nothing_on_the_login(serve, full, browser, scheme):
    address = serve(full, access=Access(password=Password.of("correct horse battery")))
    context = browser.new_context(color_scheme=scheme)
    page = context.new_page()
    page.goto(address)
    assert violations(page) == []
    page.get_by_label("Password").fill("wrong horse battery")
    page.get_by_role("button").click()
    expect(page.get_by_role("alert")).to_be_visible()
    assert violations(page) == []
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@IS_LONG_TEST
def test_axe_finds_nothing_where_something_is_missing(page_of, tmp_path, watched, scheme):
    data = write(tmp_path, ["word " * 60, "other"], picture=None)
    bare = open_workspace(LoadRequest(str(data)), [])
    with serving(bare) as address:
        page = page_of(address, color_scheme=scheme)
        assert violations(page) == []  # no run, no picture, findings closed
    scored = open_workspace(LoadRequest(str(data)), [f"model={predictions(tmp_path, 1)}"])
    with serving(scored) as address:
        page = page_of(f"{address}/?example=1", color_scheme=scheme)
        expect(page.locator("#iou")).to_have_text("missing")
        assert violations(page) == []
    page.locator("#sentence-words").fill("other")
    expect(page.locator("#message")).to_contain_text("does not answer")
    assert violations(page) == []
    watched.forgive("404 (Not Found)", "ERR_CONNECTION_REFUSED")  # the picture, and the server


def tab_stops(page: Page) -> dict[str, list[str]]:
    """Press Tab through the whole page; give what was reached, what not, and what was unseen."""
    page.evaluate(f"""() => {{
      {CONTROLS}
      window.tabbed = {{controls, name, reached: new Set(), unseen: []}};
      document.activeElement?.blur();
    }}""")
    for _ in range(400):
        page.keyboard.press("Tab")
        is_over = page.evaluate("""() => {
          const {reached, unseen, name} = window.tabbed;
          const at = document.activeElement;
          if (!at.closest('.inspector')) return false; // round the end of the document
          if (reached.has(at)) return true;
          reached.add(at);
          const lit = at.closest('.drop') ?? at;
          const style = getComputedStyle(lit);
          const box = lit.getBoundingClientRect();
          const isLit = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2;
          const isThere = box.bottom > 0 && box.top < innerHeight && box.right > 0
            && box.left < innerWidth;
          const middle = document.elementFromPoint(
            Math.min(innerWidth - 1, Math.max(0, box.left + Math.min(box.width / 2, 300))),
            Math.min(innerHeight - 1, Math.max(0, box.top + box.height / 2)));
          const isFree = lit.contains(middle) || middle?.contains(lit) || middle?.control === at;
          if (!isLit || !isThere || !isFree) {
            unseen.push([name(at), isLit || 'no outline', isThere || 'off the screen',
                         isFree || 'below something'].join(' '));
          }
          return false;
        }""")
        if is_over:
            break
    return page.evaluate("""() => {
      const {controls, name, reached, unseen} = window.tabbed;
      return {
        reached: [...reached].map(name), unseen,
        missed: controls().filter((at) => !reached.has(at)).map(name),
      };
    }""")


@pytest.mark.parametrize(("width", "views"), [
    pytest.param(1440, ("",), id="at first"),
    pytest.param(1440, ("gallery", "table", "scatter", "numbers", "findings"), id="other views",
                 marks=IS_LONG_TEST),
    pytest.param(420, ("", "gallery", "table", "scatter", "numbers", "findings"), id="phone",
                 marks=IS_LONG_TEST),
])
@pytest.mark.timeout(300)
def test_tab_reaches_all_that_can_be_done_and_one_sees_where_it_is(
    page_of, full_address, width, views,
):
    page = page_of(full_address, viewport={"width": width, "height": 900})
    for view in views:
        go(page, view)
        stops = tab_stops(page)
        assert len(stops["reached"]) > 30, view
        assert stops["missed"] == [], view
        assert stops["unseen"] == [], view


@IS_LONG_TEST
def test_the_first_stop_leads_past_the_filters(page_of, full_address):
    page = page_of(full_address)
    page.keyboard.press("Tab")
    skip = page.get_by_role("button", name="To the picture")
    expect(skip).to_be_focused()
    assert skip.bounding_box()["y"] >= 0
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("() => Boolean(document.activeElement.closest('#views'))")


def test_dialogs_keep_the_focus_and_give_it_back(page_of, full_address):
    page = page_of(full_address)
    page.evaluate("""() => {
      window.strayed = [];
      document.addEventListener('focusin', ({target}) => {
        if (document.querySelector('dialog[open]') && !target.closest('dialog[open]'))
          window.strayed.push(target.id || target.outerHTML);
      });
    }""")
    for button in DIALOGS:
        page.locator(f"#{button}").focus()
        page.keyboard.press("Enter")
        expect(page.locator("dialog[open]")).to_be_visible()
        expect(page.locator("dialog[open]")).to_have_accessible_name(
            page.locator("dialog[open] h2").text_content())
        for key in ["Tab"] * 24 + ["Shift+Tab"] * 5:
            page.keyboard.press(key)
        assert page.evaluate("() => window.strayed") == [], button
        page.keyboard.press("Escape")
        expect(page.locator("dialog[open]")).to_have_count(0)
        expect(page.locator(f"#{button}")).to_be_focused()


@IS_LONG_TEST
def test_fields_do_what_dragging_over_a_histogram_does(page_of, full_address):
    page = page_of(full_address)
    page.get_by_label("IoU, from", exact=True).first.fill("0.5")
    page.keyboard.press("Enter")
    expect(page.locator("#chips .chip").first).to_contain_text("IoU is at least 0.5")


@IS_LONG_TEST
def test_fields_and_the_table_do_what_a_rectangle_in_the_scatter_does(page_of, full_address):
    page = page_of(f"{full_address}/?view=scatter&run=words")
    scatter = page.locator("#scatter")
    scatter.get_by_label("target area, px, from").fill("5000")
    scatter.get_by_label("IoU, to", exact=True).fill("0.5")
    page.keyboard.press("Enter")
    expect(page.locator("#chips .chip")).to_contain_text(
        ["IoU is at most 0.5", "Target area is at least 5,000", "Clear"])
    scatter.get_by_label("Across").select_option("box")
    scatter.get_by_label("IoU of box, from").fill("0.5")
    page.keyboard.press("Enter")
    expect(page.locator("#chips")).to_contain_text("IoU of box is from 0.5 to 1")
    expect(scatter.get_by_label("IoU, to", exact=True)).to_have_value("0.5")


@IS_LONG_TEST
def test_turning_pages_fast_is_said_once(page_of, full_address):
    page = page_of(full_address)
    before = page.locator("#said").text_content()
    page.evaluate("""() => {
      window.heard = [];
      const live = '[role=status], [role=alert], [aria-live]';
      new MutationObserver((changes) => {
        for (const {target} of changes) {
          const region = (target.closest ? target : target.parentElement).closest(live);
          if (region && region.getAttribute('aria-live') !== 'off' && region.textContent) {
            window.heard.push(region.textContent);
          }
        }
      }).observe(document.body, {childList: true, characterData: true, subtree: true});
      for (let turn = 0; turn < 15; turn++) {
        document.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', bubbles: true}));
      }
    }""")
    expect(page.locator("#said")).to_contain_text("16 / 64: “")
    assert page.locator("#said").text_content() != before
    assert page.evaluate("() => window.heard") == [page.locator("#said").text_content()]


@IS_LONG_TEST
def test_nothing_moves_where_motion_is_unwelcome(page_of, full_address):
    page = page_of(full_address, reduced_motion="reduce")
    moving = page.evaluate("""() => [...document.querySelectorAll('.inspector *')].filter((e) =>
      getComputedStyle(e).transitionDuration.split(', ').some((t) => t !== '0s')
      || getComputedStyle(e).animationName !== 'none').map((e) => e.id || e.className)""")
    assert moving == []
    page.keyboard.press("b")
    expect(page.locator("#viewer")).to_have_attribute("data-blink", "truth")
    assert page.evaluate("() => document.querySelector('#viewer').page.looking.blinking.timer"
                         " === undefined")  # nothing will flip it but the next press
    page.keyboard.press("b")
    expect(page.locator("#viewer")).to_have_attribute("data-blink", "prediction")


@IS_LONG_TEST
def test_the_system_s_own_colours_keep_what_is_chosen_apart(page_of, full_address):
    page = page_of(full_address, forced_colors="active")
    style = """(element) => [getComputedStyle(element).backgroundColor,
                             getComputedStyle(element).color]"""
    chosen = page.locator("#layers [data-layer=agreement]").evaluate(style)
    other = page.locator("#layers [data-layer=fill]").evaluate(style)
    assert chosen != other
    assert chosen[0] != chosen[1]
    mark = page.locator("#legend .mark[data-role=prediction]")
    assert mark.evaluate("(e) => getComputedStyle(e).backgroundColor") == "rgb(213, 94, 0)"
    page.keyboard.press("c")
    expect(page.locator(".tile[data-example]").first).to_be_visible()  # tiles are filled, too
    current = page.locator(".tile[aria-current]")
    assert current.evaluate("(e) => getComputedStyle(e).outlineStyle") == "solid"
    assert violations(page) == []


@IS_LONG_TEST
def test_keys_of_one_sign_can_be_turned_off(page_of, full_address):
    page = page_of(full_address)
    page.locator("#choose-colours").click()
    switch = page.get_by_role("button", name="Keys of one sign")
    switch.click()
    expect(switch).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("Escape")
    page.keyboard.press("3")
    page.keyboard.press("c")
    page.keyboard.press("ArrowRight")  # this one still acts
    expect(page.locator("#position")).to_have_text("2 / 64")
    expect(page.locator("#viewer")).to_have_attribute("data-layer", "agreement")
    expect(page.locator("#viewer")).to_have_attribute("data-view", "inspect")


@IS_LONG_TEST
def test_no_colour_speaks_alone(page_of, full_address):
    page = page_of(full_address)
    assert page.locator("#legend li").all_text_contents() == [
        "both", "only prediction", "only ground truth", "ground truth B"]
    page.locator("#problems summary").click()
    for problem in page.locator("#problems li strong").all():
        assert problem.text_content() in ("Error", "Warning", "Note")
    assert page.locator("#failure strong").text_content()
    assert page.locator("#iou").text_content()
    chosen = page.locator(".inspector :is(#views, #layers, #compare)").locator(
        "[aria-pressed=true]")
    expect(chosen).to_have_count(3)


@IS_LONG_TEST
def test_the_focus_is_seen_whatever_colours_a_visitor_chooses(page_of, full_address):
    page = page_of(full_address)
    page.evaluate("() => localStorage.setItem('inspector.colours', "
                  + json.dumps(json.dumps({"truth": "#f6f7f8"})) + ")")
    page.reload()
    page.wait_for_selector("#viewer[data-painted]:not([data-painted=''])")
    page.locator("#next").focus()
    page.keyboard.press("Shift+Tab")
    outline = page.locator("#previous").evaluate("(e) => getComputedStyle(e).outlineColor")
    assert outline == "rgb(0, 114, 178)"
