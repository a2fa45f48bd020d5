"""The data routes take indexes and names that the server gave out, and nothing else."""

from __future__ import annotations

import io
import json

import numpy as np
import pytest
from fastapi.testclient import TestClient
from PIL import Image

from inspector.browse import FILTERS, SORTS, Browser, Selection
from inspector.core.failures import FAILURE_MODES
from inspector.core.mask import Mask
from inspector.core.metrics import METRICS
from inspector.core.protocol import Protocol
from inspector.formats.pictures import PictureStore
from inspector.server.app import create_app
from inspector.workspace import Workspace
from tests.building import BROKEN, Picture, Said, Thing, make_dataset, make_workspace, score
from tests.core.test_ignored import dataset_of
from tests.drawing import draw

CUP, DOG = draw("####......"), draw("......####")
MARKUP = "<img src=x onerror=alert(1)> & “café” \u2028 🐈"


def picture_bytes(kind: str) -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", (10, 1), (200, 30, 30)).save(buffer, kind)
    return buffer.getvalue()


@pytest.fixture
def workspace(tmp_path) -> Workspace:
    """Three pictures: one there, one without a file, one that is no picture; two runs."""
    (tmp_path / "1.jpg").write_bytes(picture_bytes("JPEG"))
    (tmp_path / "3.jpg").write_bytes(b"<svg onload=alert(1)>")
    said = (Said("101", MARKUP, ("a",), "21"), Said("102", "dog", ("b",)), Said("103", "none", ()))
    things = (Thing("a", "cup", CUP), Thing("b", "dog", DOG))
    dataset = make_dataset(
        Picture("1", (1, 10), things, said, tmp_path / "1.jpg"),
        Picture("2", (1, 10), (Thing("c", "cup", CUP),), (Said("201", "cup", ("c",)),)),
        Picture("3", (1, 10), (Thing("d", "cup", BROKEN),), (Said("301", "cup", ("d",)),),
                tmp_path / "3.jpg"),
    )
    broken = {"size": [1, 10], "counts": "!"}
    one = score(dataset, {"101": DOG, "102": broken, "103": None}, name="one")
    two = score(dataset, {"101": CUP, "201": CUP, "301": CUP}, name="two & more")
    return make_workspace(one, two)


@pytest.fixture
def client(workspace) -> TestClient:
    return TestClient(create_app(workspace, page={"viewer.js": ("text/javascript", b"hello")}))


@pytest.fixture
def data(workspace) -> str:
    return f"/data/{workspace.version}"


def test_start_names_everything_that_the_page_needs(client, workspace):
    start = client.get("/data/start").json()
    assert start["version"] == workspace.version
    assert start["dataset"]["examples"] == 5
    assert [run["name"] for run in start["runs"]] == ["one", "two & more"]
    assert start["runs"][0]["coverage"]["invalid"] == 1
    assert list(start["runs"][0]["metrics"]) == [metric.key for metric in METRICS]
    assert [mode["key"] for mode in start["failures"]] == [mode.key for mode in FAILURE_MODES]
    assert [sort["key"] for sort in start["sorts"]] == [
        sort.key for sort in SORTS if not sort.needs_second
    ]
    assert [entry["key"] for entry in start["filters"]] == [
        entry.key for entry in FILTERS if not entry.needs_second
    ]
    assert start["problems"] == len(workspace.problems) == 2


def test_problems_are_those_of_the_summary(client, workspace):
    assert client.get("/data/problems").json() == [p.to_json() for p in workspace.problems]


