"""What a second ground truth changes, in short."""

from __future__ import annotations

from inspector.report.markup import Markup, Section, element, join, scrolled_table
from inspector.report.wording import count, ends, percent, points
from inspector.truths.effects import RunEffects
from inspector.truths.resampling import Interval
from inspector.truths.results import Truths
from inspector.truths_summary import describe_shapes

_METRICS = ("mIoU", "oIoU", "P@0.5", "P@0.9")


def make_truths(truths: Truths) -> Section:
    """Say how the truths were matched, how their masks differ, and what that does to the runs."""
    pair = truths.pair
    match = pair.match
    rows = [row for run in truths.runs for row in _run(run)]
    head = element("tr", join(
        element("th", text, scope="col", class_=kind) for text, kind in (
            ("Run", None), ("Metric", None), ("A, all", "number"), ("A, matched", "number"),
            ("B, matched", "number"), ("Selection effect", "number"), ("Mask effect", "number"),
        )
    ))
    table = scrolled_table(head, rows, caption="Runs under both ground truths")
    return Section("truths", "A second ground truth", join((
        element("p", "A is ", element("bdi", pair.a.name), ", B is ", element("bdi", pair.b.name),
                f". {count(len(match), 'referent')} are in both, {len(match.only_a):,} only in A, "
                f"{len(match.only_b):,} only in B, {len(match.ambiguous_a):,} ambiguous."),
        join(element("p", line) for line in describe_shapes(pair).splitlines()),
        table if truths.runs else None,
        element("p", "In percent; effects in points with 95 % intervals by paired bootstrap over "
                "pictures. Selection effect: from all of A to what B has too; mask effect: from "
                "A's masks to B's. The two add up to the whole difference.", class_="note")
        if truths.runs else None,
    )))


def _run(run: RunEffects) -> list[Markup]:
    shown = [key for key in _METRICS if run.a_all.get(key) is not None]
    rows = []
    for place, key in enumerate(shown):
        name = element("th", element("bdi", run.name), scope="rowgroup", rowspan=f"{len(shown)}")
        rows.append(element(
            "tr", name if place == 0 else None, element("th", key, scope="row"),
            join(element("td", percent(values.get(key)), class_="number")
                 for values in (run.a_all, run.a_matched, run.b_matched)),
            _effect(run.selection_effect.get(key)), _effect(run.mask_effect.get(key)),
        ))
    return rows


def _effect(effect: Interval | None) -> Markup:
    if effect is None or effect.value is None:
        return element("td", "–", class_="number")
    low, high = effect.low, effect.high
    bounds = None
    if low is not None and high is not None and low == low:
        bounds = element("span", ends(low, high), class_="small")
    return element("td", element("b", points(effect.value)), bounds, class_="number")
