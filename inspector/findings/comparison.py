"""What became of what was found: verdicts on earlier predictions against a run of today."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from inspector.findings.evidence import RunEvidence
from inspector.findings.records import Finding, Judged


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a verdict's example is in a run of today; the first that applies counts."""

    key: str
    label: str
    description: str


OUTCOMES: tuple[Outcome, ...] = (
    Outcome("unchanged", "the same prediction", "The prediction is the one that was judged."),
    Outcome("fixed", "fixed", "It was wrong, and another prediction is correct now."),
    Outcome("still_wrong", "still wrong", "It was wrong, and another prediction is wrong too."),
    Outcome("broken", "wrong now", "It was correct, and another prediction is wrong now."),
    Outcome("changed", "another prediction", "Another prediction, as correct as the one before, "
            "or what was judged is not known."),
)


@dataclass(frozen=True, slots=True)
class VerdictComparison:
    """Verdicts of any run against one run of today.

    Attributes:
        run: Name of the run of today.
        places: Examples by key of :data:`OUTCOMES`, and by verdict within; sorted.
        counts: Verdicts by key of :data:`OUTCOMES`.
        verdicts: Number of verdicts that were compared; an example judged in two runs counts
            twice.
    """

    run: str
    places: Mapping[str, Mapping[str, tuple[int, ...]]] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)
    verdicts: int = 0


def compare_with_now(findings: Mapping[int, Finding], now: RunEvidence) -> VerdictComparison:
    """Hold verdicts against the predictions of a run of today.

    Args:
        findings: By place in the data set that is open.
        now: The run of today, perhaps of the same name as an earlier one.
    """
    places: dict[str, dict[str, list[int]]] = {outcome.key: {} for outcome in OUTCOMES}
    counts = dict.fromkeys(places, 0)
    for place in sorted(findings):
        for _, judged in sorted(findings[place].verdicts.items()):
            outcome = _outcome(judged, now, place)
            counts[outcome] += 1
            listed = places[outcome].setdefault(judged.verdict, [])
            if place not in listed[-1:]:
                listed.append(place)
    return VerdictComparison(now.name, {
        key: {verdict: tuple(listed) for verdict, listed in sorted(by_verdict.items())}
        for key, by_verdict in places.items()
    }, counts, sum(counts.values()))


def _outcome(judged: Judged, now: RunEvidence, place: int) -> str:
    then = judged.evidence
    if then.digest and then.digest == now.digest_of(place):
        return "unchanged"
    is_correct = now.failure_of(place) == "correct"
    if not then.failure:
        return "changed"
    if then.failure != "correct":
        return "fixed" if is_correct else "still_wrong"
    return "changed" if is_correct else "broken"
