"""Numbers and what they can be compared with: metrics, evaluators, rules, recorded results."""

from __future__ import annotations

from typing import Any

from inspector.core.metrics import METRICS
from inspector.explaining import explain_protocols, place_runs
from inspector.server.blocks import column, table, words
from inspector.server.panels.panel import Blocks, Progress, Query, run_row
from inspector.summary import describe_coverage, describe_gap, describe_protocol
from inspector.workspace import Workspace


def make(workspace: Workspace, query: Query, progress: Progress) -> Blocks:
    """Metrics of every run; for the run on show, evaluators, rules, finder and leaderboard."""
    row = run_row(workspace, query)
    found = explain_protocols(
        workspace, row, published=query.get("published", ""), progress=progress
    )
    blocks = [*_metrics(workspace)]
    if found.finding is not None:
        blocks.append(_finding(found.finding))
    blocks += [_presets(found), _differences(found), *_leaderboard(workspace, row)]
    return blocks


def _metrics(workspace: Workspace) -> Blocks:
    used = [m for m in METRICS if any(run.get(m.key) is not None for run in workspace.metrics)]
    rows = [
        {"run": scores.run.name, "coverage": describe_coverage(scores),
         "select": {"run": scores.run.name},
         **{m.key: metrics.get(m.key) for m in used}}
        for scores, metrics in zip(workspace.scores, workspace.metrics, strict=True)
    ]
    return [
        table(
            "Metrics",
            [column("run", "Run", "data"),
             *(column(m.key, m.label, "percent", hint=m.description) for m in used)],
            rows, note=f"Rules: {describe_protocol(workspace.protocol)}. "
            "mIoU is also called gIoU (not Generalized IoU), oIoU cIoU.",
        ),
        table("Coverage", [column("run", "Run", "data"), column("coverage", "Matched")], rows),
        *(words(gap, title=f"Coverage of {scores.run.name}") for scores in workspace.scores
          if (gap := describe_gap(scores, workspace.protocol))),
    ]


def _finding(finding: Any) -> dict[str, Any]:
    return table(
        f"Which settings come closest to {finding.published.text}",
        [column("metric", "Metric", "data"), column("settings", "Settings"),
         column("value", "Value", "percent"), column("distance", "Distance", "points"),
         column("near", "")],
        [{"metric": c.metric, "settings": c.settings, "value": c.value, "distance": c.distance,
          "near": "within rounding" if c.within_rounding else "", "quiet": not c.within_rounding}
         for c in finding.candidates],
        note=finding.verdict,
    )


def _presets(found: Any) -> dict[str, Any]:
    def printed(value: float | None) -> str:
        return "–" if value is None else f"{100 * value:.1f}"

    rows = [
        {"preset": result.preset.label,
         "numbers": " · ".join(f"{name} {printed(v)}" for name, v in result.numbers.items()),
         "description": result.preset.description}
        for result in found.presets
    ]
    return table(
        f"What known evaluators would print for {found.run}, in percent",
        [column("preset", "Evaluator", "data"), column("numbers", "Prints", "data"),
         column("description", "How it counts")],
        rows,
    )


def _differences(found: Any) -> dict[str, Any]:
    effective = [d for d in found.differences if d.has_effect]
    without = sorted({d.label for d in found.differences if not d.has_effect}
                     - {d.label for d in effective})
    return table(
        "Why a number differs: each rule changed alone",
        [column("metric", "Metric", "data"), column("label", "Rule"),
         column("before", "Now", "percent"), column("after", "Then", "percent"),
         column("difference", "Difference", "points"), column("who", "So do", "data")],
        [{"metric": d.metric, "label": d.label, "before": d.before, "after": d.after,
          "difference": d.difference, "who": ", ".join(d.used_by)} for d in effective],
        note=f"Without effect on this data: {'; '.join(without)}." if without else "",
    )


def _leaderboard(workspace: Workspace, row: int) -> Blocks:
    name, placement = place_runs(workspace, "mIoU")[row]
    reasons: dict[str, int] = {}
    for _, reason in placement.unranked:
        reasons[reason] = reasons.get(reason, 0) + 1
    return [
        table(
            f"{name} by {placement.metric} among recorded results that compare",
            [column("rank", "", "count"), column("method", "Method", "data"),
             column("value", placement.metric, "percent"), column("kind", ""),
             column("note", "")],
            [{"rank": r.rank, "method": r.method, "value": r.value,
              "kind": r.kind if r.is_confirmed else f"{r.kind}, as printed", "note": r.note}
             for r in placement.rows],
            note=" ".join(placement.notes),
        ),
        words("; ".join(f"{reason} ({count:,})" for reason, count in reasons.items()) or "None.",
              title="Recorded results that are not ranked"),
    ]
