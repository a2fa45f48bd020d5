"""What was found in a run, as blocks that the page draws."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from inspector.core.failures import FAILURE_MODES
from inspector.findings import VERDICTS, Finding
from inspector.findings.comparison import OUTCOMES, compare_with_now
from inspector.findings.queues import Queue, read_queues
from inspector.findings.results import METHOD, QueueResult, judge_queue
from inspector.findings.tallies import count_notes, count_tags, count_verdicts
from inspector.server.blocks import column, table, words
from inspector.server.kept import Kept, key_of
from inspector.server.opened import Opened
from inspector.server.panels.panel import Blocks
from inspector.server.reviews import verdicts_of

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
            blocks += _review(queue, judge_queue(queue, verdicts_of(queue, opened, found)),
                              is_old=queue.run_digest != now.digest)
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


def _review(queue: Queue, result: QueueResult | None, *, is_old: bool) -> Blocks:
    title = f"Review of {len(queue.places):,} failures of {queue.run}, begun {queue.at[:10]}"
    if result is None:
        return [words("Nothing was judged yet.", title=title)]
    score = f"Share correct at IoU {queue.threshold:g}"
    shares = [
        {"label": f"of the failures: {verdict.label}",
         "value": [share.value, share.low, share.high]}
        for verdict in VERDICTS for share in [result.shares[verdict.key]]
    ]
    right, left = result.labels_right, result.left_out
    scores = [
        {"label": score, "value": [result.published, None, None]},
        {"label": f"{score}, wrong labels counted as correct",
         "value": [right.value, right.low, right.high]},
        *([{"label": f"{score}, wrong labels and ambiguous sentences left out",
            "value": [left.value, left.low, left.high]}] if left else []),
    ]
    return [
        table(title, [column("label", "Number"), column("value", "Estimate", "estimate")],
              shares + scores, note=f"{_how_far(queue, result, is_old=is_old)} {METHOD}"),
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


def _how_far(queue: Queue, result: QueueResult, *, is_old: bool) -> str:
    parts = [f"{result.reviewed:,} of {len(queue.places):,} judged, out of {result.failures:,} "
             f"failures among {result.examples:,} examples."]
    if result.skipped:
        parts.append(f"{result.skipped:,} were skipped on the way: if those were the hard ones, "
                     "the shares are bent.")
    if result.unseen:
        parts.append(f"Modes with {100 * result.unseen:.0f} % of the failures were not looked into "
                     "yet; in the intervals they count as anything.")
    if is_old:
        parts.append("The run has been read anew since: these numbers are about the predictions "
                     "from which the sample was drawn.")
    return " ".join(parts)
