"""Long questions: answered beside the page turns, with progress, each only once."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any

from inspector.core.errors import UsageError

MOST_WAITING = 32
MOST_KEPT = 64
"""Answers that are kept; what a visitor types is part of a question, so there is no end of them."""

Compute = Callable[[Callable[[int, int], None]], Any]


class ClosedError(Exception):
    """The questions are over: what they are about is not kept any more."""


@dataclass
class _Job:
    future: Future[Any]
    progress: list[float]


class Jobs:
    """Runs questions one after the other in a thread of their own and keeps the last answers.

    One at a time leaves a processor to those who page.
    """

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="analysis")
        self._jobs: OrderedDict[str, _Job] = OrderedDict()
        self._lock = threading.Lock()
        self._is_closed = False

    def ask(self, key: str, compute: Compute, *, wait_seconds: float = 0.2) -> dict[str, Any]:
        """Give ``{"result": …}`` if it is there, else ``{"progress": share}``.

        Args:
            key: Names the question; the same key is computed once as long as its answer is kept.
            compute: Called with a function that takes (done, all).
            wait_seconds: To wait for an answer that may come at once.

        Raises:
            InspectorError: If the question cannot be answered, or too many wait. As after any
                other fault of ``compute``, it is tried again when it is asked again.
            ClosedError: If no question is answered any more.
        """
        job = self._job(key, compute)
        wait([job.future], timeout=wait_seconds)
        if not job.future.done():
            return {"progress": round(job.progress[0], 3)}
        try:
            return {"result": job.future.result()}
        except CancelledError as error:
            raise ClosedError from error
        except BaseException:
            self._forget(key, job)
            raise

    def close(self) -> None:
        """Start nothing more, and let the answers go."""
        with self._lock:
            self._is_closed = True
            self._jobs.clear()
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _job(self, key: str, compute: Compute) -> _Job:
        with self._lock:
            if self._is_closed:
                raise ClosedError
            if key in self._jobs:
                self._jobs.move_to_end(key)
                return self._jobs[key]
            over = [asked for asked, job in self._jobs.items() if job.future.done()]
            if len(self._jobs) - len(over) >= MOST_WAITING:
                raise UsageError("Other analyses are being made. Ask again in a moment.")
            for asked in over[: max(len(over) - MOST_KEPT + 1, 0)]:
                del self._jobs[asked]
            shares = [0.0]

            def progress(done: int, total: int) -> None:
                shares[0] = done / max(total, 1)

            self._jobs[key] = _Job(self._pool.submit(compute, progress), shares)
            return self._jobs[key]

    def _forget(self, key: str, job: _Job) -> None:
        with self._lock:
            if self._jobs.get(key) is job:
                del self._jobs[key]
