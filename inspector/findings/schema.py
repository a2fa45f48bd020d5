"""The tables of a findings file and how an older file is brought up to date.

A version is never changed once it was released: what is new is a further step.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable

APPLICATION_ID = 0x52455349  # "RESI", in the file's header: whose file it is

_VERSION_1 = (
    """CREATE TABLE events (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        at TEXT NOT NULL, who TEXT NOT NULL, client TEXT NOT NULL,
        dataset TEXT NOT NULL, example_id TEXT NOT NULL, field TEXT NOT NULL, about TEXT NOT NULL,
        old TEXT NOT NULL, new TEXT NOT NULL,
        kind TEXT NOT NULL, of INTEGER, before INTEGER,
        iou REAL, failure TEXT NOT NULL, digest TEXT NOT NULL)""",
    "CREATE INDEX events_of_client ON events (client, id)",
    # What stands now. `event` changed it last; `source` set the value that stands, which after
    # an undo is an earlier event: its time, its author and its evidence are the value's.
    """CREATE TABLE current (
        dataset TEXT NOT NULL, example_id TEXT NOT NULL, field TEXT NOT NULL, about TEXT NOT NULL,
        value TEXT NOT NULL, event INTEGER NOT NULL, source INTEGER,
        PRIMARY KEY (dataset, example_id, field, about)) WITHOUT ROWID""",
    "CREATE INDEX current_by_event ON current (dataset, event)",
)

_VERSION_2 = (
    # Numbers of events are a file's own. Findings of two people are merged by names that hold
    # everywhere, so that what is taken in twice is known again.
    "ALTER TABLE events ADD COLUMN uid TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE events ADD COLUMN imported INTEGER NOT NULL DEFAULT 0",
    """CREATE TABLE queues (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        at TEXT NOT NULL, who TEXT NOT NULL, dataset TEXT NOT NULL,
        run TEXT NOT NULL, run_digest TEXT NOT NULL,
        size INTEGER NOT NULL, how TEXT NOT NULL, seed INTEGER NOT NULL,
        threshold REAL NOT NULL, examples INTEGER NOT NULL, correct INTEGER NOT NULL,
        strata TEXT NOT NULL, places TEXT NOT NULL)""",
    """CREATE TABLE views (
        dataset TEXT NOT NULL, name TEXT NOT NULL, query TEXT NOT NULL,
        at TEXT NOT NULL, who TEXT NOT NULL,
        PRIMARY KEY (dataset, name)) WITHOUT ROWID""",
)


def _to_1(connection: sqlite3.Connection) -> None:
    for statement in _VERSION_1:
        connection.execute(statement)


def _to_2(connection: sqlite3.Connection) -> None:
    for statement in _VERSION_2:
        connection.execute(statement)
    rows = connection.execute(
        "SELECT id, at, who, client, dataset, example_id, field, about, new FROM events"
    ).fetchall()
    connection.executemany(
        "UPDATE events SET uid = ? WHERE id = ?",
        # From the content: two copies of a file that are brought up to date apart agree.
        [(hashlib.sha256("\0".join(map(str, row)).encode()).hexdigest()[:32], row[0])
         for row in rows],
    )
    connection.execute("CREATE UNIQUE INDEX events_by_uid ON events (uid)")
    for change in ("UPDATE", "DELETE"):
        connection.execute(
            f"CREATE TRIGGER events_keep_{change.lower()} BEFORE {change} ON events "
            "BEGIN SELECT RAISE(ABORT, 'the log of findings only grows'); END"
        )


STEPS: tuple[Callable[[sqlite3.Connection], None], ...] = (_to_1, _to_2)
VERSION = len(STEPS)


def bring_up_to_date(connection: sqlite3.Connection, version: int) -> None:
    """Take the steps from a version to the newest, inside the caller's transaction."""
    for step in STEPS[version:]:
        step(connection)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {VERSION}")
