"""An answer is measured as a run's prediction would be."""

from __future__ import annotations

import numpy as np
import pytest

from inspector.core.protocol import Protocol
from inspector.core.run import Status
from inspector.live.comparing import measure_stored, measure_truth
from tests.building import BROKEN, Picture, Said, Thing, make_dataset, random_scores, score
from tests.drawing import draw

LEFT, RIGHT, EMPTY = draw("##.."), draw("..##"), draw("....")
DATASET = make_dataset(Picture(
    "1", (1, 4), (Thing("a", "cup", LEFT), Thing("x", "cup", BROKEN)),
    (Said("1", "cup", ("a",)), Said("2", "none", ()), Said("3", "broken", ("x",))),
))


@pytest.mark.parametrize(("index", "mask", "expected"), [
    (0, LEFT, (2, 2, 1.0)),
    (0, draw(".##."), (1, 3, 1 / 3)),
    (0, RIGHT, (0, 4, 0.0)),
    (0, EMPTY, (0, 2, 0.0)),
    (0, None, (0, 2, 0.0)),
    (1, LEFT, (0, 2, 0.0)),
    (1, EMPTY, (0, 0, 1.0)),
    (1, None, (0, 0, 1.0)),
], ids=["same", "part", "apart", "marks nothing", "says no target", "false target", "both empty",
        "both say no target"])
def test_against_the_truth(index, mask, expected):
    found = measure_truth(DATASET, index, mask, Protocol())
    assert (*found.overlap, found.iou) == expected


@pytest.mark.parametrize(("rule", "iou"), [("one", 1.0), ("zero", 0.0), ("skip", None)])
def test_the_rule_for_both_empty(rule, iou):
    assert measure_truth(DATASET, 1, None, Protocol(empty_union=rule)).iou == iou


def test_without_truth():
    assert measure_truth(DATASET, 2, LEFT, Protocol()) is None


@pytest.mark.parametrize("seed", range(5))
def test_a_stored_mask_scores_as_it_did(seed):
    """Ignored pixels, several referents, empty masks: the counts are those of the run."""
    scores, = random_scores(seed)
    usable = np.flatnonzero(scores.status == Status.SCORED)
    assert len(usable) > 5
    for index in usable.tolist():
        row = int(scores.run.rows[index])
        mask = scores.run.masks[row] if row >= 0 else None
        found = measure_truth(scores.dataset, index, mask, Protocol())
        assert found.overlap == (scores.intersection[index], scores.union[index])
        same = measure_stored(scores, index, mask)
        area = mask.area if mask is not None else 0
        assert same.overlap == (area, area)
        assert same.iou == (1.0 if area else None)


def test_against_what_is_stored():
    scores = score(DATASET, {"1": draw(".##."), "2": None})
    found = measure_stored(scores, 0, LEFT)
    assert (*found.overlap, found.iou) == (1, 3, 1 / 3)
    found = measure_stored(scores, 0, None)
    assert (*found.overlap, found.iou) == (0, 2, 0.0)
    found = measure_stored(scores, 1, LEFT)
    assert (*found.overlap, found.iou) == (0, 2, 0.0)
    found = measure_stored(scores, 1, None)
    assert (*found.overlap, found.iou) == (0, 0, None)


def test_where_nothing_is_stored():
    scores = score(DATASET, {"1": BROKEN})
    assert [measure_stored(scores, index, LEFT) for index in (0, 1, 2)] == [None, None, None]
