"""Answers selections over one workspace with DuckDB."""

from __future__ import annotations

import difflib
import queue
import threading
from collections import Counter
from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from inspector.browse.columns import example_columns, run_columns, second_columns
from inspector.browse.filters import FILTERS, Filter, read_outcome
from inspector.browse.selection import Selection
from inspector.browse.slicing import (
    flag_columns,
    kind_columns,
    outcome_columns,
    slice_columns,
    spread_columns,
)
from inspector.browse.sorts import SORTS
from inspector.core.errors import UsageError
from inspector.core.failures import FAILURE_MODES
from inspector.core.run import Status
from inspector.workspace import Workspace

_BINS = 20
_POINTS = 2_000


def _rows(cursor: Any) -> list[tuple[Any, ...]]:
    return cursor.fetchall()


def _columns(cursor: Any) -> dict[str, np.ndarray]:
    return cursor.fetchnumpy()


class Browser:
    """Filters, counts and orders the examples of a workspace; safe for several threads.

    The examples stand once in a table, each run's scores in one of their own, row by row in the
    order of the data set, so that the two are read side by side without a join.
    """

    def __init__(self, workspace: Workspace) -> None:
        import duckdb

        self._workspace = workspace
        self._connection = duckdb.connect(":memory:", config={"threads": 2})
        # Cursors are handed round rather than kept by threads: a thread that dies with the program
        # must not take a piece of the database with it.
        self._cursors: queue.LifoQueue[Any] = queue.LifoQueue()
        self._preparing = threading.Lock()
        self._prepared: set[Any] = set()
        self._columns = example_columns(workspace.dataset) | second_columns(
            workspace.second, len(workspace.dataset)
        )
        self._store("examples", self._columns)
        n = len(workspace.dataset)
        self._store("run_none", {
            "status": np.zeros(n, np.int8), "iou": np.zeros(n),
            "teaching_rank": np.zeros(n, np.int8), "failure": [""] * n,
            "prediction_area": np.zeros(n, np.int64),
        })
        for row in range(len(workspace.scores)):
            self._store(f"run_{row}", run_columns(workspace, row))

    def _store(self, name: str, columns: dict[str, Any]) -> None:
        self._append(name, columns)

    def _prepare(self, selection: Selection) -> None:
        """Make the tables that a filter needs and that are dear, when it is first used."""
        with self._preparing:
            if "slice" in selection.filters and "slices" not in self._prepared:
                self._store("slices", slice_columns(self._workspace.dataset))
                self._prepared.add("slices")
            sort = next(sort for sort in SORTS if sort.key == selection.sort)
            run = self._run_table(selection)
            if sort.needs_spread and run not in self._prepared:
                self._widen(run, spread_columns(self._workspace, int(run.removeprefix("run_"))))
                self._prepared.add(run)
            if "flag" in selection.filters and "flags" not in self._prepared:
                self._store("flags", flag_columns(self._workspace))
                self._prepared.add("flags")
            if "second" in selection.filters and "second" not in self._prepared:
                if self._workspace.truths is None:
                    raise UsageError("There is no second ground truth.")
                self._store("second", kind_columns(self._workspace.truths))
                self._prepared.add("second")
            if "outcome" in selection.filters:
                names = [scores.run.name for scores in self._workspace.scores]
                pair = (selection.run, read_outcome(selection.filters["outcome"])[1])
                if pair not in self._prepared:
                    first, second = (names.index(name) for name in pair)
                    self._append("outcomes", outcome_columns(self._workspace, first, second))
                    self._prepared.add(pair)

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
        """Give the places of the selected examples in their order, ``(k,)`` int32."""
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
        rows = self._counted(counted, selection)
        facets = {entry.key: self._facet(entry, rows[entry.key]) for entry in counted}
        return {"total": rows[""].get("", 0), "facets": facets}

    def _counted(
        self, counted: list[Filter], selection: Selection
    ) -> dict[str, dict[str, int]]:
        """Count the values of several columns in one query.

        Each filter in force is decided once an example; a column is then counted over the
        examples that pass all filters but its own.
        """
        active = [entry for entry in FILTERS if entry.key in selection.filters]
        flags, values = [], []
        chosen = self._values(selection)
        self._prepare(selection)
        for entry in active:
            clause, parameters = entry.predicate(chosen)
            flags.append(f"({clause}) AS passes_{entry.key}")
            values += parameters
        columns = sorted({entry.column for entry in counted})
        parts = [self._part("", "''", active)] + [
            self._part(entry.key, self._value(entry), active, f"{entry.column} IS NOT NULL")
            for entry in counted
        ]
        query = (
            f"WITH chosen AS MATERIALIZED (SELECT {', '.join(columns + flags)} FROM examples "
            f"POSITIONAL JOIN {self._run_table(selection)}) {' UNION ALL '.join(parts)}"
        )
        rows: dict[str, dict[str, int]] = {entry.key: {} for entry in counted} | {"": {}}
        for key, value, number in self._execute(query, values, selection, _rows):
            rows[key][value] = number
        return rows

    def _part(self, key: str, value: str, active: list[Filter], *conditions: str) -> str:
        passed = [f"passes_{entry.key}" for entry in active if entry.key != key]
        where = " AND ".join([*passed, *conditions]) or "true"
        return (
            f"SELECT '{key}', CAST({value} AS VARCHAR) AS value, count(*) FROM chosen "
            f"WHERE {where} GROUP BY value"
        )

    def _value(self, entry: Filter) -> str:
        """What a column is counted by: its values, or the number of its bin."""
        if entry.kind != "range":
            return f"unnest({entry.column})" if entry.is_list else entry.column
        # The last bin holds its upper edge too; all values lie between the first and the last.
        cuts = self._edges(entry)[1:-1]
        return " + ".join(f"({entry.column} >= {cut})::INT" for cut in cuts) or "0"

    def _facet(self, entry: Filter, counts: dict[str, int]) -> Any:
        if entry.kind == "range":
            edges = self._edges(entry)
            bins = [counts.get(str(at), 0) for at in range(len(edges) - 1)]
            return {"edges": edges, "bins": bins}
        if entry.key == "failure":  # all of them, so that the list on the page keeps its place
            return [[mode.key, counts.get(mode.key, 0)] for mode in FAILURE_MODES]
        ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        return [[value, number] for value, number in ordered if value]

    def scatter(self, selection: Selection, against: str = "") -> dict[str, Any]:
        """Give place, target area and IoU of the selected scored examples, thinned to 2,000.

        With another run, its IoU stands in place of the area.

        The thinning takes every so many of the examples in a fixed shuffled order, so that dense
        places stay dense.
        """
        if not selection.run:
            return {"total": 0, "points": []}
        where = f"status = {int(Status.SCORED)} AND iou IS NOT NULL"
        points = self._ask(
            "place, target_area, iou", selection, where=where,
            after=f"ORDER BY hash(place) LIMIT {_POINTS}",
        )
        total = self._ask("count(*)", selection, where=where)[0][0]
        names = [scores.run.name for scores in self._workspace.scores]
        if against in names:
            other = self._workspace.scored[names.index(against)].shown_iou
            points = [(place, float(other[place]), iou) for place, _, iou in points
                      if other[place] == other[place]]
        return {"total": total, "points": [list(point) for point in points]}

    def suggest(self, selection: Selection) -> str:
        """Give the words of the sentence filter with unknown ones replaced by near ones, or ""."""
        words, how = selection.filters.get("sentence", ""), selection.filters.get("match", "")
        if not words or "r" in how or "n" in how:
            return ""
        replaced = [self._near(word) for word in words.casefold().split()]
        suggestion = " ".join(replaced)
        return suggestion if suggestion != words.casefold() else ""

    def _near(self, word: str) -> str:
        if word in self._vocabulary:
            return word
        near = difflib.get_close_matches(word, list(self._vocabulary), n=5, cutoff=0.7)
        return max(near, key=lambda w: self._vocabulary[w], default=word)

    @cached_property
    def _vocabulary(self) -> Counter[str]:
        return Counter(word for text in self._columns["folded"] for word in text.split())

    def row_values(self, place: int) -> dict[str, int]:
        """Give what the table of examples knows of one example beyond the data set."""
        return {key: int(self._columns[key][place]) for key in ("words", "same")}

    def _edges(self, entry: Filter) -> list[float]:
        if entry.key in ("iou", "truth_iou", "truth_boundary"):
            return [tenth / _BINS for tenth in range(_BINS + 1)]
        values = np.asarray(self._columns[entry.column])
        if entry.needs_second:
            known = values[np.isfinite(values.astype(float))].astype(float)
            low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 1.0)
            return np.linspace(low, max(high, low + entry.step), _BINS + 1).round(3).tolist()
        low, high = int(values.min()), int(values.max())
        if entry.key == "area":
            edges = np.geomspace(max(low, 1), max(high, 10), _BINS + 1)
            return [0, *np.unique(np.round(edges[1:]).astype(int)).tolist()]
        most = min(high + 1, low + _BINS)
        return [*range(low, most), max(high + 1, most)]

    def _ask(
        self, columns: str, selection: Selection, *, where: str = "", after: str = "",
        take: Callable[[Any], Any] = _rows,
    ) -> Any:
        """Run one query over the selected examples."""
        clauses, values = ([where] if where else []), []
        chosen = self._values(selection)
        self._prepare(selection)
        for entry in FILTERS:
            if entry.key in selection.filters:
                clause, parameters = entry.predicate(chosen)
                clauses.append(f"({clause})")
                values += parameters
        condition = "WHERE " + " AND ".join(clauses) if clauses else ""
        query = (
            f"SELECT {columns} FROM examples POSITIONAL JOIN {self._run_table(selection)} "
            f"{condition} {after}"
        )
        return self._execute(query, values, selection, take)

    def close(self) -> None:
        """Let the database go; nothing may be asked afterwards."""
        self._connection.close()

    def _values(self, selection: Selection) -> dict[str, str]:
        """What a filter may know: all filters, the run, and the tables of the runs."""
        names = [scores.run.name for scores in self._workspace.scores]
        tables = {f"table of {name}": f"run_{row}" for row, name in enumerate(names)}
        return {**selection.filters, "run": selection.run, **tables}

    def _run_table(self, selection: Selection) -> str:
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
                f"({str(error).split(':', 1)[-1].strip()[:120]})."
            ) from error
        finally:
            self._cursors.put(cursor)
