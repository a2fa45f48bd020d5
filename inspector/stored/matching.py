"""Which example of the data set a row of a table belongs to."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from inspector.core.dataset import Dataset

if TYPE_CHECKING:
    import pyarrow as pa

_MOST_PIECES = 32


class Places:
    """Finds the places of example ids; quick where they stand in the data set's own order."""

    def __init__(self, dataset: Dataset) -> None:
        import pyarrow as pa

        self._dataset = dataset
        self._ids = pa.array(dataset.expressions.ids, pa.string())
        self._ordered = np.flatnonzero(dataset.is_scorable)  # a table has no row of the others
        self._ordered_ids = self._ids.take(pa.array(self._ordered))
        self._rank = np.cumsum(dataset.is_scorable) - 1

    def find(self, ids: pa.StringArray, runs: np.ndarray) -> tuple[np.ndarray, bool]:
        """Give the place of each id, -1 of an unknown one.

        Args:
            ids: ``k`` example ids.
            runs: ``(k,)``, the same number for rows of one run.

        Returns:
            ``(k,)`` int64, and whether no place can stand there twice in one run.
        """
        cuts = [0, *(np.flatnonzero(np.diff(runs)) + 1).tolist(), len(runs)]
        if len(cuts) <= _MOST_PIECES and len(runs):
            found = [self._in_order(ids[a:b]) for a, b in zip(cuts[:-1], cuts[1:], strict=True)]
            if all(piece is not None for piece in found):
                alone = len(np.unique(runs[cuts[:-1]])) == len(found)
                return np.concatenate([p for p in found if p is not None]), alone
        return self._anywhere(ids), False

    def _in_order(self, ids: pa.StringArray) -> np.ndarray | None:
        place = self._dataset.index_of.get(ids[0].as_py())
        if place is None or not self._dataset.is_scorable[place]:
            return None
        rank = int(self._rank[place])
        if not ids.equals(self._ordered_ids.slice(rank, len(ids))):
            return None
        return self._ordered[rank : rank + len(ids)]

    def _anywhere(self, ids: pa.StringArray) -> np.ndarray:
        import pyarrow as pa
        import pyarrow.compute as pc

        found = pc.index_in(ids, value_set=self._ids).cast(pa.int64()).fill_null(-1)
        return np.asarray(found.to_numpy(zero_copy_only=False))


class Objects:
    """Finds the objects of the data set that a table names by annotation id."""

    def __init__(self, dataset: Dataset) -> None:
        self._dataset = dataset

    @cached_property
    def _ids(self) -> pa.StringArray:
        import pyarrow as pa

        return pa.array(self._dataset.objects.annotation_ids, pa.string())

    def find(self, ids: pa.StringArray, places: np.ndarray) -> np.ndarray:
        """Give the row of the object of each example's picture; -1 for none, -2 if unknown."""
        import pyarrow as pa
        import pyarrow.compute as pc

        named = np.asarray(pc.fill_null(pc.not_equal(ids, ""), False)
                           .to_numpy(zero_copy_only=False))
        rows = np.full(len(ids), -1, np.int64)
        chosen = np.flatnonzero(named)
        if not len(chosen):
            return rows
        asked = ids.take(pa.array(chosen))
        found = pc.index_in(asked, value_set=self._ids).cast(pa.int64()).fill_null(-2)
        rows[chosen] = found.to_numpy(zero_copy_only=False)
        objects, image = self._dataset.objects, self._dataset.expressions.image[places]
        elsewhere = np.flatnonzero((rows >= 0) & (objects.image[np.maximum(rows, 0)] != image))
        for row in elsewhere.tolist():  # the same id in several pictures
            begin, end = objects.begin[image[row] : image[row] + 2].tolist()
            own = objects.annotation_ids[begin:end]
            name = ids[row].as_py()
            rows[row] = begin + own.index(name) if name in own else -2
        return rows
