"""Whatever a function returns is read exactly or refused in words."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from inspector.live.answers import EXPECTED, read_answer
from inspector.live.model import ModelError
from tests.drawing import draw

CUP = draw("##.", "#..")
TRUE = CUP.to_array()


@pytest.mark.parametrize("value", [
    pytest.param(TRUE, id="boolean"),
    pytest.param(np.asfortranarray(TRUE), id="column by column"),
    pytest.param(np.repeat(TRUE, 2, axis=1)[:, ::2], id="a view"),
    *(pytest.param(TRUE.astype(kind), id=kind) for kind in ("uint8", "int64", "int8", "uint16")),
    pytest.param(CUP.to_json(), id="run lengths as text"),
    pytest.param(CUP.to_coco(), id="run lengths as pycocotools gives them"),
    pytest.param({"size": [2, 3], "counts": [0, 3, 3]}, id="run lengths as numbers"),
])
def test_a_mask(value):
    assert read_answer(value, (2, 3)) == CUP


def test_nothing_marked_is_not_no_target():
    assert read_answer(np.zeros((2, 3), bool), (2, 3)).area == 0
    assert read_answer(None, (2, 3)) is None


@pytest.mark.parametrize(("value", "said"), [
    pytest.param(
        np.zeros((3, 2), bool),
        "The model returned an array of shape (3, 2) for a picture of shape (2, 3) (height, "
        "width). Are rows and columns swapped? Return mask.T.", id="swapped"),
    pytest.param(
        np.zeros((4, 6), bool),
        "The model returned an array of shape (4, 6) for a picture of shape (2, 3) (height, "
        "width). Bring the mask back to the picture's size.", id="size"),
    pytest.param(
        np.zeros((1, 2, 3), bool),
        "The model returned an array of shape (1, 2, 3) for a picture of shape (2, 3) (height, "
        "width). Return mask[0].", id="batch"),
    pytest.param(
        np.zeros((2, 3, 1), bool),
        "The model returned an array of shape (2, 3, 1) for a picture of shape (2, 3) (height, "
        "width). Return mask[..., 0].", id="channel"),
    pytest.param(
        np.zeros((5, 2, 3), bool),
        "The model returned an array of shape (5, 2, 3) for a picture of shape (2, 3) (height, "
        "width).", id="several"),
    pytest.param(
        np.array([[0, 0.25, 0.5], [1, 0, 0]], np.float32),
        "The model returned an array of float32 from 0 to 1. A soft mask is not cut here, since "
        "that decides the score: return mask > 0.5, or what your model's authors use.", id="soft"),
    pytest.param(
        TRUE.astype(float),
        "The model returned an array of float64 from 0 to 1. A soft mask is not cut here, since "
        "that decides the score: return mask > 0.5, or what your model's authors use.",
        id="hard, but of floats"),
    pytest.param(
        TRUE.astype(np.uint8) * 255,
        "The model returned an array of uint8 with the values 0, 255. Whole numbers must be 0 or "
        "1: return a boolean array, such as mask > 0 or mask == 255.", id="0 and 255"),
    pytest.param(
        np.arange(6).reshape(2, 3),
        "The model returned an array of int64 with the values 0, 1, 2, 3, …. Whole numbers must "
        "be 0 or 1: return a boolean array, such as mask > 0 or mask == 255.", id="labels"),
    pytest.param(
        np.full((2, 3), "x"),
        f"The model returned an array of <U1. Expected is {EXPECTED}.", id="letters"),
    pytest.param("a cup", f"The model returned a str. Expected is {EXPECTED}.", id="text"),
    pytest.param(0.7, f"The model returned a float. Expected is {EXPECTED}.", id="number"),
    pytest.param(
        np.True_, f"The model returned a numpy.bool. Expected is {EXPECTED}.", id="one truth"),
    pytest.param(
        [TRUE, TRUE], f"The model returned a list. Expected is {EXPECTED}. Of several masks, "
        "return one, or their union.", id="list"),
    pytest.param(
        Image.new("1", (3, 2)), f"The model returned a PIL.Image.Image. Expected is {EXPECTED}. "
        "Return numpy.asarray(picture) > 0 of a grey picture.", id="picture"),
    pytest.param(
        {"mask": TRUE}, "The model returned run lengths that are broken: run lengths need 'size' "
        "and 'counts', but got the keys ['mask'].", id="another dictionary"),
    pytest.param(
        {"size": [3, 2], "counts": "06"}, "The model returned run lengths of another size: the "
        "mask is 2 x 3 pixels (width x height), the picture 3 x 2 pixels (width x height): height "
        "and width are swapped.", id="run lengths of another size"),
])
def test_what_is_refused(value, said):
    with pytest.raises(ModelError) as caught:
        read_answer(value, (2, 3))
    assert str(caught.value) == said


@pytest.mark.parametrize("counts", ["!", "", "9" * 50, [1, 2], [-1, 7], [0.5, 5.5], None, 7])
def test_run_lengths_that_are_broken(counts):
    with pytest.raises(ModelError, match="^The model returned run lengths that are broken: "):
        read_answer({"size": [2, 3], "counts": counts}, (2, 3))
