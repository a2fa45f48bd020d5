"""The same predictions counted in the other ways that evaluators count: frames and truths."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from pycocotools import mask as coco

from inspector.core.columns import MaskColumn, column_of
from inspector.core.crops import read_runs, take_masks
from inspector.core.ignored import counted_mask
from inspector.core.mask import Mask, subtract, unite
from inspector.core.overlap import measure_overlap, measure_pairs
from inspector.core.protocol import Protocol, ScoredExamples, apply_protocol
from inspector.core.run import Status
from inspector.core.scores import Scores

Progress = Callable[[int, int], None]
Truth = Literal["union", "once", "ignored"]
Frame = Literal["picture", "square"]

SIDE = 480
"""Pixels of the square frame into which LAVT and ReLA squash every picture."""


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """Exact pixels of every example; ``(n,)`` int64 each. Without a mask U is the target's area."""

    intersection: np.ndarray
    union: np.ndarray
    target_area: np.ndarray
    prediction_area: np.ndarray


@dataclass(frozen=True, slots=True, eq=False)
class Material:
    """One run's scores with its counts by truth and frame; made once, by :func:`gather`.

    ``scored`` are the scores under the default protocol. A pair that is not in ``counts`` cannot
    be counted on this run: its file holds no masks.
    """

    scores: Scores
    scored: ScoredExamples
    counts: Mapping[tuple[Truth, Frame], Counts]


def gather(scores: Scores, *, progress: Progress | None = None) -> Material:
    """Count a run in every truth and frame that an evaluator is known to use.

    Truths: ``union`` is ours. ``once`` cuts out the pixels in which polygons of one object
    overlap, as code does that adds them up and keeps what equals 1 (refer.py's ``getMask`` in
    LAVT). ``ignored`` takes the regions that the data set ignores as part of the target, as code
    does that reads ReasonSeg's 255 as foreground (Seg-Zero, VisionReasoner).

    Frames: ``picture`` is the picture's own; in ``square`` both masks are brought to 480 x 480 by
    nearest neighbour, proportions lost. It is counted on run lengths, with a weight for every
    pixel: how often the resize takes it.
    """
    own = Counts(
        scores.intersection, scores.union, scores.target_area,
        np.maximum(scores.prediction_area, 0),
    )
    scored = apply_protocol(scores, Protocol())
    counts: dict[tuple[Truth, Frame], Counts] = {("union", "picture"): own}
    if (scores.run.rows[scores.status == Status.SCORED] < 0).any():
        return Material(scores, scored, counts)  # nothing to count on but what the file says
    counts["once", "picture"] = _without_doubled(scores, own)
    counts["ignored", "picture"] = _with_ignored(scores, own)
    counts["union", "square"] = _in_square(scores, scores.dataset.targets.masks, progress)
    cut = _cut_targets(scores)
    counts["once", "square"] = (
        counts["union", "square"] if cut is None else _in_square(scores, cut, progress)
    )
    return Material(scores, scored, counts)


def _rows(scores: Scores) -> tuple[np.ndarray, np.ndarray]:
    predicted = np.where(scores.status == Status.SCORED, scores.run.rows, -1)
    target = np.where(scores.status != Status.NO_TRUTH, scores.dataset.expressions.target, -1)
    return predicted, target


def _doubled_of(scores: Scores) -> dict[int, Mask]:
    """Give, by target, the pixels that lie in several polygons of one of its objects."""
    dataset = scores.dataset
    found: dict[int, Mask] = {}
    if not dataset.doubled:
        return found
    for target in range(len(dataset.targets.is_usable)):
        rows = dataset.targets.objects_of(target).tolist()
        parts = [dataset.doubled[row] for row in rows if row in dataset.doubled]
        if parts:
            found[target] = unite(parts)
    return found


def _without_doubled(scores: Scores, own: Counts) -> Counts:
    doubled = _doubled_of(scores)
    if not doubled:
        return own
    intersection, target_area = own.intersection.copy(), own.target_area.copy()
    predicted, target = _rows(scores)
    for index in np.flatnonzero(np.isin(target, list(doubled))).tolist():
        hole = doubled[int(target[index])]
        truth = scores.dataset.targets.masks[target[index]]
        target_area[index] -= measure_overlap(hole, truth).intersection
        if predicted[index] >= 0:
            mask = scores.run.masks[predicted[index]]
            intersection[index] = measure_overlap(mask, subtract(truth, hole)).intersection
    return Counts(
        intersection, target_area + own.prediction_area - intersection, target_area,
        own.prediction_area,
    )


