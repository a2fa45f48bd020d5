"""The files of runs -> scores: read, recalled, kept as they were, or listed as not to be read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from inspector.core.dataset import Dataset
from inspector.core.errors import InspectorError, printable
from inspector.core.failures import Thresholds
from inspector.core.problems import Problem
from inspector.core.scores import Scores, score_run
from inspector.elsewhere import other_datasets
from inspector.formats.request import LoadRequest
from inspector.predictions import load_run
from inspector.recalling import paths_of
from inspector.run_files import RunFile, RunFiles, Stamp, stamp_of
from inspector.snapshots import Memory

Progress = Callable[[str, int, int], None]
Read = TypeVar("Read")

_NOT_READ = "run-not-read"


@dataclass(frozen=True, eq=False)
class Opening:
    """How a workspace was opened, so that its runs can be read anew.

    Attributes:
        request: Which data set.
        files: Which runs.
        read: The files of each run and what they were like when it was read, by its name.
        problems: Files of the folder that are no run, or could not be read.
        thresholds: What the failure modes are measured by.
    """

    request: LoadRequest
    files: RunFiles
    read: dict[str, tuple[RunFile, Stamp]]
    problems: tuple[Problem, ...] = ()
    thresholds: Thresholds = Thresholds()


def read_runs(
    dataset: Dataset, opening: Opening, progress: Progress | None, memory: Memory | None
) -> tuple[tuple[Scores, ...], Opening]:
    """Read and score every run; give the opening with what was read, and in what state.

    Raises:
        InspectorError: As :func:`read_each` does.
    """
    found, problems = opening.files.list()
    read = {file.name: (file, stamp_of(file.path)) for file in found}
    scores, faults = read_each(
        found, lambda file: _recall_scores(dataset, file, opening, progress, memory)
    )
    return tuple(scores.values()), replace(opening, read=read, problems=(*problems, *faults))


def read_each(
    files: Sequence[RunFile], read: Callable[[RunFile], Read]
) -> tuple[dict[str, Read], tuple[Problem, ...]]:
    """Read runs, by name; one of a folder that cannot be read does not keep the others.

    Raises:
        InspectorError: If one cannot be read that was named, or is the only one.
    """
    found: dict[str, Read] = {}
    faults = []
    for file in files:
        try:
            found[file.name] = read(file)
        except InspectorError as error:
            if file.is_named or len(files) == 1:
                raise
            faults.append(Problem(_NOT_READ, "error", file.name, str(error)))
    return found, tuple(faults)


def reread_runs(
    dataset: Dataset, before: Opening, scores: Sequence[Scores], progress: Progress | None
) -> tuple[tuple[Scores, ...], Opening]:
    """Read the runs that are new or have changed; the others, and what is cut off, stay.

    What cannot be read now is a problem that says so, also where nothing can be: the folder may
    be in the middle of being exchanged.
    """
    files = replace(before.files, options=replace(before.files.options, is_growing=True))
    opening = replace(before, files=files)
    earlier = {problem.where: problem for problem in before.problems if problem.code == _NOT_READ}
    try:
        found, problems = files.list(before.read)
    except InspectorError as error:
        where = printable(files.folder.name) if files.folder else ""
        fault = _not_read(where, error, earlier)
        others = (problem for problem in before.problems if problem != fault)
        return tuple(scores), replace(opening, problems=(*others, fault))
    known = {one.run.name: one for one in scores}
    unreadable = _unreadable_now(before, found)
    half_written = {file.path.name for file in unreadable}
    kept, read, faults = [], {}, []
    for file in (*found, *unreadable):
        read[file.name] = file, stamp_of(file.path)
        is_as_before = before.read.get(file.name) == read[file.name] and file.name not in earlier
        if is_as_before and file.name in known:
            kept.append(known[file.name])
            continue
        try:
            kept.append(_score(dataset, file, opening, progress))
        except InspectorError as error:
            faults.append(_not_read(file.name, error, earlier))
            if file.name in known:
                kept.append(known[file.name])
    listed = [problem for problem in problems if problem.where not in half_written]
    return tuple(kept), replace(opening, read=read, problems=(*listed, *faults))


def _not_read(where: str, error: InspectorError, earlier: Mapping[str, Problem]) -> Problem:
    """Say why a run cannot be read now; what was said before is said in the same way."""
    before = earlier.get(where)
    if before is not None and before.message == str(error):
        return before
    return Problem(_NOT_READ, "info", where, str(error))


def _unreadable_now(opening: Opening, found: Sequence[RunFile]) -> list[RunFile]:
    """Give the files that were a run before, are still there, and are not known as one now."""
    names = {file.name for file in found}
    return [
        file for name, (file, _) in opening.read.items()
        if name not in names and file.path.exists()
    ]


def _recall_scores(
    dataset: Dataset, file: RunFile, opening: Opening, progress: Progress | None,
    memory: Memory | None,
) -> Scores:
    if memory is None:
        return _score(dataset, file, opening, progress)
    return memory.recall(
        "scores", [file, opening.files.options, opening.request, opening.thresholds],
        lambda: _score(dataset, file, opening, progress),
        of={"dataset": dataset}, paths=[file.path, *paths_of(opening.request)],
    )


def _score(
    dataset: Dataset, file: RunFile, opening: Opening, progress: Progress | None
) -> Scores:
    name = file.name
    run = load_run(
        dataset, file.path, name=name, options=opening.files.options,
        elsewhere=lambda: other_datasets(opening.request, dataset),
    )
    step = (lambda done, total: progress(f"score {name}", done, total)) if progress else None
    return score_run(dataset, run, thresholds=opening.thresholds, progress=step)
