"""Opens a data set on the numbers of a table that was scored before, or elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Literal

import numpy as np

from inspector.core.problems import Problem
from inspector.core.protocol import Protocol
from inspector.core.run import Status
from inspector.core.scores import Scores
from inspector.elsewhere import other_datasets
from inspector.formats.request import LoadRequest
from inspector.predictions import load_run, parse_run_option
from inspector.predictions.options import RunOptions
from inspector.recalling import recall_dataset
from inspector.run_files import RunFile, RunFiles
from inspector.run_reading import Progress, read_each
from inspector.snapshots import Memory
from inspector.stored.files import find_tables
from inspector.stored.folder import make_folder
from inspector.stored.reading import read_table
from inspector.workspace import Workspace


@dataclass(frozen=True, slots=True)
class AskedRules:
    """Rules of scoring that somebody asks for; None leaves what is in force."""

    average: Literal["sentence", "referent"] | None = None
    empty_union: Literal["one", "zero", "skip"] | None = None
    missing: Literal["zero", "skip"] | None = None

    def over(self, protocol: Protocol) -> Protocol:
        """Put them in place of those of a protocol."""
        asked = {name: value for name, value in asdict(self).items() if value is not None}
        return replace(protocol, **asked)


def open_table(
    request: LoadRequest, source: str, runs: Sequence[str] = (), *, folder: Path | None = None,
    options: RunOptions | None = None, rules: AskedRules | None = None,
    progress: Progress | None = None, memory: Memory | None = None,
) -> Workspace:
    """Load a data set, and its scores from a table; nothing is scored.

    Args:
        request: Which data set: the one that was scored.
        source: Value of ``--scores``: a Parquet file, a folder of them, or a pattern.
        runs: Values of ``--run``: predictions whose masks are shown with the numbers of the run
            of their name.
        folder: Value of ``--runs``: the same, every file of a folder.
        options: How predictions are read; the defaults if None.
        rules: Those that are to be in force in place of the table's own.
        progress: Called with (what, done, all).
        memory: Recalls the data set if nothing of it has changed.

    Raises:
        InspectorError: If something cannot be read, or the table is of another data set.
    """
    files = find_tables(source)
    named = tuple(RunFile(*parse_run_option(value)) for value in runs)
    options = options or RunOptions()
    found, others = RunFiles(named, folder, options).list()
    dataset = recall_dataset(request, memory)
    table = read_table(files, dataset, make_folder(), progress=progress)
    drawn, faults = read_each(found, lambda file: load_run(
        dataset, file.path, name=file.name, options=options,
        elsewhere=lambda: other_datasets(request, dataset),
    ))
    table = replace(table, problems=(*table.problems, *others, *faults))
    scores = tuple(_only_scored_masks(one) for one in table.scores(drawn))
    return Workspace(
        dataset, scores, (rules or AskedRules()).over(table.protocol), table=table
    )


def _only_scored_masks(scores: Scores) -> Scores:
    """Hide the masks that are not those that were scored: their area is another one."""
    run, dataset = scores.run, scores.dataset
    there = (run.rows >= 0) & (scores.status == Status.SCORED)
    plain = there & (dataset.expressions.ignored < 0)
    areas = np.zeros(len(dataset), np.int64)
    areas[plain] = run.masks.areas[run.rows[plain]]
    wrong = plain & (scores.prediction_area >= 0) & (areas != scores.prediction_area)
    if not wrong.any():
        return scores
    number = int(wrong.sum())
    first = dataset.expressions.ids[int(np.flatnonzero(wrong)[0])]
    problem = Problem(
        "table-masks", "error", run.name,
        f"{number:,} masks, the first that of example {first}, have another area than the table "
        "says: they are not the ones that were scored, and are not shown.", number,
    )
    shown = replace(
        run, rows=np.where(wrong, -1, run.rows), problems=(*run.problems, problem)
    )
    return replace(scores, run=shown)
