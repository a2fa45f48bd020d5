"""How differently a run answers the sentences of one target: what changes is only the language."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from inspector.analysis.outcomes import prediction_iou
from inspector.core.protocol import ScoredExamples
from inspector.core.scores import Scores


@dataclass(frozen=True, slots=True, eq=False)
class Spread:
    """Targets that two or more sentences speak of, in the order of the data set; ``g`` targets.

    Attributes:
        referent: ``(g,)`` int32, as in ``dataset.expressions.referent``.
        image: ``(g,)`` int32, its picture.
        begin: ``(g + 1,)`` int64, where the target's examples begin in ``places``.
        places: Examples of all targets, one target after another.
        sentences: ``(g,)`` int64, how many sentences.
        scored: ``(g,)`` int64, how many of them count under the protocol.
        mean, std, range: ``(g,)`` float64 of the IoU over those that count: mean, standard
            deviation (of the population), largest less smallest. NaN with fewer than two.
        agreement: ``(g,)`` float64, mean IoU of the predictions of any two of its sentences; both
            empty is 1. Needs no truth. NaN where fewer than two have a mask.
        best, worst: ``(g,)`` int64, the examples of the largest and the smallest IoU (the first
            of equals); -1 with none that counts.
    """

    referent: np.ndarray
    image: np.ndarray
    begin: np.ndarray
    places: np.ndarray
    sentences: np.ndarray
    scored: np.ndarray
    mean: np.ndarray
    std: np.ndarray
    range: np.ndarray
    agreement: np.ndarray
    best: np.ndarray
    worst: np.ndarray

    def by_example(self, values: np.ndarray, examples: int) -> np.ndarray:
        """Hand one of the columns to the examples, ``(examples,)``; NaN where there is none."""
        found = np.full(examples, np.nan)
        found[self.places] = np.repeat(values, self.sentences)
        return found


def measure_spread(scores: Scores, scored: ScoredExamples) -> Spread:
    """Measure IoU and masks over the sentences of each target.

    Sentences belong together if they speak of one referent. No-target examples are left out.
    """
    dataset = scores.dataset
    places, begin = _group(scored.referent, scored.has_target)
    sentences = np.diff(begin)
    first = places[begin[:-1]]
    owner = np.repeat(np.arange(len(sentences)), sentences)
    counts = scored.counts[places]
    iou = np.where(counts, np.nan_to_num(scored.iou[places]), 0.0)
    number = np.bincount(owner, counts, len(sentences)).astype(np.int64)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = np.bincount(owner, iou, len(sentences)) / number
        away = np.where(counts, (iou - mean[owner]) ** 2, 0.0)
        std = np.sqrt(np.bincount(owner, away, len(sentences)) / number)
    best, worst = _extremes(owner, np.where(counts, iou, np.nan), len(sentences))
    lacks = number < 2
    width = np.where(lacks, 0.0, iou[np.maximum(best, 0)] - iou[np.maximum(worst, 0)])
    mean, std, width = (np.where(lacks, np.nan, column) for column in (mean, std, width))
    best, worst = (
        np.where(at < 0, -1, places[np.maximum(at, 0)]) if len(places) else at
        for at in (best, worst)
    )
    return Spread(
        referent=scored.referent[first], image=dataset.expressions.image[first], begin=begin,
        places=places, sentences=sentences, scored=number, mean=mean, std=std, range=width,
        agreement=_agreement(scores, places, begin, owner), best=best, worst=worst,
    )


def _group(referent: np.ndarray, chosen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Order the examples of referents with several sentences; the groups as the data set has."""
    rows = np.flatnonzero(chosen)
    _, first, group, size = np.unique(
        referent[rows], return_index=True, return_inverse=True, return_counts=True
    )
    rank = np.argsort(np.argsort(first))[group]
    kept = size[group] > 1
    rows, rank = rows[kept], rank[kept]
    rows = rows[np.argsort(rank, kind="stable")]
    _, sizes = np.unique(np.sort(rank), return_counts=True)
    return rows, np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)


def _extremes(
    owner: np.ndarray, iou: np.ndarray, groups: int
) -> tuple[np.ndarray, np.ndarray]:
    """Find the row of the largest and the smallest value of each group; -1 of nothing."""
    found = []
    for sign in (-1, 1):
        order = np.lexsort((np.arange(len(iou)), sign * np.nan_to_num(iou, nan=0.0), np.isnan(iou),
                            owner))
        _, begins = np.unique(owner[order], return_index=True)
        rows = order[begins] if groups else np.zeros(0, np.int64)
        found.append(np.where(np.isnan(iou[rows]), -1, rows))
    return found[0], found[1]


def _agreement(
    scores: Scores, places: np.ndarray, begin: np.ndarray, owner: np.ndarray
) -> np.ndarray:
    """Average the IoU of any two predictions of one target."""
    left, right = [], []
    sizes = np.diff(begin)
    for size in np.unique(sizes).tolist():
        starts = begin[:-1][sizes == size]
        for one in range(size):
            for other in range(one + 1, size):
                left.append(starts + one)
                right.append(starts + other)
    if not left:
        return np.full(len(sizes), np.nan)
    ones, others = np.concatenate(left), np.concatenate(right)
    iou = prediction_iou(scores, places[ones], scores, places[others])
    there = ~np.isnan(iou)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(
            np.bincount(owner[ones[there]], iou[there], len(sizes))
            / np.bincount(owner[ones[there]], minlength=len(sizes))
        )
