"""Packed values as files in the user's cache folder: checked when read, bounded, safe to delete.

A file is written under another name and renamed when it is whole, so that several processes may
write and read at once without a lock. What is damaged, of another version, or not the user's own
is as good as absent; so is all of it where the folder cannot be written.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from inspector.cache import cache_folder
from inspector.snapshots.packing import Packed, PackingError

MOST_BYTES = 4_000_000_000
"""Of all snapshots together; the ones not used for longest go first."""

_MAGIC = b"inspector snapshot 1\n"
_LENGTH = struct.Struct("<Q")
_DIGEST = 32
_STALE = 3_600  # seconds after which a file that was never finished is in nobody's hands


@dataclass(frozen=True, slots=True)
class Kept:
    """The head of a file: what it is about, and JSON that goes with it."""

    key: str
    notes: dict[str, Any]
    digest: str


def folder() -> Path | None:
    """Give the folder of the snapshots; None where nothing is to be kept."""
    cache = cache_folder()
    return cache / "snapshots" if cache is not None else None


def put(key: str, packed: Packed, notes: dict[str, Any]) -> None:
    """Keep a value under a key; what cannot be written is not kept, which costs only time."""
    path = _path(key)
    if path is None:
        return
    head = json.dumps({
        "key": key, "notes": notes, "digest": packed.digest, "kinds": packed.kinds,
    }, separators=(",", ":")).encode()
    tree = packed.tree.encode()
    size = sum(len(blob) for blob in packed.blobs) + len(head) + len(tree)
    if size > MOST_BYTES:
        return
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        try:
            with temporary.open("xb") as file:
                _write(file, head, tree, packed)
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
        _tidy(path.parent, path)


def _write(file: BinaryIO, head: bytes, tree: bytes, packed: Packed) -> None:
    found = hashlib.blake2b(digest_size=_DIGEST)
    parts = (_MAGIC, _LENGTH.pack(len(head)), head, _LENGTH.pack(len(tree)), tree, *packed.blobs)
    for part in parts:
        file.write(part)
        found.update(part)
    file.write(found.digest())


class Reader:
    """One file of the shelf: its head first, so that the rest is read only if it is of use.

    Raises:
        PackingError: If the file is not what was written here.
        OSError: If there is none, or it cannot be read.
    """

    def __init__(self, key: str) -> None:
        path = _path(key)
        if path is None:
            raise FileNotFoundError(key)
        self._path = path
        self._file = path.open("rb")
        try:
            self._begin(key)
        except BaseException:
            self._file.close()
            raise

    def _begin(self, key: str) -> None:
        found = os.fstat(self._file.fileno())
        if hasattr(os, "getuid") and found.st_uid != os.getuid():
            raise PackingError("somebody else's file")
        self._left = found.st_size - _DIGEST
        self._digest = hashlib.blake2b(digest_size=_DIGEST)
        if self._take(len(_MAGIC)) != _MAGIC:
            raise PackingError("no snapshot of this version")
        try:
            head = json.loads(self._take(self._length()))
            self.kept = Kept(head["key"], head["notes"], head["digest"])
            self._kinds = tuple((str(kind), tuple(map(int, shape))) for kind, shape in
                                head["kinds"])
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise PackingError(str(error)) from error
        if self.kept.key != key:
            raise PackingError("another key")

    def read(self) -> Packed:
        """Read the rest and compare the digest of the whole.

        Raises:
            PackingError: If anything is not as it was written.
            OSError: If it cannot be read.
        """
        try:
            tree = self._take_bytes(self._length()).decode()
            blobs = tuple(self._blob(kind, shape) for kind, shape in self._kinds)
        except (ValueError, TypeError, MemoryError) as error:
            raise PackingError(str(error)) from error
        if self._left or self._file.read(_DIGEST) != self._digest.digest():
            raise PackingError("damaged")
        with contextlib.suppress(OSError):
            os.utime(self._path)  # what is used stays
        return Packed(tree, self._kinds, blobs)

    def _blob(self, kind: str, shape: tuple[int, ...]) -> bytes | memoryview:
        count = int(np.prod(shape, dtype=object)) if shape else 1
        if kind == "bytes":
            return self._take_bytes(count)
        return memoryview(self._take(count * np.dtype(kind).itemsize))

    def _length(self) -> int:
        return int(_LENGTH.unpack(self._take(_LENGTH.size))[0])

    def _take(self, count: int) -> bytearray:
        """Read so many bytes, which there must be, into memory of their own."""
        if not 0 <= count <= self._left:
            raise PackingError("cut off")
        content = bytearray(count)
        if self._file.readinto(content) != count:
            raise PackingError("cut off")
        self._left -= count
        self._digest.update(content)
        return content

    def _take_bytes(self, count: int) -> bytes:
        if not 0 <= count <= self._left:
            raise PackingError("cut off")
        content = self._file.read(count)
        self._left -= len(content)
        self._digest.update(content)
        return content

    def close(self) -> None:
        """Let the file go."""
        self._file.close()

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()


def _path(key: str) -> Path | None:
    home = folder()
    if home is None:
        return None
    return home / f"{hashlib.blake2b(key.encode(), digest_size=20).hexdigest()}.snapshot"


def _tidy(home: Path, newest: Path) -> None:
    """Let go of what was not used for longest, above the bound; others may do so at once."""
    found = []
    for path in home.iterdir():
        with contextlib.suppress(OSError):
            state = path.stat()
            found.append((state.st_mtime, state.st_size, path))
    total = sum(size for _, size, _ in found)
    last = max((time for time, _, _ in found), default=0.0)
    for time, size, path in sorted(found):
        is_stale = path.suffix == ".part" and time < last - _STALE
        if (total > MOST_BYTES and path != newest) or is_stale:
            with contextlib.suppress(OSError):
                path.unlink()
                total -= size
