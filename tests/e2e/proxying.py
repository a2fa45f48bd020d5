"""A small reverse proxy, as a hub of notebooks or a web server puts before the page."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from dataclasses import dataclass

import httpx
import uvicorn
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from inspector.ui.listening import listen

_HOP = {b"connection", b"keep-alive", b"transfer-encoding", b"te", b"upgrade", b"trailer"}


@dataclass
class Proxy:
    """A proxy that runs.

    Args:
        address: Where browsers find it.
        target: Address of the page, without a slash at its end; set when the page is there.
    """

    address: str
    target: str = ""


def make_proxy(proxy: Proxy, root: str, *, strip: bool, keep_host: bool) -> ASGIApp:
    """Forward everything below a path, and nothing else.

    Args:
        proxy: Knows the target.
        root: Path under which the page is shown.
        strip: Whether the path is taken off before the page sees it.
        keep_host: Whether the page sees the host that the browser asked for, or its own.
    """

    client = httpx.AsyncClient(follow_redirects=False, trust_env=False, verify=False, timeout=60)

    async def forward(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        path = scope["raw_path"].decode()
        if path != root and not path.startswith(f"{root}/"):
            await PlainTextResponse("somebody else's", 404)(scope, receive, send)
            return
        body, more = b"", True
        while more:
            message = await receive()
            body += message.get("body", b"")
            more = message.get("more_body", False)
        inner = path.removeprefix(root) or "/" if strip else path
        query = scope["query_string"].decode()
        headers = [
            (name, value) for name, value in scope["headers"]
            if name not in _HOP and (keep_host or name != b"host")
        ]
        headers.append((b"x-forwarded-for", scope["client"][0].encode()))
        try:
            answer = await client.request(
                scope["method"], f"{proxy.target}{inner}{f'?{query}' if query else ''}",
                headers=headers, content=body,
            )
        except httpx.TransportError:  # the page has gone before its browser
            await PlainTextResponse("nobody there", 502)(scope, receive, send)
            return
        response = Response(answer.content, answer.status_code)
        response.raw_headers = [
            (name.lower(), value) for name, value in answer.headers.raw
            if name.lower() not in _HOP | {b"content-encoding", b"content-length"}
        ] + [(b"content-length", str(len(answer.content)).encode())]
        await response(scope, receive, send)

    return forward


@contextlib.contextmanager
def proxying(root: str, *, strip: bool, keep_host: bool = True) -> Iterator[Proxy]:
    """Give a proxy while the block runs; its target is set by who uses it."""
    listener = listen("127.0.0.1")
    proxy = Proxy(f"http://127.0.0.1:{listener.getsockname()[1]}")
    app = make_proxy(proxy, root, strip=strip, keep_host=keep_host)
    config = uvicorn.Config(
        app, log_level="warning", ws="none", lifespan="off", timeout_graceful_shutdown=1
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        yield proxy
    finally:
        server.should_exit = True
        thread.join(10)
