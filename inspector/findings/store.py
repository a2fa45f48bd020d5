"""The findings file: opened, kept safe, and every fault of it said in words.

SQLite with a rollback journal: everything is in one file that may be copied while the page is
open, and it works on network drives, where a write-ahead log does not.
"""

from __future__ import annotations

import contextlib
import sqlite3
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from inspector.findings.faults import (
    BUSY_SECONDS,
    NotWritableError,
    StoreError,
    check_kind,
    check_tables,
    describe_fault,
    version_of,
)
from inspector.findings.schema import VERSION, bring_up_to_date

PATIENCE_SECONDS = 0.2
REST_SECONDS = 2.0
"""How long :meth:`Store.promptly` waits for the file, and for how long not at all after that."""


class Store:
    """One findings file; safe for several threads, and beside other processes on the same file.

    What was written is on the disk (``synchronous=EXTRA``) when :meth:`writing` ends.

    Attributes:
        path: The file, or None where nothing is kept.
        can_write: Whether findings may be written.
        why: If not, the reason, as a sentence.
        fault: What keeps the file from being read even, as a sentence; empty if it is read.
    """

    def __init__(
        self, connection: sqlite3.Connection, path: Path | None, *, why: str = "", fault: str = ""
    ) -> None:
        self.path, self.why, self.can_write, self.fault = path, why, not why, fault
        self._rests_until = 0.0
        self._connection = connection
        self._lock = threading.RLock()
        self._identity = _identity(path) if path else None

    @property
    def place(self) -> str:
        """The file as it is shown."""
        return str(self.path) if self.path else ""

    @contextlib.contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Give the connection for questions that belong together.

        Raises:
            StoreError: If the file cannot be read.
        """
        with self._lock, self._in_words("read"):
            if self._connection.in_transaction:  # inside a writing: that one's view holds
                yield self._connection
                return
            with self._transaction("BEGIN"):
                yield self._connection

    @contextlib.contextmanager
    def promptly(self) -> Iterator[None]:
        """Let what is read inside fail soon, rather than wait for whoever has locked the file.

        Raises:
            StoreError: If the file cannot be had, or could not be a moment ago.
        """
        busy = StoreError(f"The findings file is in use. (file: {self.path})")
        if time.monotonic() < self._rests_until:
            raise busy
        if not self._lock.acquire(timeout=PATIENCE_SECONDS):
            self._rests_until = time.monotonic() + REST_SECONDS
            raise busy
        try:
            with self._in_words("read"):
                self._wait_for(PATIENCE_SECONDS)
            yield
        except StoreError:
            self._rests_until = time.monotonic() + REST_SECONDS
            raise
        finally:
            with contextlib.suppress(sqlite3.Error):  # of a file that was closed meanwhile
                self._wait_for(BUSY_SECONDS)
            self._lock.release()

    def _wait_for(self, seconds: float) -> None:
        self._connection.execute(f"PRAGMA busy_timeout = {round(1000 * seconds)}")

    @contextlib.contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Give the connection for one change; it is on the disk when the block has ended.

        Raises:
            NotWritableError: If findings may not be written here.
            StoreError: If that fails; then nothing was changed.
        """
        self.check_writable()
        with self._lock, self._in_words("written"):
            self._check_same_file()
            with self._transaction("BEGIN IMMEDIATE"):
                yield self._connection
            self._check_same_file()
            self._rests_until = 0.0

    def check_writable(self) -> None:
        """Say at once what writing would say.

        Raises:
            NotWritableError: If findings may not be written here.
        """
        if not self.can_write:
            raise NotWritableError(f"Findings cannot be kept: {self.why}")

    def revision(self) -> int:
        """Give the number of the last event, of whichever process."""
        with self.reading() as db:
            return int(db.execute("SELECT coalesce(max(id), 0) FROM events").fetchone()[0])

    def now(self) -> str:
        """The time as events hold it."""
        return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._connection.close()

    @contextlib.contextmanager
    def _transaction(self, begin: str) -> Iterator[None]:
        self._connection.execute(begin)
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            with contextlib.suppress(sqlite3.Error):  # SQLite may have rolled back by itself
                self._connection.execute("ROLLBACK")
            raise

    @contextlib.contextmanager
    def _in_words(self, done: str) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise StoreError(
                f"The findings file could not be {done}: {describe_fault(error)} "
                f"(file: {self.path})"
            ) from error

    def _check_same_file(self) -> None:
        """A file that was removed under way takes what is written to it along."""
        if self.path is not None and _identity(self.path) != self._identity:
            raise StoreError(
                "The findings file was removed or replaced while the page was open; nothing was "
                f"saved. Put it back, or open the page anew. (file: {self.path})"
            )


