"""The findings file: older and newer ones, and everything that may be wrong with it."""

from __future__ import annotations

import os
import shutil
import sqlite3
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest

from inspector.findings import no_store, open_store, read_finding, read_findings, schema
from inspector.findings import store as store_module
from inspector.findings.exchange import write_jsonl
from inspector.findings.schema import VERSION
from inspector.findings.store import NotWritableError, StoreError
from tests.findings.making import BOB, DATA, new_store, say
from tests.findings.older import write_version_1


@pytest.fixture
def path(tmp_path) -> Path:
    return tmp_path / "inspector.findings.sqlite"


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(store_module, "BUSY_SECONDS", 0.05)


def test_a_new_file(path):
    with closing(open_store(path)) as store:
        assert (store.can_write, store.why, store.place) == (True, "", str(path))
        assert store.revision() == 0
        say(store, "7", "tag", "blurred")
    with closing(open_store(path)) as store:
        assert read_finding(store, DATA, "7").tags == ("blurred",)


def test_what_is_written_is_in_the_one_file(path, tmp_path):
    # A copy of the file while the page is open holds everything: there is no log beside it.
    with closing(open_store(path)) as store:
        say(store, "7", "tag", "blurred")
        assert [child.name for child in tmp_path.iterdir()] == [path.name]
        copy = Path(shutil.copy(path, tmp_path / "copy.sqlite"))
    with closing(open_store(copy)) as store:
        assert read_finding(store, DATA, "7").tags == ("blurred",)


def test_every_answer_is_on_the_disk_before_it_is_given(path):
    with closing(open_store(path)) as store, store.reading() as db:
        assert db.execute("PRAGMA synchronous").fetchone()[0] == 3  # EXTRA: FULL and the folder
        assert db.execute("PRAGMA journal_mode").fetchone()[0] == "delete"


class TestOlderAndNewer:
    def test_an_older_file_opens_and_is_brought_up_to_date(self, path):
        write_version_1(path)
        with closing(open_store(path)) as store:
            finding = read_finding(store, DATA, "7")
            assert finding.verdicts["model"].verdict == "label_wrong"
            assert finding.verdicts["model"].evidence.iou == 0.25
            assert (finding.tags, finding.who) == (("blurred",), "Bob")
            assert say(store, "7", "note", "new") == 3
        with closing(sqlite3.connect(path)) as plain:
            assert plain.execute("PRAGMA user_version").fetchone()[0] == VERSION == 2

    def test_two_copies_brought_up_to_date_apart_know_each_others_events(self, path, tmp_path):
        write_version_1(path)
        copy = Path(shutil.copy(path, tmp_path / "copy.sqlite"))
        with closing(open_store(path)) as one, closing(open_store(copy)) as two:
            assert list(write_jsonl(one)) == list(write_jsonl(two))

    def test_an_older_file_is_read_without_being_changed(self, path):
        write_version_1(path)
        before = path.read_bytes()
        with closing(open_store(path, read_only=True)) as store:
            assert read_finding(store, DATA, "7").tags == ("blurred",)
        assert path.read_bytes() == before

    def test_a_newer_file_is_left_alone(self, path):
        new_store(path.parent).close()
        with closing(sqlite3.connect(path)) as plain:
            plain.execute("PRAGMA user_version = 3")
        before = path.read_bytes()
        with closing(open_store(path)) as store:
            assert not store.can_write
            assert store.why == (
                "It was written by a newer inspector (version 3 of the file, this one knows 2). "
                "Update the inspector, or choose another file."
            )
        assert path.read_bytes() == before

    def test_an_update_that_fails_changes_nothing(self, path, monkeypatch):
        write_version_1(path)
        before = path.read_bytes()

        step, failures = schema.STEPS[1], ["interrupted"]

        def fail_once(connection):
            if failures:
                connection.execute("DROP TABLE current")
                raise sqlite3.OperationalError(failures.pop())
            step(connection)

        monkeypatch.setattr(schema, "STEPS", (schema.STEPS[0], fail_once))
        with closing(open_store(path)) as store:
            assert store.why == "The database says: interrupted."
            assert read_finding(store, DATA, "7").tags == ("blurred",)
        with closing(sqlite3.connect(path)) as plain:
            assert plain.execute("SELECT count(*) FROM current").fetchone()[0] == 2
        assert path.read_bytes() == before


