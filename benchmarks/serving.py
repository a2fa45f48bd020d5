"""Runs a server command on a free port for as long as a benchmark needs it."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import time
from collections.abc import Iterator


@contextlib.contextmanager
def served(command: list[str]) -> Iterator[str]:
    """Start a server command with a free port as its last argument; end it by its own id."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = {**os.environ, "GRADIO_ANALYTICS_ENABLED": "False", "HF_HUB_OFFLINE": "1"}
    process = subprocess.Popen(
        [*command, str(port)], env=environment, stdout=subprocess.DEVNULL
    )
    try:
        for _ in range(2400):
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", port), 0.2).close()
                break
            if process.poll() is not None:
                raise RuntimeError(f"{command[1]} ended with {process.returncode}")
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port}/"
    finally:
        process.terminate()
        process.wait(15)
