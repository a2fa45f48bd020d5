"""Masks of another size: refused, or resized when a person asked for it."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from inspector.core.errors import SizeMismatchError
from inspector.core.mask import Mask
from inspector.core.protocol import Protocol
from inspector.core.records import ImageRef
from inspector.core.scores import score_run
from inspector.predictions.frames import fit, resize_nearest
from inspector.summary import describe_coverage, describe_protocol
from tests.drawing import draw
from tests.predictions.scene import CUP, KITCHEN, SCENE, codes, load, rectangle, save_lines


def picture(size_hw: tuple[int, int], location=None) -> ImageRef:
    return ImageRef("1", "1.jpg", size_hw, location)


@pytest.mark.parametrize("size", [
    pytest.param((24, 32), id="half"), pytest.param((96, 128), id="double"),
    pytest.param((30, 40), id="other scale"), pytest.param((50, 50), id="square frame"),
    pytest.param((480, 480), id="large square frame"),
])
def test_same_proportions_and_square_frames_are_resized_only_when_asked(size):
    mask = resize_nearest(CUP, size)
    with pytest.raises(SizeMismatchError, match="'--resize nearest' would bring it to size"):
        fit(mask, picture(KITCHEN), resize="never")
    found = fit(mask, picture(KITCHEN), resize="nearest")
    assert found.size_hw == KITCHEN
    assert found.area == pytest.approx(CUP.area, rel=0.15)


@pytest.mark.parametrize("size", [
    pytest.param((64, 48), id="swapped"), pytest.param((32, 24), id="swapped and halved"),
    pytest.param((48, 70), id="wider"), pytest.param((47, 61), id="a little off"),
])
def test_other_proportions_are_never_resized(size):
    with pytest.raises(SizeMismatchError, match="the mask is .* the picture 64 x 48") as error:
        fit(rectangle(size, 1, 1, 5, 5), picture(KITCHEN), resize="nearest")
    assert "--resize" not in str(error.value)


def test_swapped_sides_are_named_also_for_a_whole_run(tmp_path):
    turned = Mask.from_array(CUP.to_array().T)
    run = load(save_lines(tmp_path / "run.jsonl", {"sent_id": 29928, "mask": turned.to_json()}),
               resize="nearest")
    assert run.reasons[0].endswith("height and width are swapped.")
    assert codes(run) == ["size-mismatch"]


@pytest.mark.parametrize("orientation", [6, 8])
def test_a_photograph_that_is_turned_by_its_exif_is_named(orientation, tmp_path):
    # streamlit-segmentation-app#1, Mask_RCNN#1192: mask 748 x 982 for a picture of 982 x 748
    exif = Image.Exif()
    exif[0x0112] = orientation
    Image.new("RGB", (64, 48)).save(tmp_path / "1.jpg", exif=exif)
    with pytest.raises(SizeMismatchError, match=rf"EXIF data \(orientation {orientation}\)"):
        fit(rectangle((64, 48), 1, 1, 5, 5), picture(KITCHEN, tmp_path / "1.jpg"),
            resize="nearest")
    Image.new("RGB", (64, 48)).save(tmp_path / "1.jpg")
    with pytest.raises(SizeMismatchError, match="are swapped$"):
        fit(rectangle((64, 48), 1, 1, 5, 5), picture(KITCHEN, tmp_path / "1.jpg"), resize="never")


def test_each_pixel_takes_the_old_pixel_under_its_centre():
    assert resize_nearest(draw("#.", ".#"), (4, 6)) == draw("###...", "###...", "...###", "...###")
    assert resize_nearest(draw("#..#", "....", "....", "#..#"), (2, 2)) == draw("..", ".#")


def test_resizing_there_and_back_by_whole_factors_is_exact():
    rng = np.random.default_rng(1)
    for _ in range(20):
        mask = Mask.from_array(rng.random((7, 9)) < 0.5)
        assert resize_nearest(resize_nearest(mask, (21, 27)), (7, 9)) == mask


def test_the_frame_is_named_beside_the_numbers(tmp_path):
    small = resize_nearest(CUP, (24, 24)).to_json()
    path = save_lines(
        tmp_path / "run.jsonl", {"sent_id": 29928, "mask": small},
        {"sent_id": 29929, "mask": small}, {"sent_id": 29930, "mask": CUP.to_json()},
    )
    run = load(path, resize="nearest")
    assert run.frames_hw == ((24, 24, 2),)
    assert describe_coverage(score_run(SCENE, run)).endswith(
        "(3 by sent_id; 2 masks of 24 x 24 resized by nearest neighbour)"
    )
    assert describe_protocol(Protocol(resize="nearest")).endswith(
        "; masks of another size are resized by nearest neighbour"
    )
    assert Protocol(resize="nearest").to_json()["resize"] == "nearest"
    assert "resize" not in Protocol().to_json()
