"""A server that is slow, wrong or hostile is survived, in words."""

from __future__ import annotations

import base64
import contextlib
import json
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from inspector.core.errors import UsageError
from inspector.live import http_model
from inspector.live.http_model import HttpModel
from inspector.live.model import ModelError
from tests.drawing import draw
from tests.live.questions import question

CUP = draw("#..", "##.")


class Answering(BaseHTTPRequestHandler):
    """Keeps what it got and answers as the test says."""

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        self.server.asked.append((self.path, dict(self.headers), json.loads(body)))
        with contextlib.suppress(OSError):
            self.server.respond(self)

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def answering(respond: Callable[[Answering], None]) -> Iterator[ThreadingHTTPServer]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Answering) as server:
        server.daemon_threads = True
        server.respond, server.asked = respond, []
        server.released = threading.Event()
        thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        yield server
        server.released.set()
        server.shutdown()


def address_of(server: ThreadingHTTPServer, path: str = "/segment") -> str:
    return f"http://127.0.0.1:{server.server_address[1]}{path}"


def reply(value: object = None, *, status: int = 200, raw: bytes | None = None, **headers: str):
    """Answer with JSON, or with just these bytes."""
    content = json.dumps(value).encode() if raw is None else raw

    def respond(handler: Answering) -> None:
        handler.send_response(status)
        given = {name.replace("_", "-"): text for name, text in headers.items()}
        for name, text in {"Content-Length": str(len(content)), **given}.items():
            handler.send_header(name, text)
        handler.end_headers()
        handler.wfile.write(content)

    return respond


def why(respond: Callable[[Answering], None], *, timeout: float = 30) -> str:
    """Ask a server that answers so, and give the error without the server's port."""
    with answering(respond) as server:
        model = HttpModel(address_of(server), timeout=timeout)
        with pytest.raises(ModelError) as caught:
            model.answer(question())
        assert len(server.asked) == 1  # nothing is asked twice, nothing is followed
        return str(caught.value).replace(model.name, "HOST")


@pytest.mark.parametrize(("mask", "expected"), [
    (CUP.to_json(), CUP),
    ({"size": [2, 3], "counts": [0, 2, 1, 1, 2]}, CUP),
    (None, None),
], ids=["text", "numbers", "no target"])
def test_an_answer(mask, expected):
    with answering(reply({"mask": mask, "more": [1, 2]})) as server:
        model = HttpModel(address_of(server, "/a/b?c=d%20e"), timeout=30)
        assert model.answer(question("the “cup”")) == expected
        assert model.name == f"127.0.0.1:{server.server_address[1]}"
    (path, headers, body), = server.asked
    assert path == "/a/b?c=d%20e"
    assert headers["Content-Type"] == headers["Accept"] == "application/json"
    assert "Authorization" not in headers
    assert list(body) == ["image", "sentence"]
    assert body["sentence"] == "the “cup”"
    assert base64.b64decode(body["image"]) == question().picture.content


def test_a_token_from_the_environment(monkeypatch):
    monkeypatch.setenv("INSPECTOR_MODEL_TOKEN", "secret")
    with answering(reply({"mask": None})) as server:
        HttpModel(address_of(server), timeout=30).answer(question())
    assert server.asked[0][1]["Authorization"] == "Bearer secret"


@pytest.mark.parametrize("token", ["schlüssel", "two\nlines", "secret\r", "🔑"],
                         ids=["letter", "lines", "end of line", "picture"])
def test_a_token_that_no_header_takes_is_refused_at_the_start(monkeypatch, token):
    monkeypatch.setenv("INSPECTOR_MODEL_TOKEN", token)
    with pytest.raises(UsageError) as refused:
        HttpModel("https://model.example/", timeout=30)
    assert str(refused.value).startswith("The environment variable INSPECTOR_MODEL_TOKEN holds a")
    assert token not in str(refused.value)


