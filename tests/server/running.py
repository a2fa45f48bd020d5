"""Runs an app behind a real port of this machine for as long as a test needs it."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator

import uvicorn
from starlette.types import ASGIApp

from inspector.ui.listening import listen


@contextlib.contextmanager
def running(app: ASGIApp) -> Iterator[str]:
    """Give the address of the app while the block runs."""
    listener = listen("127.0.0.1")
    config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=1, ws="none")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(10)
