"""The routes of the live model: questions, answers in words, and nobody is slowed down."""

from __future__ import annotations

import base64
import io
import threading
from concurrent.futures import ThreadPoolExecutor

import httpx
import numpy as np
import pytest
from fastapi.testclient import TestClient
from PIL import Image

from inspector.core.mask import Mask
from inspector.live import Desk, ModelError, Question
from inspector.live.function import FunctionModel
from inspector.live.line import Line
from inspector.live.pictures import dropped_picture
from inspector.server import live
from inspector.server.app import create_app
from inspector.workspace import Workspace
from tests.building import Picture, Said, Thing, make_dataset, make_workspace, score
from tests.drawing import draw
from tests.server.running import running

CUP, DOG, SHIFTED = draw("####......"), draw("......####"), draw("..####....")
TURN_LEFT = 8


class FakeModel:
    """Answers at once with what the test put there, after the gate is open."""

    name, timeout = "fake", 60.0

    def __init__(self) -> None:
        self.says: Mask | None | Exception = None
        self.asked: list[Question] = []
        self.gate, self.begun = threading.Event(), threading.Event()
        self.gate.set()

    def launch(self) -> None: ...
    def start(self) -> None: ...

    def close(self) -> None:
        self.gate.set()

    def answer(self, question: Question) -> Mask | None:
        self.asked.append(question)
        self.begun.set()
        assert self.gate.wait(60)
        if isinstance(self.says, Exception):
            raise self.says
        return self.says


def picture_bytes(size_hw=(1, 10), kind="JPEG", **options) -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", size_hw[::-1], (200, 30, 30)).save(buffer, kind, **options)
    return buffer.getvalue()


@pytest.fixture
def workspace(tmp_path) -> Workspace:
    """A picture with a cup and a dog, one whose file is gone, one of another size; two runs."""
    (tmp_path / "1.jpg").write_bytes(picture_bytes())
    (tmp_path / "3.jpg").write_bytes(picture_bytes((2, 5)))
    dataset = make_dataset(
        Picture("1", (1, 10), (Thing("a", "cup", CUP), Thing("b", "dog", DOG)),
                (Said("101", "cup", ("a",)), Said("102", "none", ())), tmp_path / "1.jpg"),
        Picture("2", (1, 10), (Thing("c", "cup", CUP),), (Said("201", "cup", ("c",)),)),
        Picture("3", (1, 10), (Thing("d", "cup", CUP),), (Said("301", "cup", ("d",)),),
                tmp_path / "3.jpg"),
    )
    return make_workspace(
        score(dataset, {"101": DOG, "102": None}, name="one"),
        score(dataset, {"101": CUP}, name="two"),
    )


@pytest.fixture
def model() -> FakeModel:
    return FakeModel()


@pytest.fixture
def client(workspace, model):
    desk = Desk(model, line=Line(most_waiting=2))
    with TestClient(create_app(workspace, page={}, live=desk)) as made:
        yield made
    desk.close()


@pytest.fixture
def data(workspace) -> str:
    return f"/data/{workspace.version}"


def ask(client, data: str, **question) -> dict:
    """Ask and wait for the end."""
    answer = client.post(f"{data}/live", json={"place": 0, "sentence": "a cup", **question})
    assert answer.status_code == 200, answer.text
    while True:
        state = client.get(f"{data}/live/{answer.json()['ticket']}").json()
        if state["state"] in ("done", "failed"):
            return state


def refusal(client, data: str, question: dict) -> str:
    answer = client.post(f"{data}/live", json=question)
    assert answer.status_code == 400
    assert answer.headers["cache-control"] == "no-store"
    return answer.json()["error"]


def test_start_says_what_can_be_asked(client, workspace):
    assert client.get("/data/start").json()["live"] == {"name": "fake", "timeout": 60.0}
    without = TestClient(create_app(workspace, page={}))
    assert without.get("/data/start").json()["live"] is None
    for method, path in (("POST", "live"), ("GET", "live/x"), ("POST", "live/picture")):
        assert without.request(method, f"/data/{workspace.version}/{path}").status_code == 404


