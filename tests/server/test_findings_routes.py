"""Findings, review queues and saved views over the routes."""

from __future__ import annotations

import io
import json
import re
import threading
from contextlib import closing
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from fastapi.testclient import TestClient

from inspector.findings import open_store
from inspector.server.addresses import MOST_IMPORT
from inspector.server.app import create_app
from inspector.server.reviews import VIEW_KEYS
from inspector.server.sessions import VIEWER, Viewer
from inspector.workspace import Workspace
from tests.building import (
    Picture,
    Said,
    Thing,
    make_dataset,
    make_run,
    make_workspace,
    score,
    score_run,
)
from tests.findings.making import FULL, HALF, LITTLE, OFF

SENTENCES = ["=1+1", "<img src=x onerror=alert(1)>", "the left cup", "a cup", "cup", "red cup"]
COUNT = len(SENTENCES)
TAB = "tab-1"


def make_data(masks, *, name="model"):
    dataset = make_dataset(*(
        Picture(f"{n}", (1, 10), (Thing(f"a{n}", "cup", FULL),),
                (Said(f"{n}", sentence, [f"a{n}"]),))
        for n, sentence in enumerate(SENTENCES, 1)
    ))
    return score(dataset, masks, name=name)


@pytest.fixture
def workspace() -> Workspace:
    """Six examples: correct, part, part, background, missing, missing; and a second run."""
    one = make_data({"1": FULL, "2": LITTLE, "3": LITTLE, "4": OFF})
    lines = [{"example_id": "2", "mask": FULL.to_json()}]
    return make_workspace(one, score_run(one.dataset, make_run(one.dataset, lines, name="two & 2")))


@pytest.fixture
def path(tmp_path) -> Path:
    return tmp_path / "inspector.findings.sqlite"


@pytest.fixture
def store(path):
    with closing(open_store(path)) as store:
        yield store


@pytest.fixture
def client(workspace, store) -> TestClient:
    app = create_app(workspace, page={}, findings=store)
    return TestClient(app, client=("127.0.0.1", 50_000))


@pytest.fixture
def data(workspace) -> str:
    return f"/data/{workspace.version}"


@pytest.fixture
def say(client, data):
    """Change one thing of an example and give the answer."""

    def say(place, field, value, *, tab=TAB, who="Ann", run="model", **more):
        return client.post(f"{data}/findings", json={
            "place": place, "field": field, "value": value, "who": who, "client": tab, "run": run,
            **more,
        })

    return say


