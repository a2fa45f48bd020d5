"""Notes everything of the file system that a piece of work looks at, and tells if it is as it was.

What a reader gives depends on the files that it opens, the folders that it lists, and what it asks
about paths: whether a picture is there, where a link goes. All of these are noted while the reader
runs, whatever reader it is, so that a new format needs nothing of its own. The work gives the same
again if every answer is the same again. Two things make sure of the answers themselves:

- Only what was settled is vouched for: a file that was written within :data:`SETTLED` seconds
  before the work began could be written once more within the same tick of the clock, unseen.
- Files are compared by size, times (of content and of state), inode and device, and, as long as
  they have at most :data:`HASHED_BYTES` each and :data:`HASHED_FILES` in number, by their content.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
import sysconfig
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

SETTLED = 2.0
"""Seconds; the coarsest clock of a usual file system (FAT) has steps of two."""
HASHED_BYTES = 256 << 20
HASHED_FILES = 20_000

Answer = list[Any]
"""What the system says of a path: ``none`` and the number of the error, ``folder``, ``other``, or
``file`` with its size, times, inode and device."""

_ASKED = ("stat", "lstat", "readlink")
_ABLE: tuple[set[Callable[..., Any]], ...] = (
    os.supports_dir_fd, os.supports_fd, os.supports_follow_symlinks, os.supports_effective_ids,
)
_PATH_QUESTIONS = ("exists", "isfile", "isdir", "islink", "lexists")
_CHUNK = 1 << 20

_stat, _lstat, _readlink = os.stat, os.lstat, os.readlink
_at_work: Witness | None = None
_turn = threading.Lock()
_strangers: set[int] = set()
_hooked = False


class Witness:
    """What one piece of work looked at; made by :func:`witnessed`.

    Attributes:
        answers: Answer for each path that was asked about or opened.
        links: Where each path leads that was looked at as a link; "" where it is none.
        folders: Digest of the names and kinds in each folder that was listed.
        opened: Digest of each opened file's content; "" where it is not compared by content.
    """

    def __init__(self) -> None:
        self.answers: dict[str, Answer] = {}
        self.links: dict[str, str] = {}
        self.folders: dict[str, str] = {}
        self.opened: dict[str, str] = {}
        self._began = time.time()
        self._folder_states: dict[str, Answer] = {}
        self._is_whole = True
        self._seen: set[tuple[str, Any]] = set()
        self._lock = threading.RLock()
        self._noting = threading.local()

    def note(self, kind: str, path: Any) -> None:
        """Note one look at a path; called before the look itself."""
        if threading.get_ident() in _strangers or getattr(self._noting, "on", False):
            return
        if isinstance(path, int):  # an open file, which was noted when it was opened
            return
        self._noting.on = True  # our own looks are none
        try:
            look = kind, os.fspath(path)
            if look in self._seen:
                return
            place = os.path.join(os.getcwd(), os.fsdecode(path))  # noqa: PTH109, PTH118 - as is
            with self._lock:
                self._seen.add(look)
                if not place.startswith(_OVERLOOKED):
                    self._note(kind, place)
        except (OSError, TypeError, ValueError):
            self._is_whole = False
        finally:
            self._noting.on = False

    def _note(self, kind: str, place: str) -> None:
        if kind in ("lstat", "readlink"):
            self._set(self.links, place, _link(place))
            if not self.links[place]:
                self._set(self.answers, place, _ask(place))
            return
        answer = _ask(place)
        self._set(self.answers, place, answer)
        if kind == "list":
            self._set(self._folder_states, place, _folder_state(place))
            self._set(self.folders, place, _names(place))
        if kind == "open" and answer[0] == "file":
            self.opened.setdefault(place, "")

    def _set(self, notes: dict[str, Any], place: str, value: Any) -> None:
        if notes.setdefault(place, value) != value:  # it changed while it was looked at
            self._is_whole = False

    def doubt(self) -> None:
        """Vouch for nothing: something was looked at in a way that cannot be noted."""
        self._is_whole = False

    def close(self) -> bool:
        """Say whether the notes can vouch for the work: whole, settled and still true."""
        if not self._is_whole or not self._has_settled():
            return False
        if len(self.opened) <= HASHED_FILES:
            for place in self.opened:
                self.opened[place] = _digest(place, self.answers[place])
        unchanged = all(_folder_state(p) == state for p, state in self._folder_states.items())
        return unchanged and still_true(self.to_json(), contents=False)

    def _has_settled(self) -> bool:
        limit = (self._began - SETTLED) * 1e9
        states = [*self.answers.values(), *self._folder_states.values()]
        return all(max(a[2], a[3]) <= limit for a in states if len(a) > 2)

    def to_json(self) -> dict[str, Any]:
        """Give the notes as JSON holds them."""
        return {"answers": self.answers, "links": self.links, "folders": self.folders,
                "opened": self.opened}


def still_true(notes: dict[str, Any], *, contents: bool = True) -> bool:
    """Ask everything again and say whether every answer is the same.

    Args:
        notes: Those of :meth:`Witness.to_json`.
        contents: Whether the contents of files are compared as well.
    """
    try:
        return (
            all(_link(place) == goal for place, goal in notes["links"].items())
            and all(_ask(place) == answer for place, answer in notes["answers"].items())
            and all(_names(place) == names for place, names in notes["folders"].items())
            and (not contents or all(
                not digest or _digest(place, notes["answers"][place]) == digest
                for place, digest in notes["opened"].items()
            ))
        )
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return False


def _ask(place: str) -> Answer:
    try:
        found = _stat(place)
    except (OSError, ValueError) as error:
        return ["none", getattr(error, "errno", 0)]
    if stat.S_ISREG(found.st_mode):
        return ["file", found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino,
                found.st_dev]
    return ["folder" if stat.S_ISDIR(found.st_mode) else "other"]


def _folder_state(place: str) -> Answer:
    try:
        found = _stat(place)
    except OSError as error:
        return ["none", error.errno]
    return ["folder", 0, found.st_mtime_ns, found.st_ctime_ns, found.st_ino, found.st_dev]


def _link(place: str) -> str:
    try:
        return _readlink(place) if stat.S_ISLNK(_lstat(place).st_mode) else ""
    except (OSError, ValueError):
        return ""


def _names(place: str) -> str:
    try:
        with os.scandir(place) as entries:
            found = sorted(f"{entry.name}\0{_kind(entry)}" for entry in entries)
    except OSError as error:
        return f"error {error.errno}"
    return hashlib.blake2b("\0\0".join(found).encode(errors="surrogateescape")).hexdigest()[:40]


def _kind(entry: os.DirEntry[str]) -> str:
    kind = "folder" if entry.is_dir() else "file" if entry.is_file() else "other"
    return f"link to {kind}" if entry.is_symlink() else kind


def _digest(place: str, answer: Answer) -> str:
    """Hash a file; empty where it is too large for that, or no file."""
    if answer[0] != "file" or answer[1] > HASHED_BYTES:
        return ""
    found = hashlib.blake2b(digest_size=20)
    with open(place, "rb", buffering=0) as file:  # noqa: PTH123 - a place is text, as it was asked
        while chunk := file.read(_CHUNK):
            found.update(chunk)
    return found.hexdigest()


def _overlooked() -> tuple[str, ...]:
    """Folders that are not noted: programs, which a key stands for, and the machine itself."""
    paths = sysconfig.get_paths()
    found = {paths[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    found.add(str(Path(__file__).resolve().parents[1]))
    return tuple(f"{path}{os.sep}" for path in [*sorted(found), "/dev", "/proc", "/sys"])


_OVERLOOKED = _overlooked()


def is_overlooked(path: Path) -> bool:
    """Say whether data lies where no note would be taken of it: among programs and devices."""
    return any(f"{p}{os.sep}".startswith(_OVERLOOKED) for p in (path.absolute(), path.resolve()))


@contextmanager
def witnessed() -> Iterator[Witness | None]:
    """Take notes of what is looked at inside the block; None where another block does already.

    Opening and listing are told by the interpreter's audit events. Questions about paths are not,
    so that the functions of ``os`` that ask them note them as long as the block lasts.
    """
    global _at_work, _hooked
    if not _turn.acquire(blocking=False):
        yield None
        return
    try:
        if not _hooked:
            sys.addaudithook(_hook)
            _hooked = True
        witness = Witness()
        _at_work = witness
        with _noting_questions(witness):
            yield witness
    finally:
        _at_work = None
        _turn.release()


def _hook(event: str, arguments: tuple[Any, ...]) -> None:
    witness = _at_work
    if witness is None:
        return
    if event == "open":
        witness.note("open", arguments[0])
    elif event in ("os.listdir", "os.scandir"):
        witness.note("list", "." if arguments[0] is None else arguments[0])


@contextmanager
def _noting_questions(witness: Witness) -> Iterator[None]:
    replaced: list[tuple[Any, str, Callable[..., Any]]] = []

    def replace(module: Any, name: str, kind: str) -> None:
        original = getattr(module, name)

        def noting(path: Any, *rest: Any, **options: Any) -> Any:
            if _at_work is witness:  # a module that is imported now may keep this for good
                if options.get("dir_fd") is not None:
                    witness.doubt()
                asks_link = options.get("follow_symlinks") is False
                witness.note("lstat" if asks_link else kind, path)
            return original(path, *rest, **options)

        replaced.append((module, name, original))
        for able in _ABLE:  # where programs look up what the function of this name can do
            if original in able:
                able.add(noting)
        setattr(module, name, noting)

    try:
        for name in _ASKED:
            replace(os, name, name)
        for name in _PATH_QUESTIONS:  # of some platforms these ask the system by themselves
            if not hasattr(getattr(os.path, name), "__code__"):
                replace(os.path, name, "lstat" if name in ("islink", "lexists") else "stat")
        yield
    finally:
        for module, name, original in replaced:
            for able in _ABLE:
                able.discard(getattr(module, name))
            setattr(module, name, original)


@contextmanager
def overlooked() -> Iterator[None]:
    """Take no note of what the calling thread looks at, such as a library that is imported."""
    _strangers.add(threading.get_ident())
    try:
        yield
    finally:
        _strangers.discard(threading.get_ident())
