"""Scores as an Arrow table: one row an example and run, the columns of the contract."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from inspector.core.failures import FAILURE_MODES
from inspector.core.protocol import Protocol, apply_protocol
from inspector.core.run import Status
from inspector.core.scores import Scores

STATUS_NAMES = np.array([status.name.lower() for status in Status], object)

COLUMNS = (
    "example_id", "image_id", "file_name", "ref_id", "ann_id", "sent_id", "sample_id", "sentence",
    "category", "run", "status", "intersection", "union", "iou", "target_area", "prediction_area",
    "failure", "raw", "split", "other_ann_id", "other_category", "other_iou", "level", "evidence",
    "box_iou", "box_x", "box_y", "box_width", "box_height",
)
"""Names of the columns that every table has, in their order."""


def score_table(scores: Sequence[Scores], protocol: Protocol) -> pa.Table:
    """Write the scores of several runs on one data set as one table.

    ``boundary_iou`` follows where the boundaries of every run were measured.
    ``iou``, ``intersection`` and ``union`` are empty where a ``skip`` rule leaves the example
    out, and in a run of boxes; the counts also where the file states an IoU alone;
    ``prediction_area`` where no pixels were predicted. Examples whose ground truth
    cannot be read have no row.
    """
    with_boundary = all(run.shapes is not None for run in scores)
    return pa.concat_tables([_one_run(run, protocol, with_boundary) for run in scores])


def _one_run(scores: Scores, protocol: Protocol, with_boundary: bool) -> pa.Table:
    dataset = scores.dataset
    scored = apply_protocol(scores, protocol)
    chosen = np.flatnonzero(scores.status != Status.NO_TRUTH)
    left_out = ~scored.counts[chosen]
    uncounted = left_out | scored.is_stated[chosen]
    table = dataset.expressions
    images = [dataset.images[row] for row in table.image[chosen].tolist()]
    ids = dataset.objects.annotation_ids

    def picked(values: list[str]) -> list[str]:
        return [values[index] for index in chosen.tolist()]

    others = scores.other[chosen].tolist()
    keys = np.array([mode.key for mode in FAILURE_MODES], object)
    columns = {
        "example_id": picked(table.ids),
        "image_id": [image.id for image in images],
        "file_name": [image.file_name for image in images],
        "ref_id": picked(table.ref_ids),
        "ann_id": [
            ";".join(ids[row] for row in dataset.referent_rows(index)) for index in chosen.tolist()
        ],
        "sent_id": picked(table.sent_ids),
        "sample_id": picked(table.sample_ids),
        "sentence": picked(table.sentences),
        "category": [dataset.category_of(index) for index in chosen.tolist()],
        "run": pa.array([scores.run.name] * len(chosen), pa.string()),
        "status": pa.array(STATUS_NAMES[scores.status[chosen]], pa.string()),
        "intersection": pa.array(scores.intersection[chosen], mask=uncounted),
        "union": pa.array(scores.union[chosen], mask=uncounted),
        "iou": pa.array(scored.iou[chosen], pa.float64(), mask=left_out),
        "target_area": pa.array(scores.target_area[chosen]),
        "prediction_area": pa.array(
            scores.prediction_area[chosen], mask=scores.prediction_area[chosen] < 0
        ),
        "failure": pa.array(keys[scores.failure[chosen]], pa.string()),
        "raw": picked(table.raw),
        "split": [dataset.split_names[row] for row in table.split[chosen].tolist()],
        "other_ann_id": [ids[row] if row >= 0 else "" for row in others],
        "other_category": [
            dataset.categories[dataset.objects.category[row]] if row >= 0 else "" for row in others
        ],
        "other_iou": pa.array(scores.other_iou[chosen], mask=scores.other[chosen] < 0),
        "level": picked(table.levels),
        "evidence": [scores.run.evidence(index) for index in chosen.tolist()],
        "box_iou": pa.array(scored.box_iou[chosen], mask=np.isnan(scored.box_iou[chosen])),
        **_boxes(scores, chosen),
    }
    if with_boundary:
        boundary = scored.boundary_iou[chosen]
        columns["boundary_iou"] = pa.array(boundary, mask=np.isnan(boundary))
    return pa.table({  # a list is text, also where it has no row to show it
        name: pa.array(values, pa.string()) if isinstance(values, list) else values
        for name, values in columns.items()
    })


def _boxes(scores: Scores, chosen: np.ndarray) -> dict[str, pa.Array]:
    """Give the predicted boxes as columns, empty where there is none."""
    boxes = scores.run.boxes_xywh
    boxes = np.full((len(chosen), 4), np.nan) if boxes is None else boxes[chosen]
    return {
        f"box_{name}": pa.array(boxes[:, place], mask=np.isnan(boxes[:, place]))
        for place, name in enumerate(("x", "y", "width", "height"))
    }
