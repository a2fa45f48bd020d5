"""Scores as a folder of Parquet files, written as a whole or not at all."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from inspector.analysis.flags import find_flags, list_flags
from inspector.core.arrow import text_column
from inspector.core.errors import UsageError
from inspector.core.run import Status
from inspector.core.table import score_table
from inspector.paths import user_path
from inspector.stored.files import METADATA_KEY
from inspector.summary import table_metadata, write_rows
from inspector.workspace import Workspace
from inspector.writing import check_place

ROWS_A_PART = 250_000

_NAME = "part-{:05d}.parquet"


@contextmanager
def whole_folder(target: str) -> Iterator[Path]:
    """Give a temporary folder to write to; it takes the target's place if all went well.

    Only a folder that is empty, or that this has written, is replaced.

    Raises:
        UsageError: If the target is something else, or cannot be written.
    """
    path = check_folder(target)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    old = path.with_name(f".{path.name}.{os.getpid()}.old")
    try:
        temporary.mkdir()
        try:
            yield temporary
            check_folder(target)  # someone may have put files there meanwhile
            if path.exists():
                path.rename(old)
            temporary.rename(path)
        except BaseException:
            if old.exists() and not path.exists():
                old.rename(path)
            raise
        finally:
            for folder in (temporary, old):
                shutil.rmtree(folder, ignore_errors=True)
    except OSError as error:
        raise UsageError(f"{path} cannot be written ({error.strerror or error}). Name another "
                         "place.") from error


def check_folder(target: str) -> Path:
    """Refuse a folder that cannot be written, or that holds anything else than such parts.

    Raises:
        UsageError: If that is so.
    """
    path = user_path(target)
    path = path.resolve() if path.is_symlink() else path.absolute()
    if not path.name:
        raise UsageError(f"{target} cannot be written: it has no name. Name a folder.")
    check_place(path)
    if path.exists() and not path.is_dir():
        raise UsageError(
            f"{path} cannot be written: with --engine, --parquet names a folder. Name a new one."
        )
    if path.is_dir():
        other = next((f.name for f in sorted(path.iterdir()) if not _is_part(f)), None)
        if other is not None:
            raise UsageError(
                f"{path} cannot be written: it holds {other}, which is no part of a table of "
                "scores. Name a new folder."
            )
    return path


def _is_part(path: Path) -> bool:
    """Say whether a file is one of ours by what it says of itself: shards may be called so too."""
    import pyarrow.lib
    import pyarrow.parquet as pq

    if not (path.is_file() and path.match("part-*.parquet")):
        return False
    try:
        return METADATA_KEY in (pq.read_metadata(path).metadata or {})
    except (pyarrow.lib.ArrowException, OSError):
        return False


def write_parts(workspace: Workspace, target: str, *, rows: int = ROWS_A_PART) -> int:
    """Write one row an example and run, run by run, in files of so many examples at most.

    Returns:
        The number of files. All columns and rows are those of ``score --parquet`` in one file.
    """
    metadata = table_metadata(workspace)
    with_flags = all(scores.shapes is not None for scores in workspace.scores)
    flags = find_flags(workspace.scores) if with_flags else []
    number, n = 0, len(workspace.dataset)
    with whole_folder(target) as folder:
        for run, scores in enumerate(workspace.scores):
            listed = list_flags(flags[run]) if with_flags else []
            for begin in range(0, n, rows):
                places = np.arange(begin, min(begin + rows, n))
                table = score_table([scores], workspace.protocol, places=places)
                if with_flags:
                    table = table.append_column("flags", text_column([
                        ";".join(listed[place]) for place in places.tolist()
                        if scores.status[place] != Status.NO_TRUTH
                    ]))
                table = table.replace_schema_metadata(metadata)
                write_rows(table, str(folder / _NAME.format(number)), "parquet")
                number += 1
    return number
