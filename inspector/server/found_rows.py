"""Findings as the rows that filters and sorts look at."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from inspector.browse.found import FoundRows
from inspector.findings import Store, dataset_key, findings_columns
from inspector.findings.store import StoreError
from inspector.workspace import Workspace


class FoundSource:
    """Gives the findings as rows to filter and sort by.

    Called with the last revision that was read, it gives the rows if there is a newer one, else
    None; None also while the file cannot be read, so that a lock on it stops no page turn. Verdicts
    on runs that are not open are left out.

    Attributes:
        is_behind: The file could not be read the last time, so that rows may be missing.
    """

    def __init__(self, store: Store, workspace: Workspace) -> None:
        self._store, self.is_behind = store, False
        self._key, self._index_of = dataset_key(workspace.dataset), workspace.dataset.index_of
        self._numbers = {scores.run.name: row for row, scores in enumerate(workspace.scores)}

    def __call__(self, revision: int) -> FoundRows | None:
        """Read what is newer than a revision."""
        try:
            with self._store.promptly():
                if self._store.revision() == revision:
                    columns = None
                else:
                    columns = findings_columns(self._store, self._key, self._index_of)
        except StoreError:  # said where findings are read and written
            self.is_behind = True
            return None
        self.is_behind = False
        if columns is None:
            return None
        return FoundRows(columns.revision, _rows(columns.verdicts, columns.tags, columns.found,
                                                 self._numbers))


def found_beside(store: Store, workspace: Workspace) -> Callable[[str, Any], dict[str, Any]]:
    """Give verdict and tags as columns beside rows of scores.

    Notes are left out: they are free text of anybody, and go with the findings themselves.

    Returns:
        A function of a run's name and places ``(k,)``: ``verdict`` on that run (null without
        one) and ``tags`` joined by commas, k texts each.
    """
    columns = findings_columns(store, dataset_key(workspace.dataset), workspace.dataset.index_of)
    given = {
        (run, int(place)): verdict
        for place, run, verdict in zip(columns.verdicts["place"], columns.verdicts["run"],
                                       columns.verdicts["verdict"], strict=True)
    }
    tags: dict[int, list[str]] = {}
    for place, tag in zip(columns.tags["place"], columns.tags["tag"], strict=True):
        tags.setdefault(int(place), []).append(tag)

    def beside(run: str, places: Any) -> dict[str, Any]:
        import pyarrow as pa

        return {
            "verdict": pa.array([given.get((run, int(at))) for at in places], pa.string()),
            "tags": pa.array([",".join(tags.get(int(at), ())) or None for at in places],
                             pa.string()),
        }

    return beside


def _rows(
    verdicts: Mapping[str, Any], tags: Mapping[str, Any], found: Mapping[str, Any],
    numbers: Mapping[str, int],
) -> list[tuple[str, int, int, str, int]]:
    places = [int(place) for place in found["place"]]
    age = dict(zip(places, (int(rank) for rank in found["recency"]), strict=True))
    rows = [("noted", -1, place, "any", age[place]) for place in places]
    rows += [("noted", -1, place, "note", age[place])
             for place, noted in zip(places, found["noted"], strict=True) if noted]
    rows += [
        ("verdict", numbers[run], int(place), verdict, age[int(place)])
        for place, run, verdict in zip(verdicts["place"], verdicts["run"], verdicts["verdict"],
                                       strict=True)
        if run in numbers
    ]
    rows += [("tag", -1, int(place), tag, age[int(place)])
             for place, tag in zip(tags["place"], tags["tag"], strict=True)]
    return rows
