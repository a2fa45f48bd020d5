"""Findings out of one file and into another.

JSON Lines hold the whole log, one event a line: taken into an empty file they give the same
findings, the same log and the same export. CSV holds what stands now, one value a row, for a
spreadsheet; taken in again it gives the same findings without their history.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from inspector.findings.log import add, put, read_events, standing_in
from inspector.findings.reading import FORMULA, KEYS
from inspector.findings.records import (
    Event,
)
from inspector.findings.store import Store

CSV_COLUMNS = (
    "dataset", "example_id", "sentence", "run", "field", "value", "who", "at", "iou", "failure",
    "digest", "event",
)


@dataclass(frozen=True, slots=True)
class Merged:
    """What became of the lines that were taken in.

    Attributes:
        lines: Number of them.
        added: They stand now, where nothing stood.
        updated: They stand now in place of something older.
        older: Kept in the log; something newer stands already.
        same: They were there before.
        elsewhere: Of the new ones, those about another data set than the open one.
    """

    lines: int
    added: int
    updated: int
    older: int
    same: int
    elsewhere: int


def write_jsonl(store: Store, dataset: str = "") -> Iterator[str]:
    """Give the log as JSON Lines; of one data set, or of all."""
    for event in read_events(store, dataset):
        slot, evidence = event.slot, event.evidence
        values = (
            event.uid, event.at, event.author.who, event.author.client, slot.dataset,
            slot.example_id, slot.field, slot.about, event.old, event.new, event.kind, event.of,
            event.before, evidence.iou, evidence.failure, evidence.digest,
        )
        yield json.dumps(dict(zip(KEYS, values, strict=True)), ensure_ascii=False) + "\n"


def write_csv(
    store: Store, dataset: str, sentence_of: Callable[[str], str] = lambda example_id: ""
) -> Iterator[str]:
    """Give what stands now as CSV, one value a row.

    Cells that a spreadsheet would run as a formula get a leading ``'``, which :func:`read_csv`
    takes away again.
    """
    with store.reading() as db:
        rows = db.execute(
            "SELECT c.dataset, c.example_id, c.field, c.about, c.value, s.who, s.at, s.iou, "
            "s.failure, s.digest, s.uid FROM current c JOIN events s ON s.id = c.source "
            "WHERE c.dataset = ? AND c.value <> '' "
            "ORDER BY c.example_id, s.id", (dataset,),
        ).fetchall()
    yield _csv_line(CSV_COLUMNS)
    for key, example, field, about, value, who, at, iou, failure, digest, uid in rows:
        run = about if field == "verdict" else ""
        yield _csv_line((
            key, example, sentence_of(example), run, field, value, who, at,
            "" if iou is None else repr(iou), failure, digest, uid,
        ))


def _csv_line(cells: tuple[str, ...]) -> str:
    sink = io.StringIO()
    csv.writer(sink, lineterminator="\r\n").writerow(
        [f"'{cell}" if FORMULA.match(cell) else cell for cell in cells]
    )
    return sink.getvalue()


def merge(store: Store, events: list[Event], dataset: str) -> Merged:
    """Take events in: all of them or, if that fails, none.

    What is there already is left out. Where both files say something about the same verdict, tag
    or note, the newer stands; the older is kept in the log.

    Raises:
        InspectorError: If the file cannot be written.
    """
    added = updated = older = same = elsewhere = 0
    with store.writing() as db:
        numbers: dict[str, tuple[int, int | None]] = {
            uid: (number, before) for uid, number, before
            in db.execute("SELECT uid, id, before FROM events")
        }
        for event in events:
            if event.uid in numbers:
                same += 1
                continue
            elsewhere += event.slot.dataset != dataset
            event = event if event.at else replace(event, at=store.now())
            of = numbers.get(event.of, (None, None))
            before = numbers.get(event.before, (None, None))[0]
            number = add(db, event, before=before, of=of[0], imported=True)
            numbers[event.uid] = number, before
            standing = standing_in(db, event.slot)
            if (event.at, event.uid) <= (standing.at, standing.uid):
                older += 1
                continue
            source = {"set": number, "undo": of[1], "redo": of[0]}[event.kind]
            put(db, event.slot, event.new, number, number if source is None else source)
            added += not standing.value
            updated += bool(standing.value)
    return Merged(len(events), added, updated, older, same, elsewhere)
