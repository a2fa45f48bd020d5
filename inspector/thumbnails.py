"""Thumbnails kept in memory, and in the user's cache folder: one small database, safe to delete.

There a thumbnail stands under a digest of the picture's own bytes, so that it is never out of date.
Several processes may use the database at once; where it is broken it is made anew, and where it
cannot be used at all thumbnails are made as if there were none.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sqlite3
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from inspector.cache import cache_folder
from inspector.drawing import thumbnail_recipe

MOST_BYTES = 256_000_000
"""Of the database; above it, a quarter goes: what was not used for longest."""

_DAY = 86_400
_CHECKED_EVERY = 64  # additions after which the size is looked at
_WAIT = 1.0  # seconds for another process to finish
_TABLE = (
    "CREATE TABLE IF NOT EXISTS thumbnails "
    "(key BLOB PRIMARY KEY, day INTEGER, digest BLOB, content BLOB) WITHOUT ROWID"
)

Answer = TypeVar("Answer")


class ThumbnailShelf:
    """Keeps the thumbnails that were made last, up to a number of bytes; for several threads."""

    def __init__(self, most_bytes: int = 64_000_000) -> None:
        self._most_bytes = most_bytes
        self._bytes = 0
        self._kept: OrderedDict[int, bytes] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, row: int) -> bytes | None:
        """Give the thumbnail of a picture, if it is there."""
        with self._lock:
            if row in self._kept:
                self._kept.move_to_end(row)
            return self._kept.get(row)

    def put(self, row: int, content: bytes) -> None:
        """Keep a thumbnail; the ones not used for longest go."""
        with self._lock:
            self._bytes += len(content) - len(self._kept.pop(row, b""))
            self._kept[row] = content
            while self._bytes > self._most_bytes:
                _, gone = self._kept.popitem(last=False)
                self._bytes -= len(gone)


class KeptThumbnails:
    """The thumbnails of all data sets that this user has looked at; for several threads."""

    def __init__(self) -> None:
        folder = cache_folder()
        self._path = folder / "thumbnails.sqlite" if folder is not None else None
        self._connection: sqlite3.Connection | None = None
        self._lock = threading.Lock()
        self._added = 0

    def get(self, picture: bytes) -> bytes | None:
        """Give the thumbnail of a picture, if there is one that is whole."""
        key = _key(picture)

        def read(connection: sqlite3.Connection) -> bytes | None:
            found = connection.execute(
                "SELECT day, digest, content FROM thumbnails WHERE key = ?", (key,)
            ).fetchone()
            if found is None or _digest(found[2]) != found[1]:
                return None
            today = int(time.time() / _DAY)
            if found[0] != today:  # what is used stays
                connection.execute("UPDATE thumbnails SET day = ? WHERE key = ?", (today, key))
            return bytes(found[2])

        return self._ask(read)

    def put(self, picture: bytes, small: bytes) -> None:
        """Keep the thumbnail of a picture."""
        row = (_key(picture), int(time.time() / _DAY), _digest(small), small)

        def write(connection: sqlite3.Connection) -> None:
            connection.execute("INSERT OR REPLACE INTO thumbnails VALUES (?, ?, ?, ?)", row)
            self._added += 1
            if self._added % _CHECKED_EVERY == 0:
                _tidy(connection)

        self._ask(write)

    def close(self) -> None:
        """Let the database go."""
        with self._lock:
            self._let_go()

    def _ask(self, question: Callable[[sqlite3.Connection], Answer]) -> Answer | None:
        """Answer from the database; None if that is not possible now, which costs only time."""
        with self._lock:
            if self._path is None:
                return None
            try:
                return question(self._open(self._path))
            except sqlite3.OperationalError:  # locked, full, not to be written: perhaps later
                return None
            except (sqlite3.DatabaseError, TypeError):  # no database, or of another kind
                self._let_go()
                with contextlib.suppress(OSError):
                    self._path.unlink()
            except OSError:
                self._path = None
            return None

    def _open(self, path: Path) -> sqlite3.Connection:
        if self._connection is None or not path.exists():  # deleted meanwhile: begin anew
            self._let_go()
            path.parent.mkdir(parents=True, exist_ok=True)
            if hasattr(os, "getuid") and path.exists() and path.stat().st_uid != os.getuid():
                raise PermissionError(path)
            self._connection = sqlite3.connect(
                path, timeout=_WAIT, isolation_level=None, check_same_thread=False
            )
            self._connection.execute("PRAGMA synchronous = OFF")  # a lost one is made again
            self._connection.execute(_TABLE)
        return self._connection

    def _let_go(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _key(picture: bytes) -> bytes:
    return hashlib.blake2b(thumbnail_recipe().encode() + b"\0" + picture, digest_size=20).digest()


def _digest(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=8).digest()


def _tidy(connection: sqlite3.Connection) -> None:
    """Make room above the bound; the pages that become free are used again."""
    def pragma(name: str) -> int:
        return int(connection.execute(f"PRAGMA {name}").fetchone()[0])

    used = (pragma("page_count") - pragma("freelist_count")) * pragma("page_size")
    if used > MOST_BYTES:
        connection.execute(
            "DELETE FROM thumbnails WHERE key IN (SELECT key FROM thumbnails ORDER BY day "
            "LIMIT (SELECT count(*) / 4 + 1 FROM thumbnails))"
        )
