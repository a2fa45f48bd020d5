"""Predictions that were made for another split or another data set: recognised by their ids."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from inspector.core.dataset import Dataset
from inspector.core.problems import ProblemLog
from inspector.predictions.align import Alignment, Claim, claim_of
from inspector.predictions.index import ExampleIndex, letters
from inspector.predictions.records import PredictionRecord

Elsewhere = Callable[[], Iterable[Dataset]]
"""Gives other splits and data sets that lie beside the loaded one, when it is asked for them."""

_MANY = 0.1  # share of the records from which it is worth to load other splits
_FEW = 3
_ENOUGH = 0.5  # share of the leftovers that must be known elsewhere before that place is named


@dataclass(frozen=True, slots=True)
class Origins:
    """Where leftover records belong.

    Attributes:
        rows: Their rows by the name of a split, such as ``refcoco (unc), split testA``; each
            counted once, for the first data set that has it.
        doubtful: What speaks against the records that fitted, as a sentence; or empty.
    """

    rows: dict[str, list[int]] = field(default_factory=dict)
    doubtful: str = ""

    def describe(self) -> str:
        """Say in words where records belong."""
        counts = Counter({name: len(rows) for name, rows in self.rows.items()})
        return " and ".join(f"{count:,} to {name}" for name, count in counts.most_common(4))


def are_many(alignment: Alignment, records: Sequence[PredictionRecord]) -> bool:
    """Say whether so much is left over that it may belong to another split."""
    count = len(alignment.leftover)
    return not alignment.record_of or (count >= _FEW and count >= _MANY * len(records))


def recognise(
    loaded: Dataset, records: Sequence[PredictionRecord], alignment: Alignment,
    elsewhere: Elsewhere,
) -> Origins:
    """Find out where the leftover records belong; nothing unless at least half are found."""
    found: dict[str, list[int]] = {}
    left = dict.fromkeys(alignment.leftover)
    doubtful = ""
    for dataset in elsewhere():
        index = ExampleIndex(dataset)
        before = len(left)
        for row in list(left):
            example = _only_example(index, records[row])
            if example is not None:
                found.setdefault(_name(dataset, example), []).append(row)
                del left[row]
        if before - len(left) >= _ENOUGH * len(alignment.leftover):
            doubtful = doubtful or _fit_twice(loaded, dataset, index, records, alignment)
        if not left:
            break
    known = sum(len(rows) for rows in found.values())
    return Origins(found, doubtful) if known >= _ENOUGH * len(alignment.leftover) else Origins()


def _only_example(index: ExampleIndex, record: PredictionRecord) -> int | None:
    claim = claim_of(index, record)
    is_one = isinstance(claim, Claim) and len(claim.examples) == 1
    return claim.examples[0] if isinstance(claim, Claim) and is_one else None


def _fit_twice(
    loaded: Dataset, other: Dataset, index: ExampleIndex, records: Sequence[PredictionRecord],
    alignment: Alignment,
) -> str:
    """Say how many records that fit here mean something else where most of the file belongs."""
    count, name = 0, ""
    for example, row in alignment.record_of.items():
        there = _only_example(index, records[row])
        if there is not None and _said(loaded, example) != _said(other, there):
            count, name = count + 1, _name(other, there)
    return count and (
        f"{count:,} predictions fit an example here and another one of {name}, where most of the "
        "file belongs: their ids are not unique, so they were probably matched by chance. Write "
        "the sentence or image_id beside the id."
    ) or ""


def _said(dataset: Dataset, example: int) -> tuple[str, str]:
    table = dataset.expressions
    return dataset.images[int(table.image[example])].id, letters(table.sentences[example])


def _name(dataset: Dataset, example: int) -> str:
    split_by = f" ({dataset.split_by})" if dataset.split_by else ""
    split = dataset.split_names[dataset.expressions.split[example]]
    return f"{dataset.name}{split_by}, split {split}"


def list_leftovers(
    records: Sequence[PredictionRecord], alignment: Alignment, origins: Origins, log: ProblemLog
) -> None:
    """List the records that belong to no example: those of another split as one entry each."""
    if origins.doubtful:
        log.add("other-split", "error", "", origins.doubtful)
    for name, rows in origins.rows.items():
        log.add("other-split", "warning", records[rows[0]].where,
                f"{len(rows):,} predictions belong to {name}, which is not loaded.",
                count=len(rows))
    known = {row for rows in origins.rows.values() for row in rows}
    for row, said in alignment.leftover.items():
        if row in known:
            continue
        code = "extra-file" if records[row].is_file else "unmatched-prediction"
        log.add(code, "warning", records[row].where,
                f"No example has {said}. {records[row].advice}".rstrip())
