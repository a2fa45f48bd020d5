"""Real predictions of two published models against the IoU that their authors wrote down."""

from __future__ import annotations

import json

import pytest

from inspector.formats.request import LoadRequest
from inspector.workspace import open_workspace


@pytest.fixture(scope="module")
def workspace(shared_data):
    folder = shared_data / "two-models"
    runs = [f"{name}={folder / 'predictions' / name}" for name in ("base", "ours")]
    return open_workspace(LoadRequest(str(folder / "refcoco")), runs)


def test_56_of_147_sentences_have_a_prediction(workspace):
    for scores in workspace.scores:
        assert scores.coverage.to_json() == {
            "examples": 147, "matched": 56, "missing": 91, "invalid": 0, "duplicate": 0,
            "unmatched": 0,
        }


def test_every_iou_agrees_within_a_hundredth(workspace, shared_data):
    published = json.loads((shared_data / "two-models" / "published_iou.json").read_text())
    assert len(published) == 56
    for scores, scored in zip(workspace.scores, workspace.scored, strict=True):
        for record in published:
            row = workspace.dataset.index_of[str(record["sent_id"])]
            expected = record["published_iou"][scores.run.name]
            assert scored.iou[row] == pytest.approx(expected, abs=0.011)


def test_the_pictures_are_found(workspace):
    assert all(image.location is not None for image in workspace.dataset.images)
