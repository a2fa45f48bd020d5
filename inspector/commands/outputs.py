"""The files that a command is asked to write."""

from __future__ import annotations

import argparse

from inspector.core.errors import UsageError


def read_outputs(options: argparse.Namespace) -> list[str]:
    """Name the output that goes to standard output; there can be one."""
    from inspector.predictions import parse_run_option
    from inspector.writing import check_outputs

    outputs = {name: getattr(options, name) for name in ("json", "csv", "parquet")}
    for name, value in outputs.items():
        if value == "":
            raise UsageError(f"--{name} names no file. Write --{name} FILE, or - for here.")
    found = [name for name, value in outputs.items() if value == "-"]
    if len(found) > 1:
        raise UsageError(
            f"Only one of --{' and --'.join(found)} can write to standard output. Name a file."
        )
    sources = [getattr(options, "dataset", ""), *options.instances]
    check_outputs(
        [value for value in outputs.values() if value and value != "-"],
        [*sources, *(parse_run_option(run)[1] for run in options.run)],
    )
    return found
