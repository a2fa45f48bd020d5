"""Predictions that were made for another split or another data set: recognised by their ids."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from inspector.core.dataset import Dataset
from inspector.core.errors import InspectorError
from inspector.core.problems import ProblemLog
from inspector.predictions.align import Alignment, Claim, claim_of
from inspector.predictions.index import ExampleIndex
from inspector.predictions.records import PredictionRecord

Elsewhere = Callable[[], Iterable[Dataset]]
"""Gives other splits and data sets that lie beside the loaded one, when it is asked for them."""

_MANY = 0.1  # share of the records from which it is worth to load other splits
_FEW = 3
_ENOUGH = 0.5  # share of the leftovers that must be known elsewhere before that place is named


def are_many(alignment: Alignment, records: Sequence[PredictionRecord]) -> bool:
    """Say whether so much is left over that it may belong to another split."""
    count = len(alignment.leftover)
    return not alignment.record_of or (count >= _FEW and count >= _MANY * len(records))


def recognise(
    records: Sequence[PredictionRecord], alignment: Alignment, elsewhere: Elsewhere
) -> dict[str, list[int]]:
    """Find out where the leftover records belong.

    Returns:
        Their rows by the name of a split, such as ``refcoco (unc), split testA``. Each record is
        counted once, for the first data set that has it. Empty unless at least half are found.
    """
    found: dict[str, list[int]] = {}
    left = dict.fromkeys(alignment.leftover)
    try:
        for dataset in elsewhere():
            index = ExampleIndex(dataset)
            for row in list(left):
                claim = claim_of(index, records[row])
                if isinstance(claim, Claim) and len(claim.examples) == 1:
                    found.setdefault(_name(dataset, claim.examples[0]), []).append(row)
                    del left[row]
            if not left:
                break
    except InspectorError:
        pass  # another split that cannot be loaded cannot help
    known = sum(len(rows) for rows in found.values())
    return found if known >= _ENOUGH * len(alignment.leftover) else {}


def _name(dataset: Dataset, example: int) -> str:
    split_by = f" ({dataset.split_by})" if dataset.split_by else ""
    split = dataset.split_names[dataset.expressions.split[example]]
    return f"{dataset.name}{split_by}, split {split}"


def describe(found: dict[str, list[int]]) -> str:
    """Say in words where records belong."""
    counts = Counter({name: len(rows) for name, rows in found.items()})
    return " and ".join(f"{count:,} to {name}" for name, count in counts.most_common(4))


def list_leftovers(
    records: Sequence[PredictionRecord], alignment: Alignment, found: dict[str, list[int]],
    log: ProblemLog,
) -> None:
    """List the records that belong to no example: those of another split as one entry each."""
    for name, rows in found.items():
        log.add("other-split", "warning", records[rows[0]].where,
                f"{len(rows):,} predictions belong to {name}, which is not loaded.",
                count=len(rows))
    known = {row for rows in found.values() for row in rows}
    for row, said in alignment.leftover.items():
        if row in known:
            continue
        code = "extra-file" if records[row].is_file else "unmatched-prediction"
        log.add(code, "warning", records[row].where, f"No example has {said}.")
