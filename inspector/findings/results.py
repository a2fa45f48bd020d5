"""What a reviewed queue says about all failures, and about the score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from inspector.findings.estimating import Counted, Share, estimate_share
from inspector.findings.queues import Queue
from inspector.findings.records import VERDICTS

METHOD = (
    "Weighted by failure mode. 95 % intervals: hull of exact limits by stratum (MOVER) and of a "
    "plain sample of the same worth, for a draw without replacement; they cover the truth in at "
    "least about 95 of 100 reviews. Only failures were looked at: wrong labels among the correct "
    "predictions are not in these numbers."
)
_NOTHING_KNOWN = Share(0.0, 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class StratumResult:
    """What was found in one failure mode; ``found`` counts each verdict."""

    mode: str
    failures: int
    drawn: int
    reviewed: int
    found: dict[str, int]


@dataclass(frozen=True, slots=True)
class QueueResult:
    """A review so far.

    Attributes:
        reviewed: Places with a verdict.
        skipped: Places without one that stand before one that has: leaving out what is hard to
            judge bends the shares.
        failures, examples: Of the whole run.
        unseen: Share of the failures in modes of which nothing was reviewed yet.
        strata: By failure mode.
        shares: Of all failures, by verdict.
        published: Share of examples that were correct at the threshold.
        labels_right: The same with failures by wrong labels counted as correct.
        left_out: The same without failures by wrong labels or ambiguous sentences.
    """

    reviewed: int
    skipped: int
    failures: int
    examples: int
    unseen: float
    strata: tuple[StratumResult, ...]
    shares: dict[str, Share]
    published: float
    labels_right: Share
    left_out: Share | None


def judge_queue(queue: Queue, verdicts: Sequence[str]) -> QueueResult | None:
    """Work out a review; None as long as nothing was reviewed.

    Args:
        queue: The sample.
        verdicts: The verdict of each place, empty without one.
    """
    judged = [place for place, verdict in enumerate(verdicts) if verdict]
    if not judged:
        return None
    strata = tuple(
        StratumResult(
            stratum.mode, stratum.failures, stratum.drawn,
            sum(_counts(queue, verdicts, stratum.mode).values()),
            _counts(queue, verdicts, stratum.mode),
        )
        for stratum in queue.strata
    )

    def share_of(*kinds: str) -> Share:
        return estimate_share([
            Counted(s.failures, s.reviewed, sum(s.found[kind] for kind in kinds)) for s in strata
        ]) or _NOTHING_KNOWN

    failures = sum(stratum.failures for stratum in strata)
    unseen = sum(stratum.failures for stratum in strata if not stratum.reviewed)
    return QueueResult(
        reviewed=len(judged), skipped=judged[-1] + 1 - len(judged), failures=failures,
        examples=queue.examples, unseen=unseen / failures, strata=strata,
        shares={verdict.key: share_of(verdict.key) for verdict in VERDICTS},
        published=queue.correct / queue.examples,
        labels_right=_labels_right(queue, failures, share_of("label_wrong")),
        left_out=_left_out(queue, failures, share_of("label_wrong", "ambiguous")),
    )


def _counts(queue: Queue, verdicts: Sequence[str], mode: str) -> dict[str, int]:
    given = [v for place, v in zip(queue.places, verdicts, strict=True) if place.mode == mode]
    return {verdict.key: given.count(verdict.key) for verdict in VERDICTS}


def _labels_right(queue: Queue, failures: int, share: Share) -> Share:
    return Share(*(
        (queue.correct + part * failures) / queue.examples
        for part in (share.value, share.low, share.high)
    ))


def _left_out(queue: Queue, failures: int, share: Share) -> Share | None:
    """Correct over what is left; the more is left out, the higher, so the interval carries over."""
    left = [queue.examples - part * failures for part in (share.value, share.low, share.high)]
    if min(left) <= 0:
        return None
    return Share(*(queue.correct / count for count in left))
