"""What a review queue came to, in rows and sentences: the page and the report tell it alike."""

from __future__ import annotations

from dataclasses import dataclass

from inspector.findings.queues import Queue
from inspector.findings.records import VERDICTS
from inspector.findings.results import METHOD, QueueResult


@dataclass(frozen=True, slots=True)
class ToldRow:
    """A share in [0, 1] with its 95 % interval; without one where it was counted."""

    label: str
    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Told:
    """A review as it is told.

    Attributes:
        title: What was reviewed, and since when.
        rows: Its numbers; none as long as nothing was judged.
        lines: How far it is, and what to keep in mind.
        notes: How it was drawn and reckoned.
    """

    title: str
    rows: tuple[ToldRow, ...]
    lines: tuple[str, ...]
    notes: tuple[str, ...]


def tell_review(
    queue: Queue, result: QueueResult | None, *, outdated: int = 0, has_changed: bool = False
) -> Told:
    """Tell a review.

    Args:
        queue: The sample.
        result: What it came to so far (:func:`~inspector.findings.results.judge_queue`).
        outdated: Places with a verdict on another prediction than the drawn one
            (:func:`~inspector.findings.queues.count_outdated`).
        has_changed: Whether the run has other predictions now than those that were drawn from.
    """
    title = f"Review of {len(queue.places):,} failures of {queue.run}, begun {queue.at[:10]}"
    lines = [_how_far(queue, result)]
    if result is not None and result.skipped:
        lines.append(f"{result.skipped:,} were skipped on the way: if those were the hard ones, "
                     "the shares are bent.")
    if result is not None and result.unseen:
        lines.append(f"Modes with {100 * result.unseen:.0f} % of the failures were not looked into "
                     "yet; in the intervals they count as anything.")
    if has_changed and result is not None:
        lines.append("The run has been read anew since: these numbers are about the predictions "
                     "from which the sample was drawn.")
    if has_changed and result is None and not outdated:
        lines.append("The run has been read anew since the sample was drawn: draw a new one to "
                     "review the run as it is now.")
    if outdated:
        lines.append(f"{outdated:,} judged on other predictions than the drawn ones do not count "
                     "here: draw a new sample to review the run as it is now.")
    drawn = f"Drawn {queue.how} by failure mode, seed {queue.seed}."
    return Told(
        title, _rows(queue, result) if result is not None else (), tuple(lines), (drawn, METHOD)
    )


def _how_far(queue: Queue, result: QueueResult | None) -> str:
    if result is None:
        return "Nothing was judged yet."
    return (
        f"{result.reviewed:,} of {len(queue.places):,} judged, out of {result.failures:,} "
        f"failures among {result.examples:,} examples."
    )


def _rows(queue: Queue, result: QueueResult) -> tuple[ToldRow, ...]:
    correct = f"Share correct at IoU {queue.threshold:g}"
    rows = [
        ToldRow(f"of the failures: {verdict.label}", share.value, share.low, share.high)
        for verdict in VERDICTS for share in [result.shares[verdict.key]]
    ]
    rows.append(ToldRow(correct, result.published))
    for how, share in (
        ("wrong labels counted as correct", result.labels_right),
        ("wrong labels and ambiguous sentences left out", result.left_out),
    ):
        if share is not None:
            rows.append(ToldRow(f"{correct}, {how}", share.value, share.low, share.high))
    return tuple(rows)
