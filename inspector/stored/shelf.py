"""Columns of numbers on disk, mapped into memory only where they are looked at."""

from __future__ import annotations

import errno
import mmap
import os
from pathlib import Path

import numpy as np

from inspector.core.errors import UsageError

SHELF_COLUMNS: dict[str, tuple[str, tuple[int, ...]]] = {
    "status": ("i1", ()), "failure": ("i1", ()), "rule": ("i1", ()), "evidence": ("i1", ()),
    "marks_nothing": ("?", ()), "grounded": ("i1", ()), "flags": ("u1", ()),
    "counts": ("i8", (2,)), "prediction_area": ("i8", ()), "iou": ("f8", ()),
    "other": ("i4", ()), "other_iou": ("f8", ()), "box": ("f8", (4,)), "box_iou": ("f8", ()),
    "is_measured": ("?", ()), "shapes": ("i8", (7,)),
}
"""Type of each column, and what follows (runs, examples) in its shape."""


_FULL = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC))  # of the disk, or of one's share


class Shelf:
    """A folder with one file a column, ``(runs, examples, …)``, run by run in the data set's order.

    Args:
        folder: Where the files are.
        runs, examples: What every column is as large as.
    """

    def __init__(self, folder: Path, runs: int, examples: int) -> None:
        self.folder, self.runs, self.examples = folder, runs, examples
        self._mapped: list[np.memmap] = []

    def make(self, name: str) -> np.ndarray:
        """Make a column of zeros to be written to.

        Raises:
            UsageError: If the disk has no room for it, or it cannot be written.
        """
        kind, rest = SHELF_COLUMNS[name]
        shape = (self.runs, self.examples, *rest)
        if not self.runs * self.examples:
            return np.zeros(shape, kind)
        try:
            column = np.memmap(self._path(name), kind, "w+", shape=shape)
            if hasattr(os, "posix_fallocate"):  # a full disk is found now, not while writing
                with self._path(name).open("r+b") as file:
                    os.posix_fallocate(file.fileno(), 0, column.nbytes)
            return column
        except OSError as error:
            what = "has no room for" if error.errno in _FULL else "cannot hold"
            raise UsageError(
                f"{self.folder} {what} the table ({error.strerror}). Name another folder with "
                "TMPDIR."
            ) from error

    def read(self, name: str) -> np.ndarray | None:
        """Map a column for reading; None where it was not made."""
        kind, rest = SHELF_COLUMNS[name]
        shape = (self.runs, self.examples, *rest)
        if not self.runs * self.examples:
            return np.zeros(shape, kind)
        path = self._path(name)
        if not path.exists():
            return None
        column = np.memmap(path, kind, "r", shape=shape)
        self._mapped.append(column)
        return column.view(np.ndarray)  # one number of which is looked up twice as fast

    def release(self) -> None:
        """Tell the system that what was read need not stay in memory."""
        for column in self._mapped:
            if isinstance(column.base, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED"):
                column.base.madvise(mmap.MADV_DONTNEED)

    def _path(self, name: str) -> Path:
        return self.folder / f"{name}.column"
