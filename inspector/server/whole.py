"""Holds an answer back until it is whole, for what can only be said of all of it."""

from __future__ import annotations

from collections.abc import Callable

from starlette.types import ASGIApp, Message, Receive, Scope, Send


def with_policy(
    app: ASGIApp, policy: Callable[[str], str], mend: Callable[[str], str]
) -> ASGIApp:
    """Give pages of an app a content security policy that depends on their text.

    Args:
        app: Answers with HTML of a size that fits in memory.
        policy: Gives the policy of a text.
        mend: Changes a text before it is sent.
    """

    async def held(scope: Scope, receive: Receive, send: Send) -> None:
        start: Message | None = None
        parts: list[bytes] = []

        async def collect(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start":
                start = message
                return
            parts.append(message.get("body", b""))
            if start is None or message.get("more_body", False):
                return
            text = mend(b"".join(parts).decode("utf-8", errors="replace"))
            body = text.encode()
            headers = [
                *((name, value) for name, value in start["headers"] if name != b"content-length"),
                (b"content-length", str(len(body)).encode()),
                (b"content-security-policy", policy(text).encode()),
            ]
            await send({**start, "headers": headers})
            await send({"type": "http.response.body", "body": body})

        await app(scope, receive, collect)

    return held