MASK = '{"mask": {"size": [h, w], "counts": …}} or {"mask": null}'


@pytest.mark.parametrize(("respond", "said"), [
    pytest.param(
        reply({"detail": "out of memory"}, status=500), "The model at HOST answered with status "
        '500 Internal Server Error: {"detail": "out of memory"}', id="500"),
    pytest.param(
        reply(raw=b"", status=404), "The model at HOST answered with status 404 Not Found.",
        id="404"),
    pytest.param(
        reply(raw=b"<h1>\xff\n no</h1>" + b"x" * 999, status=503),
        "The model at HOST answered with status 503 Service Unavailable: "
        + ("<h1>\ufffd no</h1>" + "x" * 999)[:199] + "…", id="a long page"),
    *(pytest.param(
        reply(raw=b"", status=status, Location="http://127.0.0.1:1/"),
        f"The model at HOST answered with a redirect (status {status}), which is not followed. "
        "Give the address that it leads to.", id=f"redirect {status}")
      for status in (301, 302, 303, 307, 308)),
    pytest.param(
        reply(raw=b"<html>hello</html>"), 'The model at HOST answered with no JSON: "<html>hello'
        f'</html>". Expected is {MASK}.', id="no JSON"),
    pytest.param(
        reply(raw=b""), f'The model at HOST answered with no JSON: "". Expected is {MASK}.',
        id="nothing"),
    pytest.param(
        reply(raw=b"[" * 200_000), 'The model at HOST answered with no JSON: "' + "[" * 199 + "…"
        f'". Expected is {MASK}.', id="deep"),
    pytest.param(
        reply([1]), 'The model at HOST answered with a list. Expected is {"mask": …}; null '
        'there says "no target".', id="list"),
    pytest.param(
        reply(None), 'The model at HOST answered with null. Expected is {"mask": …}; '
        'null there says "no target".', id="null is not no target"),
    pytest.param(
        reply({"masks": [], "scores": []}), "The model at HOST answered with an object with the "
        'keys masks, scores. Expected is {"mask": …}; null there says "no target".', id="keys"),
    pytest.param(
        reply({"mask": [[0.0, 1.0]]}), "The model at HOST answered with a mask that is a "
        'list. Expected are COCO run lengths {"size": [h, w], "counts": …} or null.', id="array"),
    pytest.param(
        reply({"mask": draw("##", "##", "..").to_json()}), "The model returned run lengths of "
        "another size: the mask is 2 x 3 pixels (width x height), the picture 3 x 2 pixels (width "
        "x height): height and width are swapped.", id="swapped"),
    pytest.param(
        reply({"mask": {"size": [2, 3], "counts": "~~"}}), "The model returned run lengths that "
        "are broken: ", id="broken"),
])
def test_what_is_refused(respond, said):
    found = why(respond)
    assert found.startswith(said) if said.endswith(": ") else found == said


def test_too_much(monkeypatch):
    monkeypatch.setattr(http_model, "MOST_BYTES", 1000)
    said = "The model at HOST answered with more than 1,000 bytes. Send the mask as run lengths."
    assert why(reply(raw=b" " * 1001)) == said

    def endless(handler: Answering) -> None:
        handler.send_response(200)
        handler.end_headers()
        while not handler.server.released.is_set():
            handler.wfile.write(b" " * 4096)

    assert why(endless) == said


def test_an_answer_that_breaks_off():
    assert why(reply(raw=b'{"mask": null}', Content_Length="99")) == (
        "The model at HOST closed the connection in the middle of its answer."
    )


def test_no_http():
    assert why(lambda handler: handler.wfile.write(b"hello\r\n\r\n")) == (
        "The model at HOST did not answer in HTTP (BadStatusLine)."
    )
    assert why(lambda handler: None) == "The model at HOST closed the connection without an answer."


LATE = (
    "The model at HOST gave no answer within 0.3 s. If it needs longer, raise --model-timeout."
)


