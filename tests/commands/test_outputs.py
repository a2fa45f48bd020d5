"""No command writes over what it reads, and what cannot be written is said before anything else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from inspector.cli import main
from inspector.formats import DEMO_FOLDER
from tests.formats.writing import write_refer

COMMANDS = {
    "score": [], "failures": [], "protocols": [], "leaderboard": [],
    "slices": [], "compare": ["--run", "box.jsonl"],
}
"""Every command with ``--json`` that looks at runs of one data set."""


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """A folder with two runs of the demo, its two ground truths, a folder of runs and a data set.

    It is the current folder, and each file in it holds what it must hold afterwards.
    """
    monkeypatch.chdir(tmp_path)
    for name in ("words", "box"):
        content = (DEMO_FOLDER / "runs" / f"{name}.jsonl").read_bytes()
        Path(f"{name}.jsonl").write_bytes(content)
        Path("runs").mkdir(exist_ok=True)
        Path("runs", f"{name}.jsonl").write_bytes(content)
    for name in ("tight", "coarse"):
        Path(f"{name}.jsonl").write_bytes((DEMO_FOLDER / f"truth-{name}.jsonl").read_bytes())
    write_refer(Path(), called="refer")
    Path("refer", "link.jsonl").symlink_to(Path("words.jsonl").resolve())
    Path("pictures").mkdir()
    Path("pictures", "1.png").write_bytes(b"a picture")
    return tmp_path


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def refusal(capsys, folder: Path, *arguments: str) -> str:
    """Give what a command says that must neither succeed nor touch a file."""
    before = contents(folder)
    assert main([*arguments]) == 2
    assert contents(folder) == before
    return capsys.readouterr().err


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(("target", "said"), [
    pytest.param("words.jsonl", "words.jsonl is read by this command.", id="the run"),
    pytest.param("", "--json names no file.", id="no name"),
    pytest.param("pictures", "it is a folder. Name a file.", id="a folder"),
    pytest.param("none/out.json", "Make it first.", id="no folder"),
])
def test_every_command_refuses(command, target, said, folder, capsys):
    arguments = [command, "demo", "--run", "words.jsonl", *COMMANDS[command], "--json", target]
    assert said in refusal(capsys, folder, *arguments)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_writes_elsewhere(command, folder):
    before = contents(folder)
    arguments = [command, "demo", "--run", "words.jsonl", *COMMANDS[command]]
    assert main([*arguments, "--json", "out.json"]) == 0
    after = contents(folder)
    assert json.loads(after.pop("out.json"))["inspector"]
    assert after == before


@pytest.mark.parametrize("arguments", [
    pytest.param(["truths", "tight.jsonl", "coarse.jsonl", "--json", "coarse.jsonl"],
                 id="the second ground truth"),
    pytest.param(["truths", "tight.jsonl", "coarse.jsonl", "--csv", "tight.jsonl"],
                 id="the first ground truth"),
    pytest.param(["score", "demo", "--runs", "runs", "--json", "runs/words.jsonl"],
                 id="a run of the folder"),
    pytest.param(["score", "refer", "--run", "words.jsonl", "--json", "refer/instances.json"],
                 id="annotations of the data set"),
    pytest.param(["score", "refer", "--run", "box.jsonl", "--json", "words.jsonl"],
                 id="where a link of the data set leads"),
    pytest.param(["score", "demo", "--images", "pictures", "--csv", "pictures/1.png"],
                 id="a picture"),
    pytest.param(["score", "refer", "--refs", "words.jsonl", "--csv", "words.jsonl"], id="refs"),
    pytest.param(["truths", "tight.jsonl", "coarse.jsonl", "--instances-b", "box.jsonl",
                  "--csv", "box.jsonl"], id="annotations of the second ground truth"),
    pytest.param(["convert", "tight.jsonl", "--out", "tight.jsonl"], id="what is converted"),
    pytest.param(["convert", "refer", "--out", "refer/instances.json"], id="converted annotations"),
])
def test_nothing_that_is_read_is_written_over(arguments, folder, capsys):
    said = refusal(capsys, folder, *arguments)
    assert "is read by this command." in said or "which this command reads." in said


def test_the_demo_itself_is_not_written_over(folder, capsys):
    demo = DEMO_FOLDER / "runs" / "words.jsonl"
    before = demo.read_bytes()
    assert "which this command reads." in refusal(
        capsys, folder, "score", "demo", "--json", str(demo)
    )
    assert demo.read_bytes() == before


def test_a_new_file_may_lie_in_a_folder_that_is_read(folder):
    assert main(["convert", "refer", "--out", "refer/converted.jsonl"]) == 0
    assert Path("refer", "converted.jsonl").exists()


@pytest.mark.parametrize(("option", "name"), [("--json", "out.json"), ("--csv", "out.csv")])
def test_results_in_a_folder_that_is_read_may_be_written_anew(option, name, folder):
    arguments = ["score", "demo", "--run", "words.jsonl", "--images", ".", option, name]
    assert main(arguments) == 0
    first = Path(name).read_bytes()
    assert main(arguments) == 0
    assert Path(name).read_bytes() == first


def test_a_data_set_of_our_own_format_is_no_result(folder, capsys):
    # its head begins as that of results does: {"inspector": "dataset", …}
    said = refusal(capsys, folder, "score", "demo", "--run", "words.jsonl", "--images", ".",
                   "--json", "coarse.jsonl")
    assert "which this command reads." in said
