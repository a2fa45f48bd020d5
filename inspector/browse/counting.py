"""What each value of each filter would leave: the SQL that counts, and what the page gets."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from inspector.browse.filters import NOTED, Filter
from inspector.core.failures import FAILURE_MODES
from inspector.stored.rows_file import IOU_EDGES

_BINS = 20

Counts = dict[str, dict[str, int]]
"""By key of a filter, by value (or number of the bin): how many; ``""`` counts them all."""


class Facets:
    """Bins and values of the filters over the columns of the examples."""

    def __init__(self, columns: Mapping[str, Any]) -> None:
        self._columns = columns

    def edges(self, entry: Filter) -> list[float]:
        """Give the edges of the bins of a range; a bin holds its lower edge, not its upper one.

        The last bin of fractions holds both; beyond the last edge of whole numbers there is none.
        """
        if entry.key in ("iou", "truth_iou", "truth_boundary"):
            return list(IOU_EDGES)
        values = np.asarray(self._columns[entry.column])
        if entry.needs_second:
            known = values[np.isfinite(values.astype(float))].astype(float)
            low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 1.0)
            return _stepped(low, high + (entry.step == 1), entry.step)
        low, high = int(values.min()), int(values.max())
        if entry.key == "area":
            edges = np.geomspace(max(low, 1), max(high, 10), _BINS + 1)
            return [0, *np.unique(np.round(edges[1:-1]).astype(int)).tolist(), max(high, 10) + 1]
        most = min(high + 1, low + _BINS)
        return [*range(low, most), max(high + 1, most)]

    def upper_ends(self, entry: Filter) -> list[str]:
        """Give the upper end that a range has, in an address, which ends with each of the bins.

        So that what a bar counts is what a click on it leaves: ``1..1`` and not ``1..2``, which
        would leave the twos too; ``0.2..<0.25`` where fractions have no last one before.
        """
        edges = self.edges(entry)[1:]
        if entry.step == 1:
            return [str(edge - 1) for edge in edges]
        return [*(f"<{edge}" for edge in edges[:-1]), str(edges[-1])]

    def value(self, entry: Filter) -> str:
        """Say what a column is counted by: its values, or the number of its bin."""
        if entry.key == "iou":
            return "iou_bin"
        if entry.kind != "range":
            return f"unnest({entry.column})" if entry.is_list else entry.column
        # All values lie between the first edge and the last.
        cuts = self.edges(entry)[1:-1]
        return " + ".join(f"({entry.column} >= {cut})::INT" for cut in cuts) or "0"

    def to_json(self, counted: Sequence[Filter], counts: Counts) -> dict[str, Any]:
        """Give ``total`` and ``facets`` as the page gets them."""
        facets = {entry.key: self._facet(entry, counts[entry.key]) for entry in counted}
        return {"total": counts[""].get("", 0), "facets": facets}

    def _facet(self, entry: Filter, counts: Mapping[str, int]) -> Any:
        if entry.kind == "range":
            edges = self.edges(entry)
            bins = [counts.get(str(at), 0) for at in range(len(edges) - 1)]
            return {"edges": edges, "ends": self.upper_ends(entry), "bins": bins}
        if entry.key == "failure":  # all of them, so that the list on the page keeps its place
            return [[mode.key, counts.get(mode.key, 0)] for mode in FAILURE_MODES]
        if entry.key == "noted":
            return [[value, counts.get(value, 0)] for value in NOTED]
        ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        return [[value, number] for value, number in ordered if value]


def _stepped(low: float, high: float, step: float) -> list[float]:
    """Give edges at whole multiples of a step that leave no value outside."""

    def at(number: int) -> float:
        return int(number) if step == 1 else round(float(number * step), 3)

    first, last = math.floor(low / step), math.ceil(high / step)
    first -= at(first) > low  # the quotient may have been rounded to a whole number
    last += at(last) < high
    last = max(last, first + 1)
    edges = np.linspace(first, last, min(_BINS, last - first) + 1).round().astype(int)
    return [at(number) for number in edges.tolist()]


def part(
    key: str, value: str, active: Sequence[Filter], *conditions: str, weight: str = "count(*)",
    beside: str = "",
) -> str:
    """Count one column over the rows of ``chosen`` that pass all filters in force but its own.

    Args:
        key: Of the filter; stands before each count.
        value: SQL of what is counted.
        active: The filters in force; ``chosen`` has a column ``passes_<key>`` of each.
        conditions: Further ones.
        weight: SQL of how much a group counts.
        beside: What ``chosen`` is joined with.
    """
    passed = [f"passes_{entry.key}" for entry in active if entry.key != key]
    where = " AND ".join([*passed, *conditions]) or "true"
    return (
        f"SELECT '{key}', CAST({value} AS VARCHAR) AS value, {weight} FROM chosen {beside} "
        f"WHERE {where} GROUP BY value"
    )


def found_part(entry: Filter, active: Sequence[Filter], run: int) -> str:
    """Count the findings of one kind, of a run and of no run."""
    return part(
        entry.key, "found.value", active, f"kind = '{entry.found}'", f"run IN (-1, {run})",
        beside="JOIN found USING (place)",
    )
