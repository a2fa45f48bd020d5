"""Tables of 10 thousand to 10 million rows behind the page: memory, opening and every query.

The whole command serves each table (``open DATASET --scores TABLE``); queries go through the data
routes as the page's do, each asked first when nothing of it is remembered. ``--plot FILE`` draws
how the figures grow.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import psutil

from benchmarks.figures import Figure, percentile
from benchmarks.plot import Line, draw
from benchmarks.table_making import make_dataset, make_table
from inspector.browse import SORTS
from inspector.stored.files import find_tables
from inspector.stored.folder import make_folder
from inspector.stored.reading import read_table

SIZES = (141, 1_409, 14_085, 142_210)
"""Examples; times 71 runs: 10 thousand, 100 thousand, 1 million and 10 million rows."""

_FILTERS: tuple[dict[str, str], ...] = (
    {"category": "person"}, {"supercategory": "thing"}, {"sentence": "left"},
    {"sentence": "left", "match": "w"}, {"sentence": "man", "match": "n"},
    {"sentence": "^(the )?man", "match": "r"}, {"iou": "0.2..0.5"}, {"iou": "..0.1"},
    {"failure": "wrong_referent"}, {"failure": "part,spill,loose"}, {"area": "1000..5000"},
    {"words": "3..5"}, {"same": "1.."}, {"split": "val"}, {"image": "0-7"},
    {"other_iou": "run-05:0..0.3"}, {"slice": "same_category=1"},
    {"category": "car", "sentence": "red", "iou": "0.2..0.9", "area": "100..20000"},
)
_RULED_OUT = frozenset({"found", "spread", "agreement"})
_ORDERS = [sort.key for sort in SORTS if not sort.needs_second]


@dataclass(frozen=True, slots=True)
class Query:
    """One question to the data routes."""

    kind: str
    path: str
    options: dict[str, str]


@dataclass(frozen=True, slots=True)
class Measured:
    """What one size has shown; milliseconds, seconds and megabytes.

    ``worked`` is the processor time of each query of all runs, on both cores together: it changes
    less than the time on the clock where others use the machine.
    """

    rows: int
    opening_s: float
    of_run: list[float]
    of_all: list[float]
    worked: list[float]
    changes: list[float]
    attributes_s: float
    turns: list[float]
    turns_while_asked: list[float]
    memory_mb: float


def queries(rows: int) -> list[Query]:
    """Give every question: all orders and filters, of one run and of all, windows at any depth."""
    one, every = {"run": "run-03"}, {"run": "*"}
    found = [Query("run", "order", {**one, "sort": sort}) for sort in _ORDERS]
    found += [Query("run", "order", {**one, "sort": "worst", **f}) for f in _FILTERS]
    found += [Query("run", "counts", {**one, **f}) for f in _FILTERS]
    found += [Query("run", "scatter", {**one, **f}) for f in _FILTERS[:4]]
    for sort in _ORDERS:
        if sort in _RULED_OUT:
            continue
        for offset in (0, 2_000, rows // 2, rows - rows // 100):
            found.append(Query("all", "window", {**every, "sort": sort, "offset": f"{offset}"}))
    for sort, chosen in itertools.product(("worst", "best", "area"), _FILTERS):
        found.append(Query("all", "window", {**every, "sort": sort, **chosen}))
    found += [Query("all", "scatter", {**every, **f}) for f in _FILTERS]
    return found


def measure(*, plot: Path | None = None, sizes: tuple[int, ...] = SIZES) -> list[Figure]:
    """Measure every size; the targets are those of the largest."""
    found = []
    for examples in sizes:
        with tempfile.TemporaryDirectory(prefix="inspector-bench-") as folder:
            found.append(_one_size(Path(folder), examples))
    if plot is not None:
        plot.parent.mkdir(parents=True, exist_ok=True)
        plot.write_text(_plot(found), encoding="utf-8")
    figures = []
    for one in found:
        name = f"{one.rows:,} rows"
        figures += [
            Figure(f"{name}: opening the table", one.opening_s, "s", 60, None),
            Figure(f"{name}: attributes of all sentences, once", one.attributes_s, "s", 60, None),
            Figure(f"{name}: memory of the server", one.memory_mb, "MB", 1500, None),
            Figure(f"{name}: query of a run, p50", percentile(one.of_run, 50), "ms", 1000, None),
            Figure(f"{name}: query of a run, p95", percentile(one.of_run, 95), "ms", 1000, None),
            Figure(f"{name}: query of all runs, p50", percentile(one.of_all, 50), "ms", 1000,
                   None),
            Figure(f"{name}: query of all runs, p95", percentile(one.of_all, 95), "ms", 1000,
                   None),
            Figure(f"{name}: the same, processor time of two", percentile(one.worked, 95), "ms",
                   2000, None),
            Figure(f"{name}: a filter's list and counts, slowest", max(one.changes), "ms", 3000,
                   None),
            Figure(f"{name}: example for a page turn, p95", percentile(one.turns, 95), "ms", 50,
                   None),
            Figure(f"{name}: the same while asked, p95",
                   percentile(one.turns_while_asked, 95), "ms", 100, percentile(one.turns, 95)),
        ]
    return figures


def _one_size(folder: Path, examples: int) -> Measured:
    path, dataset = make_dataset(folder, examples)
    table = folder / "scores.parquet"
    rows = make_table(table, dataset)
    began = time.perf_counter()
    read_table(find_tables(str(table)), dataset, make_folder())
    opening = time.perf_counter() - began
    del dataset
    command = [str(path), "--scores", str(table)]
    with _served(command, folder) as (address, process), httpx.Client(
        base_url=address, timeout=300
    ) as client:
        version = client.get("data/start").json()["version"]
        # Attributes are decided for all sentences when one is first filtered by, then kept.
        first = Query("run", "order", {"run": "run-03", "slice": "same_category=0"})
        attributes = _ask(client, version, first) / 1000
        asked = queries(rows)
        # Not the order in which they were made: neighbours would find each other's columns warm.
        asked = asked[::3] + asked[1::3] + asked[2::3]
        times: dict[str, list[float]] = {"run": [], "all": []}
        worked = []
        for query in asked:
            before = _processor_ms(process)
            times[query.kind].append(_ask(client, version, query))
            if query.kind == "all":
                worked.append(_processor_ms(process) - before)
        changes = [_change(client, version, filters) for filters in _FILTERS]
        turns = _turns(client, version, examples)
        busy = _turns_while_asked(address, client, version, examples, asked)
        memory = _memory_mb(process)
    return Measured(
        rows, opening, times["run"], times["all"], worked, changes, attributes, turns, busy,
        memory,
    )


def _ask(client: httpx.Client, version: str, query: Query) -> float:
    began = time.perf_counter()
    client.get(f"data/{version}/{query.path}", params=query.options).raise_for_status()
    return (time.perf_counter() - began) * 1000


def _change(client: httpx.Client, version: str, filters: dict[str, str]) -> float:
    """Ask for what a changed filter shows of all runs: the first rows and every count."""
    options = {"run": "*", "sort": "id", **filters}
    return sum(
        _ask(client, version, Query("all", path, options)) for path in ("window", "counts")
    )


def _turns(client: httpx.Client, version: str, examples: int, number: int = 200) -> list[float]:
    return [
        _ask(client, version, Query("turn", f"examples/{turn * 7919 % examples}", {}))
        for turn in range(number)
    ]


def _turns_while_asked(
    address: str, client: httpx.Client, version: str, examples: int, asked: list[Query]
) -> list[float]:
    """Turn pages while somebody else filters all the time."""
    stop = threading.Event()

    def bother() -> None:
        with httpx.Client(base_url=address, timeout=300) as other:
            for query in itertools.cycle(asked[::5]):
                if stop.is_set():
                    return
                _ask(other, version, query)

    thread = threading.Thread(target=bother)
    thread.start()
    try:
        return _turns(client, version, examples)
    finally:
        stop.set()
        thread.join()


def _memory_mb(process: subprocess.Popen[bytes]) -> float:
    return psutil.Process(process.pid).memory_info().rss / 1e6


def _processor_ms(process: subprocess.Popen[bytes]) -> float:
    used = psutil.Process(process.pid).cpu_times()
    return (used.user + used.system) * 1000


@contextlib.contextmanager
def _served(command: list[str], folder: Path) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = {**os.environ, "GRADIO_ANALYTICS_ENABLED": "False", "HF_HUB_OFFLINE": "1",
                   "INSPECTOR_CACHE": "off", "TMPDIR": str(folder)}
    process = subprocess.Popen(
        [sys.executable, "-m", "inspector", "open", *command, "--images", str(folder / "images"),
         "--no-browser", "--port", str(port)],
        env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )
    try:
        while True:
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", port), 0.2).close()
                break
            if process.poll() is not None:
                raise RuntimeError(f"the server ended with {process.returncode}")
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port}/", process
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(30)


def _plot(found: list[Measured]) -> str:
    rows = [one.rows for one in found]

    def line(label: str, values: list[float]) -> Line:
        return Line(label, list(zip(rows, values, strict=True)))

    return draw(
        "A table of scores behind the page: time of a query against rows of the table",
        [
            line("all runs, p95", [percentile(one.of_all, 95) for one in found]),
            line("all runs, p50", [percentile(one.of_all, 50) for one in found]),
            line("one of 71 runs, p95", [percentile(one.of_run, 95) for one in found]),
            line("page turn, p95", [percentile(one.turns, 95) for one in found]),
        ],
        x_label="rows", y_label="ms", limit=(1000.0, "target of p95: 1 s"),
        notes=[f"{one.rows:,} rows: {one.memory_mb:,.0f} MB" for one in found],
    )


if __name__ == "__main__":
    from benchmarks.figures import report

    chosen = tuple(int(text) for text in sys.argv[1:]) or SIZES
    sys.stdout.write(report(measure(sizes=chosen), "large_tables") + "\n")
