"""Pixels that count neither for nor against a prediction leave its mask before it is measured."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from inspector.core.columns import MaskColumn, column_of
from inspector.core.dataset import Dataset
from inspector.core.mask import Mask, subtract
from inspector.core.run import Run


def counted_mask(dataset: Dataset, index: int, mask: Mask) -> Mask:
    """Take an example's ignored pixels out of a mask; the mask itself where none are ignored.

    Args:
        dataset: The ground truth.
        index: Place of the example.
        mask: Of the size of the example's picture, ``(H, W)``.

    Raises:
        SizeMismatchError: If the mask is not of the size of the ignored region.
    """
    row = int(dataset.expressions.ignored[index])
    return subtract(mask, dataset.ignored[row]) if row >= 0 else mask


def counted_run(dataset: Dataset, run: Run) -> Run:
    """Take the ignored pixels out of every mask of a run.

    Everything that is measured on the masks (overlap, other objects, boundaries) begins with this
    run, so that an ignored pixel is in no number.

    Returns:
        The run itself where no example of it has an ignored region, as in most data sets. Else a
        run whose ``rows`` lead to the smaller masks; those of other examples stay as they are.
    """
    touched = np.flatnonzero((run.rows >= 0) & (dataset.expressions.ignored >= 0))
    if not len(touched):
        return run
    smaller = column_of([
        counted_mask(dataset, index, run.masks[run.rows[index]]) for index in touched.tolist()
    ])
    rows = run.rows.copy()
    rows[touched] = len(run.masks) + np.arange(len(touched))
    return replace(run, rows=rows, masks=_joined(run.masks, smaller))


def _joined(first: MaskColumn, second: MaskColumn) -> MaskColumn:
    return MaskColumn(
        first.buffer + second.buffer,
        np.concatenate((first.offsets, first.offsets[-1] + second.offsets[1:])),
        np.concatenate((first.sizes_hw, second.sizes_hw)),
        np.concatenate((first.areas, second.areas)),
    )
