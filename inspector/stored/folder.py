"""A folder on disk for as long as the program runs, and the end of those that were left behind."""

from __future__ import annotations

import atexit
import contextlib
import os
import shutil
import tempfile
from pathlib import Path
from typing import IO

_PREFIX = "inspector-table-"
_held: list[IO[bytes]] = []  # open until the program ends, and locked as long


def make_folder() -> Path:
    """Make an empty folder that goes when the program ends.

    It lies where ``TMPDIR`` says, else in ``/var/tmp`` where there is one: ``/tmp`` is often held
    in memory. A program that is killed leaves its folder behind; the next one removes it.
    """
    parent = _parent()
    for folder in parent.glob(f"{_PREFIX}*"):
        _remove_left(folder)
    folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=parent))
    lock = (folder / "lock").open("wb")
    _try_lock(lock)
    _held.append(lock)
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _parent() -> Path:
    on_disk = Path("/var/tmp")
    if not os.environ.get("TMPDIR") and on_disk.is_dir() and os.access(on_disk, os.W_OK):
        return on_disk
    return Path(tempfile.gettempdir())


def _remove_left(folder: Path) -> None:
    """Remove a folder of ours whose program does not run any more."""
    if folder.is_symlink() or not folder.is_dir():
        return
    with contextlib.suppress(OSError):
        if hasattr(os, "getuid") and folder.stat().st_uid != os.getuid():
            return
        with (folder / "lock").open("r+b") as lock:
            if not _try_lock(lock):
                return
        shutil.rmtree(folder, ignore_errors=True)


def _try_lock(file: IO[bytes]) -> bool:
    """Lock a file against other programs; where locks are unknown, open files cannot be removed."""
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
