"""A generator of failures: each example is made to fail in one way, with a margin to the others."""

from __future__ import annotations

from typing import Any

import numpy as np

from inspector.core.mask import Mask
from inspector.core.scores import Scores
from tests.building import BROKEN, Picture, Said, Thing, make_dataset, score

HEIGHT, WIDTH = 90, 120

KINDS = (
    "missing", "invalid", "false_target", "correct", "empty", "wrong_referent", "wrong_object",
    "several_objects", "part", "spill", "background", "loose",
)


def ellipse(x: float, y: float, across: float, down: float) -> np.ndarray:
    """Draw a filled ellipse by its middle and its half axes."""
    rows, columns = np.mgrid[:HEIGHT, :WIDTH]
    return ((columns - x) / across) ** 2 + ((rows - y) / down) ** 2 <= 1


def plant(each: int = 30, *, seed: int = 0) -> tuple[Scores, list[str]]:
    """Make ``each`` examples of every failure mode; give their scores and what was planted.

    Every picture has a target and a twin of its category below each other on the left, an object
    of another category on the right, and a crowd region of the target's category in which nothing
    may be named.
    """
    rng = np.random.default_rng(seed)
    planted = rng.permutation(np.repeat(KINDS, each)).tolist()
    pictures, masks = [], {}
    for number, kind in enumerate(planted):
        picture, mask = _plant(f"{number}", kind, rng)
        pictures.append(picture)
        if kind != "missing":
            masks[f"{number}"] = mask
    return score(make_dataset(*pictures), masks), planted


def _plant(name: str, kind: str, rng: np.random.Generator) -> tuple[Picture, Any]:
    across, down = rng.uniform(14, 19), rng.uniform(13, 18)
    x, y = rng.uniform(24, 30), rng.uniform(22, 25)
    target = ellipse(x, y, across, down)
    twin_y = rng.uniform(64, 66)
    twin = ellipse(x, twin_y, across, down)
    other_x, other_y = rng.uniform(92, 96), rng.uniform(22, 25)
    other = ellipse(other_x, other_y, across, down)
    crowd = ellipse(94, 68, 20, 18)
    wobble = rng.uniform(0.96, 1.04)
    noise = ellipse(x + rng.uniform(-1, 1), y + rng.uniform(-1, 1), across * wobble, down * wobble)
    mask: Any = {
        "missing": None,
        "invalid": BROKEN,
        "false_target": noise,
        "correct": noise,
        "empty": np.zeros_like(target),
        "wrong_referent": ellipse(x, twin_y + rng.uniform(-1, 1), across * wobble, down),
        "wrong_object": ellipse(other_x, other_y, across * wobble, down * wobble),
        "several_objects": target | twin | (rng.random(target.shape) < 0.02),
        "part": target & ellipse(x - across / 2, y, across / 2, down / 2),
        "spill": target | ellipse(x + 2.4 * across, y, 1.6 * across, 1.2 * down),
        "background": crowd & ellipse(94, 68, rng.uniform(9, 19), 15),
        "loose": ellipse(x + across * 1.0, y, across, down),
    }[kind]
    if kind == "spill":  # not so far that it covers half of the object on the right
        mask = mask & ~other
    things = [
        Thing(f"{name}-target", "cup", Mask.from_array(target)),
        Thing(f"{name}-twin", "cup", Mask.from_array(twin)),
        Thing(f"{name}-other", "dog", Mask.from_array(other)),
        Thing(f"{name}-crowd", "cup", Mask.from_array(crowd), is_crowd=True),
    ]
    names = () if kind == "false_target" else (f"{name}-target",)
    picture = Picture(name, (HEIGHT, WIDTH), things, (Said(name, "the upper cup", names),))
    return picture, Mask.from_array(mask) if isinstance(mask, np.ndarray) else mask
