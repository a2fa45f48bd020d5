"""Files written as a whole or not at all."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from inspector.core.errors import UsageError
from inspector.paths import user_path


def check_file(target: str | Path) -> Path:
    """Refuse what can be no file to write, so that it can be said before anything is read.

    Returns:
        Where the file will be: where a link leads.

    Raises:
        UsageError: If the target is a folder, or has no folder.
    """
    path = user_path(str(target))
    if not path.name or path.is_dir():
        raise UsageError(f"{target} cannot be written: it is a folder. Name a file.")
    path = path.resolve() if path.is_symlink() else path
    check_place(path)
    return path


def check_place(path: Path) -> None:
    """Refuse a place in a folder that is not there.

    Raises:
        UsageError: If that is so.
    """
    if not path.parent.is_dir():
        raise UsageError(
            f"{path} cannot be written: there is no folder {path.parent}. Make it first."
        )


@contextmanager
def whole_file(target: str | Path) -> Iterator[Path]:
    """Give a temporary path to write to; it takes the target's place if all went well.

    A link is followed, the rights of a file that is there are kept, and what is no plain file
    (a device, a pipe) is written into and never replaced.

    Raises:
        UsageError: If the target is a folder, has no folder, or cannot be written.
    """
    path = check_file(target)
    is_special = path.exists() and not path.is_file()
    try:
        with _folder_of_parts(path, is_special=is_special) as folder:
            temporary = folder / f".{path.name}.{os.getpid()}.part"
            try:
                yield temporary
                _put(temporary, path, is_special=is_special)
            finally:
                temporary.unlink(missing_ok=True)
    except OSError as error:
        said = error.strerror or str(error)
        raise UsageError(f"{path} cannot be written ({said}). Name another place.") from error


@contextmanager
def _folder_of_parts(path: Path, *, is_special: bool) -> Iterator[Path]:
    """Give a folder to write in: the file's own, from which it can be moved into place.

    Beside a device or a pipe nothing can be put.
    """
    if not is_special:
        yield path.parent
        return
    with tempfile.TemporaryDirectory(prefix="inspector-") as elsewhere:
        yield Path(elsewhere)


def _put(temporary: Path, path: Path, *, is_special: bool) -> None:
    if is_special:
        with temporary.open("rb") as source, path.open("wb") as sink:
            shutil.copyfileobj(source, sink)
        return
    if path.exists():
        shutil.copymode(path, temporary)
    temporary.replace(path)


def check_outputs(outputs: Iterable[str], inputs: Iterable[str | Path]) -> None:
    """Refuse to write two outputs into one file, or one over what is read.

    Args:
        outputs: Files that are to be written.
        inputs: Files that are read, and folders: what lies in one may be read, and is not written
            over. A new file may be put there, and one that a command wrote earlier be replaced.

    Raises:
        UsageError: If that is asked for.
    """
    seen: set[Path] = set()
    read = {user_path(str(path)).resolve() for path in inputs if str(path)}
    folders = {path: _links_in(path) for path in read if path.is_dir()}
    for output in outputs:
        path = user_path(output).resolve()
        if path in seen:
            raise UsageError(f"{output} is named for two outputs. Give each a file of its own.")
        if path in read:
            raise UsageError(f"{output} is read by this command. Write to another file.")
        inside = next((folder for folder, links in folders.items()
                       if path in links or path.is_relative_to(folder)), None)
        if inside is not None and path.is_file() and not _is_output(path):
            raise UsageError(
                f"{output} is there already, in {inside}, which this command reads. Write to "
                "another file, or take it away first."
            )
        seen.add(path)


def _is_output(path: Path) -> bool:
    """Whether a command wrote this file earlier: results as JSON or CSV, or a report."""
    if path.suffix == ".html":
        return True  # no data is read from one
    with path.open("rb") as file:
        head = file.read(64)
    return re.match(rb'\{\s*"inspector": "\d|"example_id","image_id",', head) is not None


def _links_in(folder: Path) -> set[Path]:
    """Give where the links of a folder lead: data sets are often put together of links."""
    try:
        with os.scandir(folder) as entries:
            return {Path(entry.path).resolve() for entry in entries if entry.is_symlink()}
    except (OSError, RuntimeError):  # it cannot be listed, or links lead in a circle
        return set()
