"""Protocols, failure modes and leaderboards of a workspace, in words and as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from inspector.analysis.counting import gather
from inspector.analysis.differences import NOT_COMPUTABLE, RuleEffect, explain_differences
from inspector.analysis.finder import Explanation, find_protocol
from inspector.analysis.flags import FLAGS, find_flags
from inspector.analysis.gains import GroundingSplit, ModeCount, count_modes, split_grounding
from inspector.analysis.geometry import GeometryCheck, check_geometry
from inspector.analysis.leaderboard import Placement, Result, place_run
from inspector.analysis.leverage import Leverage, measure_leverage
from inspector.analysis.presets import PRESETS, PresetResult, compute_preset
from inspector.leaderboards import load_boards
from inspector.workspace import Workspace

_SHOWN = 12


@dataclass(frozen=True, slots=True, eq=False)
class Protocols:
    """What other evaluators would print for one run, and what each rule changes."""

    run: str
    presets: tuple[PresetResult, ...]
    differences: tuple[RuleEffect, ...]
    finding: Explanation | None


def explain_protocols(
    workspace: Workspace, row: int, *, published: str = "", progress: Any = None
) -> Protocols:
    """Count one run as other evaluators do, and look for a published number if one is given."""
    scores = workspace.scores[row]
    material = gather(scores, progress=progress)
    return Protocols(
        scores.run.name,
        tuple(compute_preset(material, preset) for preset in PRESETS),
        tuple(explain_differences(material, protocol=workspace.protocol)),
        find_protocol(material, published) if published else None,
    )


def describe_protocols(found: Protocols) -> str:
    """Write presets, differences and the finder's answer as text."""
    lines = [f"{found.run}: what known evaluators would print"]
    for result in found.presets:
        numbers = "  ".join(f"{name} {_number(v)}" for name, v in result.numbers.items())
        lines.append(f"  {result.preset.key:<22} {numbers}")
    lines += ["", f"{found.run}: why a number differs, each rule changed alone"]
    effective = [d for d in found.differences if d.has_effect]
    for d in effective:
        who = f" ({', '.join(d.used_by)})" if d.used_by else ""
        lines.append(f"  {d.metric:<6} {_number(d.before)} -> {_number(d.after)} "
                     f"{_points(d.difference)}  {d.label}{who}")
    without = dict.fromkeys(d.label for d in found.differences if not d.has_effect
                            and d.difference is not None)
    changing = {d.label for d in effective}
    lines.append("  no effect here: " + "; ".join(k for k in without if k not in changing))
    unknown = dict.fromkeys(f"{d.label}: {d.note}" for d in found.differences
                            if d.difference is None)
    lines += [f"  {text}" for text in unknown]
    lines += [f"  not to be seen in masks: {text}" for text in NOT_COMPUTABLE]
    if found.finding:
        lines += ["", f"{found.run}: {found.finding.verdict}"]
        for candidate in found.finding.candidates[:_SHOWN]:
            mark = "=" if candidate.within_rounding else " "
            lines.append(f"  {mark} {candidate.metric:<12} {_number(candidate.value)} "
                         f"{_points(candidate.distance)}  {candidate.settings}")
    return "\n".join(lines)


def protocols_json(found: Protocols) -> dict[str, Any]:
    """Give presets, differences and the finder's answer as JSON holds them."""
    return {
        "name": found.run,
        "presets": [
            {"key": r.preset.key, "label": r.preset.label, "source": r.preset.source,
             "description": r.preset.description, "numbers": r.numbers, "notes": list(r.notes)}
            for r in found.presets
        ],
        "differences": [asdict(d) for d in found.differences],
        "not_computable": list(NOT_COMPUTABLE),
        "finding": found.finding and {
            "published": found.finding.published.value, "verdict": found.finding.verdict,
            "candidates": [
                {"metric": c.metric, "settings": c.settings, "value": c.value,
                 "distance": c.distance, "preset": c.preset,
                 "within_rounding": c.within_rounding}
                for c in found.finding.candidates
            ],
        },
    }


@dataclass(frozen=True, slots=True, eq=False)
class Failures:
    """Why the predictions of one run failed, and what fixing each kind would gain."""

    run: str
    modes: tuple[ModeCount, ...]
    grounding: GroundingSplit
    flags: Mapping[str, int]
    leverage: Leverage
    geometry: GeometryCheck


def explain_failures(workspace: Workspace, *, progress: Any = None) -> list[Failures]:
    """Explain every run; flags look at all runs together.

    Boundaries are measured by whoever opens the workspace (:func:`~inspector.workspace.measured`).
    """
    flags = find_flags(workspace.scores)
    return [
        Failures(
            scores.run.name,
            tuple(count_modes(scores, workspace.protocol)),
            split_grounding(scores, workspace.protocol),
            {flag.key: int(found[flag.key].sum()) for flag in FLAGS
             if scores.shapes is not None or not flag.needs_shapes},
            measure_leverage(scored),
            check_geometry(scores, progress=progress),
        )
        for scores, scored, found in zip(
            workspace.scores, workspace.scored, flags, strict=True
        )
    ]


