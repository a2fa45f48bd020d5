"""Answers that were dear to compute, kept in the user's cache folder for the next opening.

Whoever keeps something puts all that it depends on into the key: the content of the data, the
program's own files, what ships beside them. Then nothing here is ever out of date. The folder may
be deleted at any time, and several processes may use it at once.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sys
from pathlib import Path
from typing import Any

MOST_BYTES = 100_000_000


def cache_folder() -> Path | None:
    """Give the folder: ``INSPECTOR_CACHE``, else the platform's; None where it is ``off``."""
    named = os.environ.get("INSPECTOR_CACHE")
    if named:
        return None if named == "off" else Path(named)
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "inspector"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home()) / "inspector" / "cache"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "inspector"


def read_cached(key: str) -> Any | None:
    """Give what was kept under a key; None if there is nothing, or nothing that can be read."""
    path = _path(key)
    if path is None:
        return None
    try:
        content = json.loads(path.read_bytes())
        os.utime(path)  # what is used stays
    except (OSError, ValueError, RecursionError):
        return None
    return content["value"] if isinstance(content, dict) and content.get("key") == key else None


def keep(key: str, value: Any) -> None:
    """Keep a JSON value under a key; what cannot be written is not kept, which costs only time."""
    path = _path(key)
    if path is None:
        return
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
        try:
            temporary.write_text(json.dumps({"key": key, "value": value}), encoding="utf-8")
            temporary.replace(path)
        finally:  # half of one, where the disk is full
            temporary.unlink(missing_ok=True)
        _tidy(path.parent)


def _path(key: str) -> Path | None:
    folder = cache_folder()
    if folder is None:
        return None
    return folder / "analyses" / f"{hashlib.sha256(key.encode()).hexdigest()[:32]}.json"


def _tidy(folder: Path) -> None:
    """Let go of what was not used for longest, above the bound; others may do so at once."""
    found = []
    for path in folder.glob("*.json"):
        with contextlib.suppress(OSError):
            stat = path.stat()
            found.append((stat.st_mtime, stat.st_size, path))
    total = sum(size for _, size, _ in found)
    for _, size, path in sorted(found):
        if total <= MOST_BYTES:
            break
        path.unlink(missing_ok=True)
        total -= size
