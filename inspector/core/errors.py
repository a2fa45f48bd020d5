"""What can go wrong, in words: where, what was found, against what was expected, what to do."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

_MOST_CHOICES = 40  # longer lists hide the sentence that they belong to


class InspectorError(Exception):
    """Something that a person can mend; its text is shown as it is, without a traceback."""


class UsageError(InspectorError):
    """The command or the call asked for something that does not exist or does not fit."""


class MaskError(InspectorError):
    """Run lengths, polygons or an array that do not describe a mask."""


class NoTruthError(MaskError):
    """The data says in so many words that it has no ground truth for an object or a picture."""


class SizeMismatchError(InspectorError):
    """Two masks, or a mask and its picture, differ in height or width."""


class FormatError(InspectorError):
    """A file that is not what it should be.

    Args:
        problem: What was found, against what was expected; a sentence without its end.
        path: The file; printed last because it is long.
        record: Which record inside the file, such as ``ref 4512`` or ``line 12``.
        hint: What to do about it; a whole sentence.
    """

    def __init__(
        self,
        problem: str,
        *,
        path: str | Path | None = None,
        record: str | None = None,
        hint: str | None = None,
    ) -> None:
        self.problem, self.path, self.record, self.hint = problem, path, record, hint
        super().__init__(self._sentence())

    def _sentence(self) -> str:
        where = ", ".join(
            part for part in (Path(self.path).name if self.path else "", self.record or "") if part
        )
        text = f"{where}: {self.problem}" if where else self.problem
        if not text.endswith((".", "?", "!")):
            text += "."
        if self.hint:
            text += f" {self.hint}"
        return f"{text} (file: {self.path})" if self.path else text


def printable(text: str) -> str:
    """Escape half characters, which file names and JSON can hold but no page or table."""
    return text.encode(errors="backslashreplace").decode()


def describe_size(size_hw: tuple[int, int]) -> str:
    """Write a size as people read it, width first: ``640 x 480 pixels (width x height)``."""
    return f"{size_hw[1]} x {size_hw[0]} pixels (width x height)"


def say_choices(word: str, known: Sequence[str]) -> str:
    """Say what may stand in place of a word that is not known, and which is nearest to it.

    Example:
        >>> say_choices("tset", ["val", "test"])
        "Choose one of: val, test. Did you mean 'test'?"
        >>> say_choices("a", [])
        'There is none.'
    """
    if not known:
        return "There is none."
    listed = ", ".join(known[:_MOST_CHOICES])
    if len(known) > _MOST_CHOICES:
        listed += f", and {len(known) - _MOST_CHOICES:,} others"
    return f"Choose one of: {listed}.{nearest(word, known)}"


def nearest(word: str, known: Sequence[str]) -> str:
    """Say which known word was perhaps meant, as a sentence with a leading space, or nothing."""
    import difflib

    close = difflib.get_close_matches(word.casefold(), [k.casefold() for k in known], n=1)
    if not close:
        return ""
    original = next(k for k in known if k.casefold() == close[0])
    return f" Did you mean '{original}'?"
