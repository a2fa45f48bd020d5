"""NumPy's own files, read array by array and row by row, without running anything."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from inspector.core.errors import FormatError

_LARGEST_SMALL = 1 << 27  # bytes of an array of ids or sizes


@dataclass(frozen=True, slots=True)
class StoredArray:
    """What one array of a file is, before it is read."""

    name: str
    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    fortran: bool

    @property
    def nbytes(self) -> int:
        """Bytes that its values need; exact, however large."""
        return int(np.prod(self.shape, dtype=object)) * self.dtype.itemsize

    def shaped(self, shape: tuple[int, ...]) -> StoredArray:
        """Look at the same values in another shape."""
        return replace(self, shape=shape)


@dataclass(frozen=True, slots=True)
class RowSource:
    """An array that can be read from its beginning, row after row, any number of times."""

    open: Callable[[], AbstractContextManager[Any]]
    array: StoredArray

    def rows(self) -> Iterator[np.ndarray]:
        """Give each mask's values as an array of two dimensions (one, if packed)."""
        count, inner = self.array.shape[0], self.array.shape[1:]
        size = int(np.prod(inner, dtype=object)) * self.array.dtype.itemsize
        with self.open() as file:
            read_header(file, self.array.name)
            for _ in range(count):
                content = file.read(size)
                if len(content) < size:
                    raise EOFError(f"{self.array.name} is cut off")
                values = np.frombuffer(content, self.array.dtype)
                # pycocotools decodes to arrays in Fortran order: columns first
                yield values.reshape(inner[::-1]).T if self.array.fortran else values.reshape(inner)


def read_header(file: Any, name: str) -> StoredArray:
    """Read what an array is, without reading it.

    Raises:
        ValueError: If it is no array, or one of Python objects.
    """
    version = np.lib.format.read_magic(file)
    reader = (
        np.lib.format.read_array_header_1_0 if version == (1, 0)
        else np.lib.format.read_array_header_2_0
    )
    shape, fortran, dtype = reader(file)
    if dtype.hasobject:
        raise ValueError(f"{name} holds Python objects, which are not read")
    return StoredArray(name, shape, dtype, fortran)


@contextmanager
def open_file(path: Path) -> Iterator[Any]:
    """Open a file that is one array."""
    with path.open("rb") as file:
        yield file


@contextmanager
def open_member(path: Path, name: str) -> Iterator[Any]:
    """Open one array of a zip file."""
    with zipfile.ZipFile(path) as archive, archive.open(name) as file:
        yield file


def read_small(path: Path, array: StoredArray) -> np.ndarray:
    """Read an array of ids or sizes as a whole."""
    if array.dtype.hasobject or array.nbytes > _LARGEST_SMALL:
        raise FormatError(
            f"{array.name} has the type {array.dtype} and the shape {array.shape}", path=path,
            hint="Save ids as numbers or text: np.array([str(i) for i in ids]).",
        )
    with open_member(path, f"{array.name}.npy") as file:
        loaded: np.ndarray = np.lib.format.read_array(file, allow_pickle=False)
    return loaded