class TestExamples:
    def test_a_sentence_with_markup_comes_back_as_text(self, client, data):
        answer = client.get(f"{data}/examples/0")
        assert answer.headers["content-type"] == "application/json"
        assert answer.json()[0]["sentence"] == MARKUP

    def test_one_example(self, client, data):
        item, = client.get(f"{data}/examples/0").json()
        assert (item["id"], item["category"], item["size"]) == ("101", "cup", [1, 10])
        assert (item["imageId"], item["hasPicture"]) == ("1", True)
        assert (item["annId"], item["refId"], item["split"]) == ("a", "21", "val")
        assert Mask((1, 10), item["target"].encode()) == CUP
        assert [(o["category"], o["mask"].encode()) for o in item["others"]] == [
            ("dog", DOG.counts)
        ]
        one, two = item["runs"]
        assert (one["status"], one["iou"], one["failure"]) == ("scored", 0.0, "wrong_object")
        assert (one["other"], one["otherIou"]) == (item["others"][0]["row"], 1.0)
        assert (two["iou"], two["intersection"], two["union"], two["other"]) == (1.0, 4, 4, None)

    def test_what_is_not_there_is_null(self, client, data):
        invalid, no_target = client.get(f"{data}/examples/1,2").json()
        assert invalid["runs"][0]["mask"] is None
        assert invalid["runs"][0]["status"] == "invalid"
        assert invalid["runs"][0]["reason"].startswith("The run lengths hold a character")
        assert no_target["target"] is None
        assert no_target["runs"][0]["saysNoTarget"] is True
        assert no_target["runs"][1]["status"] == "missing"

    def test_without_truth(self, client, data):
        item, = client.get(f"{data}/examples/4").json()
        assert item["hasTruth"] is False
        assert [run["status"] for run in item["runs"]] == ["no_truth", "no_truth"]
        assert [run["iou"] for run in item["runs"]] == [None, None]

    def test_several_come_in_the_order_asked_for(self, client, data):
        items = client.get(f"{data}/examples/3,0,3").json()
        assert [item["id"] for item in items] == ["201", "101", "201"]

    @pytest.mark.parametrize("indexes", [
        "5", "-1", "0,5", "a", "1.0", "1e0", "0x1", " 1", "+1", "", ",", "0,", "²", "٣", "1;2",
        "..", "../start", "%2e%2e%2fstart", "..%2f..%2fetc%2fpasswd", "9" * 5000,
        ",".join(["0"] * 65), "101", "null", "1' OR '1'='1",
    ])
    def test_anything_but_indexes_is_not_there(self, client, data, indexes):
        assert client.get(f"{data}/examples/{indexes}").status_code == 404

    def test_as_many_as_a_page_asks_for(self, client, data):
        assert len(client.get(f"{data}/examples/{','.join(['0'] * 64)}").json()) == 64


class TestPictures:
    def test_the_bytes_of_the_file(self, client, data):
        answer = client.get(f"{data}/pictures/0")
        assert answer.content == picture_bytes("JPEG")
        assert answer.headers["content-type"] == "image/jpeg"
        assert "immutable" in answer.headers["cache-control"]

    @pytest.mark.parametrize("kind", ["PNG", "GIF", "BMP", "WEBP"])
    def test_kinds_are_told_by_the_bytes(self, client, data, workspace, kind):
        path = workspace.dataset.images[0].location
        path.write_bytes(picture_bytes(kind))
        answer = client.get(f"{data}/pictures/0")
        assert answer.headers["content-type"] == f"image/{kind.lower()}"

    def test_one_that_disappears(self, client, data, workspace):
        workspace.dataset.images[0].location.unlink()
        answer = client.get(f"{data}/pictures/0")
        assert (answer.status_code, answer.json()) == (404, {"detail": "The picture file is gone."})

    def test_a_file_that_may_not_be_read_is_told_from_one_that_is_gone(
        self, client, data, monkeypatch
    ):
        def denied(self, location):
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(PictureStore, "read", denied)
        answer = client.get(f"{data}/pictures/0")
        assert (answer.status_code, answer.json()) == (
            404, {"detail": "The picture file cannot be read (Permission denied)."}
        )

    @pytest.mark.parametrize("row", [1, 2], ids=["no file", "no picture"])
    def test_where_there_is_nothing_to_draw(self, client, data, row):
        answer = client.get(f"{data}/pictures/{row}")
        assert answer.status_code == 404
        assert answer.json() == {"detail": "There is no picture that a browser can draw."}

    @pytest.mark.parametrize("row", [
        "3", "-1", "a", "1.0", " 0", "+0", "1.jpg", "..", "../start", "%2e%2e%2fstart", "9" * 5000,
        "..%2f..%2fetc%2fpasswd", "/etc/passwd", "%00", "0,1",
    ])
    def test_anything_but_an_index_is_not_there(self, client, data, row):
        assert client.get(f"{data}/pictures/{row}").status_code == 404


