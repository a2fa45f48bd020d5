"""What a second ground truth changes: the masks, the scores, the order of the runs."""

from __future__ import annotations

from typing import Any

from inspector.analysis.measures import OF_MASKS
from inspector.core.errors import UsageError
from inspector.server.blocks import column, table, words
from inspector.server.panels.panel import Blocks, Progress, Query
from inspector.summary import describe_protocol
from inspector.truths.matching import WAYS
from inspector.truths.results import Truths
from inspector.truths_summary import describe_shapes
from inspector.workspace import Workspace


def make(workspace: Workspace, query: Query, progress: Progress) -> Blocks:
    """How the truths were matched, what differs, and what that does to each run."""
    truths = workspace.truths
    if truths is None:
        raise UsageError("There is no second ground truth. Add --second-truth DATASET_B.")
    return [
        _match(truths),
        words(describe_shapes(truths.pair), title="What changed in the masks"),
        *(_effects(workspace, truths) if truths.runs else []),
        *_better(truths),
        _removed(truths),
    ]


def _match(truths: Truths) -> dict[str, Any]:
    match = truths.pair.match
    rows = [
        {"way": f"matched by {WAYS[way]}", "count": count}
        for way, count in match.by.items() if count
    ] + [
        {"way": "only in A", "count": len(match.only_a), "select": {"second": "removed"}},
        {"way": "only in B", "count": len(match.only_b)},
        {"way": "ambiguous, in no comparison", "count": len(match.ambiguous_a)},
    ]
    a, b = truths.pair.a, truths.pair.b
    return table(
        f"Referents of {a.name} (A) and {b.name} (B)",
        [column("way", ""), column("count", "Referents", "count")], rows,
        note=f"A is {a.source}, B is {b.source}. {len(match.examples_a):,} sentences are in both, "
        f"{len(truths.pair.removed):,} in A alone.",
    )


def _effects(workspace: Workspace, truths: Truths) -> Blocks:
    rows = []
    for run in truths.runs:
        for metric in OF_MASKS:
            if run.a_all.get(metric) is None:
                continue
            selection, mask = run.selection_effect.get(metric), run.mask_effect.get(metric)
            rows.append({
                "run": run.name, "metric": metric, "a_all": run.a_all.get(metric),
                "a_matched": run.a_matched.get(metric), "b_matched": run.b_matched.get(metric),
                "selection": selection.value if selection else None,
                "selection_ends": _ends(selection), "mask": mask.value if mask else None,
                "mask_ends": _ends(mask), "ceiling": run.ceiling.get(metric),
                "select": {"run": run.name},
            })
    columns = [
        column("run", "Run", "data"), column("metric", "Metric", "data"),
        column("a_all", "A, all", "percent"), column("a_matched", "A, matched", "percent"),
        column("b_matched", "B, matched", "percent"),
        column("selection", "Selection effect", "points", hint="A, all -> A, matched"),
        column("selection_ends", "95 %", "interval"),
        column("mask", "Mask effect", "points", hint="A, matched -> B, matched"),
        column("mask_ends", "95 %", "interval"),
        column("ceiling", "Ceiling", "percent", hint="what a perfect B would score under A"),
    ]
    blocks = [table(
        "What the second truth does to the scores", columns, rows,
        note=f"Rules: {describe_protocol(workspace.protocol)}. Selection and mask effect add up "
        "to the whole difference; intervals by paired bootstrap over pictures.",
    )]
    turned = [
        f"{metric}: {' > '.join(change.a_matched)} under A, {' > '.join(change.b_matched)} under B"
        for metric, change in truths.rank_change.items()
    ]
    if turned:
        blocks.append(words("; ".join(turned) + ".", title="Order of the runs"))
    return blocks


def _ends(effect: Any) -> list[float] | None:
    if effect is None or effect.low is None or effect.low != effect.low:
        return None
    return [effect.low, effect.high]


def _better(truths: Truths) -> Blocks:
    ids, sentences = truths.pair.a.expressions.ids, truths.pair.a.expressions.sentences
    blocks = []
    for row, run in enumerate(truths.runs):
        if run.better_than_label is None or not len(run.better_than_label):
            continue
        best = truths.best_for_talk(row).tolist()
        select = {"run": run.name, "second": f"better:{run.name}"}
        blocks.append(table(
            f"{run.name} is closer to B than A's own label: {len(run.better_than_label):,} "
            "examples",
            [column("sentence", "The best ten for a talk, one a referent", "data")],
            [{"sentence": sentences[place], "select": {**select, "example": ids[place]}}
             for place in best],
            note="IoU(prediction, B) > IoU(A, B), compared as whole numbers.",
        ))
    return blocks


def _removed(truths: Truths) -> dict[str, Any]:
    count = len(truths.pair.removed)
    return table(
        "Sentences that B dropped", [column("label", ""), column("count", "Sentences", "count")],
        [{"label": "look at them", "count": count, "select": {"second": "removed"}}] if count
        else [],
        note="They open veiled: harmful ones are among those that RefCOCO-M left out."
        if count else "None.",
    )
