"""The shapes of a report fill back to exactly the masks."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np
import pytest

from inspector.core.scores import score_run
from inspector.report.overlays import draw_example
from inspector.report.pictures import collect_pictures
from tests.building import (
    Picture,
    Said,
    Thing,
    make_dataset,
    make_run,
    make_workspace,
    random_scores,
)
from tests.drawing import draw


def fill(path: str, size_hw: tuple[int, int]) -> np.ndarray:
    """Rasterise a path of relative horizontal and vertical steps, even-odd, by crossing counts."""
    crossings = np.zeros((size_hw[0], size_hw[1] + 1), int)
    for loop in path.split("M")[1:]:
        start, *steps = re.findall(r"[hv]?-?\d+(?: -?\d+)?", loop)
        x, y = map(int, start.split())
        for step in [*steps]:
            length = int(step[1:])
            if step[0] == "h":
                x += length
                continue
            crossings[min(y, y + length) : max(y, y + length), x] += 1
            y += length
        first = int(start.split()[1])
        crossings[min(y, first) : max(y, first), x] += 1  # z closes with a vertical step, if any
    return np.cumsum(crossings, axis=1)[:, :-1] % 2 == 1


@pytest.mark.parametrize("seed", range(6))
def test_areas_are_the_masks(seed):
    (scores,) = random_scores(seed)
    workspace = make_workspace(scores)
    dataset = workspace.dataset
    looked = 0
    for place in range(len(dataset)):
        row = int(dataset.expressions.image[place])
        shown = collect_pictures(workspace, [row], most_bytes=10**6, longest_side=1600).by_row[row]
        svg = draw_example(workspace, place, 0, shown, number=7, label="x")
        size = shown.size_hw
        nothing = np.zeros(size, bool)
        target = int(dataset.expressions.target[place])
        truth = dataset.targets.masks[target].to_array() if target >= 0 else nothing
        mask = int(scores.run.rows[place])
        marked = scores.run.masks[mask].to_array() if mask >= 0 else nothing
        paths = {"truth-7": nothing, "prediction-7": nothing}
        areas = {"both": nothing, "truth": nothing, "prediction": nothing}
        tree = ElementTree.fromstring(svg)
        for path in tree.findall("defs/path"):
            paths[path.get("id")] = fill(path.get("d"), size)
        for path in tree.findall("g[@class='agreement']/path"):
            areas[path.get("class").removeprefix("shape ")] = fill(path.get("d"), size)
        assert np.array_equal(paths["truth-7"], truth)
        assert np.array_equal(areas["truth"] | areas["both"], truth)
        if scores.status[place] == 1:
            assert np.array_equal(paths["prediction-7"], marked)
            assert np.array_equal(areas["both"], truth & marked)
            assert np.array_equal(areas["prediction"], marked & ~truth)
            looked += 1
    assert looked > 5


def test_boxes_are_drawn_as_on_the_page():
    cup = draw("####......")
    dataset = make_dataset(Picture("1", (1, 10), (Thing("a", "cup", cup),), (
        Said("here", "cup", ("a",)), Said("missing", "the cup", ("a",)),
    )))
    run = make_run(dataset, [{"sent_id": "here", "box_xywh": [1, 0, 4, 1]}])
    workspace = make_workspace(score_run(dataset, run))
    shown = collect_pictures(workspace, [0], most_bytes=10**6, longest_side=1600).by_row[0]
    drawn = []
    for place in (0, 1):
        tree = ElementTree.fromstring(
            draw_example(workspace, place, 0, shown, number=1, label="x")
        )
        drawn.append([(group.get("class"), group.find("rect").get("x"))
                      for group in tree.findall("g") if group.find("rect") is not None])
    assert drawn == [[("line truth", "0"), ("line prediction", "1")], []]
