"""Errors of records that are not of the documented shape, said with file and place."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from inspector.core.errors import FormatError, InspectorError

UNEXPECTED = (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError,
              RecursionError)
"""What Python raises where a record is not what the code takes it for."""


def describe(error: Exception) -> str:
    """Put such an error into words."""
    if isinstance(error, KeyError):
        return f"has no '{error.args[0]}'"
    return f"is not of the documented shape ({str(error)[:160]})"


@contextmanager
def one_record(path: Path, record: str) -> Iterator[None]:
    """Turn what is raised while one record is taken apart into a :class:`FormatError`."""
    try:
        yield
    except UNEXPECTED as error:
        raise FormatError(describe(error), path=path, record=record) from error
    except FormatError:
        raise
    except InspectorError as error:
        raise FormatError(str(error), path=path, record=record) from error