class TestOrder:
    @pytest.mark.parametrize("sort", [sort.key for sort in SORTS])
    @pytest.mark.parametrize("filters", [
        {}, {"category": "cup"}, {"sentence": "“café” 🐈"}, {"sentence": "50% & 'x' \\ ; --"},
    ], ids=["all", "category", "sentence", "nothing"])
    def test_the_bytes_of_the_browser(self, client, data, workspace, sort, filters):
        query = {"run": "two & more", "sort": sort, **filters}
        answer = client.get(f"{data}/order", params=query)
        expected = Browser(workspace).order(Selection("two & more", sort, filters))
        assert answer.content == expected.astype("<i4").tobytes()
        assert answer.headers["content-type"] == "application/octet-stream"

    def test_the_default_is_worst_first(self, client, data):
        order = np.frombuffer(client.get(f"{data}/order").content, "<i4")
        assert order.tolist() == [0, 2, 3, 1, 4]  # scored, missing, invalid, without truth

    @pytest.mark.parametrize("route", ["order", "describe"])
    @pytest.mark.parametrize(("query", "said"), [
        ({"run": "three"}, "No run 'three'. Choose one of: one, two & more."),
        ({"sort": "random"}, "No order 'random'. Choose one of: worst, best, id, area, "),
    ], ids=["run", "sort"])
    def test_what_does_not_exist_is_said(self, client, data, route, query, said):
        answer = client.get(f"{data}/{route}", params=query)
        assert answer.status_code == 400
        assert answer.json()["error"].startswith(said)
        assert answer.headers["cache-control"] == "no-store"

    def test_filters_in_words(self, client, data):
        query = {"category": "cup", "sentence": "<b>"}
        answer = client.get(f"{data}/describe", params=query)
        assert answer.json() == {
            "sentence": "category is cup AND sentence contains “<b>”",
            "phrases": [["category", "category is cup"], ["sentence", "sentence contains “<b>”"]],
            "suggestion": "",
        }


def test_the_ids_in_the_order_of_the_data_set(client, data):
    assert client.get(f"{data}/ids").json() == ["101", "102", "103", "201", "301"]


@pytest.mark.parametrize("route", [
    "order", "describe", "ids", "examples/0", "pictures/0", "examples/999",
])
def test_another_version_is_gone(client, route):
    answer = client.get(f"/data/0123456789ab/{route}")
    assert answer.status_code == 410
    assert answer.json()["detail"].startswith("These numbers are not kept any more: the files")


def test_the_page_is_told_how_much_its_forms_may_ask_for(client):
    limits = client.get("/data/start").json()["limits"]
    assert limits == {"reportExamples": 500, "reportTitle": 200, "sheet": 60}


def test_what_counts_neither_way_goes_with_the_masks_of_a_tile():
    dataset = dataset_of("##....", "..##..")
    workspace = make_workspace(score(dataset, {"1": draw("####..")}))
    client, data = TestClient(create_app(workspace, page={})), f"/data/{workspace.version}"
    tile = client.get(f"{data}/rows/0?run=model&masks=1").json()[0]
    assert tile["ignored"] == client.get(f"{data}/examples/0").json()[0]["ignored"]
    assert Mask.from_coco({"size": tile["size"], "counts": tile["ignored"]}) == draw("..##..")
    assert "ignored" not in client.get(f"{data}/rows/0?run=model").json()[0]


def test_files_of_the_page_are_served_by_their_names_only(client):
    answer = client.get("/page/1/viewer.js")
    assert (answer.content, answer.headers["content-type"]) == (
        b"hello", "text/javascript; charset=utf-8"
    )
    for name in ("other.js", "..%2fviewer.js", "%2fetc%2fpasswd", "viewer.js%00"):
        assert client.get(f"/page/1/{name}").status_code == 404


def test_nothing_is_said_about_the_server(client):
    for path in ("/docs", "/redoc", "/openapi.json"):
        assert client.get(path).status_code == 404


def test_without_runs(workspace):
    client = TestClient(create_app(Workspace(workspace.dataset, (), Protocol()), page={}))
    start = client.get("/data/start").json()
    assert start["runs"] == []
    data = f"/data/{start['version']}"
    assert np.frombuffer(client.get(f"{data}/order").content, "<i4").tolist() == [0, 1, 2, 3, 4]
    assert client.get(f"{data}/examples/0").json()[0]["runs"] == []


def test_json_is_text_that_any_parser_reads(client, data):
    content = client.get(f"{data}/examples/0,1,2,3,4").content
    json.loads(content, parse_constant=lambda constant: pytest.fail(constant))
