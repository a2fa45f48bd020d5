"""The second ground truth as the page looks at it: beside the runs, under a name of its own."""

from __future__ import annotations

from dataclasses import replace

from inspector.workspace import Workspace

_NAME = "truth B"


def second_name(workspace: Workspace) -> str:
    """Name the second ground truth among the runs, as none of them is named.

    Args:
        workspace: As it was opened, the second truth not yet among its runs.

    Returns:
        Empty if there is no second truth.
    """
    if workspace.second is None:
        return ""
    name, names = _NAME, {scores.run.name for scores in workspace.scores}
    while name in names:
        name += "'"
    return name


def with_second_as_run(workspace: Workspace) -> Workspace:
    """Put the second ground truth beside the runs, so that it is looked at in every way they are.

    Its IoU with the first truth is then what everything is sorted and filtered by.
    """
    if workspace.second is None:
        return workspace
    label = workspace.second.label
    shown = replace(label, run=replace(label.run, name=second_name(workspace)))
    return replace(workspace, scores=(*workspace.scores, shown))
