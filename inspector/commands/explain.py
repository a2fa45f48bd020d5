"""The commands that explain numbers: ``failures``, ``protocols``, ``leaderboard``, and options."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from inspector import __version__
from inspector.core.errors import UsageError

if TYPE_CHECKING:
    from inspector.core.failures import Thresholds
    from inspector.workspace import Progress, Workspace

CHEAP = 2_000
"""Predictions whose boundaries ``score`` measures without being asked: well under a second."""

_THRESHOLDS = (
    ("iou", 0.5, "IoU from which a prediction is correct or fits another object"),
    ("share", 0.8, "share of the prediction inside the target (part) or of the target (spill)"),
    ("covered", 0.5, "share of target and of another object that several_objects needs"),
    ("background", 0.1, "IoU below which a prediction touches no object"),
    ("twin", 0.8, "IoU with the target from which another object is the same thing twice"),
)


def add_thresholds(parser: argparse.ArgumentParser) -> None:
    """Add an option for each threshold of the failure modes."""
    for name, default, what in _THRESHOLDS:
        parser.add_argument(
            f"--{name}-threshold", metavar="X", help=f"{what} (default: {default})"
        )


def read_thresholds(options: argparse.Namespace) -> Thresholds:
    """Read the thresholds; commands without such options have the documented ones.

    Raises:
        UsageError: If one is no number from 0 to 1; that of IoU must be above 0, since every
            prediction reaches 0.
    """
    from inspector.core.failures import Thresholds

    given = {}
    for name, _, _ in _THRESHOLDS:
        text = getattr(options, f"{name}_threshold", None)
        if text is None:
            continue
        try:
            given[name] = float(text)
            if not 0 <= given[name] <= 1 or name == "iou" and not given[name]:
                raise ValueError
        except ValueError:
            allowed = "above 0, up to 1" if name == "iou" else "from 0 to 1"
            raise UsageError(
                f"--{name}-threshold {text} is no share. Write a number {allowed}."
            ) from None
    return Thresholds(**given)


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


def with_boundaries(
    options: argparse.Namespace, workspace: Workspace, progress: Progress | None
) -> Workspace:
    """Measure boundaries if they were asked for, or cost next to nothing."""
    from inspector.workspace import measured

    masks = sum(int((scores.run.rows >= 0).sum()) for scores in workspace.scores)
    wanted = masks <= CHEAP if options.boundary is None else options.boundary
    return measured(workspace, progress=progress) if wanted else workspace


def add_commands(
    commands: Any, add_runs: Callable[[argparse.ArgumentParser], None],
    scored: Callable[[argparse.Namespace], Workspace],
    progress: Callable[[], Progress | None],
) -> None:
    """Add the three commands.

    Args:
        commands: What ``add_subparsers`` gave.
        add_runs: Adds the options of data, runs and rules.
        scored: Opens a workspace with at least one run.
        progress: Gives what draws the bar, if there is a terminal.
    """
    failures = commands.add_parser(
        "failures", help="print why predictions fail and what fixing each kind would gain"
    )
    add_runs(failures)
    add_thresholds(failures)
    failures.set_defaults(command=lambda options: _failures(options, scored(options), progress()))

    protocols = commands.add_parser(
        "protocols", help="print what other evaluators would print, and why numbers differ"
    )
    add_runs(protocols)
    protocols.add_argument(
        "--published", metavar="NUMBER", help="find the settings that come closest to this number"
    )
    protocols.set_defaults(command=lambda options: _protocols(options, scored))

    leaderboard = commands.add_parser(
        "leaderboard", help="place runs among the recorded results that compare with them"
    )
    add_runs(leaderboard)
    leaderboard.add_argument("--metric", default="mIoU", metavar="KEY", help="default: mIoU")
    leaderboard.set_defaults(command=lambda options: _leaderboard(options, scored))
    for parser in (failures, protocols, leaderboard):
        parser.add_argument("--json", metavar="FILE", help="write the results as JSON ('-': here)")


def _failures(
    options: argparse.Namespace, workspace: Workspace, progress: Progress | None
) -> int:
    from inspector import explaining
    from inspector.workspace import measured

    workspace = measured(workspace, progress=progress)
    found = explaining.explain_failures(workspace)
    return _give(
        options, workspace, [explaining.failures_json(workspace, run) for run in found],
        explaining.describe_failures(workspace, found),
    )


def _protocols(
    options: argparse.Namespace, scored: Callable[[argparse.Namespace], Workspace]
) -> int:
    from inspector import explaining
    from inspector.analysis.finder import read_published

    if options.published:
        read_published(options.published)  # what is wrong with it is said before anything is read
    workspace = scored(options)
    found = [
        explaining.explain_protocols(workspace, row, published=options.published or "")
        for row in range(len(workspace.scores))
    ]
    return _give(
        options, workspace, [explaining.protocols_json(run) for run in found],
        "\n\n".join(explaining.describe_protocols(run) for run in found),
    )


def _leaderboard(
    options: argparse.Namespace, scored: Callable[[argparse.Namespace], Workspace]
) -> int:
    from inspector import explaining
    from inspector.core.metrics import find_metric

    metric = find_metric(options.metric).key
    workspace = scored(options)
    placed = explaining.place_runs(workspace, metric)
    return _give(
        options, workspace, [explaining.placement_json(*run) for run in placed],
        "\n\n".join(explaining.describe_placement(*run) for run in placed),
    )


def _give(
    options: argparse.Namespace, workspace: Workspace, runs: list[dict[str, Any]], text: str
) -> int:
    """Write the results of every run as JSON if asked, and print them as text."""
    import json

    from inspector import summary

    if options.json:
        found = {
            "inspector": __version__, "dataset": summary.dataset_json(workspace.dataset),
            "protocol": workspace.protocol.to_json(), "runs": runs,
        }
        summary.write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n", options.json)
    if options.json != "-":
        print(summary.describe_dataset(workspace.dataset))
        print(f"Rules: {summary.describe_protocol(workspace.protocol)}.\n")
        print(text)
    return 0
