"""Who may talk to the page: this machine and the page itself, nobody else by default."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADERS = {
    # gr.HTML runs only with both 'unsafe-inline' and 'unsafe-eval'; the rest is closed.
    "content-security-policy": (
        "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; "
        "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; "
        "connect-src 'self'; worker-src 'self' blob:; object-src 'none'; base-uri 'self'; "
        "form-action 'self'; frame-ancestors 'self'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}

_CLOSED = (
    "/gradio_api/upload", "/gradio_api/file", "/gradio_api/proxy", "/gradio_api/stream",
    "/gradio_api/custom_component", "/gradio_api/dev", "/file=", "/file/", "/proxy=", "/upload",
    "/monitoring", "/gradio_api/deep_link",
)
"""Addresses of gradio that the page does not need: uploads, files by path, fetching for others."""


class Guard:
    """Refuses foreign hosts and origins, closes what is not needed, adds security headers.

    A page of another site could otherwise talk to this server through the visitor's browser:
    gradio answers any origin with credentials as soon as the host is not ``localhost``, and a
    name that is made to point at 127.0.0.1 passes as a host of its own.

    Args:
        app: What is guarded.
        hosts: Host names (without port) under which the page may be reached.
    """

    def __init__(self, app: ASGIApp, hosts: Iterable[str]) -> None:
        self._app = app
        self._hosts = frozenset(host.casefold() for host in hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or pass it on."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        reason = self._refusal(scope)
        if reason is not None:
            status, text = reason
            if scope["type"] == "websocket":
                await send({"type": "websocket.close", "code": 1008})
                return
            await PlainTextResponse(text, status, headers=HEADERS)(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                present = {name.lower() for name, _ in message["headers"]}
                message["headers"] = list(message["headers"]) + [
                    (name.encode(), value.encode())
                    for name, value in HEADERS.items()
                    if name.encode() not in present
                ]
            await send(message)

        await self._app(scope, receive, send_with_headers)

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        headers = {name.lower(): value.decode("latin1") for name, value in scope["headers"]}
        host = headers.get(b"host", "")
        if _host_name(host) not in self._hosts:
            return 400, "This page is not served under that host name."
        origin = headers.get(b"origin")
        if origin is not None and _netloc(origin) != host.casefold():
            return 403, "Requests from other sites are refused."
        if headers.get(b"sec-fetch-site") == "cross-site" and headers.get(
            b"sec-fetch-mode"
        ) != "navigate":
            return 403, "Requests from other sites are refused."
        if scope["path"].startswith(_CLOSED):
            return 403, "This address is closed."
        return None


def _netloc(origin: str) -> str:
    try:
        return urlsplit(origin).netloc.casefold()
    except ValueError:  # an IPv6 address without its bracket
        return ""


def _host_name(host: str) -> str:
    """Take the port off a Host header, also of an IPv6 address in brackets."""
    if host.startswith("["):
        return host[1:].partition("]")[0].casefold()
    return host.rpartition(":")[0].casefold() if ":" in host else host.casefold()
