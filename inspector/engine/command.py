"""``score --engine``: its options, checked before anything is read, and what it opens."""

from __future__ import annotations

import argparse
import os
import sys
from contextlib import AbstractContextManager, nullcontext, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inspector.core.errors import UsageError

if TYPE_CHECKING:
    from inspector.engine.opening import Asked
    from inspector.engine.running import Engine
    from inspector.workspace import Progress, Workspace


@dataclass(frozen=True, slots=True)
class EngineKind:
    """One place where scoring runs."""

    key: str
    description: str


ENGINES: tuple[EngineKind, ...] = (
    EngineKind("local", "every run in one go, in this process"),
    EngineKind("batched", "piece by piece in this process: only one piece is in memory"),
    EngineKind("ray", "piece by piece on a Ray cluster, or on the processors of this machine"),
)


def add_engine(parser: argparse.ArgumentParser) -> None:
    """Add where scoring runs; what a run may be then is said in the documentation."""
    parser.add_argument(
        "--engine", choices=[kind.key for kind in ENGINES], default="local",
        help="; ".join(f"{kind.key}: {kind.description}" for kind in ENGINES)
        + " (default: local). The last two take shards: --run NAME=PATTERN",
    )
    parser.add_argument(
        "--address", metavar="ADDRESS",
        help="of a Ray cluster: auto, or host:port (default: one of this machine alone)",
    )
    parser.add_argument(
        "--workers", metavar="N", help="how many pieces this machine scores at once, with Ray "
        "(default: its processors)",
    )
    parser.add_argument(
        "--shard-size", metavar="MB", help="megabytes that are read at once (default: 16)"
    )


@dataclass(frozen=True, slots=True)
class EngineOptions:
    """Checked options; ``megabytes`` is None for the default."""

    key: str
    address: str | None = None
    workers: int | None = None
    megabytes: float | None = None


def read_engine(options: argparse.Namespace) -> EngineOptions:
    """Check the options of an engine against each other and against what it cannot do.

    Raises:
        UsageError: If something does not fit.
    """
    key = options.engine
    for name, engines in (("address", ["ray"]), ("workers", ["ray"]),
                          ("shard_size", ["batched", "ray"])):
        if getattr(options, name) is not None and key not in engines:
            raise UsageError(
                f"--{name.replace('_', '-')} is of use only with --engine {' or '.join(engines)}."
            )
    if key == "local":
        return EngineOptions(key)
    if options.address is not None and options.workers is not None:
        raise UsageError(
            "--workers is for this machine: a cluster at --address has its own. Leave one out."
        )
    if options.runs:
        raise UsageError(f"--runs is not for --engine {key}: name each run, --run NAME=SHARDS.")
    if options.preset:
        raise UsageError(
            f"--preset counts on the masks themselves, which --engine {key} does not keep: leave "
            "one of the two out."
        )
    _check_outputs(options)
    return EngineOptions(
        key, options.address,
        _number(options.workers, "workers", int), _number(options.shard_size, "shard-size", float),
    )


def _check_outputs(options: argparse.Namespace) -> None:
    """Refuse a folder that is not ours to replace, and to write over a shard."""
    from inspector.engine.parts import check_folder
    from inspector.engine.shards import find_shards, is_address, parse_shards_option
    from inspector.writing import check_outputs

    if options.parquet and options.parquet != "-":
        check_folder(options.parquet)
    outputs = [options.json, options.csv, options.parquet]
    sources = [source for _, source in map(parse_shards_option, options.run)]
    check_outputs(
        [output for output in outputs if output and output != "-"],
        [shard.source for source in sources if not is_address(source)
         for shard in find_shards(source)],
    )


def _number(text: str | None, name: str, kind: Any) -> Any:
    if text is None:
        return None
    try:
        value = kind(text)
        if not 0 < value < 1e6:
            raise ValueError
    except ValueError:
        what = "whole number" if kind is int else "number"
        raise UsageError(f"--{name} {text} is no {what} above 0.") from None
    return value


def open_in_pieces(
    options: EngineOptions, asked: Asked, progress: Progress | None
) -> Workspace:
    """Score what is asked for where it is asked for; say on standard error who did it.

    Raises:
        InspectorError: If it could not be done.
    """
    from inspector.engine.opening import score_in_pieces
    from inspector.engine.running import Effort

    effort = Effort()
    with (
        Path(os.devnull).open("w") as nowhere,
        redirect_stdout(nowhere),  # where Ray tells of workers that died; results go there later
        _engine(options) as engine,
    ):
        workspace = score_in_pieces(asked, engine, progress=progress, effort=effort)
    if effort.again or progress is not None:
        sys.stderr.write(f"{options.key}: {effort.describe()}\n")
    return workspace


def _engine(options: EngineOptions) -> AbstractContextManager[Engine]:
    if options.key == "ray":
        from inspector.engine.on_ray import OnRay

        return OnRay(address=options.address, workers=options.workers)
    from inspector.engine.running import Here

    return nullcontext(Here())
