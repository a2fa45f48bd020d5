"""The integers behind the numbers, held against counts by hand."""

from __future__ import annotations

import pytest

from inspector.core.protocol import Protocol
from inspector.report.failing import bins_of
from inspector.report.numbers import numbers_of
from inspector.workspace import Workspace
from tests.building import make_workspace, score_strips

STRIPS = (
    ("##########", "##########"),  # IoU 1
    ("##########", "#####....."),  # 0.5 = 10 of 20
    ("##########", "###......."),  # 0.3 = 6 of 20
    ("##########", None),  # missing
    ("..........", ".........."),  # no target, nothing marked
)


def strips(**rules) -> Workspace:
    return make_workspace(
        score_strips(*STRIPS, referents=("r", "r", "s", "t", "u")), protocol=Protocol(**rules)
    )


@pytest.mark.parametrize(("rules", "key", "value", "behind"), [
    pytest.param({}, "mIoU", 2.8 / 5, "over 5", id="mean"),
    pytest.param({}, "oIoU", 18 / 40, "18 / 40 px", id="sums"),
    pytest.param({}, "P@0.5", 3 / 5, "3 of 5", id="share"),
    pytest.param({}, "P@0.9", 2 / 5, "2 of 5", id="share at 0.9"),
    pytest.param({}, "N-acc", 1.0, "1 of 1", id="no-target"),
    pytest.param({}, "T-acc", 3 / 4, "3 of 4", id="target"),
    pytest.param({"missing": "skip"}, "mIoU", 2.8 / 4, "over 4", id="without missing"),
    pytest.param({"empty_union": "skip"}, "P@0.5", 2 / 4, "2 of 4", id="without empty"),
    pytest.param({"average": "referent"}, "mIoU", (0.75 + 0.3 + 0 + 1) / 4,
                 "over 5, inside 4 referents first", id="by referent"),
])
def test_what_stands_behind_a_number(rules, key, value, behind):
    figure = numbers_of(strips(**rules), 0)[key]
    assert figure.value == pytest.approx(value)
    assert figure.behind == behind


def test_bins_are_decided_on_integers():
    counts = bins_of(strips().scored[0])
    assert {place: number for place, number in enumerate(counts) if number} == {
        0: 1, 6: 1, 10: 1, 19: 2,
    }
    assert sum(counts) == 5


def test_left_out_examples_are_in_no_bin():
    assert sum(bins_of(strips(missing="skip", empty_union="skip").scored[0])) == 3


@pytest.mark.parametrize("part", range(21))
def test_every_twentieth_lies_in_its_own_bin(part):
    (scored,) = make_workspace(score_strips(("#" * 20, "#" * part + "." * (20 - part)))).scored
    assert bins_of(scored).index(1) == min(part, 19)
