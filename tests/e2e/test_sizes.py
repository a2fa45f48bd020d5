"""At every width the picture keeps its room and nothing has to be scrolled sideways."""

from __future__ import annotations

from tests.e2e.walking import IS_LONG_TEST, go

SIZES = ((1440, 900, 0.35), (1024, 900, 0.45), (800, 1000, 0.5), (420, 900, 0.5))
"""Width and height in pixels, and the least share of the height that the picture has."""


@IS_LONG_TEST
def test_the_picture_keeps_its_room(watched, demo_address):
    page = watched.open(demo_address)
    for width, height, least in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        go(page, "")
        assert page.locator("#canvas").bounding_box()["height"] >= least * height
        for view in ("gallery", "table", "scatter", "numbers"):
            go(page, view)
            assert page.evaluate("() => document.documentElement.scrollWidth") <= width, view
        go(page, "gallery")
        assert page.locator("#gallery").bounding_box()["height"] >= least * height
