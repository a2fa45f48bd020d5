"""Contact sheets: every figure once, in order, with its words; small enough to be sent."""

from __future__ import annotations

import io
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from inspector.core.errors import UsageError
from inspector.figures import make_figure, sheet_png, sheet_svg
from inspector.figures.svg import NAMESPACE
from tests.figures.filling import fill
from tests.figures.scene import PREDICTION, SIZE_HW, TRUTH, make_scene

WHITE, FIELD = (255,) * 3, (0xF1,) * 3


@pytest.fixture
def figures(tmp_path):
    workspace = make_scene(tmp_path)
    return [make_figure(workspace, index) for index in range(4)]


def test_png_in_rows(figures):
    picture = Image.open(io.BytesIO(sheet_png(iter(figures[:3]), columns=2, title="Worst first")))
    assert picture.width == 2 * 20 + 2 * 320 + 16
    pixels = np.asarray(picture.convert("RGB"))
    assert tuple(pixels[2, 2]) == WHITE
    grey = (pixels == 100).all(2)  # the photograph's one colour, in three tiles of 320 x 192
    columns, rows = grey.any(0).nonzero()[0], grey.any(1).nonzero()[0]
    assert (columns.min(), columns.max()) == (20, 2 * 320 + 20 + 15)
    assert rows.max() - rows.min() > 2 * 192
    assert picture.info["Title"] == "Worst first"


def test_svg_holds_exact_masks_and_all_words(figures):
    text = sheet_svg(figures, columns=3, title="a <b> & c")
    root = ElementTree.fromstring(text)
    inner = root.findall(f"{{{NAMESPACE}}}svg")
    assert [svg.find(f"{{{NAMESPACE}}}desc").text.count("example_id") for svg in inner] == [1] * 4
    path = inner[0].find(f"{{{NAMESPACE}}}path")
    both = TRUTH.to_array() & PREDICTION.to_array()
    assert (fill(path.get("d"), SIZE_HW) == both).all()
    words = [element.text for element in root.iter(f"{{{NAMESPACE}}}text")]
    assert "a <b> & c" in words and "both" in words
    assert sum("example" in (word or "") for word in words) == 4


def test_figures_are_taken_one_after_the_other(figures):
    alive = []

    def one_by_one():
        for number, figure in enumerate(figures):
            alive.append(number)
            yield figure

    sheet_svg(one_by_one())
    assert alive == [0, 1, 2, 3]


@pytest.mark.parametrize(("count", "columns", "said"), [
    (0, 4, "No example is selected. A contact sheet needs at least one."),
    (61, 4, "A contact sheet holds up to 60 examples. Choose fewer."),
    (1, 0, "0 columns do not fit. Write a number from 1 to 10."),
    (1, 11, "11 columns do not fit."),
])
@pytest.mark.parametrize("draw", [sheet_svg, sheet_png])
def test_what_does_not_fit(figures, draw, count, columns, said):
    with pytest.raises(UsageError, match=said):
        draw((figures[3] for _ in range(count)), columns=columns)
