"""Windows of the rows of all runs, as the page asks for them."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient

from inspector.browse import Browser, Selection
from inspector.server.app import create_app


@pytest.fixture(scope="module")
def client(demo_workspace):
    return TestClient(create_app(demo_workspace, page={}))


def ask(client: TestClient, query: str):
    version = client.get("/data/start").json()["version"]
    return client.get(f"/data/{version}/window?{query}")


def test_a_window_of_all_runs_says_how_many_there_are(client, demo_workspace):
    found = ask(client, "run=*&sort=best&offset=2&limit=3").json()
    assert found["total"] == 192
    assert len(found["rows"]) == 3
    for row in found["rows"]:
        assert row["run"] in ("words", "saliency", "box")
        place = demo_workspace.dataset.index_of[row["id"]]
        run = [scores.run.name for scores in demo_workspace.scores].index(row["run"])
        assert row["iou"] == demo_workspace.scored[run].shown_iou[place]
    assert ask(client, "run=*&offset=192&limit=3").json() == {"total": 192, "rows": []}


def test_a_window_of_one_run_is_a_piece_of_its_order(client, demo_workspace):
    found = ask(client, "run=box&offset=60&limit=50").json()
    order = Browser(demo_workspace).order(Selection("box"))[60:]
    ids = demo_workspace.dataset.expressions.ids
    assert [row["id"] for row in found["rows"]] == [ids[place] for place in order.tolist()]


@pytest.mark.parametrize("query", [
    "offset=-1", "offset=x", "offset=99999999999", "limit=65", "limit=-1", "limit=1e1",
])
def test_what_is_no_window_is_not_found(client, query):
    assert ask(client, f"run=*&{query}").status_code == 404


def test_what_is_of_one_run_is_refused_in_words(client):
    answer = ask(client, "run=*&flag=mirror")
    assert answer.status_code == 400
    assert answer.json() == {"error": "'Flag' is of one run. Choose a run, or clear it."}
    version = client.get("/data/start").json()["version"]
    assert client.get(f"/data/{version}/order?run=*").status_code == 400
