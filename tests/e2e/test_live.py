"""The live model on the page, and a page that follows a program, in a real browser."""

from __future__ import annotations

import re
import threading

import numpy as np
import pytest
from playwright.sync_api import expect

import inspector
from inspector.core.mask import Mask
from inspector.live import Desk, ModelError
from inspector.server.pointer import Pointer
from tests.e2e.test_looking import ORANGE, count


class FakeModel:
    """Says what the test put there, after the gate is open."""

    name, timeout = "fake", 60.0

    def __init__(self) -> None:
        self.says: object = None
        self.gate = threading.Event()
        self.gate.set()

    def launch(self) -> None: ...
    def start(self) -> None: ...

    def close(self) -> None:
        self.gate.set()

    def answer(self, question):
        assert self.gate.wait(60)
        if isinstance(self.says, Exception):
            raise self.says
        return self.says


@pytest.fixture
def model():
    return FakeModel()


@pytest.fixture
def address(serve, demo, model):
    desk = Desk(model)
    yield serve(demo, live=desk)
    desk.close()


def test_another_sentence_gives_another_mask(watched, address, demo, model):
    page = watched.open(address)
    example = demo.dataset.by_id(page.locator("#viewer").get_attribute("data-example"))
    model.says = example.target
    page.keyboard.press("q")
    box = page.get_by_role("group", name="Ask fake with a sentence of your own")
    field = box.get_by_role("searchbox")
    expect(field).to_have_value(example.expression.sentence)
    field.fill("the other one")
    page.keyboard.press("Enter")
    expect(box.get_by_role("status")).to_contain_text("IoU 1.000 with the ground truth")
    expect(page.locator("#pane-names")).to_contain_text("fake, live")
    box.get_by_role("button", name="Back to the stored prediction").click()
    expect(box).to_be_hidden()
    expect(page.locator("#pane-names")).not_to_contain_text("fake, live")


@pytest.mark.parametrize(("says", "words"), [
    pytest.param(None, "The model says: no target.", id="no target"),
    pytest.param(ModelError("The model took too long."), "The model took too long.", id="failed"),
])
def test_what_is_no_mask_is_said(watched, address, model, says, words):
    page = watched.open(address)
    model.says = says
    page.keyboard.press("q")
    page.keyboard.press("Enter")
    expect(page.locator("#live-state")).to_contain_text(words)


def test_a_question_ends_as_the_page_turns_or_when_it_is_stopped(watched, address, demo, model):
    page = watched.open(address)
    said, stop = page.locator("#live-state"), page.locator("#live-cancel")
    first = page.locator("#viewer").get_attribute("data-painted")
    model.gate.clear()
    page.keyboard.press("q")
    page.keyboard.press("Enter")
    expect(said).to_contain_text("The model works")
    page.keyboard.press("Escape")
    with page.expect_request(lambda asked: asked.method == "DELETE"):
        page.keyboard.press("ArrowRight")
    expect(page.locator("#viewer")).not_to_have_attribute("data-painted", first)
    expect(said).to_be_empty()
    expect(stop).to_be_hidden()

    held = []
    page.route("**/live", lambda route: held.append(route))
    with page.expect_request("**/live"):
        page.keyboard.press("q")
        page.keyboard.press("Enter")
    stop.click()  # before the server has given the question a ticket
    with page.expect_request(lambda asked: asked.method == "DELETE"):
        held.pop().continue_()
    page.unroute("**/live")
    expect(said).to_be_empty()
    shown = page.locator("#viewer").get_attribute("data-painted")
    model.says = demo.dataset.by_id(shown).target
    model.gate.set()
    page.locator("#live-sentence").press("Enter")
    expect(said).to_contain_text("with the ground truth")  # of the newest question alone


def test_a_photograph_of_ones_own(watched, address, model, tmp_path):
    from PIL import Image

    photograph = tmp_path / "mine.png"
    Image.new("RGB", (40, 30), (10, 200, 30)).save(photograph)
    page = watched.open(address)
    marked = np.zeros((30, 40), bool)
    marked[5:20, 5:25] = True
    model.says = Mask.from_array(marked)
    page.keyboard.press("q")
    page.locator("#live-file").set_input_files(photograph)
    expect(page.locator("#live-state")).to_contain_text("Your photograph, 40 × 30")
    page.locator("#live-sentence").fill("the green thing")
    page.keyboard.press("Enter")
    expect(page.locator("#live-state")).to_have_text(re.compile(r"^\d+\.\d s$"))  # no more
    assert count(page, ORANGE) > 100


def test_a_page_follows_the_program_that_opened_it(watched, serve, demo):
    pointer = Pointer()
    page = watched.open(serve(demo, pointer=pointer))
    ids = demo.dataset.expressions.ids
    pointer.point({"example": ids[5], "layer": "contours"})
    expect(page.locator("#viewer")).to_have_attribute("data-painted", ids[5])
    expect(page.locator("#viewer")).to_have_attribute("data-layer", "contours")
    page.get_by_role("button", name="Fill", exact=True).click()
    page.wait_for_function("() => location.search.includes('layer=fill')")
    with page.expect_request(lambda asked: asked.method == "POST" and "pointer" in asked.url):
        page.keyboard.press("4")


def test_the_handle_of_a_script(watched):
    with inspector.open("demo") as handle:
        page = watched.open(handle.url)
        handle.select(view="gallery", category="orange")
        expect(page.locator("#viewer")).to_have_attribute("data-view", "gallery")
        assert 0 < len(handle.selection()) < 64
        page.close()  # it would go on asking a server that is gone
    watched.forgive("ERR_CONNECTION_REFUSED", "ERR_EMPTY_RESPONSE")  # of what was under way
