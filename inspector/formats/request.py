"""What a loader is asked for, and how splits are chosen: the same words for every format."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from inspector.core.errors import UsageError, nearest
from inspector.paths import user_path


@dataclass(frozen=True, slots=True)
class LoadRequest:
    """Which data to load.

    Attributes:
        source: As the user wrote it: a folder, a file, a hub id or ``demo``.
        split: Name, several joined by ``,``, ``all``, or None for the default.
        split_by: Which refs file of a REFER folder (``unc``, ``umd``, ``google``).
        images: Folder of the pictures where they do not lie beside the data set.
        instances: Annotation files in place of ``instances.json``.
        format: Key of a format, to override the detection.
    """

    source: str
    split: str | None = None
    split_by: str | None = None
    images: Path | None = None
    instances: tuple[Path, ...] = ()
    format: str | None = None

    @property
    def path(self) -> Path:
        """The source as a path."""
        return user_path(self.source)


_SAME = {"validation": "val", "valid": "val"}


def canonical_split(name: str) -> str:
    """Write a split's name one way: ``val`` and ``validation`` are the same everywhere."""
    return _SAME.get(name.strip().casefold(), name.strip())


def choose_splits(
    asked: str | None, found: Iterable[str], *, what: str
) -> tuple[str, frozenset[str]]:
    """Decide which splits are loaded.

    Args:
        asked: The user's ``--split``.
        found: The split of every record.
        what: Name of the data set for messages, such as ``refcoco/unc``.

    Returns:
        The name under which the choice is shown, and the canonical names that belong to it.
        Without a wish: ``val`` where there is one, else the only one there is, else ``test``.

    Raises:
        UsageError: If there is no such split (the known ones are listed), or no default.
    """
    counts = Counter(canonical_split(name) for name in found)
    known = list(counts)
    listing = f"{what} has: {', '.join(f'{k} ({n:,})' for k, n in counts.items()) or 'no split'}."
    if asked is None:
        if "val" in counts:
            return "val", frozenset(("val",))
        if len(known) == 1:
            return known[0], frozenset(known)
        if "test" in counts:
            return "test", frozenset(("test",))
        raise UsageError(f"{listing} Choose one with --split, or --split all.")
    if asked.strip().casefold() == "all":
        return "all", frozenset(known)
    chosen: list[str] = []
    for part in asked.split(","):
        name = canonical_split(part)
        by_case = {k.casefold(): k for k in known}
        if name in counts:
            chosen.append(name)
        elif name == "test" and {"testA", "testB"} & set(known):
            chosen += [k for k in ("testA", "testB") if k in counts]
        elif name.casefold() in by_case:
            raise UsageError(
                f"No split '{part.strip()}'. {listing} "
                f"Did you mean '{by_case[name.casefold()]}'?"
            )
        else:
            raise UsageError(f"No split '{part.strip()}'. {listing}{nearest(name, known)}")
    label = "test" if canonical_split(asked) == "test" else ",".join(dict.fromkeys(chosen))
    return label, frozenset(chosen)
