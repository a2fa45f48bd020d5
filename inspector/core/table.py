"""Scores as an Arrow table: one row an example and run, the columns of the contract."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields

import numpy as np
import pyarrow as pa

from inspector.core.arrow import choice_column, number_column, text_column
from inspector.core.dataset import Dataset
from inspector.core.failures import FAILURE_MODES
from inspector.core.grounding import ON_TARGET, UNKNOWN
from inspector.core.protocol import Protocol, apply_protocol
from inspector.core.run import EVIDENCE, Status
from inspector.core.scores import Scores

STATUS_NAMES = np.array([status.name.lower() for status in Status], object)

COLUMNS = (
    "example_id", "image_id", "file_name", "ref_id", "ann_id", "sent_id", "sample_id", "sentence",
    "category", "run", "status", "intersection", "union", "iou", "target_area", "prediction_area",
    "failure", "raw", "split", "other_ann_id", "other_category", "other_iou", "level", "evidence",
    "box_iou", "box_x", "box_y", "box_width", "box_height", "marks_nothing", "on_target",
)
"""Names of the columns that every table has, in their order."""


def score_table(
    scores: Sequence[Scores], protocol: Protocol, *, places: np.ndarray | None = None
) -> pa.Table:
    """Write the scores of several runs on one data set as one table.

    ``places`` are those of the examples that are wanted, in their order; all of them if None.
    Where the pixels of every run were measured, the counts of :class:`ShapeScores` and
    ``boundary_iou`` follow. ``on_target`` is empty without a target or a mask.
    ``iou``, ``intersection`` and ``union`` are empty where a ``skip`` rule leaves the example
    out, and in a run of boxes; the counts also where the file states an IoU alone;
    ``prediction_area`` where no pixels were predicted. Examples whose ground truth
    cannot be read have no row.
    """
    with_boundary = all(run.shapes is not None for run in scores)
    return pa.concat_tables([_one_run(run, protocol, with_boundary, places) for run in scores])


def _one_run(
    scores: Scores, protocol: Protocol, with_boundary: bool, places: np.ndarray | None
) -> pa.Table:
    dataset = scores.dataset
    scored = apply_protocol(scores, protocol)
    wanted = np.arange(len(scores.status)) if places is None else places
    chosen = wanted[scores.status[wanted] != Status.NO_TRUTH]
    left_out = ~scored.counts[chosen]
    uncounted = left_out | scored.is_stated[chosen]
    table = dataset.expressions
    images = [dataset.images[row] for row in table.image[chosen].tolist()]
    ids = dataset.objects.annotation_ids

    def picked(values: list[str]) -> list[str]:
        return [values[index] for index in chosen.tolist()]

    others = scores.other[chosen].tolist()
    keys = [mode.key for mode in FAILURE_MODES]
    columns = {
        "example_id": picked(table.ids),
        "image_id": [image.id for image in images],
        "file_name": [image.file_name for image in images],
        "ref_id": picked(table.ref_ids),
        "ann_id": _annotation_ids(dataset, chosen),
        "sent_id": picked(table.sent_ids),
        "sample_id": picked(table.sample_ids),
        "sentence": picked(table.sentences),
        "category": choice_column([*dataset.category_names, ""], dataset.category_codes[chosen]),
        "run": choice_column([scores.run.name], np.zeros(len(chosen), np.int64)),
        "status": choice_column(STATUS_NAMES.tolist(), scores.status[chosen]),
        "intersection": number_column(scores.intersection[chosen], empty=uncounted),
        "union": number_column(scores.union[chosen], empty=uncounted),
        "iou": number_column(scored.iou[chosen], empty=left_out),
        "target_area": number_column(scores.target_area[chosen]),
        "prediction_area": number_column(
            scores.prediction_area[chosen], empty=scores.prediction_area[chosen] < 0
        ),
        "failure": choice_column(keys, scores.failure[chosen]),
        "raw": picked(table.raw),
        "split": choice_column(dataset.split_names, table.split[chosen]),
        "other_ann_id": [ids[row] if row >= 0 else "" for row in others],
        "other_category": [
            dataset.categories[dataset.objects.category[row]] if row >= 0 else "" for row in others
        ],
        "other_iou": number_column(scores.other_iou[chosen], empty=scores.other[chosen] < 0),
        "level": picked(table.levels),
        "evidence": choice_column(EVIDENCE, scores.run.evidence_codes[chosen]),
        "box_iou": number_column(scored.box_iou[chosen], empty=np.isnan(scored.box_iou[chosen])),
        **_boxes(scores, chosen),
        "marks_nothing": number_column(scores.marks_nothing[chosen]),
        "on_target": number_column(
            scores.grounded[chosen] == ON_TARGET, empty=scores.grounded[chosen] == UNKNOWN
        ),
    }
    if with_boundary and scores.shapes is not None:
        shapes = scores.shapes.take(chosen)
        for field in fields(shapes):
            if field.name != "is_measured":
                columns[field.name] = number_column(
                    getattr(shapes, field.name).astype(np.int64), empty=~shapes.is_measured
                )
        boundary = scored.boundary_iou[chosen]
        columns["boundary_iou"] = number_column(boundary, empty=np.isnan(boundary))
    return pa.table({  # a list is text, also where it has no row to show it
        name: text_column(values) if isinstance(values, list) else values
        for name, values in columns.items()
    })


def _annotation_ids(dataset: Dataset, chosen: np.ndarray) -> list[str]:
    """Give the ids of each example's referents, joined by ``;``."""
    ids = dataset.objects.annotation_ids
    joined = [
        ";".join(ids[row] for row in dataset.targets.objects_of(target).tolist())
        for target in range(len(dataset.targets.is_usable))
    ]
    return [joined[t] if t >= 0 else "" for t in dataset.expressions.target[chosen].tolist()]


def _boxes(scores: Scores, chosen: np.ndarray) -> dict[str, pa.Array]:
    """Give the predicted boxes as columns, empty where there is none."""
    boxes = scores.run.boxes_xywh
    boxes = np.full((len(chosen), 4), np.nan) if boxes is None else boxes[chosen]
    return {
        f"box_{name}": number_column(boxes[:, place], empty=np.isnan(boxes[:, place]))
        for place, name in enumerate(("x", "y", "width", "height"))
    }
