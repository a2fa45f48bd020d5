"""Errors of records that are not of the documented shape, said with file and place."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from inspector.core.errors import FormatError, InspectorError
from inspector.core.json_faults import kind_of

UNEXPECTED = (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError,
              RecursionError)
"""What Python raises where a record is not what the code takes it for."""

_HINT = "docs/formats.md says what a record of each format holds."


_FOUND: ContextVar[dict[Path, None] | None] = ContextVar("files of a data set", default=None)


@contextmanager
def files_read() -> Iterator[dict[Path, None]]:
    """Collect the files that are read as part of a data set meanwhile, each once, in order."""
    found: dict[Path, None] = {}
    token = _FOUND.set(found)
    try:
        yield found
    finally:
        _FOUND.reset(token)


def note_read(path: Path) -> None:
    """Note that the annotations of a data set come from a file, for :func:`files_read`."""
    found = _FOUND.get()
    if found is not None:
        found[path] = None


def describe(error: Exception) -> str:
    """Put such an error into words."""
    if isinstance(error, KeyError):
        return f"has no '{error.args[0]}'"
    return f"is not of the documented shape ({str(error)[:160]})"


def as_text(value: Any, what: str) -> str:
    """Take text, such as a sentence.

    Raises:
        TypeError: If it is something else.
    """
    if not isinstance(value, str):
        raise TypeError(f"{what} is {kind_of(value)}, expected text")
    return value


def check_regular(path: Path) -> None:
    """Refuse a pipe or a device, whose opening would wait for ever or whose reading never end.

    Raises:
        FormatError: If it is one. What is not there, or a folder, is left to who opens it.
    """
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise FormatError("is a pipe or a device, not a file", path=path)


def read_file(path: Path, *, most: int | None = None) -> bytes:
    """Read a whole file of at most so many bytes.

    Raises:
        FormatError: If it is missing, no regular file, larger, or cannot be read.
    """
    check_regular(path)
    try:
        if most is not None and path.stat().st_size > most:
            raise FormatError(f"is larger than {most:,} bytes", path=path)
        content = path.read_bytes()
    except OSError as error:
        raise FormatError(f"cannot be read ({error.strerror})", path=path) from error
    note_read(path)
    return content


@contextmanager
def one_record(path: Path, record: str) -> Iterator[None]:
    """Turn what is raised while one record is taken apart into a :class:`FormatError`."""
    try:
        yield
    except UNEXPECTED as error:
        raise FormatError(describe(error), path=path, record=record, hint=_HINT) from error
    except FormatError:
        raise
    except InspectorError as error:
        raise FormatError(str(error), path=path, record=record) from error
