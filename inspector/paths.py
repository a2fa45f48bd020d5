"""Paths as people write them on the command line."""

from __future__ import annotations

from pathlib import Path

from inspector.core.errors import UsageError


def user_path(text: str | Path) -> Path:
    """Make a path of what a person wrote; ``~`` is the home folder.

    Raises:
        UsageError: If no file can have that name: it is too long, holds a zero byte, or names the
            home of nobody. Asking the system about such a path would end in a traceback.
    """
    try:
        path = Path(text).expanduser()
        path.exists()
        path.resolve()
    except (OSError, RuntimeError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        shown = str(text) if len(str(text)) <= 60 else f"{str(text)[:57]}…"
        raise UsageError(f"{shown!r} cannot be used as a path ({reason}).") from error
    return path
