"""Serves a workspace on a free port of this machine for as long as a test needs it."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from typing import Any

import uvicorn

from inspector.server.access import LOCAL, Access
from inspector.ui.listening import listen
from inspector.ui.mount import build_app, server_config
from inspector.workspace import Workspace


@contextlib.contextmanager
def serving(
    workspace: Workspace, *, reopen: Callable[[Workspace], Workspace] | None = None,
    access: Access = LOCAL, **options: Any,
) -> Iterator[str]:
    """Give the address of the page while the block runs.

    Args:
        workspace: What is shown.
        reopen: Reads the files again.
        access: Who may reach the page.
        options: Of ``build_app``: findings, live, pointer.
    """
    listener = listen("127.0.0.1")
    app = build_app(workspace, reopen=reopen, access=access, **options)
    server = uvicorn.Server(server_config(app))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(10)
