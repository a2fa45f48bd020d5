"""What an analysis shows: blocks of words and tables that the page draws without knowing them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

Kind = Literal[
    "text", "data", "count", "percent", "points", "number", "interval", "estimate", "p",
]
"""How a column is written: words of ours; words of the data, a run or a person, which no language
changes; a whole number; a fraction as a percentage; a difference of fractions in signed points; a
plain number; a pair of fractions as an interval; [value, low, high] as a percentage with its
interval; a p- or q-value."""


def column(key: str, label: str, kind: Kind = "text", *, hint: str = "") -> dict[str, str]:
    """Describe one column of a table."""
    return {"key": key, "label": label, "kind": kind, "hint": hint}


def table(
    title: str, columns: Sequence[Mapping[str, str]], rows: Sequence[Mapping[str, Any]], *,
    note: str = "",
) -> dict[str, Any]:
    """Describe a table.

    Args:
        title: Its heading.
        columns: Made by :func:`column`.
        rows: Values by the columns' keys. ``select`` in a row is what of the page's state a click
            on it sets; ``quiet`` marks a row that is not to be leaned on.
        note: A sentence below it.
    """
    return {"kind": "table", "title": title, "columns": list(columns), "rows": list(rows),
            "note": note}


def words(text: str, *, title: str = "") -> dict[str, Any]:
    """Describe a paragraph."""
    return {"kind": "words", "title": title, "text": text}
