"""Findings out of one file and into another.

JSON Lines hold the whole log, one event a line: taken into an empty file they give the same
findings, the same log and the same export. CSV holds what stands now, one value a row, for a
spreadsheet; taken in again it gives the same findings without their history.
"""

from __future__ import annotations

import csv
import io
import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass, replace

from inspector.findings.log import Standing, add, put, read_events, standing_in
from inspector.findings.reading import FORMULA, KEYS
from inspector.findings.records import Event, Slot
from inspector.findings.store import Store

CSV_COLUMNS = (
    "dataset", "example_id", "sentence", "run", "field", "value", "who", "at", "iou", "failure",
    "digest", "event",
)


@dataclass(frozen=True, slots=True)
class Merged:
    """What became of what was taken in.

    All but ``lines`` and ``same`` count slots, that is verdicts, tags and notes, by what stood
    there before and what stands there after: a slot that the lines change five times counts once,
    one that they set and empty again not at all.

    Attributes:
        lines: Number of them.
        added: Something stands now where nothing stood.
        updated: It stands now in place of something older.
        removed: Nothing stands any more.
        older: Unchanged, because something newer stood already; the lines are kept in the log.
        same: Lines that were there before.
        elsewhere: Of the slots, those of another data set than the open one.
        unknown: Of the slots, those of the open data set whose examples are not open.
    """

    lines: int
    added: int = 0
    updated: int = 0
    removed: int = 0
    older: int = 0
    same: int = 0
    elsewhere: int = 0
    unknown: int = 0


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


def merge(
    store: Store, events: list[Event], dataset: str, *, open_ids: Container[str] | None = None
) -> Merged:
    """Take events in: all of them or, if that fails, none.

    What is there already is left out. Where both files say something about the same verdict, tag
    or note, the newer stands; the older is kept in the log.

    Args:
        store: What they are taken into.
        events: As they were read.
        dataset: Key of the open data set, against which :class:`Merged` counts.
        open_ids: Ids of its examples that are open; None for all.

    Raises:
        InspectorError: If the file cannot be written.
    """
    same = 0
    before: dict[Slot, Standing] = {}
    with store.writing() as db:
        numbers: dict[str, tuple[int, int | None]] = {
            uid: (number, before) for uid, number, before
            in db.execute("SELECT uid, id, before FROM events")
        }
        for event in events:
            if event.uid in numbers:
                same += 1
                continue
            event = event if event.at else replace(event, at=store.now())
            standing = standing_in(db, event.slot)
            before.setdefault(event.slot, standing)
            numbers[event.uid] = _take_in(db, event, standing, numbers)
        after = {slot: standing_in(db, slot) for slot in before}
    became = Counter(_became(before[slot], after[slot]) for slot in before)
    return Merged(
        len(events), became["added"], became["updated"], became["removed"], became["older"], same,
        elsewhere=sum(slot.dataset != dataset for slot in before),
        unknown=sum(
            slot.dataset == dataset and slot.example_id not in open_ids for slot in before
        ) if open_ids is not None else 0,
    )


def _take_in(
    db: sqlite3.Connection, event: Event, standing: Standing,
    numbers: Mapping[str, tuple[int, int | None]],
) -> tuple[int, int | None]:
    """Write one event down, and let it stand if it is newer than what does; give its numbers."""
    of = numbers.get(event.of, (None, None))
    before = numbers.get(event.before, (None, None))[0]
    number = add(db, event, before=before, of=of[0], imported=True)
    if (event.at, event.uid) > (standing.at, standing.uid):
        source = {"set": number, "undo": of[1], "redo": of[0]}[event.kind]
        put(db, event.slot, event.new, number, number if source is None else source)
    return number, before


def _became(before: Standing, after: Standing) -> str:
    """Name the field of :class:`Merged` that counts a slot; "" for none."""
    if before.event == after.event:
        return "older"
    if before.value and after.value:
        return "updated"
    return "added" if after.value else "removed" if before.value else ""
