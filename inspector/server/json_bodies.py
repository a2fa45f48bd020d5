"""JSON that the page sends: an object of a bounded size, said to be JSON."""

from __future__ import annotations

import json
from typing import Any

from fastapi import Request

from inspector.server.addresses import MOST_BODY
from inspector.server.bodies import BodyError, content_type, read_body


async def read_json(request: Request) -> dict[str, Any]:
    """Read the object that a request sends.

    Raises:
        BodyError: If it is no JSON object, is not said to be JSON (which a form of another site
            cannot say), or is too large.
    """
    if content_type(request) != "application/json":
        raise BodyError(415, "Send JSON, as application/json.")
    content = await read_body(
        request.receive, length=request.headers.get("content-length"), most=MOST_BODY
    )
    try:
        value = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise BodyError(400, "What was sent is no JSON.") from error
    if not isinstance(value, dict):
        raise BodyError(400, "What was sent is no JSON object.")
    return value


def is_whole_text(value: object) -> bool:
    """Tell whether a value of JSON is text without half characters, which nothing can write."""
    return isinstance(value, str) and not any("\ud800" <= sign <= "\udfff" for sign in value)
