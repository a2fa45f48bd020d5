"""A report is asked for, waited for and taken away; nothing else can be asked."""

from __future__ import annotations

import time

import pytest
from fastapi.testclient import TestClient

from inspector.server.app import create_app
from tests.report.making import MARKUP, Page, toy_workspace


@pytest.fixture
def workspace(tmp_path):
    return toy_workspace(tmp_path)


@pytest.fixture
def client(workspace) -> TestClient:
    return TestClient(create_app(workspace, page={}))


@pytest.fixture
def address(workspace) -> str:
    return f"/data/{workspace.version}/report"


def finish(client: TestClient, address: str, token: str) -> dict:
    """Ask until the report is there; gives the last answer."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        answer = client.get(f"{address}/{token}")
        if "progress" not in answer.json():
            return answer.json() | {"status": answer.status_code}
        time.sleep(0.01)
    raise AssertionError("the report was not made in a minute")


def make(client: TestClient, address: str, **wanted) -> Page:
    token = client.post(address, json=wanted).json()["token"]
    assert finish(client, address, token)["status"] == 200
    return Page(client.get(f"{address}/{token}.html").content)


def test_a_report_is_made_and_taken(client, address):
    token = client.post(address, json={"title": MARKUP}).json()["token"]
    result = finish(client, address, token)["result"]
    answer = client.get(f"{address}/{token}.html")
    assert result["name"] == "report-toy-val.html"
    assert result["bytes"] == len(answer.content)
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["content-disposition"] == 'attachment; filename="report-toy-val.html"'
    assert answer.headers["cache-control"] == "no-store"
    assert MARKUP.partition("&")[0] in Page(answer.content).text


def test_examples_run_and_selection_are_those_of_the_page(client, address):
    page = make(client, address, examples=[3, 0, 3], run="two")
    labels = [found["aria-label"] for found in page.all("svg", class_="drawing")]
    assert ["cup" in label for label in labels] == [True, False]
    assert "Drawn are the predictions of two. 2 examples chosen on the page." in page.text
    page = make(client, address, worst=1, selection={"run": "two", "category": "cup", "x": "y"})
    assert "1 example of 2: worst first, by two where category is cup." in page.text


@pytest.mark.parametrize(("wanted", "expected"), [
    pytest.param({"path": "/etc/passwd"}, "A report has no 'path'", id="unknown field"),
    pytest.param({"title": 1}, "'title' must be text", id="title"),
    pytest.param({"title": "x" * 201}, "'title' must be text of at most 200", id="long title"),
    pytest.param({"worst": 501}, "'worst' must be", id="too many"),
    pytest.param({"worst": True}, "'worst' must be", id="true"),
    pytest.param({"examples": [5]}, "'examples' must be", id="no such place"),
    pytest.param({"examples": [-1]}, "'examples' must be", id="negative"),
    pytest.param({"examples": "1"}, "'examples' must be", id="text"),
    pytest.param({"selection": {"run": 1}}, "'selection' must be", id="selection"),
    pytest.param({"selection": {"run": "x" * 2001}}, "'selection' must be", id="long value"),
])
def test_what_cannot_be_asked_is_said(client, address, wanted, expected):
    answer = client.post(address, json=wanted)
    assert answer.status_code == 400
    assert expected in answer.json()["error"]


@pytest.mark.parametrize(("wanted", "expected"), [
    pytest.param({"run": "three"}, "No run 'three'", id="run"),
    pytest.param({"layer": "x"}, "No layer 'x'", id="layer"),
    pytest.param({"selection": {"iou": "x"}}, "is not a range", id="filter"),
    pytest.param({"selection": {"run": "*"}}, "Choose one run", id="all runs"),
])
def test_what_turns_out_wrong_is_said_when_looked_at(client, address, wanted, expected):
    token = client.post(address, json=wanted).json()["token"]
    result = finish(client, address, token)
    assert result["status"] == 400
    assert expected in result["error"]
    assert client.get(f"{address}/{token}.html").status_code == 404


def test_other_kinds_of_bodies_are_refused(client, address):
    assert client.post(address, data={"title": "x"}).status_code == 415
    assert client.post(address, content=b"{", headers={
        "content-type": "application/json"}).status_code == 400


def test_unknown_tokens_and_versions_are_not_there(client, address, workspace):
    assert client.get(f"{address}/{'0' * 32}").status_code == 404
    assert client.get(f"{address}/{'0' * 32}.html").status_code == 404
    assert client.post("/data/other/report", json={}).status_code == 410


def test_only_the_last_few_are_kept(client, address):
    tokens = []
    for _ in range(6):
        tokens.append(client.post(address, json={"worst": 0}).json()["token"])
        finish(client, address, tokens[-1])
    there = [client.get(f"{address}/{token}.html").status_code == 200 for token in tokens]
    assert there == [False, False, True, True, True, True]
