"""Takes in what a visitor sends, up to a size and within a time."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterator

from starlette.requests import Request
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


class Budget:
    """Bytes that may be held at once of all bodies together; for one thread.

    Args:
        most: Of all bodies, without what is free.
        free: Of each body what does not count, so that what is small is never refused because
            something large is on its way.
    """

    def __init__(self, most: int, *, free: int) -> None:
        self._left, self._free = most, free

    @contextlib.contextmanager
    def share(self) -> Iterator[Callable[[int], bool]]:
        """Give one body its share, which comes back at the end.

        Yields:
            A function that takes further bytes; False where they are not to be had.
        """
        size = taken = 0

        def take(count: int) -> bool:
            nonlocal size, taken
            size += count
            more = max(size - self._free, 0) - taken
            if more > self._left:
                return False
            self._left -= more
            taken += more
            return True

        try:
            yield take
        finally:
            self._left += taken


async def read_body(
    receive: Receive, *, length: str | None, most: int, idle: float = IDLE_SECONDS,
    take: Callable[[int], bool] = lambda count: True,
) -> bytes:
    """Read a whole body before anything looks at it.

    Args:
        receive: Of the request.
        length: The ``Content-Length`` header, if there is one.
        most: Bytes that may be sent.
        idle: Seconds within which each part must arrive.
        take: Says whether there is room for further bytes (:meth:`Budget.share`).

    Raises:
        BodyError: If it is larger, slower, ends before its end, or there is no room for it now.
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
        if not take(len(parts[-1])):
            raise BodyError(503, "Too much is being sent at once. Send it again in a moment.")
        if not message.get("more_body", False):
            return b"".join(parts)


def content_type(request: Request) -> str:
    """Give the kind of what is sent, without its parameters."""
    return request.headers.get("content-type", "").partition(";")[0].strip().casefold()


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
