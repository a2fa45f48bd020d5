"""Serves the findings of a small data set from a process of its own, until it is killed."""

from __future__ import annotations

import sys
from pathlib import Path

import uvicorn

from inspector.findings import open_store
from inspector.server.app import create_app
from inspector.ui.listening import listen
from tests.building import make_workspace, score_strips

EXAMPLES = 20


def main(path: Path) -> None:
    """Serve on a free port, which is printed together with the version of the data."""
    workspace = make_workspace(score_strips(*[("##..", "#...")] * EXAMPLES))
    app = create_app(workspace, page={}, findings=open_store(path))
    listener = listen("127.0.0.1")
    print(listener.getsockname()[1], workspace.version, flush=True)
    uvicorn.Server(uvicorn.Config(app, log_level="warning", ws="none")).run(sockets=[listener])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
