"""The folder of a table goes with its program, also with one that was killed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from inspector.stored.folder import make_folder


def test_what_a_killed_program_left_is_removed_and_what_is_used_stays(tmp_path, monkeypatch):
    pytest.importorskip("fcntl")
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    program = (
        "import os\nfrom inspector.stored.folder import make_folder\n"
        "print(make_folder(), flush=True)\nos._exit(9)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False,
        cwd=Path(__file__).parents[2],
    )
    left = Path(done.stdout.strip())
    assert left.is_dir()
    mine = make_folder()
    assert not left.exists()
    assert mine.parent == tmp_path
    other = make_folder()
    assert mine.is_dir()
    assert other.is_dir()


def test_folders_of_others_and_links_stay(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "lock").touch()
    (tmp_path / "inspector-table-link").symlink_to(elsewhere)
    (tmp_path / "inspector-table-without-lock").mkdir()
    make_folder()
    assert (elsewhere / "lock").exists()
    assert (tmp_path / "inspector-table-without-lock").is_dir()
