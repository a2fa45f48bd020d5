"""SVG figures: well-formed, nothing from outside, areas that fill back to the masks."""

from __future__ import annotations

import base64
import re
from xml.etree import ElementTree

import numpy as np
import pytest

from inspector.core.run import Status
from inspector.figures import Look, make_figure, to_svg
from inspector.figures.svg import NAMESPACE
from tests.figures.filling import fill
from tests.figures.scene import MARKUP, OTHER, PREDICTION, SIZE_HW, TRUTH, make_scene

TAGS = {"svg", "title", "desc", "rect", "image", "path", "text", "g"}


@pytest.fixture
def workspace(tmp_path):
    return make_scene(tmp_path)


def parse(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(text)


def tags(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return list(root.iter(f"{{{NAMESPACE}}}{name}"))


def areas(root: ElementTree.Element) -> list[tuple[str, str, np.ndarray]]:
    """Give colour, opacity and pixels of each filled path."""
    return [
        (path.get("fill"), path.get("fill-opacity"),
         fill(path.get("d"), SIZE_HW, path.get("fill-rule")))
        for path in tags(root, "path") if path.get("fill") != "none"
    ]


def strokes(root: ElementTree.Element) -> list[tuple[str, str, str | None]]:
    return [
        (path.get("stroke"), path.get("stroke-width"), path.get("stroke-dasharray"))
        for path in tags(root, "path") if path.get("fill") == "none"
    ]


def test_agreement_is_three_areas_that_do_not_overlap(workspace):
    truth, prediction = TRUTH.to_array(), PREDICTION.to_array()
    found = areas(parse(to_svg(make_figure(workspace, 0), caption=False)))
    assert [(colour, opacity) for colour, opacity, _ in found] == [
        ("#ffffff", "0.372"), ("#d55e00", "0.6"), ("#0072b2", "0.6"),
    ]
    both, only_prediction, only_truth = (area for _, _, area in found)
    assert (both == truth & prediction).all()
    assert (only_prediction == prediction & ~truth).all()
    assert (only_truth == truth & ~prediction).all()
    assert (both.sum(), only_prediction.sum(), only_truth.sum()) == (800, 800, 800)


@pytest.mark.parametrize("layer", ["fill", "truth", "prediction"])
def test_areas_of_other_layers(workspace, layer):
    found = areas(parse(to_svg(make_figure(workspace, 0, look=Look(layer)), caption=False)))
    expected = {"truth": [TRUTH], "prediction": [PREDICTION], "fill": [TRUTH, PREDICTION]}[layer]
    assert len(found) == len(expected)
    for (_, _, area), mask in zip(found, expected, strict=True):
        assert (area == mask.to_array()).all()


@pytest.mark.parametrize("run", ["words", "saliency", "box"])
def test_every_mask_of_the_demo_comes_back(demo_workspace, run):
    scores = next(s for s in demo_workspace.scores if s.run.name == run)
    dataset = demo_workspace.dataset
    for index in range(0, len(dataset), 4):
        figure = make_figure(demo_workspace, index, run=run, look=Look("fill"))
        root = parse(to_svg(figure, caption=False))
        drawn = {
            path.get("fill"): fill(path.get("d"), figure.size_hw)
            for path in tags(root, "path") if path.get("fill") != "none"
        }
        target, row = int(dataset.expressions.target[index]), int(scores.run.rows[index])
        if target >= 0:
            assert (drawn["#0072b2"] == dataset.targets.masks[target].to_array()).all()
        if scores.status[index] == Status.SCORED and row >= 0 and scores.run.masks.areas[row]:
            assert (drawn["#d55e00"] == scores.run.masks[row].to_array()).all()


def test_lines_have_a_dark_casing(workspace):
    found = strokes(parse(to_svg(make_figure(workspace, 0, look=Look("contours")), caption=False)))
    assert found == [  # a picture of 100 pixels has lines of half the page's width
        ("#000000", "2.25", None), ("#0072b2", "1.25", None),
        ("#000000", "2.25", None), ("#d55e00", "1.25", None),
    ]


def test_another_run_is_dashed_and_another_object_named(workspace):
    look = Look("picture", others=True)
    figure = make_figure(workspace, 2, run="one", against="two & <b>", look=look)
    root = parse(to_svg(figure))
    assert ("#ffffff", "1.25", "3.5 2.5") in strokes(root)
    words = [text.text for text in tags(root, "text")]
    assert "marked instead: dog <i>" in words or any("marked" in (w or "") for w in words)
    assert "two & <b>" in words


def test_boxes_around_masks(workspace):
    figure = make_figure(workspace, 0, look=Look("truth", boxes=True))
    data = tags(parse(to_svg(figure, caption=False)), "path")[-1].get("d")
    assert data == "M10 10h40v40h-40z"


class TestWords:
    def test_markup_stays_text(self, workspace):
        text = to_svg(make_figure(workspace, 0))
        root = parse(text)
        assert {element.tag.rpartition("}")[2] for element in root.iter()} <= TAGS
        assert "<script" not in text
        title = tags(root, "title")[0].text
        assert title == "<script>alert(1)</script> & “café” ]]> \ufffd"
        assert MARKUP.startswith(title[:30])

    def test_numbers_and_legend(self, workspace):
        words = [text.text for text in tags(parse(to_svg(make_figure(workspace, 0))), "text")]
        assert "both" in words and "only prediction" in words and "only ground truth" in words
        assert "IoU 0.333 · one" in " ".join(words)
        assert "example 11" in " ".join(words)

    def test_a_missing_prediction(self, workspace):
        figure = make_figure(workspace, 3)
        assert figure.caption.facts == ("missing · one · example 14",)
        assert [mark.words for mark in figure.caption.legend] == ["only ground truth"]

    def test_what_it_was_made_of(self, workspace):
        said = tags(parse(to_svg(make_figure(workspace, 0))), "desc")[0].text
        for fact in ("example_id: 11", "run: one", "protocol: average=sentence", "inspector 0."):
            assert fact in said

    def test_without_a_caption(self, workspace):
        root = parse(to_svg(make_figure(workspace, 0), caption=False))
        assert not tags(root, "text")
        assert root.get("viewBox") == "0 0 100 60"


class TestSizes:
    def test_scale_changes_the_size_and_not_the_frame(self, workspace):
        figure = make_figure(workspace, 0)
        root = parse(to_svg(figure, scale=3, caption=False))
        assert (root.get("width"), root.get("height")) == ("300", "180")
        assert root.get("viewBox") == "0 0 100 60"

    def test_width_in_print(self, workspace):
        root = parse(to_svg(make_figure(workspace, 0), width_mm=85, caption=False))
        assert (root.get("width"), root.get("height")) == ("85mm", "51mm")


class TestPhotograph:
    def test_it_is_inside_the_file_as_it_is_stored(self, workspace):
        text = to_svg(make_figure(workspace, 0))
        href = tags(parse(text), "image")[0].get("href")
        kind, _, data = href.partition(";base64,")
        stored = workspace.dataset.images[0].location.read_bytes()
        assert kind == "data:image/png" and base64.b64decode(data) == stored
        assert not re.findall(r"https?:|file:|//", text.replace(NAMESPACE, "").replace(data, ""))

    def test_where_there_is_none_masks_are_drawn_on_grey(self, tmp_path):
        root = parse(to_svg(make_figure(make_scene(tmp_path, has_picture=False), 0)))
        assert not tags(root, "image") and len(areas(root)) == 3
        assert "The picture was not found." in [text.text for text in tags(root, "text")]


def test_other_objects_are_outlined(workspace):
    with_others = strokes(parse(to_svg(make_figure(workspace, 0, look=Look(others=True)))))
    assert ("#bbbbbb", "0.5", None) in with_others
    assert OTHER.area == 600


def test_an_unknown_run_and_an_index_that_is_not_there(workspace):
    from inspector.core.errors import UsageError

    with pytest.raises(UsageError, match="No run 'thre'. Choose one of: one, two & <b>"):
        make_figure(workspace, 0, run="thre")
    with pytest.raises(IndexError):
        make_figure(workspace, 4)
    with pytest.raises(IndexError):
        make_figure(workspace, -1)
