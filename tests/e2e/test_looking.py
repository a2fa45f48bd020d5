"""Everything an eye needs: views side by side, zoom, overlays, colours, pictures to take away."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.walking import IS_LONG_TEST, script_of

PIXELS = "() => document.querySelector('#canvas').toDataURL()"
COUNT = """([r, g, b, x0, x1]) => {
  const canvas = document.querySelector('#canvas');
  const from = Math.round(canvas.width * x0), to = Math.round(canvas.width * x1);
  const {data} = canvas.getContext('2d').getImageData(from, 0, to - from, canvas.height);
  let found = 0;
  for (let i = 0; i < data.length; i += 4)
    if (data[i] === r && data[i + 1] === g && data[i + 2] === b) found++;
  return found;
}"""
BLUE, ORANGE, GREY = (0, 114, 178), (213, 94, 0), (187, 187, 187)


def count(page: Page, colour: tuple[int, int, int], left: float = 0, right: float = 1) -> int:
    """Pixels of a colour between two shares of the canvas's width."""
    return page.evaluate(COUNT, [*colour, left, right])


def test_truth_and_prediction_side_by_side(watched, demo_address):
    page = watched.open(demo_address)
    page.get_by_role("button", name="Truth | prediction").click()
    assert count(page, BLUE, 0, 0.5) > 100
    assert count(page, ORANGE, 0, 0.5) == 0
    assert count(page, BLUE, 0.51, 1) == 0
    assert count(page, ORANGE, 0.51, 1) > 100
    expect(page.locator("#legend")).to_contain_text("ground truth")
    expect(page.locator("#legend")).to_contain_text("prediction")
    assert "compare=sides" in page.url


@IS_LONG_TEST
def test_panes_share_zoom_and_pan(watched, demo_address):
    page = watched.open(f"{demo_address}/?compare=runs&against=words&run=words")
    box = page.locator("#canvas").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 4, box["y"] + box["height"] / 2)
    page.mouse.wheel(0, -300)
    halves = page.evaluate("""() => new Promise((done) => requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        const canvas = document.querySelector('#canvas'), ratio = devicePixelRatio;
        const width = (canvas.width - 4 * ratio) / 2, context = canvas.getContext('2d');
        const whole = Math.floor(width);
        const left = context.getImageData(0, 0, whole, canvas.height).data;
        const right = context.getImageData(canvas.width - whole, 0, whole, canvas.height).data;
        let far = 0;
        for (let i = 0; i < left.length; i++) if (Math.abs(left[i] - right[i]) > 40) far++;
        done([far, left.length]);
      })))""")
    assert halves[0] < 0.01 * halves[1]  # the same run in both: the same picture


@IS_LONG_TEST
def test_swipe_divides_where_it_is_dragged(watched, demo_address):
    page = watched.open(f"{demo_address}/?compare=swipe")
    box = page.locator("#canvas").bounding_box()
    middle, height = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(middle, height)
    page.mouse.down()
    page.mouse.move(box["x"] + 1, height)
    page.mouse.up()
    page.wait_for_function(f"() => ({COUNT})([0, 114, 178, 0, 1]) === 0")
    assert count(page, ORANGE) > 100
    page.mouse.move(box["x"] + 2, height)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 1, height)
    page.mouse.up()
    page.wait_for_function(f"() => ({COUNT})([213, 94, 0, 0, 1]) === 0")
    assert count(page, BLUE) > 100


def test_blink_shows_one_after_the_other(watched, demo_address):
    page = watched.open(demo_address)
    page.keyboard.press("b")
    viewer = page.locator("#viewer")
    for shown, there, gone in (("truth", BLUE, ORANGE), ("prediction", ORANGE, BLUE)):
        page.wait_for_function(  # the name and the pixels at one moment: it flips by itself
            f"""([shown, there, gone]) => document.querySelector('#viewer').dataset.blink === shown
              && ({COUNT})([...there, 0, 1]) > 100 && ({COUNT})([...gone, 0, 1]) === 0""",
            arg=[shown, there, gone])
    page.keyboard.press("b")
    expect(viewer).not_to_have_attribute("data-blink", re.compile("."))
    expect(page.locator("#blink")).to_have_attribute("aria-pressed", "false")


@IS_LONG_TEST
def test_reduced_motion_blinks_by_hand(watched, demo_address):
    watched.page.emulate_media(reduced_motion="reduce")
    page = watched.open(demo_address)
    page.keyboard.press("b")
    expect(page.locator("#viewer")).to_have_attribute("data-blink", "truth")
    page.keyboard.press("b")
    expect(page.locator("#viewer")).to_have_attribute("data-blink", "prediction")
    page.keyboard.press("Escape")
    expect(page.locator("#blink")).to_have_attribute("aria-pressed", "false")


def test_zoom_to_the_object_and_back(watched, demo_address):
    page = watched.open(f"{demo_address}/?layer=fill&example=161")  # a small coin
    before, shown = count(page, BLUE), page.evaluate(PIXELS)
    page.keyboard.press("z")
    assert count(page, BLUE) > before
    page.keyboard.press("r")
    assert page.evaluate(PIXELS) == shown
    page.keyboard.press("0")
    assert page.evaluate(PIXELS) != shown
    page.keyboard.press("Escape")
    assert page.evaluate(PIXELS) == shown


