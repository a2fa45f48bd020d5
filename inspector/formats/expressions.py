"""The sentences that a loader read, put into columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from inspector.core.dataset import ExpressionTable
from inspector.core.errors import FormatError


class ExpressionRow(NamedTuple):
    """One sentence as it was added: ``image`` and ``objects`` are rows of what was added before."""

    image: int
    sentence: str
    raw: str
    sent_id: str
    ref_id: str
    sample_id: str
    objects: tuple[int, ...]
    split: str
    example_id: str
    level: str
    ignored: int


def expression_table(
    rows: Sequence[ExpressionRow], target_of: np.ndarray, split_names: tuple[str, ...], *,
    source: str,
) -> ExpressionTable:
    """Put sentences into columns and number their referents.

    Args:
        rows: One or more.
        target_of: ``(n,)`` int32, row of the target table; -1 without a target.
        split_names: Every split that is named.
        source: Where they were read from, for messages.

    Raises:
        FormatError: If two examples have the same id.
    """
    columns = ExpressionRow(*zip(*rows, strict=True))  # a column a field
    ids = list(columns.example_id)
    if len(set(ids)) != len(ids):
        twice = next(i for i, n in Counter(ids).items() if n > 1)
        raise FormatError(
            f"two examples have the id {twice}; ids must be unique in a data set", path=source
        )
    keys = [
        ("ref", row.ref_id) if row.ref_id else
        ("sample", row.sample_id) if row.sample_id else
        ("target", row.image, int(target)) if target >= 0 else
        ("example", row.example_id)
        for row, target in zip(rows, target_of, strict=True)
    ]
    number = {key: row for row, key in enumerate(dict.fromkeys(keys))}
    split_row = {name: row for row, name in enumerate(split_names)}
    return ExpressionTable(
        ids=ids,
        sentences=list(columns.sentence),
        raw=list(columns.raw),
        sent_ids=list(columns.sent_id),
        ref_ids=list(columns.ref_id),
        sample_ids=list(columns.sample_id),
        image=np.array(columns.image, np.int32),
        target=target_of,
        referent=np.array([number[key] for key in keys], np.int32),
        split=np.array([split_row[name] for name in columns.split], np.int32),
        levels=list(columns.level),
        ignored=np.array(columns.ignored, np.int32),
    )
