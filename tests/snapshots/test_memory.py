"""What is recalled is what would be made: for every format, and after every change of a file."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from inspector import summary
from inspector.core.errors import InspectorError
from inspector.core.failures import Thresholds
from inspector.formats import DATASET_FORMATS
from inspector.formats.request import LoadRequest
from inspector.predictions import PREDICTION_FORMATS
from inspector.predictions.options import RunOptions
from inspector.snapshots import Memory, digest_of, memory
from inspector.snapshots.packing import pack
from inspector.workspace import Workspace, open_workspace, reload_runs
from tests.formats.writers import WRITERS as DATASET_WRITERS
from tests.formats.writing import write_jsonl
from tests.predictions.dumps import WRITERS as RUN_WRITERS
from tests.predictions.scene import SCENE, save_lines
from tests.snapshots.conftest import age
from tests.snapshots.test_packing import assert_same

pytestmark = pytest.mark.usefixtures("cache", "trusting")


class Counting(Memory):
    """Counts what had to be made."""

    def __init__(self) -> None:
        self.made: list[str] = []

    def recall(self, what, key, make, **options):
        def counted():
            self.made.append(what)
            return make()

        return super().recall(what, key, counted, **options)


def opened(source, *runs, **options) -> tuple[Workspace, list[str]]:
    counting = Counting()
    request = options.pop("request", LoadRequest(str(source)))
    return open_workspace(request, [*map(str, runs)], memory=counting, **options), counting.made


def outputs(workspace: Workspace, folder: Path) -> list[bytes]:
    """Give every byte that ``score`` writes of a workspace."""
    folder.mkdir(exist_ok=True)
    summary.write_json(workspace, str(folder / "a.json"))
    summary.write_table(workspace, str(folder / "a.csv"), "csv")
    return [(folder / "a.json").read_bytes(), (folder / "a.csv").read_bytes()]


def assert_equal(recalled: Workspace, made: Workspace) -> None:
    assert_same(recalled.dataset, made.dataset)
    assert_same(recalled.scores, made.scores)
    assert all(scores.dataset is recalled.dataset for scores in recalled.scores)
    assert repr(recalled.metrics) == repr(made.metrics)
    assert repr(recalled.levels) == repr(made.levels)
    assert recalled.problems == made.problems
    assert recalled.version == made.version
    assert [s.coverage for s in recalled.scores] == [s.coverage for s in made.scores]
    assert recalled.opening.read == made.opening.read


@pytest.fixture
def scene(tmp_path) -> Path:
    """The scene of the predictions as a data set on disk."""
    lines: list[dict] = [{"inspector": "dataset", "version": 1, "name": "toy", "split": "val"}]
    for image in SCENE.images:
        examples = [example for example in SCENE if example.image == image]
        things = {r.annotation_id: r for example in examples for r in example.referents}
        lines.append({
            "image": {"id": image.id, "file_name": image.file_name, "size": list(image.size_hw)},
            "objects": [{"ann_id": key, "category": thing.category, "mask": thing.mask.to_json()}
                        for key, thing in things.items()],
            "expressions": [
                {"sent_id": e.id, "ref_id": e.expression.ref_id, "raw": e.expression.raw,
                 "sentence": e.expression.sentence,
                 "targets": [r.annotation_id for r in e.referents]}
                for e in examples
            ],
        })
    (tmp_path / "scene").mkdir()
    return save_lines(tmp_path / "scene" / "scene.jsonl", *lines)


@pytest.mark.parametrize("key", [fmt.key for fmt in DATASET_FORMATS])
def test_a_data_set_of_every_format(key, tmp_path):
    source = DATASET_WRITERS[key](tmp_path / "data")
    made, how = opened(source)
    assert how == ["dataset"]
    recalled, how = opened(source)
    assert how == []
    assert_equal(recalled, made)
    assert_equal(recalled, open_workspace(LoadRequest(str(source)), []))
    assert digest_of(recalled.dataset) == digest_of(made.dataset) == pack(made.dataset).digest


@pytest.mark.parametrize("key", [fmt.key for fmt in PREDICTION_FORMATS])
def test_a_run_of_every_format(key, scene, tmp_path):
    run = RUN_WRITERS[key](tmp_path / "dump")
    made, how = opened(scene, run)
    assert how == ["dataset", "scores"]
    recalled, how = opened(scene, run)
    assert how == []
    assert_equal(recalled, made)
    fresh = open_workspace(LoadRequest(str(scene)), [str(run)])
    assert_equal(recalled, fresh)
    assert outputs(recalled, tmp_path / "one") == outputs(fresh, tmp_path / "two")


def changes(folder: Path) -> Iterator[tuple[str, Path]]:
    """Change a tree in every way, one at a time: each file altered and removed, one added."""
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_dir():
            new = path / "000000000001.jpg"
            new.write_bytes(b"new")
            yield f"{name}: a new file", new
            new.unlink()
            continue
        content = path.read_bytes()
        path.write_bytes(content[:-1] + bytes([content[-1] ^ 1]) if content else b"x")
        yield f"{name}: its last byte", path
        path.write_bytes(content)
        path.unlink()
        yield f"{name}: gone", path
        path.write_bytes(content)


def result(source: Path, *runs: Path, memory: Memory | None) -> object:
    """Give all of a workspace, or what is said in its place."""
    try:
        workspace = open_workspace(LoadRequest(str(source)), [*map(str, runs)], memory=memory)
    except InspectorError as error:
        return str(error)
    version = workspace.version if workspace.scores else ""  # of pictures that nobody asked for
    return pack(workspace.dataset).digest, pack(workspace.scores).digest, version


@pytest.mark.parametrize("key", [fmt.key for fmt in DATASET_FORMATS])
def test_after_any_change_a_data_set_is_what_it_would_be_anew(key, tmp_path):
    source = DATASET_WRITERS[key](tmp_path / "data")
    age(tmp_path / "data")
    opened(source)
    kept = {p: p.read_bytes() for p in (tmp_path / "cache" / "snapshots").iterdir()}
    for name, _ in changes(tmp_path / "data"):
        for path, content in kept.items():  # the snapshot of before, whatever came between
            path.write_bytes(content)
        assert result(source, memory=Memory()) == result(source, memory=None), name


@pytest.mark.parametrize("key", [fmt.key for fmt in PREDICTION_FORMATS])
def test_after_any_change_a_run_is_what_it_would_be_anew(key, scene, tmp_path):
    (tmp_path / "runs").mkdir()
    run = RUN_WRITERS[key](tmp_path / "runs" / "dump")
    age(tmp_path / "runs")
    opened(scene, run)
    kept = {p: p.read_bytes() for p in (tmp_path / "cache" / "snapshots").iterdir()}
    for name, _ in changes(tmp_path / "runs"):
        for path, content in kept.items():
            path.write_bytes(content)
        assert result(scene, run, memory=Memory()) == result(scene, run, memory=None), name


def test_a_new_run_leaves_the_rest_recalled(scene, tmp_path):
    one, other = (RUN_WRITERS["jsonl"](tmp_path / f"{name}.jsonl") for name in ("a", "b"))
    assert opened(scene, one)[1] == ["dataset", "scores"]
    workspace, how = opened(scene, one, other)
    assert how == ["scores"]
    assert [scores.run.name for scores in workspace.scores] == ["a", "b"]


def test_each_question_has_an_answer_of_its_own(scene, tmp_path):
    run = RUN_WRITERS["jsonl"](tmp_path / "a.jsonl")
    opened(scene, run)
    assert opened(scene, run, thresholds=Thresholds(iou=0.8))[1] == ["scores"]
    assert opened(scene, run, options=RunOptions(resize="nearest"))[1] == ["scores"]
    assert opened(scene, f"other={run}")[1] == ["scores"]
    assert opened(scene, run, request=LoadRequest(str(scene), split="all"))[1] == [
        "dataset", "scores"
    ]
    assert opened(scene, run)[1] == []


def test_another_data_set_does_not_share_the_scores(scene, tmp_path):
    run = RUN_WRITERS["jsonl"](tmp_path / "a.jsonl")
    opened(scene, run)
    text = scene.read_text()
    scene.write_text(text.replace('"the cup"', '"a mug"'))
    assert opened(scene, run)[1] == ["dataset", "scores"]
    scene.write_text(text)
    assert opened(scene, run)[1] == ["dataset"]  # the content of before has its scores


def test_two_ground_truths(tmp_path):
    request = LoadRequest("demo:tight")
    made, how = opened("", request=request, second=LoadRequest("demo:coarse"))
    assert how == ["dataset", "dataset", "truths", "scores", "scores", "scores"]
    recalled, how = opened("", request=request, second=LoadRequest("demo:coarse"))
    assert how == []
    assert_same(recalled.second, made.second)
    assert recalled.second.a is recalled.dataset
    assert recalled.second.label.dataset is recalled.dataset
    assert recalled.version == made.version
    assert repr(recalled.truths.pair.summary) == repr(made.truths.pair.summary)


def test_reading_again_after_recalling_sees_what_has_changed(scene, tmp_path):
    runs = tmp_path / "runs"
    runs.mkdir()
    path = RUN_WRITERS["jsonl"](runs / "a.jsonl")
    opened(scene, folder=runs)
    recalled, how = opened(scene, folder=runs)
    assert how == []
    assert reload_runs(recalled) is recalled
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:2]))
    grown = reload_runs(recalled)
    assert [s.coverage.matched for s in grown.scores] == [2]
    assert opened(scene, folder=runs)[1] == ["scores"]


def test_errors_are_said_every_time(scene, tmp_path):
    for _ in range(2):
        with pytest.raises(InspectorError, match="no such file or folder"):
            opened(scene, tmp_path / "none.jsonl")
    bad = save_lines(tmp_path / "bad.jsonl", {"sent_id": "no such", "mask": None})
    said = []
    for _ in range(2):
        with pytest.raises(InspectorError) as raised:
            opened(scene, bad)
        said.append(str(raised.value))
    assert said[0] == said[1]


@pytest.mark.parametrize("what", ["program_digest", "_libraries"])
def test_another_program_makes_everything_anew(what, scene, monkeypatch):
    opened(scene)
    assert opened(scene)[1] == []
    monkeypatch.setattr(memory, what, lambda: "other")
    assert opened(scene)[1] == ["dataset"]


def test_another_folder_to_start_from_is_another_question(tmp_path, monkeypatch):
    for name in ("a", "b"):
        write_jsonl(tmp_path / name)
    source = write_jsonl(tmp_path / "a").name
    monkeypatch.chdir(tmp_path / "a")
    assert opened(source)[1] == ["dataset"]
    monkeypatch.chdir(tmp_path / "b")
    assert opened(source)[1] == ["dataset"]
    assert opened(source)[1] == []


def test_damage_is_mended(scene, tmp_path):
    opened(scene)
    path, = (tmp_path / "cache" / "snapshots").iterdir()
    path.write_bytes(path.read_bytes()[:-40] + bytes(40))
    assert opened(scene)[1] == ["dataset"]
    assert opened(scene)[1] == []


def test_off_keeps_nothing(scene, tmp_path, monkeypatch):
    monkeypatch.setenv("INSPECTOR_CACHE", "off")
    assert opened(scene)[1] == ["dataset"]
    assert opened(scene)[1] == ["dataset"]
    assert not (tmp_path / "cache").exists()


def test_a_copy_of_the_data_elsewhere_is_read_for_itself(scene, tmp_path):
    first, _ = opened(scene)
    shutil.copytree(scene.parent, tmp_path / "copy", copy_function=shutil.copy2)
    second, how = opened(tmp_path / "copy" / scene.name)
    assert how == ["dataset"]
    assert second.dataset.source != first.dataset.source


def test_a_picture_that_is_put_there_later_is_found(scene):
    name = SCENE.images[0].file_name
    workspace, _ = opened(scene)
    assert "missing-picture" in {problem.code for problem in workspace.problems}
    (scene.parent / "images").mkdir()
    (scene.parent / "images" / name).write_bytes(b"picture")
    workspace, how = opened(scene)
    assert how == ["dataset"]
    assert workspace.dataset.images[0].location == scene.parent / "images" / name


def test_recalled_scores_do_not_share_memory_with_each_other(scene, tmp_path):
    run = RUN_WRITERS["jsonl"](tmp_path / "a.jsonl")
    opened(scene, run)
    one, other = opened(scene, run)[0], opened(scene, run)[0]
    one.scores[0].intersection[:] = 0
    assert other.scores[0].intersection.any()
    changed = replace(one, scores=())
    assert changed.version != other.version


def test_a_relative_path_and_a_home_are_those_of_the_question(scene, monkeypatch):
    monkeypatch.chdir(scene.parent)
    opened(scene.name)
    assert opened(f".{os.sep}{scene.name}")[1] == ["dataset"]
    assert opened(scene.name)[1] == []


def test_attributes_are_decided_once_for_all_openings(monkeypatch):
    from inspector.browse import slicing

    first, _ = opened("", request=LoadRequest("demo"))
    again, _ = opened("", request=LoadRequest("demo"))
    made = slicing.coded_of(first.dataset)
    monkeypatch.setattr(slicing, "code_dataset", lambda *a, **k: pytest.fail("decided again"))
    assert_same(slicing.coded_of(again.dataset), made)
    other, _ = opened("", request=LoadRequest("demo:coarse"))
    with pytest.raises(pytest.fail.Exception):
        slicing.coded_of(other.dataset)
