"""Page and data routes as one guarded app, and the server that runs it."""

from __future__ import annotations

import os
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable

os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")

import gradio as gr
import uvicorn
from fastapi.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp

from inspector.care import CareWords
from inspector.findings import Store
from inspector.live import Desk
from inspector.server.access import LOCAL, Access, is_wildcard
from inspector.server.app import create_app
from inspector.server.guard import Guard
from inspector.server.pointer import Pointer
from inspector.ui.document import mend
from inspector.ui.listening import listen_for_people
from inspector.ui.page import ICON, build_page, page_files, page_head, page_version
from inspector.workspace import Workspace, reload_runs


def build_app(
    workspace: Workspace, *, access: Access = LOCAL,
    reopen: Callable[[Workspace], Workspace] | None = None, live: Desk | None = None,
    pointer: Pointer | None = None, findings: Store | None = None,
    care: CareWords | None = None,
) -> ASGIApp:
    """Put the page over the data routes and the guard around both.

    Args:
        workspace: What is shown.
        access: Who may reach the page, and under which addresses.
        reopen: Reads the files again, for the page's reload key.
        live: A model that can be asked; closed by who made it.
        pointer: Joins a program to the pages.
        findings: Where findings are kept; without it none are.
        care: Words for which a sentence is veiled; those of the list if None.
    """
    files = page_files()
    version = page_version(files)
    app = create_app(
        workspace, page=files, reopen=reopen, live=live, pointer=pointer, findings=findings,
        care=care,
    )
    app.add_middleware(CORSMiddleware, allow_origins=[])  # turns gradio's own, lax one off
    gr.mount_gradio_app(
        app,
        build_page(version),
        path="/",
        favicon_path=str(ICON),
        footer_links=[],
        run_history=False,
        enable_monitoring=False,
        show_error=False,
        max_file_size="1kb",
        app_kwargs={"docs_url": None, "redoc_url": None, "openapi_url": None},
    )
    head = page_head(files, version)
    return Guard(
        app, access, mend=lambda document: mend(document, head), has_model=live is not None
    )


def serve(
    workspace: Workspace, *, host: str, port: int | None, browser: bool,
    access: Access = LOCAL, live: Desk | None = None, findings: Store | None = None,
    care: CareWords | None = None,
) -> int:
    """Serve the page until it is stopped.

    Args:
        workspace: What is shown.
        host: Address to listen on.
        port: Port; None takes 7860, or the next free one.
        browser: Whether to open a browser, where there is a screen.
        access: Who may reach the page, and under which addresses.
        live: A model that can be asked; closed by who made it.
        findings: Where findings are kept.
        care: Words for which a sentence is veiled.
    """
    listener = listen_for_people(host, port)
    addresses = _addresses(host, listener.getsockname()[1])
    app = build_app(
        workspace, access=access, reopen=reload_runs, live=live, findings=findings,
        care=care,
    )
    print(f"Inspector is at {' and '.join(addresses)} (stop with Ctrl+C)", flush=True)
    if browser and _has_screen():
        threading.Timer(0.5, webbrowser.open, [addresses[0]]).start()
    uvicorn.Server(server_config(app)).run(sockets=[listener])
    return 0


def server_config(app: ASGIApp) -> uvicorn.Config:
    """Say how an app is served: without sockets, with headers that are bounded.

    A proxy is believed what it says of the visitor's address and of https only where it runs on
    this machine, whatever the environment says.
    """
    return uvicorn.Config(
        app, log_level="warning", timeout_graceful_shutdown=1, server_header=False, ws="none",
        http="h11", h11_max_incomplete_event_size=64 * 1024, limit_concurrency=1000,
        proxy_headers=True, forwarded_allow_ips="127.0.0.1,::1",
    )


def _addresses(host: str, port: int) -> list[str]:
    """Give the address that a person on this machine opens, and the one for other machines."""
    hosts = [host]
    if is_wildcard(host):
        family, near, far = (
            (socket.AF_INET6, "::1", "2001:db8::1") if ":" in host
            else (socket.AF_INET, "127.0.0.1", "192.0.2.1")
        )
        hosts = list(dict.fromkeys((near, _outward(family, far, near))))
    return [f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}" for host in hosts]


def _outward(family: int, far: str, near: str) -> str:
    """Give this machine's address on the way to another; nothing is sent to find it."""
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((far, 9))
            return str(probe.getsockname()[0])
        except OSError:  # no network
            return near


def _has_screen() -> bool:
    if sys.platform in ("darwin", "win32"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
