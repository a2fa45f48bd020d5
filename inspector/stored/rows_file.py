"""The Parquet file that filters and orders look at: narrow, and run by run in the data set's order.

What a table calls by words stands there as numbers, and what is an example's own is left out: ten
million rows take about 150 MB, and a query reads the columns that it needs.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np

from inspector.core.failures import FAILURE_MODES, TEACHING_RANKS
from inspector.stored.table import KNOWN

_KEYS = [*(mode.key for mode in FAILURE_MODES), ""]


STATUS_RANKS = np.array([1, 0, 2, 3], np.int8)
"""Rank of each :class:`Status` in every order: what was scored comes first."""

IOU_EDGES = tuple(twentieth / 20 for twentieth in range(21))
"""Edges of the bins in which IoU is counted; the last bin holds its upper edge too."""


def bin_iou(iou: np.ndarray) -> np.ndarray:
    """Give the number of the bin of each IoU, ``(n,)`` int8; any of one that is not known.

    Counting numbers that are there takes a tenth of the time of comparing ten million fractions.
    """
    return np.searchsorted(np.array(IOU_EDGES[1:-1]), iou, side="right").astype(np.int8)


class RowsFile:
    """Writes one row group a run.

    Args:
        path: The file.
    """

    def __init__(self, path: Path) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        self._schema = pa.schema([
            ("run", pa.int32()), ("place", pa.int32()), ("status_rank", pa.int8()),
            ("rule", pa.int8()), ("iou", pa.float64()), ("iou_bin", pa.int8()),
            ("failure", pa.dictionary(pa.int8(), pa.string())),
            ("teaching_rank", pa.int8()), ("prediction_area", pa.int64()),
            ("target_area", pa.int64()),
        ])
        self._writer = pq.ParquetWriter(
            path, self._schema, compression="snappy", store_schema=False,
            use_dictionary=["run", "status_rank", "rule", "iou_bin", "failure", "teaching_rank"],
        )

    def __enter__(self) -> RowsFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._writer.close()

    def add(self, run: int, columns: Mapping[str, Any]) -> None:
        """Write the rows of a run: ``(n,)`` status, failure, rule, iou and the areas."""
        import pyarrow as pa

        n = len(columns["status"])
        failure = np.asarray(columns["failure"])
        table = pa.table({
            "run": np.full(n, run, np.int32), "place": np.arange(n, dtype=np.int32),
            "status_rank": STATUS_RANKS[columns["status"]],
            "rule": columns["rule"],
            "iou": pa.array(columns["iou"], mask=np.asarray(columns["rule"]) != KNOWN),
            "iou_bin": pa.array(bin_iou(columns["iou"]), mask=np.asarray(columns["rule"]) != KNOWN),
            "failure": pa.DictionaryArray.from_arrays(
                np.where(failure < 0, len(_KEYS) - 1, failure).astype(np.int8), _KEYS
            ),
            "teaching_rank": TEACHING_RANKS[failure],
            "prediction_area": columns["prediction_area"],
            "target_area": columns["target_area"],
        }, schema=self._schema)
        self._writer.write_table(table, row_group_size=max(n, 1))