class TestChanging:
    def test_at_first_there_is_nothing(self, client, data, path):
        answer = client.get(f"{data}/findings")
        assert answer.headers["cache-control"] == "no-store"
        found = answer.json()
        assert found.pop("user")
        assert found == {
            "revision": 0, "place": str(path), "canWrite": True, "why": "", "examples": {},
        }

    def test_a_verdict(self, client, data, say):
        answer = say(1, "verdict", "label_wrong").json()
        finding = answer["finding"]
        when = finding["when"]
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", when)
        assert answer["revision"] == 1
        assert finding == {
            "verdicts": {"model": {
                "verdict": "label_wrong", "who": "Ann", "when": when, "stale": False,
            }},
            "tags": [], "note": "", "noteRevision": 0, "who": "Ann", "when": when,
        }
        assert client.get(f"{data}/findings").json()["examples"] == {"1": finding}

    def test_the_same_again_changes_nothing_and_nothing_clears(self, say):
        say(1, "verdict", "label_wrong")
        assert say(1, "verdict", "label_wrong").json()["revision"] == 1
        assert say(1, "verdict", "").json() == {"revision": 2, "finding": None}

    def test_what_a_verdict_was_given_on_is_kept(self, client, data, say):
        say(1, "verdict", "model_wrong")
        line = json.loads(client.get(f"{data}/findings.jsonl").text)
        assert (line["example_id"], line["about"]) == ("2", "model")
        assert (line["iou"], line["failure"]) == (0.25, "part")
        assert re.fullmatch("m[0-9a-f]{15}", line["digest"])

    def test_tags_and_notes(self, say):
        say(2, "tag", "dark")
        say(2, "tag", "blurred")
        say(2, "untag", "dark")
        finding = say(2, "note", "see <b>there</b>\nand there").json()["finding"]
        assert finding["tags"] == ["blurred"]
        assert (finding["note"], finding["noteRevision"]) == ("see <b>there</b>\nand there", 4)

    def test_only_what_has_changed_since(self, client, data, say):
        say(1, "tag", "dark")
        revision = say(2, "tag", "dark").json()["revision"]
        say(2, "untag", "dark")
        say(3, "note", "here")
        found = client.get(f"{data}/findings", params={"since": revision}).json()
        assert found["revision"] == 4
        assert found["examples"]["2"] is None  # nothing is left of it
        assert found["examples"]["3"]["note"] == "here"
        assert set(found["examples"]) == {"2", "3"}

    @pytest.mark.parametrize("since", ["-1", "x", "1.0", "9" * 16, "²"])
    def test_since_is_a_revision(self, client, data, since):
        assert client.get(f"{data}/findings", params={"since": since}).status_code == 404

    def test_anothers_note_is_not_overwritten(self, say):
        seen = say(2, "note", "first").json()["finding"]["noteRevision"]
        say(2, "note", "by Bob", who="Bob", tab="tab-2", seen=seen)
        answer = say(2, "note", "by Ann", seen=seen)
        assert answer.status_code == 409
        body = answer.json()
        assert body.pop("when")
        assert body == {
            "error": "Bob has changed this note in the meantime. Keep yours, theirs, or both.",
            "yours": "by Ann", "theirs": "by Bob", "noteRevision": 2, "who": "Bob",
        }
        both = say(2, "note", "by Bob\nby Ann", seen=2).json()["finding"]
        assert both["note"] == "by Bob\nby Ann"

    def test_a_verdict_on_a_prediction_that_has_changed(self, store, say, data, workspace):
        say(1, "verdict", "model_wrong")
        anew = make_workspace(make_data({"1": FULL, "2": OFF}))
        client = TestClient(create_app(anew, page={}, findings=store))
        found = client.get(f"/data/{anew.version}/findings").json()["examples"]["1"]
        assert found["verdicts"]["model"]["stale"] is True
        say_now = {"place": 1, "field": "verdict", "value": "model_wrong", "run": "model",
                   "client": TAB, "who": "Ann"}
        given = client.post(f"/data/{anew.version}/findings", json=say_now).json()
        assert given["finding"]["verdicts"]["model"]["stale"] is False

    def test_one_who_says_no_name(self, say):
        finding = say(1, "tag", "dark", who="").json()["finding"]
        assert finding["who"] != ""  # on this machine: who is logged in here

    def test_one_from_elsewhere_is_not_taken_for_whoever_started_the_server(
        self, workspace, store, data
    ):
        app = create_app(workspace, page={}, findings=store)
        body = {"place": 1, "field": "tag", "value": "dark", "client": TAB}
        for host, scope_name in (("192.0.2.7", ""), ("192.0.2.7", "Bob")):
            async def named(scope, receive, send, name=scope_name):
                viewer = Viewer(name, is_logged_in=bool(name))
                await app({**scope, VIEWER: viewer}, receive, send)

            client = TestClient(named, client=(host, 50_000))
            assert client.get(f"{data}/findings").json()["user"] == scope_name
            client.post(f"{data}/findings", json={**body, "value": f"by {scope_name}"})
        line = client.get(f"{data}/findings.jsonl").text.splitlines()[-1]
        assert json.loads(line)["who"] == "Bob"


