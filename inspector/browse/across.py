"""The rows of all runs as one list: counted and cut into windows, never made whole.

A filter of examples is decided once an example and then looked up by its place; ten million rows
are gone through a few times, with the columns that are needed alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from inspector.browse.counting import Counts, Facets, part
from inspector.browse.deep import Chosen, DeepOrder, keys_of
from inspector.browse.filters import FILTERS, Filter
from inspector.browse.selection import Selection
from inspector.browse.sorts import SORTS
from inspector.core.errors import UsageError
from inspector.core.failures import FAILURE_MODES, TEACHING_RANKS

MOST_WHOLE = 1_000_000
"""Rows of an order that is given as a whole."""

MOST_WINDOW = 1_000
"""Rows of one window."""

_OF_ROWS = {"failure": "teaching_rank", "iou": "iou_bin"}
"""Filters of rows, and the small numbers that they are counted by."""

_WEIGHT = "sum(weight)::BIGINT"  # of groups of rows

_FAILURES = {
    str(rank): key for rank, key in
    zip(TEACHING_RANKS.tolist(), [*(mode.key for mode in FAILURE_MODES), ""], strict=True)
}

Ask = Callable[[str, list[Any], Selection], list[tuple[Any, ...]]]
Filtered = Callable[[Selection, list[Filter]], tuple[list[str], list[Any]]]


@dataclass(frozen=True, slots=True)
class Window:
    """A piece of an order.

    Attributes:
        total: Rows of the whole order.
        rows: Number of the run and place of the example, in their order.
    """

    total: int
    rows: tuple[tuple[int, int], ...]


class AcrossRuns:
    """Answers selections of all runs over the tables ``run_all`` and ``examples``.

    Args:
        ask: Runs a query with parameters.
        filtered: Gives the conditions of some of the filters of a selection.
        facets: Knows the values and bins of filters.
    """

    def __init__(self, ask: Ask, filtered: Filtered, facets: Facets) -> None:
        self._ask, self._filtered, self._facets = ask, filtered, facets
        self._deep = DeepOrder(ask)

    def order(self, selection: Selection, examples: int) -> np.ndarray:
        """Give the numbers of all selected rows in their order, ``run * examples + place``.

        Raises:
            UsageError: If they are too many to be given at once.
        """
        total = self.total(selection)
        if total > MOST_WHOLE:
            raise UsageError(
                f"{total:,} rows of all runs are too many for one list; ask for windows of it."
            )
        window = self._window(selection, 0, total)
        return np.array([run * examples + place for run, place in window], "<i4")

    def window(self, selection: Selection, offset: int, limit: int) -> Window:
        """Give some rows of the order, from ``offset`` on."""
        limit = min(limit, MOST_WINDOW)
        total = self.total(selection)
        return Window(total, tuple(self._window(selection, offset, min(limit, total - offset))))

    def total(self, selection: Selection) -> int:
        """Count the selected rows."""
        return self._deep.total(selection, self._chosen(selection, _active(selection)))

    def _window(self, selection: Selection, offset: int, limit: int) -> list[tuple[int, int]]:
        if limit <= 0:
            return []
        sort = next(sort for sort in SORTS if sort.key == selection.sort)
        chosen = self._chosen(selection, _active(selection))
        keys = keys_of(sort, reverse=selection.reverse)
        return self._deep.rows(selection, keys, chosen, offset, limit)

    def counted(self, counted: list[Filter], selection: Selection) -> Counts:
        """Count the rows that each value of each filter would leave; ``""`` counts them all."""
        found: Counts = {entry.key: {} for entry in counted} | {"": {}}
        ours = [entry for entry in counted if _is_of_rows(entry)]
        theirs = [entry for entry in counted if not _is_of_rows(entry)]
        for key, value, number in self._by_example(theirs, selection):
            found[key][value] = number
        for key, value, number in self._by_row(ours, selection):
            found[key][_FAILURES[value] if key == "failure" else value] = number
        return found

    def _by_example(self, counted: list[Filter], selection: Selection) -> list[tuple[Any, ...]]:
        """Count values of examples: each example counts as often as it has a row that passes."""
        active = _active(selection)
        rows, of_rows = self._filtered(selection, [e for e in active if _is_of_rows(e)])
        own = [entry for entry in active if not _is_of_rows(entry)]
        conditions, of_examples = self._filtered(selection, own)
        passes = [f"{clause} AS passes_{entry.key}"
                  for clause, entry in zip(conditions, own, strict=True)]
        columns = sorted({entry.column for entry in counted})
        parts = [part("", "''", own, weight=_WEIGHT)] + [
            part(entry.key, self._facets.value(entry), own, f"{entry.column} IS NOT NULL",
                 weight=_WEIGHT)
            for entry in counted
        ]
        query = (
            "WITH weights AS MATERIALIZED (SELECT place, count(*) AS weight FROM run_all "
            f"{_where(rows)} GROUP BY place), chosen AS MATERIALIZED (SELECT weight, "
            f"{', '.join(columns + passes)} FROM examples JOIN weights USING (place)) "
            f"{' UNION ALL '.join(parts)}"
        )
        return self._ask(query, of_rows + of_examples, selection)

    def _by_row(self, counted: list[Filter], selection: Selection) -> list[tuple[Any, ...]]:
        """Count values of rows: one table of all their combinations, then its sums."""
        active = _active(selection)
        chosen = self._chosen(selection, [e for e in active if not _is_of_rows(e)])
        own = [entry for entry in active if _is_of_rows(entry)]
        conditions, of_rows = self._filtered(selection, own)
        passes = [f"{clause} AS passes_{entry.key}"
                  for clause, entry in zip(conditions, own, strict=True)]
        values = [f"{_OF_ROWS[entry.key]} AS value_{entry.key}" for entry in counted]
        parts = [
            part(entry.key, f"value_{entry.key}", own, f"value_{entry.key} IS NOT NULL",
                 weight=_WEIGHT)
            for entry in counted
        ]
        query = (
            f"WITH chosen AS MATERIALIZED (SELECT {', '.join(values + passes)}, "
            f"count(*) AS weight FROM {chosen.source()} GROUP BY ALL) "
            f"{' UNION ALL '.join(parts)}"
        )
        return self._ask(query, [*of_rows, *chosen.values], selection) if counted else []

    def _chosen(self, selection: Selection, active: list[Filter]) -> Chosen:
        examples, of_examples = self._filtered(
            selection, [entry for entry in active if not _is_of_rows(entry)]
        )
        rows, of_rows = self._filtered(selection, [e for e in active if _is_of_rows(e)])
        return Chosen(
            tuple(examples), tuple(rows), (*of_examples, *of_rows),
            is_lasting=not any(entry.found for entry in active),
        )


def _active(selection: Selection) -> list[Filter]:
    return [entry for entry in FILTERS if entry.key in selection.filters]


def _is_of_rows(entry: Filter) -> bool:
    return entry.key in _OF_ROWS


def _where(conditions: list[str]) -> str:
    return "WHERE " + " AND ".join(conditions) if conditions else ""

