"""Carries what belongs to A's examples over to B's: sentences, and the predictions of a run."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from inspector.core.columns import MaskColumn
from inspector.core.dataset import Dataset
from inspector.core.failures import Thresholds
from inspector.core.mask import Mask
from inspector.core.run import Run, Status
from inspector.core.scores import Scores, score_run
from inspector.core.sentences import normalise_sentence
from inspector.truths.referents import Referents


def pair_sentences(
    a: Referents, b: Referents, rows_a: Sequence[int], rows_b: Sequence[int]
) -> np.ndarray:
    """Pair the sentences of matched referents; one that repeats is taken in order.

    Returns:
        ``(m, 2)`` int32, examples of A and of B, in the order of A.
    """
    pairs: list[tuple[int, int]] = []
    words_a, words_b = a.dataset.expressions, b.dataset.expressions
    for row_a, row_b in zip(rows_a, rows_b, strict=True):
        left_a, left_b = a.examples[row_a], b.examples[row_b]
        for texts_a, texts_b in (
            (words_a.sentences, words_b.sentences),
            (words_a.raw, words_b.sentences),
            (words_a.sentences, words_b.raw),
        ):
            found = _pair(left_a, left_b, texts_a, texts_b)
            pairs += found
            done_a, done_b = {i for i, _ in found}, {j for _, j in found}
            left_a = [i for i in left_a if i not in done_a]
            left_b = [j for j in left_b if j not in done_b]
            if not (left_a and left_b):
                break
    return np.array(sorted(pairs), np.int32).reshape(-1, 2)


def _pair(
    examples_a: Sequence[int], examples_b: Sequence[int], texts_a: Sequence[str],
    texts_b: Sequence[str],
) -> list[tuple[int, int]]:
    waiting: dict[str, list[int]] = defaultdict(list)
    for example in examples_b:
        if texts_b[example]:
            waiting[normalise_sentence(texts_b[example])].append(example)
    pairs = []
    for example in examples_a:
        same = waiting.get(normalise_sentence(texts_a[example])) if texts_a[example] else None
        if same:
            pairs.append((example, same.pop(0)))
    return pairs


def rests_on_pixels(run: Run, examples: np.ndarray) -> bool:
    """Whether what a run says about some examples can be scored against another mask.

    Counts and an IoU that a file states were made with its own ground truth.
    """
    return not any(run.evidence(index) in ("counts", "iou") for index in examples.tolist())


def score_on_b(
    scores: Scores, b: Dataset, examples_a: np.ndarray, examples_b: np.ndarray
) -> Scores:
    """Score predictions that are aligned to A's examples against the masks of B's.

    Args:
        scores: The run under A; what is correct under A by its thresholds is so under B.
        b: The other ground truth.
        examples_a: ``(m,)`` int, examples of A.
        examples_b: ``(m,)`` int, the same ones in B.

    Returns:
        Scores of ``m`` examples, in the order of ``examples_a``.
    """
    run = scores.run
    carried = replace(
        run,
        status=run.status[examples_a],
        rows=run.rows[examples_a],
        says_no_target=run.says_no_target[examples_a],
        boxes_xywh=None if run.boxes_xywh is None else run.boxes_xywh[examples_a],
        counts=None,
        stated_iou=None,
        counts_frame_hw=None,
        reasons={},
        aligned_to="",  # its rows are B's examples now
    )
    return score_run(b.take(examples_b), carried, thresholds=scores.thresholds)


def score_b_as_run(
    a: Dataset, b: Dataset, examples_a: np.ndarray, examples_b: np.ndarray,
    *, thresholds: Thresholds | None = None,
) -> Scores:
    """Score B's masks under A, as if a model had predicted them: what a perfect B would reach.

    Examples of A that B does not have, or whose mask in B cannot be read, are missing.
    """
    n = len(a)
    status, rows = np.full(n, Status.MISSING, np.int8), np.full(n, -1, np.int32)
    no_target = np.zeros(n, bool)
    usable = b.is_scorable[examples_b]
    examples_a, examples_b = examples_a[usable], examples_b[usable]
    target = b.expressions.target[examples_b]
    status[examples_a] = Status.SCORED
    rows[examples_a] = target
    nothing = examples_a[target < 0]
    no_target[nothing] = True
    sizes = [a.images[row].size_hw for row in a.expressions.image[nothing].tolist()]
    masks, first = _with_empty(b.targets.masks, sizes)
    rows[nothing] = first + np.arange(len(nothing))
    return score_run(a, Run(
        name="ground truth B", source=b.source, format="", status=status, rows=rows, masks=masks,
        says_no_target=no_target,
    ), thresholds=thresholds)


def _with_empty(masks: MaskColumn, sizes_hw: Sequence[tuple[int, int]]) -> tuple[MaskColumn, int]:
    """Add an empty mask of each size; give the column and the row of the first of them."""
    if not sizes_hw:
        return masks, len(masks)
    counts = [Mask.empty(size).counts for size in sizes_hw]
    ends = len(masks.buffer) + np.cumsum([len(text) for text in counts])
    return MaskColumn(
        masks.buffer + b"".join(counts),
        np.concatenate([masks.offsets, ends]).astype(np.int64),
        np.concatenate([masks.sizes_hw, np.array(sizes_hw, np.int32)]),
        np.concatenate([masks.areas, np.zeros(len(sizes_hw), np.int64)]),
    ), len(masks)
