"""Pairs of ground truths whose answer is known: who is who, and how far each mask was grown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np

from inspector.core.dataset import Dataset
from inspector.core.mask import Mask
from tests.building import Picture, Said, Thing, make_dataset

SIDE = 240
Ids = Literal["kept", "shuffled", "none", "samples"]


@dataclass(frozen=True)
class Pair:
    """Two data sets; ``partner`` gives B's referent of each of A's by the id of the thing.

    Things of A are called ``a0``, ``a1`` …; ``grown`` says by how many pixels A's mask is larger.
    """

    a: Dataset
    b: Dataset
    partner: dict[str, str]
    grown: dict[str, int]


def disc(radius: int) -> np.ndarray:
    """Give a disc of pixels."""
    y, x = np.mgrid[-radius : radius + 1, -radius : radius + 1]
    return (x * x + y * y <= radius * radius).astype(np.uint8)


def grow(array: np.ndarray, pixels: int) -> np.ndarray:
    """Grow a boolean array by a disc; negative numbers shrink it."""
    change = cv2.dilate if pixels >= 0 else cv2.erode
    return change(array.astype(np.uint8), disc(abs(pixels))).astype(bool)


def make_pair(
    seed: int, *, pictures: int = 12, ids: Ids = "kept", same_words: float = 0.2,
    other_words: float = 0.2, dropped: float = 0.3, dropped_sentences: float = 0.0,
) -> Pair:
    """Make two ground truths of the same things.

    Args:
        seed: Equal seeds give equal pairs.
        pictures: How many.
        ids: Whether B keeps A's annotation and ref ids, has them shuffled, has none, or has A's
            ref ids as sample ids.
        same_words: Share of things that have the sentences of the one before.
        other_words: Share of things that B speaks of in other words.
        dropped: Share of things that B does not have.
        dropped_sentences: Share of things with several sentences that lose one in B.
    """
    rng = np.random.default_rng(seed)
    partner, grown = {}, {}
    drawn: list[tuple[int, list[tuple[str, np.ndarray, list[str]]]]] = []
    number = 0
    for picture in range(pictures):
        things = []
        for cell in rng.permutation(9)[: rng.integers(2, 6)].tolist():
            words = [f"thing {number}", f"The thing  {number} there"][: rng.integers(1, 3)]
            if rng.random() < 0.3:
                words.append(words[0])  # the same sentence twice
            if things and rng.random() < same_words:
                words = list(things[-1][2])
            things.append((f"a{number}", _shape(rng, cell), words))
            number += 1
        drawn.append((picture, things))
    kept = [name for _, things in drawn for name, _, _ in things if rng.random() >= dropped]
    new = [f"b{place}" for place in rng.permutation(len(kept)).tolist()]
    partner = dict(zip(kept, new, strict=True))
    shuffled = dict(zip(kept, np.roll(kept, 1).tolist(), strict=True))
    sides: dict[str, list[Picture]] = {"a": [], "b": []}
    for picture, things in drawn:
        own: dict[str, tuple[list[Thing], list[Said]]] = {"a": ([], []), "b": ([], [])}
        for place, (name, array, words) in enumerate(things):
            grown[name] = int(rng.integers(0, 6))
            kind = f"kind {place % 2}"
            large = Mask.from_array(grow(array, grown[name]))
            _say(own["a"], name, kind, large, words, f"s{name}", f"r{name}", "")
            if name not in partner:
                continue
            if rng.random() < other_words:
                words = [f"something else {name}"]
            elif len(words) > 1 and rng.random() < dropped_sentences:
                words = words[1:]
            key = {"kept": name, "shuffled": shuffled[name]}.get(ids, partner[name])
            ref = f"r{key}" if ids in ("kept", "shuffled") else ""
            sample = f"r{name}" if ids == "samples" else "" if ref else partner[name]
            _say(own["b"], key, kind, Mask.from_array(array), words, f"t{name}", ref, sample)
        for side in ("a", "b"):
            order = rng.permutation(len(own[side][1])).tolist()
            said = [own[side][1][row] for row in (order if side == "b" else sorted(order))]
            if side == "b":  # sentences of one referent keep their order, referents do not
                said.sort(key=lambda one: [int(one.sent_id.partition("-")[2] or 0)])
            if said:
                sides[side].append(Picture(f"{picture}", (SIDE, SIDE), own[side][0], said))
    return Pair(
        make_dataset(*sides["a"]), make_dataset(*sides["b"], distractors_known=False),
        partner, grown,
    )


def _say(
    own: tuple[list[Thing], list[Said]], key: str, kind: str, mask: Mask, words: list[str],
    sent: str, ref: str, sample: str,
) -> None:
    own[0].append(Thing(key, kind, mask))
    own[1].extend(
        Said(f"{sent}-{place}", text, [key], ref, sample_id=sample)
        for place, text in enumerate(words)
    )


def _shape(rng: np.random.Generator, cell: int) -> np.ndarray:
    """Draw a thing of 30 to 60 pixels in one of nine cells, apart from the others."""
    row, column = divmod(cell, 3)
    center = (column * 80 + 40, row * 80 + 40)
    array = np.zeros((SIDE, SIDE), np.uint8)
    axes = tuple(int(axis) for axis in rng.integers(16, 27, 2))
    if rng.random() < 0.5:
        cv2.ellipse(array, center, axes, float(rng.uniform(0, 180)), 0, 360, 1, -1)
    else:
        sides = tuple(float(side) for side in rng.integers(34, 47, 2))
        corners = cv2.boxPoints((center, sides, float(rng.uniform(0, 360))))
        cv2.fillPoly(array, [corners.astype(np.int32)], 1)
    return array.astype(bool)
