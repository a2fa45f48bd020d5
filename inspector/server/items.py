"""What the browser gets of one example: words, numbers, masks as run lengths."""

from __future__ import annotations

from typing import Any

from inspector.core.failures import FAILURE_MODES
from inspector.core.run import Status
from inspector.workspace import Workspace


def example_item(workspace: Workspace, index: int) -> dict[str, Any]:
    """Describe one example with its target, its other objects and every run's prediction.

    Masks are compressed COCO run lengths of the picture's size; the browser draws them.
    """
    dataset = workspace.dataset
    table = dataset.expressions
    image = dataset.images[table.image[index]]
    target = int(table.target[index])
    return {
        "index": index,
        "id": table.ids[index],
        "sentence": table.sentences[index],
        "raw": table.raw[index],
        "category": dataset.category_of(index),
        "image": int(table.image[index]),
        "imageId": image.id,
        "fileName": image.file_name,
        "hasPicture": image.location is not None,
        "size": list(image.size_hw),
        "refId": table.ref_ids[index],
        "sentId": table.sent_ids[index],
        "sampleId": table.sample_ids[index],
        "annId": ";".join(
            dataset.objects.annotation_ids[row] for row in dataset.referent_rows(index)
        ),
        "split": dataset.split_names[table.split[index]],
        "target": dataset.targets.masks.counts(target).decode("ascii") if target >= 0 else None,
        "targetArea": int(dataset.target_areas[index]),
        "hasTruth": bool(dataset.is_scorable[index]),
        "others": _others(workspace, index),
        "othersKnown": dataset.distractors_known,
        "runs": [_run_item(workspace, run, index) for run in range(len(workspace.scores))],
    }


def _others(workspace: Workspace, index: int) -> list[dict[str, Any]]:
    dataset = workspace.dataset
    return [
        {
            "row": row,
            "category": dataset.categories[dataset.objects.category[row]],
            "mask": dataset.objects.masks.counts(row).decode("ascii"),
        }
        for row in dataset.distractor_rows(index)
    ]


def _run_item(workspace: Workspace, run: int, index: int) -> dict[str, Any]:
    scores, scored = workspace.scores[run], workspace.scored[run]
    status = Status(int(scores.status[index]))
    row = int(scores.run.rows[index]) if status == Status.SCORED else -1
    iou = float(scored.iou[index])
    other = int(scores.other[index])
    return {
        "status": status.name.lower(),
        "mask": scores.run.masks.counts(row).decode("ascii") if row >= 0 else None,
        "saysNoTarget": bool(scores.run.says_no_target[index]),
        "iou": iou if iou == iou else None,
        "intersection": int(scores.intersection[index]),
        "union": int(scores.union[index]),
        "predictionArea": int(scores.prediction_area[index]),
        "failure": FAILURE_MODES[scores.failure[index]].key if scores.failure[index] >= 0 else "",
        "reason": scores.run.reasons.get(index, ""),
        "other": other if other >= 0 else None,
        "otherIou": float(scores.other_iou[index]) if other >= 0 else None,
    }
