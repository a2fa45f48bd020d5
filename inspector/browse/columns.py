"""What filters and orders know of examples and runs: one row an example, in their own order."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from inspector.analysis.pictures import count_same_category
from inspector.core.dataset import Dataset
from inspector.core.failures import FAILURE_MODES, TEACHING_RANKS
from inspector.stored.rows_file import STATUS_RANKS, bin_iou
from inspector.truths.results import TruthPair
from inspector.workspace import Workspace

RUN_COLUMNS = ("status_rank", "iou", "iou_bin", "teaching_rank", "failure", "prediction_area")
"""What is known of an example in one run."""


def example_columns(dataset: Dataset) -> dict[str, Any]:
    """What filters and orders know of the examples themselves."""
    import pyarrow as pa

    table = dataset.expressions
    n = len(dataset)
    kinds, kind = _kinds(dataset)
    categories, above = (
        pa.array(values, pa.list_(pa.string())).take(pa.array(kind))
        for values in zip(*kinds, strict=True)
    )
    folded = [" ".join(text.split()).casefold() for text in table.sentences]
    return {
        "place": np.arange(n, dtype=np.int32),
        "sentence": table.sentences,
        "folded": folded,
        "sentence_rank": _ranks(folded),
        "words": np.array([len(text.split()) for text in folded], np.int32),
        "categories": categories,
        "supercategories": above,
        "category_rank": _ranks([";".join(names) for names, _ in kinds])[kind],
        "target_area": dataset.target_areas,
        "same": np.maximum(count_same_category(dataset), 0),
        "image_row": table.image,
        "image_id": _each([image.id for image in dataset.images], table.image),
        "referent": table.referent,
        "ref_id": [ref or sample for ref, sample in zip(table.ref_ids, table.sample_ids,
                                                        strict=True)],
        "split": _each(list(dataset.split_names), table.split),
    }


def second_columns(pair: TruthPair | None, n: int) -> dict[str, Any]:
    """What they know of a second ground truth; nothing known where there is none."""
    import pyarrow as pa

    names = (
        "truth_iou", "truth_boundary", "truth_ratio", "truth_shift", "truth_parts", "truth_holes",
    )
    if pair is None:
        return {name: pa.nulls(n, pa.float64()) for name in names}
    shapes, row = pair.shapes, pair.row_of_example
    parts = shapes.parts_gained + shapes.parts_lost
    holes = shapes.holes_b.astype(np.int64) - shapes.holes_a
    columns = {}
    for name, values in zip(
        names,
        (shapes.iou, shapes.boundary_iou, shapes.area_ratio, shapes.shift, parts, holes),
        strict=True,
    ):
        known = np.where(shapes.is_measured, values.astype(np.float64), np.nan)
        of_example = np.full(n, np.nan)
        of_example[row >= 0] = known[row[row >= 0]]
        columns[name] = pa.array(of_example, mask=~np.isfinite(of_example))
    return columns


def run_columns(workspace: Workspace, row: int) -> dict[str, Any]:
    """What they know of one run."""
    import pyarrow as pa

    scores, scored = workspace.scores[row], workspace.scored[row]
    keys = np.array([mode.key for mode in FAILURE_MODES] + [""], object)
    return {
        "status_rank": STATUS_RANKS[scores.status],
        "iou": pa.array(scored.shown_iou, mask=np.isnan(scored.shown_iou)),
        "iou_bin": pa.array(bin_iou(scored.shown_iou), mask=np.isnan(scored.shown_iou)),
        "teaching_rank": TEACHING_RANKS[scores.failure],
        "failure": pa.array(keys[scores.failure], pa.string()),
        "prediction_area": scores.prediction_area,
    }


def _each(texts: list[str], rows: np.ndarray) -> Any:
    """Give the text of each row as an Arrow column, without a Python object for each."""
    import pyarrow as pa

    return pa.array(texts, pa.string()).take(pa.array(rows))


def _kinds(dataset: Dataset) -> tuple[list[tuple[list[str], list[str]]], np.ndarray]:
    """Give the different sets of categories and supercategories, and each example's row in them.

    The first set is the empty one, of examples without a target. Few sets are different, so that
    each is made once.
    """
    targets, categories = dataset.targets, dataset.objects.category
    begin = targets.begin.tolist()
    codes = categories[targets.objects].tolist()
    number: dict[tuple[int, ...], int] = {(): 0}
    of_target = np.array(
        [number.setdefault(tuple(codes[first:end]), len(number))
         for first, end in pairwise(begin)] + [0], np.int32,
    )
    kinds = [
        (list(dict.fromkeys(dataset.categories[code] for code in found)),
         list(dict.fromkeys(dataset.supercategories[code] for code in found)))
        for found in number
    ]
    return kinds, of_target[dataset.expressions.target]  # -1 is the last: the empty one


def _ranks(texts: list[str]) -> np.ndarray:
    """Number texts by their alphabetical order, equal ones alike: integers sort faster."""
    number = {text: rank for rank, text in enumerate(sorted(set(texts)))}
    return np.array([number[text] for text in texts], np.int32)
