"""Tables of scores: matched to a data set row by row, and refused where they cannot be right."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

from inspector.core.errors import FormatError, UsageError
from inspector.core.metrics import compute_metrics
from inspector.core.protocol import Protocol, apply_protocol
from inspector.core.scores import Scores, score_run, with_shapes
from inspector.workspace import Workspace
from tests.building import make_workspace, random_scores, score_strips
from tests.predictions.dumps import WRITERS
from tests.predictions.scene import SCENE, load
from tests.stored.tables import read, stored, table_of, with_values

PROTOCOLS = [
    Protocol(), Protocol("referent", "zero", "skip"), Protocol("sentence", "skip", "zero"),
]


def assert_same(found: Scores, expected: Scores) -> None:
    """Compare every number of two scores."""
    for name in Scores.__slots__:
        value = getattr(expected, name)
        if isinstance(value, np.ndarray):
            is_float = value.dtype.kind == "f"
            assert np.array_equal(getattr(found, name), value, equal_nan=is_float), name


def every_format(folder) -> Workspace:
    """Open masks, counts, stated IoU and boxes of every prediction format at once."""
    runs = [replace(load(write(folder / key)), name=key) for key, write in WRITERS.items()]
    return Workspace(SCENE, tuple(score_run(SCENE, run) for run in runs), Protocol())


@pytest.mark.parametrize("protocol", PROTOCOLS, ids=str)
@pytest.mark.parametrize("seed", range(3))
def test_what_is_read_is_what_was_counted(seed, protocol):
    workspace = make_workspace(*random_scores(seed, pictures=20, runs=3), protocol=protocol)
    table = stored(workspace)
    assert table.protocol == protocol
    assert table.problems == workspace.dataset.problems
    for found, expected in zip(table.scores, workspace.scores, strict=True):
        assert_same(found, expected)
    assert table.metrics == workspace.metrics


@pytest.mark.parametrize("protocol", PROTOCOLS, ids=str)
def test_under_every_rule_each_example_is_shown_by_the_same_number(protocol, tmp_path):
    for workspace in (
        make_workspace(*random_scores(7, pictures=20, runs=2)), every_format(tmp_path)
    ):
        table = replace(stored(workspace), protocol=protocol)
        for row, scores in enumerate(workspace.scores):
            expected = apply_protocol(scores, protocol).shown_iou
            shown = [table.shown_iou(row, index) for index in range(len(expected))]
            assert np.array_equal(shown, expected, equal_nan=True), scores.run.name


def test_masks_counts_iou_and_boxes_keep_what_they_rest_on(tmp_path):
    workspace = every_format(tmp_path)
    table = stored(workspace)
    for found, expected in zip(table.scores, workspace.scores, strict=True):
        assert_same(found, expected)
        assert compute_metrics(found, Protocol()) == compute_metrics(expected, Protocol())
        for index in range(len(SCENE)):
            kind = expected.run.evidence(index)
            assert found.run.evidence(index) == ("counts" if kind == "mask" else kind)
            assert found.run.box_xywh(index) == expected.run.box_xywh(index)


def test_counted_edges_come_back():
    scores = tuple(with_shapes(one) for one in random_scores(3, runs=2))
    workspace = make_workspace(*scores)
    table = stored(workspace)
    assert table.metrics == workspace.metrics
    assert table.metrics[0]["boundary_mIoU"] is not None


def test_rows_may_stand_in_any_order_and_in_several_files():
    workspace = make_workspace(*random_scores(5, pictures=30, runs=3))
    whole = table_of(workspace)
    order = np.random.default_rng(0).permutation(whole.num_rows)
    mixed = whole.take(pa.array(order))
    half = whole.num_rows // 2
    table = read(workspace.dataset, mixed[:half], mixed[half:], rows_at_once=7)
    by_name = {scores.run.name: scores for scores in table.scores({})}
    for expected in workspace.scores:
        assert_same(by_name[expected.run.name], expected)
    assert table.problems == ()


def test_text_may_be_written_in_other_ways():
    workspace = make_workspace(*random_scores(5))
    whole = table_of(workspace)
    for name in ("run", "status", "failure", "evidence"):
        at = whole.schema.get_field_index(name)
        whole = whole.set_column(at, name, whole.column(name).dictionary_encode())
    at = whole.schema.get_field_index("example_id")
    whole = whole.set_column(at, "example_id", whole.column("example_id").cast(pa.large_string()))
    assert_same(read(workspace.dataset, whole).scores({})[0], workspace.scores[0])


STRIPS = [("####", "##.."), ("##..", "##.."), ("#...", "...."), ("....", "...."), ("###.", None)]


@pytest.fixture
def strips() -> Workspace:
    """1: 2/4; 2: 2/2; 3: 0/1; 4: both empty; 5: missing."""
    return make_workspace(score_strips(*STRIPS))


def test_rows_that_are_not_there_are_missing(strips):
    table = read(strips.dataset, table_of(strips)[1:])
    scores = table.scores({})[0]
    assert scores.coverage.missing == 2
    assert (scores.intersection[0], scores.union[0]) == (0, 4)
    assert [(p.code, p.severity, p.count) for p in table.problems] == [("table-absent", "error", 1)]
    assert table.problems[0].message == (
        "1 examples of the data set have no row; they are missing."
    )


def test_of_two_rows_the_first_counts(strips):
    whole = table_of(strips)
    other = with_values(whole[:1], "failure", lambda values: ["loose"])
    table = read(strips.dataset, pa.concat_tables([whole, other]))
    assert table.runs[0].duplicate == 1
    assert_same(table.scores({})[0], strips.scores[0])
    assert [p.code for p in table.problems] == ["duplicate-prediction"]


def test_rows_of_other_examples_are_counted_and_left_out(strips):
    whole = table_of(strips)
    other = with_values(whole[:2], "example_id", lambda values: ["x", "y"])
    table = read(strips.dataset, pa.concat_tables([other, whole]))
    assert table.runs[0].unmatched == 2
    assert table.runs[0].absent == 0
    assert_same(table.scores({})[0], strips.scores[0])


def test_a_row_of_another_example_takes_no_place_of_the_run_before():
    # Place -1 of the second run was counted like the last place of the first.
    workspace = make_workspace(*random_scores(5, pictures=10, runs=2))
    whole = table_of(workspace)
    n = whole.num_rows // 2
    by_example = whole.take(pa.array([run * n + at for at in range(n) for run in (0, 1)]))
    foreign = with_values(by_example[1:2], "example_id", lambda values: ["of another split"])
    mixed = pa.concat_tables([by_example[:2], foreign, by_example[2:]])
    table = read(workspace.dataset, mixed)
    assert [run.unmatched for run in table.runs] == [0, 1]
    assert [(run.absent, run.duplicate) for run in table.runs] == [(0, 0), (0, 0)]
    for found, expected in zip(table.scores({}), workspace.scores, strict=True):
        assert_same(found, expected)


def test_a_table_of_another_data_set_is_refused(strips):
    whole = with_values(table_of(strips), "example_id", lambda ids: [f"x{i}" for i in ids])
    with pytest.raises(UsageError, match=r"No example of .* is in this data set \(toy, split val\)."
                                         r" It was scored on toy, split val. Name the data set"):
        read(strips.dataset, whole)


@pytest.mark.parametrize(("column", "value", "said"), [
    ("intersection", 5, "row 1, example 1: intersection is 5, more than the union of 4"),
    ("intersection", 1,
     "union is 4, but target_area 4 + prediction_area 2 - intersection 1 is not"),
    ("iou", 0.51, "iou is 0.51, but intersection / union is 2/4"),
    ("iou", None, "iou is nan, but intersection / union is 2/4"),
    ("union", None, "one of intersection and union is empty, the other is not"),
    ("target_area", 3, "the table counts 3 pixels of the target, but the data set has another"),
    ("prediction_area", -3, "column 'prediction_area' holds -3, but pixels are counted from 0"),
    ("iou", float("inf"), "column 'iou' holds an infinite number"),
    ("intersection", 5, "Score the run again: the table is not as it was written."),
    ("target_area", 3, "It was scored against another ground truth: open that one."),
    ("status", "misssing", "row 1: status is 'misssing', which is none of 3 kinds expected. Choose "
     "one of: missing, scored, invalid. Did you mean 'missing'?"),
    ("failure", "bad", "failure is 'bad', which is none of 12 kinds expected. Choose one of: "
     "missing, invalid, false_target"),
    ("status", "missing", "nothing usable was predicted, but intersection and union are 2 and 4"),
    ("run", "", "after row 0: a row names no run"),
    ("evidence", "dream", "evidence is 'dream', which is none of 4 kinds expected. Choose one of: "
     "mask, counts, iou, box"),
])
def test_numbers_that_contradict_each_other_are_refused(strips, column, value, said):
    whole = with_values(table_of(strips), column, lambda values: [value, *values[1:]])
    with pytest.raises(FormatError) as caught:
        read(strips.dataset, whole)
    assert said in " ".join(str(caught.value).split()).replace("2 / 4", "2/4")
    assert "part-0.parquet" in str(caught.value)


def test_a_table_of_the_contract_alone_is_enough(strips):
    whole = table_of(strips)
    contract = whole.select(whole.column_names[:17]).replace_schema_metadata({})
    table = read(strips.dataset, contract)
    found, expected = table.scores({})[0], strips.scores[0]
    assert compute_metrics(found, Protocol()) == compute_metrics(expected, Protocol()) | {
        "grounding": None  # needs a column that the contract does not have
    }
    assert [p.code for p in table.problems] == ["table-rules"]
    assert "the usual ones are assumed" in table.problems[0].message


def test_no_row_and_no_run():
    workspace = make_workspace(score_strips(("##", "##")))
    table = read(workspace.dataset, table_of(workspace)[:0])
    assert table.runs == ()
    assert table.scores({}) == ()
