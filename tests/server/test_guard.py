"""Who may talk to the page."""

from __future__ import annotations

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect

from inspector.server.guard import HEADERS, Guard


def make_client() -> TestClient:
    """Guard an app that answers everything with its path."""
    app = FastAPI()

    @app.websocket("/socket")
    async def _socket(socket: WebSocket) -> None:
        await socket.accept()
        await socket.send_text("open")
        await socket.close()

    @app.api_route("/{path:path}", methods=["GET", "POST"])
    def _anything(path: str) -> str:
        return path

    return TestClient(Guard(app, ("localhost", "127.0.0.1", "::1")), base_url="http://localhost")


CLIENT = make_client()


@pytest.mark.parametrize("host", [
    "localhost", "localhost:7860", "LOCALHOST:7860", "127.0.0.1:7860", "[::1]:7860", "[::1]",
])
def test_own_hosts_are_served(host):
    assert CLIENT.get("/x", headers={"host": host}).status_code == 200


@pytest.mark.parametrize("host", [
    "evil.example", "evil.example:7860", "localhost.evil.example", "127.0.0.1.evil.example", "",
    "[::2]:7860", "evil.example:localhost", "localhost@evil.example", "0.0.0.0:7860",
])
def test_foreign_hosts_are_refused(host):
    answer = CLIENT.get("/x", headers={"host": host})
    assert answer.status_code == 400
    assert answer.text == "This page is not served under that host name."


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize(("origin", "status"), [
    ("http://localhost:7860", 200),
    ("http://LOCALHOST:7860", 200),
    ("http://evil.example", 403),
    ("http://localhost:8000", 403),
    ("http://localhost", 403),
    ("http://127.0.0.1:7860", 403),
    ("http://localhost:7860.evil.example", 403),
    ("null", 403),
    ("", 403),
    ("http://[::1", 403),
])
def test_only_the_own_origin_is_served(method, origin, status):
    headers = {"host": "localhost:7860", "origin": origin}
    answer = CLIENT.request(method, "/x", headers=headers)
    assert answer.status_code == status
    if status == 403:
        assert answer.text == "Requests from other sites are refused."


@pytest.mark.parametrize(("site", "mode", "status"), [
    ("same-origin", "cors", 200),
    ("none", "navigate", 200),
    ("cross-site", "navigate", 200),  # somebody follows a link to the page
    ("cross-site", "no-cors", 403),
    ("cross-site", "cors", 403),
    ("cross-site", "websocket", 403),
])
def test_other_sites_may_link_but_not_fetch(site, mode, status):
    headers = {"sec-fetch-site": site, "sec-fetch-mode": mode}
    assert CLIENT.get("/x", headers=headers).status_code == status


@pytest.mark.parametrize("path", [
    "/gradio_api/upload", "/gradio_api/upload_progress", "/gradio_api/file=/etc/passwd",
    "/gradio_api/file/etc/passwd", "/gradio_api/proxy=http://evil.example", "/file=/etc/passwd",
    "/gradio_api/stream/x", "/gradio_api/custom_component/x", "/gradio_api/dev/reload",
    "/proxy=http://evil.example", "/upload", "/monitoring", "/gradio_api/deep_link",
    "/gradio_api/%66ile=/etc/passwd",
])
def test_what_the_page_does_not_need_is_closed(path):
    for method in ("GET", "POST"):
        answer = CLIENT.request(method, path)
        assert (answer.status_code, answer.text) == (403, "This address is closed.")


@pytest.mark.parametrize("path", ["/", "/gradio_api/queue/join", "/data/start", "/config"])
def test_what_the_page_needs_is_open(path):
    assert CLIENT.get(path).status_code == 200


@pytest.mark.parametrize("headers", [{}, {"host": "evil.example"}], ids=["served", "refused"])
def test_every_answer_has_the_security_headers(headers):
    answer = CLIENT.get("/x", headers=headers)
    assert {name: answer.headers[name] for name in HEADERS} == HEADERS


def test_headers_of_the_app_itself_are_kept_once():
    app = FastAPI()

    @app.get("/")
    def _own() -> None:
        from fastapi import Response

        return Response(headers={"Referrer-Policy": "no-referrer"})

    answer = TestClient(Guard(app, ["testserver"])).get("/")
    assert answer.headers.get_list("referrer-policy") == ["no-referrer"]
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_nothing_is_loaded_from_elsewhere():
    policy = HEADERS["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "connect-src 'self'" in policy
    assert "http" not in policy and "*" not in policy


def test_sockets_are_guarded_as_well():
    address = "ws://localhost/socket"
    with CLIENT.websocket_connect(address) as socket:
        assert socket.receive_text() == "open"
    with pytest.raises(WebSocketDisconnect) as closed:
        with CLIENT.websocket_connect(address, headers={"origin": "http://evil.example"}):
            pass
    assert closed.value.code == 1008
