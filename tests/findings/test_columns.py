"""Findings as columns to filter and sort by."""

from __future__ import annotations

import pyarrow as pa

from inspector.findings import findings_columns
from tests.findings.making import BOB, DATA, new_store, say

INDEX_OF = {"9": 0, "8": 1, "7": 2}


def test_sparse_and_sorted_by_place(tmp_path):
    store = new_store(tmp_path)
    say(store, "7", "verdict", "label_wrong")
    say(store, "7", "verdict", "ambiguous", BOB, run="another")
    say(store, "7", "tag", "dark")
    say(store, "9", "tag", "dark")
    say(store, "9", "tag", "blurred")
    say(store, "7", "note", "see there")
    say(store, "of another split", "note", "not here")
    say(store, "8", "tag", "dark")
    say(store, "8", "tag", "", tag="dark")
    columns = findings_columns(store, DATA, INDEX_OF)
    assert columns.revision == store.revision() == 9
    assert pa.table(columns.verdicts).to_pydict() == {
        "place": [2, 2], "run": ["another", "model"], "verdict": ["ambiguous", "label_wrong"]
    }
    assert pa.table(columns.tags).to_pydict() == {
        "place": [0, 0, 2], "tag": ["blurred", "dark", "dark"]
    }
    assert pa.table(columns.found).to_pydict() == {
        "place": [0, 2], "noted": [False, True], "recency": [0, 1]
    }


def test_of_nothing(tmp_path):
    columns = findings_columns(new_store(tmp_path), DATA, INDEX_OF)
    assert columns.revision == 0
    for table in (columns.verdicts, columns.tags, columns.found):
        assert pa.table(table).num_rows == 0
