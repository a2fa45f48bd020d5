"""A cache folder of its own for every test, and files that are trusted from the first moment."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from inspector.snapshots import witness


@pytest.fixture
def cache(tmp_path, monkeypatch) -> Path:
    monkeypatch.setenv("INSPECTOR_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "snapshots"


@pytest.fixture
def trusting(monkeypatch) -> None:
    """Take files for settled that the test has written a moment ago."""
    monkeypatch.setattr(witness, "SETTLED", -3_600.0)


def age(*places: Path) -> None:
    """Set files and folders back by years, so that a change of now has another time for sure."""
    for place in places:
        for path in [*place.rglob("*"), place] if place.is_dir() else [place]:
            os.utime(path, (1e9, 1e9), follow_symlinks=False)


def wait_for_tick(path: Path) -> None:
    """Wait until what is written now has a later time than what was written."""
    probe = path.with_name("probe")
    probe.touch()
    while probe.stat().st_ctime_ns <= path.stat().st_ctime_ns:
        probe.touch()
    probe.unlink()
