"""What a newcomer sees: the worst example, painted, with its numbers."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from inspector.browse import Browser, Selection
from inspector.formats import DEMO_FOLDER
from inspector.formats.request import LoadRequest
from inspector.summary import describe_coverage
from inspector.workspace import open_workspace


def test_opens_on_the_worst_scored_example(watched, demo_address, demo):
    page = watched.open(demo_address)
    order = Browser(demo).order(Selection(run="words"))
    worst = demo.dataset[int(order[0])]
    expect(page.locator("#viewer")).to_have_attribute("data-painted", worst.id)
    expect(page.locator("#viewer")).to_have_attribute("data-run", "words")
    expect(page.locator("#viewer")).to_have_attribute("data-layer", "agreement")
    expect(page.locator("#sentence")).to_have_text(worst.expression.sentence)
    iou = float(demo.scored[0].iou[worst.index])
    expect(page.locator("#iou")).to_have_text(f"{iou:.3f}")
    expect(page.locator("#position")).to_have_text(f"1 / {len(demo.dataset)}")
    expect(page.locator("#coverage")).to_have_text(describe_coverage(demo.scores[0]))
    expect(page.locator("#failure")).to_have_attribute("data-failure", "wrong_referent")


def test_metrics_of_the_run_stand_in_the_header(watched, demo_address, demo):
    page = watched.open(demo_address)
    value = page.locator("#metrics [data-metric='mIoU'] dd")
    expect(value).to_have_text(f"{demo.metrics[0]['mIoU']:.3f}")
    page.get_by_label("Run", exact=True).select_option("box")
    expect(value).to_have_text(f"{demo.metrics[2]['mIoU']:.3f}")


def test_problems_are_listed_behind_their_count(watched, demo_address, demo):
    page = watched.open(demo_address)
    page.locator("#problems summary").click()
    expect(page.locator("#problems li")).to_have_count(len(demo.problems))
    expect(page.locator("#problems")).to_contain_text("height and width are swapped")


def test_canvas_shows_blue_truth_and_orange_prediction(watched, demo_address):
    page = watched.open(demo_address)

    def share_of(layer: str) -> tuple[int, int]:
        page.keyboard.press(layer)
        return page.evaluate(
            """() => {
              const canvas = document.querySelector('#canvas');
              const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width,
                                                                  canvas.height);
              let blue = 0, orange = 0;
              for (let i = 0; i < data.length; i += 4) {
                if (data[i] === 0 && data[i + 1] === 114 && data[i + 2] === 178) blue++;
                if (data[i] === 213 && data[i + 1] === 94 && data[i + 2] === 0) orange++;
              }
              return [blue, orange];
            }"""
        )

    blue, orange = share_of("2")
    assert blue > 200
    assert orange > 200
    blue, orange = share_of("4")
    assert blue > 200
    assert orange == 0
    blue, orange = share_of("5")
    assert blue == 0
    assert orange > 200
    assert share_of("6") == [0, 0]


def test_the_page_installs_as_an_app_of_its_own(watched, demo_address):
    page = watched.open(demo_address)
    link = page.locator("link[rel=manifest]")
    expect(link).to_have_count(1)
    manifest = page.evaluate("""async () => {
      const link = document.querySelector('link[rel=manifest]');
      const manifest = await (await fetch(link.href)).json();
      const icons = await Promise.all(manifest.icons.map(async ({ src, sizes, type }) => {
        const answer = await fetch(new URL(src, link.href));
        const bitmap = type === 'image/png' ? await createImageBitmap(await answer.blob()) : null;
        return { type: answer.headers.get('content-type'), says: sizes,
                 is: bitmap && `${bitmap.width}x${bitmap.height}` };
      }));
      return { ...manifest, icons, start: new URL(manifest.start_url, link.href).pathname };
    }""")
    assert manifest["display"] == "standalone"
    assert manifest["start"] == "/"
    for icon in manifest["icons"]:
        assert icon["type"].startswith("image/")
        assert icon["is"] in (None, icon["says"])
    assert {icon["says"] for icon in manifest["icons"]} == {"any", "192x192", "512x512"}


def test_the_demo_says_what_it_is_until_it_is_told_to_be_quiet(watched, demo_address):
    page = watched.open(demo_address)
    hint = page.locator("#hint")
    expect(hint).to_contain_text("Demo: three simple methods")
    expect(hint).to_contain_text("python app.py DATASET --run FILE")
    expect(hint.locator("kbd")).to_have_text(["→", "1 … 6", "Space", "M", "?"])
    covered = page.evaluate("""() => {
      const bottom = document.querySelector('#hint').getBoundingClientRect().bottom;
      return [...document.querySelectorAll('.inspector > :is(aside, section)')]
        .filter((element) => element.getBoundingClientRect().top < bottom).length;
    }""")
    assert covered == 0  # it has a place of its own
    page.get_by_role("button", name="Do not show this again").click()
    expect(hint).to_be_hidden()
    expect(page.locator("#viewer")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#position")).to_have_text("2 / 64")
    page.reload()
    expect(page.locator("#position")).to_have_text(re.compile("/ 64"))
    expect(hint).to_be_hidden()


def test_own_data_has_the_keys_and_no_command(watched, serve):
    own = open_workspace(LoadRequest(str(DEMO_FOLDER / "truth-tight.jsonl")), [])
    page = watched.open(serve(own))
    hint = page.locator("#hint")
    expect(hint.locator("kbd")).to_have_text(["→", "1 … 6", "Space", "?"])  # M needs runs
    expect(page.locator("#hint-command")).to_be_hidden()
    expect(hint).not_to_contain_text("Demo")


def test_own_runs_on_the_demo_are_not_told_of_as_its_own(watched, serve, tmp_path):
    run = tmp_path / "mine.jsonl"
    run.write_bytes((DEMO_FOLDER / "runs" / "box.jsonl").read_bytes())
    page = watched.open(serve(open_workspace(LoadRequest("demo"), [f"mine={run}"])))
    expect(page.locator("#hint-keys")).to_be_visible()
    expect(page.locator("#hint")).not_to_contain_text("three simple methods")
    expect(page.locator("#hint-command")).to_be_hidden()
