"""Findings as something to filter and sort by: a table that follows what people write."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class FoundRows:
    """Findings, a row for each thing found.

    Attributes:
        revision: Grows with every change.
        rows: (kind, run, place, value, age): ``verdict`` with its value, ``tag`` with the tag,
            ``noted`` with ``any`` for every example that has something and ``note`` for those
            with a note. The run's number, -1 where it is of no run; the age grows with time.
    """

    revision: int
    rows: list[tuple[str, int, int, str, int]]


Source = Callable[[int], FoundRows | None]
"""Gives the findings if they have changed since a revision, else None."""


class FoundTable:
    """The table ``found`` of one database, brought up to date before it is asked."""

    def __init__(self, connection: Any, source: Source | None) -> None:
        self._connection, self._source = connection, source
        self._revision = -1
        self._lock = threading.Lock()
        connection.execute(
            "CREATE TABLE found (kind VARCHAR, run INTEGER, place INTEGER, value VARCHAR, "
            "age BIGINT)"
        )

    def refresh(self) -> None:
        """Read the findings again if they have changed."""
        if self._source is None:
            return
        with self._lock:
            found = self._source(self._revision)
            if found is None:
                return
            import pyarrow as pa

            names = ("kind", "run", "place", "value", "age")
            types = (pa.string(), pa.int32(), pa.int32(), pa.string(), pa.int64())
            columns = list(zip(*found.rows, strict=True)) or [()] * len(names)
            incoming = pa.table({
                name: pa.array(list(values), kind)
                for name, values, kind in zip(names, columns, types, strict=True)
            })
            cursor = self._connection.cursor()
            cursor.register("found_now", incoming)
            cursor.execute(
                "BEGIN; DELETE FROM found; INSERT INTO found SELECT * FROM found_now; COMMIT"
            )
            cursor.unregister("found_now")
            self._revision = found.revision
