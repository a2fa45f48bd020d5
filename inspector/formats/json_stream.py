"""The arrays of a big JSON file one element at a time: COCO's own files have 450 MB."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from inspector.core.errors import FormatError
from inspector.core.json_faults import is_of_python, json_fault
from inspector.formats.reading import check_regular, note_read


class ShapeError(FormatError):
    """A file that is JSON, but not one object with arrays under the keys that were asked for."""


_CHUNK = 1 << 20
_LONGEST_ELEMENT = 64 << 20  # characters
_LONGEST_NUMBER = 10_000  # characters
_SPACE = " \t\r\n"
_SPACES = frozenset(_SPACE)
_BEHIND = frozenset(_SPACE + ",:]}")  # what may follow a value


def iterate_arrays(path: Path, keys: frozenset[str]) -> Iterator[tuple[str, Any]]:
    """Give the elements of the arrays that the file's one object has under the given keys.

    Only one element at a time is in memory. Before the first element of an array comes one pair
    with ``None`` for it, so that an empty array can be told from none at all.

    Raises:
        FormatError: If the file is missing, cut off or not JSON in UTF-8.
        ShapeError: If it is not one object, or holds something else than an array under one of the
            keys.
    """
    check_regular(path)
    note_read(path)
    try:
        with path.open("rb") as file:
            yield from _arrays(_Reader(file, path), keys)
    except FileNotFoundError:
        raise FormatError(
            "there is no such file", path=path,
            hint="Put it there, or name the annotation files with --instances.",
        ) from None
    except OSError as error:
        raise FormatError(f"cannot be read ({error.strerror})", path=path) from error


def _arrays(reader: _Reader, keys: frozenset[str]) -> Iterator[tuple[str, Any]]:
    if reader.peek() != "{":
        reader.value()  # to tell broken JSON from JSON of another kind
        raise ShapeError("holds no object", path=reader.path)
    reader.expect("{")
    while reader.peek() != "}":
        key = reader.value()
        reader.expect(":")
        is_array = reader.peek() == "["
        if not reader.peek():
            raise reader.broken()
        if key in keys:
            if not is_array:
                raise ShapeError(f"has '{key}' that is not a list", path=reader.path)
            yield key, None
        for element in reader.elements() if is_array else [reader.value()]:
            if key in keys:
                yield key, element
        if reader.peek() == ",":
            reader.expect(",")
        elif reader.peek() != "}":
            raise reader.broken()
    reader.expect("}")
    if reader.peek():
        raise reader.broken()


class _Reader:
    """A buffer over a file, with a place in it."""

    def __init__(self, file: BinaryIO, path: Path) -> None:
        self.path = path
        self._file = file
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")()
        self._json = json.JSONDecoder()
        self._text, self._at = "", 0
        self._bytes, self._dropped = 0, 0
        self._ended = False

    def peek(self) -> str:
        """The next character that is no space; empty at the end."""
        while True:
            while self._at < len(self._text):
                if self._text[self._at] not in _SPACE:
                    return self._text[self._at]
                self._at += 1
            if self._ended:
                return ""
            self._more()

    def expect(self, character: str) -> None:
        """Step over a character that must come now."""
        if self.peek() != character:
            raise self.broken()
        self._at += 1

    def elements(self) -> Iterator[Any]:
        """Give the elements of the array that begins here, and step over it."""
        self.expect("[")
        while self.peek() != "]":
            yield from self._whole_elements()
            if self.peek() == "]":  # behind a last comma
                break
            yield self.value()
            if self.peek() == ",":
                self.expect(",")
            elif self.peek() != "]":
                raise self.broken()
        self.expect("]")

    def _whole_elements(self) -> Iterator[Any]:
        """Give those that are in the buffer with the comma behind them, as nearly all are."""
        scan = self._json.scan_once
        while True:
            try:
                value, end = scan(self._text, self._at)
            except (StopIteration, ValueError, RecursionError):
                return  # cut by the buffer's end, or broken: to be seen by who reads one alone
            if self._text[end : end + 1] != ",":
                return
            self._at = end + 1
            while self._text[self._at : self._at + 1] in _SPACES:
                self._at += 1
            yield value

    def value(self) -> Any:
        """Read the value that begins here."""
        self.peek()
        while True:
            try:
                value, end = self._json.raw_decode(self._text, self._at)
            except (RecursionError, ValueError) as error:
                if is_of_python(error):
                    said, hint = json_fault(error)
                    raise FormatError(said, path=self.path, hint=hint) from None
                if self._ended or len(self._text) - self._at > _LONGEST_ELEMENT:
                    raise self.broken(getattr(error, "pos", self._at)) from error
            else:
                if self._ended or self._text[end : end + 1] in _BEHIND:
                    self._at = end
                    return value
                if len(self._text) - end > _LONGEST_NUMBER:
                    raise self.broken(end)
            self._more()  # the value may go on: 1.5 may be 1.5e-7

    def broken(self, at: int | None = None) -> FormatError:
        """Say where the text stops being JSON."""
        place = self._dropped + (self._at if at is None else at)
        return FormatError(
            f"is not complete JSON at character {place:,}", path=self.path,
            hint="Download it again.",
        )

    def _more(self) -> None:
        chunk = self._file.read(max(_CHUNK, len(self._text) - self._at))
        try:
            text = self._decoder.decode(chunk, final=not chunk)
        except UnicodeDecodeError as error:
            raise FormatError(
                f"is not UTF-8 text (byte {self._bytes + error.start})", path=self.path
            ) from error
        self._bytes += len(chunk)
        self._dropped += self._at
        self._text, self._at = self._text[self._at :] + text, 0
        self._ended = not chunk
