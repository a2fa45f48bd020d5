"""Why the predictions failed: modes with their gain, grounding, flags, leverage, geometry."""

from __future__ import annotations

from typing import Any

from inspector.analysis.flags import FLAGS, find_flags
from inspector.analysis.gains import count_modes, split_grounding
from inspector.analysis.geometry import check_geometry
from inspector.analysis.leverage import Leverage, measure_leverage
from inspector.core.failures import FAILURE_MODES
from inspector.server.blocks import column, table, words
from inspector.server.panels.panel import Blocks, Progress, Query, run_row
from inspector.summary import describe_protocol
from inspector.workspace import Workspace, measured


def make(workspace: Workspace, query: Query, progress: Progress) -> Blocks:
    """Everything about the failures of one run."""
    row = run_row(workspace, query)
    edges = _part(progress, 0, 80)
    workspace = measured(
        workspace, only=row, progress=lambda _, done, total: edges(done, total)
    )
    scores, scored = workspace.scores[row], workspace.scored[row]
    geometry = check_geometry(scores, progress=_part(progress, 80, 100))
    return [
        _modes(workspace, row),
        _grounding(workspace, row),
        _flags(workspace, row),
        _leverage(workspace, measure_leverage(scored)),
        words(geometry.line, title="Geometry check: predictions shifted, grown and shrunk"),
    ]


def _part(progress: Progress, begin: int, end: int) -> Progress:
    """Give the progress of a step that is from ``begin`` to ``end`` per cent of the whole."""
    return lambda done, total: progress(begin + (end - begin) * done // max(total, 1), 100)


def _modes(workspace: Workspace, row: int) -> dict[str, Any]:
    scores = workspace.scores[row]
    modes = {mode.key: mode for mode in FAILURE_MODES}
    counts = count_modes(scores, workspace.protocol)
    metrics = list(counts[0].gain) if counts else []
    limits = scores.thresholds
    return table(
        f"Failure modes of {scores.run.name}",
        [column("label", "Failure mode"), column("count", "Examples", "count"),
         column("share", "Share", "percent"),
         *(column(m, f"{m} if fixed", "points", hint="in points") for m in metrics),
         column("description", "When")],
        [{"label": modes[c.key].label, "count": c.count, "share": c.share, **c.gain,
          "description": modes[c.key].describe(limits), "quiet": not c.count,
          "select": {"run": scores.run.name, "failure": c.key}} for c in counts],
        note=f"Thresholds: IoU {limits.iou:g}, share {limits.share:g}, covered "
        f"{limits.covered:g}, background {limits.background:g}. If fixed: the score after these "
        f"predictions are set to the target. Rules: {describe_protocol(workspace.protocol)}.",
    )


def _grounding(workspace: Workspace, row: int) -> dict[str, Any]:
    split = split_grounding(workspace.scores[row], workspace.protocol)

    def percent(value: float | None) -> str:
        return "not defined" if value is None else f"{100 * value:.1f} %"

    return words(
        f"Grounding accuracy (the best-fitting object is the target): {percent(split.grounding)}. "
        f"Mask quality given the right object (mean IoU over those {split.on_target:,}): "
        f"{percent(split.quality)}. {split.note}",
        title="Finding the object, and drawing it",
    )


def _flags(workspace: Workspace, row: int) -> dict[str, Any]:
    found = find_flags(workspace.scores)[row]
    return table(
        "Flags beside the failure mode",
        [column("label", "Flag"), column("count", "Examples", "count"),
         column("description", "When")],
        [{"label": flag.label, "count": int(found[flag.key].sum()),
          "description": flag.description,
          "select": {"run": workspace.scores[row].run.name, "flag": flag.key}}
         for flag in FLAGS],
    )


def _leverage(workspace: Workspace, leverage: Leverage) -> dict[str, Any]:
    table_of = workspace.dataset.expressions
    return table(
        "Leverage: the examples that move oIoU most",
        [column("sentence", "Sentence", "data"), column("share", "Share of the union", "percent"),
         column("change", "oIoU without it", "points")],
        [{"sentence": table_of.sentences[place], "share": float(leverage.share[place]),
          "change": float(leverage.change[place]),
          "select": {"example": table_of.ids[place]}} for place in leverage.top.tolist()],
        note=f"{leverage.half:,} of {leverage.counted:,} examples hold half of the sum of unions.",
    )
