"""Which examples are shown, in which order: filters and sorts over the score table in DuckDB.

One entry of :data:`FILTERS` or :data:`SORTS` gives the address key, the SQL, the menu's label and
the English phrase.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from inspector.core.errors import UsageError, nearest
from inspector.core.failures import FAILURE_MODES
from inspector.core.run import Status
from inspector.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Filter:
    """One way to narrow the examples down.

    Attributes:
        key: Name in the address bar.
        label: On the page.
        predicate: SQL over the columns of :class:`Browser`, and its parameters.
        phrase: The same in English, to be joined by AND.
    """

    key: str
    label: str
    predicate: Callable[[str], tuple[str, list[Any]]]
    phrase: Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Sort:
    """One order; ``sql`` is the ORDER BY clause, with ties broken so that it is total."""

    key: str
    label: str
    sql: str
    needs_run: bool = False


def _contains(value: str) -> tuple[str, list[Any]]:
    return "contains(folded, ?)", [" ".join(value.split()).casefold()]


FILTERS: tuple[Filter, ...] = (
    Filter(
        "category", "Category",
        lambda value: ("list_contains(categories, ?)", [value]),
        lambda value: f"category is {value}",
    ),
    Filter("sentence", "Sentence", _contains, lambda value: f"sentence contains “{value}”"),
)

_UNSCORED_LAST = f"(status <> {int(Status.SCORED)})"  # then missing, invalid, without truth

SORTS: tuple[Sort, ...] = (
    Sort(
        "worst", "Worst first",
        f"{_UNSCORED_LAST}, status, iou ASC NULLS LAST, failure_rank, target_area DESC, place",
        True,
    ),
    Sort(
        "best", "Best first",
        f"{_UNSCORED_LAST}, status, iou DESC NULLS LAST, target_area DESC, place", True,
    ),
    Sort("id", "Order of the data set", "place"),
    Sort("area", "Largest target first", "target_area DESC, place"),
    Sort("sentence", "Sentence, A to Z", "folded, place"),
)

FAILURE_RANK = {
    key: rank
    for rank, key in enumerate([
        "wrong_referent", "wrong_object", "several_objects", "background", "loose", "spill",
        "part", "false_target", "empty", "correct", "missing", "invalid",
    ])
}
"""Which of two examples with the same IoU teaches more; the first screen shows the first."""


@dataclass(frozen=True, slots=True)
class Selection:
    """What the page shows: a run, filters and an order. Small, immutable, equal to its address.

    Attributes:
        run: Name of the run, or empty where there is none.
        sort: Key of :data:`SORTS`.
        filters: Values by key of :data:`FILTERS`; only those that are set.
    """

    run: str = ""
    sort: str = "worst"
    filters: Mapping[str, str] = field(default_factory=dict)

    def describe(self) -> str:
        """Say the filters as one English sentence; empty without any."""
        phrases = [
            entry.phrase(self.filters[entry.key]) for entry in FILTERS if entry.key in self.filters
        ]
        return " AND ".join(phrases)


def read_selection(query: Mapping[str, str], workspace: Workspace) -> Selection:
    """Read a selection from the keys of an address; unknown keys are not ours and are ignored.

    Raises:
        UsageError: If the run or the sort does not exist.
    """
    names = [scores.run.name for scores in workspace.scores]
    run = query.get("run") or (names[0] if names else "")
    if run and run not in names:
        raise UsageError(
            f"No run '{run}'. There is: {', '.join(names) or 'none'}.{nearest(run, names)}"
        )
    by_key = {sort.key: sort for sort in SORTS}
    sort = query.get("sort") or ("worst" if run else "id")
    if sort not in by_key:
        raise UsageError(f"No order '{sort}'. There is: {', '.join(by_key)}.")
    if by_key[sort].needs_run and not run:
        sort = "id"
    filters = {entry.key: query[entry.key] for entry in FILTERS if query.get(entry.key)}
    return Selection(run, sort, filters)


class Browser:
    """Answers selections over one workspace; safe for several threads."""

    def __init__(self, workspace: Workspace) -> None:
        import duckdb
        import pyarrow as pa

        self._workspace = workspace
        self._connection = duckdb.connect(":memory:", config={"threads": 2})
        self._local = threading.local()
        dataset = workspace.dataset
        table = dataset.expressions
        n = len(dataset)
        categories = [dataset.category_of(i).split(";") for i in range(n)]
        self.categories = _counted(categories)
        examples = pa.table({
            "place": np.arange(n, dtype=np.int32),
            "folded": [" ".join(text.split()).casefold() for text in table.sentences],
            "categories": pa.array(categories, pa.list_(pa.string())),
            "target_area": dataset.target_areas,
        })
        self._store("examples", examples)
        no_run = pa.table({
            "status": np.zeros(n, np.int8), "iou": np.zeros(n), "failure_rank": np.zeros(n, np.int8)
        })
        self._store("run_none", no_run)
        ranks = np.array([FAILURE_RANK[mode.key] for mode in FAILURE_MODES], np.int8)
        for row, (scores, scored) in enumerate(
            zip(workspace.scores, workspace.scored, strict=True)
        ):
            self._store(f"run_{row}", pa.table({
                "status": scores.status,
                "iou": pa.array(scored.iou, mask=np.isnan(scored.iou)),
                "failure_rank": ranks[scores.failure],
            }))

    def _store(self, name: str, table: Any) -> None:
        self._connection.register("incoming", table)
        self._connection.execute(f"CREATE TABLE {name} AS SELECT * FROM incoming")
        self._connection.unregister("incoming")

    def order(self, selection: Selection) -> np.ndarray:
        """Give the places of the selected examples in their order, ``(k,)`` int32."""
        where, values = self._where(selection)
        sort = next(sort for sort in SORTS if sort.key == selection.sort)
        cursor = self._cursor()
        result = cursor.execute(
            f"SELECT place FROM examples POSITIONAL JOIN {self._run_table(selection)} "
            f"{where} ORDER BY {sort.sql}",
            values,
        ).fetchnumpy()
        return np.asarray(result["place"], dtype="<i4")

    def _where(self, selection: Selection) -> tuple[str, list[Any]]:
        clauses, values = [], []
        for entry in FILTERS:
            if entry.key in selection.filters:
                clause, parameters = entry.predicate(selection.filters[entry.key])
                clauses.append(clause)
                values += parameters
        return ("WHERE " + " AND ".join(clauses) if clauses else ""), values

    def _run_table(self, selection: Selection) -> str:
        names = [scores.run.name for scores in self._workspace.scores]
        return f"run_{names.index(selection.run)}" if selection.run else "run_none"

    def _cursor(self) -> Any:
        if not hasattr(self._local, "cursor"):
            self._local.cursor = self._connection.cursor()
        return self._local.cursor


def _counted(categories: list[list[str]]) -> list[tuple[str, int]]:
    """Count the examples of each category, most frequent first."""
    counts = Counter(name for names in categories for name in set(names) if name)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))
