"""How the page looks: nothing jumps, nothing overlaps, nothing is cut off, at every width."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from inspector.core.mask import Mask
from inspector.formats.request import LoadRequest
from inspector.workspace import Workspace, open_workspace
from tests.e2e.serving import serving
from tests.e2e.walking import IS_LONG_TEST, go, misplaced, script_of

STYLES = Path(__file__).resolve().parents[2] / "inspector" / "ui" / "viewer"
WIDTHS = [pytest.param(1440, 900, id="wide"), pytest.param(1024, 768, id="middle"),
          pytest.param(420, 860, id="phone")]
ONE_WIDTH = [WIDTHS[0], *(pytest.param(*width.values, id=width.id, marks=IS_LONG_TEST)
                          for width in WIDTHS[1:])]
TURNS = 20
LONG_SENTENCE = "the person in the red shirt who stands to the left of the tree and looks away " * 4


@pytest.fixture(scope="module")
def strange(tmp_path_factory) -> Workspace:
    """A wide and a tall picture, one of a long sentence, one whose picture is missing."""
    folder = tmp_path_factory.mktemp("strange")
    (folder / "images").mkdir()
    lines: list[dict] = [{"inspector": "dataset", "version": 1, "name": "a data set with a name"}]
    masks = []
    for number, (name, size, sentence) in enumerate([
        ("wide", (200, 2000), "short"), ("tall", (2000, 200), "the tall one"),
        ("long", (480, 640), LONG_SENTENCE), ("gone", (480, 640), "the picture is missing"),
    ]):
        target, predicted = np.zeros((2, *size), bool)
        target[size[0] // 4: size[0] // 2, size[1] // 4: size[1] // 2] = True
        predicted[size[0] // 3: size[0] // 2, size[1] // 3: size[1] // 2] = True
        if name != "gone":
            Image.new("RGB", size[::-1], (90, 120, 90)).save(folder / "images" / f"{name}.png")
        lines.append({
            "image": {"id": name, "file_name": f"images/{name}.png", "size": list(size)},
            "objects": [{"ann_id": name, "category": "thing",
                         "mask": Mask.from_array(target).to_json()}],
            "expressions": [{"sent_id": str(number), "ref_id": name, "sentence": sentence,
                             "targets": [name]}],
        })
        masks.append({"sent_id": number, "mask": Mask.from_array(predicted).to_json()})
    write_lines(folder / "strange.jsonl", lines)
    write_lines(folder / "run.jsonl", masks)
    boxes = [{"sent_id": n, "box_xywh": [0.25, 10, 150.5, 90]} for n in range(4)]
    write_lines(folder / "boxes.jsonl", boxes)
    return open_workspace(LoadRequest(str(folder / "strange.jsonl")), [
        f"a_model_whose_name_is_rather_long_indeed={folder / 'run.jsonl'}",
        f"boxes={folder / 'boxes.jsonl'}",
    ])


def write_lines(path: Path, lines: list[dict]) -> None:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


@pytest.fixture(scope="module")
def strange_address(strange):
    with serving(strange) as where:
        yield where


def watch_shifts(page: Page) -> None:
    """Note every shift of the layout, also those that follow a key at once."""
    page.evaluate("""() => {
      window.shifts = [];
      const keep = (list) => window.shifts.push(...list.getEntries().map((entry) =>
        `${entry.value}: ` + entry.sources.map(({node, previousRect, currentRect}) =>
          `${node?.id || node?.className || node?.parentElement?.id} `
          + `${previousRect.x},${previousRect.y} to ${currentRect.x},${currentRect.y}`)));
      window.watcher = new PerformanceObserver(keep);
      window.watcher.observe({type: 'layout-shift'});
      window.flush = () => keep({getEntries: () => window.watcher.takeRecords()});
    }""")


@pytest.mark.parametrize(("width", "height"), ONE_WIDTH)
@pytest.mark.parametrize("scrolled", [
    pytest.param(False, id="top"), pytest.param(True, id="scrolled", marks=IS_LONG_TEST),
])
@pytest.mark.timeout(180)
def test_nothing_jumps_while_pages_are_turned(page_of, full_address, width, height, scrolled):
    page = page_of(f"{full_address}/?run=words", viewport={"width": width, "height": height})
    if scrolled:
        page.evaluate("() => window.scrollTo(0, 300)")
    page.locator("#strip button").first.wait_for(state="attached")
    expect(page.locator("#filter-failure .count").first).not_to_be_empty()
    expect(page.locator("#problems summary")).not_to_be_empty()
    watch_shifts(page)
    boxes = set()
    for turn in range(1, TURNS + 1):
        page.keyboard.press("ArrowRight")
        expect(page.locator("#said")).to_contain_text(f"{turn + 1} / 64")  # all has followed
        boxes.add(tuple(page.locator("#canvas").bounding_box().values()))
    page.evaluate("() => new Promise(requestAnimationFrame).then(window.flush)")
    assert page.evaluate("() => window.shifts") == []
    assert len(boxes) == 1


@pytest.mark.parametrize(("width", "height"), WIDTHS)
@IS_LONG_TEST
def test_the_picture_stays_where_it_is_whatever_it_shows(page_of, strange_address, width, height):
    page = page_of(f"{strange_address}/?sort=id", viewport={"width": width, "height": height})
    boxes = set()
    for turn in range(4):
        expect(page.locator("#said")).to_contain_text(f"{turn + 1} / 4")
        boxes.add(tuple(page.locator("#canvas").bounding_box().values()))
        page.keyboard.press("ArrowRight")
    assert len(boxes) == 1


@pytest.mark.parametrize(("width", "height"), WIDTHS)
@pytest.mark.timeout(180)
@IS_LONG_TEST
def test_long_names_and_strange_pictures_have_room(page_of, strange_address, width, height):
    for query in ("run=boxes", "example=2", "example=3", "example=1&compare=runs&layer=contours"):
        page = page_of(f"{strange_address}/?{query}", viewport={"width": width, "height": height})
        for view in ("", "gallery", "table", "failures"):
            go(page, view)
            assert misplaced(page) == [], f"{query} {view}"


@IS_LONG_TEST
def test_a_long_sentence_can_be_read_to_its_end_by_keyboard(page_of, strange_address):
    page = page_of(f"{strange_address}/?example=2", viewport={"width": 420, "height": 860})
    sentence = page.locator("#sentence")
    expect(sentence).to_have_attribute("tabindex", "0")
    sentence.focus()
    page.keyboard.press("End")
    page.wait_for_function(
        "() => { const e = document.querySelector('#sentence');"
        " return e.scrollTop > 0 && e.scrollTop + e.clientHeight >= e.scrollHeight - 1; }")
    expect(page.locator("#viewer")).to_have_attribute("data-painted", "2")


@IS_LONG_TEST
def test_an_empty_result_has_the_colour_of_the_stage(page_of, full_address):
    for scheme, colour in (("light", [228, 230, 233]), ("dark", [14, 15, 17])):
        page = page_of(full_address, color_scheme=scheme)
        page.locator("#sentence-words").fill("nothing like it")
        expect(page.locator("#message")).to_contain_text("nothing like it")
        assert page.evaluate("""() => new Promise(requestAnimationFrame).then(() =>
          [...document.querySelector('#canvas').getContext('2d').getImageData(9, 9, 1, 1).data])
        """)[:3] == colour
        expect(page.locator("#facts-side h2").first).to_be_hidden()


@IS_LONG_TEST
def test_numbers_are_written_with_a_true_minus_and_no_zero_has_one(page_of, full_address):
    page = page_of(full_address)
    written = page.evaluate("""async (script) => {
      const {fixed} = await import(script);
      return [fixed(-0.04, 1), fixed(-0.06, 1), fixed(0.04, 1, {plus: true}),
              fixed(0.05, 2, {plus: true}), fixed(-12.345, 2), fixed(-0, 0), fixed(1, 3)];
    }""", script_of(page, "words.js"))
    assert written == ["0.0", "−0.1", "0.0", "+0.05", "−12.35", "0", "1.000"]
    for view in ("numbers", "failures", "slices", "compare", "truths"):
        go(page, view)
        words = page.locator("#panel").inner_text()
        assert re.findall(r"(?:^|[\s\[(,])-\d[\d.]*", words) == [], view
        assert re.findall(r"[−-]0(?:\.0+)?(?![\d.])", words) == [], view


@IS_LONG_TEST
def test_columns_name_their_unit_and_empty_rows_lead_nowhere(page_of, full_address):
    page = page_of(full_address)
    go(page, "failures")
    table = page.get_by_role("region", name="Failure modes of words")
    expect(table.get_by_role("columnheader")).to_have_text(
        ["Failure mode", "Examples", "Share, %", "mIoU if fixed, points", "oIoU if fixed, points",
         "When"])
    flags = page.get_by_role("region", name="Flags beside the failure mode").locator("tbody tr")
    seen = set()
    for row in flags.all():
        count = int(row.locator("td.number").text_content().replace(",", ""))
        assert row.get_by_role("button").count() == (1 if count else 0)
        seen.add(count == 0)
    assert seen == {True, False}
    go(page, "numbers")
    expect(page.get_by_role("columnheader", name="mIoU, %").first).to_be_visible()


@IS_LONG_TEST
def test_ticks_of_the_scatter_are_round_and_apart(page_of, full_address):
    for width in (1440, 420):
        page = page_of(f"{full_address}/?view=scatter", viewport={"width": width, "height": 900})
        expect(page.locator("#scatter p")).not_to_be_empty()
        ticks = page.evaluate("""() => {
          const {scatter} = document.querySelector('#viewer').page.views.made;
          return scatter.ticks().map((area) => [area, scatter.x(area)]);
        }""")
        assert len(ticks) >= (4 if width == 1440 else 2)
        assert all(str(round(area)).rstrip("0") in ("1", "2", "3", "5") for area, _ in ticks)
        places = [place for _, place in ticks]
        assert all(b - a >= 60 for a, b in zip(places, places[1:], strict=False))


def test_sizes_come_from_one_small_scale():
    written = "".join(path.read_text(encoding="utf-8") for path in sorted(STYLES.glob("*.css")))
    styles = re.sub(r"/\*.*?\*/", "", written, flags=re.S)
    plain = "".join(line for line in styles.splitlines(keepends=True)
                    if "data-presenting" not in line)  # seen from the back of a room
    sizes = set(re.findall(r"font(?:-size)?: ?(\d+px)", plain))
    assert sizes == {"12px", "14px", "16px", "24px"}
    spaces = {int(size)
              for rule in re.findall(r"(?:gap|padding|margin)[\w-]*: ([^;}]+)", plain)
              for size in re.findall(r"(\d+)px", rule)}
    assert spaces <= {1, 2, 4, 8, 12, 16, 24, 28, 32}
