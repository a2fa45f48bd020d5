"""The review queue: a sample of a run's failures, stratified by failure mode."""

from __future__ import annotations

import hashlib
import json
import math
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from inspector.core.errors import UsageError, say_choices
from inspector.core.failures import FAILURE_MODES
from inspector.core.run import Status
from inspector.findings.evidence import CORRECT, RunEvidence
from inspector.findings.faults import damaged
from inspector.findings.records import MOST_WHO, check_name
from inspector.findings.store import Store

How = Literal["proportional", "equal"]
HOWS: tuple[How, ...] = ("proportional", "equal")
MOST_PLACES = 1_000


@dataclass(frozen=True, slots=True)
class Stratum:
    """One failure mode: how many failures there are and how many were drawn."""

    mode: str
    failures: int
    drawn: int


@dataclass(frozen=True, slots=True)
class QueuePlace:
    """One example to judge; ``digest`` says on which prediction."""

    example_id: str
    mode: str
    digest: str


@dataclass(frozen=True, slots=True)
class Queue:
    """A sample as it was drawn.

    Attributes:
        id: Number in the findings file; 0 before it is kept.
        at, who: When (UTC) and by whom it was drawn.
        dataset, run: Of which failures.
        run_digest: Changes with any prediction of the run.
        how: ``proportional`` draws as many of each mode as it has failures, but at least one;
            ``equal`` draws as many of each.
        seed: The same seed draws the same examples, on every machine.
        threshold: IoU from which a prediction was correct.
        examples, correct: Scored examples, and those that were correct.
        strata: By failure mode.
        places: In an order in which every beginning is a sample of its own.
    """

    id: int
    at: str
    who: str
    dataset: str
    run: str
    run_digest: str
    how: How
    seed: int
    threshold: float
    examples: int
    correct: int
    strata: tuple[Stratum, ...]
    places: tuple[QueuePlace, ...]


def failures_by_mode(now: RunEvidence) -> tuple[dict[str, list[int]], int, int]:
    """Give the places of a run's failures by mode, the number of scored examples and of correct.

    Examples that the rules leave out (no truth, skipped) are in none of them.
    """
    scores, scored = now.scores, now.scored
    counts = scores.status != Status.NO_TRUTH
    if scored.is_boxes_only:
        if scored.protocol.missing == "skip":
            counts = counts & scored.is_predicted
    else:
        counts = counts & scored.counts
    found = {
        mode.key: np.flatnonzero(counts & (scores.failure == row)).tolist()
        for row, mode in enumerate(FAILURE_MODES) if row != CORRECT
    }
    correct = int((counts & (scores.failure == CORRECT)).sum())
    return {mode: places for mode, places in found.items() if places}, int(counts.sum()), correct


def draw_queue(
    now: RunEvidence, dataset: str, *, size: int = 50, how: How = "proportional",
    seed: int | None = None, who: str = "",
) -> Queue:
    """Draw a sample of a run's failures.

    Args:
        now: The run.
        dataset: Key of the data set.
        size: How many; fewer if there are not as many failures.
        how: See :class:`Queue`.
        seed: None draws one.
        who: Who asks.

    Raises:
        UsageError: If the run has no failures, or what is asked for does not exist.
    """
    if how not in HOWS:
        raise UsageError(f"No way to draw '{how[:40]}'. {say_choices(how, list(HOWS))}")
    if not 1 <= size <= MOST_PLACES:
        raise UsageError(f"A review queue has 1 to {MOST_PLACES:,} places, but {size} are asked.")
    seed = secrets.randbelow(2**31) if seed is None else seed
    if not 0 <= seed < 2**53:
        raise UsageError("A seed is a whole number from 0 to 9007199254740991.")
    failures, examples, correct = failures_by_mode(now)
    if not failures:
        raise UsageError(f"'{now.name}' has no failures that could be reviewed.")
    sizes = allocate([len(places) for places in failures.values()], size, how)
    ids = now.scores.dataset.expressions.ids
    ordered: list[tuple[float, int, QueuePlace]] = []
    for row, ((mode, places), drawn) in enumerate(zip(failures.items(), sizes, strict=True)):
        shuffled = sorted(places, key=lambda place: _ticket(seed, ids[place]))
        for turn, place in enumerate(shuffled[:drawn]):
            entry = QueuePlace(ids[place], mode, now.digest_of(place))
            ordered.append(((turn + 0.5) / drawn, row, entry))
    ordered.sort(key=lambda item: item[:2])
    return Queue(
        0, "", check_name(who, "A name", MOST_WHO), dataset, now.name, now.digest, how, seed,
        now.scores.thresholds.iou, examples, correct,
        tuple(Stratum(mode, len(places), drawn)
              for (mode, places), drawn in zip(failures.items(), sizes, strict=True)),
        tuple(entry for _, _, entry in ordered),
    )


