"""From key press to painted, in a real browser: the page against the plain route.

"Painted" is the task after the animation frame in which the new example was drawn (for the
plain route: in which its picture had loaded). Both are driven in turn, in one run.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from benchmarks.figures import Figure, percentile
from benchmarks.making import make_data
from benchmarks.serving import served
from tests.e2e import chromium

TURNS = 60
_OURS = "#viewer[data-painted]:not([data-painted=''])"
_WATCH = """(plain) => {
  window.times = [];
  let pressed = 0;
  document.addEventListener('keydown', (event) => { pressed = event.timeStamp; }, true);
  const after = () => requestAnimationFrame(() => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => window.times.push(performance.now() - pressed);
    channel.port2.postMessage(0);
  });
  if (plain) {
    document.querySelector('#view').addEventListener('load', after, true);
    return;
  }
  new MutationObserver(() => {  // runs in the frame itself, right after the drawing
    const channel = new MessageChannel();
    channel.port1.onmessage = () => window.times.push(performance.now() - pressed);
    channel.port2.postMessage(0);
  }).observe(document.querySelector('#viewer'), { attributeFilter: ['data-painted'] });
}"""


def measure() -> list[Figure]:
    """Time page turns, a burst of keys and changes of layer."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        dataset, run = make_data(Path(folder))
        path = chromium.find()
        browser = playwright.chromium.launch(executable_path=path, args=chromium.ARGUMENTS)
        ours = [sys.executable, "app.py", str(dataset), "--run", f"run={run}", "--no-browser",
                "--port"]
        plain = [sys.executable, "-m", "benchmarks.plain_route", str(dataset), str(run)]
        with served(ours) as here, served(plain) as there:
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            page.goto(here)
            page.wait_for_selector(_OURS)
            page.evaluate(_WATCH, False)
            other = browser.new_page(viewport={"width": 1280, "height": 800})
            other.goto(there)
            other.wait_for_function(
                "() => document.querySelector('#view img')?.naturalWidth > 0"
            )
            other.evaluate(_WATCH, True)
            turns: dict[str, list[float]] = {"ours": [], "plain": []}
            for _ in range(4):  # in turn, so that a slow spell of the machine meets both
                for name, tab in (("ours", page), ("plain", other)):
                    tab.bring_to_front()
                    turns[name] += _press(tab, ["ArrowRight"] * (TURNS // 4), gap_ms=250)
            page.bring_to_front()
            layers = _layers(page)
            burst = _burst(page)
            jumps = _jumps(page)
            memory = _memory(page)
        browser.close()
    base = percentile(turns["plain"], 50)
    return [
        Figure("page turn, median", percentile(turns["ours"], 50), "ms", 16, base),
        Figure("page turn, p95", percentile(turns["ours"], 95), "ms", 25,
               percentile(turns["plain"], 95)),
        Figure("change of layer, median", percentile(layers, 50), "ms", 16.7, None),
        Figure("of 40 presses at 30 a second, painted", burst, "of 40", 40, None,
               higher_is_better=True),
        Figure("random jump, p95", percentile(jumps, 95), "ms", 60, None),
        Figure("JS heap after 500 page turns", memory, "MB", 200, None),
    ]


def _press(page: Page, keys: list[str], *, gap_ms: int) -> list[float]:
    times = []
    for key in keys:
        before = page.evaluate("() => window.times.length")
        page.keyboard.press(key)
        page.wait_for_timeout(gap_ms)  # nothing is asked of the page while it is measured
        page.wait_for_function("(n) => window.times.length > n", arg=before)
        times.append(page.evaluate("(n) => window.times[n]", before))
    return times


def _layers(page: Page) -> list[float]:
    return page.evaluate("""async () => {
      const times = [];
      for (let turn = 0; turn < 40; turn++) {
        const key = String(turn % 6 + 1);
        const began = performance.now();
        document.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
        await new Promise((done) => requestAnimationFrame(() => {
          const channel = new MessageChannel();
          channel.port1.onmessage = done;
          channel.port2.postMessage(0);
        }));
        times.push(performance.now() - began);
      }
      return times;
    }""")


def _burst(page: Page) -> int:
    before = page.evaluate("() => window.times.length")
    for _ in range(40):
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(33)
    page.wait_for_timeout(500)
    return int(page.evaluate("() => window.times.length")) - before


def _jumps(page: Page) -> list[float]:
    return page.evaluate("""async () => {
      const { page } = document.querySelector('#viewer');
      const times = [];
      for (let turn = 0; turn < 60; turn++) {
        const began = performance.now();
        await page.show((turn * 37 + 100) % page.order.length);
        await new Promise((done) => requestAnimationFrame(() => {
          const channel = new MessageChannel();
          channel.port1.onmessage = done;
          channel.port2.postMessage(0);
        }));
        times.push(performance.now() - began);
        await new Promise((done) => setTimeout(done, 250));
      }
      return times;
    }""")


def _memory(page: Page) -> float:
    """Megabytes of the page's JavaScript heap after 500 turns and a collection."""
    page.evaluate("""async () => {
      const { page } = document.querySelector('#viewer');
      for (let turn = 0; turn < 500; turn++) {
        await page.show(turn % page.order.length);
        await new Promise((done) => requestAnimationFrame(done));
      }
    }""")
    session = page.context.new_cdp_session(page)
    session.send("HeapProfiler.collectGarbage")
    session.send("Performance.enable")
    metrics = session.send("Performance.getMetrics")["metrics"]
    used = next(m["value"] for m in metrics if m["name"] == "JSHeapUsedSize")
    return used / 1e6
