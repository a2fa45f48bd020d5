"""A run among recorded results: only those of the same data set, split, metric and protocol."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from inspector.core.dataset import Dataset
from inspector.core.metrics import ALIASES
from inspector.core.protocol import Protocol
from inspector.core.run import Coverage

Kind = Literal["reported", "reproduced", "measured"]


@dataclass(frozen=True, slots=True)
class Result:
    """A recorded number.

    Attributes:
        method: The model.
        dataset, split_by, split: As the inspector names them; empty where the source is silent.
        printed: The metric as printed.
        quantity: What it really is, by our key; None where nobody could tell.
        value: As a fraction.
        kind: ``reported`` by the authors or a table, or ``reproduced`` by others.
        source: Where it stands.
        mask_decoder: Whether a mask decoder was trained; None where unknown.
        learning: ``supervised`` or ``reinforcement``; empty where unknown.
        rules: What is known of its protocol: ``empty_union``, ``frame``, ``average``.
        note: What is to be said beside it.
        board: Key of its leaderboard.
    """

    method: str
    dataset: str
    split_by: str
    split: str
    printed: str
    quantity: str | None
    value: float
    kind: Kind
    source: str
    mask_decoder: bool | None
    learning: str
    rules: Mapping[str, str] = field(default_factory=dict)
    note: str = ""
    board: str = ""


@dataclass(frozen=True, slots=True)
class Board:
    """A table of results, with what is to be known of it as a whole."""

    key: str
    title: str
    source: str
    updated: str
    notes: tuple[str, ...]
    results: tuple[Result, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """A place in the ranking.

    Attributes:
        rank: From 1; equal values share it.
        method: The model or the run.
        value: As a fraction.
        kind: ``measured`` is the user's own run, counted here; the others are as recorded.
        is_confirmed: Whether it is known that the number is this metric; else it is only printed
            as such.
        note: What is to be said beside it, or empty.
        result: The record, or None for the user's own run.
    """

    rank: int
    method: str
    value: float
    kind: Kind
    is_confirmed: bool
    note: str
    result: Result | None


@dataclass(frozen=True, slots=True)
class Placement:
    """Where a run stands, and what it was not compared with.

    Attributes:
        metric: Key of the metric.
        rows: The ranking, best first, the run among it; only the run if nothing compares.
        unranked: Every other result, with the reason.
        notes: What is to be known of the tables that results were taken from.
    """

    metric: str
    rows: tuple[Row, ...]
    unranked: tuple[tuple[Result, str], ...]
    notes: tuple[str, ...]


def place_run(
    boards: Sequence[Board], *, name: str, dataset: Dataset, value: float | None, metric: str,
    protocol: Protocol, coverage: Coverage,
) -> Placement:
    """Rank a run among the results that it can be compared with.

    Args:
        boards: Recorded results.
        name: The run's.
        dataset: What it was measured on.
        value: Its number as a fraction; None is never ranked.
        metric: Key of that metric, such as ``mIoU``.
        protocol: The rules in force.
        coverage: What the run covers: a rule about missing predictions matters only if some are.

    Returns:
        Results of the same data set, split, metric and protocol are ranked; rules that cannot
        matter on the data (empty masks without no-target examples) do not keep them apart. A
        metric that nobody confirmed counts as what it is printed as, and says so.
    """
    own = {"empty_union": protocol.empty_union, "average": protocol.average}
    blocked = _why_incomparable(dataset, value, protocol, coverage)
    ranked: list[tuple[float, str, Kind, bool, str, Result | None]] = []
    unranked: list[tuple[Result, str]] = []
    for board in boards:
        for result in board.results:
            reason = _why_other(result, dataset, metric) or blocked or _why_protocol(
                result, dataset, own
            )
            if reason:
                unranked.append((result, reason))
            else:
                ranked.append((
                    result.value, result.method, result.kind, result.quantity is not None,
                    _note(result, own), result,
                ))
    if value is not None:
        ranked.append((value, name, "measured", True, "", None))
    ranked.sort(key=lambda row: (-row[0], row[5] is not None))
    values = [row[0] for row in ranked]
    used = {row[5].board for row in ranked if row[5]} | {
        result.board for result, _ in unranked if result.dataset == dataset.name
    }
    return Placement(
        metric,
        tuple(
            Row(values.index(row[0]) + 1, row[1], row[0], row[2], row[3], row[4], row[5])
            for row in ranked
        ),
        tuple(unranked),
        tuple(note for board in boards if board.key in used for note in board.notes),
    )


def _why_other(result: Result, dataset: Dataset, metric: str) -> str:
    if result.dataset != dataset.name:
        return f"another data set: {result.dataset}"
    if (result.split_by, result.split) != (dataset.split_by, dataset.split):
        found = " ".join(filter(None, (result.split_by, result.split))) or "not named"
        return f"another split: {found}"
    printed = ALIASES.get(result.printed, result.printed.replace("Pr@", "P@"))
    if result.quantity == metric or (result.quantity is None and printed == metric):
        return ""
    if result.quantity is None:
        return f"another metric, or none named: {result.printed}"
    if printed != result.quantity and printed == metric:
        return f"another metric: printed as {result.printed}, but it is {result.quantity}"
    return f"another metric: {result.quantity}"


def _why_incomparable(
    dataset: Dataset, value: float | None, protocol: Protocol, coverage: Coverage
) -> str:
    if value is None:
        return "the run has no such number"
    if any(problem.code == "counts-differ" for problem in dataset.problems):
        return "the data at hand differs from the published split"
    if protocol.missing == "skip" and coverage.matched < coverage.examples:
        return "another protocol: the run leaves missing predictions out"
    return ""


def _why_protocol(result: Result, dataset: Dataset, own: Mapping[str, str]) -> str:
    average = result.rules.get("average", "sentence")
    if average != own["average"]:
        return f"another protocol: averaged over {average}s, the run over {own['average']}s"
    rule = result.rules.get("empty_union")
    has_no_target = bool((dataset.expressions.target < 0).any())
    if rule and rule != own["empty_union"] and has_no_target:
        return f"another protocol: its rule for no target is '{rule}', the run's " \
               f"'{own['empty_union']}'"
    return ""


def _note(result: Result, own: Mapping[str, str]) -> str:
    notes = [result.note] if result.note else []
    if result.quantity is None:
        notes.append(f"printed as {result.printed}; nobody confirmed it")
    if result.rules.get("frame", "picture") != own.get("frame", "picture"):
        notes.append("counted at 480 x 480, which moves a mean by less than 0.0001")
    return "; ".join(notes)
