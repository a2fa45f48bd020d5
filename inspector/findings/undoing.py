"""Undo and redo: a tab takes back its own last change, by a further event of the log."""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Container
from dataclasses import dataclass
from typing import Literal

from inspector.findings.log import add, put, standing_in, time_after
from inspector.findings.records import VERDICTS, Author, Event, Slot
from inspector.findings.store import Store

Which = Literal["undo", "redo"]
_MOST_STEPS = 1_000
_LABELS = {verdict.key: verdict.label for verdict in VERDICTS}


@dataclass(frozen=True, slots=True)
class Turned:
    """What an undo or redo has done.

    Attributes:
        said: In words; also why nothing was done.
        example_id: Where; None if nothing was done.
        blocked: Number of the event that was left because somebody else has changed the same
            since; asked with ``past`` this number, the step before it is taken.
    """

    said: str
    example_id: str | None = None
    blocked: int | None = None


@dataclass(frozen=True, slots=True)
class _Step:
    """A change of this tab, and the event that made it stand (or not stand) last."""

    id: int
    last: int


def turn(
    store: Store, which: Which, dataset: str, author: Author, known: Container[str], *,
    past: int | None = None,
) -> Turned:
    """Take back the last own change of a tab, or do again what it took back last.

    Args:
        store: Where.
        which: ``undo`` or ``redo``.
        dataset: Key of the data set.
        author: Whose; only the changes of ``author.client`` count.
        known: Ids of the examples that are open; a change that could not be seen stays.
        past: Leave out this event and those after it (see :attr:`Turned.blocked`).

    Returns:
        What was done. If somebody else has changed the same thing since, nothing is.
    """
    with store.writing() as db:
        undos, redos = _stacks(db, dataset, author.client, known)
        steps = [step for step in (undos if which == "undo" else redos)
                 if past is None or step.id < past]
        if not steps:
            return Turned(f"There is nothing to {which}.")
        step = steps[-1]
        example, field, about, old, new, before = db.execute(
            "SELECT example_id, field, about, old, new, before FROM events WHERE id = ?",
            (step.id,),
        ).fetchone()
        slot = Slot(dataset, example, field, about)
        if other := _changed_since(db, slot, step.last, author.client):
            return Turned(
                f"{other} has changed this {field} since; nothing was {_DONE[which]}.",
                blocked=step.id,
            )
        standing = standing_in(db, slot)
        value, source = (old, before) if which == "undo" else (new, step.id)
        event = add(db, Event(
            uid=secrets.token_hex(16), at=time_after(store.now(), standing.at), author=author,
            slot=slot, old=standing.value, new=value, kind=which,
        ), before=standing.source, of=step.id)
        put(db, slot, value, event, source)
    return Turned(_describe(which, slot, old, new), example)


_DONE = {"undo": "undone", "redo": "redone"}


def _stacks(
    db: sqlite3.Connection, dataset: str, client: str, known: Container[str]
) -> tuple[list[_Step], list[_Step]]:
    """Play the tab's last events again: what it could undo, and what it could redo."""
    undos: list[_Step] = []
    redos: list[_Step] = []
    if not client:
        return undos, redos
    rows = db.execute(
        "SELECT id, kind, of, example_id FROM events WHERE client = ? AND dataset = ? "
        "AND NOT imported ORDER BY id DESC LIMIT ?", (client, dataset, _MOST_STEPS),
    ).fetchall()
    for number, kind, of, example in reversed(rows):
        if example not in known:
            continue
        if kind == "set":
            undos.append(_Step(number, number))
            redos.clear()
            continue
        source, sink = (undos, redos) if kind == "undo" else (redos, undos)
        found = next((step for step in source if step.id == of), None)
        if found is not None:
            source.remove(found)
            sink.append(_Step(found.id, number))
    return undos, redos


def _changed_since(db: sqlite3.Connection, slot: Slot, event: int, client: str) -> str:
    """Name who else has changed a slot after an event; empty if nobody has."""
    row = db.execute(
        "SELECT who FROM events WHERE dataset = ? AND example_id = ? AND field = ? AND about = ? "
        "AND id > ? AND (client <> ? OR imported) ORDER BY id DESC LIMIT 1",
        (slot.dataset, slot.example_id, slot.field, slot.about, event, client),
    ).fetchone()
    return "" if row is None else (row[0] or "Somebody else")


def _describe(which: Which, slot: Slot, old: str, new: str) -> str:
    if slot.field == "verdict":
        what = _LABELS.get(new or old, new or old)
        done = f"verdict “{what}”" if new else f"verdict “{what}” taken away"
    elif slot.field == "tag":
        done = f"tag “{new}”" if new else f"tag “{old}” taken away"
    else:
        done = "note changed" if new and old else "note written" if new else "note deleted"
    return f"{'Undone' if which == 'undo' else 'Done again'}: {done}."
