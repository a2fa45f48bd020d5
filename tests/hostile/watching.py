"""Memory and pipes for tests of input that would take all there is, or wait for ever."""

from __future__ import annotations

import os
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def little_memory(most: int = 50_000_000) -> Iterator[None]:
    """Fail if more bytes than these are taken at a time inside the block."""
    tracemalloc.start()
    try:
        yield
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < most, f"{peak:,} bytes"


def pipe(path: Path) -> Path:
    """Put a named pipe that nobody writes to in the place of a file."""
    path.unlink(missing_ok=True)
    os.mkfifo(path)
    return path
