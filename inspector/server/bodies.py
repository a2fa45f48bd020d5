"""Takes in what a visitor sends, up to a size and within a time."""

from __future__ import annotations

import asyncio

from starlette.types import Message, Receive

IDLE_SECONDS = 30.0  # between two parts of a body


class BodyError(Exception):
    """A body that is not taken in.

    Args:
        status: Of the answer.
        text: What is wrong, in words.
    """

    def __init__(self, status: int, text: str) -> None:
        self.status = status
        super().__init__(text)


async def read_body(
    receive: Receive, *, length: str | None, most: int, idle: float = IDLE_SECONDS
) -> bytes:
    """Read a whole body before anything looks at it.

    Args:
        receive: Of the request.
        length: The ``Content-Length`` header, if there is one.
        most: Bytes that may be sent.
        idle: Seconds within which each part must arrive.

    Raises:
        BodyError: If it is larger, slower, or ends before its end.
    """
    too_large = BodyError(413, f"At most {most:,} bytes may be sent to this address.")
    if length is not None and (not length.isascii() or not length.isdigit() or int(length) > most):
        raise too_large
    parts, size = [], 0
    while True:
        try:
            message = await asyncio.wait_for(receive(), idle)
        except TimeoutError as error:
            raise BodyError(408, "What was sent did not arrive in time. Send it again.") from error
        if message["type"] == "http.disconnect":
            raise BodyError(400, "The connection ended before all had arrived. Send it again.")
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > most:
            raise too_large
        if not message.get("more_body", False):
            return b"".join(parts)


def replay(body: bytes, receive: Receive) -> Receive:
    """Give a body that was read to the app as if it had just come."""
    given = False

    async def again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again
