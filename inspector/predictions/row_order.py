"""Predictions without any key: taken in the order of the data set, and only with a probe."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from inspector.core.boxes import box_iou, target_boxes
from inspector.core.columns import MaskColumn
from inspector.core.dataset import Dataset
from inspector.core.overlap import measure_pairs
from inspector.core.problems import ProblemLog
from inspector.core.run import Run, Status
from inspector.predictions.align import Alignment
from inspector.predictions.index import ExampleIndex
from inspector.predictions.records import PredictionRecord

WAY = "row order"
_PROBED = 2_000  # examples, evenly spread
_CLEARLY = 0.05  # mean IoU above that of shuffled predictions


def has_order_alone(records: Sequence[PredictionRecord]) -> bool:
    """Say whether no record has a key, or each names its place in the data set."""
    return bool(records) and (
        all(not record.ids and record.truth is None for record in records)
        or all(record.place is not None for record in records)
    )


def align_in_order(dataset: Dataset, records: Sequence[PredictionRecord]) -> Alignment | str:
    """Give each example the record of its place, if there are just as many.

    A record with another sentence than its example is left over.

    Returns:
        The alignment, or why the order cannot be used.
    """
    order = list(range(len(records)))
    if all(record.place is not None for record in records):
        order.sort(key=lambda row: records[row].place or 0)
        if [records[row].place for row in order] != list(range(len(order))):
            return "its numbers are not 0, 1, 2, … without gap"
    if len(order) != len(dataset):
        return (
            f"it has {len(order):,} predictions, the data set {len(dataset):,} examples, and only "
            "equal numbers can be taken in order"
        )
    index = ExampleIndex(dataset)
    result = Alignment()
    for example, row in enumerate(order):
        if objection := index.objection(example, records[row]):
            result.leftover[row] = f"row {example + 1} {objection}"
        else:
            result.record_of[example] = row
    result.by[WAY] = len(result.record_of)
    return result


def probe_order(dataset: Dataset, run: Run, sizes_fit: tuple[int, int], log: ProblemLog) -> None:
    """Warn that predictions were taken in order, and say whether that looks right.

    Args:
        dataset: The examples.
        run: Predictions aligned by row order.
        sizes_fit: How many masks have their picture's size, of how many.
        log: Takes the warning; an error where the probe speaks against the order.
    """
    fits, masks = sizes_fit
    said = ["The file has no keys: predictions were taken in the order of the data set"]
    right = True
    if masks:
        said.append(f"{fits:,} of {masks:,} masks have their picture's size")
        right = fits >= 0.99 * masks
    means = _mean_iou(dataset, run)
    if means is not None:
        own, shuffled = means
        said.append(f"mean IoU is {own:.3f}, of shuffled predictions {shuffled:.3f}")
        right = right and own >= shuffled + _CLEARLY
    verdict = "That speaks for the order" if right else "That speaks against the order"
    if not masks and means is None:
        verdict = "Nothing in the file can confirm the order"
    log.add("row-order", "warning" if right else "error", "",
            f"{'; '.join(said)}. {verdict}: write sent_id beside each prediction.")


def _mean_iou(dataset: Dataset, run: Run) -> tuple[float, float] | None:
    """Give the mean IoU in this order and of predictions exchanged among pictures of one size."""
    chosen = np.flatnonzero(
        (run.status == Status.SCORED) & dataset.is_scorable & (dataset.expressions.target >= 0)
    )
    chosen = chosen[:: max(1, len(chosen) // _PROBED)]
    other = _exchanged(dataset, chosen)
    chosen, other = chosen[other >= 0], other[other >= 0]
    if len(chosen) < 2:
        return None
    if run.is_boxes_only and run.boxes_xywh is not None:
        boxes, truth = run.boxes_xywh, target_boxes(dataset)
        pairs = [box_iou(boxes[chosen], truth[rows]) for rows in (chosen, other)]
        if any(np.isnan(pair).all() for pair in pairs):  # no example here has a box
            return None
        return float(np.nanmean(pairs[0])), float(np.nanmean(pairs[1]))
    if not (run.rows[chosen] >= 0).all():
        return None
    targets = dataset.targets.masks
    found = [
        _iou(run.masks, run.rows[chosen], targets, dataset.expressions.target[rows])
        for rows in (chosen, other)
    ]
    return float(found[0].mean()), float(found[1].mean())


def _exchanged(dataset: Dataset, chosen: np.ndarray) -> np.ndarray:
    """Give for each example one of another picture of the same size; -1 where there is none."""
    groups: dict[tuple[int, int], list[int]] = {}
    for example in chosen.tolist():
        groups.setdefault(dataset.images[dataset.expressions.image[example]].size_hw, []).append(
            example
        )
    partner: dict[int, int] = {}
    for group in groups.values():
        half = max(1, len(group) // 2)
        partner |= dict(zip(group, [*group[half:], *group[:half]], strict=True))
    image = dataset.expressions.image
    return np.array(
        [partner[e] if image[partner[e]] != image[e] else -1 for e in chosen.tolist()], np.int64
    )


def _iou(
    one: MaskColumn, one_rows: np.ndarray, two: MaskColumn, two_rows: np.ndarray
) -> np.ndarray:
    shared = measure_pairs(one, one_rows, two, two_rows)
    union = one.areas[one_rows] + two.areas[two_rows] - shared
    iou: np.ndarray = shared / np.maximum(union, 1)
    return iou