class TestWhatIsNoFindingsFile:
    @pytest.mark.parametrize("content", [b"x", b'{"sent_id": 1}\n' * 200, b"\x89PNG\r\n" * 99])
    def test_any_file(self, path, content):
        path.write_bytes(content)
        with closing(open_store(path)) as store:
            assert store.why == "It is no findings file. Choose another file."
            with pytest.raises(NotWritableError, match="Findings cannot be kept: It is no "):
                say(store, "7", "tag", "x")
            assert read_findings(store, DATA) == (0, {})
        assert path.read_bytes() == content

    def test_another_programs_database(self, path):
        with closing(sqlite3.connect(path)) as plain:
            plain.execute("CREATE TABLE pictures (id)")
        before = path.read_bytes()
        with closing(open_store(path)) as store:
            assert store.why == "It is the database of another program. Choose another file."
        assert path.read_bytes() == before

    def test_a_file_without_its_tables(self, path):
        new_store(path.parent).close()
        with closing(sqlite3.connect(path)) as plain:
            plain.execute("DROP TABLE current")
        with closing(open_store(path)) as store:
            assert store.why.startswith("The file is damaged (no such table: current).")

    def test_a_file_that_holds_what_it_must_not(self, path):
        with closing(new_store(path.parent)) as store:
            say(store, "7", "tag", "blurred")
        with closing(sqlite3.connect(path)) as plain:
            plain.execute("UPDATE current SET value = x'00ff'")
            plain.commit()
        with closing(open_store(path)) as store:
            assert store.why.startswith("The file is damaged (current holds what it must not).")

    def test_a_damaged_page(self, path):
        with closing(new_store(path.parent)) as store:
            for number in range(200):
                say(store, str(number % 5), "note", f"{number} " * 50)
        content = bytearray(path.read_bytes())
        content[4096 * 3 : 4096 * 6] = bytes(4096 * 3)
        path.write_bytes(content)
        with closing(open_store(path)) as store:
            assert not store.can_write
            assert "damaged" in store.why
            assert store.why.endswith("Restore a copy of it.")

    def test_a_folder(self, path):
        path.mkdir()
        with closing(open_store(path)) as store:
            assert store.why == f"{path} is no file. Name a file."

    @pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
    def test_a_pipe_is_not_waited_for(self, path):
        os.mkfifo(path)
        with closing(open_store(path)) as store:
            assert store.why == f"{path} is no file. Name a file."


class TestUnwritable:
    @pytest.mark.skipif(not sys.platform.startswith("linux"), reason="a folder of Linux")
    def test_a_folder_that_takes_no_files(self):
        with closing(open_store(Path("/proc/self/inspector.findings.sqlite"))) as store:
            assert store.why == (
                "It, or its folder, may not be written. Choose another file with --findings FILE."
            )
            assert read_findings(store, DATA) == (0, {})

    @pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() == 0,
                        reason="the rights of files do not bind this user")
    @pytest.mark.parametrize("what", ["file", "folder"])
    def test_rights(self, path, what):
        with closing(new_store(path.parent)) as store:
            say(store, "7", "tag", "blurred")
        closed = path if what == "file" else path.parent
        rights = closed.stat().st_mode
        closed.chmod(0o444 if what == "file" else 0o555)
        try:
            with closing(open_store(path)) as store:
                assert not store.can_write
                assert "may not be written" in store.why
                assert read_finding(store, DATA, "7").tags == ("blurred",)
        finally:
            closed.chmod(rights)

    def test_read_only(self, path):
        with closing(new_store(path.parent)) as store:
            say(store, "7", "tag", "blurred")
        before = path.read_bytes()
        with closing(open_store(path, read_only=True)) as store:
            assert store.why == "The page was opened with --read-only."
            assert read_finding(store, DATA, "7").tags == ("blurred",)
            with pytest.raises(NotWritableError):
                say(store, "7", "tag", "x")
        assert path.read_bytes() == before

    def test_read_only_without_a_file_makes_none(self, path):
        with closing(open_store(path, read_only=True)) as store:
            assert read_findings(store, DATA) == (0, {})
        assert not path.exists()

    def test_read_only_sees_what_others_write(self, path):
        with closing(new_store(path.parent)) as store, closing(
            open_store(path, read_only=True)
        ) as reader:
            say(store, "7", "tag", "blurred")
            assert reader.revision() == 1

    def test_nowhere(self):
        store = no_store("There is no file.")
        with pytest.raises(NotWritableError, match="Findings cannot be kept: There is no file."):
            say(store, "7", "tag", "x")
        assert (store.place, read_findings(store, DATA)) == ("", (0, {}))

    def test_a_full_disk(self, path):
        with closing(new_store(path.parent)) as store:
            say(store, "7", "tag", "blurred")
            with store.reading() as db:  # SQLite's own way to run out of room
                pages = db.execute("PRAGMA page_count").fetchone()[0]
                db.execute(f"PRAGMA max_page_count = {pages}")
            with pytest.raises(StoreError) as full:
                say(store, "7", "note", "x" * 10_000)
            assert str(full.value).startswith(
                "The findings file could not be written: The disk is full. Make room. (file: "
            )
            assert read_finding(store, DATA, "7").note == ""
            assert store.revision() == 1
            with store.reading() as db:
                db.execute("PRAGMA max_page_count = 1000000")
            assert say(store, "7", "note", "x" * 10_000) == 2


