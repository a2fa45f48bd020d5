"""The folder of a table goes with its program, also with one that was killed."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest

from inspector.core.errors import UsageError
from inspector.stored import folder
from inspector.stored.folder import make_folder
from inspector.stored.shelf import Shelf


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


@pytest.mark.parametrize("when", ["before the lock", "while it is locked", "before its file"])
def test_a_new_folder_is_not_taken_for_one_that_was_left(tmp_path, monkeypatch, when):
    fcntl = pytest.importorskip("fcntl")
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    lock, make = folder._try_lock, tempfile.mkdtemp
    others = []

    def overtaken(file):
        """Another program comes in just before the first lock."""
        if others:
            return lock(file)
        name = Path(file.name)
        others.append(name.open("r+b"))
        if when == "before the lock":
            folder._remove_left(name.parent)
        else:  # it has the lock, and has not removed the folder yet
            fcntl.flock(others[0], fcntl.LOCK_EX)
        return lock(file)

    def emptied(**options):
        made = make(**options)
        if not others:
            others.append(Path(os.devnull).open("rb"))
            Path(made).rmdir()
        return made

    if when == "before its file":
        monkeypatch.setattr(tempfile, "mkdtemp", emptied)
    else:
        monkeypatch.setattr(folder, "_try_lock", overtaken)
    mine = make_folder()
    for other in others:
        other.close()
    make_folder()  # yet another program, which removes what is left
    assert mine.is_dir()


def test_a_file_system_without_locks_is_used_all_the_same(tmp_path, monkeypatch):
    fcntl = pytest.importorskip("fcntl")
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)

    def unknown(*arguments):
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", unknown)
    mine = make_folder()
    make_folder()
    assert mine.is_dir()


@pytest.mark.parametrize(("number", "said"), [
    (errno.ENOSPC, "has no room for the table (No space left on device). Name another folder with"),
    (errno.ENOENT, "cannot hold the table (No such file or directory). Name another folder with"),
])
def test_a_column_that_cannot_be_made_is_said(tmp_path, monkeypatch, number, said):
    def fails(*arguments, **options):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(np, "memmap", fails)
    with pytest.raises(UsageError) as caught:
        Shelf(tmp_path, 1, 1).make("iou")
    assert str(caught.value) == f"{tmp_path} {said} TMPDIR."


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
