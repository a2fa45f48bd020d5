"""Which entries of a folder are mask pictures, and what is said of all others."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from inspector.core.errors import printable
from inspector.core.problems import ProblemLog

SUFFIXES = (".png", ".jpg", ".jpeg", ".bmp", ".webp", ".tif", ".tiff")
_MOST_SENTENCES = 1_000  # of one picture: a larger number is an id, not the number of a sentence


def mask_files(folder: Path) -> Iterator[Path]:
    """Give the pictures of a folder, or those of the folders in it if it holds nothing else."""
    children = [child for child in folder.iterdir() if not _is_hidden(child)]
    files = [child for child in children if child.is_file()]
    for file in files:
        suffix = file.suffix.lower()
        if suffix == ".png" or (suffix in SUFFIXES and _is_key(file.stem)):
            yield file
    if files:
        return
    for child in children:
        if child.is_dir() and not child.is_symlink():
            yield from (
                inner for inner in child.iterdir()
                if inner.suffix.lower() in SUFFIXES and inner.is_file()
                and inner.stem.isdecimal() and int(inner.stem) < _MOST_SENTENCES
            )


def are_mostly(names: Sequence[str], mask: re.Pattern[str], beside: re.Pattern[str]) -> bool:
    """Say whether most pictures of a folder are named as one program names its masks.

    Args:
        names: Of the files.
        mask: How the masks are named; one at least must be.
        beside: How the pictures are named that the program writes beside them.
    """
    pictures = [name for name in names if name.lower().endswith(SUFFIXES)]
    masks = sum(mask.match(name) is not None for name in pictures)
    others = sum(beside.match(name) is not None for name in pictures)
    return masks > 0 and 2 * (masks + others) > len(pictures)


def list_strangers(
    folder: Path, names: Sequence[str], mask: re.Pattern[str], beside: re.Pattern[str],
    log: ProblemLog,
) -> None:
    """List what lies in a program's folder and is not named as it names its files."""
    known = [name for name in names if mask.match(name) or beside.match(name)]
    strange = [name for name in names
               if name not in set(known) and name.lower().endswith(SUFFIXES)]
    for name in strange:
        log.add("other-file", "warning", printable(name),
                "The picture is not named as the masks of this folder are and was left out. If "
                "it is a prediction, name it as they are.")
    list_others(folder, [folder / name for name in (*known, *strange)], log)


def list_others(folder: Path, taken: Collection[Path], log: ProblemLog) -> None:
    """List what lies in a folder of masks and is none: nothing is left out in silence.

    A link that leads nowhere and a pipe stand for a mask that is lost, which is an error; other
    folders are a warning; plain files, such as notes, are one entry together.
    """
    known = set(taken)
    inside = {file.parent for file in known}
    plain = []
    for child in sorted(folder.iterdir()):
        where = printable(child.name)
        if child in known or _is_hidden(child):
            continue
        if child.is_dir():
            if child not in inside:
                log.add("other-file", "warning", where,
                        "The folder was not looked into: a run is one folder of mask pictures, "
                        "or one of folders named like the pictures.")
        elif child.is_file():
            plain.append(where)
        elif child.is_symlink():
            log.add("other-file", "error", where,
                    "The link leads to no file and was left out. Mend it, or take it away.")
        else:
            log.add("other-file", "error", where,
                    "The entry is a pipe or a device, which is not opened. Put a file there.")
    if plain:
        log.add("other-file", "info", plain[0],
                f"{len(plain):,} files of the folder are no mask pictures and were left out.",
                count=len(plain))


def _is_hidden(path: Path) -> bool:
    """Hidden files and folders are left out, except pictures: they are listed as extra files."""
    return path.name.startswith(".") and path.suffix.lower() != ".png"


def _is_key(stem: str) -> bool:
    """Say whether a name consists of numbers, as ids do; photographs have such names rarely."""
    return stem.replace("_", "").isdigit()
