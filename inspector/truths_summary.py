"""Two ground truths in words: what ``truths`` prints."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from inspector.formats.counts import published_counts
from inspector.summary import describe_coverage, describe_dataset, describe_protocol
from inspector.truths.effects import RankChange, Values
from inspector.truths.matching import Match
from inspector.truths.resampling import METRIC_KEYS, Interval
from inspector.truths.results import TruthPair, Truths
from inspector.truths_files import truths_of
from inspector.workspace import Workspace


def describe_truths(workspace: Workspace) -> str:
    """Write the comparison as people read it."""
    truths = truths_of(workspace)
    parts = [
        describe_match(truths.pair),
        describe_shapes(truths.pair),
        f"Rules: {describe_protocol(truths.protocol)}.",
    ]
    if truths.runs:
        parts.append(_describe_runs(truths))
    if truths.rank_change:
        parts.append(_describe_ranks(truths.rank_change))
    return "\n\n".join(parts)


def describe_match(pair: TruthPair) -> str:
    """Say who is who in how many ways, what is left over, and the published totals beside it."""
    match = pair.match
    ways = ", ".join(f"{count:,} by {_way(way)}" for way, count in match.by.items() if count)
    count_a, count_b = len(match.referents_a), len(match.referents_b)
    lines = [
        f"A  {describe_dataset(pair.a)}",
        f"B  {describe_dataset(pair.b)}",
        "",
        f"{len(match):,} referents matched: {_share(len(match), count_a)} of A's {count_a:,}, "
        f"{_share(len(match), count_b)} of B's {count_b:,}" + (f" ({ways})" if ways else ""),
        f"{len(match.only_a):,} only in A, {len(match.only_b):,} only in B, "
        f"{len(match.ambiguous_a):,} ambiguous; {len(match.examples_a):,} sentences in both, "
        f"{len(pair.removed):,} of A dropped by B, "
        f"{len(pair.b) - len(match.examples_b):,} only in B",
    ]
    lines += [note for note in (_describe_published(pair), *map(_sentence, match.notes)) if note]
    lines += _list_unmatched(match)
    return "\n".join(lines)


def _way(way: str) -> str:
    return {"some_sentences": "a shared sentence", "mask": "category and mask"}.get(
        way, way.replace("_", " ")
    )


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "none"


def _describe_published(pair: TruthPair) -> str:
    """Give the published totals, which are no coverage: that is computed from the files."""
    parts = []
    for name, dataset in (("A", pair.a), ("B", pair.b)):
        published = published_counts(dataset)
        if published and published.referents:
            parts.append(f"{name} {published.referents:,} referents")
    return f"Published totals, for comparison only: {', '.join(parts)}." if parts else ""


def _list_unmatched(match: Match, most: int = 3) -> list[str]:
    """Name the first of those without partner; ``--csv`` lists them all."""
    lines = []
    for title, side, rows in (
        ("only in A", match.referents_a, match.only_a),
        ("only in B", match.referents_b, match.only_b),
        ("ambiguous in A", match.referents_a, match.ambiguous_a),
        ("ambiguous in B", match.referents_b, match.ambiguous_b),
    ):
        if not len(rows):
            continue
        shown = []
        for row in rows[:most].tolist():
            name = side.ref_ids[row] or side.sample_ids[row] or side.annotation_ids[row]
            name = name or side.dataset.expressions.ids[side.examples[row][0]]
            shown.append(f"{name} (picture {side.dataset.images[side.image[row]].id})")
        rest = len(rows) - len(shown)
        more = f" and {rest:,} more; --csv FILE lists all" if rest > 0 else ""
        lines.append(f"  {title}: {', '.join(shown)}{more}")
    return lines


def describe_shapes(pair: TruthPair) -> str:
    """Say in three lines how the masks of matched referents differ."""
    found = pair.summary
    count = int(found["referents"] or 0)
    if not count:
        return "No matched referent has a mask in both."
    shift = found["boundary_shift"]
    text = (
        f"Masks of {count:,} referents: IoU {_number(found['mIoU'])} on average, Boundary IoU "
        f"{_number(found['boundary_mIoU'])}; |B| / |A| has the median "
        f"{_number(found['area_ratio'])}."
    )
    if shift is not None:
        where = "outside" if shift >= 0 else "inside"
        text += (
            f"\nA's edge lies {abs(shift):.2f} pixels {where} B's (median); by more than half a "
            f"pixel outside for {_share(int(found['a_outside'] or 0), count)} of them, inside for "
            f"{_share(int(found['a_inside'] or 0), count)}."
        )
    words = (
        ("parts_gained", "have a part that A lacks"), ("parts_lost", "lack a part that A has"),
        ("holes_gained", "have more holes"), ("holes_lost", "have fewer holes"),
        ("identical", "are the same"),
    )
    listed = [f"{found[key]:,} {word}" for key, word in words if found[key]]
    return f"{text}\nOf B's masks {', '.join(listed)}." if listed else text


def _describe_runs(truths: Truths) -> str:
    """Write a block a run: three scores, two effects with intervals, the ceiling."""
    blocks = []
    for run in truths.runs:
        coverage = f"{run.name}: {describe_coverage(run.scores_a)}"
        if run.scores_a.run.is_boxes_only:
            blocks.append(f"{coverage}\nIt holds boxes alone; what another ground truth changes is "
                          "counted on masks.")
            continue
        rows: list[tuple[str, Iterable[str]]] = [
            (f"A, all {run.examples_all:,}", _cells(run.a_all)),
            (f"A, the {run.examples_matched:,} that B has", _cells(run.a_matched)),
            ("B, the same", _cells(run.b_matched)),
            ("selection effect", _effect_cells(run.selection_effect)),
            ("mask effect", _effect_cells(run.mask_effect)),
            ("ceiling: B's masks under A", _cells(run.ceiling)),
        ]
        width = max(len(name) for name, _ in rows)
        lines = [
            coverage,
            "  ".join([" " * width, *(f"{key:>{_CELL}}" for key in METRIC_KEYS)]),
            *("  ".join([f"{name:<{width}}", *cells]) for name, cells in rows),
        ]
        if run.better_than_label is not None:
            count = len(run.better_than_label)
            lines.append(
                f"better than the label: {count:,} predictions "
                f"({_share(count, run.examples_matched)}) are nearer to B than A's mask is"
            )
        blocks.append("\n".join(lines))
    if not all(run.scores_a.run.is_boxes_only for run in truths.runs):
        blocks.append("Effects in hundredths, with 95 % intervals over pictures drawn anew.")
    return "\n\n".join(blocks)


_CELL = 18


def _cells(values: Values) -> list[str]:
    return [f"{_number(values[key], 4):>{_CELL}}" for key in METRIC_KEYS]


def _effect_cells(effects: Mapping[str, Interval]) -> list[str]:
    cells = []
    for key in METRIC_KEYS:
        value, low, high = effects[key]
        text = "–" if value is None else f"{100 * value:+.1f}"
        if low is not None and high is not None:
            text += f" [{100 * low:+.1f}, {100 * high:+.1f}]"
        cells.append(f"{text:>{_CELL}}")
    return cells


def _describe_ranks(changes: Mapping[str, RankChange]) -> str:
    lines = ["Order of the runs, best first:"]
    for key, change in changes.items():
        before, after = " > ".join(change.a_all), " > ".join(change.b_matched)
        what = "the same under A and B" if before == after else f"under B: {after}"
        lines.append(
            f"  {key:<6} {before}; {what} (tau {_tau(change.whole)}; two runs change places in "
            f"{change.turned:.0%} of the draws)"
        )
    return "\n".join(lines)


def _tau(tau: Interval) -> str:
    if tau.low is None or tau.high is None:
        return _number(tau.value, 2)
    return f"{_number(tau.value, 2)} [{tau.low:.2f}, {tau.high:.2f}]"


def _number(value: float | None, digits: int = 3) -> str:
    return "–" if value is None else f"{value:.{digits}f}"


def _sentence(note: str) -> str:
    return f"{note[0].upper()}{note[1:]}."
