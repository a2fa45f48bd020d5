"""Metrics by group: the values of any column of the table of scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from inspector.core.errors import UsageError, say_choices
from inspector.core.metrics import compute_metric
from inspector.core.run import Status
from inspector.core.table import score_table
from inspector.workspace import Workspace

GROUP_METRICS = ("mIoU", "oIoU", "P@0.5")
_MOST_VALUES = 12
_BINS = 5


@dataclass(frozen=True, slots=True)
class Group:
    """One value of the column in one run; ``metrics`` by key, None where not defined."""

    run: str
    value: str
    n: int
    metrics: dict[str, float | None]


def check_column(column: str) -> None:
    """Refuse a column that the table does not have, before anything is read.

    Raises:
        UsageError: With the columns that there are.
    """
    from inspector.core.table import COLUMNS

    if column not in COLUMNS:
        raise UsageError(f"No column '{column}'. {say_choices(column, list(COLUMNS))}")


def group_scores(workspace: Workspace, column: str) -> list[Group]:
    """Compute the metrics of every group, under the workspace's rules.

    Numbers of more than a dozen different values are cut into five groups of about equal size.
    Within a run the largest group stands first; groups of numbers stand in their own order.

    Raises:
        UsageError: If the table has no such column.
    """
    check_column(column)
    found = []
    for scores, scored in zip(workspace.scores, workspace.scored, strict=True):
        values = score_table([scores], workspace.protocol).column(column)
        names, is_number = _names(values)
        places = np.flatnonzero(scores.status != Status.NO_TRUTH)
        groups: dict[str, list[int]] = {}
        for place, name in zip(places.tolist(), names, strict=True):
            groups.setdefault(name, []).append(place)
        order = list(dict.fromkeys(is_number)) if is_number else sorted(
            groups, key=lambda name: (-len(groups[name]), name)
        )
        for name in order:
            chosen = np.zeros(len(scores.status), bool)
            chosen[groups[name]] = True
            part = scored.take(chosen)
            metrics = {key: compute_metric(part, key) for key in GROUP_METRICS}
            found.append(Group(scores.run.name, name, len(groups[name]), metrics))
    return found


def _names(column: Any) -> tuple[list[str], list[str]]:
    """Give the name of every row's group, and for numbers the groups in their order."""
    import pyarrow as pa

    values = column.to_pylist()
    if pa.types.is_string(column.type):
        return [value or "–" for value in values], []
    known = np.array([value for value in values if value is not None])
    if len(np.unique(known)) <= _MOST_VALUES:
        names = ["–" if value is None else f"{value:g}" for value in values]
        ordered = [f"{value:g}" for value in np.unique(known).tolist()]
    else:
        edges = np.unique(np.quantile(known, np.arange(1, _BINS) / _BINS))
        codes = [-1 if v is None else int(np.searchsorted(edges, v, "right")) for v in values]
        ordered, of = [], {-1: "–"}
        for code in sorted(set(codes) - {-1}):
            own = [v for v, c in zip(values, codes, strict=True) if c == code]
            of[code] = f"{min(own):.4g} … {max(own):.4g}"
            ordered.append(of[code])
        names = [of[code] for code in codes]
    return names, ordered + (["–"] if None in values else [])


def describe_groups(groups: list[Group], column: str) -> str:
    """Write groups as a table."""
    width = max([len(column), *(len(group.value) for group in groups)])
    runs = max(len("run"), *(len(group.run) for group in groups))
    head = [f"{'run':<{runs}}", f"{column:<{width}}", f"{'n':>7}"]
    lines = ["  ".join([*head, *(f"{key:>6}" for key in GROUP_METRICS)])]
    for group in groups:
        cells = [
            f"{'–' if value is None else f'{value:.4f}':>6}" for value in group.metrics.values()
        ]
        lines.append("  ".join(
            [f"{group.run:<{runs}}", f"{group.value:<{width}}", f"{group.n:>7,}", *cells]
        ))
    return "\n".join(lines)


def groups_json(groups: list[Group], run: str) -> list[dict[str, Any]]:
    """Give the groups of one run as JSON holds them."""
    return [{"value": g.value, "n": g.n, **g.metrics} for g in groups if g.run == run]
