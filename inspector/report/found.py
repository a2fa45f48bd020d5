"""Takes verdicts, tags, notes and reviews of a findings file into a report."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from inspector.core.dataset import Dataset
from inspector.core.errors import UsageError
from inspector.findings import (
    RunEvidence,
    Store,
    dataset_key,
    open_store,
    read_findings,
)
from inspector.findings.queues import count_outdated, read_queues, verdicts_on
from inspector.findings.results import judge_queue
from inspector.findings.telling import Told, tell_review
from inspector.report.options import Remark, Review
from inspector.report.wording import NONE, percent, span
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
                reviews.append(_review(tell_review(
                    queue, result, outdated=count_outdated(queue, verdict_of),
                    has_changed=now.digest != queue.run_digest,
                )))
                break
    return tuple(reviews)


def _review(told: Told) -> Review:
    rows = tuple(
        (row.label, percent(row.value),
         NONE if row.low is None or row.high is None else span(row.low, row.high))
        for row in told.rows
    )
    return Review(
        (f"{told.title}.", " ".join(told.lines)), ("What", "Share", "95 %"), rows, told.notes
    )


def read_found(
    path: Path, workspace: Workspace
) -> tuple[Mapping[str, Remark], tuple[Review, ...]]:
    """Read remarks and reviews of a findings file; errors as of :func:`open_findings`."""
    with closing(open_findings(path)) as store:
        return remarks_of(store, workspace.dataset), reviews_of(store, workspace)
