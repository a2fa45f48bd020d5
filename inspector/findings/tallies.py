"""How often something was found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from inspector.findings.records import VERDICTS, Finding


def count_verdicts(findings: Iterable[Finding], run: str) -> dict[str, int]:
    """Count each verdict on one run."""
    given = Counter(
        finding.verdicts[run].verdict for finding in findings if run in finding.verdicts
    )
    return {verdict.key: given[verdict.key] for verdict in VERDICTS}


def count_tags(findings: Iterable[Finding]) -> list[tuple[str, int]]:
    """Count the examples of each tag, the most frequent first."""
    counts = Counter(tag for finding in findings for tag in finding.tags)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def count_notes(findings: Iterable[Finding]) -> int:
    """Count the examples that have a note."""
    return sum(bool(finding.note) for finding in findings)