BAD_BODIES = [
    ({"place": COUNT}, 400, "'place' must be a whole number from 0 to 5."),
    ({"place": -1}, 400, "'place' must be a whole number from 0 to 5."),
    ({"place": "1"}, 400, "'place' must be a whole number."),
    ({"place": True}, 400, "'place' must be a whole number."),
    ({"place": 1.0}, 400, "'place' must be a whole number."),
    ({"place": 10**30}, 400, "'place' must be a whole number."),
    ({"field": "flag"}, 400, "No field 'flag'. Choose one of: verdict, tag, untag, note."),
    ({"field": "verdict", "value": "wrong", "run": "model"}, 400, "No verdict 'wrong'."),
    ({"field": "verdict", "value": "ambiguous", "run": "gone"}, 400,
     "No run 'gone'. Choose one of: model, two & 2."),
    ({"field": "verdict", "value": "ambiguous", "run": ""}, 400, "No run ''."),
    ({"value": ""}, 400, "A tag has 1 to 60 characters and no comma."),
    ({"value": "a,b"}, 400, "A tag has 1 to 60 characters and no comma."),
    ({"value": None}, 400, "'value' must be text."),
    ({"value": "\ud800"}, 400, "'value' must be text."),
    ({"field": "note", "value": "x" * 10_001}, 400, "A note has at most 10,000 characters"),
    ({"who": "x" * 81}, 400, "A name has at most 80 characters"),
    ({"client": ""}, 400, "'client' must name the tab"),
    ({"client": "x" * 81}, 400, "'client' has at most 80 characters"),
    ({"seen": "1"}, 400, "'seen' must be a whole number."),
    ({"path": "/etc/passwd"}, 400, "No field 'path'. Choose one of: place, field, value, "),
    ({"field": "note", "value": "x" * 70_000}, 413, "At most 65,536 bytes may be sent"),
]


class TestBadBodies:
    @pytest.mark.parametrize(("change", "status", "said"), BAD_BODIES)
    def test_fields(self, client, data, store, change, status, said):
        body = {"place": 1, "field": "tag", "value": "x", "client": TAB, "who": "Ann", **change}
        answer = client.post(
            f"{data}/findings", content=json.dumps(body),
            headers={"content-type": "application/json"},
        )
        assert answer.status_code == status
        assert said in answer.json()["error"]
        assert store.revision() == 0

    @pytest.mark.parametrize(("content", "said"), [
        (b"{", "What was sent is no JSON."), (b"[]", "What was sent is no JSON object."),
        (b"[" * 60_000, "What was sent is no JSON."), (b"\xff", "What was sent is no JSON."),
        (b"", "What was sent is no JSON."), (b'{"place": NaN}', "'place' must be"),
    ])
    @pytest.mark.parametrize("route", [
        "findings", "findings/undo", "findings/redo", "queues", "views",
    ])
    def test_json(self, client, data, route, content, said):
        answer = client.post(
            f"{data}/{route}", content=content, headers={"content-type": "application/json"}
        )
        assert answer.status_code == 400
        if content != b'{"place": NaN}':
            assert answer.json()["error"] == said

    @pytest.mark.parametrize("kind", [
        "text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "",
    ])
    @pytest.mark.parametrize("route", [
        "findings", "findings/undo", "findings/redo", "findings/import", "queues", "views",
    ])
    def test_what_a_form_of_another_site_could_send(self, client, data, store, route, kind):
        answer = client.post(
            f"{data}/{route}", content=b'{"place":1}', headers={"content-type": kind}
        )
        assert answer.status_code == 415
        assert store.revision() == 0

    @pytest.mark.parametrize("route", [
        "findings", "findings/summary", "findings/panel", "findings.csv", "findings.jsonl",
        "queues", "queues/1", "views",
    ])
    def test_another_version_is_gone(self, client, route):
        assert client.get(f"/data/0123456789ab/{route}").status_code == 410


