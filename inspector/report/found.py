"""Takes verdicts, tags, notes and reviews of a findings file into a report."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from inspector.core.dataset import Dataset
from inspector.core.errors import UsageError
from inspector.findings import (
    VERDICTS,
    RunEvidence,
    Store,
    dataset_key,
    open_store,
    read_findings,
)
from inspector.findings.queues import Queue, read_queues, verdicts_on
from inspector.findings.results import METHOD, QueueResult, judge_queue
from inspector.report.options import Remark, Review
from inspector.report.wording import NONE, count, percent, span
from inspector.workspace import Workspace


def open_findings(path: Path) -> Store:
    """Open a findings file to read it, and nothing else.

    Raises:
        UsageError: If it is not there, or is no findings file.
    """
    if not path.is_file():
        raise UsageError(
            f"There is no findings file {path.name}. Give the .sqlite file that the page names. "
            f"(file: {path})"
        )
    store = open_store(path, read_only=True)
    if store.fault:
        store.close()
        raise UsageError(f"{path.name} cannot be read as findings. {store.fault} (file: {path})")
    return store


def remarks_of(store: Store, dataset: Dataset) -> dict[str, Remark]:
    """Give what stands at the examples of a data set, by example id."""
    _, findings = read_findings(store, dataset_key(dataset))
    return {
        example_id: Remark(
            finding.note, finding.tags,
            {run: judged.verdict for run, judged in finding.verdicts.items()},
        )
        for example_id, finding in findings.items()
        if not finding.is_empty
    }


def reviews_of(store: Store, workspace: Workspace) -> tuple[Review, ...]:
    """Give what the newest reviewed queue of each run came to."""
    key = dataset_key(workspace.dataset)
    _, findings = read_findings(store, key)
    queues = read_queues(store, key)
    reviews = []
    for row, scores in enumerate(workspace.scores):
        name = scores.run.name
        own = [queue for queue in queues if queue.run == name]
        verdict_of = {
            example_id: (judged.verdict, judged.evidence.digest)
            for example_id, finding in findings.items()
            if (judged := finding.verdicts.get(name)) is not None
        }
        for queue in own:
            result = judge_queue(queue, verdicts_on(queue, verdict_of))
            if result is not None:
                now = RunEvidence(scores, lambda row=row: workspace.scored[row])
                is_now = now.digest == queue.run_digest
                reviews.append(_review(queue, result, is_now=is_now))
                break
    return tuple(reviews)


def _review(queue: Queue, result: QueueResult, *, is_now: bool) -> Review:
    labels = {verdict.key: verdict.label for verdict in VERDICTS}
    rows = [
        (f"{labels[key]}, of all failures", percent(share.value), span(share.low, share.high))
        for key, share in result.shares.items()
    ]
    rows.append((f"Correct at IoU {queue.threshold:g}, as scored", percent(result.published), NONE))
    for name, value in (
        ("… with wrong labels counted as correct", result.labels_right),
        ("… with wrong labels and ambiguous sentences left out", result.left_out),
    ):
        if value is not None:
            rows.append((name, percent(value.value), span(value.low, value.high)))
    lines = [
        f"{result.reviewed:,} of {count(len(queue.places), 'drawn failure')} of {queue.run} were "
        f"judged by people; the run has {count(result.failures, 'failure')} in "
        f"{count(result.examples, 'example')}.",
    ]
    if not is_now:
        lines.append("The run's predictions have changed since the failures were drawn.")
    notes = [METHOD, f"Drawn {queue.how} by failure mode, seed {queue.seed}."]
    if result.unseen:
        notes.append(f"{percent(result.unseen)} of the failures are of modes that nobody has "
                     "looked at yet.")
    if result.skipped:
        notes.append(f"{count(result.skipped, 'place')} before the last judged one "
                     f"{'was' if result.skipped == 1 else 'were'} left out, which may bend the "
                     "shares.")
    return Review(tuple(lines), ("What", "Share", "95 %"), tuple(rows), tuple(notes))


def read_found(
    path: Path, workspace: Workspace
) -> tuple[Mapping[str, Remark], tuple[Review, ...]]:
    """Read remarks and reviews of a findings file; errors as of :func:`open_findings`."""
    with closing(open_findings(path)) as store:
        return remarks_of(store, workspace.dataset), reviews_of(store, workspace)
