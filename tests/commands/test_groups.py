"""Groups are made of the values themselves; what stands beside them are only their names."""

from __future__ import annotations

import pyarrow as pa
import pytest

from inspector.commands.groups import _cut, describe_groups, group_scores
from inspector.core.scores import score_run
from tests.building import Picture, Said, Thing, make_dataset, make_run, make_workspace, score
from tests.drawing import draw

SIZES = range(1, 14)
"""One more than may stand as groups of their own."""


def cut(values: list) -> list[tuple[str, int]]:
    codes, labels = _cut(pa.array(values))
    return [(label, codes.tolist().count(code)) for code, label in enumerate(labels)]


@pytest.mark.parametrize(("values", "expected"), [
    pytest.param([1234560, 1234561, 1234562, 1234561],
                 [("1,234,560", 1), ("1,234,561", 2), ("1,234,562", 1)], id="near whole numbers"),
    pytest.param([0.5, 0.25, 0.5], [("0.25", 1), ("0.5", 2)], id="fractions"),
    pytest.param([1.0, 1.0 + 2**-52], [("1", 1), ("1.0000000000000002", 1)], id="near fractions"),
    pytest.param([3, None, 3], [("3", 2), ("–", 1)], id="a row without a number"),
    pytest.param([True, False, True], [("0", 1), ("1", 2)], id="yes and no"),
    pytest.param([], [], id="no row"),
    pytest.param([1000 * n for n in range(20)],
                 [("0 … 3,000", 4), ("4,000 … 7,000", 4), ("8,000 … 11,000", 4),
                  ("12,000 … 15,000", 4), ("16,000 … 19,000", 4)], id="many whole numbers"),
    pytest.param([*range(13)] + [1000] * 40, [("0 … 10", 11), ("11 … 12", 2), ("1,000", 40)],
                 id="most alike"),
])
def test_numbers(values, expected):
    assert cut(values) == expected


def test_nearly_equal_bins_stay_apart():
    found = cut([1 - n * 1e-7 for n in range(20)])
    assert [count for _, count in found] == [4] * 5
    assert len({label for label, _ in found}) == 5


def strips():
    return make_dataset(*(
        Picture(f"{n}", (1, 20), (Thing(f"{n}", "cup" if n % 2 else "dog", draw("#" * n + "." *
                                                                              (20 - n))),),
                (Said(f"{n}", "it", [f"{n}"]),))
        for n in SIZES
    ))


def test_texts_stand_by_size_and_add_up():
    dataset = strips()
    workspace = make_workspace(score(dataset, {f"{n}": draw("#" + "." * 19) for n in SIZES}))
    groups = group_scores(workspace, "category")
    assert [(group.value, group.n) for group in groups] == [("cup", 7), ("dog", 6)]
    assert groups[0].metrics["mIoU"] == pytest.approx(sum(1 / n for n in SIZES if n % 2) / 7)


def test_a_run_of_boxes_has_the_numbers_of_boxes():
    dataset = strips()
    boxes = [{"example_id": f"{n}", "box_xywh": [0, 0, n, 1]} for n in SIZES]
    only = score_run(dataset, make_run(dataset, boxes, name="boxes"))
    masks = score(dataset, {f"{n}": draw("#" * 20) for n in SIZES}, name="masks")
    (cup, dog) = group_scores(make_workspace(only), "category")
    assert cup.metrics == dog.metrics == {"box_mIoU": 1, "box_Acc@0.5": 1}
    both = group_scores(make_workspace(masks, only), "category")
    assert [group.metrics["mIoU"] is None for group in both] == [False, False, True, True]
    assert [group.metrics["box_mIoU"] for group in both] == [None, None, 1, 1]
    head = describe_groups(both, "category").splitlines()[0].split()
    assert head == ["run", "category", "n", "mIoU", "oIoU", "P@0.5", "box_mIoU", "box_Acc@0.5"]
