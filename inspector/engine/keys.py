"""The first pass: what every record names, without its mask."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, overload

import numpy as np

from inspector.core.arrow import number_column, text_column
from inspector.core.dataset import Dataset
from inspector.core.errors import FormatError
from inspector.core.problems import ProblemLog
from inspector.engine.reading import PieceLog, PieceReader, number_in, place_in
from inspector.engine.shards import Piece
from inspector.predictions.align import Alignment
from inspector.predictions.index import DIRECT
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
        where it has none, which no id is), ``has_mask`` (also where it says "no target") and
        ``fault``.

    Raises:
        FormatError: If the shard cannot be used.
        OSError: If it cannot be read.
    """
    import pyarrow as pa

    log, reader = PieceLog(), PieceReader(piece)
    records = list(reader.records(log, keys_only=True))
    numbers = [number_in(record.where) - piece.first for record in records]
    columns = {
        "number": number_column(np.array(numbers, np.int64)),
        **{key: text_column([record.ids.get(key, "") for record in records]) for key in _IDS},
        "sentence": text_column([record.sentence for record in records]),
        "has_mask": number_column(np.array([r.mask is not NO_MASK for r in records], bool)),
        "fault": text_column([record.fault for record in records]),
    }
    said = [
        (code, number_in(where) - piece.first, message)
        for code, _, where, message in log.said[:_LISTED]
    ]
    known = {"lines": reader.lines, "problems": said, "all": len(log.said)}
    return pa.table(columns).replace_schema_metadata({_SAID: json.dumps(known).encode()})


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
        return _joined([
            np.array([bool(fault) for fault in table["fault"].to_pylist()], bool)
            for table in self.tables
        ])


def align_by_one_id(dataset: Dataset, keys: Keys) -> Alignment | None:
    """Align records that all name different examples by one id alone, without a look at each.

    What :func:`~inspector.predictions.align.align` would say, for the usual case; it takes some
    thirteen millionths of a second a record, which no further worker would make shorter.

    Returns:
        None where a record names nothing that is here, something else besides, or one example for
        the second time: then each has to be looked at.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    key = next((key for key in DIRECT if keys.tables and keys.tables[0].num_rows
                and keys.tables[0][key][0].as_py()), None)
    if key is None:
        return None
    table = pa.concat_tables([table.replace_schema_metadata(None) for table in keys.tables])
    against = ("image_id", "sentence", *(other for other in DIRECT if other != key))
    if any(pc.max(pc.binary_length(table[name])).as_py() for name in against):
        return None
    ids = dataset.expressions.ids if key == "example_id" else dataset.expressions.sent_ids
    found = pc.index_in(table[key], value_set=text_column(ids))
    if found.null_count or "" in ids:
        return None
    rows = found.to_numpy()
    if len(np.unique(rows)) < len(rows) or len(set(ids)) < len(ids):
        return None
    result = Alignment(dict(zip(rows.tolist(), range(len(rows)), strict=True)))
    result.by[key] = len(rows)
    return result


def _joined(parts: Sequence[np.ndarray]) -> np.ndarray:
    return np.concatenate([np.zeros(0, bool), *parts]).astype(bool)


def _records(piece: Piece, rows: pa.Table | pa.RecordBatch) -> Iterator[PredictionRecord]:
    before = place_in(piece.shard)
    for row in rows.to_pylist():
        yield PredictionRecord(
            f"{before}{piece.first + row['number']}",
            {key: row[key] for key in _IDS if row[key]},
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
            where = f"{place_in(piece.shard)}{first + number}"
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
