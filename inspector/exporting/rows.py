"""Rows of scores of selected examples, a piece at a time: CSV, JSON Lines, Parquet.

Values are exact in all of them: a CSV of the page is that of ``score --csv``, and nothing is put
before a cell to keep a spreadsheet from reading it as a formula. An id such as ``-12`` must come
back as it was, for the programs that join on it; whoever opens the file in a spreadsheet imports
its columns as text.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import BinaryIO

import numpy as np
import pyarrow as pa

from inspector.core.errors import UsageError, say_choices
from inspector.core.run import Status
from inspector.core.scores import Scores
from inspector.core.table import score_table
from inspector.summary import table_metadata
from inspector.workspace import Workspace

_PIECE = 8_192  # examples: what is held at a time

More = Callable[[str, np.ndarray], Mapping[str, pa.Array]]
"""Gives further columns for the name of a run and places of examples, ``(k,)``, k values each."""


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Rows of some examples in some runs, the runs one after the other.

    Attributes:
        workspace: Data set, runs and rules.
        places: Those of the examples in the order wanted, ``(k,)``.
        runs: Names of the runs.
        more: Further columns, such as findings; none if None. The same names and types always.

    Raises:
        UsageError: If there is no run, or one of another name, or no example with a row.
    """

    workspace: Workspace
    places: np.ndarray
    runs: Sequence[str]
    more: More | None = None

    def __post_init__(self) -> None:
        names = [scores.run.name for scores in self.workspace.scores]
        if not self.runs:
            raise UsageError("There is no run to write rows of. Add --run [NAME=]PATH.")
        for run in self.runs:
            if run not in names:
                raise UsageError(f"No run '{run[:80]}'. {say_choices(run, names)}")
        if self.left_out == len(self.places):
            raise UsageError(
                "None of the selected examples has a row: "
                + ("none is selected." if not len(self.places) else "their truth is unreadable.")
            )

    @property
    def left_out(self) -> int:
        """Number of examples that have no row, since their ground truth cannot be read."""
        return int((self._scores(self.runs[0]).status[self.places] == Status.NO_TRUTH).sum())

    def _scores(self, run: str) -> Scores:
        return next(scores for scores in self.workspace.scores if scores.run.name == run)

    def pieces(self) -> Iterator[pa.Table]:
        """Give the rows in tables of a few thousand, all of one schema."""
        protocol = self.workspace.protocol
        chosen = [self._scores(run) for run in self.runs]
        # Columns of measured shapes stand in every piece or in none.
        if not all(scores.shapes is not None for scores in chosen):
            chosen = [_without_shapes(scores) for scores in chosen]
        for scores in chosen:
            for begin in range(0, len(self.places), _PIECE):
                places = self.places[begin : begin + _PIECE]
                places = places[scores.status[places] != Status.NO_TRUTH]
                table = score_table([scores], protocol, places=places)
                for name, column in (self.more or _nothing)(scores.run.name, places).items():
                    table = table.append_column(name, column)
                yield table

    def csv(self) -> Iterator[bytes]:
        """Give the parts of a CSV file: text in quotes, UTF-8, empty cells where nothing is."""
        import pyarrow.csv

        for number, table in enumerate(self.pieces()):
            sink = pa.BufferOutputStream()
            options = pyarrow.csv.WriteOptions(include_header=number == 0)
            pyarrow.csv.write_csv(table, sink, options)
            yield sink.getvalue().to_pybytes()

    def json_lines(self) -> Iterator[bytes]:
        """Give the parts of a JSON Lines file: one object a row, null where nothing is."""
        for table in self.pieces():
            lines = [
                json.dumps(row, ensure_ascii=False, allow_nan=False, separators=(",", ":")) + "\n"
                for row in table.to_pylist()
            ]
            yield "".join(lines).encode()

    def parquet(self, file: BinaryIO) -> None:
        """Write a Parquet file, which also says by which rules its rows were scored."""
        import pyarrow.parquet

        writer = None
        try:
            for table in self.pieces():
                table = table.replace_schema_metadata(table_metadata(self.workspace))
                if writer is None:
                    writer = pyarrow.parquet.ParquetWriter(file, table.schema, compression="zstd")
                writer.write_table(table)
        finally:
            if writer is not None:
                writer.close()


def _nothing(run: str, places: np.ndarray) -> Mapping[str, pa.Array]:
    return {}


def _without_shapes(scores: Scores) -> Scores:
    from dataclasses import replace

    return replace(scores, shapes=None)
