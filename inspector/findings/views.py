"""Views kept by name: what stands in the address of the page."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from inspector.core.errors import InspectorError, UsageError, printable
from inspector.findings.faults import damaged
from inspector.findings.records import MOST_WHO, check_name
from inspector.findings.store import Store

MOST_NAME = 80
MOST_VIEWS = 500
_MOST_VALUE = 1_000


class TakenError(InspectorError):
    """There is a view of that name."""


@dataclass(frozen=True, slots=True)
class View:
    """A name for what the address says."""

    name: str
    query: Mapping[str, str]
    who: str = ""
    at: str = ""


def read_views(store: Store, dataset: str, known: Collection[str]) -> list[View]:
    """Give the views of a data set by name; keys that the page does not know are left out."""
    with store.reading() as db:
        rows = db.execute(
            "SELECT name, query, who, at FROM views WHERE dataset = ? "
            "ORDER BY lower(name), name", (dataset,),
        ).fetchall()
    try:
        return [
            View(name, _known({key: str(value) for key, value in json.loads(query).items()}, known),
                 who, at)
            for name, query, who, at in rows
        ]
    except (ValueError, AttributeError, RecursionError) as error:
        raise damaged("saved views") from error


def keep_view(
    store: Store, dataset: str, name: str, query: Mapping[str, str], *, known: Collection[str],
    who: str = "", replace: bool = False,
) -> None:
    """Keep a view; of the query only the keys that the page knows.

    Raises:
        UsageError: If the name or the query cannot be kept.
        TakenError: If there is one of that name, unless it is to be replaced.
        InspectorError: If the file cannot be written.
    """
    name = check_view_name(name)
    kept = _known(query, known)
    for key, value in kept.items():
        check_name(value, f"'{key}'", _MOST_VALUE)
    with store.writing() as db:
        is_there = _exists(db, dataset, name)
        if is_there and not replace:
            raise _taken(name)
        count, = db.execute(
            "SELECT count(*) FROM views WHERE dataset = ?", (dataset,)
        ).fetchone()
        if not is_there and count >= MOST_VIEWS:
            raise UsageError(f"There are {MOST_VIEWS} views already. Delete one first.")
        db.execute(
            "INSERT OR REPLACE INTO views (dataset, name, query, at, who) VALUES (?, ?, ?, ?, ?)",
            (dataset, name, json.dumps(kept), store.now(), check_name(who, "A name", MOST_WHO)),
        )


def rename_view(store: Store, dataset: str, name: str, to: str) -> None:
    """Give a view another name.

    Raises:
        UsageError: If there is no such view, or the new name cannot be one.
        TakenError: If there is one of the new name.
        InspectorError: If the file cannot be written.
    """
    to = check_view_name(to)
    with store.writing() as db:
        if name == to:
            return
        if _exists(db, dataset, to):
            raise _taken(to)
        done = db.execute(
            "UPDATE views SET name = ? WHERE dataset = ? AND name = ?", (to, dataset, name)
        )
        if not done.rowcount:
            raise _unknown(name)


def delete_view(store: Store, dataset: str, name: str) -> None:
    """Take a view away.

    Raises:
        UsageError: If there is no such view.
        InspectorError: If the file cannot be written.
    """
    with store.writing() as db:
        done = db.execute("DELETE FROM views WHERE dataset = ? AND name = ?", (dataset, name))
        if not done.rowcount:
            raise _unknown(name)


def check_view_name(name: str) -> str:
    """Write the name of a view one way.

    Raises:
        UsageError: If it is empty or too long.
    """
    name = " ".join(check_name(name, "The name of a view").split())
    if not 1 <= len(name) <= MOST_NAME:
        raise UsageError(f"The name of a view has 1 to {MOST_NAME} characters.")
    return name


def _known(query: Mapping[str, str], known: Collection[str]) -> dict[str, str]:
    return {key: value for key, value in query.items() if key in known and value}


def _exists(db, dataset: str, name: str) -> bool:  # noqa: ANN001
    return db.execute(
        "SELECT 1 FROM views WHERE dataset = ? AND name = ?", (dataset, name)
    ).fetchone() is not None


def _taken(name: str) -> TakenError:
    return TakenError(
        f"There is a view “{name}” already. Choose another name, or delete that one first."
    )


def _unknown(name: str) -> UsageError:
    return UsageError(f"There is no view “{printable(name[:MOST_NAME])}”.")
