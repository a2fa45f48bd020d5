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
    while True:
        folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=parent))
        lock = _hold(folder)
        if lock is not None:
            _held.append(lock)
            atexit.register(shutil.rmtree, folder, ignore_errors=True)
            return folder


def _hold(folder: Path) -> IO[bytes] | None:
    """Lock a folder that was just made; None where another program has taken it for a left one.

    Until the lock is ours, the folder looks like one whose program was killed.
    """
    try:
        lock = (folder / "lock").open("wb")
    except FileNotFoundError:
        return None
    try:
        is_locked = _try_lock(lock)
    except OSError:  # where nothing can be locked, nothing is removed either
        is_locked = True
    if is_locked and (folder / "lock").exists():
        return lock
    lock.close()
    return None


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
            shutil.rmtree(folder, ignore_errors=True)  # nobody else may lock it meanwhile
        shutil.rmtree(folder, ignore_errors=True)  # where a file that is open stays


def _try_lock(file: IO[bytes]) -> bool:
    """Lock a file against other programs; where locks are unknown, open files cannot be removed.

    Raises:
        OSError: If this file system has no locks.
    """
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