class TestAnswers:
    def test_against_truth_and_what_is_stored(self, client, data, model):
        model.says = SHIFTED
        state = ask(client, data, run="one", sentence="  a cup ")
        assert state.pop("seconds") >= 0
        assert state == {
            "state": "done", "mask": SHIFTED.counts.decode(), "saysNoTarget": False,
            "size": [1, 10],
            "truth": {"intersection": 2, "union": 6, "iou": 2 / 6},
            "stored": {"intersection": 0, "union": 8, "iou": 0.0},
        }
        asked, = model.asked
        assert (asked.sentence, asked.picture.size_hw) == ("a cup", (1, 10))
        assert asked.picture.content == picture_bytes()

    def test_no_target(self, client, data):
        state = ask(client, data, place=1, run="one")
        assert (state["mask"], state["saysNoTarget"]) == (None, True)
        assert state["truth"] == {"intersection": 0, "union": 0, "iou": 1.0}
        assert state["stored"] == {"intersection": 0, "union": 0, "iou": None}

    def test_nothing_stored(self, client, data, model):
        model.says = CUP
        assert ask(client, data)["stored"] is None
        assert ask(client, data, place=1, run="two")["stored"] is None

    def test_the_rules_of_the_version(self, client, workspace):
        start = client.get("/data/start", params={"empty_union": "skip"}).json()
        assert start["version"] != workspace.version
        state = ask(client, f"/data/{start['version']}", place=1)
        assert state["truth"] == {"intersection": 0, "union": 0, "iou": None}

    def test_a_model_that_fails(self, client, data, model):
        model.says = ModelError("The model raised ValueError: no <b>cup</b> (mine.py, line 3).")
        assert ask(client, data) == {
            "state": "failed",
            "why": "The model raised ValueError: no <b>cup</b> (mine.py, line 3).",
        }

    @pytest.mark.parametrize(("place", "why"), [
        (2, "The model cannot be asked: There is no picture that a browser can draw."),
        (3, "The picture's file has 5 x 2 pixels (width x height), its annotations are for 10 x 1 "
         "pixels (width x height). A mask of the one does not fit the other."),
    ], ids=["no file", "another size"])
    def test_pictures_that_cannot_be_asked_about(self, client, data, model, place, why):
        assert ask(client, data, place=place) == {"state": "failed", "why": why}
        assert model.asked == []


class TestWaiting:
    def test_places_and_a_newer_question(self, client, data, model):
        model.gate.clear()

        def send(name: str):
            question = {"place": 0, "sentence": name, "client": name}
            return client.post(f"{data}/live", json=question)

        tickets = {"one": send("one").json()["ticket"]}
        assert model.begun.wait(60)
        tickets["two"] = send("two").json()["ticket"]
        look = lambda ticket: client.get(f"{data}/live/{ticket}").json()
        first = look(tickets["one"])
        assert (first["state"], first["seconds"] >= 0) == ("running", True)
        assert look(tickets["two"]) == {"state": "waiting", "ahead": 1}
        newer = send("two").json()["ticket"]
        assert look(tickets["two"])["why"].startswith("You asked something newer")
        assert look(newer) == {"state": "waiting", "ahead": 1}
        assert send("three").status_code == 200
        full = send("four")
        assert (full.status_code, full.json()) == (
            429, {"error": "2 others wait for the model already. Ask again later."}
        )
        assert client.delete(f"{data}/live/{newer}").json() == {}
        assert look(newer) == {"state": "failed", "why": "The question was taken back."}
        assert send("four").status_code == 200

    def test_without_a_name_the_address_tells_who_asks(self, client, data, model):
        model.gate.clear()
        tickets = []
        for _ in range(3):
            answer = client.post(f"{data}/live", json={"place": 0, "sentence": "x"})
            tickets.append(answer.json()["ticket"])
            assert model.begun.wait(60)
        states = [client.get(f"{data}/live/{ticket}").json()["state"] for ticket in tickets]
        assert states == ["running", "failed", "waiting"]

    def test_unknown_tickets(self, client, data):
        for ticket in ("x", "..", "%2e%2e", "A" * 24):
            assert client.get(f"{data}/live/{ticket}").status_code == 404
        answer = client.delete(f"{data}/live/{'A' * 24}")
        assert answer.json() == {"detail": "That question is not known any more."}


