"""Analyses of runs of all kinds: many, of boxes alone, and names that are not there."""

from __future__ import annotations

from dataclasses import replace

import pytest
from fastapi.testclient import TestClient

from inspector.core.errors import UsageError
from inspector.core.scores import score_run
from inspector.server.app import create_app
from inspector.server.panels import PANELS, compare, slices
from inspector.server.second import second_name, with_second_as_run
from inspector.truths.results import pair_truths
from tests.building import Picture, Said, Thing, make_dataset, make_run, make_workspace, score
from tests.drawing import draw

IDS = [f"{number}" for number in range(12)]


def quiet(done: int, total: int) -> None:
    """Nobody looks at the progress."""


@pytest.fixture(scope="module")
def dataset():
    return make_dataset(*(
        Picture(at, (2, 4), (Thing(f"a{at}", "cup", draw("##..", "##..")),),
                (Said(at, "the left cup", (f"a{at}",)),))
        for at in IDS
    ))


def masks(dataset, name="masks"):
    """Three of the four pixels: IoU 0.75."""
    return score(dataset, dict.fromkeys(IDS, draw("##..", "#...")), name=name)


def boxes(dataset, name="boxes", *, width=1):
    """Boxes alone; one pixel wide they cover half of the target."""
    return score_run(dataset, make_run(
        dataset, [{"example_id": at, "box_xywh": [0, 0, width, 2]} for at in IDS], name=name
    ))


class TestManyRuns:
    @pytest.fixture(scope="class")
    def many(self, dataset):
        return make_workspace(*(masks(dataset, f"r{number}") for number in range(12)))

    def test_how_many_of_them_are_compared_is_said(self, many):
        table = compare.make(many, {}, quiet)[0]
        assert len(table["rows"]) == 10
        assert table["note"].startswith(
            "10 of 12 runs are compared, the two that are chosen among them."
        )

    def test_the_two_that_are_chosen_are_among_them(self, many):
        table = compare.make(many, {"run": "r10", "against": "r11"}, quiet)[0]
        assert [row["run"] for row in table["rows"]] == [
            "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r10", "r11"
        ]

    def test_of_ten_nothing_is_said(self, many):
        table = compare.make(replace(many, scores=many.scores[:10]), {}, quiet)[0]
        assert table["note"].startswith("Rules: ")


class TestRunsOfBoxes:
    @pytest.mark.parametrize("panel", PANELS, ids=lambda panel: panel.key)
    def test_every_panel_that_is_offered_answers(self, dataset, panel):
        workspace = make_workspace(boxes(dataset), boxes(dataset, "wider", width=2))
        if panel.applies(workspace):
            assert panel.make(workspace, {}, quiet)

    def test_slices_are_measured_by_boxes_and_say_so(self, dataset):
        table = slices.make(make_workspace(boxes(dataset)), {}, quiet)[0]
        assert [column["label"] for column in table["columns"]][3] == "box mIoU"
        assert table["note"].startswith("box mIoU in percent over 12 examples on 12 pictures: 50.0")
        assert {row["mean"] for row in table["rows"]} == {0.5}

    def test_two_are_compared_by_boxes(self, dataset):
        workspace = make_workspace(boxes(dataset), boxes(dataset, "wider", width=2))
        numbers, differences, *_, where = compare.make(workspace, {}, quiet)
        assert [row["box_mIoU"][0] for row in numbers["rows"]] == [0.5, 1.0]
        assert [row["value"] for row in differences["rows"] if row["measure"] == "box mIoU"] == [
            -0.5
        ]
        assert where["title"] == "Where boxes and wider differ most"

    def test_beside_masks_each_kind_has_its_own_numbers(self, dataset):
        workspace = make_workspace(masks(dataset), boxes(dataset))
        blocks = compare.make(workspace, {}, quiet)
        of_masks, of_boxes = blocks[0]["rows"]
        assert (of_masks["mIoU"][0], of_boxes["mIoU"][0]) == (0.75, None)
        assert of_boxes["box_mIoU"][0] == 0.5
        assert {row["measure"] for row in blocks[1]["rows"]} <= {"box mIoU", "box Acc@0.5"}


class TestNamesOfRuns:
    @pytest.fixture(scope="class")
    def with_second(self, dataset):
        return replace(make_workspace(masks(dataset)), second=pair_truths(dataset, dataset))

    @pytest.mark.parametrize("panel", [p for p in PANELS if p.key in ("numbers", "failures")],
                             ids=lambda panel: panel.key)
    def test_a_name_that_is_not_there_is_refused_beside_a_second_truth(self, with_second, panel):
        with pytest.raises(UsageError, match="No run 'nonsense'"):
            panel.make(with_second, {"run": "nonsense"}, quiet)

    def test_the_second_truth_gives_the_numbers_of_the_first_run(self, with_second):
        name = second_name(with_second)
        client = TestClient(create_app(with_second, page={}))
        answer = client.get(
            f"/data/{with_second.version}/panels/failures", params={"run": name}
        )
        assert answer.status_code == 200

    def test_a_run_of_the_same_name_keeps_it(self, dataset):
        workspace = replace(
            make_workspace(masks(dataset, "truth B")), second=pair_truths(dataset, dataset)
        )
        assert [scores.run.name for scores in with_second_as_run(workspace).scores] == [
            "truth B", "truth B'"
        ]
