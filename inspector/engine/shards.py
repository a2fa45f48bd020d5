"""Which files the predictions of one run lie in, and in which pieces they are read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from urllib.parse import quote, unquote

from inspector.core.errors import FormatError, InspectorError, UsageError, printable
from inspector.paths import user_path

if TYPE_CHECKING:
    from pyarrow.fs import FileInfo, FileSystem

_ADDRESS = re.compile(r"([a-z][a-z0-9+.-]+://)[^?]*(\?.*)?", re.IGNORECASE | re.DOTALL)
_WILD = re.compile(r"[*?\[]")
_KINDS: dict[str, Literal["lines", "parquet"]] = {
    ".jsonl": "lines", ".ndjson": "lines", ".parquet": "parquet",
}
_MOST_SHARDS = 100_000
_MEGABYTE = 1_000_000


@dataclass(frozen=True, slots=True)
class Shard:
    """One file of predictions.

    Attributes:
        source: Path or address.
        kind: JSON Lines or Parquet.
        size: In bytes.
        written: When it was written, in nanoseconds; 0 where that is not known.
    """

    source: str
    kind: Literal["lines", "parquet"]
    size: int
    written: int

    @property
    def name(self) -> str:
        """Its name without folders, for messages."""
        path = unquote(self.source.partition("?")[0]) if is_address(self.source) else self.source
        return printable(path.rpartition("/")[2])


@dataclass(frozen=True, slots=True)
class Piece:
    """What is read of a shard at once.

    Attributes:
        shard: The file.
        begin, end: Bytes of JSON Lines: every line that begins there. Row groups of Parquet.
        first: Number of its first line or row in the shard, from 1; 0 while that is not known.
    """

    shard: Shard
    begin: int
    end: int
    first: int = 0


def is_address(text: str) -> bool:
    """Say whether a source is an address such as ``s3://bucket/run/*.parquet``, not a path."""
    return bool(_ADDRESS.match(text))


def parse_shards_option(value: str) -> tuple[str, str]:
    """Split ``NAME=SHARDS``; without a name the file's or folder's stem is the name.

    Raises:
        UsageError: If a pattern, whose stem would be no name, has none.
    """
    name, equals, source = value.partition("=")
    if equals and name and "/" not in name:
        if not source:
            raise UsageError(f"--run {value} names no file. Write --run [NAME=]SHARDS.")
        return printable(name), source
    path = value.rstrip("/")
    stem = Path(path).stem if path else ""
    if not stem or _WILD.search(stem):
        raise UsageError(f"{value} does not say what the run is called. Write --run NAME={value}.")
    return printable(stem), value


def open_file_system(source: str) -> tuple[FileSystem, str]:
    """Give the file system of a path or an address, and the path in it.

    Raises:
        UsageError: If there is no file system for such addresses here.
    """
    import pyarrow.lib
    from pyarrow import fs

    if not is_address(source):
        return _local(), str(user_path(source).absolute())
    if "@" in source.partition("://")[2].partition("/")[0] or "secret" in source.lower():
        raise UsageError(
            "An address of predictions may hold no key or password: it stands in every result. "
            "Give them as the storage's own environment variables, such as AWS_ACCESS_KEY_ID."
        )
    try:
        return fs.FileSystem.from_uri(source)
    except (pyarrow.lib.ArrowException, OSError, ValueError, TypeError) as error:
        known = "s3://, gs://, abfs://, hdfs://, file://"
        raise UsageError(
            f"{source} is no address that can be read here ({_short(error)}). "
            f"Choose one of: {known}."
        ) from error


@cache
def _local() -> FileSystem:
    from pyarrow import fs

    return fs.LocalFileSystem()


def find_shards(source: str) -> tuple[Shard, ...]:
    """Find the files of a run: one file, a folder of them, or a pattern; by name.

    Patterns know ``*``, ``?``, ``[abc]`` inside a name and ``**`` for folders; addresses the stars
    alone, as ``?`` begins their options. In a folder, what begins with ``.`` or ``_`` is left out,
    as writers of many files mark so what is no part of them.

    Raises:
        UsageError: If there is no such file, or one is neither JSON Lines nor Parquet.
        InspectorError: If the file system does not answer.
    """
    import pyarrow.lib

    files, path = open_file_system(source)
    try:
        found = _list(files, path)
    except (pyarrow.lib.ArrowException, OSError) as error:
        raise InspectorError(f"{source} cannot be listed ({_short(error)}). "
                             "Is the storage reached from here?") from error
    if not found:
        raise UsageError(f"There are no predictions at {source}: no file fits. Check the pattern.")
    if len(found) > _MOST_SHARDS:
        raise UsageError(
            f"{source} names {len(found):,} files; at most {_MOST_SHARDS:,} are read. Write fewer."
        )
    return tuple(
        Shard(_named_like(source, info.path), _kind(info.path), int(info.size),
              int(info.mtime_ns or 0))
        for info in found
    )


