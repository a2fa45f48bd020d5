"""What ``slices`` and ``compare`` find, as tables for people and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from inspector import __version__
from inspector.analysis.candidates import SMALL_EXAMPLES, SMALL_PICTURES
from inspector.analysis.compare import Comparison, Difference
from inspector.analysis.outcomes import Agreement
from inspector.analysis.slices import Slice, SliceReport
from inspector.core.bootstrap import Interval
from inspector.summary import coverage_json, dataset_json
from inspector.workspace import Workspace

_SHOWN = ("mIoU", "oIoU", "P@0.5", "box_mIoU", "box_Acc@0.5")


def slices_json(
    workspace: Workspace, reports: Sequence[tuple[str, SliceReport]], against: str | None
) -> dict[str, Any]:
    """Give what ``slices --json`` writes."""
    coverage = coverage_json(workspace)
    return {
        "inspector": __version__,
        "dataset": dataset_json(workspace.dataset),
        "protocol": workspace.protocol.to_json(),
        "runs": [{"name": name, "coverage": coverage[name], "against": against,
                  **_report_json(report)} for name, report in reports],
    }


def _report_json(report: SliceReport) -> dict[str, Any]:
    return {
        "measure": report.measure, "examples": report.n, "pictures": report.pictures,
        "mean": report.mean, "tested": report.tested, "small_pairs": report.small_pairs,
        "resamples": report.resamples, "seed": report.seed,
        "slices": [_slice_json(one) for one in report.slices],
    }


def _slice_json(one: Slice) -> dict[str, Any]:
    return {
        "parts": [{"attribute": key, "value": value} for key, value in one.parts],
        "label": one.label, "examples": one.n, "pictures": one.pictures,
        "mean": one.mean, "mean_interval": _interval_json(one.mean_interval),
        "difference": one.difference, "interval": _interval_json(one.interval),
        "p": one.p, "q": one.q, "small": one.is_small, "found": one.is_found,
    }


def _interval_json(interval: Interval | None) -> list[float] | None:
    return [interval.low, interval.high] if interval else None


def describe_slices(name: str, report: SliceReport, against: str | None) -> str:
    """Write one run's slices as a table: single ones all, pairs where they differ."""
    what = f"{name} less {against}" if against else name
    shown = [one for one in report.slices
             if not one.is_small and (len(one.parts) == 1 or one.is_found)]
    small = [one for one in report.slices if one.is_small]
    signed = bool(against)
    rows = [
        (("* " if one.is_found else "  ") + one.label, f"{one.n:,}", f"{one.pictures:,}",
         _points(one.mean, signed), _range(one.mean_interval, signed),
         _points(one.difference, True), _range(one.interval, True), _p(one.q))
        for one in shown
    ]
    header = ("  slice", "n", "pictures", report.measure, "95 %", "to the rest", "95 %", "q")
    lines = [
        f"{what}: {report.measure} {_points(report.mean, signed)} % over {report.n:,} examples on "
        f"{report.pictures:,} pictures; numbers are percentages.",
        "", *(_table(header, rows) if rows else ["No slice is large enough to be tested."]), "",
        f"* q <= 0.05, corrected for all {report.tested:,} slices tested (Benjamini-Hochberg). "
        f"Intervals: {report.resamples:,} resamples of whole pictures.",
    ]
    pairs = sum(len(one.parts) == 2 and not one.is_found for one in report.slices)
    if pairs:
        lines.append(f"{pairs:,} further pairs do not differ; --json lists them.")
    if small or report.small_pairs:
        named = ", ".join(f"{one.label} ({one.n})" for one in small[:12])
        more = f" and {len(small) - 12} more" if len(small) > 12 else ""
        lines.append(
            f"Too small to test (fewer than {SMALL_EXAMPLES} examples or {SMALL_PICTURES} "
            f"pictures, here or in the rest): {named or 'no single slice'}{more}"
            + (f"; and {report.small_pairs:,} pairs" if report.small_pairs else "") + "."
        )
    return "\n".join(lines)


