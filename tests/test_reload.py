"""Runs of a folder, and runs that grow while they are watched."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from inspector.cli import main
from inspector.core.errors import UsageError
from inspector.core.run import Status
from inspector.formats.request import LoadRequest
from inspector.predictions.options import RunOptions
from inspector.workspace import open_workspace, reload_runs
from tests.drawing import draw
from tests.predictions.dumps import picture

CUP = draw("####......")
SCENE = [
    {"inspector": "dataset", "version": 1, "name": "scene"},
    {"image": {"id": "1", "file_name": "1.jpg", "size": [1, 10]},
     "objects": [{"ann_id": "11", "category": "cup", "mask": CUP.to_json()}],
     "expressions": [{"sent_id": f"10{k}", "sentence": f"cup {k}", "targets": ["11"],
                      "split": "val"} for k in range(4)]},
]


def write(path, *records) -> None:
    path.write_text("".join(json.dumps(record) + "\n" for record in records))


def line(k: int) -> dict:
    return {"sent_id": f"10{k}", "mask": CUP.to_json()}


@pytest.fixture
def scene(tmp_path):
    write(tmp_path / "scene.jsonl", *SCENE)
    return LoadRequest(str(tmp_path / "scene.jsonl"))


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "runs").mkdir()
    write(tmp_path / "runs" / "base.jsonl", line(0), line(1))
    (tmp_path / "runs" / "masks").mkdir()
    picture(CUP).save(tmp_path / "runs" / "masks" / "102.png")
    (tmp_path / "runs" / "notes.txt").write_text("hello")
    (tmp_path / "runs" / ".hidden.jsonl").write_text("{")
    (tmp_path / "runs" / "next.jsonl.part").write_text("{")
    return tmp_path / "runs"


def matched(workspace) -> dict[str, int]:
    return {s.run.name: s.coverage.matched for s in workspace.scores}


def not_read(workspace) -> list:
    return [problem for problem in workspace.problems if problem.code == "run-not-read"]


def opened(scene, folder):
    return open_workspace(scene, [], folder=folder, options=RunOptions(is_growing=True))


def test_every_file_of_predictions_is_a_run_and_a_folder_of_masks_one(scene, folder):
    workspace = open_workspace(scene, [], folder=folder)
    assert matched(workspace) == {"base": 2, "masks": 1}
    found = [(p.code, p.severity, p.where) for p in workspace.opening.problems]
    assert found == [("other-file", "info", "notes.txt")]


def test_named_runs_come_first_and_must_not_have_the_same_name(scene, folder, tmp_path):
    write(tmp_path / "mine.jsonl", line(3))
    workspace = open_workspace(scene, [str(tmp_path / "mine.jsonl")], folder=folder)
    assert list(matched(workspace)) == ["mine", "base", "masks"]
    with pytest.raises(UsageError, match="Two runs are named 'base'"):
        open_workspace(scene, [f"base={tmp_path / 'mine.jsonl'}"], folder=folder)


def test_one_broken_file_does_not_keep_the_others_from_opening(scene, folder):
    write(folder / "foreign.jsonl", {"sent_id": 9, "mask": None})
    workspace = open_workspace(scene, [], folder=folder)
    assert matched(workspace) == {"base": 2, "masks": 1}
    (problem,) = [p for p in workspace.problems if p.code == "run-not-read"]
    assert (problem.severity, problem.where) == ("error", "foreign")


@pytest.mark.parametrize(("make", "said"), [
    (lambda folder: None, "There is no folder of runs at"),
    (lambda folder: folder.mkdir(), "holds no run. Expected files of predictions"),
    (lambda folder: (folder.mkdir(), (folder / "a.txt").touch()), "holds no run"),
    (lambda folder: (folder.mkdir(), picture(CUP).save(folder / "102.png")),
     "holds no run. It is itself a run: use --run."),
], ids=["absent", "empty", "text", "a folder of masks"])
def test_a_folder_without_runs(make, said, scene, tmp_path):
    make(tmp_path / "none")
    with pytest.raises(UsageError, match=said):
        open_workspace(scene, [], folder=tmp_path / "none")


class TestReload:
    def test_nothing_new_gives_the_same_object(self, scene, folder):
        workspace = opened(scene, folder)
        assert reload_runs(workspace) is workspace

    def test_a_run_that_has_grown_is_read_and_the_others_keep_their_scores(self, scene, folder):
        before = opened(scene, folder)
        with (folder / "base.jsonl").open("a") as file:
            file.write(json.dumps(line(2)) + "\n" + json.dumps(line(3))[:20])
        after = reload_runs(before)
        assert matched(after) == {"base": 3, "masks": 1}
        assert after.scores[1] is before.scores[1]
        assert after.version != before.version
        (problem,) = after.scores[0].run.problems
        assert (problem.code, problem.severity) == ("cut-off-file", "warning")

    def test_a_new_file_becomes_a_run(self, scene, folder):
        before = opened(scene, folder)
        write(folder / "later.jsonl", line(0))
        (folder / "masks" / "103.png").write_bytes((folder / "masks" / "102.png").read_bytes())
        assert matched(reload_runs(before)) == {"base": 2, "later": 1, "masks": 2}

    def test_a_file_with_only_the_beginning_of_a_line_has_no_prediction_yet(self, scene, folder):
        before = opened(scene, folder)
        (folder / "later.jsonl").write_text('{"sent_id": "1')
        after = reload_runs(before)
        assert matched(after) == {"base": 2, "later": 0, "masks": 1}
        write(folder / "later.jsonl", line(0), line(1))
        assert matched(reload_runs(after))["later"] == 2

    def test_a_document_in_the_middle_of_being_written_keeps_its_scores(self, scene, folder):
        records = [{"sent_id": f"10{k}", "segmentation": CUP.to_json()} for k in range(4)]
        text = json.dumps(records)
        (folder / "coco.json").write_text(text)
        before = opened(scene, folder)
        assert matched(before)["coco"] == 4
        (folder / "coco.json").write_text(text[: len(text) // 2])
        after = reload_runs(before)
        assert matched(after)["coco"] == 4
        (problem,) = [p for p in after.problems if p.code in ("run-not-read", "other-file")
                      and "coco" in p.where]
        assert "is cut off" in problem.message

    def test_a_run_that_is_gone_leaves(self, scene, folder):
        before = opened(scene, folder)
        (folder / "base.jsonl").unlink()
        assert matched(reload_runs(before)) == {"masks": 1}

    def test_a_folder_that_is_gone_leaves_what_was_read(self, scene, folder, tmp_path):
        before = opened(scene, folder)
        folder.rename(tmp_path / "elsewhere")
        after = reload_runs(before)
        assert after.scores == before.scores
        (problem,) = not_read(after)
        assert problem.message.startswith("There is no folder of runs at")
        assert reload_runs(after) is after
        (tmp_path / "elsewhere").rename(folder)
        assert not_read(reload_runs(after)) == []

    def test_a_second_file_of_one_name_is_listed_and_the_others_are_read(self, scene, folder):
        before = opened(scene, folder)
        write(folder / "base.json", line(2))  # sorts before the one that was there first
        write(folder / "later.jsonl", line(0))
        after = reload_runs(before)
        assert matched(after) == {"base": 2, "later": 1, "masks": 1}
        assert after.scores[0] is before.scores[0]
        (problem,) = not_read(after)
        assert (problem.where, problem.severity) == ("base.json", "error")
        assert problem.message == "Two runs are named 'base'. Name them: --run NAME=PATH."
        assert reload_runs(after) is after

    def test_a_run_that_stays_unreadable_changes_nothing(self, scene, folder):
        write(folder / "foreign.jsonl", {"sent_id": 9, "mask": None})
        before = opened(scene, folder)
        (problem,) = not_read(before)
        assert (problem.where, problem.severity) == ("foreign", "error")
        assert reload_runs(before) is before
        write(folder / "foreign.jsonl", line(0))
        after = reload_runs(before)
        assert (matched(after)["foreign"], not_read(after)) == (1, [])

    def test_what_is_half_written_stays_a_problem_when_another_run_grows(self, scene, folder):
        (folder / "coco.json").write_text(
            json.dumps([{"sent_id": "100", "segmentation": CUP.to_json()}])
        )
        before = opened(scene, folder)
        (folder / "coco.json").write_text('[{"sent_id": "100", "segm')
        first = reload_runs(before)
        write(folder / "base.jsonl", line(0), line(1), line(2))
        second = reload_runs(first)
        assert matched(second) == {"base": 3, "coco": 1, "masks": 1}
        assert not_read(second) == not_read(first) != []

    def test_a_dead_link_in_a_folder_of_masks_hides_no_change(self, scene, folder):
        (folder / "masks" / "0-gone.png").symlink_to(folder / "nowhere.png")
        before = opened(scene, folder)
        assert reload_runs(before) is before
        picture(CUP).save(folder / "masks" / "103.png")
        assert matched(reload_runs(before))["masks"] == 2

    def test_a_folder_that_cannot_be_listed_is_said(self, scene, folder, monkeypatch):
        before = opened(scene, folder)

        def refuse(path):
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(Path, "iterdir", refuse)
        (problem,) = not_read(reload_runs(before))
        assert "cannot be listed (Permission denied)" in problem.message

    def test_the_same_size_with_another_time_is_read_again(self, scene, folder):
        before = opened(scene, folder)
        os.utime(folder / "base.jsonl", (1, 1))
        after = reload_runs(before)
        assert after.scores[0] is not before.scores[0]
        assert after.version == before.version

    def test_runs_that_were_named_are_watched_too(self, scene, folder):
        before = open_workspace(scene, [str(folder / "base.jsonl")])
        with (folder / "base.jsonl").open("a") as file:
            file.write(json.dumps(line(2)) + "\n")
        assert matched(reload_runs(before)) == {"base": 3}

    def test_a_workspace_that_was_not_opened_from_files(self, scene, folder):
        from dataclasses import replace

        workspace = replace(opened(scene, folder), opening=None)
        assert reload_runs(workspace) is workspace


def test_the_command_line_takes_a_folder_and_the_rules_name_the_resize(scene, folder, capsys):
    arguments = ["score", scene.source, "--runs", str(folder), "--resize", "nearest"]
    assert main([*arguments, "--json", "-"]) == 0
    summary = json.loads(capsys.readouterr().out)
    assert [run["name"] for run in summary["runs"]] == ["base", "masks"]
    assert summary["protocol"]["resize"] == "nearest"
    assert main(arguments) == 0
    assert "masks of another size are resized by nearest neighbour" in capsys.readouterr().out


def test_json_names_the_frame_of_each_run_that_has_one(scene, folder, capsys):
    write(folder / "small.jsonl", {"sent_id": "100", "mask": {"size": [2, 20], "counts": [16, 24]}})
    arguments = ["score", scene.source, "--runs", str(folder), "--resize", "nearest", "--json", "-"]
    assert main(arguments) == 0
    runs = {run["name"]: run for run in json.loads(capsys.readouterr().out)["runs"]}
    assert runs["small"]["resized"] == [{"size": [2, 20], "count": 1}]
    assert "resized" not in runs["base"]


@pytest.mark.parametrize(("option", "said"), [
    (["--box-scale", "0-10"], "No box scale '0-10'. Choose one of: pixels, 0-1, 0-100"),
    (["--resize", "cubic"], "argument --resize: invalid choice: 'cubic'"),
    (["--runs", "nowhere"], "There is no folder of runs at nowhere"),
])
def test_options_that_do_not_exist(option, said, scene, capsys):
    assert main(["score", scene.source, *option]) == 2
    assert said in capsys.readouterr().err


def test_status_of_a_run_that_has_nothing_yet(scene, folder):
    (folder / "later.jsonl").write_text("\n")
    workspace = opened(scene, folder)
    later = next(s for s in workspace.scores if s.run.name == "later")
    assert (later.status == Status.MISSING).all()
