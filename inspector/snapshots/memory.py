"""Work that is done once: its answer comes back at the next opening if nothing has changed.

An answer stands under a key of everything that it depends on and that is no file: what was asked,
the program, the libraries, the system. The files stand in the notes of a :mod:`witness`, and are
looked at again before the answer is used.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import weakref
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TypeVar

from inspector.core.dataset import Dataset
from inspector.snapshots import shelf
from inspector.snapshots.packing import PackingError, pack, unpack
from inspector.snapshots.witness import is_overlooked, still_true, witnessed

Made = TypeVar("Made")

_PACKAGE = Path(__file__).resolve().parents[1]
_digests: weakref.WeakKeyDictionary[Dataset, str] = weakref.WeakKeyDictionary()


class Memory:
    """Recalls answers from the user's cache folder, or has them made and keeps them."""

    def recall(
        self, what: str, key: Sequence[object], make: Callable[[], Made], *,
        of: Mapping[str, Dataset] | None = None, paths: Sequence[Path] = (), reads: bool = True,
    ) -> Made:
        """Give what ``make`` gives, from an earlier time if it would be the same now.

        Args:
            what: Kind of answer.
            key: All that it depends on beside the program and the files that ``make`` looks at;
                values whose ``repr`` tells them apart.
            make: Does the work; it must read files in this process, and depend on nothing else.
            of: Data sets that the answer is about, by any name: it depends on all that they hold,
                and refers to them without their being kept once more.
            paths: Files and folders that are read; where no note is taken of one, nothing is kept.
            reads: Whether ``make`` looks at files at all; if not, none are noted or looked at.
        """
        if shelf.folder() is None or any(map(is_overlooked, paths)):
            return make()
        of = of or {}
        try:
            digests = [digest_of(dataset) for dataset in of.values()]
        except PackingError:
            return make()
        name = json.dumps([what, *map(repr, key), *digests, *_surroundings()])
        try:
            with shelf.Reader(name) as reader:
                if not reads or still_true(reader.kept.notes):
                    value: Made = unpack(reader.read(), of)
                    _remember(value, reader.kept.digest)
                    return value
        except (OSError, PackingError):
            pass  # there is none, or none that can be used
        if not reads:
            value = make()
            _keep(name, value, {}, of)
            return value
        with witnessed() as witness:
            value = make()
        if witness is not None and witness.close():
            _keep(name, value, witness.to_json(), of)
        return value


def _keep(
    name: str, value: object, notes: dict[str, object], known: Mapping[str, object]
) -> None:
    try:
        packed = pack(value, known)
    except PackingError:  # of a kind that is not kept; a test says for which that is so
        return
    shelf.put(name, packed, notes)
    _remember(value, packed.digest)


def _remember(value: object, digest: str) -> None:
    if isinstance(value, Dataset):
        _digests[value] = digest


def digest_of(dataset: Dataset) -> str:
    """Give a text that changes with anything of a data set, the places of its pictures included.

    Raises:
        PackingError: If it holds something that is not known.
    """
    if dataset not in _digests:
        _digests[dataset] = pack(dataset).digest
    return _digests[dataset]


def _surroundings() -> tuple[str, ...]:
    """Everything but files and questions that decides what reading gives."""
    user = str(os.getuid()) if hasattr(os, "getuid") else ""
    return (
        program_digest(), _libraries(), sys.version, sys.platform, sys.byteorder, user,
        sys.getfilesystemencoding(), str(Path.cwd()), str(Path.home()),
    )


@cache
def program_digest() -> str:
    """Hash the program's own files: under development they change and the version does not."""
    found = hashlib.blake2b(digest_size=20)
    for path in sorted(_PACKAGE.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:  # where compilers write
            found.update(f"{path.relative_to(_PACKAGE)}\0".encode() + path.read_bytes() + b"\0")
    return found.hexdigest()


@cache
def _libraries() -> str:
    """Hash the names and versions of all installed packages, as their folders say them."""
    names = {
        child.name
        for folder in sys.path if Path(folder).is_dir()
        for child in Path(folder).iterdir() if child.suffix in (".dist-info", ".egg-info")
    }
    return hashlib.blake2b("\0".join(sorted(names)).encode(), digest_size=20).hexdigest()
