"""Paths as people write them on the command line."""

from __future__ import annotations

from pathlib import Path

from inspector.core.errors import UsageError, printable

_NAMES = 5


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


def say_content(path: Path) -> str:
    """Say what is at a path that is not what was expected: ``an empty folder``, ``a folder of …``.

    A few names are given, the first by alphabet; what may not be listed is ``a folder``.
    """
    try:
        if not path.is_dir():
            return f"a file of {path.stat().st_size:,} bytes"
        names = sorted(child.name for child in path.iterdir() if not child.name.startswith("."))
    except OSError:
        return "a folder" if path.is_dir() else "a file"
    if not names:
        return "an empty folder"
    shown = ", ".join(printable(name) for name in names[:_NAMES])
    more = f" and {len(names) - _NAMES:,} more" if len(names) > _NAMES else ""
    return f"a folder of {shown}{more}"
