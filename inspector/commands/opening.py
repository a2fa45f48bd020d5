"""Opens what a command names: the data set, its runs, a second ground truth, a table."""

from __future__ import annotations

import argparse
import sys
from dataclasses import fields
from typing import TYPE_CHECKING

from inspector.commands import shared_options
from inspector.commands.progress import progress
from inspector.core.errors import InspectorError, UsageError

if TYPE_CHECKING:  # imported where they are needed: a command starts at once
    from inspector.data_options import DataOptions
    from inspector.formats.request import LoadRequest
    from inspector.snapshots import Memory
    from inspector.table_opening import AskedRules
    from inspector.workspace import Workspace


def read_request(options: argparse.Namespace) -> LoadRequest:
    """Say what the data set is and how it is to be read."""
    from inspector.formats.hub import is_hub_id

    if is_hub_id(options.dataset) and sys.stderr.isatty():
        print(f"Asking the hub for {options.dataset} …", file=sys.stderr, flush=True)
    return read_data_options(options).first_request(options.dataset)


def read_data_options(options: argparse.Namespace) -> DataOptions:
    """Take what says how data sets are read; a command may have only some of these options."""
    from inspector.data_options import DataOptions

    given = {field.name: getattr(options, field.name, None) for field in fields(DataOptions)}
    return DataOptions(**{name: value for name, value in given.items() if value is not None})


def read_rules(options: argparse.Namespace) -> AskedRules:
    """Give the rules of scoring that were asked for; a command may have no option for them."""
    from inspector.table_opening import AskedRules

    return AskedRules(*(getattr(options, field.name, None) for field in fields(AskedRules)))


def open_named(options: argparse.Namespace) -> Workspace:
    """Open the data set and score its runs, or open a table that was scored before."""
    from inspector.core.protocol import Protocol
    from inspector.paths import user_path
    from inspector.predictions.box_scale import check_scale
    from inspector.predictions.options import RunOptions
    from inspector.workspace import open_workspace

    check_scale(options.box_scale)
    if getattr(options, "scores", None) is not None:
        return _table_workspace(options)
    return open_workspace(
        read_request(options), options.run,
        folder=user_path(options.runs) if options.runs else None,
        options=RunOptions(options.resize, options.box_scale, is_growing=is_page(options)),
        protocol=read_rules(options).over(Protocol()),
        second=read_data_options(options).second_request(),
        thresholds=shared_options.read_thresholds(options),
        progress=progress(),
        memory=_memory(options),
    )


def is_page(options: argparse.Namespace) -> bool:
    """Say whether the command serves the page, whose runs may grow and which may open again."""
    return bool(getattr(options, "is_page", False))


def _memory(options: argparse.Namespace) -> Memory | None:
    """Give what recalls an earlier opening; None for commands whose numbers leave the house."""
    from inspector.snapshots import Memory

    return Memory() if is_page(options) else None


def _table_workspace(options: argparse.Namespace) -> Workspace:
    from inspector.core.failures import Thresholds
    from inspector.paths import user_path
    from inspector.predictions.options import RunOptions
    from inspector.table_opening import open_table

    if options.second is not None:
        raise UsageError("--second-truth needs the masks: open them with --run, not --scores.")
    if shared_options.read_thresholds(options) != Thresholds():
        raise UsageError(
            "The failure modes of a table were decided when it was scored: leave the thresholds "
            "out, or open the predictions with --run and without --scores."
        )
    return open_table(
        read_request(options), options.scores, options.run,
        folder=user_path(options.runs) if options.runs else None,
        options=RunOptions(options.resize, options.box_scale),
        rules=read_rules(options),
        progress=progress(),
        memory=_memory(options),
    )


def scored_workspace(options: argparse.Namespace) -> Workspace:
    """Open what is named, which must have a run.

    Raises:
        InspectorError: If there is nothing to score.
    """
    workspace = open_named(options)
    if not workspace.scores:
        raise InspectorError("There is nothing to score. Add --run [NAME=]PATH.")
    return workspace
