"""At every width the picture keeps its room and nothing has to be scrolled sideways."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect


@pytest.mark.parametrize(("width", "height", "least"), [
    pytest.param(1440, 900, 0.35, id="wide"), pytest.param(1024, 900, 0.45, id="middle"),
    pytest.param(800, 1000, 0.5, id="narrow"), pytest.param(420, 900, 0.5, id="phone"),
])
def test_the_picture_keeps_its_room(watched, demo_address, width, height, least):
    watched.page.set_viewport_size({"width": width, "height": height})
    page = watched.open(demo_address)
    assert page.locator("#canvas").bounding_box()["height"] >= least * height
    for view in ("Gallery", "Table", "Scatter", "Numbers"):
        page.locator("#views").get_by_role("button", name=view, exact=True).click()
        expect(page.locator("#viewer")).to_have_attribute("data-view", view.lower())
        assert page.evaluate("() => document.documentElement.scrollWidth") <= width, view
    page.locator("#views").get_by_role("button", name="Gallery").click()
    assert page.locator("#gallery").bounding_box()["height"] >= least * height