def open_store(path: Path, *, read_only: bool = False) -> Store:
    """Open or make a findings file; whatever is wrong with it is a reason, not an exception.

    Args:
        path: The file; its folder must be there.
        read_only: Whether findings may only be looked at.

    Returns:
        A store that can be written, or one that cannot and says why. One that cannot shows what
        the file holds if that can be read.
    """
    if read_only:
        return _open_to_read(path, "The page was opened with --read-only.")
    made = not path.exists()
    try:
        if not made:
            check_kind(path)
        connection = _connect(path, "rwc")
        try:
            _prepare(connection)
        except BaseException:
            connection.close()
            raise
    except sqlite3.Error as error:
        if made:
            _forget_empty(path)
        return _open_to_read(path, describe_fault(error))
    except (OSError, StoreError) as error:
        return _open_to_read(path, str(error))
    return Store(connection, path)


def no_store(why: str) -> Store:
    """Give a store that holds nothing and keeps nothing."""
    return Store(_empty(), None, why=why)


def _open_to_read(path: Path, why: str) -> Store:
    """Show what the file holds, if that can be read; an older file is read through a copy."""
    try:
        if not path.is_file() or not path.stat().st_size:
            return Store(_empty(), path, why=why)
        check_kind(path)
        connection = _connect(path, "ro")
        try:
            version = version_of(connection)
            if version < VERSION:
                with contextlib.closing(connection) as older:
                    connection = _connect(None, "memory")
                    older.backup(connection)
                    bring_up_to_date(connection, version)
            check_tables(connection)
        except BaseException:
            connection.close()
            raise
    except (OSError, StoreError, sqlite3.Error) as error:
        said = describe_fault(error) if isinstance(error, sqlite3.Error) else str(error)
        return Store(_empty(), path, why=why if said == why else f"{why} {said}", fault=said)
    return Store(connection, path, why=why)


def _prepare(connection: sqlite3.Connection) -> None:
    """Bring the file up to date; also finds out whether it can be written at all."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        version = version_of(connection)
        if version == VERSION:
            check_tables(connection)
            connection.execute(f"PRAGMA user_version = {VERSION}")  # opens the journal: may fail
            connection.execute("ROLLBACK")
            return
        bring_up_to_date(connection, version)
        connection.execute("COMMIT")
    except BaseException:
        with contextlib.suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise


def _connect(path: Path | None, mode: str) -> sqlite3.Connection:
    where = f"{path.absolute().as_uri()}?mode={mode}" if path else ":memory:"
    connection = sqlite3.connect(
        where, uri=True, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
    )
    for setting in ("synchronous = EXTRA", "trusted_schema = OFF", "cell_size_check = ON"):
        connection.execute(f"PRAGMA {setting}")
    return connection


def _empty() -> sqlite3.Connection:
    connection = _connect(None, "memory")
    bring_up_to_date(connection, 0)
    return connection


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        state = path.stat()
    except OSError:
        return None
    return state.st_dev, state.st_ino


def _forget_empty(path: Path) -> None:
    """Take away the file that a failed opening has made."""
    with contextlib.suppress(OSError):
        if path.stat().st_size == 0:
            path.unlink()
