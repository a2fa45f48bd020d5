"""A small picture of one grey with masks whose pixels can be counted by eye."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image

from inspector.core.mask import Mask
from inspector.workspace import Workspace
from tests.building import Picture, Said, Thing, make_dataset, make_workspace, score

SIZE_HW = (60, 100)
GREY = 100
MARKUP = "<script>alert(1)</script> & “café” ]]> \u202e\x00"


def block(left: int, right: int) -> Mask:
    """Columns from left to right, and all rows but ten above and below."""
    array = np.zeros(SIZE_HW, bool)
    array[10:50, left:right] = True
    return Mask.from_array(array)


TRUTH, PREDICTION, OTHER = block(10, 50), block(30, 70), block(80, 95)
"""Truth alone up to column 30, both up to 50, prediction alone up to 70, another object from 80."""


def make_scene(folder: Path, *, has_picture: bool = True) -> Workspace:
    """Make two runs on four sentences about one picture.

    The run ``one`` has a mask, the same mask for a no-target example, one that lands on the other
    object, and nothing; ``two & <b>`` marks the target exactly.
    """
    path = folder / "grey.png"
    if has_picture:
        Image.new("RGB", SIZE_HW[::-1], (GREY,) * 3).save(path)
    dataset = make_dataset(Picture(
        "7", SIZE_HW,
        (Thing("a", "cup", TRUTH), Thing("b", "dog <i>", OTHER)),
        (Said("11", MARKUP, ("a",)), Said("12", "nothing there"), Said("13", "cup", ("a",)),
         Said("14", "cup", ("a",))),
        path if has_picture else None,
    ))
    one = score(dataset, {"11": PREDICTION, "12": PREDICTION, "13": OTHER}, name="one")
    two = score(dataset, {"11": TRUTH, "12": None, "13": TRUTH}, name="two & <b>")
    return make_workspace(one, two)
