"""Windows deep inside an order of millions of rows, without making the order.

Near the beginning the database keeps the first rows while it goes through them. Further in, rows
are counted by their first key, which tells in which group the window lies; inside a group that is
still large by the next key, and so on; only the last, small group is sorted.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
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

    @property
    def is_of_rows(self) -> bool:
        """Whether it is known without looking at the example."""
        return self.expression in _OF_ROWS or self.expression.startswith("floor(iou *")

    def clause(self) -> str:
        """Write it for ORDER BY."""
        return f"{self.expression} {'DESC' if self.descending else 'ASC'} NULLS LAST"


_JOINED = (
    "run_all JOIN (SELECT * EXCLUDE (target_area) FROM examples {}) AS examples USING (place)"
)
JOINED = _JOINED.format("")
"""Rows of all runs beside what is known of their examples."""

_FRACTIONS = frozenset({"iou", "truth_iou", "truth_boundary"})
_OF_ROWS = ("run", "place", "target_area", *RUN_COLUMNS)


def keys_of(sort: Sort, *, reverse: bool) -> tuple[Key, ...]:
    """Take an order apart; the run decides at last."""
    keys = []
    for part in f"{sort.order_by(reverse=reverse)}, run".split(", "):
        words = part.removesuffix(" NULLS LAST")
        expression = words.removesuffix(" DESC").removesuffix(" ASC")
        keys.append(Key(expression, words.endswith(" DESC"), expression in _FRACTIONS))
    return tuple(keys)


@dataclass(frozen=True, slots=True)
class Chosen:
    """Rows of all runs that pass a selection.

    What is asked of examples is decided once for each of them; rows are then looked up by place,
    which is unique there and dense, so that ten million look-ups take a twentieth of a second.

    Attributes:
        examples, rows: Conditions on examples, and on rows.
        values: Their parameters, those of examples first.
        is_lasting: Whether the same question has the same answer later; not so for findings.
    """

    examples: tuple[str, ...]
    rows: tuple[str, ...]
    values: tuple[Any, ...]
    is_lasting: bool = True

    def source(self, *, beside: bool = False) -> str:
        """Write FROM; with what is known of each row's example ``beside`` it."""
        if beside:
            return _JOINED.format(_where(self.examples))
        if self.examples:
            passing = f"(SELECT place FROM examples {_where(self.examples)})"
            return f"run_all JOIN {passing} AS passing USING (place)"
        return "run_all"

    def where(self) -> str:
        """Write WHERE, or nothing."""
        return _where(self.rows)

    def narrowed(self, key: Key, value: Any) -> Chosen:
        """Keep the rows that have one value of a key."""
        condition = f"{key.expression} {_equals(value)}"
        if key.is_of_rows:
            return replace(self, rows=(*self.rows, condition))
        return replace(self, examples=(*self.examples, condition))


class DeepOrder:
    """Finds windows of orders over ``run_all``; remembers what it has counted."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask
        self._counts: OrderedDict[tuple[Any, ...], list[tuple[Any, ...]]] = OrderedDict()
        self._lock = threading.Lock()

    def total(self, selection: Selection, chosen: Chosen) -> int:
        """Count the rows."""
        query = f"SELECT count(*) FROM {chosen.source()} {chosen.where()}"
        return int(self._remembered(selection, chosen, query)[0][0])

    def rows(
        self, selection: Selection, keys: tuple[Key, ...], chosen: Chosen, offset: int, limit: int
    ) -> list[tuple[int, int]]:
        """Give (run, place) of ``limit`` rows from ``offset`` on, among those that pass."""
        steps = []
        for key in keys:
            if key.expression == "iou":
                steps.append(Key("iou_bin", key.descending))
            if key.is_fraction:  # by groups first: there are too many different values
                steps.append(Key(f"floor({key.expression} * {_STEPS})::INT", key.descending))
            steps.append(key)
        total = self.total(selection, chosen)
        return self._find(selection, keys, steps, chosen, offset, limit, total)

    def _find(
        self, selection: Selection, keys: tuple[Key, ...], steps: list[Key], chosen: Chosen,
        offset: int, limit: int, total: int,
    ) -> list[tuple[int, int]]:
        if total <= _SMALL or offset + limit <= SHALLOW or not steps:
            source = chosen.source(beside=not all(key.is_of_rows for key in keys))
            query = (
                f"SELECT run, place FROM {source} {chosen.where()} "
                f"ORDER BY {', '.join(key.clause() for key in keys)} LIMIT {limit} OFFSET {offset}"
            )
            rows = self._ask(query, list(chosen.values), selection)
            return [(int(run), int(place)) for run, place in rows]
        found: list[tuple[int, int]] = []
        step, *rest = steps
        query = (
            f"SELECT {step.expression} AS value, count(*) FROM "
            f"{chosen.source(beside=not step.is_of_rows)} {chosen.where()} GROUP BY value "
            f"ORDER BY value {'DESC' if step.descending else 'ASC'} NULLS LAST"
        )
        for value, number in self._remembered(selection, chosen, query):
            if offset >= number:
                offset -= number
                continue
            taken = self._find(
                selection, keys, rest, chosen.narrowed(step, value), offset,
                min(limit, number - offset), number,
            )
            found += taken
            limit -= len(taken)
            offset = 0
            if limit <= 0 or not taken:
                break
        return found

    def _remembered(
        self, selection: Selection, chosen: Chosen, query: str
    ) -> list[tuple[Any, ...]]:
        """Ask, unless it was asked before."""
        asked = (query, *map(repr, chosen.values))
        if chosen.is_lasting:
            with self._lock:
                if asked in self._counts:
                    self._counts.move_to_end(asked)
                    return self._counts[asked]
        answer = self._ask(query, list(chosen.values), selection)
        if chosen.is_lasting:
            with self._lock:
                self._counts[asked] = answer
                while len(self._counts) > _KEPT:
                    self._counts.popitem(last=False)
        return answer


def _where(conditions: Sequence[str]) -> str:
    return "WHERE " + " AND ".join(conditions) if conditions else ""


def _equals(value: Any) -> str:
    """Compare with a value; a fraction as text, since a decimal number would not be the same."""
    if value is None:
        return "IS NULL"
    return f"= '{value!r}'::DOUBLE" if isinstance(value, float) else f"= {value!r}"
