"""The analyses that the page offers; one entry of :data:`PANELS` adds one.

Each turns results of :mod:`inspector.analysis` into blocks; nothing is computed here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from inspector.core.errors import UsageError
from inspector.core.metrics import METRICS
from inspector.server.blocks import column, table, words
from inspector.summary import describe_coverage, describe_protocol
from inspector.workspace import Workspace

Progress = Callable[[int, int], None]
Blocks = list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Panel:
    """One analysis: ``make(workspace, query, progress)`` gives its blocks.

    ``applies`` says whether the workspace has what it needs; others are not offered.
    """

    key: str
    applies: Callable[[Workspace], bool]
    make: Callable[[Workspace, Mapping[str, str], Progress], Blocks]


def run_row(workspace: Workspace, query: Mapping[str, str], key: str = "run") -> int:
    """Find the run that a query names; the first one if it names none.

    Raises:
        UsageError: If there is no such run.
    """
    names = [scores.run.name for scores in workspace.scores]
    name = query.get(key) or names[0]
    if name not in names:
        raise UsageError(f"No run '{name}'. There is: {', '.join(names)}.")
    return names.index(name)


def numbers(workspace: Workspace, query: Mapping[str, str], progress: Progress) -> Blocks:
    """Every metric of every run, with the rules in force."""
    used = [m for m in METRICS if any(run.get(m.key) is not None for run in workspace.metrics)]
    rows = [
        {"run": scores.run.name, "coverage": describe_coverage(scores),
         "select": {"run": scores.run.name},
         **{m.key: metrics.get(m.key) for m in used}}
        for scores, metrics in zip(workspace.scores, workspace.metrics, strict=True)
    ]
    columns = [column("run", "Run")] + [
        column(m.key, m.label, "percent", hint=m.description) for m in used
    ]
    return [
        table("Metrics, in percent", columns, rows,
              note=f"Rules: {describe_protocol(workspace.protocol)}."),
        table("Coverage", [column("run", "Run"), column("coverage", "Matched")], rows),
        words(" · ".join(f"{m.label}: {m.description}" for m in used), title="What they are"),
    ]


PANELS: tuple[Panel, ...] = (
    Panel("numbers", lambda workspace: bool(workspace.scores), numbers),
)
