"""What may be wrong with a findings file, in words; and the checks that find it out."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from inspector.core.errors import InspectorError
from inspector.findings.schema import APPLICATION_ID, VERSION

BUSY_SECONDS = 5.0


class StoreError(InspectorError):
    """The findings file could not be read or written; nothing was changed."""


class NotWritableError(InspectorError):
    """Findings cannot be written here at all; says why."""


def check_kind(path: Path) -> None:
    """Refuse what SQLite would take for an empty database and write over, and what is no file."""
    if not path.is_file():
        raise StoreError(f"{path} is no file. Name a file.")
    with path.open("rb") as file:
        begin = file.read(len(_MAGIC))
    if begin and begin != _MAGIC:
        raise StoreError(_FAULTS["SQLITE_NOTADB"])


def version_of(connection: sqlite3.Connection) -> int:
    """Give the version of the tables, 0 for an empty file.

    Raises:
        StoreError: If it is another program's database, or a newer version's.
    """
    owner = connection.execute("PRAGMA application_id").fetchone()[0]
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if owner != APPLICATION_ID and (tables or version):
        raise StoreError("It is the database of another program. Choose another file.")
    if version > VERSION:
        raise StoreError(
            f"It was written by a newer inspector (version {version} of the file, this one knows "
            f"{VERSION}). Update the inspector, or choose another file."
        )
    return version


def check_tables(connection: sqlite3.Connection) -> None:
    """Refuse a file of this version that lacks something, or holds what it must not.

    Raises:
        StoreError: If it is damaged.
    """
    try:
        connection.execute(
            "SELECT uid, imported, of, before, at, who, client, dataset, example_id, field, about, "
            "old, new, kind, iou, failure, digest FROM events LIMIT 0"
        )
        connection.execute("SELECT value, event, source FROM current LIMIT 0")
        connection.execute("SELECT strata, places FROM queues LIMIT 0")
        connection.execute("SELECT name, query FROM views LIMIT 0")
        said = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        if said == "ok":
            said = next((f"{table} holds what it must not" for table, rule in _KINDS.items()
                         if connection.execute(
                             f"SELECT 1 FROM {table} WHERE NOT ({rule}) LIMIT 1").fetchone()), "ok")
    except sqlite3.OperationalError as error:
        if "no such" not in str(error):
            raise
        said = str(error)
    if said != "ok":
        raise damaged(said)


def damaged(what: str) -> StoreError:
    """Say that a file does not hold what an inspector writes."""
    return StoreError(f"The file is damaged ({what}). Restore a copy of it.")


def _all_of(kind: str, *columns: str) -> str:
    return " AND ".join(f"typeof({column}) IN ({kind})" for column in columns)


_KINDS = {  # a column of SQLite may hold anything, whatever it was declared as
    "events": " AND ".join((
        _all_of("'text'", "uid", "at", "who", "client", "dataset", "example_id", "field", "about",
                "old", "new", "kind", "failure", "digest"),
        _all_of("'integer', 'null'", "of", "before"), _all_of("'real', 'null'", "iou"),
    )),
    "current": " AND ".join((
        _all_of("'text'", "dataset", "example_id", "field", "about", "value"),
        _all_of("'integer'", "event"), _all_of("'integer', 'null'", "source"),
    )),
    "queues": " AND ".join((
        _all_of("'text'", "at", "who", "dataset", "run", "run_digest", "how", "strata", "places"),
        _all_of("'integer'", "size", "seed", "examples", "correct"), _all_of("'real'", "threshold"),
    )),
    "views": _all_of("'text'", "dataset", "name", "query", "at", "who"),
}


_MAGIC = b"SQLite format 3\0"
_FAULTS = {
    "SQLITE_NOTADB": "It is no findings file. Choose another file.",
    "SQLITE_CORRUPT": "The file is damaged. Restore a copy of it.",
    "SQLITE_FULL": "The disk is full. Make room.",
    "SQLITE_BUSY": f"Another program has locked it for more than {BUSY_SECONDS:g} seconds. "
                   "Close that program, or try again.",
    "SQLITE_READONLY": "It may not be written. Choose another file with --findings FILE.",
    "SQLITE_CANTOPEN": "It, or its folder, may not be written. Choose another file with "
                       "--findings FILE.",
    "SQLITE_PERM": "It may not be written. Choose another file with --findings FILE.",
    "SQLITE_IOERR": "The disk reported a fault.",
}


def describe_fault(error: sqlite3.Error) -> str:
    """Say what is the matter with the file, as a sentence or two."""
    name = getattr(error, "sqlite_errorname", "") or ""
    known = next((text for key, text in _FAULTS.items() if name.startswith(key)), None)
    return known or f"The database says: {error}."
