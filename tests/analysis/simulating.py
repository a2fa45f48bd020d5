"""Made-up scores whose truth is known: sentences that depend on each other inside a picture."""

from __future__ import annotations

from dataclasses import fields

import numpy as np

from inspector.core.protocol import Protocol, ScoredExamples
from inspector.core.run import Status

PIXELS = 1_000


def scored_of(
    iou: np.ndarray, *, union: np.ndarray | None = None, referent: np.ndarray | None = None,
    protocol: Protocol | None = None, predicted: np.ndarray | None = None,
) -> ScoredExamples:
    """Give scored examples whose IoU are (nearly) the given ones; ``union`` is their size."""
    n = len(iou)
    union = np.full(n, PIXELS) if union is None else union
    intersection = np.rint(np.asarray(iou) * union).astype(np.int64)
    protocol = protocol or Protocol()
    there = np.ones(n, bool) if predicted is None else predicted
    intersection[~there] = 0
    counts = there.copy() if protocol.missing == "skip" else np.ones(n, bool)
    known = {
        "iou": np.where(counts, intersection / union, np.nan), "counts": counts,
        "intersection": intersection, "union": union.astype(np.int64), "is_predicted": there,
        "status": np.where(there, Status.SCORED, Status.MISSING).astype(np.int8),
        "has_target": np.ones(n, bool), "box_iou": np.full(n, np.nan), "protocol": protocol,
        "referent": np.arange(n) if referent is None else referent,
    }
    rest = {  # what the analysis does not look at here: no example is a special case
        field.name: False if "bool" in str(field.type) else np.zeros(n, bool)
        for field in fields(ScoredExamples) if field.name not in known
    }
    return ScoredExamples(**known, **rest)


def clustered(
    rng: np.random.Generator, pictures: int, *, runs: int = 1, most_targets: int = 4,
) -> tuple[np.ndarray, np.ndarray, list[np.ndarray]]:
    """Draw pictures of 1 to ``most_targets`` targets with 1 to 4 sentences each.

    IoU are like real ones: a share of failures near 0, the rest around 0.8; whether a sentence
    fails depends on its picture, its target and chance.

    Returns:
        Picture and target of each example, and the IoU of each run.
    """
    targets = rng.integers(1, most_targets + 1, pictures)
    picture_of_target = np.repeat(np.arange(pictures), targets)
    sentences = rng.integers(1, 5, len(picture_of_target))
    target = np.repeat(np.arange(len(sentences)), sentences)
    image = picture_of_target[target]
    n = len(image)
    shared = rng.normal(size=pictures)[image] + rng.normal(size=len(sentences))[target]
    ious = []
    for _ in range(runs):
        own = 0.5 * rng.normal(size=pictures)[image] + rng.normal(size=n)
        fails = shared + own > 1.2
        ious.append(np.where(fails, rng.beta(0.6, 6, n), rng.beta(8, 2, n)))
    return image, target, ious
