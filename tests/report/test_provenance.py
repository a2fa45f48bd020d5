"""Where the numbers come from is told in full, and nothing of this machine with it."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from inspector.formats.request import LoadRequest
from inspector.report import provenance
from inspector.report.provenance import PathHider, list_inputs, shorten_command
from inspector.workspace import open_workspace
from tests.formats.layouts import write_cris
from tests.report.making import make_page


@pytest.fixture
def workspace(tmp_path):
    """A data set without its picture, and two runs: a file and a folder of masks; a bad line."""
    data = tmp_path / "some where" / "data.jsonl"
    data.parent.mkdir()
    header = {"inspector": "dataset", "version": 1, "name": "cups"}
    data.write_text("".join(json.dumps(row) + "\n" for row in [header, *({
        "image": {"id": f"{n}", "file_name": f"images/{n}.jpg", "size": [2, 2]},
        "objects": [{"ann_id": f"a{n}", "category": "cup",
                     "mask": {"size": [2, 2], "counts": [0, 4]}}],
        "expressions": [{"sent_id": f"{n}", "ref_id": f"{n}", "sentence": "cup", "split": "val",
                         "targets": [f"a{n}"]}],
    } for n in (1, 2, 3))]))
    run = tmp_path / "runs" / "one.jsonl"
    run.parent.mkdir()
    run.write_text('{"sent_id": 1, "mask": {"size": [2, 2], "counts": [0, 4]}}\n'
                   '{"sent_id": 2, "mask": {"size": [3, 2], "counts": [0, 6]}}\n')
    return open_workspace(LoadRequest(str(data)), [f"one={run}"])


def test_every_input_file_has_its_digest(workspace, tmp_path):
    found = list_inputs(workspace)
    assert [(file.role, file.name) for file in found] == [
        ("data set", "data.jsonl"), ("run one", "one.jsonl"),
    ]
    for file in found:
        assert file.sha256 == hashlib.sha256(file.path.read_bytes()).hexdigest()
        assert file.bytes == file.path.stat().st_size
    page = make_page(workspace, 0)
    assert all(file.sha256 in page.text for file in found)


def test_no_folder_of_this_machine_is_in_the_file(workspace, tmp_path):
    page = make_page(workspace, 0, 1, 2)
    assert str(tmp_path) not in page.text
    assert str(Path.cwd()) not in page.text
    assert "some where" not in page.text
    assert "data.jsonl" in page.text
    assert f"{tmp_path / 'some where' / 'data.jsonl'}" in make_page(
        workspace, 0, with_paths=True).text


def test_the_demo_and_a_second_truth_are_named(tmp_path):
    workspace = open_workspace(LoadRequest("demo"), [], second=LoadRequest("demo:coarse"))
    roles = [(file.role, file.name) for file in list_inputs(workspace)]
    assert roles[:3] == [("data set", "truth-tight.jsonl"), ("ground truth B",
                         "truth-coarse.jsonl"), ("run words", "words.jsonl")]
    page = make_page(workspace, 0)
    assert "truths" in [found["id"] for found in page.all("section")]
    assert "A is demo, B is demo:coarse" in page.text


def test_a_table_of_scores_is_named(demo_workspace, tmp_path):
    from inspector.summary import write_table
    from inspector.table_opening import open_table

    table = tmp_path / "scores.parquet"
    write_table(demo_workspace, str(table), "parquet")
    workspace = open_table(LoadRequest("demo"), str(table))
    assert [(file.role, file.name) for file in list_inputs(workspace)] == [
        ("data set", "truth-tight.jsonl"), ("table of scores", "scores.parquet"),
    ]
    page = make_page(workspace, 0, 1)
    assert str(tmp_path) not in page.text
    assert f"{100 * demo_workspace.metrics[0]['mIoU']:.2f} %" in page.text


def test_folders_are_taken_together(shared_data):
    masks = shared_data / "two-models" / "predictions" / "base"
    workspace = open_workspace(
        LoadRequest(str(shared_data / "two-models" / "refcoco"), split="all"), [f"base={masks}"]
    )
    found = {file.name: file for file in list_inputs(workspace)}
    assert set(found) == {"refs(unc).p", "instances.json", "base/"}
    lines = "".join(
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n"
        for path in sorted(masks.iterdir())
    )
    assert found["base/"].files == 56
    assert found["base/"].sha256 == hashlib.sha256(lines.encode()).hexdigest()


def test_what_lies_beside_the_data_and_was_not_read_is_not_listed(tmp_path, monkeypatch):
    source = write_cris(tmp_path)
    masks = source / "masks" / "refcoco"
    read = sorted(masks.iterdir())
    for beside in (source / "todo.txt", source / "anns" / "old.jsonl", masks / "old.png"):
        beside.write_text("of something else")
    workspace = open_workspace(LoadRequest(str(source)), [])
    assert [file.name for file in list_inputs(workspace)] == ["val.json", *(p.name for p in read)]

    monkeypatch.setattr(provenance, "_ONE_BY_ONE", 2)
    listed, together = list_inputs(workspace)
    assert (together.name, together.files) == ("refcoco/", len(read))
    lines = "".join(
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in read
    )
    assert together.sha256 == hashlib.sha256(lines.encode()).hexdigest()


def test_refs_of_another_split_by_are_not_read(shared_data):
    workspace = open_workspace(
        LoadRequest(str(shared_data / "refer" / "refcocog"), split="all", split_by="umd"), []
    )
    assert {file.name for file in list_inputs(workspace)} == {"refs(umd).p", "instances.json"}


@pytest.mark.parametrize(("arguments", "expected"), [
    pytest.param(["report", "/a/b/refcoco", "--run", "ours=/c/d.jsonl", "--out", "e/f.html"],
                 "report refcoco --run ours=d.jsonl --out f.html", id="paths"),
    pytest.param(["report", "moondream/refcoco-m"], "report moondream/refcoco-m", id="hub"),
    pytest.param(["--title", "with / and 'quotes'"], "--title 'with / and '\\''quotes'\\'''",
                 id="title"),
    pytest.param(["--images=/a/b c/", "--where", "failure=part,spill"],
                 "'--images=b c' --where failure=part,spill", id="options"),
    pytest.param(["C:\\Users\\me\\data"], "data", id="windows"),
])
def test_commands_are_shortened(arguments, expected):
    kept = ["moondream/refcoco-m", "with / and 'quotes'"]
    assert shorten_command(arguments, kept) == f"python -m inspector {expected}"


def test_paths_in_messages_lose_their_folders(workspace, tmp_path):
    hider = PathHider(workspace, is_on=True)
    beside = tmp_path / "some where"
    assert hider.hide(f"x was not found: looked in {beside}/images") == (
        "x was not found: looked in images"
    )
    assert hider.hide("(file: /srv/data/run.jsonl)") == "(file: run.jsonl)"
    assert hider.hide("651,625 / 1,967,445 px, 3/4, and/or") == (
        "651,625 / 1,967,445 px, 3/4, and/or"
    )
    assert PathHider(workspace, is_on=False).hide("/srv/data/run.jsonl") == "/srv/data/run.jsonl"