class TestUndo:
    def test_back_and_forth(self, client, data, say):
        say(1, "verdict", "label_wrong")
        say(2, "tag", "dark")
        answer = client.post(f"{data}/findings/undo", json={"client": TAB}).json()
        assert answer == {
            "revision": 3, "place": 2, "finding": None, "said": "Undone: tag “dark”.",
            "blocked": None,
        }
        answer = client.post(f"{data}/findings/redo", json={"client": TAB}).json()
        assert (answer["place"], answer["finding"]["tags"]) == (2, ["dark"])

    def test_nothing(self, client, data, say):
        say(1, "tag", "dark", tab="tab-2")
        answer = client.post(f"{data}/findings/undo", json={"client": TAB})
        assert answer.status_code == 200
        assert answer.json() == {
            "revision": 1, "place": None, "said": "There is nothing to undo.", "blocked": None
        }

    def test_somebody_else_was_there_since(self, client, data, say):
        say(1, "verdict", "label_wrong")
        say(1, "verdict", "ambiguous", tab="tab-2", who="Bob")
        answer = client.post(f"{data}/findings/undo", json={"client": TAB}).json()
        assert (answer["place"], answer["blocked"], answer["said"]) == (
            None, 1, "Bob has changed this verdict since; nothing was undone."
        )


class TestClosed:
    WRITES = [
        ("POST", "findings", {"place": 1, "field": "tag", "value": "x", "client": TAB}),
        ("POST", "findings/undo", {"client": TAB}), ("POST", "findings/redo", {"client": TAB}),
        ("POST", "queues", {"run": "model"}), ("POST", "views", {"name": "a", "query": {}}),
        ("POST", "views", {"name": "a", "to": "b"}), ("DELETE", "views", {"name": "a"}),
    ]

    @pytest.mark.parametrize("kind", ["read-only", "no file", "damaged"])
    @pytest.mark.parametrize(("method", "route", "body"), WRITES)
    def test_nothing_is_written(self, workspace, data, path, kind, method, route, body):
        if kind == "damaged":
            path.write_bytes(b"no database")
        store = None if kind == "no file" else open_store(path, read_only=kind == "read-only")
        client = TestClient(create_app(workspace, page={}, findings=store))
        answer = client.request(method, f"{data}/{route}", json=body)
        assert answer.status_code == 403
        assert answer.json()["error"].startswith("Findings cannot be kept: ")
        found = client.get(f"{data}/findings").json()
        assert (found["canWrite"], found["why"]) == (False, {
            "read-only": "The page was opened with --read-only.",
            "no file": "The page was opened without a file for them.",
            "damaged": "It is no findings file. Choose another file.",
        }[kind])
        assert path.exists() == (kind == "damaged")

    def test_nothing_is_taken_in(self, workspace, data, path):
        store = open_store(path, read_only=True)
        client = TestClient(create_app(workspace, page={}, findings=store))
        answer = client.post(f"{data}/findings/import", content=b"",
                             headers={"content-type": "application/x-ndjson"})
        assert answer.status_code == 403

    def test_a_disk_that_is_full_is_said(self, client, data, store, say):
        with store.reading() as db:
            pages = db.execute("PRAGMA page_count").fetchone()[0]
            db.execute(f"PRAGMA max_page_count = {pages}")
        answer = say(1, "note", "x" * 10_000)
        assert answer.status_code == 503
        assert "The disk is full." in answer.json()["error"]


