"""The commands that explain numbers: ``failures``, ``protocols`` and ``leaderboard``."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from inspector import __version__
from inspector.commands import shared_options
from inspector.commands.opening import scored_workspace
from inspector.commands.outputs import read_outputs
from inspector.commands.progress import progress

if TYPE_CHECKING:
    from inspector.workspace import Workspace


def add_commands(commands: Any) -> None:
    """Add the three commands to what ``add_subparsers`` gave."""
    failures = commands.add_parser(
        "failures", help="print why predictions fail and what fixing each kind would gain"
    )
    shared_options.add_data(failures)
    shared_options.add_protocol(failures)
    shared_options.add_thresholds(failures)
    failures.set_defaults(command=_failures)

    protocols = commands.add_parser(
        "protocols", help="print what other evaluators would print, and why numbers differ"
    )
    shared_options.add_data(protocols)
    shared_options.add_protocol(protocols)
    protocols.add_argument(
        "--published", metavar="NUMBER", help="find the settings that come closest to this number"
    )
    protocols.set_defaults(command=_protocols)

    leaderboard = commands.add_parser(
        "leaderboard", help="place runs among the recorded results that compare with them"
    )
    shared_options.add_data(leaderboard)
    shared_options.add_protocol(leaderboard)
    leaderboard.add_argument("--metric", default="mIoU", metavar="KEY", help="default: mIoU")
    leaderboard.set_defaults(command=_leaderboard)
    for parser in (failures, protocols, leaderboard):
        parser.add_argument("--json", metavar="FILE", help="write the results as JSON ('-': here)")


def _failures(options: argparse.Namespace) -> int:
    from inspector import explaining
    from inspector.workspace import measured

    read_outputs(options)
    workspace = measured(scored_workspace(options), progress=progress())
    found = explaining.explain_failures(workspace, progress=_step("check the geometry"))
    return _give(
        options, workspace, [explaining.failures_json(workspace, run) for run in found],
        explaining.describe_failures(workspace, found),
    )


def _protocols(options: argparse.Namespace) -> int:
    from inspector import explaining
    from inspector.analysis.finder import read_published

    read_outputs(options)
    if options.published:
        read_published(options.published)  # what is wrong with it is said before anything is read
    workspace = scored_workspace(options)
    found = [
        explaining.explain_protocols(
            workspace, row, published=options.published or "",
            progress=_step(f"count {scores.run.name} as others do"),
        )
        for row, scores in enumerate(workspace.scores)
    ]
    return _give(
        options, workspace, [explaining.protocols_json(run) for run in found],
        "\n\n".join(explaining.describe_protocols(run) for run in found),
    )


def _leaderboard(options: argparse.Namespace) -> int:
    from inspector import explaining
    from inspector.core.metrics import find_metric

    read_outputs(options)
    metric = find_metric(options.metric).key
    workspace = scored_workspace(options)
    placed = explaining.place_runs(workspace, metric)
    return _give(
        options, workspace, [explaining.placement_json(*run) for run in placed],
        "\n\n".join(explaining.describe_placement(*run, workspace.dataset.name) for run in placed),
    )


def _step(what: str) -> Callable[[int, int], None] | None:
    """Give what draws the bar of one part of the work, if there is a terminal."""
    draw = progress()
    return (lambda done, total: draw(what, done, total)) if draw else None


def _give(
    options: argparse.Namespace, workspace: Workspace, runs: list[dict[str, Any]], text: str
) -> int:
    """Write the results of every run as JSON if asked, and print them as text."""
    import json

    from inspector import summary

    if options.json:
        coverage = summary.coverage_json(workspace)
        runs = [{"name": run["name"], "coverage": coverage[run["name"]], **run} for run in runs]
        found = {
            "inspector": __version__, "dataset": summary.dataset_json(workspace.dataset),
            "protocol": workspace.protocol.to_json(), "runs": runs,
        }
        summary.write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n", options.json)
    if options.json != "-":
        print(summary.describe_setting(workspace))
        print()
        print(text)
    return 0
