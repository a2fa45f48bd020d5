"""What the page shows: a run, filters and an order. Small, immutable, equal to its address."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from inspector.browse.filters import FILTERS, read_other_iou, read_outcome
from inspector.browse.sorts import SORTS, Sort
from inspector.core.errors import UsageError, printable, say_choices
from inspector.workspace import Workspace

ALL_RUNS = "*"
"""In place of the name of a run: what is chosen are not examples but rows, one a run."""


@dataclass(frozen=True, slots=True)
class Selection:
    """A choice of examples.

    Attributes:
        run: Name of the run, :data:`ALL_RUNS`, or empty where there is none.
        sort: Key of :data:`SORTS`.
        filters: Values by key of :data:`FILTERS` (and ``match`` for the sentence); only those
            that are set.
        reverse: Whether the order is turned round.
    """

    run: str = ""
    sort: str = "worst"
    filters: Mapping[str, str] = field(default_factory=dict)
    reverse: bool = False

    def phrases(self) -> list[tuple[str, str]]:
        """Give the key and the English phrase of each filter that is set."""
        values = {**self.filters, "run": self.run}
        return [(f.key, f.phrase(values)) for f in FILTERS if f.key in self.filters]

    def describe(self) -> str:
        """Say the filters as one English sentence; empty without any."""
        return " AND ".join(phrase for _, phrase in self.phrases())


def read_selection(
    query: Mapping[str, str], workspace: Workspace, *, across: bool = False
) -> Selection:
    """Read a selection from the keys of an address; unknown keys are not ours and are ignored.

    Args:
        query: The keys and their values.
        workspace: What there is to choose from.
        across: Whether :data:`ALL_RUNS` may stand for the run.

    Raises:
        UsageError: If the run or the order does not exist, or a filter cannot be read.
    """
    for key in ("run", "sort", *(entry.key for entry in FILTERS)):
        if query.get(key) and query[key] != printable(query[key]):
            raise UsageError(
                f"'{key}' holds half a character, which no text of a data set does. "
                "Write it in whole ones."
            )
    names = [scores.run.name for scores in workspace.scores]
    run = query.get("run") or (names[0] if names else "")
    if run and run not in names and not (across and run == ALL_RUNS and names):
        raise UsageError(f"No run '{run}'. {say_choices(run, names)}")
    by_key = {sort.key: sort for sort in SORTS}
    sort = query.get("sort") or ("worst" if run else "id")
    if sort not in by_key:
        raise UsageError(f"No order '{sort}'. {say_choices(sort, list(by_key))}")
    if by_key[sort].needs_run and not run:
        sort = "id"
    if run == ALL_RUNS and run not in names:
        _check_across(query, by_key[sort])
    filters = {
        entry.key: query[entry.key]
        for entry in FILTERS
        if query.get(entry.key) and (run or not entry.needs_run)
    }
    if "sentence" in filters and query.get("match"):
        filters["match"] = "".join(letter for letter in "wrcn" if letter in query["match"])
    for other in _others(filters):
        if other not in names:
            raise UsageError(f"No run '{other}'. {say_choices(other, names)}")
    selection = Selection(run, sort, filters, reverse=query.get("reverse") == "1")
    selection.phrases()  # a range that cannot be read is said now, not in the middle of a query
    return selection


def _others(filters: Mapping[str, str]) -> list[str]:
    """Name the other runs that filters set the shown one against."""
    outcome, other_iou = filters.get("outcome"), filters.get("other_iou")
    return [
        *([read_outcome(outcome)[1]] if outcome else []),
        *([read_other_iou(other_iou)[0]] if other_iou else []),
    ]


def _check_across(query: Mapping[str, str], sort: Sort) -> None:
    """Refuse what has no meaning for the rows of all runs."""
    for entry in FILTERS:
        if query.get(entry.key) and entry.needs_run and entry.kind not in ("choices", "range"):
            if entry.key != "other_iou":
                raise UsageError(f"'{entry.label}' is of one run. Choose a run, or clear it.")
    if sort.needs_spread or sort.key == "found":
        raise UsageError(f"The order '{sort.label}' is of one run. Choose a run, or another order.")
