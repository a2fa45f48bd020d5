"""``score``: the metrics of each run, in words and as files."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from inspector.commands import shared_options
from inspector.commands.opening import read_request, read_rules, scored_workspace
from inspector.commands.outputs import read_outputs
from inspector.commands.progress import progress
from inspector.engine import command as engines

if TYPE_CHECKING:
    from inspector.engine.opening import Asked
    from inspector.workspace import Progress, Workspace

CHEAP = 2_000
"""Predictions whose boundaries are measured without being asked: well under a second."""


def add_score_options(parser: argparse.ArgumentParser) -> None:
    """Add what ``score`` can say beyond the metrics."""
    parser.add_argument(
        "--by", metavar="COLUMN", help="print the metrics of each value of a column of the table"
    )
    parser.add_argument(
        "--at", action="append", default=[], metavar="X",
        help="give P@X for this threshold too; may be repeated",
    )
    parser.add_argument(
        "--preset", action="append", default=[], metavar="KEY",
        help="print what a known evaluator would, such as lavt; may be repeated",
    )
    parser.add_argument(
        "--fail-below", action="append", default=[], metavar="METRIC=X",
        help="exit with status 1 if a run stays below, such as mIoU=0.70; may be repeated",
    )
    parser.add_argument(
        "--boundary", action=argparse.BooleanOptionalAction, default=None,
        help=f"measure Boundary IoU and edges (default: up to {CHEAP:,} predictions)",
    )

def score(options: argparse.Namespace) -> int:
    """Print and write the metrics; 1 if one of them is below its limit."""
    from inspector import summary
    from inspector.commands import further, gates

    to_stdout = read_outputs(options)
    asked = further.read_options(by=options.by, at=options.at, presets=options.preset)
    limits = [gates.read_limit(text) for text in options.fail_below]
    engine = engines.read_engine(options)
    if engine.key == "local":
        workspace = _with_boundaries(options, scored_workspace(options), progress())
    else:
        workspace = engines.open_in_pieces(engine, _asked(options, engine), progress())
    more = further.score_more(workspace, asked)
    for kind in ("csv", "parquet"):
        target = getattr(options, kind)
        if target and target != "-" and kind == "parquet" and engine.key != "local":
            from inspector.engine.parts import write_parts

            write_parts(workspace, target)
        elif target:
            summary.write_table(workspace, target, kind)
    if options.json:
        summary.write_json(workspace, options.json, further.more_json(more))
    if not to_stdout:
        print(summary.describe_dataset(workspace.dataset))
        print(f"Rules: {summary.describe_protocol(workspace.protocol)}.\n")
        print(summary.describe_runs(workspace))
        print(further.describe_more(more), end="")
        problems = summary.describe_problems(workspace.problems, most=3)
        print(f"\n{problems}" if problems else "\nNo problems found.")
    below = gates.describe_missed(workspace, limits)
    if below:
        print(f"below the limit: {below}", file=sys.stderr)
    return int(bool(below))


def _with_boundaries(
    options: argparse.Namespace, workspace: Workspace, progress: Progress | None
) -> Workspace:
    """Measure boundaries if they were asked for, or cost next to nothing."""
    from inspector.workspace import measured

    masks = sum(int((scores.run.rows >= 0).sum()) for scores in workspace.scores)
    wanted = masks <= CHEAP if options.boundary is None else options.boundary
    return measured(workspace, progress=progress) if wanted else workspace


def _asked(options: argparse.Namespace, engine: engines.EngineOptions) -> Asked:
    from inspector.core.protocol import Protocol
    from inspector.engine.opening import MEGABYTES, Asked
    from inspector.predictions.box_scale import check_scale
    from inspector.predictions.options import RunOptions

    check_scale(options.box_scale)
    return Asked(
        read_request(options), tuple(options.run),
        options=RunOptions(options.resize, options.box_scale),
        protocol=read_rules(options).over(Protocol()),
        thresholds=shared_options.read_thresholds(options),
        boundary=options.boundary, cheap=CHEAP,
        megabytes=engine.megabytes or MEGABYTES,
    )
