"""What is looked at is noted, however it is; what could change unseen is not vouched for."""

from __future__ import annotations

import contextlib
import os
import threading
from pathlib import Path

import pytest

from inspector.snapshots import witness
from inspector.snapshots.witness import is_overlooked, overlooked, still_true, witnessed
from tests.snapshots.conftest import age, wait_for_tick

pytestmark = pytest.mark.usefixtures("trusting")


@pytest.fixture
def tree(tmp_path) -> Path:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "one.txt").write_text("one")
    (tmp_path / "a" / "two.txt").write_text("two")
    (tmp_path / "link").symlink_to(tmp_path / "a" / "one.txt")
    age(tmp_path)
    return tmp_path


LOOKS = {
    "open": lambda p: (p / "a/one.txt").read_text(),
    "os.open": lambda p: os.close(os.open(p / "a/one.txt", os.O_RDONLY)),
    "exists": lambda p: (p / "a/one.txt").exists(),
    "os.path": lambda p: os.path.isfile(p / "a/one.txt"),  # noqa: PTH113
    "stat": lambda p: (p / "a/one.txt").stat(),
    "through a link": lambda p: (p / "link").read_text(),
}


@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
@pytest.mark.parametrize("change", [
    lambda p: p.write_text("ONE"), lambda p: p.unlink(), lambda p: p.write_text("longer"),
    lambda p: (p.unlink(), p.mkdir()), lambda p: (p.unlink(), p.symlink_to(p.parent / "two.txt")),
], ids=["same size", "gone", "longer", "a folder", "a link"])
def test_a_file_that_was_looked_at(look, change, tree):
    with witnessed() as seen:
        look(tree)
    assert seen.close()
    assert still_true(seen.to_json())
    change(tree / "a" / "one.txt")
    assert not still_true(seen.to_json())


def test_other_files_do_not_matter(tree):
    with witnessed() as seen:
        (tree / "a" / "one.txt").read_text()
    assert seen.close()
    (tree / "a" / "two.txt").write_text("changed")
    (tree / "a" / "three.txt").touch()
    assert still_true(seen.to_json())


def test_what_was_not_there_and_appears(tree):
    with witnessed() as seen:
        assert not (tree / "b" / "new.txt").exists()
    assert seen.close() and still_true(seen.to_json())
    (tree / "b").mkdir()
    assert still_true(seen.to_json())
    (tree / "b" / "new.txt").touch()
    assert not still_true(seen.to_json())


@pytest.mark.parametrize("listing", [
    lambda p: list(p.iterdir()), lambda p: list(p.glob("*.txt")), os.listdir, os.scandir,
    lambda p: list(p.rglob("*")),
], ids=["iterdir", "glob", "listdir", "scandir", "rglob"])
def test_a_folder_that_was_listed(listing, tree):
    with witnessed() as seen:
        listing(tree / "a")
    assert seen.close() and still_true(seen.to_json())
    (tree / "a" / "three.txt").touch()
    assert not still_true(seen.to_json())
    (tree / "a" / "three.txt").unlink()
    assert still_true(seen.to_json())
    (tree / "a" / "two.txt").unlink()
    (tree / "a" / "two.txt").mkdir()
    assert not still_true(seen.to_json())


def test_where_a_link_leads(tree):
    with witnessed() as seen:
        (tree / "link").resolve()
    assert seen.close()
    (tree / "link").unlink()
    (tree / "link").symlink_to(tree / "a" / "two.txt")
    assert not still_true(seen.to_json())


def test_content_is_compared_even_if_size_and_times_are_the_same(tree, monkeypatch):
    path = tree / "a" / "one.txt"
    with witnessed() as seen:
        path.read_text()
    assert seen.close()
    notes = seen.to_json()
    path.write_text("eno")
    monkeypatch.setattr(witness, "_ask", lambda place: notes["answers"][place])  # a poor clock
    assert not still_true(notes)
    assert still_true(notes, contents=False)
    path.write_text("one")
    assert still_true(notes)


