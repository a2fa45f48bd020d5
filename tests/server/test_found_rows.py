"""Findings as rows to filter by: a lock on their file stops no page turn, and is not kept."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest
from fastapi.testclient import TestClient

from inspector.findings import open_store
from inspector.findings import store as store_module
from inspector.server.app import create_app
from inspector.server.found_rows import FoundSource
from tests.building import make_workspace, score_strips
from tests.findings.making import say


@pytest.fixture
def workspace():
    return make_workspace(score_strips(("##..", "#..."), ("##..", "##..")))


@pytest.fixture
def path(tmp_path):
    return tmp_path / "inspector.findings.sqlite"


def test_a_locked_file_gives_nothing_new_at_once(workspace, path):
    with closing(open_store(path)) as store, closing(
        sqlite3.connect(path, isolation_level=None)
    ) as other:
        say(store, "1", "tag", "blurred")
        source = FoundSource(store, workspace)
        other.execute("BEGIN EXCLUSIVE")
        assert (source(-1), source.is_behind) == (None, True)
        other.execute("ROLLBACK")
        say(store, "2", "tag", "dark")
        found = source(-1)
        assert (found.revision, source.is_behind) == (2, False)
        assert [row[:4] for row in found.rows if row[0] == "tag"] == [
            ("tag", -1, 0, "blurred"), ("tag", -1, 1, "dark"),
        ]
        assert source(2) is None


def test_browsers_do_not_keep_what_was_answered_without_them(workspace, path, monkeypatch):
    monkeypatch.setattr(store_module, "REST_SECONDS", 0.0)
    with closing(open_store(path)) as store, closing(
        sqlite3.connect(path, isolation_level=None)
    ) as other:
        client = TestClient(create_app(workspace, page={}, findings=store))
        say(store, "1", "tag", "blurred")
        asked = f"/data/{workspace.version}/counts"
        other.execute("BEGIN EXCLUSIVE")
        assert client.get(asked).headers["cache-control"] == "no-store"
        other.execute("ROLLBACK")
        assert "immutable" in client.get(asked).headers["cache-control"]
