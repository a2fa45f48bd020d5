"""Score tables written and read back in a test."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from inspector.core.dataset import Dataset
from inspector.core.table import score_table
from inspector.stored.files import find_tables
from inspector.stored.reading import read_table
from inspector.stored.table import StoredTable
from inspector.summary import table_metadata
from inspector.workspace import Workspace

Change = Callable[[pa.Table], pa.Table]


def table_of(workspace: Workspace) -> pa.Table:
    """Give what ``score --parquet`` writes, without flags."""
    table = score_table(workspace.scores, workspace.protocol)
    return table.replace_schema_metadata(table_metadata(workspace))


def read(dataset: Dataset, *tables: pa.Table, rows_at_once: int | None = None) -> StoredTable:
    """Write tables as the files of a folder and read them; the folder stays until the end."""
    folder = Path(tempfile.mkdtemp())
    (folder / "shelf").mkdir()
    for number, table in enumerate(tables):
        pq.write_table(table, folder / f"part-{number}.parquet", row_group_size=rows_at_once)
    return read_table(find_tables(str(folder)), dataset, folder / "shelf")


def stored(workspace: Workspace, change: Change = lambda table: table) -> Workspace:
    """Give the workspace with its scores read back from a table."""
    table = read(workspace.dataset, change(table_of(workspace)))
    return replace(workspace, scores=table.scores({}), protocol=table.protocol, table=table)


def with_values(table: pa.Table, name: str, change: Callable[[list], list]) -> pa.Table:
    """Exchange the values of one column."""
    at = table.schema.get_field_index(name)
    values = pa.array(change(table.column(name).to_pylist()), table.schema.field(name).type)
    return table.set_column(at, name, values)
