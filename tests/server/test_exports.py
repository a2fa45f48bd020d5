"""Routes of exports take indexes, names and numbers, and give files that open elsewhere."""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pandas
import pyarrow.parquet as pq
import pytest
from fastapi.testclient import TestClient
from PIL import Image

from inspector.browse import Browser, Selection
from inspector.core.protocol import Protocol
from inspector.exporting import Rows
from inspector.server.app import create_app
from inspector.truths.results import pair_truths
from inspector.workspace import Workspace
from tests.figures.scene import make_scene

ROUTES = ("figures/0.svg", "figures/0.png", "sheet.svg", "sheet.png", "export/rows.csv",
          "export/rows.jsonl", "export/rows.parquet", "export/masks.coco.json",
          "export/masks.jsonl")


@pytest.fixture
def workspace(tmp_path) -> Workspace:
    return make_scene(tmp_path)


@pytest.fixture
def client(workspace) -> TestClient:
    return TestClient(create_app(workspace, page={}))


@pytest.fixture
def data(workspace) -> str:
    return f"/data/{workspace.version}"


@pytest.mark.parametrize("route", ROUTES)
class TestEveryRoute:
    def test_is_a_file_with_a_plain_name_that_nobody_keeps(self, client, data, route):
        answer = client.get(f"{data}/{route}", params={"run": "two & <b>"})
        assert answer.status_code == 200
        assert answer.headers["cache-control"] == "no-store"
        kind = route.partition(".")[2]
        assert re.fullmatch(
            rf'attachment; filename="inspector-toy[a-z0-9.-]*\.{re.escape(kind)}"',
            answer.headers["content-disposition"],
        )

    def test_another_run_is_refused_in_words(self, client, data, route):
        answer = client.get(f"{data}/{route}", params={"run": "three"})
        assert answer.status_code == 400
        assert answer.json()["error"].startswith("No run 'three'. Choose one of: one, two & <b>.")

    def test_another_version_is_gone(self, client, route):
        assert client.get(f"/data/0123456789ab/{route}").status_code == 410

    def test_it_only_reads(self, client, data, route):
        for method in ("post", "put", "delete"):
            assert getattr(client, method)(f"{data}/{route}").status_code == 405


@pytest.mark.parametrize("name", [
    "4.png", "-1.png", "a.png", "0", "0.", "0.gif", "0.svg.png", ".png", "0.PNG", "1.0.png",
    "..%2f..%2fetc%2fpasswd", "0%00.png", "9" * 50 + ".png", "²." "png",
])
def test_figures_by_anything_but_an_index_are_not_there(client, data, name):
    assert client.get(f"{data}/figures/{name}").status_code == 404


@pytest.mark.parametrize("route", ["export/rows.xls", "export/rows.csv.exe", "sheet.pdf",
                                   "export/masks.json", "export/masks.csv", "export/rows."])
def test_other_kinds_are_not_there(client, data, route):
    assert client.get(f"{data}/{route}").status_code == 404


@pytest.mark.parametrize(("route", "query", "said"), [
    ("figures/0.png", "scale=5", "'5' does not do for 'scale'. Write a number from 0.1 to 4."),
    ("figures/0.png", "scale=1e9", "'1e9' does not do for 'scale'."),
    ("figures/0.png", "scale=nan", "'nan' does not do for 'scale'."),
    ("figures/0.svg", "mm=0", "'0' does not do for 'mm'. Write a number from 1 to 2000."),
    ("figures/0.svg", "layer=x", "No layer 'x'."),
    ("figures/0.svg", "truth=%22%3E%3Cscript%3E", "The colour of truth is '\"><script>'."),
    ("figures/0.svg", "against=x", "No run 'x'."),
    ("figures/0.svg", "caption=yes", "'yes' does not say whether there is 'caption'."),
    ("sheet.png", "columns=99", "'99' does not do for 'columns'."),
    ("sheet.png", "limit=61", "'61' does not do for 'limit'. Write a number from 1 to 60."),
    ("sheet.png", "category=cat", "No example is selected."),
    ("export/rows.csv", "runs=x", "'x' does not do for 'runs'. Choose one of: one, all."),
    ("export/masks.jsonl", "what=x",
     "'x' does not do for 'what'. Choose one of: prediction, truth."),
    ("export/rows.csv", "sort=x", "No order 'x'."),
])
def test_what_cannot_be_read_is_said(client, data, route, query, said):
    answer = client.get(f"{data}/{route}?{query}")
    assert answer.status_code == 400 and answer.json()["error"].startswith(said)


