"""Every metric of every run, with the rules in force."""

from __future__ import annotations

from inspector.core.metrics import METRICS
from inspector.server.blocks import column, table, words
from inspector.server.panels.panel import Blocks, Progress, Query
from inspector.summary import describe_coverage, describe_protocol
from inspector.workspace import Workspace


def make(workspace: Workspace, query: Query, progress: Progress) -> Blocks:
    """Tables of metrics and coverage, and what the metrics are."""
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