class TestFiles:
    def test_csv_opens_in_pandas_and_holds_no_formula(self, client, data, say):
        say(0, "verdict", "ambiguous")
        say(0, "note", "=cmd|' /C calc'!A0")
        answer = client.get(f"{data}/findings.csv")
        assert answer.headers["content-disposition"] == 'attachment; filename="findings-toy.csv"'
        table = pd.read_csv(io.StringIO(answer.text), keep_default_na=False)
        assert table["sentence"].tolist() == ["'=1+1"] * 2
        assert table["value"].tolist() == ["ambiguous", "'=cmd|' /C calc'!A0"]
        assert table["iou"].tolist() == ["1.0", ""]

    @pytest.mark.parametrize(("name", "kind"), [
        ("findings.jsonl", "application/x-ndjson"), ("findings.csv", "text/csv"),
    ])
    def test_out_of_one_and_into_another(self, client, data, say, workspace, tmp_path, name, kind):
        say(1, "verdict", "label_wrong")
        say(1, "tag", "dark")
        say(2, "note", "zwei\nZeilen")
        content = client.get(f"{data}/{name}").content
        other = TestClient(create_app(
            workspace, page={}, findings=open_store(tmp_path / "other.sqlite")
        ))
        for counts in ({"added": 3, "same": 0}, {"added": 0, "same": 3}):
            answer = other.post(
                f"{data}/findings/import", content=content, headers={"content-type": kind}
            )
            assert answer.json() == {
                "revision": 3, "lines": 3, "updated": 0, "removed": 0, "older": 0, "elsewhere": 0,
                "unknown": 0,
                **counts,
            }
        here, there = (c.get(f"{data}/findings").json()["examples"] for c in (client, other))
        assert here == there

    def test_examples_that_are_not_open_are_counted(self, client, data):
        lines = b'{"example_id":"of another split","field":"tag","value":"x"}\n'
        answer = client.post(f"{data}/findings/import", content=lines,
                             headers={"content-type": "application/x-ndjson"}).json()
        assert (answer["added"], answer["unknown"]) == (1, 1)
        assert client.get(f"{data}/findings").json()["examples"] == {}

    @pytest.mark.parametrize(("content", "said"), [
        (b'{"example_id":"1","field":"tag","value":"x"}\nno json\n',
         "line 2: is not complete JSON at character 0"),
        (b'{}\n{"a":"\xff"}\n', "line 2: is no UTF-8 text."),
    ], ids=["line", "bytes"])
    def test_a_bad_file(self, client, data, store, content, said):
        answer = client.post(f"{data}/findings/import", content=content,
                             headers={"content-type": "application/x-ndjson"})
        assert answer.status_code == 400
        assert answer.json()["error"].startswith(said)
        assert store.revision() == 0

    def test_a_file_that_is_too_large(self, client, data):
        answer = client.post(f"{data}/findings/import", content=b" " * (MOST_IMPORT + 1),
                             headers={"content-type": "application/x-ndjson"})
        assert (answer.status_code, answer.json()["error"]) == (
            413, "At most 16,777,216 bytes may be sent to this address."
        )


def test_summary(client, data, say, store):
    say(1, "verdict", "label_wrong")
    say(2, "verdict", "label_wrong")
    say(1, "verdict", "model_wrong", run="two & 2")
    say(1, "tag", "dark")
    say(4, "tag", "dark")
    say(4, "tag", "blurred")
    say(5, "note", "x")
    found = client.get(f"{data}/findings/summary").json()
    verdicts = {"model_wrong": 0, "label_wrong": 2, "ambiguous": 0}
    assert (found["run"], found["revision"], found["examples"], found["notes"]) == (
        "model", 7, 4, 1
    )
    assert found["verdicts"] == verdicts
    assert found["byRun"] == {
        "model": verdicts, "two & 2": {"model_wrong": 1, "label_wrong": 0, "ambiguous": 0}
    }
    assert found["tags"] == [["dark", 2], ["blurred", 1]]
    counts = {entry["key"]: entry["count"] for entry in found["comparison"]["outcomes"]}
    assert counts == {"unchanged": 2, "fixed": 0, "still_wrong": 0, "broken": 1, "changed": 0}
    second = client.get(f"{data}/findings/summary", params={"run": "two & 2"}).json()
    outcomes = {entry["key"]: entry for entry in second["comparison"]["outcomes"]}
    assert outcomes["fixed"]["places"] == {"label_wrong": [1]}  # place 1 is right in the other run
    assert outcomes["still_wrong"]["places"] == {"label_wrong": [2]}
    assert client.get(f"{data}/findings/summary", params={"run": "gone"}).status_code == 400


