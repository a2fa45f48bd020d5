"""Work on pieces: given out, tried again where it failed, and named where it stays bad."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol

from inspector import __version__
from inspector.core.collecting import no_collecting
from inspector.core.errors import InspectorError
from inspector.engine.keys import read_keys
from inspector.engine.scoring import ScoringRules, Share, score_share
from inspector.engine.shards import Piece
from inspector.engine.truth import PackedTruth, unpack_truth

if TYPE_CHECKING:
    import pyarrow as pa

TRIES = 3
"""How often a piece is tried before it is called bad."""

_PAUSE = 0.5  # seconds before what failed is tried again, doubled each time

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True, eq=False)
class Task:
    """What a worker is asked to do with one piece.

    Attributes:
        kind: Read its keys, or score its share.
        piece: What is read; None for the examples without a prediction.
        share: What is scored, if it is to be scored.
        rules: How.
    """

    kind: Literal["keys", "scores"]
    piece: Piece | None
    share: Share | None = None
    rules: ScoringRules | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """What came of one task: a table, or a fault in words.

    Attributes:
        place: Which of the tasks that were given out together.
        table: The result; None if there is none.
        fault: Why there is none; empty if there is one.
        worker: Machine and process that did it.
        seconds: Processor time that it took.
    """

    place: int
    table: pa.Table | None
    fault: str
    worker: str = ""
    seconds: float = 0.0


class Engine(Protocol):
    """Where tasks are done."""

    def run(self, tasks: Sequence[Task], truth: PackedTruth | None) -> Iterator[Answer]:
        """Do tasks in any order; one that is not answered counts as failed.

        Raises:
            InspectorError: If nothing can be done at all.
        """


@dataclass(slots=True)
class Effort:
    """What was done so far, for a person to read and for measurements.

    Attributes:
        tasks: Tasks that were answered.
        workers: Who answered.
        again: What had to be done again and why, by name of its shard.
        seconds: Processor time of all answers.
    """

    tasks: int = 0
    workers: set[str] = field(default_factory=set)
    again: dict[str, str] = field(default_factory=dict)
    seconds: float = 0.0

    def describe(self) -> str:
        """Say it in one line, or in one more for each shard that was tried again."""
        lines = [f"{self.tasks:,} tasks by {len(self.workers):,} workers, "
                 f"{self.seconds:,.1f} s of processor time"]
        lines += [f"tried again: {name} ({why})" for name, why in self.again.items()]
        return "\n".join(lines)


def do(task: Task, truth: PackedTruth | None) -> pa.Table:
    """Do one task here.

    Raises:
        InspectorError: If the shard cannot be used.
        OSError: If it cannot be read.
    """
    with no_collecting():
        if task.kind == "keys" and task.piece is not None:
            return read_keys(task.piece)
        if task.share is None or task.rules is None or truth is None:
            raise RuntimeError("a task that says nothing")
        return score_share(unpack_truth(truth), task.share, task.rules)


def answer(place: int, task: Task, truth: PackedTruth | None) -> Answer:
    """Do one task here, and say in words what went wrong: a worker's errors must not be lost."""
    begin, worker = time.process_time(), f"{platform.node()}:{os.getpid()}"
    try:
        table, fault = do(task, truth), ""
    except (InspectorError, OSError) as error:
        table, fault = None, _sentence(str(error))
    except Exception as error:  # the edge of a worker: it is named with its piece
        table, fault = None, _sentence(f"{type(error).__name__}: {str(error)[:300]}")
    return Answer(place, table, fault, worker, time.process_time() - begin)


def _sentence(text: str) -> str:
    text = " ".join(text.split())
    return text if text.endswith((".", "?", "!", ")")) else f"{text}."


class Here:
    """Does tasks in this process, one after the other."""

    def run(self, tasks: Sequence[Task], truth: PackedTruth | None) -> Iterator[Answer]:
        """Do tasks in their order."""
        for place, task in enumerate(tasks):
            yield answer(place, task, truth)


def do_all(
    engine: Engine, tasks: Sequence[Task], truth: PackedTruth | None, effort: Effort, *,
    progress: Progress | None = None,
) -> list[pa.Table]:
    """Do all tasks, those that fail up to :data:`TRIES` times.

    Args:
        engine: Where.
        tasks: What.
        truth: The ground truth, for tasks that need it.
        effort: Takes what was done.
        progress: Called with (done, all).

    Returns:
        One table a task, in their order.

    Raises:
        InspectorError: If a task stays bad; it names the shard, what was read of it, and why.
    """
    tables: list[pa.Table | None] = [None] * len(tasks)
    left = list(range(len(tasks)))
    for attempt in range(TRIES):
        if attempt:
            time.sleep(_PAUSE * 2 ** (attempt - 1))
        faults = dict.fromkeys(left, "the worker that had it was lost.")
        for found in engine.run([tasks[place] for place in left], truth):
            place = left[found.place]
            if found.table is None:
                faults[place] = found.fault
                continue
            if place not in faults:  # answered twice: a worker was lost after it had answered
                continue
            del faults[place]
            tables[place] = found.table
            effort.tasks += 1
            effort.workers.add(found.worker)
            effort.seconds += found.seconds
            if progress:
                progress(len(tasks) - len(faults), len(tasks))
        for place, fault in faults.items():
            effort.again[_name(tasks[place])] = fault
        left = list(faults)
        if not left:
            return [table for table in tables if table is not None]
    raise InspectorError(_describe_bad([(tasks[place], faults[place]) for place in left]))


def _name(task: Task) -> str:
    return task.piece.shard.name if task.piece else "examples without a prediction"


def _describe_bad(bad: Sequence[tuple[Task, str]]) -> str:
    """Name the first shard that stays bad, what was to be read of it, why, and how many more."""
    task, fault = bad[0]
    if task.piece is None:
        return f"The examples without a prediction could not be scored: {fault}"
    piece = task.piece
    part = "all of it"
    if piece.shard.kind == "lines" and (piece.begin, piece.end) != (0, piece.shard.size):
        part = f"bytes {piece.begin:,} to {piece.end:,}"
    elif piece.shard.kind == "parquet" and piece.end >= 0:
        part = f"row groups {piece.begin:,} to {piece.end - 1:,}"
    others = {_name(task) for task, _ in bad} - {piece.shard.name}
    more = f" Further bad shards: {', '.join(sorted(others)[:5])}" if others else ""
    more += f" and {len(others) - 5:,} more" if len(others) > 5 else ""
    return (
        f"{piece.shard.name} could not be scored in {TRIES} tries ({part}): {fault} Nothing was "
        f"written. Mend or leave out this shard.{more + '.' if more else ''}"
        f" (shard: {piece.shard.source})"
    )


def check_version(version: str) -> None:
    """Refuse to work with another version of the program.

    Raises:
        InspectorError: If the worker has another one than who asks.
    """
    if version != __version__:
        raise InspectorError(
            f"A worker has inspector {__version__}, but {version} asks. Install the same version "
            "on every machine."
        )
