"""What the browser gets of one example: words, numbers, masks as run lengths."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from inspector.browse import Browser
from inspector.care import CareWords, read_care_words
from inspector.core.boundary import measure_boundary
from inspector.core.failures import FAILURE_MODES
from inspector.core.ignored import counted_mask
from inspector.core.run import Status
from inspector.workspace import Workspace


class Items:
    """Describes examples of one workspace; safe for several threads.

    Masks are compressed COCO run lengths of the picture's size; the browser draws them.
    """

    def __init__(
        self, workspace: Workspace, browser: Browser, care: CareWords | None = None
    ) -> None:
        self._workspace = workspace
        self._care = care or read_care_words()
        self._browser = browser
        self._boundary = lru_cache(maxsize=4096)(self._measure_boundary)

    def whole(self, index: int) -> dict[str, Any]:
        """Everything that the viewer shows of one example, with every run's prediction."""
        dataset = self._workspace.dataset
        table = dataset.expressions
        image = dataset.images[table.image[index]]
        target = int(table.target[index])
        return {
            "index": index,
            "id": table.ids[index],
            "sentence": table.sentences[index],
            "raw": table.raw[index],
            "sensitive": self._care.match(table.sentences[index]),
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
            "target": self._target(index) if target >= 0 else None,
            "targetArea": int(dataset.target_areas[index]),
            "hasTruth": bool(dataset.is_scorable[index]),
            "ignored": self._ignored(index),
            "level": table.levels[index],
            **self._second(index),
            "others": self._others(index),
            "othersKnown": dataset.distractors_known,
            **self._browser.row_values(index),
            **self._of_runs(index),
        }

    def _of_runs(self, index: int) -> dict[str, Any]:
        """What every run says of the example and of those that share its target."""
        found = {
            "siblings": self._sibling_items(index),
            "runs": [self._run(run, index) for run in range(len(self._workspace.scores))],
        }
        if self._workspace.table is not None:  # looking at a number of each run maps megabytes
            self._workspace.table.release()
        return found

    def row(self, index: int, run: int | None, *, masks: bool) -> dict[str, Any]:
        """What tables and tiles show of one example in one run."""
        dataset = self._workspace.dataset
        table = dataset.expressions
        image = dataset.images[table.image[index]]
        row: dict[str, Any] = {
            "place": index,
            "id": table.ids[index],
            "sentence": table.sentences[index],
            "sensitive": self._care.match(table.sentences[index]),
            "category": dataset.category_of(index),
            "image": int(table.image[index]),
            "imageId": image.id,
            "refId": table.ref_ids[index] or table.sample_ids[index],
            "hasPicture": image.location is not None,
            "size": list(image.size_hw),
            "targetArea": int(dataset.target_areas[index]),
            "status": "", "iou": None, "predictionArea": -1, "failureLabel": "",
            **self._browser.row_values(index),
        }
        if run is not None:
            scores = self._workspace.scores[run]
            row |= self._score(run, index)
            failure = int(scores.failure[index])
            row["failureLabel"] = FAILURE_MODES[failure].label if failure >= 0 else ""
            row["predictionArea"] = int(scores.prediction_area[index])
        if masks:
            row["target"] = self._target(index) if table.target[index] >= 0 else None
            row["mask"] = self._prediction(run, index) if run is not None else None
            row["ignored"] = self._ignored(index)
        return row

    def _target(self, index: int) -> str:
        masks = self._workspace.dataset.targets.masks
        return masks.counts(int(self._workspace.dataset.expressions.target[index])).decode("ascii")

    def _second(self, index: int) -> dict[str, Any]:
        """What a second ground truth says of the example: its mask, or that it was dropped."""
        pair = self._workspace.second
        if pair is None:
            return {"second": None, "removed": False}
        other = int(pair.b_of_a[index])
        target = int(pair.b.expressions.target[other]) if other >= 0 else -1
        same_size = target >= 0 and (
            pair.b.targets.masks.sizes_hw[target].tolist()
            == list(self._workspace.dataset.images[
                self._workspace.dataset.expressions.image[index]].size_hw)
        )
        return {
            "second": pair.b.targets.masks.counts(target).decode("ascii") if same_size else None,
            "removed": index in self._removed,
        }

    @cached_property
    def _removed(self) -> frozenset[int]:
        pair = self._workspace.second
        return frozenset(pair.removed.tolist()) if pair else frozenset()

    def _ignored(self, index: int) -> str | None:
        """The region that counts neither for nor against a prediction, if there is one."""
        row = int(self._workspace.dataset.expressions.ignored[index])
        return self._workspace.dataset.ignored.counts(row).decode("ascii") if row >= 0 else None

    def _prediction(self, run: int, index: int) -> str | None:
        scores = self._workspace.scores[run]
        row = int(scores.run.rows[index]) if scores.status[index] == Status.SCORED else -1
        return scores.run.masks.counts(row).decode("ascii") if row >= 0 else None

    def _score(self, run: int, index: int) -> dict[str, Any]:
        iou = self._workspace.shown_iou(run, index)
        status = Status(int(self._workspace.scores[run].status[index]))
        return {"status": status.name.lower(), "iou": iou if iou == iou else None}

    def _run(self, run: int, index: int) -> dict[str, Any]:
        scores = self._workspace.scores[run]
        other = int(scores.other[index])
        failure = int(scores.failure[index])
        return {
            **self._score(run, index),
            **self._box(run, index),
            "evidence": scores.run.evidence(index),
            "mask": self._prediction(run, index),
            "saysNoTarget": bool(scores.run.says_no_target[index]),
            "intersection": int(scores.intersection[index]),
            "union": int(scores.union[index]),
            "predictionArea": int(scores.prediction_area[index]),
            "boundaryIou": self._boundary(run, index),
            "failure": FAILURE_MODES[failure].key if failure >= 0 else "",
            "reason": scores.run.reasons.get(index, ""),
            "other": other if other >= 0 else None,
            "otherIou": float(scores.other_iou[index]) if other >= 0 else None,
        }

    def _box(self, run: int, index: int) -> dict[str, Any]:
        """A predicted box and the target's, in pixels; boxes are their own kind, never masks."""
        scores = self._workspace.scores[run]
        box = scores.run.box_xywh(index)
        if box is None or scores.boxes is None:
            return {"box": None, "targetBox": None, "boxIou": None}
        iou = float(scores.box_iou[index])
        target = scores.boxes.target[index].tolist()
        return {
            "box": list(box),
            "targetBox": target if target[0] == target[0] else None,
            "boxIou": iou if iou == iou else None,
        }

    def _measure_boundary(self, run: int, index: int) -> float | None:
        scores, dataset = self._workspace.scores[run], self._workspace.dataset
        target, row = int(dataset.expressions.target[index]), int(scores.run.rows[index])
        if scores.status[index] != Status.SCORED or target < 0:
            return None
        if row < 0:  # a table of scores may say what was counted
            counted = scores.shapes is not None and scores.shapes.is_measured[index]
            union = int(scores.shapes.boundary_union[index]) if counted else 0
            return int(scores.shapes.boundary_intersection[index]) / union if union else None
        counted = counted_mask(dataset, index, scores.run.masks[row])
        overlap = measure_boundary(counted, dataset.targets.masks[target])
        return overlap.intersection / overlap.union if overlap.union else None

    def _others(self, index: int) -> list[dict[str, Any]]:
        objects, dataset = self._workspace.dataset.objects, self._workspace.dataset
        return [
            {
                "row": row,
                "category": dataset.categories[objects.category[row]],
                "mask": objects.masks.counts(row).decode("ascii"),
            }
            for row in dataset.distractor_rows(index)
        ]

    @cached_property
    def _siblings(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Group of each example, and the places of all examples by group with their groups.

        Examples that share a target are of one group; those without one, if they share a referent.
        """
        table = self._workspace.dataset.expressions
        group = np.where(table.target >= 0, table.target, -1 - table.referent)
        places = np.argsort(group, kind="stable")
        return group, places, group[places]

    def _sibling_places(self, index: int) -> list[int]:
        group, places, groups = self._siblings
        first, end = np.searchsorted(groups, [group[index], group[index] + 1]).tolist()
        found: list[int] = places[first:end].tolist()
        return found

    def _sibling_items(self, index: int) -> list[dict[str, Any]]:
        table = self._workspace.dataset.expressions
        return [
            {
                "place": place,
                "id": table.ids[place],
                "sentence": table.sentences[place],
                "sensitive": self._care.match(table.sentences[place]),
                "runs": [self._score(run, place) for run in range(len(self._workspace.scores))],
            }
            for place in self._sibling_places(index)
        ]
