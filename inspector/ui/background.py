"""A page served from a thread of a program that goes on: a notebook, a script."""

from __future__ import annotations

import socket
import threading
import time

import uvicorn
from starlette.types import ASGIApp

from inspector.core.errors import InspectorError, UsageError
from inspector.ui.listening import listen
from inspector.ui.mount import server_config

_HOST = "127.0.0.1"
_START_SECONDS = 30.0
_STOP_SECONDS = 10.0


class BackgroundServer:
    """Serves an app to this machine until it is closed, or the program ends.

    Args:
        app: What is served.
        port: Port; None takes any that is free.

    Raises:
        UsageError: If the port cannot be used.
    """

    def __init__(self, app: ASGIApp, *, port: int | None = None) -> None:
        listener = _listen(port)
        self.url = f"http://{_HOST}:{listener.getsockname()[1]}/"
        self._server = uvicorn.Server(server_config(app))
        self._thread = threading.Thread(
            target=self._server.run, kwargs={"sockets": [listener]}, name="inspector", daemon=True
        )
        self._thread.start()
        until = time.monotonic() + _START_SECONDS
        while not self._server.started:
            if not self._thread.is_alive() or time.monotonic() > until:
                self.close()
                raise InspectorError(
                    "The page's server did not start. Its reason is printed above."
                )
            time.sleep(0.01)

    @property
    def is_running(self) -> bool:
        """Whether it has not been closed."""
        return self._thread.is_alive()

    def close(self) -> None:
        """Answer what is under way for at most a second, then end."""
        self._server.should_exit = True
        if self._thread is not threading.current_thread():
            self._thread.join(_STOP_SECONDS)


def _listen(port: int | None) -> socket.socket:
    try:
        return listen(_HOST, port or 0)
    except (OSError, OverflowError) as error:
        raise UsageError(
            f"Port {port} cannot be used ({error}). Choose another, or none for any that is free."
        ) from error
