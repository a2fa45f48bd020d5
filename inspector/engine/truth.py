"""The ground truth as plain columns, which every worker is given once."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, replace

import numpy as np

from inspector.core.dataset import Dataset
from inspector.core.errors import InspectorError
from inspector.snapshots.packing import Packed, PackingError, pack, unpack

_KEPT: OrderedDict[str, Dataset] = OrderedDict()
"""What this process has unpacked; one data set is scored at a time, so that one is enough."""



@dataclass(frozen=True, slots=True, eq=False)
class PackedTruth:
    """A data set as it travels: no object of ours, only numbers and JSON text.

    Attributes:
        digest: Changes with anything of it.
        kinds: What each blob is, as JSON text.
        blobs: The JSON text of the tree and then the content of each array, as ``uint8``: workers
            of one machine look at the same memory.
    """

    digest: str
    kinds: tuple[tuple[str, tuple[int, ...]], ...]
    blobs: tuple[np.ndarray, ...]

    @property
    def size(self) -> int:
        """In bytes."""
        return sum(blob.nbytes for blob in self.blobs)


def pack_truth(dataset: Dataset) -> PackedTruth:
    """Take a data set apart, without the words, which scoring does not look at."""
    n, words = len(dataset), dataset.expressions
    nothing = [""] * n
    bare = replace(
        dataset, problems=(), doubled={}, unreadable={},
        expressions=replace(
            words, sentences=nothing, raw=nothing, sent_ids=nothing, ref_ids=nothing,
            sample_ids=nothing, levels=nothing,
        ),
    )
    packed = pack(bare)
    blobs = [packed.tree.encode(), *packed.blobs]
    return PackedTruth(
        packed.digest, packed.kinds, tuple(np.frombuffer(blob, np.uint8) for blob in blobs)
    )


def is_unpacked(digest: str) -> bool:
    """Say whether this process has the data set already."""
    return digest in _KEPT


def unpack_truth(packed: PackedTruth) -> Dataset:
    """Put a data set together again, once a process.

    Raises:
        InspectorError: If another version of the program has packed it.
    """
    if packed.digest not in _KEPT:
        _KEPT.clear()
        tree, *blobs = packed.blobs
        try:
            _KEPT[packed.digest] = unpack(Packed(
                tree.tobytes().decode(), packed.kinds, tuple(blob.data for blob in blobs)
            ))
        except PackingError as error:
            raise InspectorError(
                f"The data set did not arrive as it was sent ({error}). Install the same version "
                "of the inspector on every machine."
            ) from error
    return _KEPT[packed.digest]
