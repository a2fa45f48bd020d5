"""Thumbnails are kept for the next opening: never of another picture, bounded, safe to delete."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys

import pytest
from fastapi.testclient import TestClient

from inspector import drawing, thumbnails
from inspector.core.protocol import Protocol
from inspector.server import opened
from inspector.server.app import create_app
from inspector.thumbnails import KeptThumbnails
from inspector.workspace import Workspace
from tests.building import Picture, Said, make_dataset
from tests.test_thumbnails import photograph


@pytest.fixture
def path(tmp_path, monkeypatch):
    monkeypatch.setenv("INSPECTOR_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "thumbnails.sqlite"


def test_what_was_kept_comes_back_by_the_picture(path):
    first = KeptThumbnails()
    assert first.get(b"a") is None
    first.put(b"a", b"small a")
    first.put(b"b", b"small b")
    second = KeptThumbnails()
    assert [second.get(picture) for picture in (b"a", b"b", b"c")] == [b"small a", b"small b", None]


def test_another_way_of_making_them_is_another_thumbnail(path, monkeypatch):
    KeptThumbnails().put(b"a", b"small a")
    monkeypatch.setattr(drawing, "_RECIPE", 0)
    assert KeptThumbnails().get(b"a") is None


def test_what_is_damaged_is_not_sent(path):
    kept = KeptThumbnails()
    kept.put(b"a", b"small a")
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE thumbnails SET content = ?", (b"smell a",))
    assert kept.get(b"a") is None
    kept.put(b"a", b"small a")
    assert kept.get(b"a") == b"small a"


@pytest.mark.parametrize("content", [b"no database" * 500, b"SQLite format 3\0" + b"\1" * 5000])
def test_a_broken_file_is_made_anew(path, content):
    path.parent.mkdir()
    path.write_bytes(content)
    kept = KeptThumbnails()
    assert kept.get(b"a") is None
    kept.put(b"a", b"small a")
    assert kept.get(b"a") == b"small a"


def test_a_table_of_another_shape_is_made_anew(path):
    path.parent.mkdir()
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE thumbnails (key BLOB, day TEXT, digest TEXT, content INT)")
        connection.execute("INSERT INTO thumbnails VALUES (?, '', '', 7)", (thumbnails._key(b"a"),))
    kept = KeptThumbnails()
    assert kept.get(b"a") is None
    kept.put(b"a", b"small a")
    assert kept.get(b"a") == b"small a"


def test_it_may_be_deleted_at_any_time(path):
    kept = KeptThumbnails()
    kept.put(b"a", b"small a")
    path.unlink()
    assert kept.get(b"a") is None
    kept.put(b"a", b"small a")
    assert KeptThumbnails().get(b"a") == b"small a"


def test_it_is_bounded_and_keeps_what_was_used_last(path, monkeypatch):
    monkeypatch.setattr(thumbnails, "MOST_BYTES", 400_000)
    monkeypatch.setattr(thumbnails, "_CHECKED_EVERY", 1)
    kept = KeptThumbnails()
    for number in range(300):
        kept.put(b"%d" % number, os.urandom(4_000))
        if number == 20:
            with sqlite3.connect(path) as connection:
                connection.execute("UPDATE thumbnails SET day = 1")
            assert kept.get(b"0") is not None  # used today
    assert path.stat().st_size < 600_000
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT min(day) FROM thumbnails").fetchone()[0] > 1
    assert kept.get(b"299") is not None


def test_a_place_that_cannot_be_written_is_no_cache(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("INSPECTOR_CACHE", str(tmp_path / "file"))
    kept = KeptThumbnails()
    kept.put(b"a", b"small a")
    assert kept.get(b"a") is None


def test_off_is_no_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("INSPECTOR_CACHE", "off")
    monkeypatch.setenv("HOME", str(tmp_path))
    KeptThumbnails().put(b"a", b"small a")
    assert KeptThumbnails().get(b"a") is None
    assert list(tmp_path.iterdir()) == []


def test_processes_may_write_at_once(path):
    program = """
import sys
from inspector.thumbnails import KeptThumbnails
kept = KeptThumbnails()
for number in range(100):
    kept.put(b"%d" % number, b"small %d" % number)
    assert kept.get(b"%d" % number) in (None, b"small %d" % number)
"""
    environment = {**os.environ, "INSPECTOR_CACHE": str(path.parent)}
    both = [subprocess.Popen([sys.executable, "-c", program], env=environment) for _ in range(2)]
    assert [process.wait(60) for process in both] == [0, 0]
    kept = KeptThumbnails()
    found = [kept.get(b"%d" % number) for number in range(100)]
    assert set(found) <= {None} | {b"small %d" % number for number in range(100)}
    assert sum(content is not None for content in found) > 50


def test_a_second_opening_makes_none(path, tmp_path, monkeypatch):
    (tmp_path / "1.jpg").write_bytes(photograph(640, 480))
    dataset = make_dataset(Picture("1", (480, 640), (), (Said("1", "it"),), tmp_path / "1.jpg"))
    workspace = Workspace(dataset, (), Protocol())

    def fetch() -> bytes:
        client = TestClient(create_app(workspace, page={}))
        return client.get(f"/data/{workspace.version}/thumbnails/0").content

    first = fetch()
    monkeypatch.setattr(opened, "make_thumbnail", lambda content: pytest.fail("made again"))
    assert fetch() == first