def test_filters_and_sorts_see_what_was_just_written(client, data, say):
    def order(**query):
        content = client.get(f"{data}/order", params={"sort": "id", **query}).content
        return np.frombuffer(content, "<i4").tolist()

    assert order(tag="dark") == []
    say(3, "tag", "dark")
    say(1, "verdict", "label_wrong")
    say(2, "note", "x")
    assert order(tag="dark") == [3]
    assert order(run="model", verdict="label_wrong") == [1]
    assert order(run="two & 2", verdict="label_wrong") == []
    assert order(noted="any") == [1, 2, 3]
    assert order(noted="note") == [2]
    say(3, "untag", "dark")
    assert order(tag="dark") == []


class TestQueues:
    def test_from_the_first_to_the_last_verdict(self, client, data, say):
        queue = client.post(f"{data}/queues", json={
            "run": "model", "size": 50, "how": "equal", "seed": 1, "who": "Ann",
        }).json()
        assert (queue["id"], queue["size"], queue["done"], queue["result"]) == (1, 5, 0, None)
        assert sorted(queue["places"]) == [1, 2, 3, 4, 5]
        assert {s["mode"]: (s["failures"], s["drawn"]) for s in queue["strata"]} == {
            "missing": (2, 2), "part": (2, 2), "background": (1, 1)
        }
        for place in queue["places"]:
            say(place, "verdict", "label_wrong" if place in (1, 2) else "model_wrong")
        queue = client.get(f"{data}/queues/1").json()
        assert (queue["done"], queue["runChanged"], queue["elsewhere"]) == (5, False, 0)
        result = queue["result"]
        assert result["shares"]["label_wrong"] == {"value": 0.4, "low": 0.4, "high": 0.4}
        assert result["score"]["published"] == pytest.approx(1 / 6)
        assert result["score"]["labelsRight"]["value"] == pytest.approx(3 / 6)
        assert result["score"]["leftOut"]["low"] == pytest.approx(1 / 4)
        listed = client.get(f"{data}/queues").json()["queues"]
        assert [(q["id"], q["run"], q["done"], q["size"], q["who"]) for q in listed] == [
            (1, "model", 5, 5, "Ann")
        ]

    def test_a_run_that_was_read_anew(self, client, data, store, say):
        client.post(f"{data}/queues", json={"run": "model", "seed": 1})
        say(1, "verdict", "label_wrong")
        anew = make_workspace(make_data({"1": FULL, "2": OFF}))
        other = TestClient(create_app(anew, page={}, findings=store))
        body = {"place": 2, "field": "verdict", "value": "ambiguous", "run": "model",
                "client": TAB}
        other.post(f"/data/{anew.version}/findings", json=body)
        queue = other.get(f"/data/{anew.version}/queues/1").json()
        assert (queue["runChanged"], queue["done"]) == (True, 1)  # only what was drawn counts
        assert queue["outdated"] == 1

    def test_a_run_of_which_all_has_changed_is_told_before_it_is_judged_again(
        self, client, data, store
    ):
        """Every verdict on it would be lost for the queue: the list says so, and the panel."""
        client.post(f"{data}/queues", json={"run": "model", "seed": 1})
        anew = make_workspace(make_data(dict.fromkeys(("2", "3", "4", "5", "6"), HALF)))
        other = TestClient(create_app(anew, page={}, findings=store))
        for place in (1, 2, 3, 4, 5):
            other.post(f"/data/{anew.version}/findings", json={
                "place": place, "field": "verdict", "value": "model_wrong", "run": "model",
                "client": TAB,
            })
        (listed,) = other.get(f"/data/{anew.version}/queues").json()["queues"]
        assert (listed["runChanged"], listed["done"], listed["outdated"]) == (True, 0, 5)
        told = other.get(f"/data/{anew.version}/findings/panel").json()["result"][0]["text"]
        assert told == (
            "Nothing was judged yet. 5 judged on other predictions than the drawn ones do not "
            "count here: draw a new sample to review the run as it is now."
        )

    @pytest.mark.parametrize(("body", "said"), [
        ({"run": "gone"}, "No run 'gone'."), ({"run": "model", "how": "best"}, "No way to draw"),
        ({"run": "model", "size": 0}, "A review queue has 1 to 1,000 places"),
        ({"run": "model", "size": "5"}, "'size' must be a whole number."), ({}, "'run' must be"),
        ({"run": "model", "seed": -1}, "A seed is a whole number"),
    ])
    def test_what_cannot_be_drawn(self, client, data, body, said):
        answer = client.post(f"{data}/queues", json=body)
        assert answer.status_code == 400
        assert answer.json()["error"].startswith(said)

    @pytest.mark.parametrize("number", ["2", "0", "-1", "x", "1.0", "9" * 30, "..%2fviews"])
    def test_what_is_not_there(self, client, data, number):
        client.post(f"{data}/queues", json={"run": "model"})
        assert client.get(f"{data}/queues/{number}").status_code == 404


