"""The referents of two ground truths as an Arrow table: one row each, those without partner too."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from inspector.truths.matching import WAYS
from inspector.truths.referents import Referents
from inspector.truths.results import TruthPair


def referent_table(pair: TruthPair) -> pa.Table:
    """Write one row a matched referent, then those only in A, only in B, and ambiguous ones.

    ``found`` is ``matched``, ``only_a``, ``only_b``, ``ambiguous_a`` or ``ambiguous_b``. What
    does not exist is empty: ids of a side that has none, shapes of what was not compared.
    """
    match, shapes = pair.match, pair.shapes
    nobody = np.full(0, -1, np.int32)
    groups = (
        ("matched", match.rows_a, match.rows_b),
        ("only_a", match.only_a, nobody), ("only_b", nobody, match.only_b),
        ("ambiguous_a", match.ambiguous_a, nobody), ("ambiguous_b", nobody, match.ambiguous_b),
    )
    found: list[str] = []
    rows: list[tuple[int, int]] = []
    for name, rows_a, rows_b in groups:
        count = max(len(rows_a), len(rows_b))
        found += [name] * count
        rows += zip(_padded(rows_a, count), _padded(rows_b, count), strict=True)
    side_a, side_b = match.referents_a, match.referents_b
    sides = [(side_a, a) if a >= 0 else (side_b, b) for a, b in rows]
    images = [side.dataset.images[side.image[row]] for side, row in sides]
    kept = np.bincount(
        pair.row_of_example[match.examples_a], minlength=len(match)
    ) if len(match.examples_a) else np.zeros(len(match), np.int64)
    rest = len(rows) - len(match)

    def measured(values: np.ndarray) -> pa.Array:
        unknown = ~shapes.is_measured | np.isnan(values)
        return pa.array(
            np.concatenate([values, np.zeros(rest, values.dtype)]),
            mask=np.concatenate([unknown, np.ones(rest, bool)]),
        )

    ways = list(WAYS)
    columns = {
        "found": found,
        "way": [ways[way] for way in match.way.tolist()] + [""] * rest,
        "image_id": [image.id for image in images],
        "file_name": [image.file_name for image in images],
        "category": [_category(side, row) for side, row in sides],
        **_ids("a", side_a, [a for a, _ in rows]),
        **_ids("b", side_b, [b for _, b in rows]),
        "sentences_a": pa.array(_sentences(side_a, [a for a, _ in rows]), pa.int64()),
        "sentences_b": pa.array(_sentences(side_b, [b for _, b in rows]), pa.int64()),
        "sentences_kept": pa.array([*kept.tolist(), *[0] * rest], pa.int64()),
        "sentence": [
            side.dataset.expressions.sentences[side.examples[row][0]] for side, row in sides
        ],
        "area_a": measured(shapes.area_a), "area_b": measured(shapes.area_b),
        "intersection": measured(shapes.intersection), "union": measured(shapes.union),
        "iou": measured(shapes.iou), "boundary_iou": measured(shapes.boundary_iou),
        "area_ratio": measured(shapes.area_ratio), "boundary_shift": measured(shapes.shift),
        **{
            name: measured(getattr(shapes, name))
            for name in ("parts_a", "parts_b", "parts_gained", "parts_lost", "holes_a", "holes_b")
        },
    }
    return pa.table({
        name: pa.array(values, pa.string()) if isinstance(values, list) else values
        for name, values in columns.items()
    })


def _padded(rows: np.ndarray, count: int) -> list[int]:
    return rows.tolist() if len(rows) else [-1] * count


def _ids(name: str, side: Referents, rows: Sequence[int]) -> dict[str, list[str]]:
    return {
        f"{kind}_{name}": [ids[row] if row >= 0 else "" for row in rows]
        for kind, ids in (
            ("ref_id", side.ref_ids), ("ann_id", side.annotation_ids),
            ("sample_id", side.sample_ids),
        )
    }


def _sentences(side: Referents, rows: Sequence[int]) -> list[int | None]:
    return [len(side.examples[row]) if row >= 0 else None for row in rows]


def _category(side: Referents, row: int) -> str:
    return side.dataset.category_of(side.examples[row][0])
