"""SVG paths against shapes that are known by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from inspector.core.errors import MaskError
from inspector.predictions.moondream import PathMask
from inspector.predictions.svg import fill_nonzero, flatten_path
from tests.drawing import draw
from tests.predictions.scene import KITCHEN, codes, load, masks_of, rectangle, save_lines


def fill(path: str, size_hw: tuple[int, int] = (4, 6)):
    return fill_nonzero(flatten_path(path), size_hw)


BOX = draw(
    "......",
    ".###..",
    ".###..",
    "......",
)


@pytest.mark.parametrize("path", [
    pytest.param("M1,1L4,1L4,3L1,3z", id="lines"),
    pytest.param("M1 1 4 1 4 3 1 3", id="numbers repeat M as L, without z"),
    pytest.param("m1,1l3,0l0,2l-3,0z", id="lower case is relative"),
    pytest.param("M1,1H4V3H1Z", id="H and V"),
    pytest.param("m1,1h3v2h-3z", id="h and v"),
    pytest.param("M1,1H4V3H1ZM1,1H4V3H1Z", id="twice is no hole in the same direction"),
    pytest.param("M1,1C2,1,3,1,4,1C4,2,4,2,4,3S2,3,1,3z", id="C and S along straight lines"),
    pytest.param("M1,1Q2,1,4,1T4,3 1,3z", id="Q and T end where they say"),
    pytest.param("M1 1A0 0 0 0 0 4 1A0,2,0,01,4,3L1,3z", id="arcs without radius are lines"),
    pytest.param("M4,3L4,1L1,1L1,3z", id="the other direction"),
    pytest.param("M+1e0,1.0L4.,1L4,3L.1e1,3z", id="numbers with signs, points and powers"),
])
def test_every_way_to_write_a_box(path):
    if "T" in path:
        assert fill(path).area >= 5  # a curve bends; its ends are the box's
        return
    assert fill(path) == BOX


def test_a_pixel_belongs_if_its_centre_is_inside():
    assert fill("M0.5,0H1.5V4H0.5z").to_array()[0].tolist() == [True, False, False] + [False] * 3
    assert fill("M0.51,0H1.49V4H0.51z").area == 0
    assert fill("M0.49,0H1.51V4H.49z").area == 8


def test_shapes_that_touch_share_no_pixel_and_leave_no_gap():
    left, right = fill("M0,0H2.5V4H0z"), fill("M2.5,0H6V4H2.5z")
    assert left.area + right.area == 24
    assert not (left.to_array() & right.to_array()).any()


def test_a_subpath_of_the_other_direction_is_a_hole():
    ring = fill("M0,0H6V4H0zM1,1V3H5V1z")
    assert ring == draw("######", "#....#", "#....#", "######")
    assert fill("M0,0H6V4H0zM1,1H5V3H1z").area == 24  # the same direction: no hole (non-zero)


def test_after_z_the_next_command_begins_at_the_start_of_the_subpath():
    assert fill("M1,1H4V3H1zl3,0 0,2 -3,0z") == BOX


def test_a_triangle():
    assert fill("M0,0L4,0L0,4z", (4, 4)) == draw("###.", "##..", "#...", "....")


@pytest.mark.parametrize("path", [
    pytest.param("M0,50A50,50 0 1 1 100,50A50,50 0 1 1 0,50z", id="two arcs"),
    pytest.param("M0 50a50 50 0 0050 50a50 50 0 0050-50a50 50 0 00-50-50a50 50 0 00-50 50z",
                 id="relative arcs with packed flags"),
    pytest.param("M0,50C0,22.386,22.386,0,50,0S100,22.386,100,50 77.614,100,50,100 0,77.614,0,50z",
                 id="four cubic curves"),
])
def test_a_circle_has_the_area_of_a_circle(path):
    mask = fill(path, (100, 100))
    assert mask.area == pytest.approx(math.pi * 50**2, rel=0.01)
    assert mask.to_array()[50, 1] and not mask.to_array()[2, 2]


def test_an_arc_that_is_too_small_is_stretched_to_reach():
    assert fill("M1,2A1,1 0 0 1 5,2z", (4, 6)).area == fill("M1,2A2,2 0 0 1 5,2z", (4, 6)).area


def test_random_polygons_agree_with_a_plain_winding_number():
    rng = np.random.default_rng(3)
    for _ in range(60):
        points = rng.uniform(-2, 12, (int(rng.integers(3, 9)), 2)).round(3)
        path = "M" + "L".join(f"{x},{y}" for x, y in points) + "z"
        mask = fill(path, (10, 10)).to_array()
        for row, column in rng.integers(0, 10, (12, 2)).tolist():
            assert mask[row, column] == (winding(points, column + 0.5, row + 0.5) != 0)


def winding(points: np.ndarray, x: float, y: float) -> int:
    """Add up the angles under which a point sees the sides of a polygon."""
    angles = np.arctan2(points[:, 1] - y, points[:, 0] - x)
    steps = np.diff(np.append(angles, angles[0]))
    return round(float(((steps + np.pi) % (2 * np.pi) - np.pi).sum() / (2 * np.pi)))


@pytest.mark.parametrize(("path", "said"), [
    ("L1,1", "does not begin with M"), ("1,1", "does not begin with M"),
    ("M1", "gives M 1 numbers, not 2 each time"), ("M1,1L2", "gives L 1 numbers"),
    ("M1,1X2", "holds 'X'"), ("M1,1L<script>", "holds '<'"), ("M1,1Z5", "gives Z 1 numbers"),
    ("M1e99,1L2,2L3,0z", "far beyond its picture"), ("M1e999,1L2,2L3,0z", "far beyond"),
    ("M0,0" + "L1,1" * 600_000, "longer than"), ("M0,0" + "L1,1" * 450_000, "more than"),
])
def test_what_is_no_path(path, said):
    with pytest.raises(MaskError, match=said):
        flatten_path(path)


class TestMoondream:
    BOX = {"x_min": 0.25, "y_min": 0.5, "x_max": 0.75, "y_max": 1.0}

    def test_the_path_is_relative_to_the_box_not_to_the_picture(self):
        # the natural mistake; the documentation's example has a box that begins at 0 and hides it
        mask = PathMask("M0,0H.5V1H0z", (0.25, 0.5, 0.75, 1.0)).read((4, 8))
        assert mask == draw("........", "........", "..##....", "..##....")

    def run(self, tmp_path, record: dict):
        return load(save_lines(tmp_path / "run.jsonl", {"sent_id": 29928, **record}))

    @pytest.mark.parametrize("record", [
        {"path": "M0,0H1V1H0z", "bbox": BOX},
        {"segments": [{"svg_path": "M0,0H1V1H0z", "bbox": BOX, "coarse_path": "M0,0z"}]},
        {"result": {"path": "M0,0H1V1H0z", "bbox": BOX}},
        {"path": "M0,0H1V1H0z", "bbox": [0.25, 0.5, 0.75, 1.0]},
        {"path": "M-.01-.01H1.01V1.01H-.01z", "bbox": BOX},
    ], ids=["client", "engine", "nested", "list", "values beyond 0 and 1"])
    def test_every_shape_of_an_answer(self, record, tmp_path):
        run = self.run(tmp_path, record)
        assert masks_of(run) == {"29928": rectangle(KITCHEN, 16, 24, 48, 48)}

    def test_several_segments_are_joined_by_union(self, tmp_path):
        # the first one counted, the others were lost without a word
        left, right = ({"svg_path": "M0,0H1V1H0z", "bbox": [x, 0.5, x + 0.25, 1.0]}
                       for x in (0.25, 0.5))
        run = self.run(tmp_path, {"segments": [left, right]})
        assert masks_of(run) == {"29928": rectangle(KITCHEN, 16, 24, 48, 48)}
        assert run.box_xywh(0) == (16, 24, 32, 24)
        assert [(p.code, p.message) for p in run.problems] == [
            ("several-boxes", "1 answers hold several segments, which were joined by union."),
        ]

    def test_a_segment_without_a_path_makes_the_answer_invalid(self, tmp_path):
        left = {"svg_path": "M0,0H1V1H0z", "bbox": self.BOX}
        run = self.run(tmp_path, {"segments": [left, {"bbox": self.BOX}]})
        assert run.reasons == {0: "1 of its 2 segments have no path."}

    @pytest.mark.parametrize("record", [
        {"path": "", "bbox": BOX}, {"path": ""}, {"segments": []},
    ], ids=["empty path", "neither", "no segment"])
    def test_no_path_is_an_empty_prediction(self, record, tmp_path):
        run = self.run(tmp_path, record)
        assert masks_of(run)["29928"].area == 0

    def test_a_path_without_a_box_is_invalid_not_empty(self, tmp_path):
        run = self.run(tmp_path, {"path": "M0,0H1V1H0z"})
        assert run.reasons[0] == "The path is relative to a box, but the answer has none."
        assert codes(run) == ["broken-prediction"]

    def test_a_picture_in_base64_counts_in_place_of_the_path(self, tmp_path):
        import base64
        import io

        from tests.predictions.dumps import picture

        buffer = io.BytesIO()
        picture(rectangle(KITCHEN, 1, 1, 9, 9)).save(buffer, "PNG")
        answer = {"path": "M0,0H1V1H0z", "bbox": self.BOX,
                  "mask": base64.b64encode(buffer.getvalue()).decode()}
        run = self.run(tmp_path, {"segments": [answer]})
        assert masks_of(run) == {"29928": rectangle(KITCHEN, 1, 1, 9, 9)}
