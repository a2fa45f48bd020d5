"""A hub on this machine: as much of its protocol as ``datasets`` speaks to fetch parquet files."""

from __future__ import annotations

import contextlib
import hashlib
import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit


@dataclass
class Hub:
    """One data set, whose files lie in a folder.

    Attributes:
        source: ``owner/name``.
        commit: Changes with the files, which is for the test to see to.
        sent: The files that were sent whole, in order.
    """

    source: str
    folder: Path
    commit: str = "a" * 40
    address: str = ""
    sent: list[str] = field(default_factory=list)


@contextlib.contextmanager
def serving_hub(source: str, folder: Path) -> Iterator[Hub]:
    """Serve a folder as a data set; ``HF_ENDPOINT`` is its address."""
    hub = Hub(source, folder)
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"hub": hub}))
    hub.address = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    hub: Hub
    protocol_version = "HTTP/1.1"

    def log_message(self, *words: object) -> None:
        """Say nothing: the test asks for what it wants to know."""

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        path, hub = unquote(urlsplit(self.path).path), self.hub
        about, files = f"/api/datasets/{hub.source}", f"/datasets/{hub.source}/resolve/"
        if path.startswith(f"{about}/tree/{hub.commit}"):
            inside = hub.folder / path.removeprefix(f"{about}/tree/{hub.commit}").strip("/")
            self.tell([self.entry(child) for child in sorted(inside.iterdir())])
        elif path == about or path.startswith(f"{about}/revision/"):
            self.tell({
                "_id": "1", "id": hub.source, "sha": hub.commit, "private": False, "gated": False,
                "disabled": False, "downloads": 0, "likes": 0, "tags": [],
                "createdAt": "2026-01-01T00:00:00.000Z",
                "siblings": [{"rfilename": self.name(file)} for file in hub.folder.rglob("*.*")],
            })
        elif path.startswith(files):
            self.send_file(hub.folder / path.removeprefix(files).partition("/")[2])
        else:
            self.refuse("RepoNotFound")

    def name(self, path: Path) -> str:
        return path.relative_to(self.hub.folder).as_posix()

    def entry(self, path: Path) -> dict[str, object]:
        kind = "directory" if path.is_dir() else "file"
        return {"type": kind, "oid": "0" * 40, "size": path.stat().st_size, "path": self.name(path)}

    def tell(self, value: object) -> None:
        self.answer(200, json.dumps(value).encode())

    def refuse(self, code: str) -> None:
        self.answer(404, b"{}", {"X-Error-Code": code, "X-Repo-Commit": self.hub.commit})

    def send_file(self, path: Path) -> None:
        if not path.is_file():
            self.refuse("EntryNotFound")
            return
        content = path.read_bytes()
        if self.command == "GET":
            self.hub.sent.append(path.name)
        digest = hashlib.sha1(content, usedforsecurity=False).hexdigest()
        self.answer(200, content, {"X-Repo-Commit": self.hub.commit, "ETag": f'"{digest}"'})

    def answer(self, status: int, content: bytes, heads: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(content)), **(heads or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)
