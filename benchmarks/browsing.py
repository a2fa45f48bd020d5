"""Filters, orders, gallery and many viewers on 142,210 examples."""

from __future__ import annotations

import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

import httpx
from playwright.sync_api import Page, sync_playwright

from benchmarks.figures import Figure, percentile
from benchmarks.large import build
from benchmarks.serving import served
from inspector.browse import SORTS, Browser, Selection
from tests.e2e import chromium

_READY = "#viewer[data-painted]:not([data-painted=''])"
FILTERS = (
    {"category": "person"}, {"sentence": "left"}, {"sentence": "left", "match": "w"},
    {"iou": "0..0.3"}, {"failure": "background,loose"},
    {"category": "person", "sentence": "man", "iou": "0.2..0.9", "area": "100..20000"},
)


def measure() -> list[Figure]:
    """Time the server's answers alone, then the page in a real browser."""
    orders, counts = _on_the_server()
    figures = [
        Figure("142,210: order on the server, slowest", max(orders), "ms", 30, None),
        Figure("142,210: all counts on the server, slowest", max(counts), "ms", 100, None),
    ]
    with (
        served([sys.executable, "-m", "benchmarks.large"]) as address,
        sync_playwright() as playwright,
    ):
        chrome = playwright.chromium.launch(
            executable_path=chromium.find(), args=chromium.ARGUMENTS
        )
        page = chrome.new_page(viewport={"width": 1440, "height": 900})
        page.goto(address)
        page.wait_for_selector(_READY)
        page.wait_for_timeout(1000)
        painted, counted = _changes(page)
        figures += [
            Figure("142,210: filter or sort, painted, p95", percentile(painted, 95), "ms", 150,
                   None),
            Figure("142,210: counts after the picture, p95", percentile(counted, 95), "ms", 100,
                   None),
            Figure("142,210: gallery scrolling", _frames(page), "frames/s", 30, None,
                   higher_is_better=True),
            Figure("20 viewers: picture request, p95", _viewers(address), "ms", 100, None),
        ]
        chrome.close()
    return figures


def _on_the_server() -> tuple[list[float], list[float]]:
    with tempfile.TemporaryDirectory() as folder:
        browser = Browser(build(Path(folder)))
    orders = [_timed(lambda s=s: browser.order(Selection("made", s.key))) for s in SORTS]
    orders += [_timed(lambda f=f: browser.order(Selection("made", "worst", f))) for f in FILTERS]
    counts = [_timed(lambda f=f: browser.counts(Selection("made", "worst", f))) for f in FILTERS]
    return orders, counts


def _timed(ask: Callable[[], object]) -> float:
    times = []
    for _ in range(5):
        began = time.perf_counter()
        ask()
        times.append((time.perf_counter() - began) * 1000)
    return percentile(times, 50)


def _changes(page: Page) -> tuple[list[float], list[float]]:
    """Change filters and orders; time until painted, and from there until counted."""
    answer = page.evaluate("""async () => {
      const { page } = document.querySelector('#viewer');
      const blank = {category: '', sentence: '', match: '', iou: '', failure: '', area: ''};
      const changes = [
        {category: 'person'}, {category: 'car'}, {sentence: 'left'}, {match: 'w'}, {sort: 'area'},
        {sort: 'sentence'}, {iou: '0..0.3'}, {failure: 'background,loose'}, {sort: 'worst'},
        {sort: 'failure', reverse: '1'}, {sort: 'best', reverse: ''}, {sort: 'worst'},
      ];
      const painted = [], counted = [];
      const follow = page.filters.showChips.bind(page.filters);
      for (let round = 0; round < 3; round++) for (const change of changes) {
        const began = performance.now();
        let shown = 0;
        const done = new Promise((finish) => {
          page.filters.showChips = (phrases) => { follow(phrases); finish(performance.now()); };
        });
        const turn = page.turn;
        page.store.set({ ...(change.match || change.sort ? {} : blank), ...change });
        while (page.turn === turn) await new Promise((tick) => setTimeout(tick, 1));
        while (!page.showing || document.querySelector('#viewer').dataset.painted
          !== page.ids[page.order[page.position]]) await new Promise(requestAnimationFrame);
        shown = performance.now();
        painted.push(shown - began);
        counted.push(Math.max(0, await done - shown));
        await new Promise((rest) => setTimeout(rest, 100));
      }
      page.filters.showChips = follow;
      page.store.set(blank);
      return [painted, counted];
    }""")
    return answer[0], answer[1]


def _frames(page: Page) -> float:
    """Frames a second while the gallery is scrolled, 300 pixels a frame, for three seconds."""
    page.keyboard.press("c")
    page.wait_for_selector(".tile[data-example]")
    page.wait_for_timeout(500)
    frames = page.evaluate("""async () => {
      const gallery = document.querySelector('#gallery');
      let frames = 0;
      const began = performance.now();
      while (performance.now() - began < 3000) {
        gallery.scrollTop += 300;
        await new Promise(requestAnimationFrame);
        frames++;
      }
      return frames / 3;
    }""")
    page.wait_for_function(
        "() => [...document.querySelectorAll('.tile')].every((tile) => tile.dataset.example)"
    )
    page.keyboard.press("c")
    return float(frames)


def _viewers(address: str) -> float:
    """Let 20 viewers fetch pictures at the same time; give the 95th percentile."""
    with httpx.Client() as client:
        version = client.get(f"{address}data/start").json()["version"]
    times: list[float] = []
    lock = threading.Lock()

    def view(number: int) -> None:
        mine = []
        with httpx.Client() as client:
            for turn in range(30):
                row = (number * 997 + turn * 31) % 19_000
                began = time.perf_counter()
                client.get(f"{address}data/{version}/pictures/{row}").raise_for_status()
                mine.append((time.perf_counter() - began) * 1000)
                time.sleep(0.1)  # a person looks at each for a moment
        with lock:
            times.extend(mine)

    threads = [threading.Thread(target=view, args=(number,)) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return percentile(times, 95)