class TestOthersAtTheFile:
    def test_another_program_holds_it_when_it_is_opened(self, path, impatient):
        with closing(new_store(path.parent)) as store:
            say(store, "7", "tag", "blurred")
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with closing(open_store(path)) as store:
                assert store.why.startswith("Another program has locked it for more than")
                assert read_finding(store, DATA, "7").tags == ("blurred",)

    def test_another_program_holds_it_while_something_is_written(self, path, impatient):
        with closing(new_store(path.parent)) as store, closing(
            sqlite3.connect(path, isolation_level=None)
        ) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(StoreError, match="Another program has locked it"):
                say(store, "7", "tag", "blurred")
            other.execute("ROLLBACK")
            assert say(store, "7", "tag", "blurred") == 1

    def test_a_short_lock_is_waited_for(self, path):
        with closing(new_store(path.parent)) as store, closing(
            sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        ) as other:
            other.execute("BEGIN IMMEDIATE")
            timer = threading.Timer(0.1, other.execute, ["ROLLBACK"])
            timer.start()
            assert say(store, "7", "tag", "blurred") == 1
            timer.join()

    def test_what_is_read_promptly_does_not_wait_for_a_lock(self, path):
        with closing(new_store(path.parent)) as store, closing(
            sqlite3.connect(path, isolation_level=None)
        ) as other:
            other.execute("BEGIN EXCLUSIVE")
            with pytest.raises(StoreError), store.promptly():
                store.revision()
            other.execute("ROLLBACK")
            with pytest.raises(StoreError, match="in use"), store.promptly():
                pass  # nor is it tried again at once
            assert say(store, "7", "tag", "blurred") == 1
            with store.promptly():  # what was written can be read
                assert store.revision() == 1

    def test_nor_for_another_thread_that_waits_for_it(self, path):
        inside, go = threading.Event(), threading.Event()

        def write():
            with store.writing():
                inside.set()
                go.wait(10)

        with closing(new_store(path.parent)) as store:
            writer = threading.Thread(target=write)
            writer.start()
            assert inside.wait(10)
            with pytest.raises(StoreError, match="in use"), store.promptly():
                pass
            go.set()
            writer.join()

    def test_after_that_others_are_waited_for_as_before(self, path):
        with closing(new_store(path.parent)) as store:
            with store.promptly():
                pass
            with store.reading() as db:
                assert db.execute("PRAGMA busy_timeout").fetchone() == (5_000,)

    @pytest.mark.skipif(sys.platform == "win32", reason="open files cannot be removed there")
    @pytest.mark.parametrize("replaced", [False, True], ids=["removed", "replaced"])
    def test_the_file_is_taken_away_under_way(self, path, replaced):
        with closing(new_store(path.parent)) as store:
            say(store, "7", "tag", "blurred")
            moved = path.rename(path.with_name("moved.sqlite"))
            if replaced:
                shutil.copy(moved, path)
            with pytest.raises(StoreError) as lost:
                say(store, "8", "tag", "blurred", BOB)
            assert str(lost.value).startswith(
                "The findings file was removed or replaced while the page was open; nothing was "
                "saved. Put it back, or open the page anew."
            )
            moved.replace(path)
            assert say(store, "8", "tag", "blurred", BOB) == 2

    def test_two_stores_see_each_other(self, path):
        with closing(new_store(path.parent)) as one, closing(open_store(path)) as two:
            say(one, "7", "tag", "blurred")
            assert two.revision() == 1
            say(two, "7", "tag", "dark", BOB)
            assert read_finding(one, DATA, "7").tags == ("blurred", "dark")


def test_a_name_with_signs_of_an_address(tmp_path):
    path = tmp_path / "a?mode=memory#b %20 ü.sqlite"
    with closing(open_store(path)) as store:
        say(store, "7", "tag", "blurred")
    assert path.is_file()
