"""Which files are a table of scores, and what they say of themselves."""

from __future__ import annotations

import json
import os
import random

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from inspector.core.errors import FormatError, InspectorError, UsageError
from inspector.core.protocol import Protocol
from inspector.stored.files import METADATA_KEY, find_tables
from inspector.stored.reading import read_table
from tests.building import make_workspace, random_scores, score_strips
from tests.stored.tables import table_of

ROUNDS = 2_000 if os.environ.get("INSPECTOR_LONG") else 60


@pytest.fixture
def whole() -> pa.Table:
    scores = score_strips(("##", "##"), ("##", "#."))
    return table_of(make_workspace(scores, protocol=Protocol("referent", "zero", "skip")))


def test_a_file_says_by_which_rules_it_was_scored(whole, tmp_path):
    pq.write_table(whole, tmp_path / "a.parquet")
    found = find_tables(str(tmp_path / "a.parquet"))
    assert found.rows == 2
    assert found.made_by.protocol == Protocol("referent", "zero", "skip")
    assert (found.made_by.dataset, found.made_by.thresholds.iou) == ("toy", 0.5)


def test_a_folder_and_a_pattern_name_files_in_order(whole, tmp_path):
    (tmp_path / "in").mkdir()
    for name in ("b.parquet", "a.parquet", "in/c.parquet", "_tmp.parquet", ".x.parquet"):
        pq.write_table(whole, tmp_path / name)
    (tmp_path / "notes.txt").touch()
    names = [path.name for path in find_tables(str(tmp_path)).paths]
    assert names == ["a.parquet", "b.parquet", "c.parquet"]
    names = [path.name for path in find_tables(str(tmp_path / "[ab].parquet")).paths]
    assert names == ["a.parquet", "b.parquet"]


@pytest.mark.parametrize(("source", "said"), [
    ("nowhere.parquet", "There is no table of scores at"),
    ("x*.parquet", "No file fits"),
    (".", "There is no .parquet file in"),
])
def test_what_is_not_there_is_said(source, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match=said):
        find_tables(source)


def test_what_is_no_table_of_scores(whole, tmp_path):
    path = tmp_path / "a.parquet"
    path.write_bytes(b"PAR1 and nothing else PAR1")
    with pytest.raises(FormatError, match="a.parquet: cannot be read as parquet"):
        find_tables(str(path))
    pq.write_table(whole.rename_columns(
        ["intersections" if name == "intersection" else name for name in whole.column_names]
    ), path)
    with pytest.raises(FormatError, match="has no column 'intersection' Did you mean "
                                          "'intersections'"):
        find_tables(str(path))
    pq.write_table(whole.set_column(
        whole.schema.get_field_index("union"), "union", pa.array(["1", "2"])
    ), path)
    with pytest.raises(FormatError, match="column 'union' must hold whole numbers .* but holds "
                                          "string"):
        find_tables(str(path))


def test_files_of_different_rules_are_not_mixed(whole, tmp_path):
    pq.write_table(whole, tmp_path / "a.parquet")
    pq.write_table(whole.replace_schema_metadata({}), tmp_path / "b.parquet")
    with pytest.raises(FormatError, match="b.parquet: was scored under other rules"):
        find_tables(str(tmp_path))


@pytest.mark.parametrize("change", [
    lambda said: "[]", lambda said: "{", lambda said: json.dumps({**said, "protocol": {}})[:-1],
    lambda said: json.dumps({**said, "protocol": {**said["protocol"], "missing": "guess"}}),
    lambda said: json.dumps({**said, "thresholds": {**said["thresholds"], "iou": 7}}),
    lambda said: json.dumps({**said, "thresholds": {}}),
    lambda said: "[" * 100_000,
])
def test_metadata_that_cannot_be_read_is_refused(change, whole, tmp_path):
    text = change(json.loads(whole.schema.metadata[METADATA_KEY]))
    path = tmp_path / "a.parquet"
    pq.write_table(whole.replace_schema_metadata({METADATA_KEY: text.encode()}), path)
    with pytest.raises(FormatError, match="metadata of an inspector that cannot be read"):
        find_tables(str(path))


def test_damaged_files_are_refused_in_words(tmp_path):
    workspace = make_workspace(*random_scores(4, pictures=10, runs=2))
    path = tmp_path / "a.parquet"
    pq.write_table(table_of(workspace), path, write_page_checksum=True)
    content = path.read_bytes()
    rng = random.Random(0)
    refused = 0
    for number in range(ROUNDS):
        damaged = bytearray(content)
        for _ in range(rng.choice([1, 3, 20])):
            damaged[rng.randrange(len(damaged))] = rng.randrange(256)
        path.write_bytes(damaged)
        shelf = tmp_path / f"{number}"
        shelf.mkdir()
        try:
            read_table(find_tables(str(path)), workspace.dataset, shelf)
        except InspectorError as error:
            assert "\n" not in str(error)
            refused += 1
    assert refused > ROUNDS / 2
