"""Which kinds of examples fail more than the rest: the strongest slices, with what certainty."""

from __future__ import annotations

from collections.abc import Sequence

from inspector.analysis.measures import measures_for
from inspector.analysis.slices import Slice, SliceReport, find_slices
from inspector.browse.slicing import coded_of
from inspector.core.errors import UsageError
from inspector.report import charts
from inspector.report.markup import Markup, Section, element, join, scrolled_table
from inspector.report.options import Progress
from inspector.report.wording import chance, count, ends, percent, points
from inspector.workspace import Workspace

MOST = 12
_UNCERTAIN = 5


def make_slices(workspace: Workspace, row: int, *, progress: Progress | None = None) -> Section:
    """Write the strongest slices of one run with their differences drawn beside one another."""
    dataset, name = workspace.dataset, workspace.scores[row].run.name
    title = "Which examples fail more"
    scored = workspace.scored[row]
    try:
        report = find_slices(
            coded_of(dataset), dataset.expressions.image, scored,
            measure=measures_for(scored)[0], progress=progress,
        )
    except UsageError as error:
        return Section("slices", title, element("p", str(error)))
    found = [one for one in report.slices if one.is_found][:MOST]
    tested = [one for one in report.slices if not one.is_small and one.difference is not None]
    shown = found or sorted(tested, key=lambda one: one.p if one.p is not None else 2)[:_UNCERTAIN]
    return Section("slices", title, join((
        _lead(name, report, found, shown),
        _table(shown, report) if shown else None,
        element(
            "p", f"{report.measure} of the slice against all other examples; over all "
            f"{count(report.n, 'example')} on {count(report.pictures, 'picture')} it is "
            f"{percent(report.mean)}. Difference in points with its 95 % interval by bootstrap "
            f"over pictures ({report.resamples:,} resamples, seed {report.seed}); q is the p-value "
            f"corrected for the {report.tested:,} slices tested (Benjamini-Hochberg), “differs” "
            "is q of at most 0.05. Slices of fewer than 30 examples or 10 pictures are not tested.",
            class_="note",
        ),
    )))


def _lead(
    name: str, report: SliceReport, found: Sequence[Slice], shown: Sequence[Slice]
) -> Markup:
    who = "For ", element("bdi", name)
    if found:
        total = sum(one.is_found for one in report.slices)
        kinds = count(total, "kind of example differs", "kinds of examples differ")
        shown_of = f"; the {len(found)} strongest are shown" if total > len(found) else ""
        return element("p", *who, f", {kinds} from the rest (q of at most 0.05){shown_of}.")
    if shown:
        nearest = "The nearest:" if len(shown) == 1 else f"The {len(shown)} nearest:"
        return element("p", *who, ", no kind of example differs from the rest beyond what chance "
                       f"explains (q of at most 0.05). {nearest}")
    return element("p", "No slice is large enough to be tested: each needs 30 examples on 10 "
                   "pictures.")


def _table(shown: Sequence[Slice], report: SliceReport) -> Markup:
    return difference_table(
        [(one.label, (f"{one.n:,}", percent(one.mean)), one.difference,
          (one.interval.low, one.interval.high) if one.interval else None,
          (chance(one.q), "differs" if one.is_found else ""), one.is_found) for one in shown],
        head=("Slice", ("Examples", report.measure), "Difference", ("q", "")),
        caption="Slices and how they differ from the rest",
    )


Row = tuple[str, tuple[str, ...], float | None, tuple[float, float] | None, tuple[str, ...], bool]
"""Name, cells before the difference, difference, its ends, cells after it, whether it is sure."""


def difference_table(
    rows: Sequence[Row], *, head: tuple[str, tuple[str, ...], str, tuple[str, ...]], caption: str
) -> Markup:
    """Write a table with a drawn difference in each row, all on one scale."""
    scale = charts.shared_scale([
        (value, *(bounds or (None, None))) for _, _, value, bounds, _, _ in rows
        if value is not None
    ])
    name, before, difference, after = head
    header = element(
        "tr", element("th", name, scope="col"),
        join(element("th", text, scope="col", class_="number") for text in before),
        element("th", difference, scope="col", class_="drawn"),
        join(element("th", text, scope="col", class_="number") if text else element("td")
             for text in after),
    )
    return scrolled_table(
        header, (_row(row, scale) for row in rows), caption=caption, class_="differences"
    )


def _row(row: Row, scale: tuple[float, float]) -> Markup:
    name, before, value, bounds, after, is_sure = row
    drawn = None if value is None else charts.whisker(
        value, *(bounds or (None, None)), scale=scale, kind="" if is_sure else "unsure",
    )
    said = element("span", element("b", points(value)),
                   element("span", ends(*bounds), class_="quiet") if bounds else None,
                   class_="figures")
    return element(
        "tr", element("th", element("bdi", name), scope="row"),
        join(element("td", text, class_="number") for text in before),
        element("td", said, drawn, class_="drawn"),
        join(element("td", text, class_="number") for text in after),
        class_=None if is_sure else "unsure",
    )
