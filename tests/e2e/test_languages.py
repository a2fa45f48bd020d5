"""The page in Chinese: chosen by the browser, switched in the settings, without leftovers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from inspector.analysis.presets import PRESETS
from inspector.core.metrics import METRICS
from inspector.findings.store import open_store
from inspector.formats.request import LoadRequest
from inspector.live import Desk
from inspector.ui.texts import SAID, TEXTS
from inspector.workspace import open_workspace
from tests.e2e.test_live import FakeModel
from tests.e2e.walking import DIALOGS, IS_LONG_TEST, VIEWS, go, script_of
from tests.sayings import Sayings
from tests.test_sayings import sample

DEMO = Path(__file__).resolve().parents[2] / "assets" / "demo"

SAME = {text for key, text in TEXTS["en"].items() if TEXTS["zh"][key] == text}
ENGLISH = [  # whole texts of the page, of which a placeholder may stand for anything
    re.compile(".+".join(re.escape(part) for part in re.split(r"\{[\w-]+\}", text)))
    for text in sorted(set(TEXTS["en"].values()) - SAME)
    if re.search("[A-Za-z]", re.sub(r"\{[\w-]+\}", "", text))
]
LEFT = {
    # names of formats, metrics, programs, options, keys on the keyboard; what one may type ("left")
    "Inspector", "English", "COCO", "JSON", "Lines", "Parquet", "Home", "Shift", "Ctrl", "Space",
    "Generalized", "python", "DATASET", "FILE", "bootstrap", "MOVER", "README",
    "RefCOCO", "RefCOCOg", "refcoco", "refcocog", "zom", "grefcoco", "RES", "REJ",
    "LAVT", "ReLA", "GSVA", "PaDT", "LISA", "Acc", "EXIF",
    "left", "sent_id", "ref_id", "fake", "Esc", "demo", "jsonl", "truth-tight",
}
TEXTS_ON_SHOW = """() => {
  const found = [];
  for (const element of document.querySelectorAll('.inspector, .inspector *')) {
    if (!element.checkVisibility({ checkVisibilityCSS: true })) continue;
    for (const name of ['title', 'aria-label', 'placeholder']) {
      if (element.getAttribute(name)) found.push(element.getAttribute(name));
    }
    if (['CODE', 'KBD'].includes(element.tagName)) continue;
    for (const node of element.childNodes) {
      if (node.nodeType === Node.TEXT_NODE && node.data.trim()) found.push(node.data.trim());
    }
  }
  return found;
}"""


@pytest.fixture(scope="module")
def two():
    return open_workspace(LoadRequest("demo"), [], second=LoadRequest(
        str(DEMO / "truth-tight.jsonl"), images=DEMO))


@pytest.fixture
def address(serve, two, tmp_path):
    store, desk = open_store(tmp_path / "inspector.findings.sqlite"), Desk(FakeModel())
    yield serve(two, findings=store, live=desk)
    desk.close()
    store.close()


@pytest.fixture
def chinese(watched, browser) -> Page:
    """A page of a browser that asks for Chinese; what goes wrong on it fails the test."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, locale="zh-CN")
    page = context.new_page()
    watched.watch(page)
    yield page
    context.close()


def opened(page: Page, address: str) -> Page:
    page.goto(address)
    page.wait_for_selector("#viewer[data-painted]:not([data-painted=''])")
    return page


def english_on(page: Page, workspace) -> list[str]:
    """Texts on show that the page has in English, or with words that are no data and no names."""
    table = workspace.dataset.expressions
    images = workspace.dataset.images
    data = {*table.sentences, *table.ids, *table.sample_ids, *workspace.dataset.categories,
            *(image.file_name for image in images), *(image.id for image in images),
            *(scores.run.name for scores in workspace.scores)}
    data |= {metric.key for metric in METRICS} | {preset.label for preset in PRESETS}
    data |= {number.printed for preset in PRESETS for number in preset.numbers}
    names = sorted(data | LEFT, key=len, reverse=True)
    strip = re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in names if name))
    shown = page.evaluate(TEXTS_ON_SHOW)
    assert len(shown) > 30
    found = set()
    for words in shown:
        rest = strip.sub(" ", re.sub(r"--[\w-]+|\S+\.(?:jsonl|zip|png|jpg)|/\S+", " ", words))
        is_text = words not in data and any(text.fullmatch(words) for text in ENGLISH)
        if is_text or re.search(r"[A-Za-z]{4,}", rest):
            found.add(words)
    return sorted(found)


