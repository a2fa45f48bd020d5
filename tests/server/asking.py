"""Asks an app over the bare protocol: addresses go out as they are written, nothing tidies them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote_to_bytes

from starlette.types import ASGIApp, Message


@dataclass(frozen=True)
class Answer:
    """What came back; names of headers in small letters, the last of equal ones."""

    status: int
    headers: Mapping[str, str]
    content: bytes

    @property
    def text(self) -> str:
        return self.content.decode("utf-8", errors="replace")

    def json(self) -> Any:
        return json.loads(self.content)


class Asker:
    """Asks one app; closed at the end of the test.

    Args:
        app: What is asked.
        headers: Headers of every question, unless a question brings its own.
        server: Address of this machine that the connection comes in at.
    """

    def __init__(
        self, app: ASGIApp, *, headers: Mapping[str, str] | None = None,
        server: tuple[str, int] = ("127.0.0.1", 80),
    ) -> None:
        self._app, self._server = app, server
        self._headers = {"host": "localhost", **(headers or {})}
        self._runner = asyncio.Runner()

    def close(self) -> None:
        self._runner.close()

    def __call__(
        self, method: str, target: str, *, headers: Mapping[str, str] | None = None,
        body: bytes = b"",
    ) -> Answer:
        """Send one request; ``target`` is percent-encoded as it would go over the wire."""
        return self._runner.run(self._ask(method, target, {**self._headers, **(headers or {})},
                                          body))

    async def _ask(
        self, method: str, target: str, headers: Mapping[str, str], body: bytes
    ) -> Answer:
        raw, _, query = target.partition("?")
        came: list[Message] = []
        asked = False

        async def receive() -> Message:
            nonlocal asked
            if asked:
                await asyncio.sleep(3600)  # nobody goes away; the app's end cancels this
            asked = True
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Message) -> None:
            came.append(message)

        sent = {**headers, **({"content-length": str(len(body))} if body else {})}
        await self._app({
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method,
            "scheme": "http", "path": unquote_to_bytes(raw).decode("utf-8", errors="replace"),
            "raw_path": raw.encode("utf-8", errors="replace"),
            "query_string": query.encode("utf-8", errors="surrogatepass"), "root_path": "",
            "headers": [(k.lower().encode(), v.encode("latin1")) for k, v in sent.items()],
            "server": self._server, "client": ("192.0.2.1", 50000), "state": {},
        }, receive, send)
        start = next(message for message in came if message["type"] == "http.response.start")
        return Answer(
            start["status"],
            {name.decode().lower(): value.decode("latin1") for name, value in start["headers"]},
            b"".join(message.get("body", b"") for message in came),
        )
