"""Page and data routes as one guarded app, and the server that runs it."""

from __future__ import annotations

import os
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Iterable

os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")

import gradio as gr
import uvicorn
from fastapi.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp

from inspector.core.errors import UsageError
from inspector.server.app import create_app
from inspector.server.guard import Guard
from inspector.ui.page import build_page, page_files, page_version
from inspector.workspace import Workspace, reload_runs

LOCAL_HOSTS = ("127.0.0.1", "localhost", "::1")


def build_app(
    workspace: Workspace, *, hosts: Iterable[str] = LOCAL_HOSTS,
    reopen: Callable[[Workspace], Workspace] | None = None,
) -> ASGIApp:
    """Put the page over the data routes and the guard around both.

    Args:
        workspace: What is shown.
        hosts: Names under which the page may be reached.
        reopen: Reads the files again, for the page's reload key.
    """
    files = page_files()
    version = page_version(files)
    app = create_app(workspace, page=files, reopen=reopen)
    app.add_middleware(CORSMiddleware, allow_origins=[])  # turns gradio's own, lax one off
    styles = "".join(  # as links: gradio rewrites the selectors of styles that it is given
        f'<link rel="stylesheet" href="page/{version}/{name}">'
        for name in files
        if name.endswith(".css")
    )
    gr.mount_gradio_app(
        app,
        build_page(version),
        path="/",
        head=styles,
        footer_links=[],
        run_history=False,
        enable_monitoring=False,
        show_error=False,
        max_file_size="1kb",
        app_kwargs={"docs_url": None, "redoc_url": None, "openapi_url": None},
    )
    return Guard(app, hosts)


def serve(
    open_data: Callable[[], Workspace], *, host: str, port: int | None, browser: bool
) -> int:
    """Open the data and serve the page until it is stopped.

    Args:
        open_data: Loads and scores; called before the port is taken.
        host: Address to listen on.
        port: Port; None takes 7860, or the next free one.
        browser: Whether to open a browser, where there is a screen.
    """
    workspace = open_data()
    listener = _listen(host, port)
    address = f"http://{host}:{listener.getsockname()[1]}"
    app = build_app(workspace, hosts=(*LOCAL_HOSTS, host), reopen=reload_runs)
    config = uvicorn.Config(
        app, log_level="warning", timeout_graceful_shutdown=1, server_header=False, ws="none"
    )
    print(f"Inspector is at {address} (stop with Ctrl+C)", flush=True)
    if browser and _has_screen():
        threading.Timer(0.5, webbrowser.open, [address]).start()
    uvicorn.Server(config).run(sockets=[listener])
    return 0


def _listen(host: str, port: int | None) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for candidate in [port] if port is not None else range(7860, 7960):
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, candidate))
            listener.listen(128)
        except socket.gaierror as error:
            listener.close()
            raise UsageError(f"'{host}' is no address of this machine ({error}).") from error
        except (OSError, OverflowError) as error:
            listener.close()
            if port is not None:
                raise UsageError(
                    f"Port {port} of {host} cannot be used ({error}). Choose another with --port."
                ) from error
            continue
        return listener
    raise UsageError("No port from 7860 to 7959 is free. Choose one with --port.")


def _has_screen() -> bool:
    if sys.platform in ("darwin", "win32"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
