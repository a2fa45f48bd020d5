"""The plain values of a pickle: how they are written, and which of them may be keys."""

from __future__ import annotations

import codecs
from typing import Any

_LARGEST_KEY = 64  # bits: larger ones can be chosen so that all have one hash
_KEYS = frozenset((str, bytes, int, float, bool, type(None)))


class RefusedError(Exception):
    """The pickle wants something to be called or built."""


class MalformedError(Exception):
    """The pickle is not made of plain data as any pickler writes it."""


def check_keys(keys: list[Any]) -> None:
    """Let only such keys through as can be hashed in no time."""
    kinds = set(map(type, keys))
    if not kinds <= _KEYS:
        raise MalformedError("a key is neither text nor a number")
    if int in kinds and any(type(k) is int and k.bit_length() > _LARGEST_KEY for k in keys):
        raise MalformedError(f"a key is a number of more than {_LARGEST_KEY} bits")


def text_of(data: bytes) -> str:
    """Decode a byte string of Python 2."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin1")


def unquoted(line: bytes) -> bytes:
    """Undo the quotes and backslashes of protocol 0."""
    line = line.strip()
    if len(line) < 2 or line[:1] != line[-1:] or line[:1] not in (b"'", b'"'):
        raise MalformedError("a string without quotes")
    if b"\\" not in line:
        return line[1:-1]
    return codecs.escape_decode(line[1:-1])[0]


def number_of(line: bytes) -> int:
    """Read a decimal number, or the true and false of protocol 0."""
    return {b"00": False, b"01": True}[line] if line in (b"00", b"01") else int(line, 0)


def text_of_line(line: bytes) -> str:
    """Decode a line that names something, for a message."""
    return line.decode("utf-8", "replace")


def checked_size(size: int) -> int:
    """Refuse a length below 0, which protocol 1 can write."""
    if size < 0:
        raise MalformedError(f"a string of {size} bytes")
    return size
