"""Metrics by group: the values of any column of the table of scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from inspector.core.errors import UsageError, say_choices
from inspector.core.metrics import compute_metric
from inspector.core.run import Status
from inspector.core.table import COLUMNS, score_table
from inspector.workspace import Workspace

_OF_MASKS = ("mIoU", "oIoU", "P@0.5")
_OF_BOXES = ("box_mIoU", "box_Acc@0.5")
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
    keys = _metrics_of(workspace)
    found = []
    for scores, scored in zip(workspace.scores, workspace.scored, strict=True):
        values = score_table([scores], workspace.protocol).column(column)
        codes, labels = _cut(values) if _holds_numbers(values) else _list_values(values)
        places = np.flatnonzero(scores.status != Status.NO_TRUTH)
        for code, label in enumerate(labels):
            chosen = np.zeros(len(scores.status), bool)
            chosen[places[codes == code]] = True
            part = scored.take(chosen)
            metrics = {key: compute_metric(part, key) for key in keys}
            found.append(Group(scores.run.name, label, int(chosen.sum()), metrics))
    return found


def _metrics_of(workspace: Workspace) -> tuple[str, ...]:
    """Choose the metrics that some run has: of masks, of boxes where a run holds nothing else."""
    kinds = {scores.run.is_boxes_only for scores in workspace.scores}
    return (_OF_MASKS if False in kinds else ()) + (_OF_BOXES if True in kinds else ())


def _holds_numbers(column: Any) -> bool:
    import pyarrow as pa

    return not pa.types.is_string(column.type)


def _list_values(column: Any) -> tuple[np.ndarray, list[str]]:
    """Give the group of every row, and the text of each group, the largest first."""
    texts, codes, counts = np.unique(
        np.array([value or "–" for value in column.to_pylist()], object),
        return_inverse=True, return_counts=True,
    )
    order = np.argsort(-counts, kind="stable")  # of equal size by the text, as np.unique sorts
    return np.argsort(order)[codes], texts[order].tolist()


def _cut(column: Any) -> tuple[np.ndarray, list[str]]:
    """Give the group of every row, and the label of each in the order of the numbers.

    Groups are made of the numbers themselves and named afterwards: two that look alike when they
    are rounded stay two. Rows without a number are the last group.
    """
    values = column.to_pylist()
    is_known = np.array([value is not None for value in values], bool)
    known = np.array([value for value in values if value is not None])
    edges = np.unique(known)[1:]
    if len(edges) >= _MOST_VALUES:
        edges = np.unique(np.quantile(known, np.arange(1, _BINS) / _BINS))
    bins = np.searchsorted(edges, known, "right")
    used, own = np.unique(bins, return_inverse=True)
    codes = np.full(len(values), len(used))
    codes[is_known] = own
    inside = [known[own == code] for code in range(len(used))]
    labels = _name_ranges([(part.min().item(), part.max().item()) for part in inside])
    return codes, labels + ["–"] * (not is_known.all())


def _name_ranges(ends: list[tuple[float, float]]) -> list[str]:
    """Write ranges of numbers with as few digits as tell them apart, whole numbers with all."""
    labels: list[str] = []
    for digits in range(4, 18):  # 17 tell any two numbers apart
        labels = [
            " … ".join(dict.fromkeys(_write(end, digits) for end in pair)) for pair in ends
        ]
        if len({*labels}) == len(labels):
            break
    return labels


def _write(number: float, digits: int) -> str:
    return f"{number:,}" if isinstance(number, int) else f"{number:.{digits}g}"


def describe_groups(groups: list[Group], column: str) -> str:
    """Write groups as a table."""
    keys = groups[0].metrics if groups else ()
    width = max([len(column), *(len(group.value) for group in groups)])
    runs = max(len("run"), *(len(group.run) for group in groups))
    head = [f"{'run':<{runs}}", f"{column:<{width}}", f"{'n':>7}"]
    lines = ["  ".join([*head, *(f"{key:>6}" for key in keys)])]
    for group in groups:
        cells = [
            f"{'–' if value is None else f'{value:.4f}':>{max(len(key), 6)}}"
            for key, value in group.metrics.items()
        ]
        lines.append("  ".join(
            [f"{group.run:<{runs}}", f"{group.value:<{width}}", f"{group.n:>7,}", *cells]
        ))
    return "\n".join(lines)


def groups_json(groups: list[Group], run: str) -> list[dict[str, Any]]:
    """Give the groups of one run as JSON holds them."""
    return [{"value": g.value, "n": g.n, **g.metrics} for g in groups if g.run == run]
