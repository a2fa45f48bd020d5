"""What is listed of a table of scores that was read: rows too many, too few, and unknown ones."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from inspector.core.problems import Problem, ProblemLog
from inspector.stored.files import TableFiles
from inspector.stored.table import RunRows


def list_problems(
    files: TableFiles, runs: Sequence[RunRows], unknown_objects: Sequence[int]
) -> tuple[Problem, ...]:
    """List what a person should know of a table.

    Args:
        files: The table.
        runs: What was found of each run.
        unknown_objects: By run, the rows that name an object which the data set does not have.
    """
    log, source = ProblemLog(), Path(files.source).name
    if files.made_by is None:
        log.add(
            "table-rules", "warning", source,
            "The table does not say by which rules and thresholds it was scored; the usual ones "
            "are assumed.",
        )
    for found, unknown in zip(runs, unknown_objects, strict=True):
        where = f"{source}, run {found.name}"
        if found.absent:
            log.add(
                "table-absent", "error", where,
                f"{found.absent:,} examples of the data set have no row; they are missing.",
                count=found.absent,
            )
        if found.unmatched:
            log.add(
                "unmatched-prediction", "warning", where,
                f"{found.unmatched:,} rows belong to no example that can be scored here.",
                count=found.unmatched,
            )
        if found.duplicate:
            log.add(
                "duplicate-prediction", "warning", where,
                f"{found.duplicate:,} rows of an example that has one; the first counts.",
                count=found.duplicate,
            )
        if unknown:
            log.add(
                "table-object", "warning", where,
                f"{unknown:,} rows name an object that the data set does not have; it is not "
                "shown.", count=unknown,
            )
    return log.close()
