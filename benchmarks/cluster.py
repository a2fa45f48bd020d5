"""What a million masks cost in pieces, in processor time, here and on two workers of Ray.

Processor time rather than that of a clock, so that machines and numbers of workers can be compared:
so many workers take that much less, down to what the one process does that hands out and collects.
The baseline scores the same file in one go.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from unittest import mock

from benchmarks.figures import Figure, report
from benchmarks.refer_data import write
from inspector.core.dataset import Dataset
from inspector.core.scores import score_run
from inspector.engine import opening
from inspector.engine.on_ray import OnRay
from inspector.engine.opening import Asked
from inspector.engine.running import Effort, Engine, Here
from inspector.engine.truth import pack_truth, unpack_truth
from inspector.formats import load_dataset
from inspector.formats.request import LoadRequest
from inspector.predictions import load_run

_MASKS = 43_336  # four times RefCOCO val
_MILLION = 1_000_000
_MEGABYTES = 2.0
_ROUNDS = 3
_WORKERS = 2


def measure() -> list[Figure]:
    """Measure scoring in one go, in pieces and on Ray, in turns, and sharing the ground truth."""
    with tempfile.TemporaryDirectory() as name:
        written = write(Path(name) / "refcoco", count=_MASKS)
        request, run = LoadRequest(str(written.folder)), written.run
        dataset = load_dataset(request)
        asked = Asked(request, (f"run={run}",), megabytes=_MEGABYTES)
        one_go, pieces, driver, loads = [], [], [], []
        for _ in range(_ROUNDS):
            one_go.append(_processor_time(lambda: score_run(
                dataset, load_run(dataset, run, name="run")
            )))
            effort, whole, loading = _score(asked, Here())
            pieces.append(effort.seconds)
            driver.append(whole - effort.seconds - loading)
            loads.append(loading)
        loading = statistics.median(loads)
        sharing, size = _share(dataset)
        a_million = _MILLION / _MASKS
        base = a_million * statistics.median(one_go)
        figures = [
            Figure("a million masks in pieces, workers", a_million * statistics.median(pieces),
                   "s", round(1.5 * base, 1), base),
            Figure("a million masks in pieces, driver",
                   a_million * statistics.median(driver), "s", round(0.5 * base, 1), base),
            Figure(f"share {len(dataset):,} examples ({size:.0f} MB)", 1000 * sharing, "ms",
                   round(1000 * loading), 1000 * loading),
        ]
        if find_spec("ray") is None:
            return figures
        return [*figures, *_on_ray(asked, base)]


def _on_ray(asked: Asked, base: float) -> list[Figure]:
    begin = time.perf_counter()
    with OnRay(workers=_WORKERS) as cluster:
        start = time.perf_counter() - begin
        _score(asked, cluster)  # once, so that workers have imported everything
        effort, _, _ = _score(asked, cluster)
    return [
        Figure("start of a local Ray", start, "s", 20, None),
        Figure(f"a million masks on {_WORKERS} workers of Ray",
               effort.seconds * _MILLION / _MASKS, "s", round(2 * base, 1), base),
    ]


def _score(asked: Asked, engine: Engine) -> tuple[Effort, float, float]:
    """Score; give what the workers did, and the processor time of this process: all, loading.

    Loading is timed where it happens: measured apart from it, it can come out longer than all.
    """
    effort, loads = Effort(), []

    def load(request: LoadRequest) -> Dataset:
        begin = time.process_time()
        dataset = load_dataset(request)
        loads.append(time.process_time() - begin)
        return dataset

    with mock.patch.object(opening, "load_dataset", load):
        seconds = _processor_time(lambda: opening.score_in_pieces(asked, engine, effort=effort))
    return effort, seconds, sum(loads)


def _share(dataset: Dataset) -> tuple[float, float]:
    """Take the ground truth apart and put it together again: seconds, megabytes."""
    begin = time.process_time()
    packed = pack_truth(dataset)
    unpack_truth(packed)
    return time.process_time() - begin, packed.size / 1e6


def _processor_time(work: Callable[[], object]) -> float:
    begin = time.process_time()
    work()
    return time.process_time() - begin


if __name__ == "__main__":
    sys.stdout.write(report(measure(), "cluster") + "\n")