class TestQuestions:
    @pytest.mark.parametrize(("question", "said"), [
        ({}, "A question must have 'place' or 'picture', one of them."),
        ({"place": 0, "picture": "x", "sentence": "x"},
         "A question must have 'place' or 'picture', one of them."),
        ({"place": 0}, "Write a sentence to ask the model with."),
        ({"place": 0, "sentence": " \n"}, "Write a sentence to ask the model with."),
        ({"place": 0, "sentence": "x" * 501},
         "The sentence has 501 letters; at most 500 are asked."),
        ({"place": 0, "sentence": 7}, "'sentence' must be text."),
        ({"place": 0, "sentence": ["x"]}, "'sentence' must be text."),
        ({"place": 0, "sentence": "x", "run": None}, "'run' must be text."),
        ({"place": 0, "sentence": "x", "run": "three"}, "No run 'three'. Choose one of: one, two."),
        ({"place": 0, "sentence": "x", "client": {}}, "'client' must be text."),
        *(({"place": place, "sentence": "x"}, "'place' must be a whole number from 0 to 3.")
          for place in (4, -1, 1.0, "0", True, None, [0], 10**30)),
        ({"picture": "unknown", "sentence": "x"},
         "That picture is not kept any more. Give it again."),
        ({"picture": 3, "sentence": "x"}, "'picture' must be text."),
        ({"place": 0, "sentence": "x", "model": "http://evil.example"},
         "A question has no 'model'. Choose one of: "),
    ])
    def test_what_is_no_question(self, client, data, model, question, said):
        assert refusal(client, data, question).startswith(said)
        assert model.asked == []

    def test_half_a_character(self, client, data):
        answer = client.post(
            f"{data}/live", content=b'{"place": 0, "sentence": "\\ud83d"}',
            headers={"content-type": "application/json"},
        )
        assert (answer.status_code, answer.json()) == (400, {"error": "'sentence' must be text."})

    @pytest.mark.parametrize(("content", "kind", "status", "said"), [
        (b"{}", "text/plain", 415, "Send JSON, as application/json."),
        (b"{}", "", 415, "Send JSON, as application/json."),
        (b"{", "application/json", 400, "What was sent is no JSON."),
        (b"\xff", "application/json", 400, "What was sent is no JSON."),
        (b"[" * 60_000, "application/json", 400, "What was sent is no JSON."),
        (b"[]", "application/json; charset=utf-8", 400, "What was sent is no JSON object."),
        (b" " * 65_537, "application/json", 413,
         "At most 65,536 bytes may be sent to this address."),
    ], ids=["plain", "unnamed", "cut off", "no text", "deep", "list", "large"])
    def test_what_is_no_json(self, client, data, content, kind, status, said):
        answer = client.post(f"{data}/live", content=content, headers={"content-type": kind})
        assert (answer.status_code, answer.json()) == (status, {"error": said})

    def test_another_version_is_gone(self, client):
        for method, path in (("POST", "live"), ("GET", "live/x"), ("DELETE", "live/x"),
                             ("POST", "live/picture"), ("GET", "live/picture/x")):
            answer = client.request(
                method, f"/data/0123456789ab/{path}",
                **({"json": {"place": 0, "sentence": "x"}} if method == "POST" else {}),
            )
            assert answer.status_code == 410


class TestPictures:
    def give(self, client, data, content: bytes, kind="application/octet-stream"):
        return client.post(
            f"{data}/live/picture", content=content, headers={"content-type": kind}
        )

    def test_a_photograph_is_turned_as_it_asks_for(self, client, data, model):
        exif = Image.Exif()
        exif[0x0112] = TURN_LEFT
        given = self.give(client, data, picture_bytes((2, 3), exif=exif.tobytes())).json()
        assert given["size"] == [3, 2]
        back = client.get(f"{data}/live/picture/{given['picture']}")
        assert (back.headers["content-type"], back.headers["cache-control"]) == (
            "image/png", "no-store"
        )
        assert Image.open(io.BytesIO(back.content)).size == (2, 3)
        model.says = draw("#.", "..", "..")
        answer = client.post(
            f"{data}/live", json={"picture": given["picture"], "sentence": "a cup"}
        )
        while True:
            state = client.get(f"{data}/live/{answer.json()['ticket']}").json()
            if state["state"] == "done":
                break
        assert (state["size"], state["truth"], state["stored"]) == ([3, 2], None, None)
        assert state["mask"] == model.says.counts.decode()
        assert model.asked[0].picture.content == back.content

    def test_plain_pictures_keep_their_bytes(self, client, data):
        content = picture_bytes((2, 3), "PNG")
        given = self.give(client, data, content, "image/png").json()
        assert client.get(f"{data}/live/picture/{given['picture']}").content == content

    @pytest.mark.parametrize(("content", "said"), [
        (b"", "This is no picture of a known kind. Choose one of: JPEG, PNG, WEBP."),
        (b"<svg onload=alert(1)>",
         "This is no picture of a known kind. Choose one of: JPEG, PNG, WEBP."),
        (picture_bytes((64, 64))[:300], "The picture cannot be read ("),
    ], ids=["empty", "svg", "half"])
    def test_what_is_no_picture(self, client, data, content, said):
        answer = self.give(client, data, content)
        assert answer.status_code == 400
        assert answer.json()["error"].startswith(said)

    def test_too_many_bytes(self, client, data, monkeypatch):
        monkeypatch.setattr(live, "MOST_PICTURE", 100)
        answer = self.give(client, data, b"x" * 101)
        assert (answer.status_code, answer.json()) == (
            413, {"error": "At most 100 bytes may be sent to this address."}
        )

    @pytest.mark.parametrize("kind", [
        "", "text/plain", "multipart/form-data", "application/x-www-form-urlencoded",
    ])
    def test_forms_of_other_sites_give_none(self, client, data, kind):
        assert self.give(client, data, picture_bytes(), kind).status_code == 415

    def test_only_the_last_are_kept(self, client, data):
        tokens = [
            self.give(client, data, picture_bytes((1, width))).json()["picture"]
            for width in range(1, 18)
        ]
        first, *rest = (client.get(f"{data}/live/picture/{token}") for token in tokens)
        assert (first.status_code, first.json()) == (
            404, {"detail": "That picture is not kept any more. Give it again."}
        )
        assert {answer.status_code for answer in rest} == {200}
        assert len({len(token) for token in tokens}) == 1