class TestPanel:
    def test_blocks_of_what_was_found(self, client, data, say):
        client.post(f"{data}/queues", json={"run": "model", "seed": 1})
        say(1, "verdict", "label_wrong")
        say(2, "verdict", "model_wrong")
        say(1, "tag", "dark")
        blocks = client.get(f"{data}/findings/panel", params={"run": "model"}).json()["result"]
        titles = [block["title"] for block in blocks]
        assert titles[0].startswith("Review of 5 failures of model, begun 2")
        assert titles[1:] == [
            "By failure mode", "Verdicts on model", "What became of every verdict in model", "Tags"
        ]
        review, modes, verdicts, _, tags = blocks
        assert [row["label"] for row in review["rows"]] == [
            "of the failures: model wrong", "of the failures: label wrong",
            "of the failures: ambiguous", "Share correct at IoU 0.5",
            "Share correct at IoU 0.5, wrong labels counted as correct",
            "Share correct at IoU 0.5, wrong labels and ambiguous sentences left out",
        ]
        assert "2 of 5 judged, out of 5 failures among 6 examples." in review["note"]
        assert "Modes with 60 % of the failures were not looked into yet" in review["note"]
        assert {row["mode"]: row["reviewed"] for row in modes["rows"]} == {
            "missing": 0, "part": 2, "background": 0
        }
        assert verdicts["rows"][1]["select"] == {"run": "model", "verdict": "label_wrong"}
        assert tags["rows"] == [{"tag": "dark", "count": 1, "select": {"tag": "dark"}}]

    def test_of_nothing(self, client, data):
        blocks = client.get(f"{data}/findings/panel").json()["result"]
        assert [block["title"] for block in blocks] == [
            "Verdicts on model", "What became of every verdict in model", "Tags"
        ]
        assert blocks[-1]["note"] == "No tags yet."


class TestViews:
    def test_kept_renamed_deleted(self, client, data):
        query = {"run": "model", "sort": "best", "sentence": "a & b", "next": "http://evil.example"}
        body = {"name": "hard ones", "query": query, "who": "Ann"}
        view, = client.post(f"{data}/views", json=body).json()["views"]
        assert (view["name"], view["who"]) == ("hard ones", "Ann")
        assert view["query"] == {"run": "model", "sort": "best", "sentence": "a & b"}
        answer = client.post(f"{data}/views", json=body)
        assert answer.status_code == 409
        assert answer.json()["error"].startswith("There is a view “hard ones” already.")
        body |= {"query": {"sort": "id"}, "replace": True}
        assert client.post(f"{data}/views", json=body).json()["views"][0]["query"] == {"sort": "id"}
        renamed = client.post(f"{data}/views", json={"name": "hard ones", "to": "easy ones"})
        assert [view["name"] for view in renamed.json()["views"]] == ["easy ones"]
        deleted = client.request("DELETE", f"{data}/views", json={"name": "easy ones"})
        assert deleted.json() == client.get(f"{data}/views").json() == {"views": []}

    @pytest.mark.parametrize(("body", "said"), [
        ({"name": "", "query": {}}, "The name of a view has 1 to 80 characters."),
        ({"name": "a"}, "A view must have 'query', to be kept, or 'to', to be renamed."),
        ({"name": "a", "query": {"run": 1}}, "'query' must be an object of texts."),
        ({"name": "a", "query": "run=1"}, "'query' must be an object of texts."),
        ({"name": "a", "query": {}, "to": "b"}, "A view must have 'query'"),
        ({"name": "gone", "to": "b"}, "There is no view “gone”."),
    ])
    def test_what_cannot_be_kept(self, client, data, body, said):
        answer = client.post(f"{data}/views", json=body)
        assert answer.status_code == 400
        assert answer.json()["error"].startswith(said)

    def test_the_keys_are_those_of_the_page(self):
        script = (Path(__file__).parents[2] / "inspector/ui/viewer/address.js").read_text()
        lists = re.findall(r"const (?:KEYS|RULES) = \[(.*?)\]", script, re.DOTALL)
        assert len(lists) == 2
        assert {key for found in lists for key in re.findall(r"'(\w+)'", found)} <= VIEW_KEYS


