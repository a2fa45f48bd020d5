"""The page from a program: opened, moved, asked and closed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import httpx
import numpy as np
import pytest

import inspector
from inspector.core.errors import InspectorError, UsageError
from inspector.formats import DEMO_FOLDER, load_dataset
from inspector.formats.request import LoadRequest
from inspector.handle import Handle
from inspector.opening import _listed
from inspector.predictions import load_run

WORDS = DEMO_FOLDER / "runs" / "words.jsonl"
BOX = DEMO_FOLDER / "runs" / "box.jsonl"


@pytest.fixture(scope="module")
def handle():
    with inspector.open() as opened:
        yield opened


def get(handle: Handle, path: str) -> dict:
    answer = httpx.get(f"{handle.url}data/{path}")
    assert answer.status_code == 200, answer.text
    return answer.json()


def show(handle: Handle, **query: str) -> None:
    """Do what a page does when it shows something else."""
    says(handle, query, get(handle, "pointer")["revision"])


def says(handle: Handle, query: dict[str, str], revision: int) -> None:
    """Tell the program what a page shows that has followed so many of its wishes."""
    body = {"query": query, "revision": revision}
    answer = httpx.post(f"{handle.url}data/pointer", json=body)
    assert answer.status_code == 200, answer.text


def test_the_page_is_there_and_follows(handle):
    start = get(handle, "start")
    assert (start["dataset"]["name"], start["follows"], start["live"]) == ("demo", True, None)
    assert [run["name"] for run in start["runs"]] == ["words", "saliency", "box"]
    page = httpx.get(handle.url)
    assert page.status_code == 200
    policy = page.headers["content-security-policy"]
    assert "frame-ancestors 'self' http://localhost:* http://127.0.0.1:*" in policy
    assert repr(handle) == f"<inspector at {handle.url}: demo, words, saliency, box>"


class TestSelect:
    def test_every_page_is_sent_there(self, handle):
        before = get(handle, "pointer?since=0")["revision"]
        assert handle.select("105", run="box", view="gallery", sort="best") is handle
        found = get(handle, f"pointer?since={before}")
        assert found == {
            "revision": before + 1,
            "query": {"view": "gallery", "run": "box", "sort": "best", "example": "105"},
        }
        assert get(handle, f"pointer?since={before + 1}") == {
            "revision": before + 1, "query": None,
        }
        handle.select()
        assert get(handle, f"pointer?since={before + 1}")["query"] == {}

    @pytest.mark.parametrize(("given", "query"), [
        ({"iou": (0, 0.5)}, {"iou": "0..0.5"}),
        ({"iou": (None, 0.5)}, {"iou": "..0.5"}),
        ({"iou": "0.2..0.3"}, {"iou": "0.2..0.3"}),
        ({"words": 3}, {"words": "3..3"}),
        ({"failure": ["part", "spill"]}, {"failure": "part,spill"}),
        ({"category": "cup", "reverse": True, "sort": "area"},
         {"category": "cup", "reverse": "1", "sort": "area"}),
        ({"category": None, "reverse": False}, {}),
        ({"sentence": "left cup", "match": "w"}, {"sentence": "left cup", "match": "w"}),
        ({"example": 105}, {"example": "105"}),
        ({"view": "inspect"}, {}),
        ({"view": "failures"}, {"view": "failures"}),
    ])
    def test_values(self, handle, given, query):
        handle.select(**given)
        assert get(handle, "pointer")["query"] == query

    @pytest.mark.parametrize(("given", "said"), [
        ({"example": "9"}, "No example '9' among the 64 of demo. Give an id such as '101'."),
        ({"run": "wrods"},
         "No run 'wrods'. Choose one of: words, saliency, box. Did you mean 'words'?"),
        ({"view": "galery"}, "No view 'galery'. Choose one of: inspect, gallery, table, scatter, "),
        ({"categorie": "cup"}, "No filter 'categorie'. Choose one of: failure, iou, category, "),
        ({"sort": "random"}, "No order 'random'. Choose one of: worst, best, "),
        ({"iou": (0, 0.5, 1)}, "'iou' must be a pair (low, high), but got (0, 0.5, 1)."),
        ({"iou": (0.5, 0)}, "The range '0.5..0' for 'iou' ends before it begins. Write 0..0.5."),
        ({"iou": "low"}, "'low' is not a range for 'iou'. Write low..high, such as 0..0.5,"),
        ({"category": ["cup", "dog"]}, "'category' must be one text, but got ['cup', 'dog']."),
        ({"example": "105", "sentence": "no such words"},
         "Example '105' is not among the examples that these filters leave."),
    ])
    def test_what_does_not_exist(self, handle, given, said):
        before = get(handle, "pointer")["revision"]
        with pytest.raises(UsageError) as caught:
            handle.select(**given)
        assert str(caught.value).startswith(said)
        assert get(handle, "pointer")["revision"] == before  # nothing moved


class TestSelection:
    def test_what_the_page_shows(self, handle):
        everything = handle.select(sort="id").selection()
        assert everything == handle.workspace.dataset.expressions.ids
        show(handle, sort="id", sentence="left", run="box", layer="fill", example="107")
        lefts = [
            row["id"] for place in (0, 32)
            for row in get(handle, "/".join((
                handle.workspace.version, "rows", ",".join(map(str, range(place, place + 32)))
            )))
            if "left" in row["sentence"]
        ]
        assert handle.selection() == lefts != []
        assert handle.example == "107"

    def test_before_a_page_has_followed(self, handle):
        show(handle, sort="id")
        handle.select(sort="id", sentence="left")
        assert 0 < len(handle.selection()) < 64

    def test_a_page_that_has_not_yet_followed_is_not_believed(self, handle):
        before = get(handle, "pointer")["revision"]
        handle.select(sort="id", sentence="left")
        says(handle, {"sort": "id"}, before)  # was on its way
        assert 0 < len(handle.selection()) < 64
        says(handle, {"sort": "id"}, before + 1)  # followed, then moved on
        assert len(handle.selection()) == 64

    def test_the_order_is_that_of_the_page(self, handle):
        handle.select(run="words", sort="worst")
        order = np.frombuffer(httpx.get(
            f"{handle.url}data/{handle.workspace.version}/order?run=words&sort=worst"
        ).content, "<i4")
        ids = handle.workspace.dataset.expressions.ids
        assert handle.selection() == [ids[place] for place in order]

    def test_rules_that_the_page_has_switched(self, handle):
        show(handle, sort="worst", average="referent", threshold="0.7")
        assert len(handle.selection()) == 64

    def test_a_page_that_says_nonsense(self, handle):
        show(handle, run="no such run")
        with pytest.raises(UsageError, match="^No run 'no such run'."):
            handle.selection()
        handle.select()


class TestRoutes:
    @pytest.mark.parametrize("since", ["-1", "x", "1.0", "9" * 11, "²", ""])
    def test_since_is_a_number(self, handle, since):
        assert httpx.get(f"{handle.url}data/pointer", params={"since": since}).status_code == 400

    @pytest.mark.parametrize("body", [
        {}, {"query": None}, {"query": []}, {"query": {"run": 3}}, {"query": {"run": "x" * 2001}},
        {"query": {str(n): "x" for n in range(61)}},
    ])
    def test_what_is_no_query(self, handle, body):
        answer = httpx.post(f"{handle.url}data/pointer", json={"revision": 0, **body})
        assert answer.status_code == 400
        assert answer.json()["error"].startswith(("'query' must be an object", "The values of "))

    @pytest.mark.parametrize("revision", [None, "1", 1.0, True, -1, 10**9, [1]])
    def test_what_is_no_revision(self, handle, revision):
        body = {"query": {}, "revision": revision}
        answer = httpx.post(f"{handle.url}data/pointer", json=body)
        assert answer.status_code == 400
        assert answer.json()["error"].startswith("'revision' must be a number")

    def test_other_sites_move_nothing(self, handle):
        answer = httpx.post(
            f"{handle.url}data/pointer", json={"query": {}}, headers={"origin": "http://evil.example"}
        )
        assert answer.status_code == 403


class TestOpening:
    def test_two_at_once(self, handle):
        with inspector.open("demo:coarse", BOX) as other:
            assert other.url != handle.url
            assert [run["name"] for run in get(other, "start")["runs"]] == ["box"]
            other.select("101")
            assert get(handle, "start")["dataset"]["examples"] == 64
            before = get(handle, "pointer")["revision"]
            other.select("102")
            assert get(handle, "pointer")["revision"] == before

    def test_loaded_data_and_runs(self):
        dataset = load_dataset(LoadRequest("demo"))
        run = load_run(dataset, WORDS, name="mine")
        with inspector.open(dataset, [run, BOX, f"again={BOX}"], missing="skip") as opened:
            start = get(opened, "start")
            assert [entry["name"] for entry in start["runs"]] == ["mine", "box", "again"]
            assert (start["protocol"]["missing"], start["canReload"]) == ("skip", False)

    def test_options_reach_the_data(self):
        with inspector.open(
            "demo", {"b": BOX}, second="demo:coarse", empty_union="zero", average="referent"
        ) as opened:
            start = get(opened, "start")
            assert [entry["name"] for entry in start["runs"]] == ["b", "truth B"]
            assert start["hasSecond"]
            assert start["protocol"] == {
                **start["protocol"], "average": "referent", "empty_union": "zero",
            }

    def test_a_live_model(self):
        def left_half(picture, sentence):
            mask = np.zeros((picture.height, picture.width), bool)
            mask[:, : picture.width // 2] = True
            return mask

        with inspector.open(model=left_half, model_timeout=20) as opened:
            start = get(opened, "start")
            assert start["live"] == {"name": "left_half", "timeout": 20}
            path = f"{opened.url}data/{start['version']}/live"
            ticket = httpx.post(path, json={"place": 0, "sentence": "x"}).json()["ticket"]
            while (state := httpx.get(f"{path}/{ticket}").json())["state"] != "done":
                assert state["state"] in ("waiting", "running")
            assert state["truth"]["union"] > 0

    def test_findings_are_kept_where_asked(self, tmp_path):
        for expected in (0, 1):
            with inspector.open(findings=tmp_path / "kept.sqlite") as opened:
                path = f"{opened.url}data/{opened.workspace.version}/findings"
                assert len(httpx.get(path).json()["examples"]) == expected
                httpx.post(path, json={
                    "place": 3, "run": "words", "field": "tag", "value": "odd", "who": "me",
                    "client": "c",
                }).raise_for_status()

    @pytest.mark.parametrize(("arguments", "options", "said"), [
        (("/no/such/folder",), {}, "/no/such/folder"),
        (("demo", "/no/such.jsonl"), {}, "There are no predictions at /no/such.jsonl"),
        (("demo",), {"split": "tset"}, "No split 'tset'."),
        (("demo", {"a=b": BOX}), {}, "A run cannot be called 'a=b': leave out = and /."),
        (("demo",), {"model": "no model"}, "'no model' is no model."),
        (("demo",), {"model": "absent_module:f"}, "The model 'absent_module:f' cannot be imported"),
        (("demo",), {"model": 7}, "'model' must be text or a function, but got a int."),
        (("demo",), {"model": "demo", "model_timeout": 0}, "--model-timeout 0 is no time for an"),
        (("demo",), {"findings": "/no/such/folder/f.sqlite"}, "there is no folder /no/such/folder"),
        (("demo",), {"findings": __file__}, f"Findings cannot be kept in {__file__}: "),
        (("demo",), {"port": 70000}, "Port 70000 cannot be used ("),
    ])
    def test_what_cannot_be_opened(self, arguments, options, said):
        with pytest.raises(InspectorError) as caught:
            inspector.open(*arguments, **options)
        assert said in str(caught.value)

    def test_a_port_that_is_taken(self, handle):
        port = int(handle.url.rstrip("/").rpartition(":")[2])
        with pytest.raises(UsageError, match=rf"^Port {port} cannot be used \("):
            inspector.open(port=port)

    def test_what_does_not_go_together(self):
        dataset = load_dataset(LoadRequest("demo"))
        run = load_run(dataset, WORDS, name="mine")
        for arguments, options, said in (
            (("demo", run), {}, "The run 'mine' is loaded already, the data set is not."),
            ((dataset, run), {"split": "val"}, "'split' says how a data set is read, but this "),
            ((dataset, [run, run]), {}, "Two runs are called 'mine'."),
        ):
            with pytest.raises(UsageError) as caught:
                inspector.open(*arguments, **options)
            assert str(caught.value).startswith(said)

    @pytest.mark.parametrize(("runs", "expected"), [
        (None, []), ("a.jsonl", ["a.jsonl"]), ("n=a.jsonl", ["n=a.jsonl"]),
        (["a", "n=b"], ["a", "n=b"]), ({"n": Path("/a=b")}, ["n=/a=b"]),
        (Path("/x/a=b"), ["/x/a=b"]), ([Path("a=b")], [str(Path.cwd() / "a=b")]),
    ])
    def test_ways_to_write_runs(self, runs, expected):
        assert _listed(runs) == expected


class TestClosing:
    def test_what_is_closed_says_so(self):
        opened = inspector.open()
        opened.close()
        opened.close()
        with pytest.raises(httpx.ConnectError):
            httpx.get(opened.url)
        for call in (opened.select, opened.selection):
            with pytest.raises(UsageError) as caught:
                call()
            assert str(caught.value) == "This page of the inspector is closed. Open it again."
        assert repr(opened) == "<inspector at closed: demo, words, saliency, box>"
        assert opened._repr_html_() == "<p>This page of the inspector is closed.</p>"

    def test_a_program_that_forgets_to_close_ends(self, tmp_path):
        (tmp_path / "slow.py").write_text("def f(picture, sentence): return None")
        done = subprocess.run(
            [sys.executable, "-c", "import sys; sys.path.insert(0, sys.argv[1]); import inspector; "
             "print(inspector.open(model='slow:f').url)", str(Path(inspector.__file__).parents[1])],
            cwd=tmp_path, capture_output=True, text=True, timeout=100, check=True,
        )
        assert done.stdout.startswith("http://127.0.0.1:")
        assert "Traceback" not in done.stderr


def test_in_a_notebook(handle, monkeypatch):
    for name in ("JUPYTERHUB_USER", "SSH_CONNECTION", "COLAB_RELEASE_TAG", "CODESPACES"):
        monkeypatch.delenv(name, raising=False)
    assert f'<iframe src="{handle.url}"' in handle._repr_html_()
    monkeypatch.setenv("SSH_CONNECTION", "10.0.0.1 1 10.0.0.2 22")
    port = handle.url.rstrip("/").rpartition(":")[2]
    assert "<iframe" not in handle._repr_html_()
    assert f"ssh -L {port}:127.0.0.1:{port} HOST" in handle._repr_html_()


def test_the_example_of_the_documentation():
    page = Path(inspector.__file__).parents[1] / "docs" / "python.md"
    text = page.read_text(encoding="utf-8").partition("```python\n")[2].partition("```")[0]
    names: dict = {}
    exec(compile(text, page.name, "exec"), names)
    assert repr(names["page"]).startswith("<inspector at closed: demo")


def test_importing_the_package_stays_light():
    program = (
        "import sys, inspector; "
        "print([name for name in ('numpy', 'gradio', 'fastapi', 'PIL') if name in sys.modules], "
        "'open' in inspector.__all__)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True,
        cwd=Path(inspector.__file__).parents[1],
    )
    assert done.stdout.split() == ["[]", "False"]
