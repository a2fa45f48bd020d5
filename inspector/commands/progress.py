"""Shows how far long work has come."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable


def progress() -> Callable[[str, int, int], None] | None:
    """Give a function that draws a bar on standard error, or None where that is no terminal."""
    if not sys.stderr.isatty():
        return None
    last = 0.0

    def draw(what: str, done: int, total: int) -> None:
        nonlocal last
        now = time.monotonic()
        if done < total and now - last < 0.1:
            return
        last = now
        filled = round(30 * done / max(total, 1))
        bar = "█" * filled + "·" * (30 - filled)
        end = "\r\x1b[K" if done >= total else ""
        sys.stderr.write(f"\r{what} {bar} {done:,} / {total:,}{end}")
        sys.stderr.flush()

    return draw
