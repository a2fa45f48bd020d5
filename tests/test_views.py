"""A view as a program names it becomes the keys of an address that finds just what was meant."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from inspector.browse import make_browser, read_selection
from inspector.core.errors import UsageError
from inspector.views import write_view


def written(workspace, **filters) -> dict[str, str]:
    return write_view(workspace, example=None, run=None, view=None, filters=filters)


@pytest.mark.parametrize(("value", "expected"), [
    pytest.param(1234567, "1234567..1234567", id="whole"),
    pytest.param(0.12345678, "0.12345678..0.12345678", id="fraction"),
    pytest.param(np.int64(3), "3..3", id="whole of numpy"),
    pytest.param(np.float64(0.1), "0.1..0.1", id="fraction of numpy"),
    pytest.param(np.float32(0.5), "0.5..0.5", id="half precision"),
    pytest.param(Fraction(1, 4), "0.25..0.25", id="ratio"),
    pytest.param((np.int64(2), None), "2..", id="pair with an open end"),
    pytest.param(np.array([0.25, 0.5]), "0.25..0.5", id="array"),
])
def test_numbers_keep_every_digit(value, expected, demo_workspace):
    assert written(demo_workspace, area=value) == {"area": expected}


def test_switches_of_numpy(demo_workspace):
    assert written(demo_workspace, reverse=np.True_) == {"reverse": "1"}
    assert written(demo_workspace, reverse=np.False_) == {}


def test_the_iou_of_every_example_finds_it(demo_workspace):
    browser = make_browser(demo_workspace)
    for place, iou in enumerate(demo_workspace.scored[0].iou.tolist()):
        query = written(demo_workspace, iou=iou)
        assert place in browser.order(read_selection(query, demo_workspace)).tolist()


@pytest.mark.parametrize(("filters", "said"), [
    pytest.param({"iou": object}, "'iou' must be text, a number or a list, but got", id="object"),
    pytest.param({"iou": float("nan")}, "'nan..nan' is not a range for 'iou'.", id="no number"),
    pytest.param({"sentence": "\ud800"}, "'sentence' holds half a character", id="half sentence"),
    pytest.param({"category": "\ud800"}, "'category' holds half a character", id="half choice"),
])
def test_what_no_filter_can_be_is_said(filters, said, demo_workspace):
    with pytest.raises(UsageError) as caught:
        written(demo_workspace, **filters)
    assert str(caught.value).startswith(said)
