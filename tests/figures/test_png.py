"""PNG figures: exact colours inside areas, the same outlines as the SVG, words that never fail."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from inspector.core.errors import UsageError
from inspector.figures import Colours, Look, make_figure, to_png
from inspector.figures.figure import Figure
from inspector.figures.png import draw_picture
from tests.building import Picture, Said, Thing, make_dataset, make_workspace, score
from tests.drawing import draw
from tests.figures.scene import GREY, SIZE_HW, make_scene


@pytest.fixture
def figure(tmp_path) -> Figure:
    return make_figure(make_scene(tmp_path), 0)


def opened(content: bytes) -> Image.Image:
    picture = Image.open(io.BytesIO(content))
    picture.load()
    return picture


def mixed(colour: str, alpha: float) -> tuple[int, ...]:
    """Lay a colour over the grey by hand."""
    channels = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return tuple(int(GREY * (1 - alpha) + channel * alpha + 0.5) for channel in channels)


def test_colours_inside_the_areas(figure):
    pixel = opened(to_png(figure, caption=False)).getpixel
    assert pixel((2, 2)) == (GREY,) * 3
    assert pixel((20, 30)) == mixed("#0072b2", 0.6)
    assert pixel((40, 30)) == mixed("#ffffff", 0.6 * 0.62)
    assert pixel((60, 30)) == mixed("#d55e00", 0.6)


def test_colours_and_opacity_are_those_asked_for(tmp_path):
    look = Look("truth", opacity=1.0, colours=Colours(truth="00FF00"))
    picture = opened(to_png(make_figure(make_scene(tmp_path), 0, look=look), caption=False))
    assert picture.getpixel((30, 30)) == (0, 255, 0)


def test_the_outline_lies_on_the_edge_of_the_mask(figure):
    """The truth begins at column 10: 40 here, with a line of 4 pixels in a casing of 8."""
    pixels = np.asarray(opened(to_png(figure, caption=False, scale=4))).astype(int)
    row = pixels[30 * 4]
    for column in (38, 39, 40, 41):
        assert np.abs(row[column] - (0, 0x72, 0xB2)).sum() < 50
    assert tuple(row[37]) == mixed("#000000", 0.7)
    assert tuple(row[34]) == (GREY,) * 3 and tuple(row[46]) == mixed("#0072b2", 0.6)


@pytest.mark.parametrize("scale", [0.5, 1, 1.5, 2, 4])
def test_size(figure, scale):
    assert opened(to_png(figure, scale=scale, caption=False)).size == (100 * scale, 60 * scale)


def test_masks_keep_their_pixel_edges_when_enlarged(tmp_path):
    look = Look("truth", opacity=1.0)
    figure = make_figure(make_scene(tmp_path), 0, look=look)
    bare = Figure(figure.example_id, "", SIZE_HW, 1, figure.photograph, figure.shapes[:1],
                  figure.caption, ())
    pixels = draw_picture(bare, scale=3, unit=1)
    filled = (pixels == (0, 0x72, 0xB2)).all(2)
    assert (filled == figure.shapes[0].area.pixels.repeat(3, 0).repeat(3, 1)).all()


def test_what_it_says_of_itself(figure):
    picture = opened(to_png(figure, scale=2, width_mm=25.4, caption=False))
    assert picture.info["dpi"] == pytest.approx((200, 200), abs=0.1)
    assert picture.info["inspector:example_id"] == "11"
    assert picture.info["inspector:run"] == "one"
    assert picture.info["inspector:protocol"].startswith("average=sentence")
    assert picture.info["Software"].startswith("inspector ")
    assert picture.info["Title"].startswith("<script>alert(1)</script> & “café”")


def test_words_below(figure):
    without, with_words = opened(to_png(figure, caption=False)), opened(to_png(figure))
    below = np.asarray(with_words.convert("L"))[60:]
    assert with_words.height > without.height and (below < 100).any()
    assert (np.asarray(with_words)[:60, :100] == np.asarray(without)).all()


@pytest.mark.parametrize("sentence", [
    "猫の左のカップ", "👩‍👩‍👧‍👦 🐈", "הכוס השמאלית", "x" * 10_000, "cup " * 2_500, "",
    "\x00\ue000\uffff", "e" + "\u0301" * 500, " \u3000\n\t ",
], ids=["CJK", "emoji", "Hebrew", "long word", "many words", "nothing", "no characters", "marks",
        "spaces"])
def test_any_sentence_is_drawn(sentence):
    thing = Thing("a", "cup", draw("#" * 200, *["." * 200] * 19))
    dataset = make_dataset(Picture("1", (20, 200), (thing,), (Said("1", sentence, ("a",)),)))
    workspace = make_workspace(score(dataset, {"1": draw(*["#" * 200] * 20)}))
    picture = opened(to_png(make_figure(workspace, 0)))
    assert picture.width == 200 and picture.height < 250


def test_a_picture_that_is_missing_or_broken_is_grey_with_words(tmp_path):
    workspace = make_scene(tmp_path)
    path = workspace.dataset.images[0].location
    path.write_bytes(path.read_bytes()[:60])
    for _ in range(2):
        picture = opened(to_png(make_figure(workspace, 0, look=Look("picture")), caption=False))
        assert picture.getpixel((1, 1)) == (0x88,) * 3
        assert (np.asarray(picture).max() > 0xA0)
        path.unlink(missing_ok=True)


@pytest.mark.parametrize("scale", [0, -1, 4.5, float("nan")])
def test_a_scale_that_is_none(figure, scale):
    with pytest.raises(UsageError, match="is no scale of a PNG. Write a number above 0, up to 4."):
        to_png(figure, scale=scale)


def test_a_figure_of_too_many_pixels_is_refused_before_it_is_drawn(figure):
    huge = Figure("1", "", (9_000, 9_000), 14, figure.photograph, (), figure.caption, ())
    with pytest.raises(UsageError, match="would have 18,000 x 18,000 pixels"):
        to_png(huge, scale=2, caption=False)