def test_no_view_has_a_word_of_english(chinese, address, two):
    page = opened(chinese, f"{address}/?against=box")
    for summary in page.locator(".side details > summary, .facts details > summary").all():
        if summary.is_visible():
            summary.click()
    page.wait_for_function("document.querySelector('#category-name').options.length > 2")
    for view in VIEWS:
        go(page, view)
        closed = page.locator("#panel details:not([open]) > summary")
        while closed.count():
            closed.first.click()
        assert english_on(page, two) == [], view


@IS_LONG_TEST
def test_dialogs_and_bars_without_a_word_of_english(chinese, address, two):
    page = opened(chinese, address)
    for dialog in DIALOGS:
        page.locator(f"#{dialog}").click()
        expect(page.locator("dialog[open]")).to_be_visible()
        assert english_on(page, two) == [], dialog
        page.keyboard.press("Escape")
    page.locator("#live").click()
    assert english_on(page, two) == []


def test_chips_undo_and_errors_are_said_in_chinese(watched, chinese, address):
    page = opened(chinese, f"{address}/?failure=part,spill&iou=0.1..0.6&sentence=the")
    expect(page.locator("#chips")).to_contain_text("失败类型为 仅局部 或 溢出")
    expect(page.locator("#chips")).to_contain_text("IoU 从 0.1 到 0.6")
    expect(page.locator("#chips")).to_contain_text("句子包含“the”")
    opened(page, address)
    page.keyboard.press("l")
    expect(page.locator("#finding-state")).to_contain_text("已保存")
    page.keyboard.press("u")
    expect(page.locator("#toast")).to_have_text("已撤销：判定“标注错误”。")
    page.locator("[data-match=r]").click()
    page.locator("#sentence-words").fill("(left")
    expect(page.locator("#message")).to_contain_text("不是正则表达式")
    watched.forgive("400 (Bad Request)")


def test_switched_to_english_and_back_it_is_remembered(chinese, address):
    page = opened(chinese, address)
    expect(page.locator("html")).to_have_attribute("lang", "zh-Hans")
    for language, label in (("en", "Settings"), ("zh", "设置")):
        page.locator("#choose-colours").click()
        with page.expect_navigation():
            page.locator("#language").select_option(language)
        expect(page.locator("#choose-colours")).to_have_text(label)
        expect(page.locator("html")).to_have_attribute(
            "lang", "zh-Hans" if language == "zh" else "en")
        page.reload()
        expect(page.locator("#choose-colours")).to_have_text(label)


def test_a_language_that_there_is_not_gets_english(browser, address):
    context = browser.new_context(locale="fr-FR")
    page = opened(context.new_page(), address)
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(page.locator("#choose-colours")).to_have_text(TEXTS["en"]["colours"])
    context.close()


@IS_LONG_TEST
def test_chromium_finds_the_sayings_that_the_tests_find(chinese, address):
    page = opened(chinese, address)
    words = [sample(key) for key in SAID["zh"]]
    found = page.evaluate(
        """async ([name, table, words]) => {
          const { Sayings } = await import(name);
          const sayings = new Sayings(table);
          return words.map((one) => sayings.translate(one));
        }""", [script_of(page, "said.js"), SAID["zh"], words],
    )
    ours = Sayings(SAID["zh"])
    assert found == [ours.translate(one) for one in words]


@IS_LONG_TEST
def test_nothing_is_cut_off_or_scrolled_sideways(chinese, address):
    page = opened(chinese, address)
    for width in (1440, 1024, 420):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("() => document.documentElement.scrollWidth") <= width
        assert page.evaluate(
            """() => [...document.querySelectorAll('.viewer button, .side button, .facts button')]
              .filter((b) => b.checkVisibility() && b.scrollWidth > b.clientWidth + 1)
              .map((b) => b.textContent)"""
        ) == [], width
