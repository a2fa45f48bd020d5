"""Is one run really better than another: intervals, a paired test, wins and losses."""

from __future__ import annotations

from typing import Any

from inspector.analysis.compare import MOST_RUNS, Comparison, compare_runs
from inspector.analysis.measures import measure_of, measures_for
from inspector.analysis.outcomes import TIE_MARGIN, agree
from inspector.analysis.slices import find_slices
from inspector.browse.slice_names import write_slice
from inspector.browse.slicing import coded_of
from inspector.core.bootstrap import Interval
from inspector.core.errors import UsageError
from inspector.core.protocol import ScoredExamples
from inspector.server.blocks import column, table, words
from inspector.server.panels.panel import Blocks, Progress, Query, other_row, run_row
from inspector.summary import describe_protocol
from inspector.workspace import Workspace


def make(workspace: Workspace, query: Query, progress: Progress) -> Blocks:
    """All runs in a table, each pair tested, then the two that are chosen example by example."""
    first, second = run_row(workspace, query), other_row(workspace, query)
    kept = _kept(len(workspace.scores), first, second)
    scored = [workspace.scored[row] for row in kept]
    compared = compare_runs(
        [(workspace.scores[row].run.name, one) for row, one in zip(kept, scored, strict=True)],
        workspace.dataset.expressions.image,
        measures=tuple(dict.fromkeys(key for one in scored for key in measures_for(one))),
        progress=lambda what, done, total: progress(done, total),
    )
    blocks = [_numbers(workspace, compared), _differences(compared), *_rankings(compared)]
    if second is not None and second != first:
        blocks += _two(workspace, first, second)
    return blocks


def _kept(count: int, first: int, second: int | None) -> list[int]:
    """Choose the runs that are compared: as many as can be, the two that are looked at among them.

    Example:
        >>> _kept(12, 0, 11)
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 11]
    """
    chosen = [row for row in (first, second) if row is not None]
    others = [row for row in range(count) if row not in chosen]
    return sorted([*chosen, *others][:MOST_RUNS])


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
        [column("run", "Run", "data"),
         *(column(m, measure_of(m).label, "estimate") for m in measures)],
        list(rows.values()),
        note=f"{_left_out(workspace, compared)}Rules: {describe_protocol(workspace.protocol)}. "
        f"Intervals by bootstrap over {compared.pictures:,} pictures, {compared.resamples:,} "
        f"resamples, seed {compared.seed}.",
    )


def _left_out(workspace: Workspace, compared: Comparison) -> str:
    shown, every = len(compared.runs), len(workspace.scores)
    if shown == every:
        return ""
    return f"{shown} of {every:,} runs are compared, the two that are chosen among them. "


def _differences(compared: Comparison) -> dict[str, Any]:
    rows = [
        {"pair": f"{d.first} − {d.second}", "measure": measure_of(d.measure).label,
         "value": d.value, "interval": _ends(d.interval), "p": d.p, "adjusted": d.p_adjusted,
         "quiet": d.p_adjusted is None or d.p_adjusted > 0.05,
         "select": {"run": d.first, "against": d.second, "compare": "runs"}}
        for d in compared.differences if d.value is not None
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
    blocks: Blocks = []
    if total:  # none where a run is of boxes: no pixels say which of the two is better
        blocks.append(table(
            f"{names[0]} against {names[1]}, example by example",
            [column("label", ""), column("count", "Examples", "count"),
             column("share", "Share", "percent")],
            [
                row(f"{names[0]} is better", compared.wins, "wins", compared.wins / total),
                row("tie", compared.ties, "ties", compared.ties / total),
                row(f"{names[1]} is better", compared.losses, "losses", compared.losses / total),
                row("both right", None, "both_right", agreement.both_right),
                row(f"only {names[0]} right", None, "first_only", agreement.first_only),
                row(f"only {names[1]} right", None, "second_only", agreement.second_only),
                row("both wrong", None, "both_wrong", agreement.both_wrong),
            ], note="A tie is a difference of IoU of at most the margin of "
            f"{TIE_MARGIN:g}; right is IoU >= 0.5.",
        ))
    if agreement.mean_iou is not None:
        blocks.append(words(
            f"The two runs' masks have a mean IoU of {100 * agreement.mean_iou:.1f} % with each "
            f"other over {agreement.compared:,} examples.", title="Agreement of the masks",
        ))
    return [*blocks, _slices(workspace, names, scored)]


def _slices(
    workspace: Workspace, names: tuple[str, str], scored: tuple[ScoredExamples, ScoredExamples]
) -> dict[str, Any]:
    title = f"Where {names[0]} and {names[1]} differ most"
    measure = measure_of(measures_for(*scored)[0])
    try:
        found = find_slices(
            coded_of(workspace.dataset), workspace.dataset.expressions.image, scored[0],
            against=scored[1], measure=measure.key,
        )
    except UsageError as error:  # no example counts in both; the rest of the panel stands
        return words(str(error), title=title)
    return table(
        title,
        [column("label", "Slice"), column("n", "Examples", "count"),
         column("mean", "Difference", "points", hint=f"of {measure.label}, in points"),
         column("extra", "To the rest", "points"), column("interval", "95 %", "interval"),
         column("q", "q", "p")],
        [{"label": s.label, "n": s.n, "mean": s.mean, "extra": s.difference,
          "interval": _ends(s.interval), "q": s.q, "quiet": not s.is_found,
          "select": {"slice": write_slice(s.parts),
                     "run": names[0], "against": names[1], "compare": "runs"}}
         for s in found.slices if not s.is_small][:30],
        note=f"{names[0]} less {names[1]} on the slice, and how that differs from the rest; grey "
        "where q is above 0.05.",
    )
