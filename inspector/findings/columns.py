"""Findings as columns, for whoever filters and sorts by them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from inspector.findings.log import read_findings
from inspector.findings.store import Store


@dataclass(frozen=True, slots=True, eq=False)
class FindingsColumns:
    """Sparse: only examples with something are there; every table is sorted by place.

    Attributes:
        revision: Of the file they were read from.
        verdicts: ``place`` int32, ``run``, ``verdict``: one row a verdict.
        tags: ``place`` int32, ``tag``: one row a tag.
        found: ``place`` int32, ``noted`` bool, ``recency`` int64 (0 for the one that was
            changed longest ago, then 1, 2 …): one row an example with any finding.
    """

    revision: int
    verdicts: Mapping[str, np.ndarray | list[str]]
    tags: Mapping[str, np.ndarray | list[str]]
    found: Mapping[str, np.ndarray | list[str]]


def findings_columns(
    store: Store, dataset: str, index_of: Mapping[str, int]
) -> FindingsColumns:
    """Read the findings of the examples that are open.

    Args:
        store: Where.
        dataset: Key of the data set.
        index_of: Place by example id; findings of other examples (other splits) are left out.

    Raises:
        StoreError: If the file cannot be read.
    """
    revision, findings = read_findings(store, dataset)
    here = sorted(
        ((index_of[example], finding) for example, finding in findings.items()
         if example in index_of),
        key=lambda pair: pair[0],
    )
    verdicts = [(place, run, judged.verdict) for place, finding in here
                for run, judged in sorted(finding.verdicts.items())]
    tags = [(place, tag) for place, finding in here for tag in finding.tags]
    latest = {place: rank for rank, (_, place) in enumerate(sorted(
        (finding.at, place) for place, finding in here
    ))}
    return FindingsColumns(
        revision,
        {"place": _places([row[0] for row in verdicts]), "run": [row[1] for row in verdicts],
         "verdict": [row[2] for row in verdicts]},
        {"place": _places([row[0] for row in tags]), "tag": [row[1] for row in tags]},
        {"place": _places([place for place, _ in here]),
         "noted": np.array([bool(finding.note) for _, finding in here], bool),
         "recency": np.array([latest[place] for place, _ in here], np.int64)},
    )


def _places(places: list[int]) -> np.ndarray:
    return np.array(places, np.int32)
