"""Pickles: plain data comes back as it was, and nothing else comes out but an error in words."""

from __future__ import annotations

import builtins
import io
import os
import pickle
import tempfile
from pathlib import Path
from random import Random
from typing import Any

from inspector.core.errors import FormatError
from inspector.formats.pickles import read_plain_pickle
from tests.fuzz.cases import Disagreement, agree
from tests.fuzz.mutation import mutate_bytes

_FOLDER = tempfile.TemporaryDirectory(prefix="inspector-fuzz-")
_TRACE = Path(_FOLDER.name) / "it ran"
_WORDS = ("sent", "ann_id", "a cup", "café", "🐈", "", "\0", "x" * 300)
_PLAIN = (dict, list, tuple, set, str, bytes, int, float, bool, type(None))
_OPCODES = bytes(range(0x28, 0x7E)) + bytes(range(0x80, 0x99))


class Call:
    """Pickles as a call that would leave a trace."""

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return os.system, (f"touch '{_TRACE}'",)


class Evaluated:
    """The same by another function."""

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return builtins.eval, (f"open({str(_TRACE)!r}, 'w')",)


def random_plain(rng: Random, depth: int = 4) -> Any:
    """Draw plain data; the same container may stand in several places."""
    kind = rng.randrange(9 if depth else 6)
    if kind < 6:
        return (None, rng.random() < 0.5, rng.randrange(-(2 ** rng.randrange(1, 90)), 2**20),
                rng.uniform(-1e9, 1e9), rng.choice(_WORDS), rng.randbytes(3))[kind]
    items = [random_plain(rng, depth - 1) for _ in range(rng.randrange(5))]
    if items and rng.random() < 0.2:
        items += items[-1:]
    if kind == 6:
        return {rng.choice(_WORDS): item for item in items}
    return items if kind == 7 else tuple(items)


def read(rng: Random) -> str:
    """Pickle plain data or calls, break the bytes, or throw opcodes together; read it."""
    value = random_plain(rng)
    kind = rng.randrange(10)
    if kind == 0:
        value = [value, rng.choice((Call, Evaluated))()]
    data = pickle.dumps(value, rng.randrange(pickle.HIGHEST_PROTOCOL + 1))
    if kind >= 8:
        data = bytes(rng.choice(_OPCODES) if rng.random() < 0.8 else rng.randrange(256)
                     for _ in range(rng.randrange(60))) + b"."
    elif kind >= 3:
        data = mutate_bytes(data, rng, rng.randrange(1, 6))
    path = Path(_FOLDER.name) / "refs(unc).p"
    path.write_bytes(data)
    try:
        found = read_plain_pickle(path)
    except FormatError as error:
        if kind in (1, 2):
            raise Disagreement(f"plain data is refused: {error}") from error
        return type(error).__name__
    finally:
        agree(_TRACE.exists(), False, "what a pickle asked for was run")
    agree(kind == 0, False, "a call is read as plain data")
    _check_plain(found, len(data))
    if kind in (1, 2):
        agree(repr(found), repr(value), "plain data")
    elif kind < 8:
        _compare_with_python(data, found)
    return "loaded"


def _check_plain(value: Any, most: int) -> None:
    """Walk through everything, which must end."""
    todo, seen = [value], 0
    while todo:
        item = todo.pop()
        seen += 1
        agree(type(item) in _PLAIN and seen <= 10 * most + 10, True, f"{type(item)}, item {seen}")
        if type(item) is dict:
            todo += [*item, *item.values()]
        elif type(item) in (list, tuple, set):
            todo += item


def _compare_with_python(data: bytes, found: Any) -> None:
    """Read small broken pickles with Python's unpickler too, where that is safe."""
    if any(byte in data for byte in b"rpcCTUS\x93\x96"):  # memo by number; bytes read as text here
        return

    class Safe(pickle.Unpickler):
        def find_class(self, module: str, name: str) -> Any:
            raise pickle.UnpicklingError

    try:
        expected = Safe(io.BytesIO(data), encoding="utf-8").load()
    except Exception:  # stricter in what nobody writes, such as an empty stack below a mark
        return
    agree(repr(found), repr(expected), "what Python reads")
