"""Runs cases in processes of their own, so that even the end of one is seen and told."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import signal
import subprocess
import sys
import threading
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from inspector.formats import DATASET_FORMATS
from tests.fuzz import masks, pickling, readers
from tests.fuzz.cases import Case, Disagreement, agree

_ROOT = Path(__file__).resolve().parents[2]
_BATCH = 2500  # cases of one process
_SECONDS = int(os.environ.get("INSPECTOR_FUZZ_SECONDS", "10"))  # of one case
_MEMORY = 3 << 30  # bytes of address space of one process

READERS: dict[str, Case] = {fmt.key: readers.reader(fmt.key) for fmt in DATASET_FORMATS}
KINDS: dict[str, Case] = {"mask": masks.read, "pickle": pickling.read, **READERS}
"""Every kind of case; a new format is one by itself."""


def kind_of(number: int) -> str:
    """Say which kind a case is of: four of ten masks, two pickles, the rest readers in turn."""
    place = number % 10
    if place < 6:
        return "mask" if place < 4 else "pickle"
    keys = list(READERS)
    return keys[(number // 10 * 4 + place - 6) % len(keys)]


def try_case(seed: int, number: int) -> str:
    """Try one case; it depends on nothing but the two numbers."""
    return KINDS[kind_of(number)](Random(f"{seed}:{number}"))


@dataclass
class Report:
    """What came of many cases; faults are kept as (number, kind, text)."""

    cases: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    crashes: list[tuple[int, str, str]] = field(default_factory=list)
    hangs: list[tuple[int, str, str]] = field(default_factory=list)
    disagreements: list[tuple[int, str, str]] = field(default_factory=list)

    @property
    def is_clean(self) -> bool:
        return not (self.crashes or self.hangs or self.disagreements)

    def describe(self) -> str:
        """Give one line of counts, then every fault."""
        errors = ", ".join(f"{name} {count:,}" for name, count in sorted(self.outcomes.items()))
        lines = [f"cases: {self.cases:,}; {errors}; crashes: {len(self.crashes)}; "
                 f"hangs: {len(self.hangs)}; disagreements: {len(self.disagreements)}"]
        for name in ("crashes", "hangs", "disagreements"):
            lines += [f"{name}: case {number} ({kind}): {text}"
                      for number, kind, text in getattr(self, name)]
        return "\n".join(lines)


class _HangError(BaseException):
    pass


def _place(error: BaseException) -> str:
    """Name the last places that an error went through."""
    frames = traceback.extract_tb(error.__traceback__)[-4:]
    return " < ".join(f"{Path(f.filename).name}:{f.lineno} {f.name}" for f in reversed(frames))


@contextlib.contextmanager
def _alarm() -> Iterator[None]:
    """Interrupt a case that takes too long, as far as Python code can be interrupted."""
    def ring(*_: object) -> None:
        raise _HangError

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(_SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def work(seed: int, first: int, last: int) -> None:
    """Try cases one after another and write one line of JSON for each, before and after it."""
    fault = compile(os.environ.get("INSPECTOR_FUZZ_FAULT", ""), "fault", "exec")  # for its tests
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    for number in range(first, last):
        os.write(1, b"[%d]\n" % number)
        try:
            with _alarm():
                exec(fault, {"number": number, "os": os, "agree": agree})
                outcome, text = try_case(seed, number), ""
        except Disagreement as error:
            outcome, text = "disagreement", str(error)
        except _HangError as error:
            outcome, text = "hang", _place(error)
        except BaseException as error:
            name = f"{type(error).__name__}: {error}"[:300]
            outcome, text = "crash", f"{name}; {_place(error)}"
        os.write(1, json.dumps([number, outcome, ascii(text)]).encode() + b"\n")


def run(cases: int, seed: int, *, processes: int | None = None) -> Report:
    """Try so many cases, several processes at a time."""
    report, lock = Report(), threading.Lock()
    batches = [(first, min(first + _BATCH, cases)) for first in range(0, cases, _BATCH)]
    with ThreadPoolExecutor(processes or os.cpu_count() or 1) as pool:
        for done in [pool.submit(_run_batch, seed, *batch, report, lock) for batch in batches]:
            done.result()
    return report


def _run_batch(seed: int, first: int, last: int, report: Report, lock: threading.Lock) -> None:
    while first < last:
        begun, lines, ending = _one_process(seed, first, last)
        with lock:
            for number, outcome, text in lines:
                _note(report, number, outcome, text)
            if begun is not None:
                _note(report, begun, *ending)
        if begun is None and len(lines) < last - first:
            raise RuntimeError(f"the process that should try cases did not start: {ending[1]}")
        first = last if begun is None else begun + 1


def _one_process(
    seed: int, first: int, last: int
) -> tuple[int | None, list[list], tuple[str, str]]:
    """Give the case that was begun and not ended, what came of the others, and how it ended."""
    command = [sys.executable, "-m", "tests.fuzz.worker", str(seed), str(first), str(last)]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=_ROOT,
        env={**os.environ, "PYTHONFAULTHANDLER": "1", "PYTHONWARNINGS": "ignore"},
    )
    heard = [time.monotonic()]

    def watch() -> None:
        while process.poll() is None:
            time.sleep(0.5)
            if time.monotonic() - heard[0] > 6 * _SECONDS:
                process.kill()

    threading.Thread(target=watch, daemon=True).start()
    begun, lines = None, []
    assert process.stdout
    for line in process.stdout:
        heard[0] = time.monotonic()
        value = json.loads(line)
        begun = value[0] if len(value) == 1 else None
        lines += [value] * (len(value) == 3)
    _, said = process.communicate()
    is_hang = process.returncode == -signal.SIGKILL
    text = f"the process ended with {process.returncode}: {said.decode(errors='replace')[-1500:]}"
    return begun, lines, ("hang" if is_hang else "crash", text)


def _note(report: Report, number: int, outcome: str, text: str) -> None:
    report.cases += 1
    kept = {"crash": report.crashes, "hang": report.hangs, "disagreement": report.disagreements}
    if outcome in kept:
        kept[outcome].append((number, kind_of(number), text))
    else:
        report.outcomes[outcome] += 1
