"""Changes of findings: each is an event of the log and, in the same moment, what stands now."""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from inspector.core.errors import InspectorError, UsageError
from inspector.findings.evidence import is_another
from inspector.findings.records import (
    Author,
    Event,
    Evidence,
    Finding,
    Judged,
    Slot,
    check_value,
)
from inspector.findings.store import Store

MOST_TAGS = 100
_TIME = "%Y-%m-%dT%H:%M:%S.%fZ"


class NoteConflictError(InspectorError):
    """Somebody else has written another note in the meantime; both texts are here.

    Attributes:
        yours, theirs: The texts.
        revision: Of theirs; sent as seen, it says that theirs may be replaced.
        who, at: Of theirs.
    """

    def __init__(self, *, yours: str, theirs: str, revision: int, who: str, at: str) -> None:
        self.yours, self.theirs, self.revision, self.who, self.at = yours, theirs, revision, who, at
        super().__init__(
            f"{who or 'Somebody'} has changed this note in the meantime. Keep yours, theirs, or "
            "both."
        )


@dataclass(frozen=True, slots=True)
class Standing:
    """What stands in a slot: its value, the event that changed it last, and the value's own."""

    value: str = ""
    event: int = 0
    source: int | None = None
    at: str = ""
    uid: str = ""


def record(
    store: Store, slot: Slot, value: str, author: Author, *,
    evidence: Evidence | None = None, seen: int = 0,
) -> int:
    """Set a slot to a value; the same value again changes nothing.

    Args:
        store: Where.
        slot: What.
        value: A verdict, the tag itself, a note; empty takes it away.
        author: Who, and from which tab.
        evidence: Of a verdict. The same verdict on another prediction is a change.
        seen: For a note, the revision that its writer had before him.

    Returns:
        The revision of the file.

    Raises:
        UsageError: If the value cannot stand there.
        NoteConflictError: If another's newer note would be lost.
        InspectorError: If the file cannot be written.
    """
    value = check_value(slot.field, value) if value else ""
    evidence = evidence or Evidence()
    with store.writing() as db:
        standing = standing_in(db, slot)
        if value == standing.value and not _is_on_another(db, standing, evidence):
            return store.revision()
        if slot.field == "note":
            _check_seen(db, standing, value, author, seen)
        if slot.field == "tag" and value:
            _check_room(db, slot)
        event = add(db, Event(
            uid=secrets.token_hex(16), at=time_after(store.now(), standing.at), author=author,
            slot=slot, old=standing.value, new=value, evidence=evidence,
        ), before=standing.source)
        put(db, slot, value, event, event)
        return event


def _is_on_another(db: sqlite3.Connection, standing: Standing, evidence: Evidence) -> bool:
    """Whether a verdict that is given again is given on another prediction than before."""
    if not standing.value or not evidence.digest:
        return False
    row = db.execute("SELECT digest FROM events WHERE id = ?", (standing.source,)).fetchone()
    return row is not None and (not row[0] or is_another(row[0], evidence.digest))


def _check_seen(
    db: sqlite3.Connection, standing: Standing, value: str, author: Author, seen: int
) -> None:
    if not standing.value or standing.event == seen:
        return
    client, = db.execute("SELECT client FROM events WHERE id = ?", (standing.event,)).fetchone()
    if author.client and client == author.client:
        return
    who, at = db.execute("SELECT who, at FROM events WHERE id = ?", (standing.source,)).fetchone()
    raise NoteConflictError(
        yours=value, theirs=standing.value, revision=standing.event, who=who, at=at
    )


def _check_room(db: sqlite3.Connection, slot: Slot) -> None:
    count, = db.execute(
        "SELECT count(*) FROM current WHERE dataset = ? AND example_id = ? AND field = 'tag' "
        "AND value <> ''", (slot.dataset, slot.example_id),
    ).fetchone()
    if count >= MOST_TAGS:
        raise UsageError(f"An example has at most {MOST_TAGS} tags. Take one away first.")


def time_after(now: str, last: str) -> str:
    """Keep the times of a slot in order, also where another machine's clock was ahead."""
    if now > last:
        return now
    return (datetime.strptime(last, _TIME) + timedelta(microseconds=1)).strftime(_TIME)


def standing_in(db: sqlite3.Connection, slot: Slot) -> Standing:
    """Give what stands in a slot."""
    row = db.execute(
        "SELECT c.value, c.event, c.source, e.at, e.uid FROM current c "
        "JOIN events e ON e.id = c.event "
        "WHERE c.dataset = ? AND c.example_id = ? AND c.field = ? AND c.about = ?",
        (slot.dataset, slot.example_id, slot.field, slot.about),
    ).fetchone()
    return Standing(*row) if row else Standing()


