"""Is one run really better than another: intervals, a paired test, wins and losses."""

from __future__ import annotations

from typing import Any

from inspector.analysis.compare import Comparison, compare_runs
from inspector.analysis.outcomes import TIE_MARGIN, agree
from inspector.analysis.slices import find_slices
from inspector.browse.slice_names import write_slice
from inspector.browse.slicing import coded_of
from inspector.core.bootstrap import Interval
from inspector.server.blocks import column, table, words
from inspector.server.panels.panel import Blocks, Progress, Query, other_row, run_row
from inspector.summary import describe_protocol
from inspector.workspace import Workspace

_MOST_RUNS = 10
_MEASURES = ("mIoU", "oIoU", "P@0.5", "P@0.7", "P@0.9")


def make(workspace: Workspace, query: Query, progress: Progress) -> Blocks:
    """All runs in a table, each pair tested, then the two that are chosen example by example."""
    runs = [
        (scores.run.name, scored)
        for scores, scored in zip(workspace.scores, workspace.scored, strict=True)
    ][:_MOST_RUNS]
    compared = compare_runs(
        runs, workspace.dataset.expressions.image, measures=_MEASURES,
        progress=lambda what, done, total: progress(done, total),
    )
    blocks = [_numbers(workspace, compared), _differences(compared), *_rankings(compared)]
    first, second = run_row(workspace, query), other_row(workspace, query)
    if second is not None and second != first:
        blocks += _two(workspace, first, second)
    return blocks


def _ends(interval: Interval | None) -> list[float] | None:
    return [interval.low, interval.high] if interval else None


def _numbers(workspace: Workspace, compared: Comparison) -> dict[str, Any]:
    measures = list(dict.fromkeys(n.measure for n in compared.numbers))
    rows: dict[str, dict[str, Any]] = {
        name: {"run": name, "select": {"run": name}} for name in compared.runs
    }
    for n in compared.numbers:
        low, high = _ends(n.interval) or (None, None)
        rows[n.run][n.measure] = [n.value, low, high]
    return table(
        "Runs, with 95 % intervals",
        [column("run", "Run", "data"), *(column(m, m, "estimate") for m in measures)],
        list(rows.values()),
        note=f"Rules: {describe_protocol(workspace.protocol)}. Intervals by bootstrap over "
        f"{compared.pictures:,} pictures, {compared.resamples:,} resamples, seed {compared.seed}.",
    )


def _differences(compared: Comparison) -> dict[str, Any]:
    rows = [
        {"pair": f"{d.first} − {d.second}", "measure": d.measure, "value": d.value,
         "interval": _ends(d.interval), "p": d.p, "adjusted": d.p_adjusted,
         "quiet": d.p_adjusted is None or d.p_adjusted > 0.05,
         "select": {"run": d.first, "against": d.second, "compare": "runs"}}
        for d in compared.differences
    ]
    return table(
        "Differences",
        [column("pair", "Pair", "data"), column("measure", "Metric", "data"),
         column("value", "Difference", "points"), column("interval", "95 %", "interval"),
         column("p", "p", "p", hint="paired permutation test over pictures"),
         column("adjusted", "p, corrected", "p")],
        rows,
        note="Paired: all runs on the same resampled pictures. p by "
        f"{compared.permutations:,} permutations of whole pictures; grey where the corrected p "
        "is above 0.05.",
    )


def _rankings(compared: Comparison) -> Blocks:
    if not compared.rankings:
        return []
    lines = [
        f"{r.measure}: {r.words} in {100 * r.same_order:.0f} % of the resamples"
        for r in compared.rankings
    ]
    return [words("; ".join(lines) + ".", title="How firm the order is")]


def _two(workspace: Workspace, first: int, second: int) -> Blocks:
    scores = workspace.scores[first], workspace.scores[second]
    scored = workspace.scored[first], workspace.scored[second]
    names = scores[0].run.name, scores[1].run.name
    agreement = agree(scores, scored)
    compared = compare_runs(
        list(zip(names, scored, strict=True)), workspace.dataset.expressions.image,
        measures=("mIoU",), resamples=0, permutations=0,
    ).tallies[0]

    def row(label: str, count: int | None, outcome: str, share: float | None) -> dict[str, Any]:
        return {"label": label, "count": count, "share": share, "select": {
            "run": names[0], "against": names[1], "compare": "runs",
            "outcome": f"{outcome}:{names[1]}",
        }}

    total = compared.wins + compared.ties + compared.losses
    shares = [count / total if total else None
              for count in (compared.wins, compared.ties, compared.losses)]
    columns = [column("label", ""), column("count", "Examples", "count"),
               column("share", "Share", "percent")]
    blocks = [
        table(f"{names[0]} against {names[1]}, example by example", columns, [
            row(f"{names[0]} is better", compared.wins, "wins", shares[0]),
            row("tie", compared.ties, "ties", shares[1]),
            row(f"{names[1]} is better", compared.losses, "losses", shares[2]),
            row("both right", None, "both_right", agreement.both_right),
            row(f"only {names[0]} right", None, "first_only", agreement.first_only),
            row(f"only {names[1]} right", None, "second_only", agreement.second_only),
            row("both wrong", None, "both_wrong", agreement.both_wrong),
        ], note="A tie is a difference of IoU of at most the margin of "
            f"{TIE_MARGIN:g}; right is IoU >= 0.5."),
    ]
    if agreement.mean_iou is not None:
        blocks.append(words(
            f"The two runs' masks have a mean IoU of {100 * agreement.mean_iou:.1f} % with each "
            f"other over {agreement.compared:,} examples.", title="Agreement of the masks",
        ))
    found = find_slices(
        coded_of(workspace.dataset), workspace.dataset.expressions.image, scored[0],
        against=scored[1],
    )
    blocks.append(table(
        f"Where {names[0]} and {names[1]} differ most",
        [column("label", "Slice"), column("n", "Examples", "count"),
         column("mean", "Difference", "points", hint="of mIoU, in points"),
         column("extra", "To the rest", "points"), column("interval", "95 %", "interval"),
         column("q", "q", "p")],
        [{"label": s.label, "n": s.n, "mean": s.mean, "extra": s.difference,
          "interval": _ends(s.interval), "q": s.q, "quiet": not s.is_found,
          "select": {"slice": write_slice(s.parts),
                     "run": names[0], "against": names[1], "compare": "runs"}}
         for s in found.slices if not s.is_small][:30],
        note=f"{names[0]} less {names[1]} on the slice, and how that differs from the rest; grey "
        "where q is above 0.05.",
    ))
    return blocks
