from __future__ import annotations

import pyarrow as pa
import pytest

from inspector.core.protocol import Protocol
from inspector.core.table import score_table
from tests.building import (
    BROKEN,
    Picture,
    Said,
    Thing,
    make_dataset,
    random_scores,
    score,
    score_strips,
)
from tests.drawing import draw

COLUMNS = [
    "example_id", "image_id", "file_name", "ref_id", "ann_id", "sent_id", "sample_id", "sentence",
    "category", "run", "status", "intersection", "union", "iou", "target_area",
    "prediction_area", "failure",
]
COUNTS = ["intersection", "union", "target_area", "prediction_area"]


def test_the_columns_of_the_contract_come_first():
    table = score_table([score_strips(("##", "##"))], Protocol())
    assert table.column_names[: len(COLUMNS)] == COLUMNS


@pytest.mark.parametrize("pairs", [
    pytest.param([("##", "##")], id="scored"),
    pytest.param([("##", None)], id="only missing"),
])
def test_the_types_of_the_contract(pairs):
    table = score_table([score_strips(*pairs)], Protocol())
    expected = dict.fromkeys(COUNTS, pa.int64()) | {"iou": pa.float64()}
    for name in COLUMNS:
        assert table.schema.field(name).type == expected.get(name, pa.string()), name


def test_the_types_stay_where_no_example_can_be_scored():
    dataset = make_dataset(
        Picture("1", (1, 2), (Thing("a", "cup", BROKEN),), (Said("1", "cup", ("a",)),))
    )
    table = score_table([score(dataset, {"1": draw("##")})], Protocol())
    assert table.num_rows == 0
    assert table.schema.field("example_id").type == pa.string()


def test_one_row_says_everything():
    dataset = make_dataset(Picture(
        "7", (1, 10),
        (Thing("a", "cup", draw("###.......")), Thing("b", "dog", draw(".......###")),
         Thing("c", "cup", draw("....##...."))),
        (Said("71", "cup and dog", ("a", "b"), ref_id="r1", raw="Cup and dog!"),
         Said("", "left cup", ("a",), sample_id="s")),
    ))
    scores = score(dataset, {"71": draw("###......."), "s:1": draw("....##....")}, name="base")
    both, left = score_table([scores], Protocol()).to_pylist()
    assert {name: both[name] for name in COLUMNS} == {
        "example_id": "71", "image_id": "7", "file_name": "7.jpg", "ref_id": "r1",
        "ann_id": "a;b", "sent_id": "71", "sample_id": "", "sentence": "cup and dog",
        "category": "cup;dog", "run": "base", "status": "scored", "intersection": 3, "union": 6,
        "iou": 0.5, "target_area": 6, "prediction_area": 3, "failure": "correct",
    }
    assert (both["raw"], both["split"]) == ("Cup and dog!", "val")
    assert (both["other_ann_id"], both["other_iou"]) == ("", None)
    assert (left["example_id"], left["sent_id"], left["sample_id"]) == ("s:1", "", "s")
    assert (left["failure"], left["other_ann_id"]) == ("wrong_referent", "c")
    assert (left["other_category"], left["other_iou"]) == ("cup", 1.0)


def test_missing_and_invalid_have_zero_and_no_prediction_area():
    scores = score_strips(("##..", "##.."), ("##..", None), ("##..", BROKEN))
    table = score_table([scores], Protocol())
    assert table["status"].to_pylist() == ["scored", "missing", "invalid"]
    assert table["iou"].to_pylist() == [1.0, 0.0, 0.0]
    assert table["intersection"].to_pylist() == [2, 0, 0]
    assert table["union"].to_pylist() == [2, 2, 2]
    assert table["prediction_area"].to_pylist() == [2, None, None]
    assert table["failure"].to_pylist() == ["correct", "missing", "invalid"]


@pytest.mark.parametrize(("rules", "expected"), [
    pytest.param({}, [0.5, 1.0, 0.0], id="nothing skipped"),
    pytest.param({"missing": "skip"}, [0.5, 1.0, None], id="missing skipped"),
    pytest.param({"empty_union": "skip"}, [0.5, None, 0.0], id="empty skipped"),
    pytest.param({"empty_union": "zero"}, [0.5, 0.0, 0.0], id="empty zero"),
])
def test_cells_are_empty_where_a_rule_skips(rules, expected):
    scores = score_strips(("##..", "#..."), ("....", "...."), ("##..", None))
    table = score_table([scores], Protocol(**rules))
    assert table["iou"].to_pylist() == expected
    for name in ("intersection", "union"):
        assert [v is None for v in table[name].to_pylist()] == [v is None for v in expected]
    assert table["target_area"].to_pylist() == [2, 0, 2]  # always there


def test_runs_follow_one_another():
    scores = random_scores(5, runs=3)
    table = score_table(scores, Protocol())
    names = table["run"].to_pylist()
    assert list(dict.fromkeys(names)) == ["run0", "run1", "run2"]
    assert names == sorted(names)
    each = len(names) // 3
    ids = table["example_id"].to_pylist()
    assert ids[:each] == ids[each : 2 * each]
    assert len(set(ids)) == each


def test_examples_without_truth_have_no_row():
    dataset = make_dataset(Picture(
        "1", (1, 2), (Thing("a", "cup", BROKEN), Thing("b", "cup", draw("#."))),
        (Said("1", "bad", ("a",)), Said("2", "good", ("b",))),
    ))
    table = score_table([score(dataset, {"1": draw("##"), "2": draw("#.")})], Protocol())
    assert table["example_id"].to_pylist() == ["2"]
