"""Answers selections over one workspace with DuckDB."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from inspector.browse.across import AcrossRuns, Window
from inspector.browse.columns import (
    RUN_COLUMNS,
    example_columns,
    run_columns,
    second_columns,
)
from inspector.browse.counting import Counts, Facets, found_part, part
from inspector.browse.deep import JOINED
from inspector.browse.filters import FILTERS, NOTED, Filter, read_outcome, run_number
from inspector.browse.found import FoundTable, Source
from inspector.browse.selection import ALL_RUNS, Selection
from inspector.browse.slicing import (
    flag_columns,
    kind_columns,
    outcome_columns,
    slice_columns,
    spread_columns,
)
from inspector.browse.sorts import SORTS
from inspector.browse.spelling import Spelling
from inspector.core.errors import UsageError
from inspector.core.run import Status
from inspector.stored.rows_file import STATUS_RANKS
from inspector.workspace import Workspace

_POINTS = 2_000


def _rows(cursor: Any) -> list[tuple[Any, ...]]:
    return cursor.fetchall()


def _identity(selection: Selection) -> str:
    """Say what makes a row one of its own."""
    return "place, run" if selection.run == ALL_RUNS else "place"


def _columns(cursor: Any) -> dict[str, np.ndarray]:
    return cursor.fetchnumpy()


class Browser:
    """Filters, counts and orders the examples of a workspace; safe for several threads.

    The examples stand once in a table, each run's scores in one of their own, row by row in the
    order of the data set, so that the two are read side by side without a join.
    """

    def __init__(self, workspace: Workspace, findings: Source | None = None) -> None:
        import duckdb

        self._workspace = workspace
        self._connection = duckdb.connect(":memory:", config={"threads": 2, **self._settings()})
        # Cursors are handed round rather than kept by threads: a thread that dies with the program
        # must not take a piece of the database with it.
        self._cursors: queue.LifoQueue[Any] = queue.LifoQueue()
        self._preparing = threading.Lock()
        self._prepared: set[Any] = set()
        self._columns = example_columns(workspace.dataset) | second_columns(
            workspace.second, len(workspace.dataset)
        )
        self._facets, self._spelling = Facets(self._columns), Spelling(self._columns["folded"])
        self._store("examples", self._columns)
        n = len(workspace.dataset)
        self._store("run_none", {
            "status_rank": np.zeros(n, np.int8), "iou": np.zeros(n),
            "iou_bin": np.zeros(n, np.int8), "teaching_rank": np.zeros(n, np.int8),
            "failure": [""] * n,
            "prediction_area": np.zeros(n, np.int64),
        })
        for row in range(len(workspace.scores)):
            self._store_run(row)
        self._found = FoundTable(self._connection, findings)
        self._across = AcrossRuns(self._ask_rows, self._filtered, self._facets)
        self._connection.execute(f"CREATE VIEW run_all AS {self._all_runs()}")

    def _settings(self) -> dict[str, Any]:
        """What else the database is opened with."""
        return {}

    def _store_run(self, row: int) -> None:
        """Make ``run_<row>``, and ``placed_<row>`` that has the place beside each row."""
        self._store(f"run_{row}", run_columns(self._workspace, row))
        self._connection.execute(
            f"CREATE VIEW placed_{row} AS SELECT rowid AS place, {', '.join(RUN_COLUMNS)} "
            f"FROM run_{row}"
        )

    def _all_runs(self) -> str:
        """Say how the rows of all runs are read, with the number of the run."""
        columns = ", ".join(("place", *RUN_COLUMNS, "target_area"))
        return " UNION ALL ".join(
            f"SELECT {row}::INT AS run, {columns} FROM placed_{row} JOIN examples USING (place)"
            for row in range(len(self._workspace.scores))
        ) or f"SELECT -1 AS run, {columns} FROM examples POSITIONAL JOIN run_none LIMIT 0"

    def _store(self, name: str, columns: dict[str, Any]) -> None:
        self._append(name, columns)

    def _prepare(self, selection: Selection) -> None:
        """Make the tables that a filter needs and that are dear, when it is first used."""
        self._found.refresh()
        with self._preparing:
            if "slice" in selection.filters and "slices" not in self._prepared:
                self._store("slices", slice_columns(self._workspace.dataset))
                self._prepared.add("slices")
            sort = next(sort for sort in SORTS if sort.key == selection.sort)
            run = self._run_table(selection)
            if sort.needs_spread and run not in self._prepared:
                self._widen(run, spread_columns(self._workspace, int(run.removeprefix("run_"))))
                self._prepared.add(run)
            if "flag" in selection.filters:
                self._prepare_flags(selection)
            if "second" in selection.filters and "second" not in self._prepared:
                if self._workspace.truths is None:
                    raise UsageError(
                        "There is no second ground truth. Add --second-truth DATASET_B."
                    )
                self._store("second", kind_columns(self._workspace.truths))
                self._prepared.add("second")
            if "outcome" in selection.filters:
                names = [scores.run.name for scores in self._workspace.scores]
                pair = (selection.run, read_outcome(selection.filters["outcome"])[1])
                if pair not in self._prepared:
                    first, second = (names.index(name) for name in pair)
                    self._append("outcomes", outcome_columns(self._workspace, first, second))
                    self._prepared.add(pair)

    def _prepare_flags(self, selection: Selection) -> None:
        if "flags" not in self._prepared:
            self._store("flags", flag_columns(self._workspace))
            self._prepared.add("flags")

    def _widen(self, name: str, columns: dict[str, Any]) -> None:
        """Put further columns beside those of a table, row by row."""
        self._store("beside", columns)
        cursor = self._connection.cursor()
        cursor.execute(
            f"BEGIN; CREATE TABLE wider AS SELECT * FROM {name} POSITIONAL JOIN beside; "
            f"DROP TABLE {name}; DROP TABLE beside; ALTER TABLE wider RENAME TO {name}; COMMIT"
        )

    def _append(self, name: str, columns: dict[str, Any]) -> None:
        import pyarrow as pa

        cursor = self._connection.cursor()
        cursor.register("incoming", pa.table(columns))
        cursor.execute(f"CREATE TABLE IF NOT EXISTS {name} AS SELECT * FROM incoming LIMIT 0")
        cursor.execute(f"INSERT INTO {name} SELECT * FROM incoming")
        cursor.unregister("incoming")

    def order(self, selection: Selection) -> np.ndarray:
        """Give the places of the selected examples in their order, ``(k,)`` int32.

        Of all runs: the numbers of the selected rows, ``run * examples + place``.

        Raises:
            UsageError: If that are more than a million rows; they are asked for in windows.
        """
        if selection.run == ALL_RUNS:
            self._prepare(selection)
            return self._across.order(selection, len(self._columns["place"]))
        sort = next(sort for sort in SORTS if sort.key == selection.sort)
        clause = f"ORDER BY {sort.order_by(reverse=selection.reverse)}"
        result = self._ask("place", selection, after=clause, take=_columns)
        return np.asarray(result["place"], dtype="<i4")

    def counts(self, selection: Selection) -> dict[str, Any]:
        """Count what each value of each filter would leave, the other filters being in force.

        Returns:
            ``total`` and, by key of the filter, ``[[value, count], …]`` for choices and
            ``{"edges": [k + 1 numbers], "bins": [k counts]}`` for ranges.
        """
        counted = [
            entry for entry in FILTERS
            if entry.kind in ("choice", "choices", "range")
            and (selection.run or not entry.needs_run)
            and (self._workspace.second or not entry.needs_second)
        ]
        if selection.run == ALL_RUNS:
            self._prepare(selection)
            counted = [entry for entry in counted if not entry.found]
            return self._facets.to_json(counted, self._across.counted(counted, selection))
        return self._facets.to_json(counted, self._counted(counted, selection))

    def _counted(self, counted: list[Filter], selection: Selection) -> Counts:
        """Count the values of several columns in one query.

        Each filter in force is decided once an example; a column is then counted over the
        examples that pass all filters but its own.
        """
        active = [entry for entry in FILTERS if entry.key in selection.filters]
        self._prepare(selection)
        clauses, values = self._filtered(selection, active)
        flags = [f"{clause} AS passes_{entry.key}"
                 for clause, entry in zip(clauses, active, strict=True)]
        columns = sorted({entry.column for entry in counted if not entry.found} | {"place"})
        columns += ["iou_bin"] if "iou" in columns else []
        run = run_number(self._values(selection))
        parts = [part("", "''", active), part("noted", "'none'", active, NOTED["none"][0])] + [
            found_part(entry, active, run) if entry.found
            else part(entry.key, self._facets.value(entry), active, f"{entry.column} IS NOT NULL")
            for entry in counted
        ]
        query = (
            f"WITH chosen AS MATERIALIZED (SELECT {', '.join(columns + flags)} FROM "
            f"{self._source(selection)}) {' UNION ALL '.join(parts)}"
        )
        rows: Counts = {entry.key: {} for entry in counted} | {"": {}}
        for key, value, number in self._execute(query, values, selection, _rows):
            rows[key][value] = number
        return rows

    def scatter(self, selection: Selection, against: str = "") -> dict[str, Any]:
        """Give place, target area and IoU of the selected scored examples, thinned to 2,000.

        With another run, its IoU stands in place of the area.

        The thinning takes every so many of the examples in a fixed shuffled order, so that dense
        places stay dense.
        """
        if not selection.run:
            return {"total": 0, "points": []}
        where = f"status_rank = {STATUS_RANKS[Status.SCORED]} AND iou IS NOT NULL"
        total = self._ask("count(*)", selection, where=where)[0][0]
        points = self._points(selection, where, total)
        names = [scores.run.name for scores in self._workspace.scores]
        if against in names:
            other = self._workspace.scored[names.index(against)].shown_iou
            points = [(place, float(other[place]), iou) for place, _, iou in points
                      if other[place] == other[place]]
        return {"total": total, "points": [list(point) for point in points]}

    def _points(self, selection: Selection, where: str, total: int) -> list[tuple[Any, ...]]:
        """Give the points whose shuffled numbers are the smallest."""
        number = f"hash({_identity(selection)})"
        columns, after = "place, target_area, iou", f"ORDER BY {number} LIMIT {_POINTS}"
        if total > 10 * _POINTS:  # of so many, enough have a number as small as this
            small = f"{where} AND {number} < {2**64 // total * 2 * _POINTS}::UBIGINT"
            points: list[tuple[Any, ...]] = self._ask(columns, selection, where=small, after=after)
            if len(points) == _POINTS:
                return points
        points = self._ask(columns, selection, where=where, after=after)
        return points

    def window(self, selection: Selection, offset: int, limit: int) -> Window:
        """Give a piece of an order that need not be made whole; of all runs or of one."""
        if selection.run == ALL_RUNS:
            self._prepare(selection)
            return self._across.window(selection, offset, limit)
        order = self.order(selection)
        run = int(self._run_table(selection).removeprefix("run_")) if selection.run else -1
        return Window(len(order), tuple((run, p) for p in order[offset:offset + limit].tolist()))

    def suggest(self, selection: Selection) -> str:
        """Give the words of the sentence filter with unknown ones replaced by near ones, or ""."""
        return self._spelling.suggest(selection)

    def row_values(self, place: int) -> dict[str, int]:
        """Give what the table of examples knows of one example beyond the data set."""
        return {key: int(self._columns[key][place]) for key in ("words", "same")}

    def _ask(
        self, columns: str, selection: Selection, *, where: str = "", after: str = "",
        take: Callable[[Any], Any] = _rows,
    ) -> Any:
        """Run one query over the selected examples."""
        self._prepare(selection)
        active = [entry for entry in FILTERS if entry.key in selection.filters]
        clauses, values = self._filtered(selection, active)
        clauses += [where] if where else []
        condition = "WHERE " + " AND ".join(clauses) if clauses else ""
        query = (
            f"SELECT {columns} FROM {self._source(selection)} {condition} {after}"
        )
        return self._execute(query, values, selection, take)

    def _filtered(
        self, selection: Selection, active: list[Filter]
    ) -> tuple[list[str], list[Any]]:
        """Give the conditions of some of the filters that are set, and their parameters."""
        clauses, values, chosen = [], [], self._values(selection)
        for entry in active:
            clause, parameters = entry.predicate(chosen)
            clauses.append(f"({clause})")
            values += parameters
        return clauses, values

    def _ask_rows(
        self, query: str, values: list[Any], selection: Selection
    ) -> list[tuple[Any, ...]]:
        rows: list[tuple[Any, ...]] = self._execute(query, values, selection, _rows)
        return rows

    def close(self) -> None:
        """Let the database go; nothing may be asked afterwards."""
        self._connection.close()

    def _values(self, selection: Selection) -> dict[str, str]:
        """What a filter may know: all filters, the run, and the tables of the runs."""
        names = [scores.run.name for scores in self._workspace.scores]
        tables = {f"table of {name}": f"run_{row}" for row, name in enumerate(names)}
        return {**selection.filters, "run": selection.run, **tables}

    def _source(self, selection: Selection) -> str:
        """Say where examples stand beside the scores of the run on show."""
        if selection.run == ALL_RUNS:
            return JOINED
        return f"examples POSITIONAL JOIN {self._run_table(selection)}"

    def _run_table(self, selection: Selection) -> str:
        if selection.run == ALL_RUNS:
            return "run_all"
        names = [scores.run.name for scores in self._workspace.scores]
        return f"run_{names.index(selection.run)}" if selection.run else "run_none"

    def _execute(
        self, query: str, values: list[Any], selection: Selection, take: Callable[[Any], Any]
    ) -> Any:
        import duckdb

        try:
            cursor = self._cursors.get_nowait()
        except queue.Empty:
            cursor = self._connection.cursor()
        try:
            # The answer is taken whole before the cursor goes to the next who asks.
            return take(cursor.execute(query, values))
        except (duckdb.InvalidInputException, duckdb.OutOfRangeException) as error:
            if "r" not in selection.filters.get("match", ""):
                raise
            raise UsageError(
                f"“{selection.filters['sentence']}” is not a regular expression "
                f"({str(error).split(':', 1)[-1].strip()[:120]}). "
                "Mend it, or search for plain words."
            ) from error
        finally:
            self._cursors.put(cursor)
