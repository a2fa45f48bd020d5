"""The same questions over a table of scores on disk, which is read and never held in memory."""

from __future__ import annotations

from typing import Any

import numpy as np

from inspector.analysis.flags import find_flags
from inspector.browse.browser import Browser
from inspector.browse.columns import RUN_COLUMNS
from inspector.browse.found import Source
from inspector.browse.selection import Selection
from inspector.core.errors import UsageError
from inspector.stored.rows_file import bin_iou
from inspector.stored.table import EMPTY_PAIR, UNUSABLE, StoredTable, values_of
from inspector.workspace import Workspace

MEMORY = "256MB"
"""What the database may take; what needs more is sorted on disk."""


class TableBrowser(Browser):
    """A :class:`Browser` whose runs lie in a Parquet file, one row group a run.

    Rows of a second ground truth, which is shown as a run beside the table's, are held as usual.
    """

    def __init__(
        self, workspace: Workspace, table: StoredTable, findings: Source | None = None
    ) -> None:
        self._table = table
        super().__init__(workspace, findings)

    def _settings(self) -> dict[str, Any]:
        return {
            "memory_limit": MEMORY, "temp_directory": str(self._table.folder / "spill"),
            "enable_external_file_cache": False,  # the system keeps the file at hand by itself
        }

    def _store_run(self, row: int) -> None:
        if row >= len(self._table.runs):
            super()._store_run(row)
            return
        columns = ", ".join(("place", *RUN_COLUMNS))
        for name in (f"placed_{row}", f"run_{row}"):
            self._connection.execute(
                f"CREATE VIEW {name} AS SELECT {columns} FROM ({self._rows()}) WHERE run = {row}"
            )

    def _all_runs(self) -> str:
        columns = ", ".join(("place", *RUN_COLUMNS, "target_area"))
        held = [
            f"SELECT {row}::INT AS run, {columns} FROM placed_{row} JOIN examples USING (place)"
            for row in range(len(self._table.runs), len(self._workspace.scores))
        ]
        return " UNION ALL ".join([f"SELECT run, {columns} FROM ({self._rows()})", *held])

    def _rows(self) -> str:
        """Read the rows' file, with the numbers that the rules in force decide."""
        values = values_of(self._workspace.protocol)
        shown, bins = ["CASE rule"] * 2
        for rule in (EMPTY_PAIR, UNUSABLE):
            is_empty = np.isnan(values[rule])
            number = np.array(values[rule])
            shown += f" WHEN {rule} THEN {'NULL' if is_empty else float(number)}"
            bins += f" WHEN {rule} THEN {'NULL' if is_empty else int(bin_iou(number))}"
        path = str(self._table.rows_file).replace("'", "''")
        return (
            f"SELECT run, place, status_rank, {shown} ELSE iou END AS iou, "
            f"{bins} ELSE iou_bin END AS iou_bin, teaching_rank, failure, prediction_area, "
            f"target_area FROM read_parquet('{path}')"
        )

    def _source(self, selection: Selection) -> str:
        table = self._run_table(selection)
        row = table.removeprefix("run_")
        if not row.isdigit() or int(row) >= len(self._table.runs):
            return super()._source(selection)
        beside = f" JOIN spread_{row} USING (place)" if table in self._prepared else ""
        return f"examples JOIN {table} USING (place){beside}"

    def _widen(self, name: str, columns: dict[str, Any]) -> None:
        row = int(name.removeprefix("run_"))
        if row >= len(self._table.runs):
            super()._widen(name, columns)
            return
        place = np.arange(len(self._workspace.dataset), dtype=np.int32)
        self._store(f"spread_{row}", {"place": place, **columns})

    def _prepare_flags(self, selection: Selection) -> None:
        """Read the flags of the run on show from the table."""
        row = int(self._run_table(selection).removeprefix("run_"))
        asked = "flags", row
        if asked in self._prepared:
            return
        scores = self._workspace.scores[row]
        if scores.known_flags is None:
            raise UsageError(
                "The table of scores has no column 'flags': score with boundaries to have them."
            )
        found = find_flags([scores])[0]
        places = [np.flatnonzero(flagged).astype(np.int32) for flagged in found.values()]
        self._append("flags", {
            "place": np.concatenate(places), "run": [selection.run] * sum(map(len, places)),
            "flag": [key for key, here in zip(found, places, strict=True) for _ in here],
        })
        self._prepared.add(asked)


def make_browser(workspace: Workspace, findings: Source | None = None) -> Browser:
    """Make the browser of a workspace: over its scores, or over the table that they lie in."""
    if workspace.table is not None:
        return TableBrowser(workspace, workspace.table, findings)
    return Browser(workspace, findings)

