"""Which sentences fail: slices with intervals, words that go with failure, targets in dispute."""

from __future__ import annotations

from typing import Any

import numpy as np

from inspector.analysis.ambiguity import triage
from inspector.analysis.blame import blame_words
from inspector.analysis.measures import measure_of, measures_for
from inspector.analysis.slices import Slice, find_slices
from inspector.analysis.spread import measure_spread
from inspector.browse.slice_names import write_slice
from inspector.browse.slicing import coded_of
from inspector.server.blocks import column, table, words
from inspector.server.panels.panel import Blocks, Progress, Query, run_row
from inspector.summary import describe_protocol
from inspector.workspace import Workspace

_SHOWN = 40


def make(workspace: Workspace, query: Query, progress: Progress) -> Blocks:
    """Slices of one run, single and in pairs, then what language has to do with it."""
    row = run_row(workspace, query)
    scores, scored = workspace.scores[row], workspace.scored[row]
    dataset = workspace.dataset
    progress(0, 4)
    coded = coded_of(dataset)
    progress(1, 4)
    image = dataset.expressions.image
    measure = measures_for(scored)[0]
    label = measure_of(measure).label
    single = find_slices(coded, image, scored, measure=measure)
    progress(2, 4)
    pairs = find_slices(coded, image, scored, measure=measure, pairs=True)
    progress(3, 4)
    mean = f"{100 * single.mean:.1f}" if single.mean is not None else "–"
    return [
        _table("Slices", label, single.slices, (
            f"{label} in percent over {single.n:,} examples on {single.pictures:,} pictures: "
            f"{mean}. Rules: {describe_protocol(workspace.protocol)}. Each slice against all other "
            "examples; 95 % intervals by bootstrap over pictures; q is the p-value corrected for "
            f"the {single.tested:,} slices looked at. Slices of fewer than 30 examples or 10 "
            "pictures are grey and not tested."
        )),
        _table("Pairs of slices that differ", label, [
            s for s in pairs.slices if len(s.parts) == 2 and s.is_found
        ][:_SHOWN], f"{pairs.tested:,} slices and pairs were tested together."),
        _blame(workspace, row),
        _spread(workspace, row),
        _ambiguity(scores),
    ]


def _table(title: str, measure: str, slices: Any, note: str) -> dict[str, Any]:
    columns = [
        column("label", "Slice"), column("n", "Examples", "count"),
        column("pictures", "Pictures", "count"), column("mean", measure, "percent"),
        column("difference", "Difference", "points", hint="to all other examples, in points"),
        column("interval", "95 %", "interval", hint="of the difference"),
        column("q", "q", "p"), column("found", ""),
    ]
    rows = [_row(found) for found in slices]
    return table(title, columns, rows, note=note if rows else f"None. {note}")


def _row(found: Slice) -> dict[str, Any]:
    interval = found.interval
    return {
        "label": found.label, "n": found.n, "pictures": found.pictures, "mean": found.mean,
        "difference": found.difference,
        "interval": [interval.low, interval.high] if interval else None,
        "q": found.q, "found": "differs" if found.is_found else "",
        "quiet": found.is_small,
        "select": {"slice": write_slice(found.parts)},
    }


def _blame(workspace: Workspace, row: int) -> dict[str, Any]:
    found = [b for b in blame_words(workspace.dataset, workspace.scored[row]) if b.p < 0.05]
    return table(
        "Words that go with failure within the same target",
        [column("word", "Word", "data"), column("targets", "Targets", "count"),
         column("sentences", "Sentences", "count"), column("failing", "Failing", "count"),
         column("expected", "Expected", "number"), column("q", "q", "p")],
        [{"word": b.word, "targets": b.targets, "sentences": b.sentences, "failing": b.failing,
          "expected": b.expected, "q": b.q, "quiet": not b.is_found,
          "select": {"sentence": b.word, "match": "w"}} for b in found[:_SHOWN]],
        note="Sentences of one target that fail (IoU < 0.5) are compared with those that do not, "
        "so that the object's difficulty cancels; exact test, q corrected for all words.",
    )


def _spread(workspace: Workspace, row: int) -> dict[str, Any]:
    spread = measure_spread(workspace.scores[row], workspace.scored[row])
    order = np.argsort(-np.nan_to_num(spread.range, nan=-1.0), kind="stable")[:_SHOWN]
    sentences = workspace.dataset.expressions.sentences
    ids = workspace.dataset.expressions.ids

    def of(place: int) -> str:
        return sentences[place] if place >= 0 else ""

    return table(
        "Targets whose sentences disagree most",
        [column("worst", "Worst sentence", "data"), column("best", "Best sentence", "data"),
         column("sentences", "Sentences", "count"),
         column("range", "Range of IoU", "percent"),
         column("agreement", "Agreement", "percent",
                hint="mean IoU between the predictions; needs no ground truth")],
        [{"worst": of(int(spread.worst[at])), "best": of(int(spread.best[at])),
          "sentences": int(spread.sentences[at]), "range": _number(spread.range[at]),
          "agreement": _number(spread.agreement[at]),
          "select": {"example": ids[int(spread.worst[at])]}} for at in order.tolist()],
        note="Picture and target are the same, only the words differ.",
    )


def _ambiguity(scores: Any) -> dict[str, Any]:
    found = triage(scores)
    maybe, took = int(found.maybe.sum()), int((found.maybe & found.took_another).sum())
    return words(
        f"{maybe:,} sentences name a category of which the picture has several objects and say "
        f"nothing that tells them apart; for {took:,} of them the prediction took another one.",
        title="Sentences that may be ambiguous",
    )


def _number(value: Any) -> float | None:
    return float(value) if value == value else None