def comparison_json(
    workspace: Workspace, found: Comparison, agreements: Sequence[Agreement]
) -> dict[str, Any]:
    """Give what ``compare --json`` writes."""
    coverage = coverage_json(workspace)
    pairs = []
    for (first, second), tally, agreement in zip(
        combinations(found.runs, 2), found.tallies, agreements, strict=True
    ):
        pairs.append({
            "first": first, "second": second,
            "differences": [
                _difference_json(one) for one in found.differences
                if (one.first, one.second) == (first, second)
            ],
            "examples": {"wins": tally.wins, "ties": tally.ties, "losses": tally.losses,
                         "left_out": tally.left_out},
            "agreement": {
                "mean_iou": agreement.mean_iou, "compared": agreement.compared,
                "both_right": agreement.both_right, "both_wrong": agreement.both_wrong,
                "first_only": agreement.first_only, "second_only": agreement.second_only,
                "neither": agreement.neither,
            },
        })
    return {
        "inspector": __version__,
        "dataset": dataset_json(workspace.dataset),
        "protocol": workspace.protocol.to_json(),
        "pictures": found.pictures, "resamples": found.resamples,
        "permutations": found.permutations, "seed": found.seed, "tie_margin": found.margin,
        "runs": [
            {"name": name, "coverage": coverage[name], "metrics": {
                one.measure: {"value": one.value, "interval": _interval_json(one.interval)}
                for one in found.numbers if one.run == name
            }}
            for name in found.runs
        ],
        "pairs": pairs,
        "rankings": [
            {"measure": one.measure, "order": list(one.order), "same_order": one.same_order,
             "ranks": [list(shares) for shares in one.ranks]}
            for one in found.rankings
        ],
    }


def _difference_json(one: Difference) -> dict[str, Any]:
    return {"measure": one.measure, "value": one.value, "interval": _interval_json(one.interval),
            "p": one.p, "p_adjusted": one.p_adjusted}


def describe_comparison(found: Comparison, agreements: Sequence[Agreement]) -> str:
    """Write runs, their differences and how firm their order is as tables."""
    shown = [key for key in _SHOWN if any(one.measure == key for one in found.numbers)]
    rows = [
        (name, *(
            cell for key in shown for one in found.numbers
            if (one.run, one.measure) == (name, key)
            for cell in (_points(one.value), _range(one.interval))
        ))
        for name in found.runs
    ]
    header = ("run", *(cell for key in shown for cell in (key, "95 %")))
    lines = ["Numbers are percentages.", "", *_table(header, rows), ""]
    differences = [
        (f"{one.first} less {one.second}", one.measure, _points(one.value, True),
         _range(one.interval, True), _p(one.p), _p(one.p_adjusted))
        for one in found.differences if one.measure in shown
    ]
    lines += _table(("difference", "measure", "value", "95 %", "p", "p adjusted"), differences)
    if any(tally.wins + tally.ties + tally.losses for tally in found.tallies):
        lines += ["", *_tally_table(found, agreements), *(
            f"{tally.first} against {tally.second}: of the ties, {own.neither:,} are examples for "
            "which neither has a usable prediction."
            for tally, own in zip(found.tallies, agreements, strict=True) if own.neither
        )]
    order = next((one for one in found.rankings if one.measure == shown[0]), None)
    lines.append("")
    if order:
        lines.append(
            f"Order by {order.measure}: {order.words}; the same in "
            f"{100 * order.same_order:.0f} % of the resamples."
        )
    lines.append(
        f"Intervals: {found.resamples:,} resamples of {found.pictures:,} whole pictures, the same "
        f"for all runs. p: runs swapped picture by picture; adjusted for the pairs of runs (Holm). "
        f"A tie is within {found.margin:g} IoU; right is IoU >= 0.5."
    )
    return "\n".join(lines)


def _tally_table(found: Comparison, agreements: Sequence[Agreement]) -> list[str]:
    """Write how often each run has the better mask; there must be masks."""
    return _table(
        ("example by example", "wins", "ties", "losses", "masks agree", "both right", "both wrong",
         "first only", "second only"),
        [(f"{tally.first} against {tally.second}", f"{tally.wins:,}", f"{tally.ties:,}",
          f"{tally.losses:,}", _points(own.mean_iou), _points(own.both_right),
          _points(own.both_wrong), _points(own.first_only), _points(own.second_only))
         for tally, own in zip(found.tallies, agreements, strict=True)],
    )


def _points(value: float | None, signed: bool = False) -> str:
    if value is None:
        return "–"
    return f"{100 * value:+.1f}" if signed else f"{100 * value:.1f}"


def _range(interval: Interval | None, signed: bool = False) -> str:
    if interval is None:
        return "–"
    return f"[{_points(interval.low, signed)}, {_points(interval.high, signed)}]"


def _p(value: float | None) -> str:
    if value is None:
        return "–"
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if place == 0 else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in (header, *rows)
    ]
