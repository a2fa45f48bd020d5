"""Findings files of other formats, read: JSON Lines and CSV, of this program or by hand.

Either all lines can be read or the first that cannot is named.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import math
import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from inspector.core.errors import FormatError, InspectorError
from inspector.core.json_faults import json_fault, kind_of
from inspector.findings.records import (
    FIELDS,
    MOST_WHO,
    Author,
    Event,
    Evidence,
    Slot,
    check_name,
    check_value,
)

KEYS = (
    "event", "at", "who", "client", "dataset", "example_id", "field", "about", "old", "new", "kind",
    "of", "before", "iou", "failure", "digest",
)
"""Keys of an event as a line of JSON."""

KINDS = ("set", "undo", "redo")
FORMULA = re.compile(r"'*[=+\-@\t\r]")
"""Begins a cell that a spreadsheet would run, or one that was kept from it."""

_UID = re.compile(r"[0-9a-f]{32}")
_SLACK = timedelta(days=1)  # clocks differ; a day is no clock any more


def read_jsonl(text: str, dataset: str) -> list[Event]:
    """Read a log, or lines written by hand.

    A line by hand needs ``example_id`` (of the open data set, unless ``dataset`` is set),
    ``field``, ``value`` and, for a verdict, ``run``; ``at`` and ``who`` are of use.

    Raises:
        FormatError: If a line is none of these; names the line. Then nothing may be taken in.
    """
    events = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            events.append(_read_line(line, dataset, f"line {number}"))
    return events


def _read_line(line: str, dataset: str, where: str) -> Event:
    try:
        record = json.loads(line, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise FormatError(json_fault(error)[0], record=where, hint=_HINT) from error
    if not isinstance(record, dict):
        raise FormatError(
            f"must be an object, but is {kind_of(record)}", record=where, hint=_HINT
        )
    return _read_record(record, dataset, where)


_HINT = "Nothing was taken in. Mend the line, or take it out."


def _refuse_constant(constant: str) -> None:
    raise ValueError(f"{constant} is no number")


def read_csv(text: str, dataset: str) -> list[Event]:
    """Read what :func:`write_csv` wrote; of a table by hand, columns as for JSON Lines.

    Raises:
        FormatError: If a row cannot be read; names its line. Then nothing may be taken in.
    """
    rows = csv.reader(io.StringIO(text, newline=""), strict=True)
    events = []
    try:
        head = [cell.removeprefix("\ufeff").strip() for cell in next(rows, [])]
        for row in rows:
            if any(row):
                where = f"line {rows.line_num}"
                if len(row) != len(head):
                    raise FormatError(
                        f"has {len(row)} cells, but the head has {len(head)}", record=where,
                        hint=_HINT,
                    )
                cells = {key: cell[1:] if cell.startswith("'") and FORMULA.match(cell) else cell
                         for key, cell in zip(head, row, strict=True)}
                cells.pop("sentence", None)  # for people only
                events.append(_read_record(
                    {key: cell for key, cell in cells.items() if cell}, dataset, where
                ))
    except csv.Error as error:
        raise FormatError(
            f"is no CSV ({error})", record=f"line {rows.line_num}", hint=_HINT
        ) from error
    return events


def _read_record(record: Mapping[str, Any], dataset: str, where: str) -> Event:
    known = (*KEYS, "value", "run", "tag")
    unknown = [key for key in record if key not in known]
    if unknown:
        raise FormatError(
            f"has the unknown key '{unknown[0][:40]}', expected some of {', '.join(known)}",
            record=where, hint=_HINT,
        )

    def text(key: str, default: str = "") -> str:
        value = record.get(key, default)
        if not isinstance(value, str):
            raise FormatError(
                f"{key} must be text, but is {kind_of(value)}", record=where, hint=_HINT
            )
        return value

    try:
        field = text("field")
        if field not in FIELDS:
            raise FormatError(
                f"field must be one of {', '.join(FIELDS)}, but is '{field[:40]}'",
                record=where, hint=_HINT,
            )
        new = check_value(field, value) if (value := text("new", text("value"))) else ""
        old = check_value(field, value) if (value := text("old")) else ""
        about = {"verdict": text("about", text("run")), "tag": new or old, "note": ""}[field]
        slot = Slot(
            check_name(text("dataset") or dataset, "dataset"),
            check_name(text("example_id"), "example_id"), field, check_name(about, "run"),
        )
        if not slot.example_id or field != "note" and not slot.about:
            raise FormatError(
                f"a {field} needs an example_id{' and a run' if field == 'verdict' else ''}",
                record=where, hint=_HINT,
            )
        author = Author(
            check_name(text("who"), "who", MOST_WHO), check_name(text("client"), "client")
        )
        kind = text("kind", "set")
        if kind not in KINDS:
            raise FormatError(
                f"kind must be one of {', '.join(KINDS)}, but is '{kind[:40]}'", record=where,
                hint=_HINT,
            )
        event = Event(
            "", _read_time(text("at")), author, slot, old, new, kind,
            _read_uid(text("of")), _read_uid(text("before")),
            Evidence(_read_iou(record.get("iou")), check_name(text("failure"), "failure"),
                     check_name(text("digest"), "digest")),
        )
        return replace(event, uid=_read_uid(text("event")) or _uid_of(event))
    except FormatError:
        raise
    except InspectorError as error:
        raise FormatError(str(error), record=where, hint=_HINT) from error


def _uid_of(event: Event) -> str:
    """Name a line that has no name by what it says, so that it is known when it comes again."""
    return hashlib.sha256(repr(event).encode()).hexdigest()[:32]


def _read_uid(text: str) -> str:
    if text and not _UID.fullmatch(text):
        raise InspectorError(
            f"'{text[:40]}' is no name of an event. Expected are 32 digits, 0-9 and a-f."
        )
    return text


def _read_time(text: str) -> str:
    """Write a time as the log does; empty stays empty: the time of taking in.

    Raises:
        InspectorError: If it is no time, or lies in the future: nothing newer could ever replace
            what stands then.
    """
    if not text:
        return ""
    try:
        time = datetime.fromisoformat(text)
        time = (time if time.tzinfo else time.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        raise InspectorError(f"'{text[:40]}' is no time such as 2024-05-01T12:00:00Z.") from None
    if time > datetime.now(UTC) + _SLACK:
        raise InspectorError(f"{text[:40]} lies in the future. Is the clock there right?")
    return time.replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"


def _read_iou(value: Any) -> float | None:
    if value is None or value == "":
        return None
    try:
        iou = float(value) if isinstance(value, (str, int, float)) else math.nan
    except (ValueError, OverflowError):  # a whole number of hundreds of digits
        iou = math.nan
    if isinstance(value, bool) or not 0 <= iou <= 1:
        raise InspectorError("'iou' must be a number from 0 to 1.")
    return iou