def test_times_that_are_set_back_do_not_hide_a_change(tree):
    path = tree / "a" / "one.txt"
    before = path.stat()
    with witnessed() as seen:
        path.stat()  # asked, as a library of its own reads it: no content is compared
    assert seen.close()
    wait_for_tick(path)
    path.write_text("eno")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert path.stat().st_mtime_ns == before.st_mtime_ns
    assert not still_true(seen.to_json())


def test_a_file_written_a_moment_ago_is_not_vouched_for(tree, monkeypatch):
    monkeypatch.setattr(witness, "SETTLED", 2.0)
    with witnessed() as seen:
        (tree / "a" / "one.txt").read_text()
    assert not seen.close()


def test_a_folder_that_changes_meanwhile_is_not_vouched_for(tree):
    with witnessed() as seen:
        list((tree / "a").iterdir())
        (tree / "a" / "three.txt").touch()
        (tree / "a" / "three.txt").unlink()  # the names are the same again
    assert not seen.close()


def test_a_file_that_changes_meanwhile_is_not_vouched_for(tree):
    with witnessed() as seen:
        (tree / "a" / "one.txt").read_text()
        (tree / "a" / "one.txt").write_text("ONE")
    assert not seen.close()


def test_a_look_that_cannot_be_noted_is_not_vouched_for(tree):
    folder = os.open(tree, os.O_RDONLY)
    with witnessed() as seen:
        os.stat("link", dir_fd=folder)
    os.close(folder)
    assert not seen.close()


def test_large_and_many_files_are_not_hashed(tree, monkeypatch):
    monkeypatch.setattr(witness, "HASHED_BYTES", 2)
    with witnessed() as seen:
        (tree / "a" / "one.txt").read_text()
    assert seen.close()
    assert list(seen.to_json()["opened"].values()) == [""]
    monkeypatch.setattr(witness, "HASHED_BYTES", 3)
    monkeypatch.setattr(witness, "HASHED_FILES", 0)
    with witnessed() as seen:
        (tree / "a" / "one.txt").read_text()
    assert seen.close()
    assert list(seen.to_json()["opened"].values()) == [""]


def test_other_threads_are_noted_unless_they_say_not_to(tree):
    def read(name: str, *, overlook: bool) -> None:
        with overlooked() if overlook else contextlib.nullcontext():
            (tree / "a" / name).read_text()

    with witnessed() as seen:
        for name, overlook in (("one.txt", False), ("two.txt", True)):
            thread = threading.Thread(target=read, args=(name,), kwargs={"overlook": overlook})
            thread.start()
            thread.join()
    assert [Path(place).name for place in seen.opened] == ["one.txt"]


def test_notes_are_taken_inside_the_block_alone(tree):
    original = os.stat
    with witnessed() as seen:
        assert os.stat is not original
        with witnessed() as second:
            assert second is None
    assert os.stat is original
    (tree / "a" / "one.txt").read_text()
    assert seen.answers == {}


def test_a_function_that_somebody_keeps_notes_nothing_later(tree):
    able = set(os.supports_follow_symlinks)
    with witnessed() as seen:
        kept = os.stat
        assert kept in os.supports_follow_symlinks
    assert os.supports_follow_symlinks == able
    assert kept(tree) == tree.stat()
    with witnessed() as other:
        kept(tree / "a")
    assert seen.answers == other.answers == {}


def test_an_error_inside_leaves_nothing_behind(tree):
    original = os.stat
    with pytest.raises(ZeroDivisionError), witnessed():
        raise ZeroDivisionError
    assert os.stat is original
    with witnessed() as seen:
        assert seen is not None


def test_programs_and_devices_are_overlooked(tree):
    with witnessed() as seen:
        Path(witness.__file__).read_text()
        Path(os.devnull).exists()
    assert seen.answers == {}
    assert is_overlooked(Path(witness.__file__).parent)
    assert is_overlooked(Path("/dev/stdin"))
    assert not is_overlooked(tree)
    (tree / "in").symlink_to(Path(witness.__file__).parent)
    assert is_overlooked(tree / "in")


@pytest.mark.parametrize("notes", [
    {}, {"answers": {}, "links": [], "folders": {}, "opened": {}},
    {"answers": {}, "links": {}, "folders": {}, "opened": {"/x": "1"}},
])
def test_notes_of_another_kind_are_not_true(notes):
    assert not still_true(notes)