def test_eight_sessions_keep_their_filters_and_share_the_findings(client, data):
    words = ["left", "cup", "red", "a cup", "=", "img", "the", "1"]
    expected = {
        word: [place for place, sentence in enumerate(SENTENCES) if word in sentence]
        for word in words
    }
    wrong: list[object] = []

    def work(number: int) -> None:
        word, tab = words[number], f"tab-{number}"
        try:
            for turn in range(5):
                body = {"place": number % COUNT, "field": "tag", "value": f"{number}-{turn}",
                        "who": f"person {number}", "client": tab}
                answer = client.post(f"{data}/findings", json=body).json()
                assert f"{number}-{turn}" in answer["finding"]["tags"]
                query = {"sentence": word, "sort": "id", "found": answer["revision"]}
                order = np.frombuffer(client.get(f"{data}/order", params=query).content, "<i4")
                assert order.tolist() == expected[word]
            undone = client.post(f"{data}/findings/undo", json={"client": tab}).json()
            assert undone["said"] == f"Undone: tag “{number}-4”."
        except BaseException as error:
            wrong.append((number, error))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    found = client.get(f"{data}/findings").json()["examples"]
    tags = sorted(tag for finding in found.values() for tag in finding["tags"])
    assert tags == sorted(f"{number}-{turn}" for number in range(8) for turn in range(4))


def test_without_runs(workspace, store):
    bare = Workspace(workspace.dataset, (), workspace.protocol)
    client = TestClient(create_app(bare, page={}, findings=store))
    data = f"/data/{bare.version}"
    body = {"place": 0, "field": "tag", "value": "dark", "client": TAB}
    assert client.post(f"{data}/findings", json=body).json()["finding"]["tags"] == ["dark"]
    assert client.post(f"{data}/findings", json={
        **body, "field": "verdict", "value": "ambiguous"
    }).json()["error"] == "No run ''. There is none."
    assert client.get(f"{data}/findings/summary").json()["comparison"] is None
    assert [b["title"] for b in client.get(f"{data}/findings/panel").json()["result"]] == ["Tags"]


def test_rows_carry_verdicts_and_tags_of_their_run(client, data, say):
    say(1, "verdict", "label_wrong")
    say(1, "tag", "dark")
    say(1, "tag", "twins")
    say(1, "verdict", "ambiguous", run="two & 2")
    rows = pd.read_csv(
        io.StringIO(client.get(f"{data}/export/rows.csv?run=model&runs=all&sort=id").text)
    )
    second = rows[rows["example_id"] == 2].set_index("run")
    assert second["verdict"].to_dict() == {"model": "label_wrong", "two & 2": "ambiguous"}
    assert set(second["tags"]) == {"dark,twins"}
    assert rows[rows["example_id"] == 1]["tags"].isna().all()
