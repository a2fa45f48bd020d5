"""Work of a Ray worker that a test can stop at; a module of its own, as it runs there."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import Any

from inspector.engine.on_ray import _work


def hold_once(folder: str, row: dict[str, Any], *rest: Any) -> dict[str, Any]:
    """Write down the process of the first task and wait there for its end."""
    try:
        with (Path(folder) / "held").open("x") as file:
            file.write(f"{os.getpid()}\n")
    except FileExistsError:
        return _work(row, *rest)
    time.sleep(110)  # the test kills this process long before
    return _work(row, *rest)


def die_of(shard: str, row: dict[str, Any], *rest: Any) -> dict[str, Any]:
    """End the process at once where one shard is scored, as the system does without memory."""
    if shard in row["said"] and '"kind": "scores"' in row["said"]:
        os.kill(os.getpid(), signal.SIGKILL)
    return _work(row, *rest)
