"""Files written as a whole or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from inspector.core.errors import UsageError
from inspector.paths import user_path


@contextmanager
def whole_file(target: str | Path) -> Iterator[Path]:
    """Give a temporary path to write to; it takes the target's place if all went well.

    A link is followed, the rights of a file that is there are kept, and what is no plain file
    (a device, a pipe) is written into and never replaced.

    Raises:
        UsageError: If the target is a folder, has no folder, or cannot be written.
    """
    path = user_path(str(target))
    if not path.name or path.is_dir():
        raise UsageError(f"{target} cannot be written: it is a folder. Name a file.")
    path = path.resolve() if path.is_symlink() else path
    if not path.parent.is_dir():
        raise UsageError(
            f"{path} cannot be written: there is no folder {path.parent}. Make it first."
        )
    is_special = path.exists() and not path.is_file()
    try:
        with tempfile.TemporaryDirectory(prefix="inspector-") as elsewhere:
            folder = Path(elsewhere) if is_special else path.parent
            temporary = folder / f".{path.name}.{os.getpid()}.part"
            try:
                yield temporary
                _put(temporary, path, is_special=is_special)
            finally:
                temporary.unlink(missing_ok=True)
    except OSError as error:
        said = error.strerror or str(error)
        raise UsageError(f"{path} cannot be written ({said}). Name another place.") from error


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

    Raises:
        UsageError: If that is asked for.
    """
    seen: set[Path] = set()
    read = {user_path(str(path)).resolve() for path in inputs if str(path)}
    for output in outputs:
        path = user_path(output).resolve()
        if path in seen:
            raise UsageError(f"{output} is named for two outputs. Give each a file of its own.")
        if path in read:
            raise UsageError(f"{output} is read by this command. Write to another file.")
        seen.add(path)
