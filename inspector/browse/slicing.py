"""Attributes, and how two runs compare, as something to filter by."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from inspector.analysis.coding import Coded, code_dataset
from inspector.analysis.flags import find_flags
from inspector.analysis.outcomes import Outcome, WhoIsRight, outcomes_of, who_is_right
from inspector.analysis.spread import measure_spread
from inspector.browse.slice_names import slice_name
from inspector.core.dataset import Dataset
from inspector.snapshots import Memory
from inspector.truths.results import Truths
from inspector.workspace import Workspace, measured


@lru_cache(maxsize=2)
def coded_of(
    dataset: Dataset, progress: Callable[[int, int], None] | None = None
) -> tuple[Coded, ...]:
    """Decide every attribute of a data set, once as long as it is open or remembered."""
    return Memory().recall(
        "attributes", [], lambda: code_dataset(dataset, progress=progress),
        of={"dataset": dataset}, reads=False,
    )


def slice_columns(dataset: Dataset) -> dict[str, Any]:
    """Give (place, slice) rows of everything that an example is."""
    places, names = [], []
    for coded in coded_of(dataset):
        for code, value in enumerate(coded.values):
            here = np.flatnonzero(coded.codes == code).astype(np.int32)
            places.append(here)
            names += [slice_name(coded.key, value)] * len(here)
    return {
        "place": np.concatenate(places) if places else np.zeros(0, np.int32), "slice": names,
    }


def outcome_columns(workspace: Workspace, first: int, second: int) -> dict[str, Any]:
    """Give (place, run, other, outcome) rows of two runs, one for each thing that holds."""
    scored = workspace.scored[first], workspace.scored[second]
    outcomes, right = outcomes_of(*scored), who_is_right(*scored)
    holds = {
        "wins": outcomes == Outcome.WIN, "ties": outcomes == Outcome.TIE,
        "losses": outcomes == Outcome.LOSS,
        "first_only": right == WhoIsRight.FIRST_ONLY,
        "second_only": right == WhoIsRight.SECOND_ONLY,
        "both_right": right == WhoIsRight.BOTH_RIGHT,
        "both_wrong": right == WhoIsRight.BOTH_WRONG,
    }
    places = {name: np.flatnonzero(there).astype(np.int32) for name, there in holds.items()}
    rows = sum(len(here) for here in places.values())
    return {
        "place": np.concatenate(list(places.values())),
        "run": [workspace.scores[first].run.name] * rows,
        "other": [workspace.scores[second].run.name] * rows,
        "outcome": [name for name, here in places.items() for _ in range(len(here))],
    }


def kind_columns(truths: Truths) -> dict[str, Any]:
    """Give (place, kind) rows of what a second ground truth makes of the examples."""
    pair = truths.pair
    kinds = {"matched": pair.match.examples_a, "removed": pair.removed} | {
        f"better:{run.name}": run.better_than_label
        for run in truths.runs
        if run.better_than_label is not None
    }
    return {
        "place": np.concatenate([np.asarray(p, np.int32) for p in kinds.values()]),
        "kind": [kind for kind, places in kinds.items() for _ in range(len(places))],
    }


def spread_columns(workspace: Workspace, row: int) -> dict[str, Any]:
    """Give range of IoU and agreement of masks among the sentences of each example's target."""
    import pyarrow as pa

    n = len(workspace.dataset)
    spread = measure_spread(workspace.scores[row], workspace.scored[row])
    columns = {"spread": spread.by_example(spread.range, n),
               "agreement": spread.by_example(spread.agreement, n)}
    return {name: pa.array(values, mask=np.isnan(values)) for name, values in columns.items()}


def flag_columns(workspace: Workspace) -> dict[str, Any]:
    """Give (place, run, flag) rows of every run; boundaries are measured where they are not."""
    places, runs, flags = [], [], []
    whole = measured(workspace)
    for scores, found in zip(whole.scores, find_flags(whole.scores), strict=True):
        for key, flagged in found.items():
            here = np.flatnonzero(flagged).astype(np.int32)
            places.append(here)
            runs += [scores.run.name] * len(here)
            flags += [key] * len(here)
    return {"place": np.concatenate(places), "run": runs, "flag": flags}
