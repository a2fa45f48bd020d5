"""Pickles read without running anything: plain containers, numbers and text, or an error."""

from __future__ import annotations

import io
import pickle
from pathlib import Path
from typing import Any

from inspector.core.errors import FormatError


class _RefusedError(Exception):
    pass


class _PlainUnpickler(pickle.Unpickler):
    """An unpickler that cannot name anything: neither classes nor functions."""

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) == ("_codecs", "encode"):
            # How Python 3 writes bytes for Python 2 readers; a fresh function each time, because
            # a pickle may set attributes of what it was given.
            return lambda text, encoding="latin1": _encode_latin1(text, encoding)
        raise _RefusedError(f"{module}.{name}")

    def persistent_load(self, pid: Any) -> Any:
        raise _RefusedError(f"a persistent object ({str(pid)[:40]})")


def _encode_latin1(text: Any, encoding: Any) -> bytes:
    if not isinstance(text, str) or encoding not in ("latin1", "latin-1"):
        raise _RefusedError("_codecs.encode")
    return text.encode("latin1")


def read_plain_pickle(path: Path) -> Any:
    """Read a pickle of plain containers, numbers and text; Python 2's are welcome.

    Byte strings of Python 2 are read as UTF-8; where that fails, as Latin-1, with the strings
    that are UTF-8 after all repaired one by one.

    Raises:
        FormatError: If the pickle names any class or function (nothing of it runs), is cut off,
            or is no pickle.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise FormatError(f"cannot be read ({error.strerror})", path=path) from error
    try:
        try:
            return _load(data, "utf-8")
        except UnicodeDecodeError:
            return _repair(_load(data, "latin1"))
    except Exception as error:  # a broken pickle may raise anything at all
        raise _explain(error, path) from error


def _load(data: bytes, encoding: str) -> Any:
    return _PlainUnpickler(io.BytesIO(data), fix_imports=False, encoding=encoding).load()


def _explain(error: Exception, path: Path) -> FormatError:
    if isinstance(error, _RefusedError):
        return FormatError(
            f"names {error}, but a file of references holds plain data only",
            path=path,
            hint="It was not run. Take the file from the REFER release.",
        )
    if isinstance(error, EOFError) or "truncated" in str(error) or "exhausted" in str(error):
        return FormatError("the pickle is cut off", path=path, hint="Download it again.")
    return FormatError(
        f"is not a pickle of plain data ({type(error).__name__}: {str(error)[:120]})", path=path
    )


def _repair(value: Any) -> Any:
    """Turn text that was UTF-8 but read as Latin-1 back, everywhere in nested containers."""
    if isinstance(value, str):
        try:
            return value.encode("latin1").decode("utf-8")
        except (UnicodeEncodeError, UnicodeDecodeError):
            return value
    if isinstance(value, list):
        return [_repair(item) for item in value]
    if isinstance(value, tuple):
        return tuple(_repair(item) for item in value)
    if isinstance(value, dict):
        return {_repair(key): _repair(item) for key, item in value.items()}
    return value