@IS_LONG_TEST
def test_zoom_is_kept_only_where_asked(watched, demo_address):
    page = watched.open(demo_address)
    painted = page.locator("#viewer").get_attribute("data-painted")
    shown = page.evaluate(PIXELS)
    page.keyboard.press("+")
    zoomed = page.evaluate(PIXELS)
    assert zoomed != shown

    def there_and_back():
        page.keyboard.press("ArrowRight")
        expect(page.locator("#viewer")).not_to_have_attribute("data-painted", painted)
        page.keyboard.press("ArrowLeft")
        expect(page.locator("#viewer")).to_have_attribute("data-painted", painted)

    there_and_back()
    assert page.evaluate(PIXELS) == shown
    page.keyboard.press("f")
    page.keyboard.press("+")
    there_and_back()
    assert page.evaluate(PIXELS) == zoomed


def test_overlays_by_key_and_button_are_remembered(watched, demo_address):
    page = watched.open(f"{demo_address}/?example=111")
    keys = {"others": "o", "stray": "i", "boxes": "x"}
    seen = [page.evaluate(PIXELS)]
    for name in keys:
        page.locator(f"#{name}").click()
        expect(page.locator(f"#{name}")).to_have_attribute("aria-pressed", "true")
        seen.append(page.evaluate(PIXELS))
        assert (seen[-1] == seen[-2]) == (name == "stray")  # this mask hangs together
    page.reload()
    page.wait_for_selector("#viewer[data-painted='111']")
    for name, key in reversed(keys.items()):
        expect(page.locator(f"#{name}")).to_have_attribute("aria-pressed", "true")
        assert page.evaluate(PIXELS) == seen.pop()
        page.keyboard.press(key)
        expect(page.locator(f"#{name}")).to_have_attribute("aria-pressed", "false")
    assert page.evaluate(PIXELS) == seen.pop()


def test_other_objects_are_grey(watched, demo_address):
    page = watched.open(f"{demo_address}/?example=111&layer=picture")
    assert count(page, GREY) == 0
    page.keyboard.press("o")
    assert count(page, GREY) > 100


@IS_LONG_TEST
def test_opacity_by_keys_and_slider(watched, demo_address):
    page = watched.open(demo_address)
    for _ in range(10):
        page.keyboard.press("]")
    expect(page.get_by_label("Opacity")).to_have_value("1")
    strong = page.evaluate(PIXELS)
    page.get_by_label("Opacity").fill("0.2")
    assert page.evaluate(PIXELS) != strong
    page.reload()
    expect(page.get_by_label("Opacity")).to_have_value("0.2")


@IS_LONG_TEST
def test_colours_are_changed_and_remembered(watched, demo_address):
    page = watched.open(f"{demo_address}/?layer=truth")
    page.get_by_role("button", name="Settings").click()
    page.locator("#colours").get_by_label("ground truth").fill("#00ff00")
    page.keyboard.press("Escape")
    assert count(page, (0, 255, 0)) > 100
    assert count(page, BLUE) == 0
    page.reload()
    page.wait_for_selector("#viewer[data-painted]:not([data-painted=''])")
    assert count(page, (0, 255, 0)) > 100
    mark = page.locator("#legend .mark").first
    expect(mark).to_have_css("background-color", "rgb(0, 255, 0)")
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("button", name="Back to the first ones").click()
    assert count(page, BLUE) > 100


def test_sentences_of_a_target_as_a_strip(watched, demo_address, demo):
    page = watched.open(f"{demo_address}/?example=111")
    table = demo.dataset.expressions
    place = demo.dataset.index_of["111"]
    same = [i for i, ref in enumerate(table.referent) if ref == table.referent[place]]
    strip = page.locator("#strip")
    expect(strip.get_by_role("button")).to_have_count(len(same))
    current = strip.locator("[aria-current]")
    expect(current).to_contain_text(table.sentences[place])
    page.keyboard.press("ArrowDown")
    following = table.ids[same[same.index(place) + 1]]
    expect(page.locator("#viewer")).to_have_attribute("data-painted", following)
    page.keyboard.press("ArrowUp")
    expect(page.locator("#viewer")).to_have_attribute("data-painted", "111")
    strip.get_by_role("button").last.click()
    expect(page.locator("#viewer")).to_have_attribute("data-painted", table.ids[same[-1]])


@IS_LONG_TEST
def test_next_target_passes_the_other_sentences(watched, demo_address, demo):
    page = watched.open(f"{demo_address}/?sort=ref")
    referent = demo.dataset.expressions.referent
    index = demo.dataset.index_of
    seen = []
    for _ in range(4):
        seen.append(int(referent[index[page.locator("#viewer").get_attribute("data-example")]]))
        page.keyboard.press("Shift+ArrowRight")
        page.wait_for_function(
            "(id) => document.querySelector('#viewer').dataset.painted !== id",
            arg=demo.dataset.expressions.ids[referent.tolist().index(seen[-1])],
        )
    assert len(set(seen)) == 4


