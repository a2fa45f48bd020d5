"""Whether the first run is really better than the second: paired differences, wins and losses."""

from __future__ import annotations

from inspector.analysis.compare import Comparison, Tally, compare_runs
from inspector.analysis.measures import measures_for
from inspector.analysis.outcomes import agree
from inspector.report import charts
from inspector.report.markup import Markup, Section, element, join
from inspector.report.options import Progress
from inspector.report.slicing import Row, difference_table
from inspector.report.wording import chance, count, percent
from inspector.workspace import Workspace


def make_comparison(
    workspace: Workspace, rows: tuple[int, int], *, progress: Progress | None = None
) -> Section:
    """Compare two runs of a workspace."""
    scores = workspace.scores[rows[0]], workspace.scores[rows[1]]
    scored = workspace.scored[rows[0]], workspace.scored[rows[1]]
    names = scores[0].run.name, scores[1].run.name
    found = compare_runs(
        list(zip(names, scored, strict=True)), workspace.dataset.expressions.image,
        measures=measures_for(*scored), progress=progress,
    )
    tally = found.tallies[0]
    blocks = [
        element("p", "Difference of the two, ", element("bdi", names[0]), " less ",
                element("bdi", names[1]), ", on the examples that count in both."),
        difference_table(
            _rows(found), head=("Metric", names, "Difference", ("p", "")),
            caption=f"{names[0]} less {names[1]}, in points",
        ),
        element(
            "p", f"In points, with 95 % intervals by paired bootstrap over {found.pictures:,} "
            f"pictures ({found.resamples:,} resamples, seed {found.seed}); p by a paired "
            f"permutation test of whole pictures, {found.permutations:,} permutations. The metrics "
            "are not corrected for one another.", class_="note",
        ),
    ]
    if tally.wins + tally.ties + tally.losses:
        blocks += _outcomes(tally, found.margin)
    agreement = agree(scores, scored)
    if agreement.mean_iou is not None:
        blocks.append(element(
            "p", f"The masks of the two runs have a mean IoU of {percent(agreement.mean_iou)} with "
            f"each other over {count(agreement.compared, 'example')}.",
        ))
    return Section("comparison", "Two runs compared", join(blocks))


def _rows(found: Comparison) -> list[Row]:
    values = {(n.run, n.measure): n.value for n in found.numbers}
    rows: list[Row] = []
    for d in found.differences:
        is_sure = d.p is not None and d.p <= 0.05
        rows.append((
            d.measure,
            (percent(values[d.first, d.measure]), percent(values[d.second, d.measure])), d.value,
            (d.interval.low, d.interval.high) if d.interval else None,
            (chance(d.p), "differs" if is_sure else ""), is_sure,
        ))
    return rows


def _outcomes(tally: Tally, margin: float) -> list[Markup]:
    total = tally.wins + tally.ties + tally.losses
    parts = ((tally.wins, "wins", f"{tally.first} is better"), (tally.ties, "ties", "tie"),
             (tally.losses, "losses", f"{tally.second} is better"))
    label = "; ".join(f"{words}: {number:,} of {total:,}" for number, _, words in parts)
    entries = [
        (kind, join((element("bdi", words), f": {number:,} ({percent(number / total)})")))
        for number, kind, words in parts
    ]
    left_out = f" {count(tally.left_out, 'example')} are left out." if tally.left_out else ""
    return [
        element("h3", "Example by example"),
        charts.stacked([(number / total, kind) for number, kind, _ in parts], label=label),
        charts.legend(entries),
        element("p", f"A tie is a difference of IoU of at most {margin:g}.{left_out}",
                class_="note"),
    ]
