"""What an analysis on the page is made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from inspector.core.errors import UsageError, say_choices
from inspector.server.second import second_name
from inspector.workspace import Workspace

Progress = Callable[[int, int], None]
Query = Mapping[str, str]
Blocks = list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Panel:
    """One analysis: ``make(workspace, query, progress)`` gives its blocks.

    ``applies`` says whether the workspace has what it needs; where it has not, the page says
    ``otherwise``: what there would be, and how to get it. ``with_second`` gives it a second ground
    truth as a run beside the others.
    """

    key: str
    applies: Callable[[Workspace], bool]
    otherwise: str
    make: Callable[[Workspace, Query, Progress], Blocks]
    with_second: bool = False


def has_runs(workspace: Workspace) -> bool:
    """Whether there is anything to analyse."""
    return bool(workspace.scores)


def run_row(workspace: Workspace, query: Query, key: str = "run") -> int:
    """Find the run that a query names; the first one if it names none, or a second truth.

    Raises:
        UsageError: If there is no such run.
    """
    names = [scores.run.name for scores in workspace.scores]
    name = query.get(key) or names[0]
    if name not in names and name == second_name(workspace):
        return 0  # the second truth stands among the runs, but these numbers are not about it
    if name not in names:
        raise UsageError(f"No run '{name[:80]}'. {say_choices(name, names)}")
    return names.index(name)


def other_row(workspace: Workspace, query: Query) -> int | None:
    """Find the other run of a query; another one than the first if it names none."""
    run = run_row(workspace, query)
    if query.get("against"):
        return run_row(workspace, query, "against")
    return next((row for row in range(len(workspace.scores)) if row != run), None)
