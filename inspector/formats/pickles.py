"""Pickles read without running anything: plain containers, numbers and text, or an error."""

from __future__ import annotations

import io
import pickle
import struct
from pathlib import Path
from typing import Any

from inspector.core import compiled
from inspector.core.collecting import no_collecting
from inspector.core.errors import FormatError
from inspector.formats.pickle_machine import Machine
from inspector.formats.pickle_values import MalformedError, RefusedError
from inspector.formats.reading import read_file

_DEEPEST = 50  # containers inside each other
_BYTES_A_MASK = 500  # of a pickle, that take as long to read as a mask to check
_CONTAINERS = frozenset((list, dict, tuple, set))


def read_plain_pickle(path: Path) -> Any:
    """Read a pickle of plain containers, numbers and text; Python 2's are welcome.

    Byte strings of Python 2 are read as UTF-8, those that are not as Latin-1.

    Raises:
        FormatError: If the pickle names any class or function (nothing of it runs), is cut off,
            or is no pickle; if it holds containers more than 50 deep or in themselves, or the
            same ones so often that walking through it would never end.
    """
    data = read_file(path)
    try:
        with no_collecting():
            value = _read_at_once(data) or Machine(data).run()
            _check_extent(value, len(data))
        return value
    except RefusedError as error:
        raise FormatError(
            f"names {error}, but a file of references holds plain data only",
            path=path,
            hint="It was not run. Take the file from the REFER release.",
        ) from error
    except (EOFError, struct.error) as error:
        raise FormatError("the pickle is cut off", path=path, hint="Download it again.") from error
    except (MalformedError, LookupError, TypeError, ValueError) as error:
        raise FormatError(
            f"is not a pickle of plain data ({type(error).__name__}: "
            f"{str(error)[:120]})", path=path,
        ) from error


def _read_at_once(data: bytes) -> Any:
    """Read a large pickle of the plainest kind by Python's own unpickler; None for any other.

    It takes a tenth of the time, and is not given opcodes with which it could be harmed. What it
    cannot read is left to the machine, which says why.
    """
    if not compiled.is_worth_it(len(data) // _BYTES_A_MASK) or not compiled.is_plain_pickle(data):
        return None
    try:
        return _PlainUnpickler(io.BytesIO(data), encoding="utf-8").load()
    except Exception:  # of many kinds: the machine finds the fault again and words it
        return None


class _PlainUnpickler(pickle.Unpickler):
    """Cannot name anything, should an opcode that does ever get past the check."""

    def find_class(self, module: str, name: str) -> Any:
        raise RefusedError(f"{module[:80]}.{name[:80]}")

    def persistent_load(self, pid: Any) -> Any:
        raise RefusedError("a persistent object")


def _check_extent(value: Any, most: int) -> None:
    """Refuse what is deeper, or has more elements when it is walked, than a file can mean."""
    level, elements = [value], 0
    for _ in range(_DEEPEST + 1):
        inner: list[Any] = []
        for container in level:
            if type(container) not in _CONTAINERS:
                continue
            elements += len(container)
            if elements > most:
                raise MalformedError("it holds the same containers over and over")
            values = container.values() if type(container) is dict else container
            inner += [item for item in values if type(item) in _CONTAINERS]
        if not inner:
            return
        level = inner
    raise MalformedError(f"it holds containers more than {_DEEPEST} deep, or in themselves")
