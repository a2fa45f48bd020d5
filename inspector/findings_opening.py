"""Opens the findings file of a session: the one that is asked for, or the one beside the run."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path

from inspector.findings.places import asked_place, data_folder, default_place
from inspector.findings.store import Store, open_store
from inspector.formats import DEMO_TRUTHS
from inspector.formats.hub import is_hub_id
from inspector.paths import user_path
from inspector.predictions import parse_run_option
from inspector.shipped import shipped


def find_place(
    dataset: str, runs: Sequence[str] = (), *, folder: str | None = None, asked: str | None = None
) -> Path:
    """Say where the findings of a session lie.

    Args:
        dataset: As the user named it: a path, a hub id or the demo.
        runs: Values of ``--run``.
        folder: Value of ``--runs``.
        asked: Value of ``--findings``; None takes the folder of the first run or of the data set
            and, where nothing may be written there, the user's own data folder.

    Raises:
        UsageError: If what is asked for cannot be a file.
    """
    if asked is not None:
        return asked_place(asked)
    folders = [user_path(parse_run_option(run)[1]).parent for run in runs[:1]]
    if folder and not folders:
        folders.append(user_path(folder))
    if dataset not in DEMO_TRUTHS and not is_hub_id(dataset):
        path = user_path(dataset)
        folders.append(path if path.is_dir() else path.parent)
    return default_place(folders, shipped=(Path(__file__).parent, shipped("demo").parent))


def open_findings(path: Path, *, read_only: bool = False) -> Store:
    """Open the findings file; the user's own data folder is made where it is not there yet."""
    if path.parent == data_folder() and not read_only:
        with contextlib.suppress(OSError):  # said when the file is opened
            path.parent.mkdir(parents=True, exist_ok=True)
    return open_store(path, read_only=read_only)


def describe_findings(store: Store) -> str:
    """Say where findings are kept, or why they are not, as a line."""
    if store.can_write:
        return f"Findings are kept in {store.place}"
    return f"Findings are not kept: {store.why} (file: {store.place})"
