"""Opens what a command names: the data set, its runs, a second ground truth, a table."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from inspector.commands import shared_options
from inspector.commands.progress import progress
from inspector.core.errors import InspectorError, UsageError

if TYPE_CHECKING:  # imported where they are needed: a command starts at once
    from inspector.formats.request import LoadRequest
    from inspector.snapshots import Memory
    from inspector.workspace import Workspace


def read_request(options: argparse.Namespace) -> LoadRequest:
    """Say what the data set is and how it is to be read."""
    from inspector.formats.hub import is_hub_id
    from inspector.formats.request import LoadRequest
    from inspector.paths import user_path

    if is_hub_id(options.dataset) and sys.stderr.isatty():
        print(f"Asking the hub for {options.dataset} …", file=sys.stderr, flush=True)
    return LoadRequest(
        source=options.dataset,
        split=options.split,
        split_by=options.split_by,
        images=user_path(options.images) if options.images else None,
        instances=tuple(user_path(path) for path in options.instances),
        format=options.format,
        refs=user_path(options.refs) if options.refs else None,
        texts=options.texts,
        is_of_pair=getattr(options, "second", None) is not None,
    )


def _second_request(options: argparse.Namespace) -> LoadRequest | None:
    """Say what the second ground truth is; ``--split``, ``--images`` … hold for both."""
    from inspector.formats.request import LoadRequest
    from inspector.paths import user_path

    if getattr(options, "second", None) is None:
        given = [name for name in ("split_b", "images_b", "instances_b", "format_b")
                 if getattr(options, name, None)]
        if given:
            option = given[0].replace("_", "-")
            raise UsageError(f"--{option} is of use only with a second ground truth: add "
                             "--second-truth DATASET_B.")
        return None
    images = options.images_b or options.images
    return LoadRequest(
        source=options.second,
        split=options.split_b or options.split,
        split_by=options.split_by,
        images=user_path(images) if images else None,
        instances=tuple(user_path(path) for path in options.instances_b),
        format=options.format_b,
        texts=options.texts,
        is_of_pair=True,
    )


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
        protocol=Protocol(options.average, options.empty_union, options.missing),
        second=_second_request(options),
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
    from inspector.core.protocol import Protocol
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
        protocol=Protocol(options.average, options.empty_union, options.missing),
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
