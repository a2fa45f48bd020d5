"""Records and columns as JSON and plain arrays, and back: nothing that is read is ever run.

Known are the frozen dataclasses of :func:`known_classes`, arrays of numbers, bytes, text, numbers,
paths, lists, tuples and dictionaries of these. An object that stands in several places is written
once and is one object again, so that a score's data set is the data set.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

_PLAIN = (str, int, float, bool, type(None))
_TABLE = 8  # records of one class from which they are written column by column


class PackingError(Exception):
    """Something that cannot be written, or was not written by :func:`pack`."""


@dataclass(frozen=True, slots=True, eq=False)
class Packed:
    """A value taken apart.

    Attributes:
        tree: The value as JSON text, with numbers in place of arrays and bytes.
        kinds: What each of them is: ``bytes``, or the type and shape of an array.
        blobs: Their content, in the same order.
    """

    tree: str
    kinds: tuple[tuple[str, tuple[int, ...]], ...]
    blobs: tuple[bytes | memoryview, ...]

    @property
    def digest(self) -> str:
        """Changes with anything of the value; the same for equal values on every machine."""
        found = hashlib.blake2b(self.tree.encode(), digest_size=20)
        found.update(repr(self.kinds).encode())
        for blob in self.blobs:
            found.update(blob)
        return found.hexdigest()


@cache
def known_classes() -> dict[str, type]:
    """Give the classes that may be written and made again, by name."""
    from inspector.analysis.coding import Coded
    from inspector.core.columns import MaskColumn
    from inspector.core.dataset import Dataset, ExpressionTable, ObjectTable, TargetTable
    from inspector.core.failures import Thresholds
    from inspector.core.mask import Mask
    from inspector.core.maskless import BoxScores
    from inspector.core.problems import Problem
    from inspector.core.records import ImageRef, PictureCell
    from inspector.core.run import Run
    from inspector.core.scores import Scores
    from inspector.core.shapes import ShapeScores
    from inspector.truths.matching import Match
    from inspector.truths.referents import Referents
    from inspector.truths.results import TruthPair
    from inspector.truths.shape import Shapes

    return {cls.__name__: cls for cls in (
        Coded, MaskColumn, Dataset, ExpressionTable, ObjectTable, TargetTable, Thresholds, Mask,
        BoxScores, Problem, ImageRef, PictureCell, Run, Scores, ShapeScores, Match, Referents,
        TruthPair, Shapes,
    )}


def pack(value: Any, known: Mapping[str, object] | None = None) -> Packed:
    """Take a value apart.

    Args:
        value: What is to be kept.
        known: Objects that whoever reads it has anyway, by a name: they are not written.

    Raises:
        PackingError: If it holds something of another kind.
    """
    packer = _Packer(known or {})
    tree = packer.write(value)
    try:
        text = json.dumps(tree, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError) as error:
        raise PackingError(str(error)) from error
    return Packed(text, tuple(packer.kinds), tuple(packer.blobs))


class _Packer:
    def __init__(self, known: Mapping[str, object]) -> None:
        self.kinds: list[tuple[str, tuple[int, ...]]] = []
        self.blobs: list[bytes | memoryview] = []
        self._known = {id(value): name for name, value in known.items()}
        self._seen: dict[int, int] = {}
        self._kept: list[object] = []  # so that no identity is given out twice

    def write(self, value: Any) -> Any:
        kind = type(value)
        if kind in _PLAIN:
            return value
        if id(value) in self._known:
            return {"known": self._known[id(value)]}
        if kind is list:
            return {"list": self._items(value)}
        if kind is tuple:
            return {"tuple": self._items(value)}
        if isinstance(value, Path):
            return {"path": str(value)}
        if isinstance(value, np.generic):
            return {"number": [value.dtype.str, value.item()]}
        if isinstance(value, Mapping):
            return {"map": [self._items(list(value)), self._items(list(value.values()))]}
        if id(value) in self._seen:
            return {"same": self._seen[id(value)]}
        written = self._object(value)
        self._seen[id(value)] = len(self._kept)
        self._kept.append(value)
        return written

    def _object(self, value: Any) -> Any:
        if isinstance(value, bytes):
            return self._blob("bytes", (len(value),), value)
        if isinstance(value, np.ndarray) and value.dtype.kind in "biuf":
            whole = np.ascontiguousarray(value)
            content = memoryview(whole.reshape(-1).view(np.uint8))
            return self._blob(value.dtype.str, value.shape, content)
        name = type(value).__name__
        if is_dataclass(value) and known_classes().get(name) is type(value):
            return {"class": name, "fields": {
                field.name: self.write(getattr(value, field.name)) for field in fields(value)
            }}
        raise PackingError(f"{type(value).__qualname__} cannot be kept")

    def _blob(self, kind: str, shape: tuple[int, ...], content: bytes | memoryview) -> Any:
        self.kinds.append((kind, shape))
        self.blobs.append(content)
        return {"blob": len(self.blobs) - 1}

    def _items(self, values: Sequence[Any]) -> Any:
        """Write many values: all at once where they are of one simple kind."""
        kinds = set(map(type, values))
        if kinds <= {str, int, float, bool, type(None)}:
            return list(values)
        if len(kinds) == 1 and len(values) >= _TABLE:
            kind = kinds.pop()
            if kind is tuple and _are_plain_tuples(values):
                return {"tuples": [list(value) for value in values]}
            if issubclass(kind, Path):
                return {"paths": [str(value) for value in values]}
            if is_dataclass(kind) and known_classes().get(kind.__name__) is kind:
                return {"rows": kind.__name__, "columns": {
                    field.name: self._items([getattr(value, field.name) for value in values])
                    for field in fields(kind)
                }}
        return {"each": [self.write(value) for value in values]}


def _are_plain_tuples(values: Sequence[tuple[Any, ...]]) -> bool:
    return {type(part) for value in values for part in value} <= set(_PLAIN)


def unpack(packed: Packed, known: Mapping[str, object] | None = None) -> Any:
    """Put a value together again; ``known`` as when it was taken apart.

    Raises:
        PackingError: If this was not written by :func:`pack` of this version.
    """
    try:
        reader = _Unpacker(packed, known or {}, known_classes())
        return reader.read(json.loads(packed.tree))
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError,
            StopIteration) as error:
        raise PackingError(f"{type(error).__name__}: {error}") from error


class _Unpacker:
    def __init__(
        self, packed: Packed, known: Mapping[str, object], classes: Mapping[str, type]
    ) -> None:
        self._packed, self._known, self._classes = packed, known, classes
        self._made: list[Any] = []

    def read(self, tree: Any) -> Any:
        if type(tree) in _PLAIN:
            return tree
        (kind, body), *more = tree.items()
        if kind == "class":
            made: dict[str, Any] = {}
            for name, value in dict(more)["fields"].items():
                made[name] = self.read(value)
            return self._remember(self._classes[body](**made))
        simple: dict[str, Callable[[Any], Any]] = {
            "known": lambda name: self._known[name],
            "same": lambda number: self._made[number],
            "list": lambda items: list(self._items(items)),
            "tuple": lambda items: tuple(self._items(items)),
            "path": Path,
            "number": lambda pair: _dtype(pair[0]).type(pair[1]),
            "map": lambda both: dict(zip(*[list(self._items(i)) for i in both], strict=True)),
            "blob": lambda number: self._remember(self._blob(number)),
        }
        return simple[kind](body)

    def _remember(self, value: Any) -> Any:
        self._made.append(value)
        return value

    def _blob(self, number: int) -> Any:
        kind, shape = self._packed.kinds[number]
        content = self._packed.blobs[number]
        if kind == "bytes":
            return bytes(content)
        dtype = _dtype(kind)
        return np.frombuffer(content, dtype).reshape(shape) if content else np.zeros(shape, dtype)

    def _items(self, items: Any) -> Iterator[Any] | list[Any]:
        if isinstance(items, list):
            return items
        if "tuples" in items:
            return map(tuple, items["tuples"])
        if "paths" in items:
            return map(Path, items["paths"])
        if "each" in items:
            return map(self.read, items["each"])
        columns = [list(self._items(column)) for column in items["columns"].values()]
        make = self._classes[items["rows"]]
        names = list(items["columns"])
        if names == [field.name for field in fields(make)]:
            return map(make, *columns)
        raise PackingError(f"{items['rows']} has other fields")


def _dtype(text: str) -> np.dtype[Any]:
    found = np.dtype(text)
    if found.kind not in "biuf":
        raise PackingError(f"an array of {text}")
    return found
