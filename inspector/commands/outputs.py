"""The files that a command is asked to write."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Iterator
from pathlib import Path

from inspector.core.errors import UsageError

_OUTPUTS = ("json", "csv", "parquet")
_SOURCES = (
    "dataset", "second", "refs", "images", "images_b", "runs", "scores", "findings", "examples",
)
_LISTED_SOURCES = ("instances", "instances_b")


def read_outputs(options: argparse.Namespace) -> list[str]:
    """Name the output that goes to standard output; there can be one.

    Every command that writes files calls this before it reads anything.

    Raises:
        UsageError: If an output names no file, cannot be written, or is read by the command.
    """
    outputs = {name: getattr(options, name, None) for name in _OUTPUTS}
    for name, value in outputs.items():
        if value == "":
            raise UsageError(f"--{name} names no file. Write --{name} FILE, or - for here.")
    found = [name for name, value in outputs.items() if value == "-"]
    if len(found) > 1:
        raise UsageError(
            f"Only one of --{' and --'.join(found)} can write to standard output. Name a file."
        )
    if getattr(options, "engine", "local") != "local":
        del outputs["parquet"]  # a folder, of which the engine says what it may be
    check_targets([value for value in outputs.values() if value and value != "-"], options)
    return found


def check_targets(targets: list[str], options: argparse.Namespace) -> None:
    """Refuse files that cannot be written, and those that the command reads.

    Raises:
        UsageError: If there is one.
    """
    from inspector.writing import check_file, check_outputs

    for target in targets:
        check_file(target)
    check_outputs(targets, _sources(options))


def _sources(options: argparse.Namespace) -> list[Path]:
    """Give the files and folders that the options name to be read."""
    from inspector.formats import DEMO_FOLDER, DEMO_TRUTHS
    from inspector.predictions import parse_run_option

    named = [getattr(options, name, None) or "" for name in _SOURCES]
    for name in _LISTED_SOURCES:
        named += getattr(options, name, [])
    runs = [parse_run_option(run)[1] for run in getattr(options, "run", [])]
    demo = [DEMO_FOLDER] if DEMO_TRUTHS.keys() & {*named} else []
    return [*_existing(named), *runs, *demo]


def _existing(names: list[str]) -> Iterator[Path]:
    """Give what is on disk: names of the hub, and lists of ids longer than any path, are not."""
    from inspector.paths import user_path

    for name in filter(None, names):
        with contextlib.suppress(UsageError):  # said by whoever reads it
            path = user_path(name)
            if path.exists():
                yield path
