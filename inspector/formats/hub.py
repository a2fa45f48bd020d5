"""The hub's data sets: their files by split, each fetched when it is read."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import overload

from inspector.cache import keep, read_cached
from inspector.core.errors import FormatError, nearest
from inspector.core.problems import Problem
from inspector.formats.request import canonical_split

_HUB_ID = re.compile(r"[\w.-]+/[\w.-]+$")
_ADDRESS = re.compile(r"hf://datasets/(?P<source>[^@]+)@(?P<commit>[0-9a-f]{40})/(?P<path>.+)$")


def is_hub_id(source: str) -> bool:
    """Say whether a source reads like ``owner/name`` and is nothing on disk.

    A name that is spelt nearly like one in a folder here is taken for that one, so that a slip is
    said at once and not after the hub was asked.
    """
    if not _HUB_ID.match(source):
        return False
    path = Path(source).expanduser()
    return not path.exists() and not nearest_beside(path)


def nearest_beside(path: Path) -> str:
    """Say what of the same folder has nearly this name, as :func:`nearest` does, or nothing."""
    try:
        names = [child.name for child in path.parent.iterdir() if child.is_dir()]
    except OSError:
        return ""
    return nearest(path.name, names)


@dataclass(frozen=True, slots=True)
class Listing:
    """What a hub data set holds: the addresses of its files by split.

    ``kept_on`` is empty, or the day of an earlier look where the hub cannot be reached now.
    """

    files: dict[str, tuple[str, ...]]
    kept_on: str = ""


@cache
def list_hub(source: str) -> Listing:
    """List the files of a hub data set as ``datasets`` finds them.

    An address names the commit, so that it changes with the file. Where the hub cannot be
    reached, the data set is what it was at the last look from here, which is said
    (:func:`say_kept`); of its files those open that were fetched.

    Raises:
        FormatError: If there is no such data set, or the hub cannot be reached and never was.
    """
    try:
        with _reaching(source):
            import datasets

            builder = datasets.load_dataset_builder(source)
            files = {
                canonical_split(str(split)): tuple(map(str, files))
                for split, files in (builder.config.data_files or {}).items()
            }
    except FormatError as error:
        kept = _kept(source) if isinstance(error.__cause__, ConnectionError) else None
        if kept is None:
            raise
        return kept
    keep(_key(source), {"files": files, "on": time.strftime("%Y-%m-%d")})
    return Listing(files)


def _key(source: str) -> str:
    from huggingface_hub.constants import ENDPOINT

    return f"files of {source} at {ENDPOINT}"


def _kept(source: str) -> Listing | None:
    """Recall the last look at a data set; None where there was none, or its file is damaged."""
    kept = read_cached(_key(source))
    try:
        files = {str(split): tuple(addresses) for split, addresses in kept["files"].items()}
        if all(_ADDRESS.match(address) for addresses in files.values() for address in addresses):
            return Listing(files, str(kept["on"]))
    except (TypeError, KeyError, AttributeError):
        pass
    return None


def say_kept(source: str) -> tuple[Problem, ...]:
    """Say that a data set of the hub is as it was at an earlier look; nothing if it is not."""
    kept_on = list_hub(source).kept_on if is_hub_id(source) else ""
    return (Problem(
        "hub-not-reached", "warning", source,
        f"The hub could not be reached: the data set is as it was when last seen, on {kept_on}.",
    ),) if kept_on else ()


@cache
def _fetch(source: str, address: str) -> Path:
    """Fetch one file through ``datasets`` and its cache, which has it from then on.

    Raises:
        FormatError: If it cannot be fetched.
    """
    with _reaching(source):
        import datasets

        return _fetched(address) or Path(
            datasets.DownloadManager(dataset_name=source).download(address)
        )


def _fetched(address: str) -> Path | None:
    """Find what was fetched; ``datasets`` itself asks the hub again, which may be out of reach."""
    from huggingface_hub import try_to_load_from_cache

    if (named := _ADDRESS.match(address)) is None:
        return None
    path = try_to_load_from_cache(
        named["source"], named["path"], revision=named["commit"], repo_type="dataset"
    )
    return Path(path) if isinstance(path, str) else None


class HubFiles(Sequence[Path]):
    """The files of one split; each is fetched when it is asked for, and not before."""

    def __init__(self, source: str, addresses: Sequence[str]) -> None:
        self._source, self._addresses = source, addresses

    def __len__(self) -> int:
        return len(self._addresses)

    @overload
    def __getitem__(self, index: int) -> Path: ...
    @overload
    def __getitem__(self, index: slice) -> HubFiles: ...
    def __getitem__(self, index: int | slice) -> Path | HubFiles:
        if isinstance(index, slice):
            return HubFiles(self._source, self._addresses[index])
        return _fetch(self._source, self._addresses[index])


def fetch_one(source: str, split: str | None) -> Path | None:
    """Fetch one file, to look at its columns: of the split that is wanted, or of ``val``.

    Raises:
        FormatError: If the hub or the data set cannot be reached.
    """
    listed = {name: addresses for name, addresses in list_hub(source).files.items() if addresses}
    for name in (*map(canonical_split, (split or "").split(",")), "val", "test", *listed):
        if name in listed:
            return _fetch(source, listed[name][0])
    return None


@contextmanager
def _reaching(source: str) -> Iterator[None]:
    """Say in one sentence what the network or the hub's library raises."""
    try:
        with _without_retries_said():
            yield
    except Exception as error:  # of whatever kind
        raise FormatError(
            f"'{source}' could not be fetched from the hub "
            f"({type(error).__name__}: {str(error)[:160]})",
            hint="Check the name and the connection, or give a local folder of its parquet files.",
        ) from error


@contextmanager
def _without_retries_said() -> Iterator[None]:
    """Keep the hub's library from printing every retry: what is wrong is said once, at the end."""
    from huggingface_hub.utils import logging  # its import sets a level of its own

    level = logging.get_verbosity()
    logging.set_verbosity_error()
    try:
        yield
    finally:
        logging.set_verbosity(level)