def describe_failures(workspace: Workspace, found: Sequence[Failures]) -> str:
    """Write the failure modes of every run with all that stands beside them."""
    blocks = []
    for failures in found:
        keys = list(failures.modes[0].gain)
        lines = [
            f"{failures.run}: failure modes, and what the metric gains if all of a kind are fixed",
            "  ".join([f"  {'mode':<16}", f"{'n':>7}", f"{'share':>7}",
                       *(f"{key:>9}" for key in keys)]),
        ]
        for mode in failures.modes:
            gains = [f"{_points(mode.gain[key]):>9}" for key in keys]
            lines.append("  ".join(
                [f"  {mode.key:<16}", f"{mode.count:>7,}", f"{mode.share:>7.2%}", *gains]
            ))
        split = failures.grounding
        lines.append(f"  grounding {_number(split.grounding)}, mask quality given the right object "
                     f"{_number(split.quality)}" + (f". {split.note}" if split.note else ""))
        flags = ", ".join(f"{key} {count:,}" for key, count in failures.flags.items() if count)
        lines.append(f"  flags: {flags or 'none'}")
        lines.append(f"  geometry: {failures.geometry.line}")
        lines += _leverage_lines(workspace, failures.leverage)
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks)


def _leverage_lines(workspace: Workspace, leverage: Leverage) -> list[str]:
    if leverage.overall is None:
        return ["  leverage: oIoU is not defined"]
    ids = workspace.dataset.expressions.ids
    top = ", ".join(
        f"{ids[row]} ({_points(-float(leverage.change[row]))})" for row in leverage.top.tolist()
    )
    return [
        f"  leverage: half of all union pixels lie in {leverage.half:,} of {leverage.counted:,} "
        "examples; oIoU rests most on (what each one adds):",
        f"    {top}",
    ]


def failures_json(workspace: Workspace, failures: Failures) -> dict[str, Any]:
    """Give one run's failures as JSON holds them."""
    leverage, ids = failures.leverage, workspace.dataset.expressions.ids
    return {
        "name": failures.run,
        "modes": [asdict(mode) for mode in failures.modes],
        "grounding": asdict(failures.grounding),
        "flags": dict(failures.flags),
        "leverage": {
            "oIoU": leverage.overall, "half": leverage.half, "counted": leverage.counted,
            "top": [
                {"example_id": ids[row], "share": float(leverage.share[row]),
                 "change": float(leverage.change[row])}
                for row in leverage.top.tolist()
            ],
        },
        "geometry": asdict(failures.geometry),
    }


def place_runs(workspace: Workspace, metric: str) -> list[tuple[str, Placement]]:
    """Place every run on the leaderboards that ship with the program."""
    from inspector.core.metrics import compute_metric

    return [
        (scores.run.name, place_run(
            load_boards(), name=scores.run.name, dataset=workspace.dataset,
            value=compute_metric(scored, metric), metric=metric, protocol=workspace.protocol,
            coverage=scores.coverage,
        ))
        for scores, scored in zip(workspace.scores, workspace.scored, strict=True)
    ]


def describe_placement(name: str, placement: Placement, dataset: str) -> str:
    """Write the ranking of a run on a data set, and by reason what was not ranked."""
    lines = [
        f"{name} by {placement.metric}, among results of the same data set, split and protocol"
    ]
    for row in placement.rows:
        sure = "" if row.is_confirmed else " (as printed)"
        note = f"  {row.note}" if row.note else ""
        lines.append(f"  {row.rank:>3}  {100 * row.value:6.2f}  {row.kind:<10} "
                     f"{row.method}{sure}{_training(row.result)}{note}")
    if not any(row.result for row in placement.rows):
        lines.append("       No recorded result compares with it.")
    reasons: dict[str, list[str]] = {}
    elsewhere: dict[str, int] = {}
    for result, reason in placement.unranked:
        if result.dataset != dataset:  # of which its values would say nothing here
            elsewhere[result.dataset] = elsewhere.get(result.dataset, 0) + 1
        else:
            reasons.setdefault(reason, []).append(f"{result.method} {100 * result.value:.2f}")
    if elsewhere:
        counts = ", ".join(f"{name} {count:,}" for name, count in elsewhere.items())
        lines.append(f"  not ranked, results of other data sets: {counts}")
    lines += [f"  not ranked, {reason}: {_some(names)}" for reason, names in reasons.items()]
    return "\n".join([*lines, *(f"  {note}" for note in placement.notes)])


def _training(result: Result | None) -> str:
    if result is None or result.mask_decoder is None:
        return ""
    decoder = "trains a mask decoder" if result.mask_decoder else "no mask decoder trained"
    return f", {decoder}" + (f", {result.learning}" if result.learning else "")


def _some(names: list[str]) -> str:
    more = len(names) - 6
    return ", ".join(names[:6]) + (f" and {more:,} more" if more > 0 else "")


def placement_json(name: str, placement: Placement) -> dict[str, Any]:
    """Give a placement as JSON holds it."""
    return {
        "name": name, "metric": placement.metric,
        "ranked": [asdict(row) for row in placement.rows],
        "unranked": [{**asdict(result), "reason": reason}
                     for result, reason in placement.unranked],
        "notes": list(placement.notes),
    }


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}"


def _points(value: float | None) -> str:
    """Write a difference of fractions in points; small ones keep their size."""
    if value is None:
        return "–"
    points = 100 * value
    return f"{points:+.2f}" if abs(points) >= 0.005 or points == 0 else f"{points:+.1e}"
