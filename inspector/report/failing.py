"""Why the predictions failed: modes as bars, and how the IoU is spread."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from inspector.analysis.gains import ModeCount, count_modes, split_grounding
from inspector.core.failures import FAILURE_MODES, Thresholds
from inspector.core.protocol import ScoredExamples
from inspector.report import charts
from inspector.report.markup import Markup, Section, element, join, scrolled_table
from inspector.report.wording import count, percent, points
from inspector.workspace import Workspace

BINS = 20


def make_failures(workspace: Workspace) -> Section:
    """Write one table of failure modes with a bar a run, then grounding against mask quality."""
    counts = [count_modes(scores, workspace.protocol) for scores in workspace.scores]
    names = [scores.run.name for scores in workspace.scores]
    limits = workspace.scores[0].thresholds
    return Section("failures", "Failure modes", join((
        element("p", "Each prediction gets the first mode that applies, so that the counts of a "
                "run add up to all of its examples."),
        _modes(names, counts, limits),
        element("p", "The bars of all runs have one scale. "
                f"Thresholds: IoU {limits.iou:g}, share {limits.share:g}, covered "
                f"{limits.covered:g}, background {limits.background:g}. “If fixed”: what the "
                "number gains, in points, when just these predictions are set to the ground truth; "
                f"of correct ones, what better edges could bring. {_not_there(counts)}",
                class_="note"),
        *_grounding(workspace),
    )))


def _modes(names: list[str], counts: list[list[ModeCount]], limits: Thresholds) -> Markup:
    largest = max(
        (mode.share for run in counts for mode in run if mode.key != "correct"), default=1.0
    ) or 1.0
    head = element("tr", element("th", "Failure mode", scope="col"), join(
        element("th", element("bdi", name), scope="col") for name in names
    ))
    rows = []
    correct_first = sorted(enumerate(FAILURE_MODES), key=lambda entry: entry[1].key != "correct")
    for place, mode in correct_first:
        found = [run[place] for run in counts]
        if not any(one.count for one in found):
            continue
        rows.append(element(
            "tr", element(
                "th", element("span", mode.icon, class_="icon", aria_hidden="true"), mode.label,
                element("span", mode.describe(limits), class_="small"), scope="row",
            ), join(_bar(mode.key, one, largest) for one in found),
        ))
    return scrolled_table(head, rows, caption="Examples in each failure mode", class_="modes")


def _bar(key: str, mode: ModeCount, largest: float) -> Markup:
    gains = ", ".join(
        f"{name} {points(gain)}" for name, gain in mode.gain.items()
        if gain is not None and mode.count
    )
    return element(
        "td", element("span", element("b", f"{mode.count:,}"),
                      element("span", percent(mode.share), class_="quiet"), class_="figures"),
        charts.bar(mode.share / largest) if key != "correct" else None,
        element("span", f"if fixed {gains}", class_="small") if gains else None,
    )


def _not_there(counts: list[list[ModeCount]]) -> str:
    absent = [mode.label for place, mode in enumerate(FAILURE_MODES)
              if not any(run[place].count for run in counts)]
    return f"None is: {', '.join(absent)}." if absent else ""


def _grounding(workspace: Workspace) -> list[Markup]:
    found = [(scores.run.name, split_grounding(scores, workspace.protocol))
             for scores in workspace.scores]
    if all(split.grounding is None for _, split in found):
        return []
    rows = [
        element("tr", element("th", element("bdi", name), scope="row"),
                element("td", percent(split.grounding), element(
                    "span", f"{split.on_target:,} of {split.examples:,}", class_="small",
                ), class_="number"),
                element("td", percent(split.quality), class_="number"))
        for name, split in found
    ]
    head = element(
        "tr", element("th", "Run", scope="col"),
        element("th", "Grounding: the target is the object that fits best", scope="col",
                class_="number"),
        element("th", "Mask quality: mean IoU of those", scope="col", class_="number"),
    )
    note = next((split.note for _, split in found if split.note), "")
    return [
        element("h3", "Finding the object, and drawing it"),
        scrolled_table(head, rows, caption="Grounding and mask quality"),
        *([element("p", note, class_="note")] if note else []),
    ]


def bins_of(scored: ScoredExamples) -> list[int]:
    """Count the examples of each twentieth of IoU, decided on integers; 1 lies in the last.

    Left-out examples are in none. Where there are no pixels (stated IoUs, boxes, two empty masks)
    the IoU itself decides.
    """
    shown = scored.shown_iou
    known = np.flatnonzero(~np.isnan(shown))
    exact = (scored.union[known] > 0) & ~scored.is_stated[known] & (not scored.is_boxes_only)
    by_value = np.floor(np.nan_to_num(shown[known]) * BINS + 1e-9).astype(np.int64)
    union = np.maximum(scored.union[known], 1)
    place = np.where(exact, BINS * scored.intersection[known] // union, by_value)
    return np.bincount(np.clip(place, 0, BINS - 1), minlength=BINS).tolist()


def make_histograms(workspace: Workspace) -> Section:
    """Draw how the IoU of each run is spread."""
    threshold = workspace.scores[0].thresholds.iou
    return Section("histogram", "How the IoU is spread", join((
        element("div", join(
            _histogram(scores.run.name, scored, threshold)
            for scores, scored in zip(workspace.scores, workspace.scored, strict=True)
        ), class_="small-multiples"),
        element("p", f"Examples by IoU in steps of 1 / {BINS}; an IoU of 1 lies in the last. The "
                f"line stands at {threshold:g}, from which a prediction counts as correct.",
                class_="note"),
    )))


def _histogram(name: str, scored: ScoredExamples, threshold: float) -> Markup:
    counts = bins_of(scored)
    what = "Box IoU" if scored.is_boxes_only else "IoU"
    exact = Fraction(str(threshold))
    passed = (scored.box_iou >= threshold if scored.is_boxes_only
              else scored.passes(exact.numerator, exact.denominator))
    reached = int(passed.sum())
    label = (
        f"Histogram of the {what} of {name}: {counts[0]:,} of {count(sum(counts), 'example')} "
        f"below {1 / BINS:g}, {counts[-1]:,} from {1 - 1 / BINS:g} on, most in one step "
        f"{max(counts):,}."
    )
    numbers = element("table", element("thead", element(
        "tr", element("th", what, scope="col"), element("th", "Examples", scope="col",
                                                        class_="number"),
    )), element("tbody", join(
        element("tr", element("th", f"{place / BINS:.2f} to {(place + 1) / BINS:.2f}",
                              scope="row"),
                element("td", f"{number:,}", class_="number"))
        for place, number in enumerate(counts)
    )))
    return element(
        "figure", element("figcaption", element("b", element("bdi", name)),
                          element("span", f"{reached:,} of {sum(counts):,} at {threshold:g} "
                                  "or more", class_="quiet")),
        charts.histogram(counts, label=label, mark=threshold),
        element("div", *(element("span", text) for text in ("0", what, "1")), class_="axis",
                aria_hidden="true"),
        element("details", element("summary", "Numbers"), numbers),
    )
