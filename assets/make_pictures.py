"""Makes the pictures of the README and of the documentation, all from the demo set.

``python assets/make_pictures.py`` makes all; ``page``, ``failures`` or ``layers`` behind it only
those: of the page in a browser, one of each failure mode, and who imports whom in the package.
"""

from __future__ import annotations

import contextlib
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from assets.make_failures import make_failures  # noqa: E402
from assets.make_layers import draw_layers  # noqa: E402
from inspector.findings import open_store  # noqa: E402
from inspector.formats.request import LoadRequest  # noqa: E402
from inspector.workspace import open_workspace  # noqa: E402

FOLDER = ROOT / "assets" / "pictures"
PICTURES = {
    "page": ("", ""),
    "sides": ("?example=123&run=box&compare=sides&layer=fill", ""),
    "others": ("?example=111&layer=contours", "o"),
    "gallery": ("?view=gallery", ""),
    "table": ("?view=table&sort=failure", ""),
}
"""File name -> address, and a key that is pressed."""


def main(wanted: list[str]) -> None:
    """Make the pictures of the kinds that are named, or all."""
    FOLDER.mkdir(exist_ok=True)
    if not wanted or "failures" in wanted:
        make_failures(FOLDER / "failures")
    if not wanted or "layers" in wanted:
        (FOLDER / "layers.svg").write_text(draw_layers(), encoding="utf-8")
    if not wanted or "page" in wanted:
        make_pages()


def make_pages() -> None:
    """Take every picture of the page from one served for the purpose."""
    from playwright.sync_api import sync_playwright

    from tests.e2e import chromium
    from tests.e2e.serving import serving

    with (
        tempfile.TemporaryDirectory() as folder,
        contextlib.closing(open_store(Path(folder) / "findings.sqlite")) as findings,
        serving(open_workspace(LoadRequest("demo"), []), findings=findings) as address,
        sync_playwright() as play,
    ):
        browser = play.chromium.launch(
            executable_path=chromium.find(), args=chromium.ARGUMENTS
        )
        for name, (query, key) in PICTURES.items():
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            page.goto(f"{address}/{query}")
            page.wait_for_selector("#viewer[data-painted]:not([data-painted=''])")
            page.wait_for_function("() => document.querySelector('#filter-failure .count')")
            page.click("#hint-close")  # the pictures stand where the README says the same
            page.evaluate("document.activeElement.blur()")  # without the ring of who got there
            if key:
                page.keyboard.press(key)
            if "gallery" in query:
                page.wait_for_function(
                    "() => [...document.querySelectorAll('.tile')].every((t) => t.dataset.example)"
                )
            page.wait_for_load_state("networkidle")
            page.screenshot(path=FOLDER / f"{name}.png")
            page.close()
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
