"""What is missing, broken or strange is said in plain words on the page."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import expect

from inspector.formats.request import LoadRequest
from inspector.workspace import open_workspace, reload_runs
from tests.drawing import draw
from tests.e2e.serving import serving
from tests.e2e.walking import IS_LONG_TEST

LEFT, RIGHT = draw("##..", "##.."), draw("..##", "..##")
MARKUP = "<img src=x onerror=alert(1)><b>cup</b> & 'x'"


def write(
    folder: Path, sentences: list[str], *, picture: bytes | None = b"", mask=LEFT, ignore=None,
    all_objects: bool = True,
) -> Path:
    """Write a data set of one picture; picture bytes of None leave the file out."""
    if picture is not None:
        (folder / "images").mkdir(exist_ok=True)
        path = folder / "images" / "a.png"
        if picture:
            path.write_bytes(picture)
        else:
            Image.new("RGB", (4, 2), (90, 120, 90)).save(path)
    lines = [
        {"inspector": "dataset", "version": 1, "name": "small", "all_objects": all_objects},
        {"image": {"id": "a", "file_name": "images/a.png", "size": [2, 4]},
         "objects": [{"ann_id": "1", "category": "cup",
                      "mask": mask if isinstance(mask, dict) else mask.to_json()}],
         "expressions": [{"sent_id": str(n), "ref_id": "1", "sentence": text, "targets": ["1"],
                          **({"ignore": ignore.to_json()} if ignore else {})}
                         for n, text in enumerate(sentences)]},
    ]
    path = folder / "small.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def predictions(folder: Path, count: int) -> Path:
    path = folder / "model.jsonl"
    path.write_text("".join(
        json.dumps({"sent_id": n, "mask": RIGHT.to_json()}) + "\n" for n in range(count)
    ))
    return path


def test_without_a_run_the_ground_truth_is_shown(watched, serve, tmp_path):
    workspace = open_workspace(LoadRequest(str(write(tmp_path, ["left cup"]))), [])
    address = serve(workspace)
    page = watched.open(address)
    expect(page.locator("#viewer")).to_have_attribute("data-layer", "truth")
    expect(page.locator("#coverage")).to_have_text("No predictions")
    expect(page.locator(".side")).to_contain_text("Add predictions with --run FILE")
    expect(page.locator("#why")).to_contain_text("There is no run.")
    expect(page.locator("#sentence")).to_have_text("left cup")


@pytest.mark.parametrize(("picture", "said"), [
    pytest.param(None, "The picture images/a.png was not found", id="missing"),
    pytest.param(b"no picture", "The picture images/a.png cannot be shown", id="broken"),
    pytest.param(b"\x89PNG\r\n\x1a\n cut off", "The picture images/a.png cannot be shown",
                 id="cut off", marks=IS_LONG_TEST),
])
def test_masks_are_shown_without_the_picture(watched, serve, tmp_path, picture, said):
    workspace = open_workspace(
        LoadRequest(str(write(tmp_path, ["left cup"], picture=picture))),
        [f"model={predictions(tmp_path, 1)}"],
    )
    address = serve(workspace)
    page = watched.open(address)
    expect(page.locator("#message")).to_contain_text(said)
    expect(page.locator("#iou")).to_have_text("0.000")
    watched.forgive("404 (Not Found)")  # the picture


def test_a_wait_is_shown_until_it_is_over(watched, serve, tmp_path):
    workspace = open_workspace(
        LoadRequest(str(write(tmp_path, ["left cup", "cup"]))),
        [f"model={predictions(tmp_path, 2)}"],
    )
    page, viewer, held = watched.page, watched.page.locator("#viewer"), []
    seen = "getComputedStyle(document.querySelector('#viewer'), '::after').content !== 'none'"
    page.route("**/examples/*", lambda route: held.append(route))
    page.goto(serve(workspace))
    expect(viewer).to_have_attribute("aria-busy", "true")
    page.wait_for_function(seen)
    for route in held:
        route.continue_()
    page.unroute("**/examples/*")
    expect(viewer).to_have_attribute("data-painted", "0")
    expect(viewer).not_to_have_attribute("aria-busy", "true")
    assert not page.evaluate(seen)
    page.keyboard.press("d")
    held.clear()
    page.route("**/order?*", lambda route: held.append(route))
    page.locator("#filter-sentence input").fill("no such words")
    page.wait_for_function(seen)  # an order may take its time too, whatever the view
    held.pop().continue_()
    page.unroute("**/order?*")
    expect(page.locator("#position")).to_have_text("0 / 0")
    expect(viewer).not_to_have_attribute("aria-busy", "true")


PIXEL = """(canvas, [x, y]) => [...canvas.getContext('2d').getImageData(
  canvas.width * x, canvas.height * y, 1, 1).data].slice(0, 3)"""


def test_tiles_and_rows_know_what_is_not_known_and_what_does_not_count(watched, serve, tmp_path):
    workspace = open_workspace(
        LoadRequest(str(write(tmp_path, ["left cup"], ignore=RIGHT, all_objects=False))),
        [f"model={predictions(tmp_path, 1)}"],
    )
    address = serve(workspace)

    def with_ignored(route):
        answer = route.fetch()
        rows = [{"ignored": workspace.dataset.ignored.counts(0).decode("ascii"), **row}
                for row in answer.json()]
        route.fulfill(response=answer, json=rows)

    watched.page.route("**/rows/*masks=1*", with_ignored)
    page = watched.open(f"{address}/?view=gallery&sort=same")
    tile = page.locator(".tile[data-example]")
    expect(tile.locator(".value")).to_have_text("not known")
    page.wait_for_function("""() => document.querySelector('.tile canvas').getContext('2d')
      .getImageData(0, 0, 300, 150).data.some((value) => value)""")
    marked, ignored = (tile.locator("canvas").evaluate(PIXEL, at) for at in ([.3, .5], [.7, .5]))
    assert max(abs(a - b) for a, b in zip(ignored, (90, 120, 90), strict=True)) < 12, ignored
    assert max(abs(a - b) for a, b in zip(marked, (90, 120, 90), strict=True)) > 40, marked
    page.keyboard.press("d")
    row = page.locator("#table tbody tr").first
    expect(row).to_be_visible()
    heads = page.locator("#table thead th").all_inner_texts()
    same = next(at for at, words in enumerate(heads) if words.startswith("Others"))
    expect(row.locator("td").nth(same)).to_have_text("–")


def test_a_ground_truth_that_cannot_be_read_is_said(watched, serve, tmp_path):
    broken = {"size": [2, 4], "counts": "1"}
    workspace = open_workspace(
        LoadRequest(str(write(tmp_path, ["left cup"], mask=broken))), []
    )
    address = serve(workspace)
    page = watched.open(address)
    expect(page.locator("#message")).to_contain_text("ground-truth mask")
    page.locator("#problems summary").click()
    expect(page.locator("#problems li")).to_contain_text("The runs sum to 1")


SENTENCES = {
    "markup": MARKUP,
    "emoji and direction": "der Becher links 😀 \u202eevil\u202c",
    "10,000 characters": "word " * 2000,
    "templates": "${value} {{value}} [[title]] {count}",
}


def test_sentences_are_text(watched, serve, tmp_path):
    workspace = open_workspace(
        LoadRequest(str(write(tmp_path, list(SENTENCES.values())))),
        [f"model={predictions(tmp_path, 2)}"],
    )
    page = watched.open(f"{serve(workspace)}/?example=0&sort=id")
    for place, sentence in enumerate(SENTENCES.values()):
        expect(page.locator("#viewer")).to_have_attribute("data-painted", str(place))
        expect(page.locator("#sentence")).to_have_text(sentence.strip())
        assert page.locator("#sentence img, #sentence b").count() == 0
        assert page.locator("#sentence").bounding_box()["height"] <= 64
        page.keyboard.press("ArrowRight")
    page.keyboard.press("c")
    expect(page.locator(".tile").first).to_be_visible()
    page.keyboard.press("d")
    expect(page.get_by_role("table").locator("tbody tr")).to_have_count(len(SENTENCES))
    assert page.locator("td img, td b, .tile img").count() == 0


def test_reload_reads_what_has_grown(watched, serve, tmp_path):
    dataset, runs = write(tmp_path, ["left cup", "cup left"]), predictions(tmp_path, 1)

    workspace = open_workspace(LoadRequest(str(dataset)), [f"model={runs}"])
    address = serve(workspace, reopen=reload_runs)
    page = watched.open(address)
    coverage = page.locator("#coverage")
    expect(coverage).to_have_text("⚠ 1 of 2 examples matched, 1 missing (1 by sent_id)")
    expect(coverage).to_have_attribute("title", re.compile("50 % of the examples have no usable"))
    predictions(tmp_path, 2)
    page.keyboard.press("Shift+R")
    expect(coverage).to_have_text("2 of 2 examples matched (2 by sent_id)")
    # What was asked on the way of the data before is gone by then; nothing else may have failed.
    watched.forgive("410 (Gone)")


def test_data_that_changed_under_the_page_asks_for_a_reload(watched, serve, tmp_path):
    dataset, runs = write(tmp_path, ["left cup", "cup left", "cup"]), predictions(tmp_path, 1)

    workspace = open_workspace(LoadRequest(str(dataset)), [f"model={runs}"])
    address = serve(workspace, reopen=reload_runs)
    page = watched.open(address)
    predictions(tmp_path, 3)
    page.evaluate("() => fetch('data/reload', { method: 'POST' })")
    page.locator("#filter-sentence input").fill("left")
    expect(page.locator("#message")).to_contain_text("Reload the page")
    watched.forgive("410 (Gone)")


def test_a_server_that_is_gone_is_said(watched, tmp_path):
    workspace = open_workspace(
        LoadRequest(str(write(tmp_path, ["left cup", "other"]))),
        [f"model={predictions(tmp_path, 2)}"],
    )
    with serving(workspace) as address:
        page = watched.open(address)
    page.locator("#filter-sentence input").fill("other")
    expect(page.locator("#message")).to_contain_text("The server does not answer")
    watched.forgive("ERR_CONNECTION_REFUSED")


def test_boxes_are_drawn_as_boxes(watched, serve, tmp_path):
    dataset = write(tmp_path, ["left cup", "cup"])
    runs = tmp_path / "boxes.jsonl"
    runs.write_text("".join(
        json.dumps({"sent_id": n, "box_xywh": [0, 0, 2, 1]}) + "\n" for n in range(2)
    ))
    workspace = open_workspace(LoadRequest(str(dataset)), [f"boxes={runs}"])
    page = watched.open(serve(workspace))
    expect(page.locator("#iou")).to_have_text("0.500")
    expect(page.locator("#iou-badge span")).to_have_text("Box IoU")
    expect(page.locator("#facts")).to_contain_text("Predicted box")
    expect(page.locator("#failure")).to_have_attribute("data-failure", "correct")
    assert page.evaluate("""() => {
      const canvas = document.querySelector('#canvas');
      const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      let orange = 0;
      for (let i = 0; i < data.length; i += 4)
        if (data[i] === 213 && data[i + 1] === 94 && data[i + 2] === 0) orange++;
      return orange;
    }""") > 100


@IS_LONG_TEST
def test_a_score_without_a_mask_says_so(watched, serve, tmp_path):
    dataset = write(tmp_path, ["left cup"])
    runs = tmp_path / "samtok.json"
    runs.write_text(json.dumps({"per_sample_results": [
        {"image_id": "a", "expression": "left cup", "metrics": {"iou": 0.25}}
    ]}))
    workspace = open_workspace(LoadRequest(str(dataset)), [f"model={runs}"])
    page = watched.open(serve(workspace))
    expect(page.locator("#iou")).to_have_text("0.250")
    expect(page.locator("#message")).to_contain_text("no mask to draw")
