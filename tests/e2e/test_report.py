"""The report as a person opens it: from disk, without a network, on a screen, a phone and paper."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from inspector.browse import Selection
from inspector.formats.request import LoadRequest
from inspector.report import Chosen, Remark, ReportOptions, build_report, choose_first
from inspector.workspace import open_workspace
from tests.report.making import MADE, MARKUP, toy_workspace

PICTURES = """async () => {
  const images = [...document.querySelectorAll('image')];
  const decoded = await Promise.all(images.map(async (one) => {
    const image = new Image();
    image.src = one.getAttribute('href');
    await image.decode();
    return image.naturalWidth;
  }));
  const uses = [...document.querySelectorAll('.drawing > use')];
  return {decoded, uses: uses.length, drawings: document.querySelectorAll('.drawing').length,
    lost: uses.filter((one) => !document.querySelector(one.getAttribute('href'))).length};
}"""


@dataclass
class Opened:
    """A report in a page whose network is cut; remembers what it asked for and what failed."""

    page: Page
    requests: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


@pytest.fixture(scope="module")
def files(tmp_path_factory, demo_workspace) -> dict[str, Path]:
    """Reports on disk: the demo's worst with remarks, and one of hostile texts."""
    folder = tmp_path_factory.mktemp("reports")
    chosen = choose_first(demo_workspace, Selection("words"), 5)
    ids = [demo_workspace.dataset.expressions.ids[place] for place in chosen.places]
    veiled = demo_workspace.dataset.expressions.sentences[chosen.places[2]]
    options = ReportOptions(
        title="Where words fail", made=MADE, remarks={ids[0]: Remark("Look closer.", ("talk",))},
        is_sensitive=lambda sentence: sentence == veiled,
    )
    toy = toy_workspace(folder)
    contents = {
        "demo": build_report(demo_workspace, chosen, options).content,
        "toy": build_report(
            toy, Chosen((0, 1, 2, 3), MARKUP),
            ReportOptions(title=MARKUP, made=MADE, remarks={"101": Remark(MARKUP, (MARKUP,))}),
        ).content,
    }
    for name, content in contents.items():
        (folder / f"{name}.html").write_bytes(content)
    return {name: folder / f"{name}.html" for name in contents}


@pytest.fixture
def open_file(browser: Browser) -> Iterator:
    """Give a function that opens a file offline; fails if it asked for anything or complained."""
    contexts, opened = [], []

    def open_it(path: Path, **options) -> Page:
        context = browser.new_context(**{"viewport": {"width": 1440, "height": 900}, **options})
        context.set_offline(True)
        contexts.append(context)
        page = context.new_page()
        watched = Opened(page)
        opened.append(watched)
        page.on("request", lambda request: watched.requests.append(request.url))
        page.on("pageerror", lambda error: watched.faults.append(str(error)))
        page.on("console", lambda message: watched.faults.append(message.text))
        page.on("dialog", lambda dialog: watched.faults.append(dialog.message))
        page.goto(path.as_uri())
        return page

    yield open_it
    for context in contexts:
        context.close()
    for watched in opened:
        assert watched.faults == []
        own = watched.page.url.partition("#")[0]
        assert [url for url in watched.requests if not url.startswith("data:")] == [own]


@pytest.mark.parametrize("name", ["demo", "toy"])
def test_every_picture_is_there_without_a_network(open_file, files, name):
    page = open_file(files[name])
    found = page.evaluate(PICTURES)
    assert found["decoded"]
    assert all(width > 0 for width in found["decoded"])
    assert found["lost"] == 0
    assert found["uses"] == {"demo": found["drawings"], "toy": 3}[name]


def test_masks_are_drawn_in_their_colours(open_file, files):
    page = open_file(files["demo"])
    drawing = page.locator(".drawing").first
    areas = drawing.locator("g.agreement path")
    expect(areas.first).to_have_css("fill", "rgb(0, 114, 178)")
    expect(areas.nth(1)).to_have_css("fill", "rgb(213, 94, 0)")
    page.get_by_role("button", name="Contours").click()
    expect(areas.first).to_be_hidden()
    expect(drawing.locator("g.line.truth")).to_be_visible()
    page.get_by_role("button", name="Picture", exact=True).click()
    expect(drawing.locator("g.line.truth")).to_be_hidden()
    expect(page.locator(".legend .mark.truth")).to_be_visible()


