"""Which files are runs: those named one by one, and those of a folder that may still grow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from stat import S_ISREG

from inspector.core.errors import InspectorError, UsageError, printable
from inspector.core.problems import Problem
from inspector.findings.places import FILE_NAME
from inspector.predictions import detect
from inspector.predictions.options import RunOptions

Stamp = tuple[tuple[str, int, int], ...]
"""Name, time of writing and size of a file, or of each file of a folder."""


@dataclass(frozen=True, slots=True)
class RunFile:
    """One run on disk; ``is_named`` says that a person asked for just this one."""

    name: str
    path: Path
    is_named: bool = True


@dataclass(frozen=True, slots=True)
class RunFiles:
    """What ``--run`` and ``--runs`` ask for.

    Attributes:
        named: The runs that were named one by one.
        folder: Folder of which every file of predictions is a run, or None.
        options: How predictions are read.
    """

    named: tuple[RunFile, ...] = ()
    folder: Path | None = None
    options: RunOptions = RunOptions()

    def list(
        self, read: Mapping[str, tuple[RunFile, Stamp]] | None = None
    ) -> tuple[tuple[RunFile, ...], tuple[Problem, ...]]:
        """List the runs that are there now, and the files of the folder that are none.

        Args:
            read: What was read before, by name; a file that is as it was is not looked into. Then
                a second file of the same name is a problem, so that the others are read.

        Raises:
            UsageError: If two runs have the same name and nothing was read before, or the folder
                is none or holds no run.
        """
        found = [*self.named]
        problems: list[Problem] = []
        if self.folder is not None:
            inside, problems = _inside(self.folder, self.options, read or {})
            found += inside
        runs: dict[str, RunFile] = {}
        for run in found:
            other = runs.setdefault(run.name, run)
            if other is run:
                continue
            if read is None:
                raise named_twice(run.name)
            if read.get(run.name, (None,))[0] == run:  # what was there first stays
                runs[run.name], run = run, other
            problems.append(Problem("run-not-read", "error", printable(run.path.name),
                                    str(named_twice(run.name))))
        return tuple(runs.values()), tuple(problems)


def named_twice(name: str, value: str = "PATH") -> UsageError:
    """Make the error that two runs have one name; ``value`` is what can be given another."""
    return UsageError(f"Two runs are named '{name}'. Name them: --run NAME={value}.")


def _inside(
    folder: Path, options: RunOptions, read: Mapping[str, tuple[RunFile, Stamp]]
) -> tuple[list[RunFile], list[Problem]]:
    if not folder.is_dir():
        raise UsageError(f"There is no folder of runs at {folder}. Name one with --runs.")
    if (folder / "output_0.json").is_file() and _is_run(folder, options):
        raise UsageError(f"The folder {folder} is itself one run, in shards: use --run.")
    unchanged = {(file.path, stamp) for file, stamp in read.values()}
    runs: list[RunFile] = []
    problems: list[Problem] = []
    try:
        children = sorted(folder.iterdir())
    except OSError as error:
        raise UsageError(
            f"The folder of runs {folder} cannot be listed ({error.strerror}). Name another."
        ) from error
    for child in children:
        if child.name.startswith((".", FILE_NAME)) or child.name.endswith(".part"):
            continue
        run = RunFile(printable(child.stem), child, is_named=False)
        if (child, stamp_of(child)) in unchanged:
            runs.append(run)
            continue
        try:
            detect(child, options)
        except InspectorError as error:
            problems.append(Problem("other-file", "info", printable(child.name), str(error)))
            continue
        runs.append(run)
    if not runs:
        hint = "It is itself a run: use --run." if _is_run(folder, options) else (
            "Expected files of predictions, or folders of mask pictures."
        )
        raise UsageError(f"The folder {folder} holds no run. {hint}")
    return runs, problems


def _is_run(folder: Path, options: RunOptions) -> bool:
    try:
        detect(folder, options)
    except InspectorError:
        return False
    return True


def stamp_of(path: Path) -> Stamp:
    """Give what changes when a run is written to, of every file where it is a folder of them."""
    return tuple(_stamps(path))


def _stamps(path: Path) -> Iterator[tuple[str, int, int]]:
    for file in [path, *(sorted(path.rglob("*")) if path.is_dir() else [])]:
        try:
            state = file.stat()
        except OSError:  # a link that leads nowhere, or a file that has just gone
            yield file.name, -1, -1
        else:
            yield file.name, state.st_mtime_ns, state.st_size if S_ISREG(state.st_mode) else 0
