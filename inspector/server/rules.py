"""The rules of scoring that a viewer may switch: each choice is a workspace of its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from inspector.core.errors import UsageError, say_choices
from inspector.core.protocol import Protocol
from inspector.core.scores import score_run
from inspector.workspace import Workspace

CHOICES: dict[str, tuple[str, ...]] = {
    "average": ("sentence", "referent"),
    "empty_union": ("one", "zero", "skip"),
    "missing": ("zero", "skip"),
}
"""Key of a rule in the address -> its values."""

Rules = tuple[str, str, str, float]


def read_rules(query: Mapping[str, str], workspace: Workspace) -> Rules:
    """Read the rules of an address; those that are not set are the workspace's own.

    Raises:
        UsageError: If a value does not exist, or the threshold is no IoU.
    """
    own = workspace.protocol.to_json()
    chosen: dict[str, Any] = {}
    for key, values in CHOICES.items():
        chosen[key] = query.get(key) or own[key]
        if chosen[key] not in values:
            choices = say_choices(chosen[key], values)
            raise UsageError(f"No rule '{chosen[key]}' for {key}. {choices}")
    written = query.get("threshold") or ""
    threshold = _read_threshold(written) if written else threshold_of(workspace)
    return chosen["average"], chosen["empty_union"], chosen["missing"], threshold


def _read_threshold(written: str) -> float:
    try:
        threshold = float(written)
    except ValueError:
        threshold = 0.0
    if not 0 < threshold <= 1:
        raise UsageError(f"'{written[:40]}' is no IoU threshold. Write one above 0, up to 1.")
    return threshold


def threshold_of(workspace: Workspace) -> float:
    """Give the IoU from which a prediction is called correct."""
    return workspace.scores[0].thresholds.iou if workspace.scores else 0.5


def under_rules(workspace: Workspace, rules: Rules) -> Workspace:
    """Give the workspace under other rules; the same object if they are its own.

    Another protocol only divides anew; another threshold says anew why each example failed.
    """
    average, empty_union, missing, threshold = rules
    protocol = Protocol(average, empty_union, missing)  # type: ignore[arg-type]
    if threshold != threshold_of(workspace) and workspace.table is not None:
        raise UsageError(
            f"The table was scored elsewhere, with the IoU threshold {threshold_of(workspace):g}. "
            "Another one needs the masks: open them with --run and without --scores."
        )
    if threshold != threshold_of(workspace):
        workspace = replace(workspace, scores=tuple(
            score_run(workspace.dataset, scores.run,
                      thresholds=replace(scores.thresholds, iou=threshold))
            for scores in workspace.scores
        ))
    return workspace if protocol == workspace.protocol else replace(workspace, protocol=protocol)
