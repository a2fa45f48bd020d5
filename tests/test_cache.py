"""Answers are kept for the next opening, never out of date, safe to delete, bounded."""

from __future__ import annotations

import errno
from dataclasses import replace
from pathlib import Path

import pytest

from inspector import cache
from inspector.leaderboards import boards_digest
from inspector.server import opened
from inspector.server.panels import slices


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("INSPECTOR_CACHE", str(tmp_path))
    return tmp_path / "analyses"


def test_what_was_kept_comes_back(folder):
    assert cache.read_cached("a") is None
    cache.keep("a", [1, {"x": None}])
    assert cache.read_cached("a") == [1, {"x": None}]
    assert cache.read_cached("b") is None


def test_it_may_be_deleted_or_broken_at_any_time(folder):
    cache.keep("a", 1)
    path, = folder.iterdir()
    path.write_bytes(b'{"key": "a", "val')
    assert cache.read_cached("a") is None
    path.unlink()
    folder.rmdir()
    assert cache.read_cached("a") is None
    cache.keep("a", 2)
    assert cache.read_cached("a") == 2


def test_another_key_in_the_file_is_not_taken(folder):
    cache.keep("a", 1)
    path, = folder.iterdir()
    path.write_text('{"key": "b", "value": 7}')
    assert cache.read_cached("a") is None


def test_it_is_bounded_and_keeps_what_was_used_last(folder, monkeypatch):
    import os

    monkeypatch.setattr(cache, "MOST_BYTES", 250)
    for number, key in enumerate(("old", "middle", "new")):
        cache.keep(key, "x" * 60)
        for path in folder.iterdir():
            if key in path.read_text():
                os.utime(path, (number, number))
    cache.keep("newest", "x" * 60)
    assert cache.read_cached("old") is None
    assert cache.read_cached("newest") == "x" * 60
    assert sum(path.stat().st_size for path in folder.iterdir()) <= 250


def test_a_write_that_fails_leaves_nothing_behind(folder, monkeypatch):
    def full(self, text, **options):
        self.write_bytes(text[:3].encode())
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    cache.keep("a", 1)
    assert list(folder.iterdir()) == []


def test_it_can_be_switched_off(monkeypatch, tmp_path):
    monkeypatch.setenv("INSPECTOR_CACHE", "off")
    monkeypatch.setenv("HOME", str(tmp_path))
    cache.keep("a", 1)
    assert cache.read_cached("a") is None
    assert list(tmp_path.iterdir()) == []


def test_an_analysis_is_computed_once_for_all_openings(folder, demo_workspace, monkeypatch):
    first = opened.Opened(demo_workspace)
    while "result" not in (answer := first.panel("slices", {"run": "words"})):
        pass

    def never(*arguments):
        raise AssertionError("computed again")

    monkeypatch.setattr(slices, "find_slices", never)
    assert opened.Opened(demo_workspace).panel("slices", {"run": "words"}) == answer


@pytest.mark.parametrize("change", ["program", "boards"])
def test_an_analysis_of_another_program_is_computed_anew(
    folder, demo_workspace, monkeypatch, change
):
    def made(words: str) -> str:
        monkeypatch.setattr(slices, "make", lambda *arguments: [{"kind": "words", "text": words}])
        panel = opened.PANELS[[p.key for p in opened.PANELS].index("slices")]
        monkeypatch.setattr(opened, "PANELS", [replace(panel, make=slices.make)])
        page = opened.Opened(replace(demo_workspace))
        while "result" not in (answer := page.panel("slices", {"run": "words"})):
            pass
        return answer["result"][0]["text"]

    assert made("before") == "before"
    assert made("as kept") == "before"
    if change == "program":
        monkeypatch.setattr("inspector.workspace.program_digest", lambda: "another")
    else:
        monkeypatch.setattr(opened, "boards_digest", lambda: "others")
    assert made("after") == "after"


def test_the_digest_of_the_boards_changes_with_any_of_them(tmp_path):
    path = tmp_path / "a.json"
    path.write_text('{"key": "a"}')
    before = boards_digest(tmp_path)
    boards_digest.cache_clear()
    path.write_text('{"key": "b"}')
    assert boards_digest(tmp_path) != before
