"""The first pass: what every record names, without its mask."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, overload

import numpy as np

from inspector.core.errors import FormatError
from inspector.core.problems import ProblemLog
from inspector.engine.reading import PieceLog, PieceReader, number_in, where_of
from inspector.engine.shards import Piece
from inspector.predictions.records import NO_MASK, SENTENCE_KEYS, PredictionRecord

if TYPE_CHECKING:
    import pyarrow as pa

_IDS = ("example_id", "sent_id", *SENTENCE_KEYS)
_SAID = b"said"
_LISTED = 200  # of one code, as a log lists them; the rest is counted


def read_keys(piece: Piece) -> pa.Table:
    """Read the keys of a piece; what is wrong in it stands in the table's metadata.

    Returns:
        One row a record: ``number`` (of its line or row, from 0), the ids and ``sentence`` (empty
        where it has none), ``has_mask`` (also where it says "no target"), ``fault``.

    Raises:
        FormatError: If the shard cannot be used.
        OSError: If it cannot be read.
    """
    import pyarrow as pa

    log, reader = PieceLog(), PieceReader(piece)
    columns: dict[str, list[object]] = {
        name: [] for name in ("number", *_IDS, "sentence", "has_mask", "fault")
    }
    for record in reader.records(log, keys_only=True):
        columns["number"].append(number_in(record.where) - piece.first)
        for key in _IDS:
            columns[key].append(record.ids.get(key))
        columns["sentence"].append(record.sentence)
        columns["has_mask"].append(record.mask is not NO_MASK)
        columns["fault"].append(record.fault)
    kinds = {"number": pa.int64(), "has_mask": pa.bool_()}
    said = [
        (code, number_in(where) - piece.first, message)
        for code, _, where, message in log.said[:_LISTED]
    ]
    known = {"lines": reader.lines, "problems": said, "all": len(log.said)}
    return pa.table(
        [pa.array(values, kinds.get(name, pa.string())) for name, values in columns.items()],
        schema=pa.schema(
            [(name, kinds.get(name, pa.string())) for name in columns],
            {_SAID: json.dumps(known).encode()},
        ),
    )


@dataclass(frozen=True)
class Keys(Sequence[PredictionRecord]):
    """The records of a whole run, made one by one from their keys; none has its mask.

    Attributes:
        pieces: Every piece, now with the number of its first line or row.
        tables: What :func:`read_keys` gave for each.
    """

    pieces: tuple[Piece, ...]
    tables: tuple[pa.Table, ...]

    @cached_property
    def begin(self) -> list[int]:
        """Row of each piece's first record, and at last the number of all records."""
        return np.cumsum([0, *(table.num_rows for table in self.tables)]).tolist()

    def __len__(self) -> int:
        return self.begin[-1]

    @overload
    def __getitem__(self, index: int) -> PredictionRecord: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[PredictionRecord]: ...
    def __getitem__(self, index: int | slice) -> PredictionRecord | Sequence[PredictionRecord]:
        if isinstance(index, slice):
            return [self[row] for row in range(*index.indices(len(self)))]
        if not 0 <= index < len(self):
            raise IndexError(index)
        place = bisect_right(self.begin, index) - 1
        row = self.tables[place].slice(index - self.begin[place], 1)
        return next(_records(self.pieces[place], row))

    def __iter__(self) -> Iterator[PredictionRecord]:
        for piece, table in zip(self.pieces, self.tables, strict=True):
            for batch in table.to_batches(max_chunksize=4_096):
                yield from _records(piece, batch)

    @cached_property
    def has_mask(self) -> np.ndarray:
        """``(n,)`` bool: the record has a mask, or says "no target"."""
        return _joined([table["has_mask"].to_numpy() for table in self.tables])

    @cached_property
    def is_faulty(self) -> np.ndarray:
        """``(n,)`` bool: the record names an example but is of no use."""
        import pyarrow.compute as pc

        return _joined([pc.not_equal(table["fault"], "").to_numpy() for table in self.tables])


def _joined(parts: Sequence[np.ndarray]) -> np.ndarray:
    return np.concatenate([np.zeros(0, bool), *parts]).astype(bool)


def _records(piece: Piece, rows: pa.Table | pa.RecordBatch) -> Iterator[PredictionRecord]:
    for row in rows.to_pylist():
        yield PredictionRecord(
            where_of(piece.shard, piece.first + row["number"]),
            {key: row[key] for key in _IDS if row[key] is not None},
            row["sentence"], None if row["has_mask"] else NO_MASK, fault=row["fault"],
        )


def join_keys(pieces: Sequence[Piece], tables: Sequence[pa.Table], log: ProblemLog) -> Keys:
    """Put the keys of all pieces together, number their lines, and list what is wrong in them.

    Raises:
        FormatError: If no piece holds a prediction.
    """
    numbered, following = [], 1
    first_said = ""
    for piece, table in zip(pieces, tables, strict=True):
        known = json.loads(table.schema.metadata[_SAID])
        first = 1 if piece.begin == 0 else following
        following = first + known["lines"]
        piece = replace(piece, first=first)
        numbered.append(piece)
        for code, number, message in known["problems"]:
            where = where_of(piece.shard, first + number)
            first_said = first_said or f"{where}: {message.removesuffix('.')}"
            log.add(code, "error", where, message)
        for _ in range(known["all"] - len(known["problems"])):  # beyond what a log lists
            log.add("bad-record", "error", "", "")
    keys = Keys(tuple(numbered), tuple(tables))
    if not len(keys) or keys.is_faulty.all():
        raise FormatError(
            f"holds no prediction ({first_said or 'it is empty'})",
            path=pieces[0].shard.source if pieces else None,
            hint='Expected lines such as {"sent_id": 29928, "mask": {"size": [480, 640], '
            '"counts": "…"}}.',
        )
    return keys
