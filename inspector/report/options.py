"""What a report is made of beyond the workspace: title, examples, remarks, date, command."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from inspector.core.errors import UsageError

MOST_BYTES = 15_000_000
MOST_EXAMPLES = 500
LONGEST_SIDE = 1_600
WORST = 12

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Remark:
    """What people found out about one example.

    Attributes:
        note: Their words.
        tags: Short texts.
        verdicts: By name of the run: ``model_wrong``, ``label_wrong`` or ``ambiguous``.
    """

    note: str = ""
    tags: tuple[str, ...] = ()
    verdicts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Review:
    """What a review queue came to, as paragraphs and one table.

    Attributes:
        lines: Sentences above the table.
        header: Names of its columns.
        rows: Its cells; the first one names the row.
        notes: Sentences below it: how it was drawn and reckoned.
    """

    lines: tuple[str, ...]
    header: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Chosen:
    """The examples that are shown, in their order, and in words why these."""

    places: tuple[int, ...]
    why: str


@dataclass(frozen=True, slots=True)
class ReportOptions:
    """How a report is made.

    Attributes:
        title: Its heading; the data set's name if empty.
        run: Name of the run whose predictions are drawn; the first one if empty.
        layer: What is laid over the pictures at first: ``agreement``, ``contours`` …
        remarks: What people found out, by example id.
        reviews: What review queues came to.
        command: The command line that made the report, or empty.
        with_paths: Whether folders of this machine may stand in the file.
        made: Date and time in UTC.
        most_bytes: How large the file may become.
        longest_side: Pixels of a picture's longer side from which it is made smaller.
        is_sensitive: Says of a sentence that it is to be veiled at first.
    """

    title: str = ""
    run: str = ""
    layer: str = "agreement"
    remarks: Mapping[str, Remark] = field(default_factory=dict)
    reviews: tuple[Review, ...] = ()
    command: str = ""
    with_paths: bool = False
    made: datetime | None = None
    most_bytes: int = MOST_BYTES
    longest_side: int = LONGEST_SIDE
    is_sensitive: Callable[[str], bool] = lambda sentence: False


def now() -> datetime:
    """Give the date of the report: ``SOURCE_DATE_EPOCH`` where it is set, else this moment.

    Raises:
        UsageError: If the variable is set and is no number of seconds.
    """
    named = os.environ.get("SOURCE_DATE_EPOCH")
    if not named:
        return datetime.now(UTC)
    try:
        return datetime.fromtimestamp(int(named), UTC)
    except (ValueError, OverflowError, OSError):
        raise UsageError(
            f"SOURCE_DATE_EPOCH is '{named[:40]}', which is no number of seconds. Unset it, or "
            "set it to whole seconds since 1970."
        ) from None
