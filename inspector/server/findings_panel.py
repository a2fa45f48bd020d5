"""What was found in a run, as blocks that the page draws."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from inspector.core.failures import FAILURE_MODES
from inspector.findings import VERDICTS, Finding
from inspector.findings.comparison import OUTCOMES, compare_with_now
from inspector.findings.queues import Queue, count_outdated, read_queues, verdicts_on
from inspector.findings.results import QueueResult, judge_queue
from inspector.findings.tallies import count_notes, count_tags, count_verdicts
from inspector.findings.telling import Told, tell_review
from inspector.server.blocks import column, table, words
from inspector.server.kept import Kept, key_of
from inspector.server.opened import Opened
from inspector.server.panels.panel import Blocks
from inspector.server.reviews import verdict_of

_MOST_TAGS = 30
_MOST_QUEUES = 3
_LABELS = {mode.key: mode.label for mode in FAILURE_MODES}


def findings_blocks(kept: Kept, opened: Opened, run: str) -> Blocks:
    """Everything that was found in one run, and what review queues say of all its failures.

    Args:
        kept: Where findings are kept.
        opened: What is open.
        run: Name of the run; empty for the first.

    Raises:
        UsageError: If there is no such run.
    """
    _, found = kept.here(opened)
    name = run or next(iter(opened.run_names), "")
    blocks = []
    if name:
        now = kept.run(opened, name)
        queues = [queue for queue in read_queues(kept.store, key_of(opened)) if queue.run == name]
        for queue in queues[:_MOST_QUEUES]:
            given = verdict_of(queue, opened, found)
            result = judge_queue(queue, verdicts_on(queue, given))
            blocks += _review(queue, result, tell_review(
                queue, result, outdated=count_outdated(queue, given),
                has_changed=queue.run_digest != now.digest,
            ))
        blocks.append(_verdicts(found, name))
        blocks.append(_comparison(found, kept, opened, name))
    blocks.append(_tags(found))
    return blocks


def _verdicts(found: Mapping[int, Finding], run: str) -> dict[str, Any]:
    given, notes = count_verdicts(found.values(), run), count_notes(found.values())
    return table(
        f"Verdicts on {run}",
        [column("label", "Verdict"), column("count", "Examples", "count"),
         column("description", "When")],
        [{"label": verdict.label, "count": given[verdict.key],
          "description": verdict.description, "quiet": not given[verdict.key],
          "select": {"run": run, "verdict": verdict.key}} for verdict in VERDICTS],
        note=f"{notes:,} {'example has' if notes == 1 else 'examples have'} a note.",
    )


def _tags(found: Mapping[int, Finding]) -> dict[str, Any]:
    ordered = count_tags(found.values())
    left = len(ordered) - _MOST_TAGS
    return table(
        "Tags", [column("tag", "Tag", "data"), column("count", "Examples", "count")],
        [{"tag": tag, "count": count, "select": {"tag": tag}}
         for tag, count in ordered[:_MOST_TAGS]],
        note=f"{left:,} further tags are rarer." if left > 0 else "" if ordered else "No tags yet.",
    )


def _comparison(
    found: Mapping[int, Finding], kept: Kept, opened: Opened, run: str
) -> dict[str, Any]:
    comparison = compare_with_now(found, kept.run(opened, run))
    return table(
        f"What became of every verdict in {run}",
        [column("label", "Now"), column("count", "Verdicts", "count"),
         *(column(verdict.key, verdict.label, "count") for verdict in VERDICTS),
         column("description", "When")],
        [{"label": outcome.label, "count": comparison.counts[outcome.key],
          **{verdict.key: len(comparison.places[outcome.key].get(verdict.key, ()))
             for verdict in VERDICTS},
          "description": outcome.description, "quiet": not comparison.counts[outcome.key]}
         for outcome in OUTCOMES],
        note=f"{comparison.verdicts:,} verdicts on any run, held against the predictions of {run} "
        "that are open now.",
    )


def _review(queue: Queue, result: QueueResult | None, told: Told) -> Blocks:
    if result is None:
        return [words(" ".join(told.lines), title=told.title)]
    return [
        table(
            told.title, [column("label", "Number"), column("value", "Estimate", "estimate")],
            [{"label": row.label, "value": [row.value, row.low, row.high]} for row in told.rows],
            note=" ".join((*told.lines, *told.notes)),
        ),
        table(
            "By failure mode",
            [column("mode", "Failure mode"), column("failures", "Failures", "count"),
             column("reviewed", "Judged", "count"),
             *(column(verdict.key, verdict.label, "count") for verdict in VERDICTS)],
            [{"mode": _LABELS.get(stratum.mode, stratum.mode), "failures": stratum.failures,
              "reviewed": stratum.reviewed, **stratum.found,
              "select": {"run": queue.run, "failure": stratum.mode}} for stratum in result.strata],
        ),
    ]