class TestFigures:
    def test_svg_with_a_policy_of_its_own(self, client, data):
        answer = client.get(f"{data}/figures/0.svg?caption=1&layer=contours&scale=2")
        assert answer.headers["content-type"] == "image/svg+xml"
        assert answer.headers["content-security-policy"] == (
            "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
        )
        root = ElementTree.fromstring(answer.text)
        assert root.get("width") == "200"
        assert "<script" not in answer.text

    def test_png_as_asked_for(self, client, data):
        look = "layer=truth&opacity=1&truth=00ff00&scale=2&mm=25.4"
        answer = client.get(f"{data}/figures/0.png?{look}")
        picture = Image.open(io.BytesIO(answer.content))
        assert picture.size == (200, 120) and picture.getpixel((60, 60)) == (0, 255, 0)
        assert picture.info["dpi"] == pytest.approx((200, 200), abs=0.1)

    def test_without_runs(self, workspace):
        bare = Workspace(workspace.dataset, (), Protocol())
        client, data = TestClient(create_app(bare, page={})), f"/data/{bare.version}"
        assert client.get(f"{data}/figures/0.svg?caption=1").status_code == 200
        assert client.get(f"{data}/sheet.png").status_code == 200
        assert client.get(f"{data}/export/masks.jsonl?what=truth").status_code == 200
        for route in ("rows.csv", "masks.jsonl"):
            answer = client.get(f"{data}/export/{route}")
            assert answer.status_code == 400
            assert answer.json()["error"].startswith("There is no run to write ")


class TestSheets:
    def test_the_selection_in_its_order_and_what_it_is(self, client, data):
        answer = client.get(f"{data}/sheet.svg?sentence=cup&sort=id&limit=1")
        words = [e.text for e in ElementTree.fromstring(answer.text).iter() if e.text]
        assert "toy, val · one · order of the data set · sentence contains “cup” · the first 1" in (
            " ".join(words)
        )
        assert sum(word.endswith("example 13") for word in words) == 1
        assert not any("example 14" in word for word in words)


class TestRows:
    def test_the_selection_in_its_order(self, client, data, workspace):
        answer = client.get(f"{data}/export/rows.csv?runs=all&sort=best&run=one")
        order = Browser(workspace).order(Selection("one", "best"))
        expected = b"".join(Rows(workspace, order, ["one", "two & <b>"]).csv())
        assert answer.content == expected
        frame = pandas.read_csv(io.BytesIO(answer.content), dtype={"example_id": str})
        assert len(frame) == 8

    def test_all_runs_are_those_that_were_opened(self, workspace):
        """A second ground truth is looked at like a run, but scores nothing."""
        dataset = workspace.dataset
        both = replace(workspace, second=pair_truths(dataset, dataset))
        client = TestClient(create_app(both, page={}))
        answer = client.get(f"/data/{both.version}/export/rows.csv?runs=all&run=one")
        frame = pandas.read_csv(io.BytesIO(answer.content))
        assert set(frame["run"]) == {"one", "two & <b>"}

    def test_one_run(self, client, data):
        lines = client.get(f"{data}/export/rows.jsonl", params={"run": "two & <b>"}).text
        rows = [json.loads(line) for line in lines.splitlines()]
        assert {row["run"] for row in rows} == {"two & <b>"} and len(rows) == 4

    def test_parquet(self, client, data):
        table = pq.read_table(io.BytesIO(client.get(f"{data}/export/rows.parquet").content))
        assert table.num_rows == 4


class TestMasks:
    def test_what_is_left_out_is_said(self, client, data):
        answer = client.get(f"{data}/export/masks.coco.json", params={"run": "two & <b>"})
        assert [entry["example_id"] for entry in answer.json()] == ["11", "13", "12"]
        assert answer.headers["x-inspector-left-out"] == "1 missing"

    def test_truth(self, client, data):
        answer = client.get(f"{data}/export/masks.coco.json?what=truth&sort=id")
        assert [entry["example_id"] for entry in answer.json()] == ["11", "13", "14"]
        assert answer.headers["x-inspector-left-out"] == "1 without target"
        lines = client.get(f"{data}/export/masks.jsonl?what=truth").text.splitlines()
        assert json.loads(lines[0])["inspector"] == "dataset"


def test_hostile_names_make_plain_file_names(tmp_path):
    from tests.building import Picture, Said, Thing, make_dataset, make_workspace, score
    from tests.drawing import draw

    name = '../"\r\nset-cookie: a=b; é' + "x" * 300
    dataset = make_dataset(Picture("1", (1, 3), (Thing("a", "cup", draw("##.")),),
                                   (Said(name, "cup", ("a",)),)))
    workspace = make_workspace(score(dataset, {name: draw("##.")}, name="..\\run\n"))
    client = TestClient(create_app(workspace, page={}))
    answer = client.get(f"/data/{workspace.version}/figures/0.svg?caption=1")
    said = answer.headers["content-disposition"]
    assert re.fullmatch(r'attachment; filename="[A-Za-z0-9_.-]{1,160}\.svg"', said)
    assert ".." not in said and "set-cookie" not in answer.headers
    assert np.isfinite(float(ElementTree.fromstring(answer.text).get("width")))
