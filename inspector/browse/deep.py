"""Windows deep inside an order of millions of rows, without making the order.

Near the beginning the database keeps the first rows while it goes through them. Further in, rows
are counted by their first key, which tells in which group the window lies; inside a group that is
still large by the next key, and so on; only the last, small group is sorted.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from inspector.browse.columns import RUN_COLUMNS
from inspector.browse.selection import Selection
from inspector.browse.sorts import Sort

SHALLOW = 5_000
"""Rows that are simply kept while going through all of them."""

_SMALL = 250_000  # rows that are sorted
_KEPT = 200  # counts that are remembered
_STEPS = 4096  # groups of a fraction between 0 and 1

Ask = Callable[[str, list[Any], Selection], list[tuple[Any, ...]]]


@dataclass(frozen=True, slots=True)
class Key:
    """What an order goes by: an expression, and which way; empty values come last."""

    expression: str
    descending: bool
    is_fraction: bool = False

    def clause(self) -> str:
        """Write it for ORDER BY."""
        return f"{self.expression} {'DESC' if self.descending else 'ASC'} NULLS LAST"


JOINED = "run_all JOIN (SELECT * EXCLUDE (target_area) FROM examples) AS examples USING (place)"
"""Rows of all runs beside what is known of their examples."""

_FRACTIONS = frozenset({"iou", "truth_iou", "truth_boundary"})
_OF_ROWS = frozenset({"run", "place", "target_area", *RUN_COLUMNS})


def keys_of(sort: Sort, *, reverse: bool) -> tuple[Key, ...]:
    """Take an order apart; the run decides at last."""
    keys = []
    for part in f"{sort.order_by(reverse=reverse)}, run".split(", "):
        words = part.removesuffix(" NULLS LAST")
        expression = words.removesuffix(" DESC").removesuffix(" ASC")
        keys.append(Key(expression, words.endswith(" DESC"), expression in _FRACTIONS))
    return tuple(keys)


class DeepOrder:
    """Finds windows of orders over ``run_all``; remembers what it has counted."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask
        self._counts: OrderedDict[tuple[Any, ...], list[tuple[Any, int]]] = OrderedDict()
        self._lock = threading.Lock()

    def rows(
        self, selection: Selection, keys: tuple[Key, ...], where: str, values: list[Any],
        offset: int, limit: int,
    ) -> list[tuple[int, int]]:
        """Give (run, place) of ``limit`` rows from ``offset`` on, among those that pass."""
        conditions = [where.removeprefix("WHERE ") or "true"]
        steps = []
        for key in keys:
            if key.expression == "iou":
                steps.append(Key("iou_bin", key.descending))
            if key.is_fraction:  # by groups first: there are too many different values
                steps.append(Key(f"floor({key.expression} * {_STEPS})::INT", key.descending))
            steps.append(key)
        return self._find(selection, keys, steps, conditions, values, offset, limit, None)

    def _find(
        self, selection: Selection, keys: tuple[Key, ...], steps: list[Key],
        conditions: list[str], values: list[Any], offset: int, limit: int, total: int | None,
    ) -> list[tuple[int, int]]:
        is_small = total is not None and total <= _SMALL
        if is_small or offset + limit <= SHALLOW or not steps:
            order = ", ".join(key.clause() for key in keys)
            query = (
                f"SELECT run, place FROM {_source(keys, conditions)} {_where(conditions)} "
                f"ORDER BY {order} LIMIT {limit} OFFSET {offset}"
            )
            return [(int(run), int(place)) for run, place in self._ask(query, values, selection)]
        found: list[tuple[int, int]] = []
        step, *rest = steps
        for value, number in self._groups(selection, step, conditions, values):
            if offset >= number:
                offset -= number
                continue
            inside = (f"{step.expression} IS NULL" if value is None
                      else f"{step.expression} = {_literal(value)}")
            taken = self._find(
                selection, keys, rest, [*conditions, inside], values, offset,
                min(limit, number - offset), number,
            )
            found += taken
            limit -= len(taken)
            offset = 0
            if limit <= 0 or not taken:
                break
        return found

    def _groups(
        self, selection: Selection, step: Key, conditions: list[str], values: list[Any]
    ) -> list[tuple[Any, int]]:
        """Count rows by a key, in its order."""
        asked = (step, *conditions, *map(repr, values))
        with self._lock:
            if asked in self._counts:
                self._counts.move_to_end(asked)
                return self._counts[asked]
        query = (
            f"SELECT {step.expression} AS value, count(*) FROM {_source((step,), conditions)} "
            f"{_where(conditions)} GROUP BY value ORDER BY value "
            f"{'DESC' if step.descending else 'ASC'} NULLS LAST"
        )
        groups = [(value, int(number)) for value, number in self._ask(query, values, selection)]
        with self._lock:
            self._counts[asked] = groups
            while len(self._counts) > _KEPT:
                self._counts.popitem(last=False)
        return groups


def _source(keys: tuple[Key, ...], conditions: list[str]) -> str:
    """Say what is read: the rows alone where no key and no condition asks for an example."""
    words = " ".join([*(key.expression for key in keys), *conditions[1:]])
    names = {word for word in "".join(c if c.isalnum() or c == "_" else " " for c in words).split()
             if not word[0].isdigit()}
    known = _OF_ROWS | {"floor", "INT", "IS", "NULL", "True", "False", "DOUBLE"}
    return "run_all" if names <= known else JOINED


def _where(conditions: list[str]) -> str:
    return "WHERE " + " AND ".join(conditions) if conditions else ""


def _literal(value: Any) -> str:
    """Write a value; a fraction as text, since a decimal number would not be the same one."""
    return f"'{value!r}'::DOUBLE" if isinstance(value, float) else repr(value)
