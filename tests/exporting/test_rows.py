"""Rows of a selection: the same values in every kind of file, and those of ``score``."""

from __future__ import annotations

import io
import json

import numpy as np
import pandas
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from inspector.core.errors import UsageError
from inspector.core.protocol import Protocol
from inspector.core.table import score_table
from inspector.exporting import Rows
from inspector.exporting import rows as rows_module
from inspector.workspace import Workspace
from tests.building import make_workspace, random_scores, score_strips

NAMES = ["run0", "run1"]


@pytest.fixture
def workspace() -> Workspace:
    return make_workspace(*random_scores(3, runs=2), protocol=Protocol(missing="skip"))


@pytest.fixture(params=[7, 8_192], ids=["small pieces", "one piece"])
def rows(workspace, request, monkeypatch) -> Rows:
    """Every second example from the last to the first, in both runs."""
    monkeypatch.setattr(rows_module, "_PIECE", request.param)
    return Rows(workspace, np.arange(len(workspace.dataset))[::-2], NAMES)


@pytest.fixture
def expected(workspace) -> list[dict]:
    """The rows of the whole table, picked out by their ids."""
    table = score_table(workspace.scores, workspace.protocol).to_pylist()
    by_key = {(row["run"], row["example_id"]): row for row in table}
    ids = workspace.dataset.expressions.ids
    places = np.arange(len(workspace.dataset))[::-2].tolist()
    return [by_key[run, ids[p]] for run in NAMES for p in places if (run, ids[p]) in by_key]


def test_json_lines(rows, expected):
    assert [json.loads(line) for line in b"".join(rows.json_lines()).splitlines()] == expected


def test_csv_in_pandas(rows, expected):
    frame = pandas.read_csv(
        io.BytesIO(b"".join(rows.csv())), dtype=str, keep_default_na=False, float_precision=None
    )
    assert list(frame.columns) == list(expected[0])
    for row, wanted in zip(frame.to_dict("records"), expected, strict=True):
        for key, value in wanted.items():
            if isinstance(value, bool):
                assert row[key] == str(value).lower()
            elif isinstance(value, float):
                assert float(row[key]) == value
            else:
                assert row[key] == ("" if value is None else str(value))


def test_parquet_in_duckdb(rows, expected, tmp_path):
    import duckdb

    path = tmp_path / "rows.parquet"
    with path.open("wb") as file:
        rows.parquet(file)
    found = duckdb.sql(f"SELECT * FROM '{path}'")
    assert [dict(zip(found.columns, row, strict=True)) for row in found.fetchall()] == expected
    sums = duckdb.sql(f'SELECT sum(intersection), sum("union") FROM \'{path}\'').fetchall()
    assert sums[0] == tuple(sum(row[key] or 0 for row in expected) for key in
                         ("intersection", "union"))


def test_parquet_says_by_which_rules(rows):
    sink = io.BytesIO()
    rows.parquet(sink)
    said = json.loads(pq.read_schema(io.BytesIO(sink.getvalue())).metadata[b"inspector"])
    assert said["protocol"]["missing"] == "skip"


def test_examples_without_truth_have_no_row_and_are_counted(rows, workspace, expected):
    places = np.arange(len(workspace.dataset))[::-2]
    assert rows.left_out == (~workspace.dataset.is_scorable[places]).sum() > 0
    assert len(expected) == 2 * (len(places) - rows.left_out)


def test_further_columns(workspace):
    def more(run, places):
        ids = workspace.dataset.expressions.ids
        return {"finding": pa.array([f"{run} {ids[place]}" for place in places.tolist()])}

    lines = b"".join(Rows(workspace, np.array([5, 2]), ["run1"], more).json_lines()).splitlines()
    found = [json.loads(line) for line in lines]
    assert [row["finding"] for row in found] == [f"run1 {row['example_id']}" for row in found]


def test_columns_of_one_run_with_measured_shapes_and_one_without(workspace):
    from dataclasses import replace

    from inspector.core.scores import with_shapes

    one, two = workspace.scores
    mixed = replace(workspace, scores=(with_shapes(one), two))
    everything = np.arange(len(workspace.dataset))
    both = next(Rows(mixed, everything, NAMES).pieces())
    alone = next(Rows(mixed, everything, ["run0"]).pieces())
    assert "boundary_iou" not in both.column_names and "boundary_iou" in alone.column_names


class TestWhatIsRefused:
    def test_no_run(self, workspace):
        with pytest.raises(UsageError, match="There is no run to write rows of."):
            Rows(workspace, np.array([0]), [])

    def test_another_run(self, workspace):
        with pytest.raises(UsageError, match="No run 'run2'. Choose one of: run0, run1."):
            Rows(workspace, np.array([0]), ["run0", "run2"])

    def test_no_example(self, workspace):
        with pytest.raises(UsageError, match="has a row: none is selected."):
            Rows(workspace, np.array([], int), NAMES)

    def test_no_example_with_truth(self, workspace):
        places = np.flatnonzero(~workspace.dataset.is_scorable)
        with pytest.raises(UsageError, match="has a row: their truth is unreadable."):
            Rows(workspace, places, NAMES)


def test_values_are_written_as_they_are_even_if_a_spreadsheet_would_compute_them():
    workspace = make_workspace(score_strips(("#.", "#.")))
    workspace.dataset.expressions.sentences[0] = "=1+1"
    text = b"".join(Rows(workspace, np.array([0]), ["model"]).csv()).decode()
    assert '"=1+1"' in text
