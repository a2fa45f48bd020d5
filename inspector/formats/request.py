"""What a loader is asked for, and how splits are chosen: the same words for every format."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

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
        refs: A ``refs(NAME).p`` or a list of ids that says which records belong to a level or to
            a split-by, where the files themselves do not (RefCOCOm, lmms-lab).
        texts: Whether only the ``first`` or ``all`` sentences of a ReasonSeg picture are examples.
        is_of_pair: Whether ``split_by`` and ``texts`` were given for two data sets at once: then
            the one that has no use for them passes them over.
    """

    source: str
    split: str | None = None
    split_by: str | None = None
    images: Path | None = None
    instances: tuple[Path, ...] = ()
    format: str | None = None
    refs: Path | None = None
    texts: Literal["first", "all"] = "first"
    is_of_pair: bool = False

    @classmethod
    def of(
        cls, source: str | Path, *, split: str | None = None, split_by: str | None = None,
        images: str | Path | None = None, instances: Iterable[str | Path] = (),
        format: str | None = None, refs: str | Path | None = None,
        texts: Literal["first", "all"] = "first", is_of_pair: bool = False,
    ) -> LoadRequest:
        """Make one of paths as they are written, ``~`` included.

        Raises:
            UsageError: If a path cannot be one.
        """
        return cls(
            str(source), split=split, split_by=split_by,
            images=user_path(images) if images else None,
            instances=tuple(map(user_path, instances)), format=format,
            refs=user_path(refs) if refs else None, texts=texts, is_of_pair=is_of_pair,
        )

    @property
    def path(self) -> Path:
        """The source as a path."""
        return user_path(self.source)


_SAME = {"validation": "val", "valid": "val"}


@lru_cache(maxsize=1024)
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
        ``test`` means every split whose name begins so, where none is called just that, and
        ``testA`` takes RefCLEF's ``testAB`` along, as the REFER toolkit does.
        Without a wish: ``val`` where there is one, else the only one there is, else ``test``.

    Raises:
        UsageError: If there is no such split (the known ones are listed), or no default.
    """
    counts = Counter(canonical_split(name) for name in found)
    known = list(counts)
    listing = f"{what} has: {', '.join(f'{k} ({n:,})' for k, n in counts.items()) or 'no split'}."
    if not counts:
        raise UsageError(f"{what} holds no record that can be used. Is it the right file?")
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
        members = [k for k in known if _belongs(k, name)]
        if name in counts or members:
            chosen += [name] * (name in counts) + members
        elif name.casefold() in by_case:
            raise UsageError(
                f"No split '{part.strip()}'. {listing} "
                f"Did you mean '{by_case[name.casefold()]}'?"
            )
        else:
            raise UsageError(f"No split '{part.strip()}'. {listing}{nearest(name, known)}")
    label = "test" if canonical_split(asked) == "test" else ",".join(dict.fromkeys(chosen))
    return label, frozenset(chosen)


def _belongs(split: str, asked: str) -> bool:
    """Say whether a split of another name is meant as well: testA by test, testAB by testA."""
    if split == asked or not split.startswith("test"):
        return False
    if asked == "test":
        return split[4:].isupper()
    return len(asked) == 5 and asked.startswith("test") and asked[4] in split[4:]