def test_facts_are_those_of_the_example(watched, demo_address, demo):
    from inspector.core.boundary import measure_boundary

    page = watched.open(f"{demo_address}/?example=123&run=box")
    example, scores = demo.dataset.by_id("123"), demo.scores[2]
    overlap = measure_boundary(scores.run.masks[int(scores.run.rows[example.index])],
                               example.target)
    facts = page.locator("#facts")
    for label, value in {
        "Boundary IoU": f"{overlap.intersection / overlap.union:.3f}",
        "Ground truth": f"{example.target.area:,} px",
        "Intersection": f"{int(scores.intersection[example.index]):,} px",
        "Example id": "123",
        "Ref id": example.expression.ref_id,
        "Image id": example.image.id,
    }.items():
        row = facts.locator("div", has=page.locator("dt", has_text=re.compile(f"^{label}$")))
        expect(row.locator("dd")).to_have_text(value)


def test_ids_and_links_are_copied(watched, demo_address):
    watched.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = watched.open(f"{demo_address}/?example=111")
    page.locator("#facts").get_by_role("button", name="smarties-8").click()
    expect(page.locator("#toast")).to_have_text("Copied smarties-8")
    assert page.evaluate("navigator.clipboard.readText()") == "smarties-8"
    page.keyboard.press("y")
    expect(page.locator("#toast")).to_have_text("Link copied")
    link = page.evaluate("navigator.clipboard.readText()")
    assert "example=111" in link
    assert "run=words" in link


def test_the_picture_as_seen_is_saved_and_copied(watched, demo_address):
    watched.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = watched.open(f"{demo_address}/?example=111")
    with page.expect_download() as download:
        page.keyboard.press("s")
    assert download.value.suggested_filename == "111-agreement.png"
    assert download.value.path().read_bytes().startswith(b"\x89PNG")
    page.keyboard.press("Shift+Y")
    expect(page.locator("#toast")).to_have_text("Picture copied")
    copied = page.evaluate("""async () => {
      const [item] = await navigator.clipboard.read();
      const {width, height} = await createImageBitmap(await item.getType('image/png'));
      return [item.types, width, height];
    }""")
    canvas = page.locator("#canvas")
    assert copied == [["image/png"], *canvas.evaluate("(canvas) => [canvas.width, canvas.height]")]


def test_help_lists_the_keys(watched, demo_address):
    page = watched.open(demo_address)
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keys")
    expect(dialog).to_be_visible()
    expect(dialog).to_contain_text("blink ground truth and prediction")
    example = page.locator("#viewer").get_attribute("data-example")
    page.keyboard.press("ArrowRight")  # keys belong to the dialog now
    expect(page.locator("#viewer")).to_have_attribute("data-example", example)
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()


def test_keys_are_not_swallowed_by_controls(watched, demo_address):
    page = watched.open(demo_address)
    page.locator("#others").click()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#position")).to_contain_text("2 / ")
    page.get_by_label("Opacity").click()
    page.keyboard.press("n")
    page.keyboard.press("j")
    expect(page.locator("#position")).to_contain_text("3 / ")


def test_the_picture_has_words_for_screen_readers(watched, demo_address):
    page = watched.open(f"{demo_address}/?example=117")
    expect(page.get_by_role("img", name="“the whole orange in the back”: wrong referent, IoU 0.000")
           ).to_be_visible()


@pytest.mark.parametrize("ratio", [1, 2])
@IS_LONG_TEST
def test_sharp_on_dense_screens(browser, demo_address, ratio):
    context = browser.new_context(device_scale_factor=ratio,
                                  viewport={"width": 1440, "height": 900})
    page = context.new_page()
    page.goto(demo_address)
    page.wait_for_selector("#viewer[data-painted]:not([data-painted=''])")
    width, shown = page.evaluate(
        "() => [document.querySelector('#canvas').width, "
        "document.querySelector('#canvas').clientWidth]"
    )
    assert width == shown * ratio
    context.close()


def test_an_outline_encloses_just_its_mask(watched, demo_address):
    page = watched.open(demo_address)
    script = script_of(page, "rle.js")
    wrong = page.evaluate("""async (script) => {
      const { outline } = await import(script);
      let seed = 7;
      const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
      const wrong = [];
      for (let round = 0; round < 60; round++) {
        const [height, width] = [1 + Math.floor(random() * 20), 1 + Math.floor(random() * 20)];
        const share = random();
        const pixels = Uint8Array.from(
          { length: height * width }, () => (random() < share ? 1 : 0),
        );
        const canvas = new OffscreenCanvas(width, height);
        const context = canvas.getContext('2d');
        context.fill(outline(pixels, height, width), 'evenodd');
        const { data } = context.getImageData(0, 0, width, height);
        if (pixels.some((inside, at) => data[4 * at + 3] !== 255 * inside)) wrong.push(round);
      }
      return wrong;
    }""", script)
    assert wrong == []