@pytest.mark.parametrize(("name", "width"), [
    ("demo", 420), ("demo", 1440), ("toy", 420), ("toy", 1440), ("demo", 320),
])
def test_nothing_scrolls_sideways(open_file, files, name, width):
    page = open_file(files[name], viewport={"width": width, "height": 860})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.keyboard.press("p")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_presenting_by_keys_alone(open_file, files):
    page = open_file(files["demo"])
    stage, progress = page.locator("#presenter"), page.locator("#presenter .progress")
    expect(stage).to_be_hidden()
    page.keyboard.press("p")
    expect(stage).to_be_visible()
    expect(progress).to_have_text("1 / 5")
    expect(stage.locator("article")).to_have_count(1)
    for key, place in (("ArrowRight", 2), (" ", 3), ("PageDown", 4), ("ArrowLeft", 3),
                       ("PageUp", 2), ("End", 5), ("ArrowRight", 5), ("Home", 1),
                       ("ArrowLeft", 1), ("ArrowDown", 2), ("ArrowUp", 1), ("Shift+ ", 1)):
        page.keyboard.press(key)
        expect(progress).to_have_text(f"{place} / 5")
        expect(stage.locator("article")).to_have_attribute("id", f"example-{place}")
    for digit, layer in enumerate(
        ("agreement", "contours", "fill", "truth", "prediction", "picture"), 1
    ):
        page.keyboard.press(f"{digit}")
        expect(page.locator("html")).to_have_attribute("data-layer", layer)
    expect(stage.locator(".remark")).to_be_visible()
    page.keyboard.press("n")
    expect(stage.locator(".remark")).to_be_hidden()
    expect(stage.locator(".facts")).to_be_hidden()
    page.keyboard.press("Escape")
    expect(stage).to_be_hidden()
    order = page.locator("article.example").evaluate_all("(all) => all.map((one) => one.id)")
    assert order == [f"example-{place}" for place in range(1, 6)]


def test_the_button_presents_and_gives_the_focus_back(open_file, files):
    page = open_file(files["demo"])
    button = page.locator("header .present")
    button.click()
    expect(page.locator("#presenter")).to_be_focused()
    assert page.evaluate("document.querySelector('.page').inert") is True
    page.get_by_role("button", name="Next example").click()
    expect(page.locator("#presenter .progress")).to_have_text("2 / 5")
    page.get_by_role("button", name="Leave the presentation").click()
    expect(button).to_be_focused()
    assert page.evaluate("document.querySelector('.page').inert") is False


def test_presenting_begins_where_one_reads(open_file, files):
    page = open_file(files["demo"])
    page.locator("#example-4").evaluate("(one) => one.scrollIntoView({block: 'center', "
                                        "behavior: 'instant'})")
    page.keyboard.press("p")
    expect(page.locator("#presenter .progress")).to_have_text("4 / 5")


def test_veiled_until_asked(open_file, files):
    page = open_file(files["demo"])
    sentence = page.locator("#example-3 .sentence")
    expect(sentence).not_to_have_css("filter", "none")
    expect(page.locator("#example-3 .drawing")).not_to_have_css("filter", "none")
    expect(page.locator("#example-1 .sentence")).to_have_css("filter", "none")
    page.keyboard.press("p")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("v")
    expect(sentence).to_have_css("filter", "none")
    page.keyboard.press("v")
    expect(sentence).not_to_have_css("filter", "none")
    veil = page.locator("#presenter .veil")
    for filter_ in ("none", re.compile("blur")):
        veil.focus()
        page.keyboard.press(" ")  # presses the box that has the focus, and turns no page
        expect(sentence).to_have_css("filter", filter_)
        expect(page.locator("#presenter .progress")).to_have_text("3 / 5")
    page.keyboard.press("Escape")
    page.locator("#example-3 .unveil").click()
    expect(sentence).to_have_css("filter", "none")


def test_the_page_reads_without_its_script(open_file, files):
    page = open_file(files["demo"], java_script_enabled=False)
    expect(page.locator("article.example")).to_have_count(5)
    expect(page.locator("#example-1 .sentence")).to_be_visible()
    expect(page.get_by_role("button", name="Present")).to_have_count(0)
    expect(page.locator("#presenter")).to_be_hidden()
    expect(page.locator("#example-1 g.agreement")).to_be_visible()
    page.locator("#example-3 .unveil").click()
    expect(page.locator("#example-3 .sentence")).to_have_css("filter", "none")


