"""``score --engine`` from outside: outputs, refusals, and a folder that is whole or not there."""

from __future__ import annotations

import json
import sys
from contextlib import nullcontext
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from inspector.cli import main
from inspector.engine.parts import check_folder, whole_folder, write_parts
from inspector.engine.running import Here
from inspector.table_opening import open_table
from tests.engine.comparing import in_pieces
from tests.engine.sharding import DEMO, RUNS, write_lines, write_parquet


def score(*options: str) -> int:
    return main(["score", "demo", *options])


def test_every_output_is_that_of_one_go(tmp_path, capsys):
    said, results = {}, {}
    for engine in ("local", "batched"):
        more = [] if engine == "local" else ["--shard-size", "0.004"]
        out = [f"--{kind}={tmp_path}/{engine}.{kind}" for kind in ("json", "csv", "parquet")]
        assert score("--engine", engine, *more, *out, "--by", "category", "--at", "0.65") == 0
        said[engine] = capsys.readouterr()
        results[engine] = [
            (tmp_path / f"{engine}.{kind}").read_bytes() for kind in ("json", "csv")
        ]
    assert said["local"] == said["batched"]
    assert results["local"] == results["batched"]
    parts = sorted((tmp_path / "batched.parquet").iterdir())
    assert [part.name for part in parts] == [f"part-0000{run}.parquet" for run in range(3)]
    whole = pq.read_table(tmp_path / "local.parquet")
    assert pa.concat_tables([pq.read_table(part) for part in parts]).equals(whole)
    assert pq.read_schema(parts[2]).metadata[b"inspector"] == whole.schema.metadata[b"inspector"]


def test_the_folder_opens_as_a_table_of_scores(tmp_path):
    workspace = in_pieces(DEMO)
    assert write_parts(workspace, str(tmp_path / "scores"), rows=20) == 12
    opened = open_table(DEMO, str(tmp_path / "scores"))
    assert opened.metrics == workspace.metrics
    assert [one.run.name for one in opened.scores] == ["words", "saliency", "box"]


def test_a_folder_that_was_written_before_is_replaced_as_a_whole(tmp_path):
    workspace, target = in_pieces(DEMO), tmp_path / "scores"
    write_parts(workspace, str(target), rows=20)
    write_parts(workspace, str(target))
    assert len(list(target.iterdir())) == 3
    assert [path.name for path in tmp_path.iterdir()] == ["scores"]


def test_what_goes_wrong_while_writing_leaves_what_was_there(tmp_path):
    workspace, target = in_pieces(DEMO), tmp_path / "scores"
    write_parts(workspace, str(target))
    with pytest.raises(RuntimeError, match="power cut"), whole_folder(str(target)) as folder:
        (folder / "part-00000.parquet").write_bytes(b"half of it")
        raise RuntimeError("power cut")
    assert len(pq.read_table(target)) == 3 * 64
    assert [path.name for path in tmp_path.iterdir()] == ["scores"]


def test_predictions_that_are_called_like_parts_are_not_replaced(tmp_path, capsys):
    lines = (RUNS / "box.jsonl").read_bytes().splitlines()
    paths = write_parquet(tmp_path / "run", lines, shards=2)
    before = [path.read_bytes() for path in paths]
    assert score("--engine", "batched", "--run", f"run={tmp_path}/run/part-*.parquet",
                 "--parquet", f"{tmp_path}/run") == 2
    assert "it holds part-000.parquet, which is no part of a table of scores. Name a new folder." \
        in capsys.readouterr().err
    assert [path.read_bytes() for path in paths] == before