WAITING_MODULE = """
import pathlib, time
import numpy as np

def segment(picture, sentence):
    pathlib.Path("begun").touch()
    while not pathlib.Path("go on").exists():
        time.sleep(0.02)
    return np.ones((picture.height, picture.width), bool)
"""


def test_viewers_page_while_the_model_works(demo_workspace, tmp_path, monkeypatch):
    """Four viewers fetch 200 examples, some pictures and orders while one call goes on and on."""
    (tmp_path / "waiting.py").write_text(WAITING_MODULE)
    monkeypatch.chdir(tmp_path)
    desk = Desk(FunctionModel("waiting:segment", timeout=120))
    data = f"/data/{demo_workspace.version}"
    with running(create_app(demo_workspace, page={}, live=desk)) as address:
        with httpx.Client(base_url=address, timeout=60) as asking:
            ticket = asking.post(
                f"{data}/live", json={"place": 0, "sentence": "x", "client": "0"}
            ).json()["ticket"]
            while not (tmp_path / "begun").exists():
                state = asking.get(f"{data}/live/{ticket}").json()["state"]
                assert state in ("waiting", "running")

            def turn_pages(viewer: int) -> list[int]:
                with httpx.Client(base_url=address, timeout=60) as client:
                    own = client.post(f"{data}/live", json={
                        "place": 0, "sentence": "x", "client": f"viewer {viewer}",
                    }).json()["ticket"]
                    found = []
                    for place in range(50):
                        found.append(client.get(f"{data}/examples/{place}").status_code)
                        if place % 10 == 0:
                            found.append(client.get(f"{data}/pictures/{place // 5}").status_code)
                            found.append(client.get(f"{data}/order").status_code)
                            waiting = client.get(f"{data}/live/{own}").json()
                            assert waiting["state"] == "waiting"
                            assert waiting["ahead"] >= 1
                    return found

            with ThreadPoolExecutor(4) as viewers:
                pages = list(viewers.map(turn_pages, range(4)))
            assert pages == [[200] * 60] * 4
            assert asking.get(f"{data}/live/{ticket}").json()["state"] == "running"
            (tmp_path / "go on").touch()
            while (state := asking.get(f"{data}/live/{ticket}").json())["state"] == "running":
                pass
            assert (state["state"], state["saysNoTarget"]) == ("done", False)
    desk.close()


def test_the_picture_reaches_the_model_as_it_is_stored(demo_workspace, tmp_path, monkeypatch):
    (tmp_path / "bright.py").write_text(
        "import numpy as np\n"
        "def f(picture, sentence): return np.asarray(picture)[:, :, 0] > int(sentence)\n"
    )
    monkeypatch.chdir(tmp_path)
    desk = Desk(FunctionModel("bright:f", timeout=60))
    with TestClient(create_app(demo_workspace, page={}, live=desk)) as client:
        data = f"/data/{demo_workspace.version}"
        state = ask(client, data, place=5, sentence="120")
        row = client.get(f"{data}/examples/5").json()[0]["image"]
        picture = Image.open(io.BytesIO(client.get(f"{data}/pictures/{row}").content))
        expected = Mask.from_array(np.asarray(picture.convert("RGB"))[:, :, 0] > 120)
        assert state["mask"] == expected.counts.decode()
        assert state["size"] == list(expected.size_hw)
    desk.close()


def test_tokens_of_pictures_are_as_random_as_tickets():
    shelf = Desk(FakeModel()).pictures
    tokens = {shelf.put(dropped_picture(picture_bytes())) for _ in range(20)}
    assert len(tokens) == 20
    assert {len(base64.urlsafe_b64decode(token)) for token in tokens} == {18}
