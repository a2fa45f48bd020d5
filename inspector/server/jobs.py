"""Long questions: answered beside the page turns, with progress, each only once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from inspector.core.errors import InspectorError

Compute = Callable[[Callable[[int, int], None]], Any]


@dataclass
class _Job:
    future: Future[Any]
    progress: list[float] = field(default_factory=lambda: [0.0])


class Jobs:
    """Runs questions one after the other in a thread of their own and keeps the answers.

    One at a time leaves a processor to those who page.
    """

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="analysis")
        self._jobs: dict[str, _Job] = {}
        self._lock = threading.Lock()

    def ask(self, key: str, compute: Compute, *, wait: float = 0.2) -> dict[str, Any]:
        """Give ``{"result": …}`` if it is there, else ``{"progress": share}``.

        Args:
            key: Names the question; the same key is computed once.
            compute: Called with a function that takes (done, all).
            wait: Seconds to wait for an answer that may come at once.

        Raises:
            InspectorError: If the question cannot be answered; asked again, it is tried again.
        """
        with self._lock:
            job = self._jobs.get(key)
            if job is None:
                shares = [0.0]

                def progress(done: int, total: int) -> None:
                    shares[0] = done / max(total, 1)

                job = _Job(self._pool.submit(compute, progress), shares)
                self._jobs[key] = job
        try:
            return {"result": job.future.result(timeout=wait)}
        except TimeoutError:
            return {"progress": round(job.progress[0], 3)}
        except InspectorError:
            with self._lock:
                self._jobs.pop(key, None)
            raise

    def close(self) -> None:
        """Start nothing more."""
        self._pool.shutdown(wait=False, cancel_futures=True)
