"""Serves a workspace on a free port of this machine for as long as a test needs it."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable, Iterator

import uvicorn

from inspector.ui.mount import build_app
from inspector.workspace import Workspace


@contextlib.contextmanager
def serving(
    workspace: Workspace, *, reopen: Callable[[Workspace], Workspace] | None = None
) -> Iterator[str]:
    """Give the address of the page while the block runs."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(128)  # from now on a browser waits rather than being refused
    config = uvicorn.Config(
        build_app(workspace, reopen=reopen), log_level="warning", timeout_graceful_shutdown=1,
        ws="none",
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(10)