def add(
    db: sqlite3.Connection, event: Event, *, before: int | None = None, of: int | None = None,
    imported: bool = False,
) -> int:
    """Append an event and give its number; ``before`` and ``of`` are numbers of this file."""
    slot, evidence = event.slot, event.evidence
    cursor = db.execute(
        "INSERT INTO events (uid, at, who, client, dataset, example_id, field, about, old, new, "
        "kind, of, before, iou, failure, digest, imported) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (event.uid, event.at, event.author.who, event.author.client, slot.dataset,
         slot.example_id, slot.field, slot.about, event.old, event.new, event.kind, of, before,
         evidence.iou, evidence.failure, evidence.digest, int(imported)),
    )
    return int(cursor.lastrowid or 0)


def put(
    db: sqlite3.Connection, slot: Slot, value: str, event: int, source: int | None
) -> None:
    """Let a value stand; an emptied slot keeps its row, so that its last event is known."""
    db.execute(
        "INSERT INTO current (dataset, example_id, field, about, value, event, source) "
        "VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (dataset, example_id, field, about) "
        "DO UPDATE SET value = excluded.value, event = excluded.event, source = excluded.source",
        (slot.dataset, slot.example_id, slot.field, slot.about, value, event, source),
    )


def read_findings(store: Store, dataset: str, *, since: int = 0) -> tuple[int, dict[str, Finding]]:
    """Give the revision, and the findings by example id.

    Args:
        store: Where.
        dataset: Key of the data set.
        since: Only examples that have changed after this revision; those that have become empty
            are among them. 0 gives all that are not empty.
    """
    with store.reading() as db:
        revision = store.revision()
        if since >= revision:
            return revision, {}
        only = (
            "AND c.example_id IN (SELECT example_id FROM current WHERE dataset = ? AND event > ?)"
            if since else ""
        )
        rows = db.execute(
            f"{_STANDING} WHERE c.dataset = ? {only} ORDER BY c.example_id",
            (dataset, dataset, since) if since else (dataset,),
        ).fetchall()
    by_example: dict[str, list[Sequence[Any]]] = {}
    for row in rows:
        by_example.setdefault(str(row[0]), []).append(row)
    found = {example: _finding(rows) for example, rows in by_example.items()}
    if not since:
        found = {example: finding for example, finding in found.items() if not finding.is_empty}
    return revision, found


def read_finding(store: Store, dataset: str, example_id: str) -> Finding:
    """Give what stands at one example."""
    with store.reading() as db:
        return _finding(db.execute(
            f"{_STANDING} WHERE c.dataset = ? AND c.example_id = ?", (dataset, example_id)
        ).fetchall())


_STANDING = (
    "SELECT c.example_id, c.field, c.about, c.value, c.event, e.who, e.at, s.who, s.at, s.iou, "
    "s.failure, s.digest FROM current c JOIN events e ON e.id = c.event "
    "LEFT JOIN events s ON s.id = c.source"
)


def _finding(rows: Sequence[Sequence[Any]]) -> Finding:
    verdicts, tags, note, note_revision = {}, [], "", 0
    last, who, at = 0, "", ""
    for _, field, about, value, event, changed_by, changed, own, own_at, *evidence in rows:
        if event > last:
            last, who, at = event, str(changed_by), str(changed)
        if field == "verdict" and value:
            verdicts[str(about)] = Judged(
                str(value), str(own or ""), str(own_at or ""), Evidence(
                    evidence[0] if isinstance(evidence[0], float) else None,
                    str(evidence[1] or ""), str(evidence[2] or ""),
                ),
            )
        elif field == "tag" and value:
            tags.append(str(value))
        elif field == "note":
            note, note_revision = str(value), int(event)
    return Finding(verdicts, tuple(sorted(tags)), note, note_revision, who, at)


def read_events(store: Store, dataset: str = "") -> Iterator[Event]:
    """Give the log in the order of the file; of one data set, or of all."""
    with store.reading() as db:
        rows = db.execute(
            "SELECT e.uid, e.at, e.who, e.client, e.dataset, e.example_id, e.field, e.about, "
            "e.old, e.new, e.kind, coalesce(o.uid, ''), coalesce(b.uid, ''), e.iou, e.failure, "
            "e.digest FROM events e LEFT JOIN events o ON o.id = e.of "
            "LEFT JOIN events b ON b.id = e.before WHERE ? IN ('', e.dataset) ORDER BY e.id",
            (dataset,),
        ).fetchall()
    for row in rows:
        uid, at, who, client, key, example, field, about, old, new, kind, of, before, *rest = row
        yield Event(
            uid, at, Author(who, client), Slot(key, example, field, about), old, new, kind, of,
            before, Evidence(*rest),
        )
