from __future__ import annotations

import dataclasses
import os
from typing import Any

import pytest

from inspector.core.protocol import Protocol
from inspector.formats.request import LoadRequest
from inspector.workspace import DEMO_RUNS, Workspace, open_workspace
from tests.building import Picture, Said, Thing, make_dataset, make_workspace, score
from tests.drawing import draw

CUP, DOG = draw("##.."), draw("..##")


def one_picture(
    mask: Any = CUP, *, other: Any = DOG, category: str = "cup", sentence: str = "cup",
    sent_id: str = "101", raw: str = "", name: str = "1", prediction: Any = CUP,
    run: str = "model", protocol: Protocol | None = None,
) -> Workspace:
    dataset = make_dataset(Picture(
        name, (1, 4), (Thing("a", category, mask), Thing("b", "dog", other)),
        (Said(sent_id, sentence, ("a",), raw=raw),),
    ))
    return make_workspace(score(dataset, {sent_id: prediction}, name=run), protocol=protocol)


def test_the_version_of_the_same_data_is_the_same():
    assert one_picture().version == one_picture().version
    assert len(one_picture().version) == 12


@pytest.mark.parametrize("changed", [
    {"mask": draw("###.")}, {"other": draw("...#")}, {"category": "mug"}, {"sentence": "mug"},
    {"sent_id": "102"}, {"raw": "Cup."}, {"name": "2"}, {"prediction": DOG},
    {"prediction": None}, {"prediction": {"size": [1, 4], "counts": "!"}}, {"run": "other"},
    {"protocol": Protocol(missing="skip")},
], ids=lambda changed: " ".join(changed))
def test_the_version_changes_with_whatever_the_page_shows(changed):
    # browsers keep what they got under a version for ever
    assert one_picture(**changed).version != one_picture().version


def test_why_a_prediction_is_invalid_belongs_to_the_version():
    bad = [{"size": [1, 4], "counts": "!"}, {"size": [4, 1], "counts": [4]}]
    assert len({one_picture(prediction=mask).version for mask in bad}) == 2


def test_a_picture_that_is_exchanged_changes_the_version(tmp_path):
    path = tmp_path / "1.jpg"

    def version() -> str:
        dataset = make_dataset(Picture("1", (1, 4), (), (Said("1", "none"),), path))
        return make_workspace(score(dataset, {"1": None})).version

    seen = [version()]
    for written in (1, 2):
        path.write_bytes(b"same size")
        os.utime(path, (written, written))
        seen.append(version())
    assert len(set(seen)) == 3


def test_problems_of_the_data_set_come_before_those_of_the_runs():
    dataset = make_dataset(Picture(
        "1", (1, 4), (Thing("a", "cup", CUP), Thing("bad", "cup", 7)), (Said("1", "cup", ("a",)),)
    ))
    runs = [score(dataset, {"1": mask}, name=f"{mask}") for mask in ("first", "second")]
    codes = [problem.code for problem in make_workspace(*runs).problems]
    assert codes == ["broken-mask", "broken-prediction", "broken-prediction"]


def test_the_demo_brings_its_own_runs():
    workspace = open_workspace(LoadRequest("demo"), [])
    assert tuple(scores.run.name for scores in workspace.scores) == DEMO_RUNS
    assert workspace.dataset.source == "demo"


def test_progress_names_each_run():
    seen: list[tuple[str, int, int]] = []
    open_workspace(LoadRequest("demo"), [], progress=lambda *step: seen.append(step))
    assert {what for what, _, _ in seen} == {f"score {name}" for name in DEMO_RUNS}
    assert ("score box", 64, 64) in seen


def test_a_workspace_is_immutable():
    with pytest.raises(dataclasses.FrozenInstanceError):
        one_picture().protocol = Protocol()
