"""What routes answer with: JSON, how long it may be kept, and names of files."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from fastapi import Response

NEVER = {"cache-control": "no-store"}
FOREVER = {"cache-control": "private, max-age=31536000, immutable"}
"""Of what stands below a version: another version is another address."""

_MOST_PART = 60  # letters of each part of a file's name


def answer_json(
    value: Any, status: int = 200, *, headers: Mapping[str, str] = NEVER
) -> Response:
    """Answer with JSON; half characters, which UTF-8 cannot hold, become question marks."""
    content = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode(
        "utf-8", errors="replace"
    )
    return Response(content, status, media_type="application/json", headers=dict(headers))


def download(name: str) -> dict[str, str]:
    """Give the headers of a file that is saved under a name of :func:`file_name`."""
    return {**NEVER, "content-disposition": f'attachment; filename="{name}"'}


def file_name(*parts: str, suffix: str) -> str:
    """Make a file name that every system and header takes, whatever the parts are.

    Example:
        >>> file_name("findings", "refcoco/unc", "", suffix="csv")
        'findings-refcoco-unc.csv'
    """
    safe = [re.sub(r"[^A-Za-z0-9_.]+", "-", part)[:_MOST_PART].strip("-.") for part in parts]
    return "-".join(filter(None, safe)) + f".{suffix}"
