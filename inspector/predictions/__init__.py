"""Predictions on disk -> :class:`~inspector.core.run.Run`, aligned to a data set.

Each format is one module with ``looks_like`` and ``read``, and one line in
:data:`PREDICTION_FORMATS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from inspector.core.columns import read_masks
from inspector.core.dataset import Dataset
from inspector.core.errors import (
    FormatError,
    InspectorError,
    SizeMismatchError,
    UsageError,
    printable,
)
from inspector.core.mask import Mask
from inspector.core.problems import ProblemLog
from inspector.core.run import Run, Status
from inspector.paths import user_path
from inspector.predictions import jsonl, mask_folder
from inspector.predictions.align import Alignment, align
from inspector.predictions.mask_folder import MaskPicture
from inspector.predictions.records import PredictionRecord


@dataclass(frozen=True, slots=True)
class PredictionFormat:
    """One way in which predictions are stored."""

    key: str
    label: str
    description: str
    looks_like: Callable[[Path], bool]
    read: Callable[[Path, Dataset, ProblemLog], Iterator[PredictionRecord]]


PREDICTION_FORMATS: tuple[PredictionFormat, ...] = (
    PredictionFormat(
        "mask-folder", "Mask pictures", "a folder of PNG files named by sent_id or example_id",
        mask_folder.looks_like, mask_folder.read,
    ),
    PredictionFormat(
        "jsonl", "Inspector JSON Lines", "one prediction a line, masks as run lengths",
        jsonl.looks_like, jsonl.read,
    ),
)


def parse_run_option(value: str) -> tuple[str, Path]:
    """Split ``NAME=PATH``; without a name (or if it has a ``/``), the file's stem is the name."""
    name, equals, rest = value.partition("=")
    if equals and name and "/" not in name:
        return printable(name), user_path(rest)
    path = user_path(value)
    stem = path.resolve().stem if path.name in ("", ".", "..") else path.stem
    return printable(stem), path


def load_run(dataset: Dataset, path: Path, *, name: str) -> Run:
    """Load predictions and align them to the examples of a data set.

    Raises:
        UsageError: If there is no such file or folder, or its format is not known.
        FormatError: If it is cut off, holds no prediction, or none that belongs to the data set.
    """
    if not path.exists():
        raise UsageError(f"There are no predictions at {path}: no such file or folder.")
    fmt = next((fmt for fmt in PREDICTION_FORMATS if fmt.looks_like(path)), None)
    if fmt is None:
        known = "; ".join(f"{fmt.label} ({fmt.description})" for fmt in PREDICTION_FORMATS)
        raise FormatError("is not a known file of predictions", path=path, hint=f"Known: {known}.")
    log = ProblemLog()
    try:
        records = list(fmt.read(path, dataset, log))
    except OSError as error:
        raise FormatError(f"cannot be read ({error.strerror})", path=path) from error
    alignment = align(dataset, records, log)
    if not alignment.record_of and not alignment.reasons:
        raise FormatError(
            f"none of its {len(records):,} predictions belongs to an example of {dataset.name} "
            f"(split {dataset.split}): the first names {_names(records[0])}, the first example "
            f"here is {dataset.expressions.ids[0]}",
            path=path,
            hint="Check --split and --split-by, or that the file was made on this data set.",
        )
    return _make_run(dataset, records, alignment, log, name=name, source=path, key=fmt.key)


def _names(record: PredictionRecord) -> str:
    return " and ".join(f"{key} {value[:40]}" for key, value in record.ids.items())


def _make_run(
    dataset: Dataset, records: list[PredictionRecord], alignment: Alignment, log: ProblemLog, *,
    name: str, source: Path, key: str,
) -> Run:
    status = np.full(len(dataset), Status.MISSING, np.int8)
    rows = np.full(len(dataset), -1, np.int32)
    no_target = np.zeros(len(dataset), bool)
    reasons = dict(alignment.reasons)
    status[list(reasons)] = Status.INVALID
    examples = sorted(alignment.record_of)
    sizes = [dataset.images[dataset.expressions.image[e]].size_hw for e in examples]
    values, faults = [], {}
    for place, (example, size) in enumerate(zip(examples, sizes, strict=True)):
        mask = records[alignment.record_of[example]].mask
        no_target[example] = mask is None
        try:
            values.append(_resolve(mask, size))
        except InspectorError as error:
            faults[place] = error
            values.append(Mask.empty(size))
    masks, broken = read_masks(values, sizes)
    faults.update(broken)
    for place, example in enumerate(examples):
        if place not in faults:
            status[example], rows[example] = Status.SCORED, place
            continue
        record = records[alignment.record_of[example]]
        reason = str(faults[place])
        reason = reason[:1].upper() + reason[1:] + ("" if reason.endswith(".") else ".")
        status[example], reasons[example] = Status.INVALID, reason
        differs = isinstance(faults[place], SizeMismatchError)
        log.add(
            "size-mismatch" if differs else "broken-prediction", "error",
            record.where, f"Example {dataset.expressions.ids[example]}: {reason}",
        )
    return Run(
        name=name, source=printable(str(source)), format=key, status=status, rows=rows, masks=masks,
        says_no_target=no_target, reasons=reasons, duplicate=alignment.duplicate,
        unmatched=alignment.unmatched, alignment=alignment.describe(), problems=log.close(),
    )


def _resolve(mask: object, size_hw: tuple[int, int]) -> object:
    """Turn "no target" into the empty mask and a picture into a mask; leave the rest as it is."""
    if mask is None:
        return Mask.empty(size_hw)
    return mask.read(size_hw) if isinstance(mask, MaskPicture) else mask
