"""The headline: every metric of every run with the integers behind it, coverage, problems."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from inspector.analysis.gains import split_grounding
from inspector.analysis.measures import MEASURES, measure_of, terms_of
from inspector.core.bootstrap import SEED, Interval, Sums, bootstrap, interval_of
from inspector.core.errors import UsageError
from inspector.core.metrics import METRICS, Metric
from inspector.core.problems import Problem
from inspector.core.protocol import ScoredExamples
from inspector.core.run import Status
from inspector.report.markup import Markup, Section, element, join, scrolled_table
from inspector.report.wording import PERCENT, count, percent, span
from inspector.summary import describe_protocol, metrics_json
from inspector.workspace import Workspace

RESAMPLES = 2_000
_HEADLINE = ("mIoU", "oIoU", "P@0.5", "box_mIoU", "box_Acc@0.5", "N-acc")
_TENTHS = {f"P@0.{tenths}": tenths for tenths in range(5, 10)}


@dataclass(frozen=True, slots=True)
class Number:
    """One metric of one run: its value, its 95 % interval, and the integers behind it in words."""

    value: float | None
    interval: Interval | None
    behind: str


def intervals_of(scored: ScoredExamples, image: np.ndarray) -> dict[str, Interval | None]:
    """Resample the pictures and give the interval of every measure that is defined on a run.

    Args:
        scored: One run under its protocol.
        image: ``(n,)`` int, picture of each example.
    """
    _, image = np.unique(image, return_inverse=True)
    pictures = int(image.max()) + 1 if len(image) else 0
    keys, above, below = [], [], []
    for measure in MEASURES:
        try:
            sums = terms_of(measure_of(measure.key), scored).per_picture(image, pictures)
        except UsageError:  # not defined on this run
            continue
        keys.append(measure.key)
        above.append(sums[0])
        below.append(sums[1])
    columns = Sums(np.stack(above, axis=1), np.stack(below, axis=1))
    drawn = bootstrap(columns, resamples=RESAMPLES, seed=SEED)
    rests_on = (columns.denominator > 0).sum(axis=0)
    return {
        key: interval_of(drawn[:, row], int(rests_on[row])) for row, key in enumerate(keys)
    }


def numbers_of(workspace: Workspace, row: int) -> dict[str, Number]:
    """Give every metric of one run by its key, those left out that the run has nothing for."""
    scores, scored = workspace.scores[row], workspace.scored[row]
    values = metrics_json(scores, workspace.metrics[row])
    intervals = intervals_of(scored, workspace.dataset.expressions.image)
    return {
        key: Number(value, intervals.get(key) if value is not None else None,
                    _behind(workspace, row, key) if value is not None else "")
        for key, value in values.items()
    }


def _behind(workspace: Workspace, row: int, key: str) -> str:
    """Say what a number was divided from what, as integers."""
    scores, scored = workspace.scores[row], workspace.scored[row]
    counted = scored.counts
    examples = int(counted.sum())
    if key == "oIoU":
        shared, union = int(scored.intersection[counted].sum()), int(scored.union[counted].sum())
        return f"{shared:,} / {union:,} px"
    if key in _TENTHS:
        passed = int(scored.passes(_TENTHS[key], 10).sum())
        return f"{passed:,} of {examples:,}{_averaged(scored)}"
    if key == "mIoU":
        return f"over {examples:,}{_averaged(scored)}"
    if key in ("N-acc", "T-acc"):
        group = (scored.has_target == (key == "T-acc")) & (scored.status != Status.NO_TRUTH)
        if scored.protocol.missing == "skip":
            group &= scored.is_predicted
        right = scored.marks_nothing if key == "N-acc" else ~scored.marks_nothing
        return f"{int((right & scored.is_predicted & group).sum()):,} of {int(group.sum()):,}"
    if key == "grounding":
        split = split_grounding(scores, workspace.protocol)
        return f"{split.on_target:,} of {split.examples:,}"
    if key in ("box_mIoU", "box_Acc@0.5"):
        boxes = ~np.isnan(scored.box_iou)
        if key == "box_mIoU":
            return f"over {int(boxes.sum()):,}"
        return f"{int((scored.box_iou[boxes] >= 0.5).sum()):,} of {int(boxes.sum()):,}"
    if key == "mIoU_category":
        chosen = counted & (scored.category >= 0)
        return f"over {count(len(np.unique(scored.category[chosen])), 'category', 'categories')}"
    return f"over {examples:,}"


def _averaged(scored: ScoredExamples) -> str:
    if scored.protocol.average == "sentence":
        return ""
    referents = len(np.unique(scored.referent[scored.counts]))
    return f", inside {referents:,} referents first"


def make_headline(workspace: Workspace) -> Section:
    """Write a card a run, then the table of all metrics with rules and integers."""
    numbers = [numbers_of(workspace, row) for row in range(len(workspace.scores))]
    names = [scores.run.name for scores in workspace.scores]
    metrics = [m for m in METRICS if any(found.get(m.key, _NOTHING).value is not None
                                         for found in numbers)]
    cards = element("div", join(
        _card(name, found, workspace, row)
        for row, (name, found) in enumerate(zip(names, numbers, strict=True))
    ), class_="cards")
    rules = element(
        "p", element("strong", "Rules. "), describe_protocol(workspace.protocol).capitalize(),
        ".", class_="rules",
    )
    return Section("numbers", "Headline numbers", join((
        cards, rules, _table(metrics, names, numbers),
        element("p", "Percentages of fractions that are kept exactly; below each its 95 % interval "
                f"by bootstrap over whole pictures ({RESAMPLES:,} resamples, seed {SEED}) and the "
                "whole numbers it is made of.", class_="note"),
    )))


_NOTHING = Number(None, None, "")


def _card(name: str, found: dict[str, Number], workspace: Workspace, row: int) -> Markup:
    labels = {m.key: m.label for m in METRICS}
    shown = [key for key in _HEADLINE if found.get(key, _NOTHING).value is not None]
    numbers = [
        element("div", element("dt", labels[key]), element(
            "dd", element("span", _bare(found[key].value), class_="number"),
            element("span", PERCENT, class_="unit"),
        ))
        for key in shown[:3]
    ]
    coverage = workspace.scores[row].coverage
    return element(
        "article", element("h3", element("bdi", name)),
        element("dl", join(numbers)) if numbers else element("p", "No metric is defined."),
        element("p", f"{coverage.matched:,} of {count(coverage.examples, 'example')} predicted",
                class_="quiet"),
        class_="card",
    )


def _bare(value: float | None) -> str:
    return percent(value).removesuffix(PERCENT)


def _table(metrics: list[Metric], names: list[str], numbers: list[dict[str, Number]]) -> Markup:
    head = element("tr", element("th", "Metric", scope="col"), join(
        element("th", element("bdi", name), scope="col", class_="number") for name in names
    ))
    rows = [
        element("tr", element(
            "th", metric.label, element("span", metric.description, class_="small")
            if metric.key not in _TENTHS or metric.key == "P@0.5" else None, scope="row",
        ), join(_cell(found.get(metric.key, _NOTHING)) for found in numbers))
        for metric in metrics
    ]
    return scrolled_table(
        head, rows, caption="Every metric with its rule, in percent", class_="metrics"
    )


def _cell(number: Number) -> Markup:
    if number.value is None:
        return element("td", element("span", "not defined", class_="small"), class_="number")
    interval = number.interval
    return element(
        "td", element("b", percent(number.value, 2)),
        element("span", span(interval.low, interval.high), class_="small")
        if interval and interval.low < interval.high else None,  # all alike: nothing to resample
        element("span", number.behind, class_="small"), class_="number",
    )


def make_coverage(workspace: Workspace, hide: Callable[[str], str]) -> Section:
    """Say how many predictions found their example, and list what is wrong with the data.

    ``hide`` takes the folders of this machine out of a text.
    """
    kinds = ("examples", "matched", "missing", "invalid", "duplicate", "unmatched")
    head = element("tr", element("th", "Run", scope="col"), join(
        element("th", kind.capitalize(), scope="col", class_="number") for kind in kinds
    ))
    rows = [
        element("tr", element("th", element("bdi", scores.run.name), element(
            "span", hide("; ".join([*scores.run.alignment,
                                    *filter(None, [scores.run.describe_frames()])])),
            class_="small",
        ), scope="row"), join(
            element("td", f"{getattr(scores.coverage, kind):,}", class_="number") for kind in kinds
        ))
        for scores in workspace.scores
    ]
    table = scrolled_table(head, rows, caption="Coverage of each run") if rows else None
    missing = {"zero": "score 0 and stay in every number",
               "skip": "are left out of every number"}[workspace.protocol.missing]
    rule = element("p", f"Missing and invalid predictions {missing}; duplicates after the first "
                   "are not counted.", class_="note") if rows else None
    return Section("coverage", "Coverage and problems", join((
        table, rule, _problems(workspace.problems, hide),
    )))


def _problems(problems: tuple[Problem, ...], hide: Callable[[str], str]) -> Markup:
    if not problems:
        return element("p", "No problems were found in the data.")
    by_code: dict[tuple[str, str], list[Problem]] = {}
    rank = {"error": 0, "warning": 1, "info": 2}
    for problem in sorted(problems, key=lambda problem: rank[problem.severity]):
        by_code.setdefault((problem.severity, problem.code), []).append(problem)
    said = {"error": "Error", "warning": "Warning", "info": "Note"}
    entries = []
    for (severity, code), found in by_code.items():
        total = sum(problem.count for problem in found)
        first = found[0]
        more = f" … and {total - first.count:,} more of this kind." if total > first.count else ""
        where = f"{first.where}: " if first.where else ""
        entries.append(element(
            "li", element("b", f"{said[severity]}, {code}, {count(total, 'time')}. "),
            element("bdi", hide(f"{where}{first.message}")), more, class_=severity,
        ))
    return join((element("h3", "Problems"), element("ul", join(entries), class_="problems")))
