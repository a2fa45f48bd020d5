"""A view of the page, as a program names it: checked, and written as the keys of an address."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from numbers import Integral, Real

import numpy as np

from inspector.browse import FILTERS, read_selection
from inspector.core.errors import UsageError, say_choices
from inspector.workspace import Workspace

VIEWS = ("inspect", "gallery", "table", "scatter")
"""Ways to show a selection; ``inspect`` is one example at a time."""

FilterValue = str | int | float | bool | Sequence[str] | tuple[float | None, float | None]


def write_view(
    workspace: Workspace, *, example: str | int | None, run: str | None, view: str | None,
    filters: dict[str, FilterValue], further_views: Sequence[str] = (),
) -> dict[str, str]:
    """Write the keys of the address of a view.

    Args:
        workspace: What is shown.
        example: Id of the example to go to.
        run: Name of a run.
        view: One of :data:`VIEWS`, or of ``further_views``.
        filters: By key of :data:`~inspector.browse.FILTERS`; also ``sort``, ``reverse`` and
            ``match``. A range may be a pair ``(low, high)`` with None for an open end, several
            choices a list.
        further_views: Keys of analyses and the like.

    Raises:
        UsageError: If there is no such example, run, view or filter, or a value cannot be one.
    """
    query: dict[str, str] = {}
    if view is not None:
        views = [*VIEWS, *further_views]
        if view not in views:
            raise UsageError(f"No view '{view}'. {say_choices(view, views)}")
        query |= {} if view == "inspect" else {"view": view}
    if run is not None:
        query["run"] = run
    entries = {entry.key: entry for entry in FILTERS}
    known = [*entries, "sort", "reverse", "match"]
    for key, value in filters.items():
        if key not in known:
            raise UsageError(f"No filter '{key}'. {say_choices(key, known)}")
        kind = entries[key].kind if key in entries else ""
        value = bool(value) if isinstance(value, np.bool_) else value
        if value is not None and value is not False:
            query[key] = _write(key, kind, value)
    read_selection(query, workspace)
    if example is not None:
        query["example"] = _example(workspace, str(example))
    return query


def _example(workspace: Workspace, example: str) -> str:
    if example not in workspace.dataset.index_of:
        raise UsageError(
            f"No example '{example[:80]}' among the {len(workspace.dataset):,} of "
            f"{workspace.dataset.name}. Give an id such as "
            f"'{workspace.dataset.expressions.ids[0]}'."
        )
    return example


def _write(key: str, kind: str, value: FilterValue) -> str:
    if value is True:
        return "1"
    if isinstance(value, str):
        return value
    if isinstance(value, Real):
        text = _exact(value)
        return f"{text}..{text}" if kind == "range" else text
    if not isinstance(value, Collection):
        raise UsageError(f"'{key}' must be text, a number or a list, but got {value!r}.")
    if kind == "range":
        if len(value) != 2:
            raise UsageError(f"'{key}' must be a pair (low, high), but got {value!r}.")
        return "..".join(
            "" if end is None else _exact(end) if isinstance(end, Real) else str(end)
            for end in value
        )
    if kind == "choices" and all(isinstance(part, str) for part in value):
        return ",".join(str(part) for part in value)
    raise UsageError(f"'{key}' must be one text, but got {value!r}.")


def _exact(number: Real) -> str:
    """Write a number, of NumPy too, with every digit: what equals it must be found."""
    return str(int(number)) if isinstance(number, Integral) else repr(float(number))
