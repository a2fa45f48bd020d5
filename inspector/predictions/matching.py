"""Matches the records of a whole file to examples: by keys, else by their order."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from inspector.core.dataset import Dataset
from inspector.core.errors import FormatError
from inspector.core.problems import ProblemLog
from inspector.predictions.align import Alignment, align
from inspector.predictions.foreign import Elsewhere, Origins, are_many, list_leftovers, recognise
from inspector.predictions.records import PredictionRecord
from inspector.predictions.row_order import align_in_order, has_order_alone


def align_records(
    dataset: Dataset, path: str | Path, records: Sequence[PredictionRecord], log: ProblemLog,
    elsewhere: Elsewhere,
) -> tuple[Alignment, bool]:
    """Align by keys, else by order; say where leftovers belong.

    Args:
        dataset: The ground truth.
        path: Where the records were read from, for messages.
        records: All of them; they are looked at, but not their masks.
        log: Takes what is wrong.
        elsewhere: Gives other splits and data sets, asked only if much is left over.

    Returns:
        The alignment, and whether it rests on the order of the records alone.

    Raises:
        FormatError: If no record belongs to the data set.
    """
    alignment, in_order, why_not = align(dataset, records, log), False, ""
    if not alignment.record_of and not alignment.reasons and has_order_alone(records):
        ordered = align_in_order(dataset, records)
        if isinstance(ordered, str):
            why_not = f"; {ordered}"
        else:
            alignment, in_order = ordered, True
    origins = Origins()
    if alignment.leftover and are_many(alignment, records):
        origins = recognise(dataset, records, alignment, elsewhere)
    if not records or alignment.record_of or alignment.reasons:
        list_leftovers(records, alignment, origins, log)
        return alignment, in_order
    belongs = f"; they belong: {origins.describe()}" if origins.rows else ""
    raise FormatError(
        f"none of its {len(records):,} predictions belongs to an example of {dataset.name} "
        f"(split {dataset.split}): the first names {_names(records[0])}, the first example "
        f"here is {dataset.expressions.ids[0]}{why_not}{belongs}",
        path=path,
        hint="Load that split or data set instead (--split, --split-by)." if belongs else
        records[0].advice or _misnamed(dataset, records[0])
        or "Check --split and --split-by, or that the file was made on this data set.",
    )


def _misnamed(dataset: Dataset, record: PredictionRecord) -> str:
    """Say that an id of an example stands under another key, or nothing."""
    return next((
        f"{value[:40]} is an example's id here: write it under the key example_id, not {key}."
        for key, value in record.ids.items() if value in dataset.index_of
    ), "")


def _names(record: PredictionRecord) -> str:
    return " and ".join(f"{key} {value[:40]}" for key, value in record.ids.items()) or "no key"
