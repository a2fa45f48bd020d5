"""Columns for Arrow straight from their bytes.

``pyarrow.array`` imports pandas to ask whether it was given something of it, which takes longer
than to score a thousand examples; and it looks at every value.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

_TYPES = {"b": pa.bool_(), "i": pa.int64(), "u": pa.int64(), "f": pa.float64()}
_DTYPES = {pa.int64(): np.int64, pa.float64(): np.float64}


def text_column(values: Sequence[str]) -> pa.Array:
    """Make a column of text.

    Example:
        >>> text_column(["cup", "", "tasse à thé"]).to_pylist()
        ['cup', '', 'tasse à thé']
    """
    joined = "".join(values)
    content = joined.encode()
    if len(content) == len(joined):
        lengths = [len(value) for value in values]
    else:
        lengths = [len(value.encode()) for value in values]
    ends = np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)
    if int(ends[-1]) > np.iinfo(np.int32).max:
        return pa.array(values, pa.string())  # as several chunks
    return pa.Array.from_buffers(
        pa.string(), len(values),
        [None, pa.py_buffer(ends.astype(np.int32).tobytes()), pa.py_buffer(content)],
    )


def choice_column(names: Sequence[str], rows: np.ndarray) -> pa.Array:
    """Make a column of text that has one of a few names in every row.

    Args:
        names: The names.
        rows: ``(n,)`` int, which of them; -1 is the last.

    Example:
        >>> choice_column(["dog", "cup", ""], np.array([1, -1, 1])).to_pylist()
        ['cup', '', 'cup']
    """
    return text_column([names[row] for row in rows.tolist()])


def number_column(values: np.ndarray, *, empty: np.ndarray | None = None) -> pa.Array:
    """Make a column of bool, int64 or float64.

    Args:
        values: ``(n,)`` of any boolean, integer or floating type.
        empty: ``(n,)`` bool, where the column has no value; everywhere a value if None.

    Example:
        >>> number_column(np.array([1, 2]), empty=np.array([False, True])).to_pylist()
        [1, None]
    """
    kind = _TYPES[values.dtype.kind]
    if kind == pa.bool_():
        content = np.packbits(values, bitorder="little")
    else:
        content = values.astype(_DTYPES[kind])
    there = None
    if empty is not None and empty.any():
        there = pa.py_buffer(np.packbits(~empty, bitorder="little").tobytes())
    return pa.Array.from_buffers(
        kind, len(values), [there, pa.py_buffer(content.tobytes())],
    )
