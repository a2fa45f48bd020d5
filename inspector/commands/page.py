"""``open``: the page, with all that is served beside it."""

from __future__ import annotations

import argparse
import contextlib
import importlib
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.commands.opening import open_named

if TYPE_CHECKING:
    from inspector.findings import Store
    from inspector.live import Desk
    from inspector.workspace import Workspace


def open_page(options: argparse.Namespace) -> int:
    """Serve the page until it is stopped."""
    from inspector.care import read_care_words
    from inspector.paths import user_path
    from inspector.server.access import read_access
    from inspector.ui.listening import check_port

    access = read_access(  # what is wrong with it is said before anything is read
        host=options.host, password=options.password, no_password=options.no_password,
        allow_hosts=options.allow_host, root_path=options.root_path,
    )
    check_port(options.host, options.port)
    if options.no_cache:
        os.environ["INSPECTOR_CACHE"] = "off"
    care = read_care_words([user_path(path) for path in options.care_words])
    place = _findings_place(options)
    desk = _launch_model(options)
    os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")
    _import_meanwhile("gradio", "uvicorn")
    try:
        workspace = _workspace_with_model(options, desk)
        findings = _open_findings(options, place)
        from inspector.ui.mount import serve

        return serve(
            workspace, host=options.host, port=options.port,
            browser=not options.no_browser, access=access, live=desk, findings=findings,
            care=care,
        )
    finally:
        if desk is not None:
            desk.close()


def _import_meanwhile(*names: str) -> None:
    """Begin to import what takes seconds to import, which goes on while the data is read."""
    import threading

    import inspector.workspace  # noqa: F401 - first, so that no module is imported in two threads

    def run() -> None:
        from inspector.snapshots import overlooked

        with overlooked(), contextlib.suppress(Exception):  # said where the page is made
            for name in names:
                importlib.import_module(name)

    threading.Thread(target=run, name="import").start()


def _findings_place(options: argparse.Namespace) -> Path:
    from inspector.findings_opening import find_place

    return find_place(
        options.dataset, options.run, folder=options.runs, asked=options.findings
    )


def _open_findings(options: argparse.Namespace, place: Path) -> Store:
    """Open the findings file and say where it is, or why nothing can be kept."""
    from inspector.findings_opening import describe_findings, open_findings

    store = open_findings(place, read_only=options.read_only)
    is_well = store.can_write or options.read_only
    print(describe_findings(store), file=sys.stdout if is_well else sys.stderr, flush=True)
    return store


def _launch_model(options: argparse.Namespace) -> Desk | None:
    """Begin to import the live model, which goes on while the data is read."""
    from inspector.live import Desk, read_model

    if options.model is None:
        return None
    desk = Desk(read_model(options.model, timeout=options.model_timeout))
    desk.model.launch()
    return desk


def _workspace_with_model(options: argparse.Namespace, desk: Desk | None) -> Workspace:
    """Open the data, then wait for the live model: one that cannot be imported is said now."""
    import threading

    workspace = open_named(options)
    if desk is not None:
        words = "The model is being imported …"
        waiting = threading.Timer(2.0, print, [words], {"file": sys.stderr, "flush": True})
        waiting.daemon = True
        waiting.start()
        try:
            desk.model.start()
        finally:
            waiting.cancel()
    return workspace