def _cut_targets(scores: Scores) -> MaskColumn | None:
    doubled = _doubled_of(scores)
    if not doubled:
        return None
    masks = scores.dataset.targets.masks
    return column_of([
        subtract(masks[row], doubled[row]) if row in doubled else masks[row]
        for row in range(len(masks))
    ])


def _with_ignored(scores: Scores, own: Counts) -> Counts:
    dataset = scores.dataset
    rows = np.where(scores.status != Status.NO_TRUTH, dataset.expressions.ignored, -1)
    if (rows < 0).all():
        return own
    region = np.zeros(len(rows), np.int64)
    region[rows >= 0] = dataset.ignored.areas[rows[rows >= 0]]
    marked = measure_pairs(scores.run.masks, _rows(scores)[0], dataset.ignored, rows)
    return Counts(
        own.intersection + marked, own.union + region, own.target_area + region,
        own.prediction_area + marked,
    )


def _in_square(scores: Scores, targets: MaskColumn, progress: Progress | None) -> Counts:
    predicted, target = _rows(scores)
    run, n = scores.run, len(predicted)
    sizes = np.array([image.size_hw for image in scores.dataset.images])
    sizes = sizes[scores.dataset.expressions.image]
    areas = np.zeros((3, n), np.int64)  # of the target, of the prediction, of what they share
    done = 0
    for size in np.unique(sizes, axis=0):
        chosen = np.flatnonzero((sizes == size).all(axis=1))
        weights = _weights(int(size[0]), int(size[1]))
        areas[0, chosen] = _weighed(targets, target[chosen], weights)
        areas[1, chosen] = _weighed(run.masks, predicted[chosen], weights)
        both = chosen[scores.intersection[chosen] > 0]
        shared = [
            coco.merge([run.masks.coco(predicted[i]), targets.coco(target[i])], True)["counts"]
            for i in both.tolist()
        ]
        offsets = np.concatenate(([0], np.cumsum([len(c) for c in shared]))).astype(np.int64)
        column = MaskColumn(
            b"".join(shared), offsets, np.tile(size.astype(np.int32), (len(both), 1)),
            np.ones(len(both), np.int64),
        )
        areas[2, both] = _weighed(column, np.arange(len(both)), weights)
        done += len(chosen)
        if progress:
            progress(done, n)
    ignored = (scores.dataset.expressions.ignored >= 0) & (predicted >= 0)
    for index in np.flatnonzero(ignored).tolist():
        mask = counted_mask(scores.dataset, index, run.masks[predicted[index]])
        areas[1, index] = _weighed(column_of([mask]), np.zeros(1, int), _weights(*mask.size_hw))[0]
    return Counts(areas[2], areas[0] + areas[1] - areas[2], areas[0], areas[1])


def _weights(height: int, width: int) -> np.ndarray:
    """``(height x width + 1,)`` int64: how many pixels of the square come from the first k."""
    middles = np.arange(SIDE) + 0.5
    down = np.bincount((middles * height / SIDE).astype(int), minlength=height)
    across = np.bincount((middles * width / SIDE).astype(int), minlength=width)
    return np.concatenate(([0], np.cumsum(np.outer(across, down).ravel())))


def _weighed(column: MaskColumn, rows: np.ndarray, weights: np.ndarray) -> np.ndarray:
    areas = np.zeros(len(rows), np.int64)
    there = rows >= 0
    if not there.any():
        return areas
    known, back = np.unique(rows[there], return_inverse=True)
    runs, starts = read_runs(take_masks(column, known))
    owner = np.repeat(np.arange(len(known)), np.diff(starts))
    ends = np.cumsum(runs)
    ends -= np.concatenate(([0], ends))[starts[owner]]
    marked = (np.arange(len(runs)) - starts[owner]) % 2 == 1
    pixels = weights[ends[marked]] - weights[ends[marked] - runs[marked]]
    areas[there] = np.bincount(owner[marked], pixels, len(known)).astype(np.int64)[back]
    return areas

