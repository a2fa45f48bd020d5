"""Files of the shelf: damaged or foreign ones are as good as absent; there are never too many."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

from inspector.snapshots import shelf
from inspector.snapshots.packing import PackingError, pack, unpack

VALUE = {"numbers": np.arange(50), "text": ["a", "b"], "bytes": b"1234"}


def put(key: str, value=None, notes=None) -> None:
    shelf.put(key, pack(VALUE if value is None else value), notes or {})


def get(key: str):
    with shelf.Reader(key) as reader:
        return unpack(reader.read())


def test_what_was_put_comes_back(cache):
    put("a", notes={"n": 1})
    found = get("a")
    assert found["numbers"].tolist() == list(range(50))
    assert (found["text"], found["bytes"]) == (["a", "b"], b"1234")
    found["numbers"][0] = 7  # its memory is its own
    with shelf.Reader("a") as reader:
        assert reader.kept.notes == {"n": 1}
    with pytest.raises(FileNotFoundError):
        get("b")


def test_every_cut_and_every_flipped_byte_is_seen(cache):
    put("a")
    path, = cache.iterdir()
    whole = path.read_bytes()
    for place in range(len(whole)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        with pytest.raises(PackingError):
            get("a")
    for end in range(len(whole)):
        path.write_bytes(whole[:end])
        with pytest.raises(PackingError):
            get("a")
    path.write_bytes(whole + b"\0")
    with pytest.raises(PackingError):
        get("a")
    path.write_bytes(whole)
    assert get("a")["bytes"] == b"1234"


def test_a_file_of_another_key_is_not_taken(cache):
    put("a")
    put("b", {"other": 1})
    one, other = sorted(cache.iterdir())
    one.write_bytes(other.read_bytes())
    other.unlink()
    for key in "ab":
        with pytest.raises((PackingError, FileNotFoundError)):
            get(key)


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="files have no owner here")
def test_somebody_elses_file_is_not_taken(cache, monkeypatch):
    put("a")
    monkeypatch.setattr(os, "getuid", lambda: os.geteuid() + 1)
    with pytest.raises(PackingError, match="somebody else's"):
        get("a")


def test_the_folder_is_the_users_own(cache):
    put("a")
    assert cache.stat().st_mode & 0o077 == 0


def test_it_is_bounded_and_keeps_what_was_used_last(cache, monkeypatch):
    for number, key in enumerate(("old", "middle", "new")):
        before = set(cache.iterdir()) if cache.exists() else set()
        put(key)
        made, = set(cache.iterdir()) - before
        os.utime(made, (number, number))
    size = made.stat().st_size
    get("old")  # used now
    monkeypatch.setattr(shelf, "MOST_BYTES", 3 * size + 50)
    put("newest")
    assert sum(path.stat().st_size for path in cache.iterdir()) <= 3 * size + 50
    for key in ("old", "new", "newest"):
        get(key)
    with pytest.raises(FileNotFoundError):
        get("middle")


def test_what_is_larger_than_the_bound_is_not_kept(cache, monkeypatch):
    monkeypatch.setattr(shelf, "MOST_BYTES", 100)
    put("a")
    assert not cache.exists()


def test_what_a_killed_process_left_goes_after_a_while(cache):
    put("a")
    left = cache / ".x.snapshot.1.part"
    left.write_bytes(b"half")
    put("b")
    assert left.exists()  # somebody may be writing it
    os.utime(left, (0, 0))
    put("c")
    assert not left.exists()


def test_it_may_be_deleted_at_any_time(cache):
    put("a")
    with shelf.Reader("a") as reader:
        for path in cache.iterdir():
            path.unlink()
        cache.rmdir()
        if os.name == "posix":
            assert unpack(reader.read())["bytes"] == b"1234"
    put("a")
    assert get("a")["bytes"] == b"1234"


def test_a_folder_that_cannot_be_written_is_no_cache(cache, tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("INSPECTOR_CACHE", str(tmp_path / "file"))
    put("a")
    with pytest.raises(OSError):
        get("a")


def test_off_is_no_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("INSPECTOR_CACHE", "off")
    monkeypatch.setenv("HOME", str(tmp_path))
    put("a")
    with pytest.raises(FileNotFoundError):
        get("a")
    assert list(tmp_path.iterdir()) == []


def test_processes_that_write_and_read_at_once_never_see_half_a_file(cache):
    program = """
import sys
import numpy as np
from inspector.snapshots import shelf
from inspector.snapshots.packing import pack, unpack
number = int(sys.argv[1])
seen = set()
for turn in range(40):
    shelf.put("a", pack(np.full(20_000, number)), {})
    with shelf.Reader("a") as reader:
        values = unpack(reader.read())
    assert len(set(values.tolist())) == 1
    seen.add(int(values[0]))
assert seen <= {1, 2}, seen
"""
    environment = {**os.environ, "INSPECTOR_CACHE": str(cache.parent)}
    both = [
        subprocess.Popen([sys.executable, "-c", program, str(number)], env=environment)
        for number in (1, 2)
    ]
    assert [process.wait(60) for process in both] == [0, 0]
    assert len(list(cache.iterdir())) == 1
