"""A data set opened on a table: rules, masks to be shown, and what cannot be asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from inspector.cli import _parser, main
from inspector.commands.opening import open_named
from inspector.core.errors import UsageError
from inspector.core.protocol import Protocol
from inspector.formats.request import LoadRequest
from inspector.server.opened import Opened
from inspector.summary import write_table
from inspector.table_opening import AskedRules, open_table
from inspector.workspace import DEMO_FOLDER, DEMO_RUNS, Workspace, measured, open_workspace


@pytest.fixture(scope="module")
def scored() -> Workspace:
    return measured(open_workspace(LoadRequest("demo"), []))


@pytest.fixture(scope="module")
def path(scored: Workspace, tmp_path_factory: pytest.TempPathFactory) -> str:
    target = str(tmp_path_factory.mktemp("table") / "scores.parquet")
    write_table(scored, target, "parquet")
    return target


def run_of(name: str) -> str:
    return str(DEMO_FOLDER / "runs" / f"{name}.jsonl")


def test_the_numbers_are_those_that_score_prints(scored, path):
    workspace = open_table(LoadRequest("demo"), path)
    assert [one.run.name for one in workspace.scores] == list(DEMO_RUNS)
    assert workspace.metrics == scored.metrics
    assert measured(workspace) is workspace
    for one, other in zip(workspace.scores, scored.scores, strict=True):
        assert (one.coverage.matched, one.coverage.missing, one.coverage.invalid) == (
            other.coverage.matched, other.coverage.missing, other.coverage.invalid
        )


def test_the_page_gets_the_same_numbers_of_every_example(scored, path):
    there, here = Opened(open_table(LoadRequest("demo"), path)), Opened(scored)
    unlike = {"mask", "evidence", "saysNoTarget", "reason"}  # what a table cannot hold
    for index in range(64):
        one, other = there.items.whole(index), here.items.whole(index)
        for mine, theirs in zip(one.pop("runs"), other.pop("runs"), strict=True):
            assert {k: v for k, v in mine.items() if k not in unlike} == {
                k: v for k, v in theirs.items() if k not in unlike
            }
        assert one == other


def test_masks_of_the_run_of_that_name_are_shown(scored, path):
    workspace = open_table(LoadRequest("demo"), path, [f"box={run_of('box')}"])
    masks = [one.run.rows >= 0 for one in workspace.scores]
    assert [bool(there.any()) for there in masks] == [False, False, True]
    assert (masks[2] == (scored.scores[2].run.rows >= 0)).all()
    assert workspace.metrics == scored.metrics
    assert workspace.problems == open_table(LoadRequest("demo"), path).problems + tuple(
        scored.scores[2].run.problems
    )


def test_masks_that_were_not_scored_are_not_shown(path):
    workspace = open_table(LoadRequest("demo"), path, [f"words={run_of('box')}"])
    said = [problem for problem in workspace.problems if problem.code == "table-masks"]
    assert len(said) == 1
    assert "have another area than the table says" in said[0].message
    assert said[0].count > 30
    assert (workspace.scores[0].run.rows >= 0).sum() == 64 - said[0].count


def test_a_run_that_the_table_does_not_have(path):
    with pytest.raises(UsageError, match="The table of scores has no run 'wrods'. Choose one of: "
                                         "words, saliency, box. Did you mean 'words'?"):
        open_table(LoadRequest("demo"), path, [f"wrods={run_of('words')}"])


def test_the_rules_of_the_table_are_in_force_unless_others_are_asked_for(tmp_path):
    path = str(tmp_path / "scores.parquet")
    rules = Protocol("referent", "one", "skip")
    write_table(open_workspace(LoadRequest("demo"), [], protocol=rules), path, "parquet")
    assert open_table(LoadRequest("demo"), path).protocol == rules
    asked = open_table(LoadRequest("demo"), path, rules=AskedRules(empty_union="zero"))
    assert asked.protocol == Protocol("referent", "zero", "skip")


@pytest.mark.parametrize(("asked", "expected"), [
    pytest.param([], Protocol("referent", "one", "skip"), id="nothing"),
    pytest.param(["--missing", "zero"], Protocol("referent", "one", "zero"), id="a default"),
    pytest.param(["--average", "sentence", "--empty-union", "zero"],
                 Protocol("sentence", "zero", "skip"), id="two rules"),
])
def test_a_rule_that_is_asked_for_is_in_force_also_where_it_is_the_usual_one(
    asked, expected, tmp_path
):
    path = str(tmp_path / "scores.parquet")
    rules = Protocol("referent", "one", "skip")
    write_table(open_workspace(LoadRequest("demo"), [], protocol=rules), path, "parquet")
    options = _parser().parse_args(["open", "demo", "--scores", path, "--no-cache", *asked])
    workspace = open_named(options)
    assert workspace.protocol == expected
    counted = open_workspace(LoadRequest("demo"), [], protocol=expected)
    assert workspace.metrics == counted.metrics


def test_a_folder_of_predictions_lists_what_cannot_be_read(path, tmp_path):
    (tmp_path / "box.jsonl").write_bytes(Path(run_of("box")).read_bytes())
    (tmp_path / "saliency.jsonl").write_text('{"sent_id": "of another data set", "mask": null}\n')
    (tmp_path / "notes.txt").write_text("hello")
    workspace = open_table(LoadRequest("demo"), path, folder=tmp_path)
    assert [bool((one.run.rows >= 0).any()) for one in workspace.scores] == [False, False, True]
    found = {(p.code, p.where) for p in workspace.problems if p.where in ("notes.txt", "saliency")}
    assert found == {("other-file", "notes.txt"), ("run-not-read", "saliency")}


def test_the_version_changes_with_a_number(path, tmp_path):
    versions = {open_table(LoadRequest("demo"), path).version for _ in range(2)}
    other = str(tmp_path / "scores.parquet")
    write_table(open_workspace(LoadRequest("demo"), [f"box={run_of('box')}"]), other, "parquet")
    versions.add(open_table(LoadRequest("demo"), other).version)
    assert len(versions) == 2


@pytest.mark.parametrize(("options", "said"), [
    (["--scores", "nowhere.parquet"], "error: There is no table of scores at nowhere.parquet."),
    (["--scores", "{path}", "--second-truth", "demo"], "--second-truth needs the masks"),
    (["--scores", "{path}", "--iou-threshold", "0.7"], "leave the thresholds out"),
    (["--scores", "{path}", "--run", "x=nowhere.jsonl"], "nowhere.jsonl"),
])
def test_what_does_not_fit_is_said(options, said, path, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    given = [option.replace("{path}", path) for option in options]
    assert main(["open", "demo", "--no-browser", *given]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
