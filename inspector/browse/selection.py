"""What the page shows: a run, filters and an order. Small, immutable, equal to its address."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from inspector.browse.filters import FILTERS, read_outcome
from inspector.browse.sorts import SORTS
from inspector.core.errors import UsageError, nearest
from inspector.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Selection:
    """A choice of examples.

    Attributes:
        run: Name of the run, or empty where there is none.
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

    def to_query(self) -> dict[str, str]:
        """Give the keys of an address; :func:`read_selection` reads them back."""
        query = {"run": self.run, "sort": self.sort, **self.filters}
        if self.reverse:
            query["reverse"] = "1"
        return {key: value for key, value in query.items() if value}


def read_selection(query: Mapping[str, str], workspace: Workspace) -> Selection:
    """Read a selection from the keys of an address; unknown keys are not ours and are ignored.

    Raises:
        UsageError: If the run or the order does not exist, or a filter cannot be read.
    """
    names = [scores.run.name for scores in workspace.scores]
    run = query.get("run") or (names[0] if names else "")
    if run and run not in names:
        raise UsageError(
            f"No run '{run}'. There is: {', '.join(names) or 'none'}.{nearest(run, names)}"
        )
    by_key = {sort.key: sort for sort in SORTS}
    sort = query.get("sort") or ("worst" if run else "id")
    if sort not in by_key:
        raise UsageError(f"No order '{sort}'. There is: {', '.join(by_key)}.")
    if by_key[sort].needs_run and not run:
        sort = "id"
    filters = {
        entry.key: query[entry.key]
        for entry in FILTERS
        if query.get(entry.key) and (run or not entry.needs_run)
    }
    if "sentence" in filters and query.get("match"):
        filters["match"] = "".join(letter for letter in "wrcn" if letter in query["match"])
    if "outcome" in filters and read_outcome(filters["outcome"])[1] not in names:
        raise UsageError(
            f"No run '{read_outcome(filters['outcome'])[1]}'. There is: {', '.join(names)}."
        )
    selection = Selection(run, sort, filters, reverse=query.get("reverse") == "1")
    selection.phrases()  # a range that cannot be read is said now, not in the middle of a query
    return selection
