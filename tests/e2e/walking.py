"""Walks through every state of the page, for the tests of what holds in all of them."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

IS_LONG_TEST = pytest.mark.skipif(
    not os.environ.get("INSPECTOR_LONG"), reason="every view in every form: make test-long"
)
"""Marks what looks once more at what another test has looked at, in another form."""

VIEWS = ("", "gallery", "table", "scatter", "numbers", "failures", "slices", "compare", "truths",
         "findings")
PANELS = VIEWS[4:]
DIALOGS = ("show-help", "review", "saved-views", "share", "choose-rules", "choose-colours")

# What a person can act on, as far as it can be seen; `name` is for messages.
CONTROLS = """
  const seen = (element) => element.checkVisibility({checkVisibilityCSS: true})
    && element.getClientRects().length > 0;
  const controls = () => [...document.querySelectorAll(
    '.inspector :is(button, a[href], input, select, textarea, summary, [tabindex="0"])',
  )].filter((element) => !element.disabled && element.tabIndex >= 0 && seen(element));
  const name = (element) => element.id ? `#${element.id}`
    : `${element.tagName.toLowerCase()}.${element.className} ${element.ariaLabel
      ?? element.textContent.slice(0, 30)}`;
"""


def script_of(page: Page, name: str) -> str:
    """Give the address of one of the page's scripts, which it has joined with all others."""
    joined = page.locator('script[src$="/inspector.js"]').first
    return joined.evaluate("(script, name) => new URL(name, script.src).href", name)


def go(page: Page, view: str) -> None:
    """Open a view and wait until what it shows is there."""
    page.locator(f"#views [data-view='{view}']").click()
    expect(page.locator("#viewer")).to_have_attribute("data-view", view or "inspect")
    if view == "gallery":
        expect(page.locator(".tile[data-example]").first).to_be_visible()
    if view == "table":
        expect(page.locator("#table tbody tr").first).to_be_visible()
    if view == "scatter":
        expect(page.locator("#scatter p")).not_to_be_empty()
    if view in PANELS:
        expect(page.locator("#panel section").first).to_be_visible(timeout=120_000)


def states(page: Page) -> Iterator[str]:
    """Walk through every view, dialog and bar; give the name of each while it is on show."""
    for view in VIEWS:
        go(page, view)
        yield view or "inspect"
    go(page, "")
    for button in DIALOGS:
        page.locator(f"#{button}").click()
        expect(page.locator("dialog[open]")).to_be_visible()
        yield f"dialog of {button}"
        page.keyboard.press("Escape")
    page.locator("#live").click()
    yield "live box"
    page.keyboard.press("Escape")  # out of the field
    page.keyboard.press("Escape")
    page.locator("#sentence-words").fill("left")
    expect(page.locator("#chips .chip").first).to_be_visible()
    page.locator("#more summary").click()
    page.locator("#problems summary").click()
    yield "filters and problems"
    page.locator("#sentence-words").fill("nothing like it")
    expect(page.locator("#message")).to_contain_text("nothing like it")
    yield "empty result"
    page.keyboard.press("Escape")  # out of the field
    page.keyboard.press("c")
    expect(page.locator("#nothing")).to_be_visible()
    yield "empty gallery"
    go(page, "")
    page.locator("#clear").click()
    expect(page.locator("#chips")).to_be_hidden()
    page.locator("#review").click()
    page.locator("#review-form button").click()
    expect(page.locator("#review-bar")).to_be_visible()
    yield "review bar"
    page.locator("#review-stop").click()
    page.locator("#present").click()
    expect(page.locator("#presented")).to_be_visible()
    yield "presenter"


def small_targets(page: Page) -> list[str]:
    """Name what is below 24 by 24 pixels; words within a text or a table may be lower."""
    return page.evaluate(f"""() => {{
      {CONTROLS}
      const hit = (element) => element.type === 'checkbox' || element.type === 'file'
        ? element.closest('label') ?? element : element;
      return controls().filter((element) => !element.matches('.link, [type=range], .scroll'))
        .map((element) => [name(element), hit(element).getBoundingClientRect()])
        .filter(([, box]) => box.width < 23.9 || box.height < 23.9)
        .map(([who, box]) => `${{who}} is ${{box.width}} x ${{box.height}}`);
    }}""")


def misplaced(page: Page) -> list[str]:
    """Name controls that stick out, lie over each other, or whose words are cut off."""
    return page.evaluate(f"""() => {{
      {CONTROLS}
      const found = [];
      const scope = document.querySelector('dialog[open]') ?? document;
      const words = [...document.querySelectorAll(':is(.top, .over-bar, .review-bar, .live-box, '
        + '.head, .bar, .presented) *')].filter((element) => seen(element)
        && !element.closest('button, label, select')
        && [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim()));
      const all = [...controls(), ...words].filter((element) => scope.contains(element));
      const boxes = all.map((element) => {{
        const box = element.getBoundingClientRect();
        let [left, top, right, bottom] = [box.left, box.top, box.right, box.bottom];
        for (let up = element.parentElement; up; up = up.parentElement) {{
          if (getComputedStyle(up).overflow === 'visible') continue;
          const frame = up.getBoundingClientRect(); // what has been scrolled out of it is not seen
          [left, top] = [Math.max(left, frame.left), Math.max(top, frame.top)];
          [right, bottom] = [Math.min(right, frame.right), Math.min(bottom, frame.bottom)];
        }}
        return {{left, top, right, bottom}};
      }});
      all.forEach((a, at) => {{
        const box = boxes[at];
        if (a.id === 'skip' || box.right <= box.left || box.bottom <= box.top) return;
        if (box.right > innerWidth + 0.5 || box.left < -0.5) found.push(`${{name(a)}} sticks out`);
        if (a.tagName === 'BUTTON' && a.scrollWidth > a.clientWidth + 1
            && !a.matches('.tile, .chip')) found.push(`${{name(a)}} is cut off`);
        all.slice(at + 1).forEach((b, after) => {{
          const other = boxes[at + 1 + after];
          const wide = Math.min(box.right, other.right) - Math.max(box.left, other.left);
          const high = Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top);
          if (wide > 1.5 && high > 1.5 && !a.contains(b) && !b.contains(a)) {{
            found.push(`${{name(a)}} lies over ${{name(b)}}`);
          }}
        }});
      }});
      if (document.documentElement.scrollWidth > innerWidth) found.push('scrolls sideways');
      return found;
    }}""")