def _ticket(seed: int, example_id: str) -> bytes:
    """Give each example its place in the draw: by its id, not by where it stands in a file."""
    return hashlib.sha256(f"{seed}\0{example_id}".encode(errors="replace")).digest()


def allocate(failures: Sequence[int], size: int, how: How) -> list[int]:
    """Share a sample out among strata.

    One for each stratum first (the largest first, if there are not as many), then by largest
    remainder; what a small stratum cannot take goes to the others.

    Example:
        >>> allocate([90, 9, 1], 10, "proportional")
        [8, 1, 1]
        >>> allocate([90, 9, 1], 10, "equal")
        [5, 4, 1]
    """
    drawn = [0] * len(failures)
    left = min(size, sum(failures))
    for row in sorted(range(len(failures)), key=lambda row: -failures[row])[:left]:
        drawn[row] = 1
    wished = [
        size * count / sum(failures) if how == "proportional" else size / len(failures)
        for count in failures
    ]
    for row, wish in enumerate(wished):
        more = min(max(math.floor(wish), drawn[row]), failures[row]) - drawn[row]
        drawn[row] += min(more, left - sum(drawn))
    while sum(drawn) < left:
        open_rows = [row for row, count in enumerate(failures) if drawn[row] < count]
        row = max(open_rows, key=lambda row: (wished[row] - drawn[row], failures[row]))
        drawn[row] += 1
    return drawn


def keep_queue(store: Store, queue: Queue) -> Queue:
    """Write a queue down.

    Raises:
        InspectorError: If the file cannot be written.
    """
    at = store.now()
    with store.writing() as db:
        cursor = db.execute(
            "INSERT INTO queues (at, who, dataset, run, run_digest, size, how, seed, threshold, "
            "examples, correct, strata, places) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (at, queue.who, queue.dataset, queue.run, queue.run_digest, len(queue.places),
             queue.how, queue.seed, queue.threshold, queue.examples, queue.correct,
             json.dumps([[s.mode, s.failures, s.drawn] for s in queue.strata]),
             json.dumps([[p.example_id, p.mode, p.digest] for p in queue.places])),
        )
        number = int(cursor.lastrowid or 0)
    return read_queue(store, queue.dataset, number)


_COLUMNS = (
    "id, at, who, dataset, run, run_digest, how, seed, threshold, examples, correct, strata, places"
)


def read_queue(store: Store, dataset: str, number: int) -> Queue:
    """Read a queue of a data set.

    Raises:
        UsageError: If there is none of that number.
    """
    with store.reading() as db:
        row = db.execute(
            f"SELECT {_COLUMNS} FROM queues WHERE id = ? AND dataset = ?", (number, dataset)
        ).fetchone()
    if row is None:
        raise UsageError(f"There is no review queue {number}.")
    return _queue(row)


def read_queues(store: Store, dataset: str) -> list[Queue]:
    """Read every queue of a data set, the newest first."""
    with store.reading() as db:
        rows = db.execute(
            f"SELECT {_COLUMNS} FROM queues WHERE dataset = ? ORDER BY id DESC", (dataset,)
        ).fetchall()
    return [_queue(row) for row in rows]


def _queue(row: tuple) -> Queue:  # type: ignore[type-arg]
    *head, strata, places = row
    try:
        return Queue(
            *head,
            tuple(Stratum(str(mode), int(failures), int(drawn))
                  for mode, failures, drawn in json.loads(strata)),
            tuple(QueuePlace(str(example), str(mode), str(digest))
                  for example, mode, digest in json.loads(places)),
        )
    except (ValueError, TypeError, RecursionError) as error:
        raise damaged(f"review queue {head[0]}") from error


def verdicts_on(queue: Queue, verdict_of: Mapping[str, tuple[str, str]]) -> list[str]:
    """Give the verdict of each place of a queue, empty where it is still to be judged.

    Args:
        queue: The sample.
        verdict_of: Verdict on the run and digest of the prediction it was given on, by example id.
            One on another prediction does not count; one without a digest (written by hand) does.
    """
    return [
        verdict if digest in ("", place.digest) else ""
        for place in queue.places
        for verdict, digest in [verdict_of.get(place.example_id, ("", ""))]
    ]


def count_outdated(queue: Queue, verdict_of: Mapping[str, tuple[str, str]]) -> int:
    """Count the places with a verdict that does not count: it is on another prediction."""
    judged = sum(bool(verdict_of.get(place.example_id, ("", ""))[0]) for place in queue.places)
    return judged - sum(bool(verdict) for verdict in verdicts_on(queue, verdict_of))
