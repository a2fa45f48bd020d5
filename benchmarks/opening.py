"""From process start to the first painted example: a scored data set opened again, an empty page.

"Painted" is ``data-painted`` on the viewer; of the empty page, the words of its one Markdown on
the screen. Both are started in turn, as processes of their own, with a fresh browser profile each.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from playwright.sync_api import Browser, sync_playwright

from benchmarks.figures import Figure, percentile
from benchmarks.large import HEIGHT, WIDTH, blob, read_expressions
from benchmarks.making import CATEGORIES, make_data
from tests.e2e import chromium

TURNS = 5
_PATIENCE = 180_000  # milliseconds, on a machine that does other work
_EMPTY = """
import os, sys
os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")
import gradio as gr
with gr.Blocks(analytics_enabled=False) as page:
    gr.Markdown("nothing here", elem_id="nothing-here")
page.launch(server_name="127.0.0.1", server_port=int(sys.argv[1]), quiet=True, run_history=False)
"""
_PAINTED = "#viewer[data-painted]:not([data-painted=''])"
_EMPTY_PAINTED = "#nothing-here p"


def measure() -> list[Figure]:
    """Open 10,834 sentences with two runs, and 142,210 with one."""
    figures = []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium.find(), args=chromium.ARGUMENTS
        )
        for examples, runs in ((10_834, 2), (142_210, 1)):
            command = write_data(Path(folder) / str(examples), examples, runs)
            figures += _compare(browser, command, Path(folder) / "cache", f"{examples:,} x {runs}")
        browser.close()
    return figures


def _compare(browser: Browser, command: list[str], cache: Path, name: str) -> list[Figure]:
    ours = [sys.executable, "app.py", *command, "--no-browser", "--port"]
    empty = [sys.executable, "-c", _EMPTY]
    time.sleep(3)  # files that were just written are not trusted to stay as they are
    _open(browser, ours, _PAINTED, cache)  # the first time, which reads and scores
    again: dict[str, list[float]] = {"ours": [], "empty": []}
    for _ in range(TURNS):  # in turn, so that a slow spell of the machine meets both
        again["empty"].append(_open(browser, empty, _EMPTY_PAINTED, cache))
        again["ours"].append(_open(browser, ours, _PAINTED, cache))
    base = percentile(again["empty"], 50)
    return [
        Figure(f"{name}: opened again, median", percentile(again["ours"], 50), "s",
               round(1.5 * base, 1), base),
    ]


def _open(browser: Browser, command: list[str], painted: str, cache: Path) -> float:
    """Start a process and give the seconds until its page has painted."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    environment = {**os.environ, "GRADIO_ANALYTICS_ENABLED": "False", "HF_HUB_OFFLINE": "1",
                   "INSPECTOR_CACHE": str(cache)}
    began = time.perf_counter()
    with _running([*command, str(port)], environment) as process:
        while not _answers(port):
            if process.poll() is not None:
                raise RuntimeError(f"{command[1]} ended with {process.returncode}")
            time.sleep(0.02)
        page.goto(f"http://127.0.0.1:{port}/", wait_until="commit")
        page.wait_for_selector(painted, timeout=_PATIENCE)
        seconds = time.perf_counter() - began
    context.close()
    return seconds


@contextlib.contextmanager
def _running(
    command: list[str], environment: dict[str, str]
) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(  # ended in the middle of what its page still asks for
        command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        yield process
    finally:
        process.terminate()
        process.wait(15)


def _answers(port: int) -> bool:
    with contextlib.suppress(OSError):
        socket.create_connection(("127.0.0.1", port), 0.2).close()
        return True
    return False


def write_data(folder: Path, examples: int, runs: int) -> list[str]:
    """Write a data set of so many sentences and its runs; give the command's arguments.

    Sentences and boxes are those of :mod:`benchmarks.large`, as are the masks. Every picture is a
    file of its own, though only 60 are different.
    """
    rng = np.random.default_rng(0)
    folder.mkdir(parents=True)
    make_data(folder, 60)
    pictures = sorted((folder / "images").iterdir())
    expressions = read_expressions()
    boxes = {ref: box for ref, _, _, box in expressions}
    targets = {ref: blob(rng, box).to_json() for ref, box in boxes.items()}
    lines: dict[tuple[int, str], dict] = {}
    for number in range(examples):
        copy, row = divmod(number, len(expressions))
        ref, image, sentence, _ = expressions[row]
        line = lines.setdefault((copy, image), _line(copy, image))
        name = f"{copy}-{ref}"
        if name not in line["seen"]:
            line["seen"].add(name)
            line["objects"].append({
                "ann_id": name, "category": CATEGORIES[int(ref) % len(CATEGORIES)],
                "mask": targets[ref],
            })
        line["expressions"].append({
            "sent_id": str(number), "ref_id": name, "sentence": sentence, "targets": [name],
        })
    with (folder / "data.jsonl").open("w", encoding="utf-8") as file:
        header = {"inspector": "dataset", "version": 1, "name": "made", "split": "val"}
        file.write(json.dumps(header) + "\n")
        for place, line in enumerate(lines.values()):
            del line["seen"]
            os.link(pictures[place % len(pictures)], folder / line["image"]["file_name"])
            file.write(json.dumps(line) + "\n")
    command = [str(folder / "data.jsonl")]
    for run in range(runs):
        guesses = [
            blob(rng, boxes[ref], wrong=rng.random() < 0.25).to_json() for ref, *_ in expressions
        ]
        path = folder / f"run{run}.jsonl"
        with path.open("w", encoding="utf-8") as file:
            for number in range(examples):
                mask = guesses[number % len(expressions)]
                file.write(json.dumps({"sent_id": number, "mask": mask}) + "\n")
        command += ["--run", str(path)]
    return command


def _line(copy: int, image: str) -> dict:
    return {
        "image": {"id": f"{copy}-{image}", "file_name": f"images/{copy}-{image}.jpg",
                  "size": [HEIGHT, WIDTH]},
        "objects": [], "expressions": [], "seen": set(),
    }