def test_markup_in_data_is_text_here_too(open_file, files):
    page = open_file(files["toy"])
    expect(page.locator("h1")).to_contain_text("<img src=x onerror=alert(1)>")
    expect(page.locator("#example-1 .sentence")).to_contain_text("</script><img")
    expect(page.locator("#example-1 .remark")).to_contain_text("onerror=alert(1)")
    assert page.locator("img, body script + script, article b").count() == 0
    page.keyboard.press("p")
    expect(page.locator("#presenter .sentence")).to_contain_text("🐈")


def test_names_and_landmarks(open_file, files):
    page = open_file(files["demo"])
    for role in ("banner", "main", "navigation", "contentinfo"):
        expect(page.get_by_role(role)).to_have_count(1)
    expect(page.get_by_role("heading", level=1)).to_have_text("Where words fail")
    nameless = page.evaluate("""() => [...document.querySelectorAll('button, a, input, svg, table')]
      .filter((one) => !(one.ariaLabel || one.getAttribute('aria-label') || one.textContent.trim()
        || one.labels?.length || one.closest('[aria-hidden=true]'))).map((one) => one.outerHTML)""")
    assert nameless == []
    levels = page.locator("h1, h2, h3").evaluate_all("(all) => all.map((h) => +h.tagName[1])")
    assert all(after - before <= 1 for before, after in zip(levels, levels[1:], strict=False))
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()


CONTRAST = """() => {
  const shade = (colour) => {
    const [r, g, b] = colour.match(/[\\d.]+/g).map(Number).map((value) => value / 255)
      .map((value) => value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (one) => {
    for (let at = one; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if (!colour.startsWith('rgba(0, 0, 0, 0')) return colour;
    }
    return 'rgb(255, 255, 255)';
  };
  return [...document.querySelectorAll('.page *')]
    .filter((one) => one.checkVisibility() && [...one.childNodes].some(
      (node) => node.nodeType === 3 && node.data.trim()) && !one.closest('svg, kbd'))
    .map((one) => {
      const [a, b] = [shade(getComputedStyle(one).color), shade(ground(one))].sort((x, y) => y - x);
      return [(a + 0.05) / (b + 0.05), one.outerHTML.slice(0, 120)];
    }).filter(([ratio]) => ratio < 4.5);
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_stand_out_from_their_ground(open_file, files, scheme):
    page = open_file(files["demo"], color_scheme=scheme)
    assert page.evaluate(CONTRAST) == []


def test_paper(open_file, files, tmp_path):
    page = open_file(files["demo"], color_scheme="dark")
    content = page.pdf(path=tmp_path / "report.pdf", prefer_css_page_size=True)
    assert content.startswith(b"%PDF")
    assert len(content) > 100_000  # the pictures are in it
    on_screen = [page.locator(name)
                 for name in ("nav", ".controls", "header .present", "details >> nth=0")]
    for shown in on_screen:
        expect(shown).to_be_visible()
    page.emulate_media(media="print", color_scheme="dark")
    expect(page.locator("body")).to_have_css("background-color", "rgb(255, 255, 255)")
    for hidden in on_screen:
        expect(hidden).to_be_hidden()
    expect(page.locator("#example-1")).to_have_css("break-inside", "avoid")


def test_fifty_real_examples_stay_below_the_limit(shared_data, open_file, tmp_path):
    runs = shared_data / "two-models" / "predictions"
    workspace = open_workspace(
        LoadRequest(str(shared_data / "two-models" / "refcoco"), split="all"),
        [f"base={runs / 'base'}", f"ours={runs / 'ours'}"],
    )
    chosen = choose_first(workspace, Selection("base"), 50)
    content = build_report(workspace, chosen, ReportOptions(made=MADE)).content
    assert len(content) < 15_000_000
    path = tmp_path / "real.html"
    path.write_bytes(content)
    page = open_file(path)
    found = page.evaluate(PICTURES)
    assert len(chosen.places) == found["uses"] == found["drawings"] == 50
    assert min(found["decoded"]) > 0