@pytest.mark.parametrize(("options", "said"), [
    (["--address", "auto"], "--address is of use only with --engine ray."),
    (["--engine", "batched", "--workers", "2"], "--workers is of use only with --engine ray."),
    (["--shard-size", "3"], "--shard-size is of use only with --engine batched or ray."),
    (["--engine", "batched", "--shard-size", "much"], "--shard-size much is no number above 0."),
    (["--engine", "ray", "--workers", "1.5"], "--workers 1.5 is no whole number above 0."),
    (["--engine", "ray", "--workers", "2", "--address", "auto"],
     "--workers is for this machine: a cluster at --address has its own."),
    (["--engine", "batched", "--runs", "x"],
     "--runs is not for --engine batched: name each run, --run NAME=SHARDS."),
    (["--engine", "batched", "--preset", "lavt"],
     "--preset counts on the masks themselves, which --engine batched does not keep"),
    (["--engine", "batched", "--run", "x=nowhere/*.jsonl"],
     "There are no predictions at nowhere/*.jsonl: no file fits."),
    (["--engine", "batched", "--parquet", "no/such/folder"], "there is no folder"),
])
def test_what_does_not_fit_is_said_in_one_line(options, said, capsys):
    assert score(*options) == 2
    found = capsys.readouterr()
    assert found.out == ""
    assert found.err.startswith("error: ") and found.err.count("\n") == 1
    assert said in found.err


def test_no_output_takes_the_place_of_a_shard(tmp_path, capsys):
    path = write_lines(tmp_path, (RUNS / "box.jsonl").read_bytes().splitlines(), shards=1)[0]
    before = path.read_bytes()
    assert score("--engine", "batched", "--run", f"run={tmp_path}/*.jsonl", "--csv", str(path)) == 2
    assert "is read by this command" in capsys.readouterr().err
    assert path.read_bytes() == before


def test_a_bad_shard_ends_the_command_without_any_file(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("inspector.engine.running._PAUSE", 0.0)
    paths = write_parquet(
        tmp_path / "run", (RUNS / "box.jsonl").read_bytes().splitlines(), shards=3
    )
    paths[1].write_bytes(paths[1].read_bytes()[:200])
    assert score("--engine", "batched", "--run", f"run={tmp_path}/run",
                 "--parquet", f"{tmp_path}/scores", "--json", f"{tmp_path}/x.json") == 2
    error = capsys.readouterr().err
    assert error.startswith("error: part-001.parquet could not be scored in 3 tries (all of it): ")
    assert "cannot be read as parquet" in error
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


def test_standard_output_takes_one_table(capfdbinary, tmp_path):
    assert score("--engine", "batched", "--parquet", "-") == 0
    table = pq.read_table(pa.BufferReader(capfdbinary.readouterr().out))
    assert len(table) == 3 * 64


@pytest.mark.parametrize(("name", "said"), [
    ("file", "cannot be written: with --engine, --parquet names a folder."),
    ("full", "it holds notes.txt, which is no part of a table of scores"),
])
def test_folders_that_are_not_ours(name, said, tmp_path):
    from inspector.core.errors import UsageError

    (tmp_path / "file").write_text("x")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "notes.txt").write_text("x")
    with pytest.raises(UsageError, match=said):
        check_folder(str(tmp_path / name))


def test_ray_is_asked_for_by_name_where_it_is_not_installed(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    assert score("--engine", "ray") == 2
    error = capsys.readouterr().err
    assert error.startswith("error: --engine ray needs Ray, which is not installed (")
    assert "requirements-cluster.txt" in error


def test_json_goes_to_standard_output_alone(capsys, monkeypatch):
    class Talking(Here):
        def run(self, tasks, truth):
            sys.stdout.write("A worker died or was killed\n")  # as Ray does
            yield from super().run(tasks, truth)

    monkeypatch.setattr("inspector.engine.command._engine", lambda _: nullcontext(Talking()))
    assert score("--engine", "batched", "--json", "-") == 0
    assert [run["name"] for run in json.loads(capsys.readouterr().out)["runs"]] == [
        "words", "saliency", "box"
    ]


def test_the_engines_are_in_the_documentation():
    from inspector.engine.command import ENGINES

    text = (Path(__file__).parents[2] / "docs" / "scale.md").read_text()
    for kind in ENGINES:
        assert f"`{kind.key}`" in text