def _named_like(source: str, path: str) -> str:
    """Write a path inside a file system the way that the source was written."""
    address = _ADDRESS.fullmatch(source)
    return f"{address[1]}{quote(path)}{address[2] or ''}" if address else path


def _list(files: FileSystem, path: str) -> list[FileInfo]:
    from pyarrow import fs

    info = files.get_file_info(path)
    if info.type == fs.FileType.File:
        return [info]
    pattern, is_deep = None, True
    if info.type == fs.FileType.NotFound:
        wild = _WILD.search(path)
        if wild is None:
            return []
        is_deep = "/" in path[wild.start():] or "**" in path
        pattern, path = _translate(path), path[: wild.start()].rpartition("/")[0] or "/"
    below = files.get_file_info(fs.FileSelector(path, allow_not_found=True, recursive=is_deep))
    if pattern is not None:
        chosen = [info for info in below if pattern.fullmatch(info.path)]
    else:
        chosen = [
            info for info in below
            if _suffix(info.path) in _KINDS and not _is_hidden(info.path.removeprefix(path))
        ]
    return sorted(
        (info for info in chosen if info.type == fs.FileType.File), key=lambda info: info.path
    )


def _is_hidden(path: str) -> bool:
    return any(part.startswith((".", "_")) for part in path.split("/"))


def _translate(pattern: str) -> re.Pattern[str]:
    """Turn a pattern of paths into a regular expression.

    Example:
        >>> bool(_translate("/runs/**/base-*.jsonl").fullmatch("/runs/1/2/base-07.jsonl"))
        True
        >>> bool(_translate("/runs/*.jsonl").fullmatch("/runs/1/base.jsonl"))
        False
    """
    found, place = "", 0
    while place < len(pattern):
        sign = pattern[place]
        closing = pattern.find("]", place + 2)
        if pattern.startswith("**/", place):
            found, place = found + "(?:.*/)?", place + 3
        elif pattern.startswith("**", place):
            found, place = found + ".*", place + 2
        elif sign == "[" and closing > 0:
            inside = pattern[place + 1 : closing].replace("\\", "\\\\").replace("[", "\\[")
            negated = "^" if inside.startswith("!") else ""
            found, place = f"{found}[{negated}{inside.removeprefix('!')}]", closing + 1
        else:
            found += {"*": "[^/]*", "?": "[^/]"}.get(sign, re.escape(sign))
            place += 1
    try:
        return re.compile(found)
    except re.error as error:
        raise UsageError(f"'{pattern}' is no pattern of files ({error}), such as "
                         "'run/*.parquet'.") from error


def _suffix(path: str) -> str:
    name = path.rpartition("/")[2]
    return f".{name.rpartition('.')[2].lower()}" if "." in name else ""


def _kind(path: str) -> Literal["lines", "parquet"]:
    kind = _KINDS.get(_suffix(path))
    if kind is None:
        raise UsageError(
            f"{path} is no shard: its name must end in {', '.join(_KINDS)}. Other formats are "
            "scored on one machine, without --engine."
        )
    return kind


def cut(shards: tuple[Shard, ...], *, megabytes: float) -> tuple[Piece, ...]:
    """Cut shards into pieces of about a size; what is smaller stays whole, what is empty is none.

    Raises:
        FormatError: If a Parquet file that is to be cut cannot be read.
    """
    most = max(int(megabytes * _MEGABYTE), 1)
    found: list[Piece] = []
    for shard in shards:
        for begin, end, first in _borders(shard, most):
            found.append(Piece(shard, begin, end, first))
    return tuple(found)


def _borders(shard: Shard, most: int) -> Iterator[tuple[int, int, int]]:
    if shard.kind == "lines":
        for begin in range(0, shard.size, most):
            yield begin, min(begin + most, shard.size), 1 if begin == 0 else 0
    elif shard.size <= most:
        yield 0, -1, 1  # all of its row groups, without looking how many there are
    else:
        yield from _row_groups(shard, most)


def _row_groups(shard: Shard, most: int) -> Iterator[tuple[int, int, int]]:
    """Put row groups together until they reach the size; their sizes stand in the file's end."""
    import pyarrow.lib
    import pyarrow.parquet as pq

    files, path = open_file_system(shard.source)
    try:
        with files.open_input_file(path) as file:
            footer = pq.read_metadata(file)
    except (pyarrow.lib.ArrowException, OSError, ValueError) as error:
        raise FormatError(
            f"cannot be read as parquet ({_short(error)})", path=shard.source,
            hint="Is the file cut off?",
        ) from error
    begin, rows, size, first = 0, 0, 0, 1
    for group in range(footer.num_row_groups):
        size += footer.row_group(group).total_byte_size
        rows += footer.row_group(group).num_rows
        if size >= most or group == footer.num_row_groups - 1:
            yield begin, group + 1, first
            begin, first, size, rows = group + 1, first + rows, 0, 0


def _short(error: Exception) -> str:
    return " ".join(str(error).split())[:160]
