"""What ``score`` says beyond the metrics: by group, at further thresholds, as evaluators print."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from inspector.analysis.counting import gather
from inspector.analysis.presets import Preset, PresetResult, compute_preset, find_preset
from inspector.commands.groups import (
    Group,
    check_column,
    describe_groups,
    group_scores,
    groups_json,
)
from inspector.core.metrics import Metric, precision_at
from inspector.workspace import Workspace


@dataclass(frozen=True, slots=True)
class FurtherOptions:
    """Checked options: a column to group by (or empty), thresholds of P@X, evaluators."""

    by: str
    at: tuple[Metric, ...]
    presets: tuple[Preset, ...]


@dataclass(frozen=True, slots=True, eq=False)
class More:
    """The answers, by run."""

    asked: FurtherOptions
    groups: tuple[Group, ...]
    at: Mapping[str, Mapping[str, float | None]]
    presets: Mapping[str, tuple[PresetResult, ...]]


def read_options(*, by: str | None, at: Sequence[str], presets: Sequence[str]) -> FurtherOptions:
    """Check what was asked for before anything is read.

    Raises:
        UsageError: If there is no such column, threshold or preset.
    """
    if by:
        check_column(by)
    return FurtherOptions(
        by or "", tuple(precision_at(text) for text in at), tuple(find_preset(k) for k in presets)
    )


def score_more(workspace: Workspace, asked: FurtherOptions) -> More:
    """Compute everything that was asked for."""
    names = [scores.run.name for scores in workspace.scores]
    presets: dict[str, tuple[PresetResult, ...]] = {}
    for name, scores in zip(names, workspace.scores, strict=True):
        material = gather(scores) if asked.presets else None
        presets[name] = tuple(
            compute_preset(material, preset) for preset in asked.presets if material
        )
    return More(
        asked,
        tuple(group_scores(workspace, asked.by)) if asked.by else (),
        {name: {metric.key: metric.compute(scored) for metric in asked.at}
         for name, scored in zip(names, workspace.scored, strict=True)},
        presets,
    )


def more_json(more: More) -> dict[str, dict[str, Any]]:
    """Give by run what is added to its entry in ``score --json``."""
    found: dict[str, dict[str, Any]] = {}
    for name, at in more.at.items():
        entry: dict[str, Any] = {}
        if at:
            entry["at"] = dict(at)
        if more.asked.by:
            entry["groups"] = {"by": more.asked.by, "rows": groups_json(list(more.groups), name)}
        if more.asked.presets:
            entry["presets"] = {
                result.preset.key: {"numbers": result.numbers, "notes": list(result.notes)}
                for result in more.presets[name]
            }
        found[name] = entry
    return found


def describe_more(more: More) -> str:
    """Write the answers as text; empty if nothing was asked."""
    lines = []
    for name, at in more.at.items():
        if at:
            numbers = "  ".join(f"{key} {_number(value)}" for key, value in at.items())
            lines += ["", f"{name}: {numbers}"]
    for name, results in more.presets.items():
        for result in results:
            numbers = "  ".join(f"{key} {_number(v)}" for key, v in result.numbers.items())
            lines += ["", f"{name} as {result.preset.label} prints it: {numbers}"]
            lines += [f"  {note}" for note in result.notes]
    if more.groups:
        lines += ["", describe_groups(list(more.groups), more.asked.by)]
    return "".join(f"{line}\n" for line in lines)


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}"
