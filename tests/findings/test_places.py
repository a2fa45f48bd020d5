"""Where findings are kept unless somebody says otherwise."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from inspector.cli import main
from inspector.core.errors import UsageError
from inspector.findings.places import FILE_NAME, asked_place, data_folder, default_place
from inspector.findings_opening import describe_findings, find_place, open_findings
from inspector.formats import DEMO_FOLDER
from inspector.run_files import RunFiles
from tests.findings.making import new_store


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("APPDATA", str(tmp_path / "home"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def folders(tmp_path):
    for name in ("runs", "data"):
        (tmp_path / name).mkdir()
    return tmp_path


def test_beside_the_first_run(folders):
    runs = [f"a={folders / 'runs' / 'a.jsonl'}", str(folders / "data" / "b.jsonl")]
    assert find_place(str(folders / "data"), runs) == folders / "runs" / FILE_NAME


def test_in_the_folder_of_runs(folders):
    runs = str(folders / "runs")
    assert find_place(str(folders / "data"), folder=runs) == folders / "runs" / FILE_NAME


def test_without_a_run_beside_the_data(folders):
    assert find_place(str(folders / "data")) == folders / "data" / FILE_NAME
    (folders / "data" / "toy.jsonl").touch()
    assert find_place(str(folders / "data" / "toy.jsonl")) == folders / "data" / FILE_NAME


@pytest.mark.parametrize("dataset", ["demo", "demo:coarse", "owner/name-of-the-hub"])
def test_the_demo_and_the_hub_are_kept_among_the_users_own(dataset):
    assert find_place(dataset) == data_folder() / FILE_NAME


def test_nothing_is_kept_in_the_program(folders):
    run = str(DEMO_FOLDER / "runs" / "words.jsonl")
    assert find_place("demo", [run]) == data_folder() / FILE_NAME
    assert find_place(str(folders / "data"), [run]) == folders / "data" / FILE_NAME


def test_where_the_folder_may_not_be_written(folders, monkeypatch):
    closed = folders / "runs"
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != closed)
    both = [closed, folders / "data"]
    assert default_place(both, shipped=()) == folders / "data" / FILE_NAME
    new_store(closed).close()  # but findings that are there are to be seen
    assert default_place(both, shipped=()) == closed / FILE_NAME
    assert default_place([folders / "gone"], shipped=()) == data_folder() / FILE_NAME


class TestAsked:
    def test_a_file(self, folders):
        assert find_place("demo", asked=str(folders / "x.db")) == folders / "x.db"

    def test_a_folder(self, folders):
        with pytest.raises(UsageError, match="it is a folder. Name a file in it."):
            asked_place(str(folders))

    def test_without_its_folder(self, folders):
        with pytest.raises(UsageError, match="there is no folder"):
            asked_place(str(folders / "gone" / "x.db"))


@pytest.mark.parametrize(("asked", "said"), [
    (".", "it is a folder. Name a file in it."), ("gone/x.db", "there is no folder"),
])
def test_what_is_wrong_with_the_option_is_said_before_anything_is_read(
    folders, capsys, asked, said
):
    assert main(["open", str(folders / "no data"), "--findings", str(folders / asked)]) == 2
    error = capsys.readouterr().err
    assert error.startswith("error: ") and said in error


def test_the_users_own_folder_is_made(home):
    path = data_folder() / FILE_NAME
    assert home in path.parents
    store = open_findings(path)
    assert store.can_write
    assert describe_findings(store) == f"Findings are kept in {path}"
    store.close()


def test_why_nothing_is_kept(folders):
    store = open_findings(folders / "x.db", read_only=True)
    assert describe_findings(store) == (
        f"Findings are not kept: The page was opened with --read-only. (file: {folders / 'x.db'})"
    )
    assert not (folders / "x.db").exists()


def test_a_findings_file_among_runs_is_no_run_and_no_problem(folders):
    runs = folders / "runs"
    (runs / "a.jsonl").write_text('{"sent_id": 1, "mask": null}\n')
    new_store(runs).close()
    (runs / f"{FILE_NAME}-journal").touch()
    found, problems = RunFiles((), runs).list()
    assert ([run.name for run in found], problems) == (["a"], ())
