"""Where findings are kept unless a person says otherwise."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path

from inspector.core.errors import UsageError
from inspector.paths import user_path

FILE_NAME = "inspector.findings.sqlite"


def data_folder() -> Path:
    """Give the folder for a user's own data, which unlike a cache nobody deletes."""
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "inspector"
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA") or Path.home()) / "inspector"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "inspector"


def default_place(folders: Iterable[Path], *, shipped: Iterable[Path]) -> Path:
    """Choose the findings file: in the first folder that will do, else among the user's own data.

    A findings file that is there already is taken where it is, even if it may only be read:
    somebody else's findings are there to be seen.

    Args:
        folders: That of the first run, that of the data set.
        shipped: Folders of the program, in which nothing is kept.
    """
    closed = [folder.resolve() for folder in shipped]
    for folder in (folder.resolve() for folder in folders):
        if not folder.is_dir() or any(folder.is_relative_to(part) for part in closed):
            continue
        if (folder / FILE_NAME).exists() or os.access(folder, os.W_OK | os.X_OK):
            return folder / FILE_NAME
    return data_folder() / FILE_NAME


def asked_place(text: str) -> Path:
    """Read the value of ``--findings``.

    Raises:
        UsageError: If it is a folder, or its folder is not there.
    """
    path = user_path(text)
    if not path.name or path.is_dir():
        raise UsageError(f"{path} cannot be the findings file: it is a folder. Name a file in it.")
    if not path.parent.is_dir():
        raise UsageError(
            f"{path} cannot be the findings file: there is no folder {path.parent}. Make it first."
        )
    return path
