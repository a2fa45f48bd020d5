"""What people find: verdicts, tags and notes on examples, each change an event."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from inspector.core.dataset import Dataset
from inspector.core.errors import UsageError, printable, say_choices

Field = Literal["verdict", "tag", "note"]
FIELDS: tuple[Field, ...] = ("verdict", "tag", "note")

MOST_NOTE = 10_000
MOST_TAG = 60
MOST_WHO = 80
MOST_ID = 500
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


@dataclass(frozen=True, slots=True)
class Verdict:
    """One judgement of a prediction against its ground truth."""

    key: str
    label: str
    description: str


VERDICTS: tuple[Verdict, ...] = (
    Verdict("model_wrong", "model wrong", "The ground truth is right; the prediction is not."),
    Verdict("label_wrong", "label wrong", "The mask or the sentence of the data set is wrong."),
    Verdict("ambiguous", "ambiguous", "The sentence fits what was marked as well."),
)


@dataclass(frozen=True, slots=True)
class Author:
    """Who changes something, and from which tab; undo goes by the tab."""

    who: str = ""
    client: str = ""


@dataclass(frozen=True, slots=True)
class Slot:
    """The smallest thing that is changed as a whole.

    Attributes:
        dataset: Key of the data set (:func:`dataset_key`).
        example_id: As in the table of scores.
        field: Which kind of finding.
        about: The run of a verdict, the tag itself, empty for a note.
    """

    dataset: str
    example_id: str
    field: Field
    about: str = ""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a verdict was given on.

    Attributes:
        iou: IoU in [0, 1] then; None where it has none.
        failure: Key of the failure mode then; empty if not known.
        digest: Says which prediction it was; empty if not known.
    """

    iou: float | None = None
    failure: str = ""
    digest: str = ""


@dataclass(frozen=True, slots=True)
class Event:
    """One change; the log only grows.

    Attributes:
        uid: The same in every file that the event is taken into.
        at: UTC, ``2024-05-01T12:00:00.000000Z``: comparing the texts compares the times.
        author: Who, and from which tab.
        slot: What was changed.
        old, new: Its value before and after; empty for none. A tag's value is the tag.
        kind: ``set``; ``undo`` and ``redo`` name in ``of`` the event that they turn.
        of: Uid of that event, or empty.
        before: Uid of the event that had set ``old``, or empty.
        evidence: Of a verdict.
    """

    uid: str
    at: str
    author: Author
    slot: Slot
    old: str
    new: str
    kind: Literal["set", "undo", "redo"] = "set"
    of: str = ""
    before: str = ""
    evidence: Evidence = Evidence()


@dataclass(frozen=True, slots=True)
class Judged:
    """The verdict on one run's prediction, as it stands."""

    verdict: str
    who: str
    at: str
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Finding:
    """Everything that stands at one example.

    Attributes:
        verdicts: By name of the run.
        tags: Sorted.
        note: Text, empty without one.
        note_revision: Number of the event that the note is from, 0 if there never was one.
        who, at: Of the last change, also where that left nothing.
    """

    verdicts: Mapping[str, Judged] = field(default_factory=dict)
    tags: tuple[str, ...] = ()
    note: str = ""
    note_revision: int = 0
    who: str = ""
    at: str = ""

    @property
    def is_empty(self) -> bool:
        """Whether nothing is left."""
        return not (self.verdicts or self.tags or self.note)


def dataset_key(dataset: Dataset) -> str:
    """Name a data set for the findings: the same in all its splits, whose ids differ.

    Its name and split-by, since the sentences of ``unc`` and ``google`` have ids of their own.
    """
    return "/".join(part for part in (dataset.name, dataset.split_by) if part)


def check_value(field: Field, value: str) -> str:
    """Check what is to stand in a field, and write it one way; empty takes it away.

    Raises:
        UsageError: If there is no such verdict, or a tag or note is too long.
    """
    if field == "verdict":
        keys = [verdict.key for verdict in VERDICTS]
        if value and value not in keys:
            raise UsageError(
                f"No verdict '{printable(value[:40])}'. {say_choices(value[:40], keys)}"
            )
        return value
    return check_tag(value) if field == "tag" else check_note(value)


def check_tag(tag: str) -> str:
    """Write a tag one way: single spaces, composed letters.

    Raises:
        UsageError: If it is empty, too long, or holds a comma, which separates tags.
    """
    tag = " ".join(unicodedata.normalize("NFC", _plain(tag, "A tag")).split())
    if not tag or len(tag) > MOST_TAG or "," in tag:
        raise UsageError(f"A tag has 1 to {MOST_TAG} characters and no comma.")
    return tag


def check_note(note: str) -> str:
    """Check a note; its ends are trimmed, its lines kept.

    Raises:
        UsageError: If it is too long.
    """
    note = _plain(note.replace("\r\n", "\n").replace("\r", "\n"), "A note").strip()
    if len(note) > MOST_NOTE:
        raise UsageError(
            f"A note has at most {MOST_NOTE:,} characters, but this has {len(note):,}. Shorten it."
        )
    return note


def check_name(text: str, what: str, most: int = MOST_ID) -> str:
    """Check a name that is kept as it is.

    Raises:
        UsageError: If it is too long or holds what no name holds.
    """
    if len(text) > most:
        raise UsageError(f"{what} has at most {most:,} characters, but this has {len(text):,}.")
    return _plain(text, what)


def _plain(text: str, what: str) -> str:
    """Refuse what cannot be stored as UTF-8, and signs that make a text look like another."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise UsageError(f"{what} holds half a character, which is no text. Take it out.") from None
    if found := _CONTROL.search(text):
        raise UsageError(
            f"{what} holds the control character U+{ord(found.group()):04X}. Take it out."
        )
    return text
