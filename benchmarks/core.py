"""Exact intersections and unions of RefCOCO val's 10,834 pairs, against what evaluators do.

Ours begins with compressed counts as they stand in a file: both masks of each pair are checked
(alphabet, size, bounds, sum of the runs), then counted. The baselines check nothing: a Python loop
over ``pycocotools.mask.iou``, and masks decoded to arrays for numpy. All take turns in one process.
On one core processor time is compared, on all of them the time on the clock.
"""

from __future__ import annotations

import contextlib
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from pycocotools import mask as coco

from benchmarks.figures import Figure, report
from benchmarks.refer_data import HEIGHT, VAL, WIDTH, predicted, sentences, targets
from inspector.core import compiled
from inspector.core.columns import read_masks
from inspector.core.overlap import measure_pairs

_ROUNDS = 7
_DENSE = 400  # pairs of the dense recipe, of which all would take a minute
_SIZES = [(HEIGHT, WIDTH)] * VAL

Counts = tuple[np.ndarray, np.ndarray]


def measure() -> list[Figure]:
    """Give times for all pairs: medians of several rounds in which all take turns."""
    rows, rng = sentences(VAL), np.random.default_rng(0)
    truth, guesses = targets(rows, rng), predicted(rows, rng)
    _check(guesses, truth)
    clock: dict[str, list[float]] = {}
    processor: dict[str, list[float]] = {}

    def take(name: str, work: Callable[[], Any]) -> None:
        begin, begin_cpu = time.perf_counter(), time.process_time()
        work()
        clock.setdefault(name, []).append(time.perf_counter() - begin)
        processor.setdefault(name, []).append(time.process_time() - begin_cpu)

    for _ in range(_ROUNDS):
        with _one_core():
            take("one core", lambda: _ours(guesses, truth))
        take("loop", lambda: _loop(guesses, truth))
        take("all cores", lambda: _ours(guesses, truth))
        with _not_compiled():
            take("not compiled", lambda: _ours(guesses, truth))
        take("dense", lambda: _dense(guesses[:_DENSE], truth[:_DENSE]))
    median = {name: 1000 * statistics.median(values) for name, values in clock.items()}
    used = {name: 1000 * statistics.median(values) for name, values in processor.items()}
    loop, dense = median["loop"], median["dense"] * VAL / _DENSE
    half, third = round(used["loop"] / 2, 1), round(loop / 3, 1)
    sizes = [len(mask["counts"]) for mask in guesses]
    return [
        Figure(f"{VAL:,} pairs, one core (pycocotools)", used["one core"], "ms", half,
               used["loop"]),
        Figure(f"{VAL:,} pairs, all cores (pycocotools)", median["all cores"], "ms", third, loop),
        Figure(f"{VAL:,} pairs, all cores (decode, numpy)", median["all cores"], "ms", third,
               dense),
        Figure("the same by numpy and pycocotools", used["not compiled"], "ms",
               round(10 * used["loop"], 1), used["loop"]),
        Figure("counts of a made-up prediction", statistics.mean(sizes), "bytes", 750, None),
    ]


def _ours(guesses: list[dict[str, Any]], truth: list[dict[str, Any]]) -> Counts:
    left, faults = read_masks(guesses, _SIZES)
    right, more_faults = read_masks(truth, _SIZES)
    if faults or more_faults:
        raise RuntimeError("a made-up mask is not sound")
    rows = np.arange(len(left))
    shared = measure_pairs(left, rows, right, rows)
    return shared, left.areas + right.areas - shared


def _loop(guesses: list[dict[str, Any]], truth: list[dict[str, Any]]) -> list[float]:
    no_crowd = [0]
    return [
        coco.iou([guess], [target], no_crowd)[0, 0]
        for guess, target in zip(guesses, truth, strict=True)
    ]


def _dense(guesses: list[dict[str, Any]], truth: list[dict[str, Any]]) -> Counts:
    found = []
    for guess, target in zip(guesses, truth, strict=True):
        one, other = coco.decode(guess), coco.decode(target)
        found.append((np.logical_and(one, other).sum(), np.logical_or(one, other).sum()))
    shared, joined = np.array(found, np.int64).T
    return shared, joined


def _check(guesses: list[dict[str, Any]], truth: list[dict[str, Any]]) -> None:
    """Hold every count against pycocotools, and some against numpy; compile on the way."""
    shared, joined = _ours(guesses, truth)
    with _not_compiled():
        other = _ours(guesses, truth)
    some = slice(0, VAL, 40)
    dense = _dense(guesses[some], truth[some])
    same = (
        (shared == other[0]).all() and (joined == other[1]).all()
        and (shared[some] == dense[0]).all() and (joined[some] == dense[1]).all()
        and (shared / joined == _loop(guesses, truth)).all()
    )
    if not same:
        raise RuntimeError("our counts are not those of pycocotools and numpy")


@contextlib.contextmanager
def _one_core() -> Iterator[None]:
    """Bind the process to one processor, where the system can."""
    if not hasattr(os, "sched_setaffinity"):
        raise RuntimeError("one core can be measured on Linux only")
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


@contextlib.contextmanager
def _not_compiled() -> Iterator[None]:
    before = compiled.WORTH_IT, compiled.ONCE_LOADED
    compiled.WORTH_IT = compiled.ONCE_LOADED = sys.maxsize
    try:
        yield
    finally:
        compiled.WORTH_IT, compiled.ONCE_LOADED = before


if __name__ == "__main__":
    sys.stdout.write(report(measure(), "core") + "\n")
