"""Makes the pictures of the README from the demo set: ``python assets/make_pictures.py``."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from playwright.sync_api import sync_playwright  # noqa: E402

from inspector.formats.request import LoadRequest  # noqa: E402
from inspector.workspace import open_workspace  # noqa: E402
from tests.e2e import chromium  # noqa: E402
from tests.e2e.serving import serving  # noqa: E402

PICTURES = {
    "page": ("", ""),
    "sides": ("?example=123&run=box&compare=sides&layer=fill", ""),
    "others": ("?example=111&layer=contours", "o"),
    "gallery": ("?view=gallery", ""),
    "table": ("?view=table&sort=failure", ""),
}
"""File name -> address, and a key that is pressed."""


def main() -> None:
    """Take every picture from a page served for the purpose."""
    folder = ROOT / "assets" / "pictures"
    folder.mkdir(exist_ok=True)
    with serving(open_workspace(LoadRequest("demo"), [])) as address, sync_playwright() as play:
        browser = play.chromium.launch(
            executable_path=chromium.find(), args=chromium.ARGUMENTS
        )
        for name, (query, key) in PICTURES.items():
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            page.goto(f"{address}/{query}")
            page.wait_for_selector("#viewer[data-painted]:not([data-painted=''])")
            page.wait_for_function("() => document.querySelector('#filter-failure .count')")
            if key:
                page.keyboard.press(key)
            if "gallery" in query:
                page.wait_for_function(
                    "() => [...document.querySelectorAll('.tile')].every((t) => t.dataset.example)"
                )
            page.wait_for_load_state("networkidle")
            page.screenshot(path=folder / f"{name}.png")
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