def test_one_that_says_nothing():
    assert why(lambda handler: handler.server.released.wait(60), timeout=0.3) == LATE


@pytest.mark.parametrize("part", [b"x", b"X-Slow: 1\r\n", b" "], ids=["status", "head", "body"])
def test_one_that_drips(part):
    """Each byte is in time, the whole is not."""
    def respond(handler: Answering) -> None:
        if part != b"x":
            handler.wfile.write(b"HTTP/1.1 200 OK\r\n" + (b"\r\n" if part == b" " else b""))
        while not handler.server.released.wait(0.02):
            handler.wfile.write(part)

    assert why(respond, timeout=0.3) == LATE


def test_nobody_there():
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))  # and does not listen
        model = HttpModel(f"http://127.0.0.1:{unused.getsockname()[1]}/", timeout=30)
    with pytest.raises(ModelError) as caught:
        model.answer(question())
    assert str(caught.value) == (
        f"The model at {model.name} cannot be reached: nothing listens there. Is its server "
        "running?"
    )


def test_no_encryption_where_it_is_expected():
    with answering(reply({})) as server:
        model = HttpModel(address_of(server).replace("http:", "https:"), timeout=30)
        with pytest.raises(ModelError, match=r"^The model at .* cannot be reached \("):
            model.answer(question())
        assert server.asked == []


def test_certificates_are_checked():
    context = http_model._Call._make(
        type("", (), {"_parts": http_model.urlsplit("https://model.example/")})(), 1.0
    )._context
    assert (context.verify_mode, context.check_hostname) == (ssl.CERT_REQUIRED, True)


def test_closing_leaves_a_call():
    with answering(lambda handler: handler.server.released.wait(60)) as server:
        model = HttpModel(address_of(server), timeout=60)
        heard: list[str] = []

        def ask() -> None:
            try:
                model.answer(question())
            except ModelError as error:
                heard.append(str(error))

        thread = threading.Thread(target=ask)
        thread.start()
        while not server.asked:
            thread.join(0.01)
        model.close()
        thread.join(10)
        assert heard == [f"The model at {model.name} was closed."]


@pytest.mark.parametrize(("address", "said"), [
    ("ftp://host/x", "'ftp://host/x' is no address of a model. Write https://host/path."),
    ("https:///x", "'https:///x' is no address of a model. Write https://host/path."),
    ("https://host:0/x", "'https://host:0/x' is no address of a model. Write https://host/path."),
    ("https://host:99999/", "'https://host:99999/' is no address (Port out of range 0-65535)."),
    ("https://me:secret@host/", "An address with a name or password in it is not taken, since "
     "other programs can read it there. Set the environment variable INSPECTOR_MODEL_TOKEN."),
    ("http://host/x", "'http://host/x' is not encrypted, and pictures would travel for all to "
     "read. Write https://…, or bring the port here with ssh -L and write http://localhost:PORT."),
    ("http://localhost.evil.example/", "'http://localhost.evil.example/' is not encrypted, and "
     "pictures would travel for all to read. Write https://…, or bring the port here with ssh -L "
     "and write http://localhost:PORT."),
    ("https://host/a b", "'https://host/a b' is no address: it holds signs that must be written "
     "as %XX."),
    ("https://höst/", "'https://höst/' is no address: it holds signs that must be written as "
     "%XX."),
])
def test_addresses_that_are_not_asked(address, said):
    with pytest.raises(UsageError) as caught:
        HttpModel(address, timeout=1)
    assert str(caught.value) == said


@pytest.mark.parametrize(("address", "name"), [
    ("https://gpu.lab.example/models/x?key=1", "gpu.lab.example"),
    ("https://gpu.lab.example:8443", "gpu.lab.example:8443"),
    ("http://localhost:8000/x", "localhost:8000"), ("http://[::1]:8000/x", "::1:8000"),
])
def test_the_name_holds_no_path(address, name):
    assert HttpModel(address, timeout=1).name == name
