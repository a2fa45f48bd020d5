"""One piece of a shard -> the records in it, each with its number."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from inspector.core.errors import FormatError, InspectorError
from inspector.core.problems import ProblemLog, Severity
from inspector.engine.shards import Piece, Shard, open_file_system
from inspector.predictions.dump import parse_line, refuse_record
from inspector.predictions.jsonl import records_of
from inspector.predictions.records import SENTENCE_KEYS, PredictionRecord

if TYPE_CHECKING:
    import pyarrow as pa
    from pyarrow.fs import FileSystem

_UNREADABLE = (json.JSONDecodeError, UnicodeDecodeError)

KEY_COLUMNS = ("example_id", "sent_id", *SENTENCE_KEYS, "sentence")
_AT_ONCE = 4_096  # rows of Parquet that are Python objects at the same time
_FURTHER = 1 << 20  # bytes that are read on where a line goes beyond its piece
_LONGEST_LINE = 1 << 28


class PieceLog(ProblemLog):
    """Keeps every problem of a piece just as it was said, for whoever puts pieces together."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[tuple[str, Severity, str, str]] = []

    def add(
        self, code: str, severity: Severity, where: str, message: str, *, count: int = 1
    ) -> None:
        """Keep one occurrence; nothing in a piece stands for several."""
        self.said.append((code, severity, where, message))


class PieceReader:
    """Reads the records of one piece.

    Attributes:
        lines: How many lines or rows the piece has, once they were all read.
    """

    def __init__(self, piece: Piece) -> None:
        self.piece, self.lines = piece, 0
        self._before_number = place_in(piece.shard)

    def records(self, log: ProblemLog, *, keys_only: bool = False) -> Iterator[PredictionRecord]:
        """Give the records as the reader of a whole file would; of Parquet perhaps the keys alone.

        Raises:
            FormatError: If the shard is cut off, is no Parquet, or is not as it was when listed.
            OSError: If it cannot be read.
        """
        import pyarrow.lib

        shard = self.piece.shard
        files, path = open_file_system(shard.source)
        _check_unchanged(shard, files, path)
        values = (
            self._lines(files, path, log) if shard.kind == "lines"
            else self._rows(files, path, keys_only=keys_only)
        )
        try:
            yield from records_of(values, log)
        except (pyarrow.lib.ArrowException, OSError) as error:
            if shard.kind == "lines":
                raise
            raise FormatError(
                f"cannot be read as parquet ({' '.join(str(error).split())[:160]})",
                path=shard.source, hint="Is the file cut off?",
            ) from error

    def where(self, number: int) -> str:
        """Name a line or row by its number inside the piece, which begins at 0."""
        return f"{self._before_number}{self.piece.first + number}"

    def _lines(
        self, files: FileSystem, path: str, log: ProblemLog
    ) -> Iterator[tuple[str, dict[str, Any]]]:
        shard, good = self.piece.shard, self.piece.begin > 0
        with files.open_input_file(path) as file:
            content = _read_lines(file, self.piece)
        lines = content.split(b"\n")
        if not lines[-1]:
            lines.pop()
        self.lines = len(lines)
        is_whole = content.endswith(b"\n")
        del content
        for number, line in enumerate(lines):
            if not line.strip():
                continue
            where = self.where(number)
            try:
                value = parse_line(line)
            except (ValueError, RecursionError) as error:
                is_last = number == len(lines) - 1 and not is_whole
                if is_last and good and isinstance(error, _UNREADABLE):
                    raise FormatError(
                        f"is cut off in {where.rpartition(', ')[2]}" if self.piece.first else
                        "is cut off in its last line", path=shard.source,
                        hint="Write the shard again, or take the last line out.",
                    ) from error
                refuse_record(log, where, error)
                continue
            good = True
            yield where, value

    def _rows(
        self, files: FileSystem, path: str, *, keys_only: bool
    ) -> Iterator[tuple[str, dict[str, Any]]]:
        import pyarrow.parquet as pq

        piece = self.piece
        with files.open_input_file(path) as source, pq.ParquetFile(source) as file:
            names = file.schema_arrow.names
            if "mask" not in names or not {*names} & {*KEY_COLUMNS}:
                lacking = "'mask'" if "mask" not in names else "that names an example"
                raise FormatError(
                    f"has no column {lacking}", path=piece.shard.source,
                    hint="Expected the columns mask, and example_id, sent_id, or an id with "
                    "sentence; as in the inspector's JSON Lines.",
                )
            groups = range(piece.begin, file.num_row_groups if piece.end < 0 else piece.end)
            wanted = (*KEY_COLUMNS, "box_xywh", *(() if keys_only else ("mask",)))
            columns = [name for name in wanted if name in names]
            for batch in file.iter_batches(_AT_ONCE, row_groups=list(groups), columns=columns):
                yield from self._batch(batch, keys_only=keys_only)

    def _batch(
        self, batch: pa.RecordBatch, *, keys_only: bool
    ) -> Iterator[tuple[str, dict[str, Any]]]:
        for row in batch.to_pylist():
            value = {
                key: content for key, content in row.items()
                if key == "mask" or content is not None
            }
            if keys_only:
                value["mask"] = None
            where = self.where(self.lines)
            self.lines += 1
            yield where, value


def place_in(shard: Shard) -> str:
    """Say what stands before the number of a line or row, such as ``part-03.jsonl, line ``."""
    return f"{shard.name}, {'line' if shard.kind == 'lines' else 'row'} "


def number_in(where: str) -> int:
    """Give the number at the end of where a record stands."""
    return int(where.rpartition(" ")[2])


def _check_unchanged(shard: Shard, files: FileSystem, path: str) -> None:
    info = files.get_file_info(path)
    if info.size is None:
        raise FileNotFoundError(2, "No such file")
    if (int(info.size), int(info.mtime_ns or 0)) != (shard.size, shard.written):
        raise FormatError(
            "is not as it was when the files were listed: it was written to meanwhile",
            path=shard.source, hint="Score again when it is complete.",
        )


def _read_lines(file: Any, piece: Piece) -> bytes:
    """Read every line that begins in the piece, the last one to its end.

    Raises:
        InspectorError: If a line is longer than any prediction.
    """
    before = 1 if piece.begin else 0
    file.seek(piece.begin - before)
    content: bytes = file.read(piece.end - piece.begin + before)
    if before:  # what stands before the first line break belongs to the piece before
        content = content[content.find(b"\n") + 1 :] if b"\n" in content else b""
    if not content or content.endswith(b"\n"):
        return content
    parts = [content]
    while further := file.read(_FURTHER):
        head, found, _ = further.partition(b"\n")
        parts += [head, found]
        if found:
            break
        if len(parts) * _FURTHER > 2 * _LONGEST_LINE:
            raise InspectorError(f"{piece.shard.name} has a line of more than 256 MB. "
                                 "Is it JSON Lines?")
    return b"".join(parts)

