"""Who may talk to the page, on a page without a password."""

from __future__ import annotations

import asyncio

import pytest
from fastapi import FastAPI, Request
from fastapi.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect

from inspector.server.access import LOCAL, Access
from inspector.server.addresses import MOST_BODY, MOST_IMPORT, MOST_PICTURE
from inspector.server.guard import Guard
from inspector.server.headers import security_headers

ANY_METHOD = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"]


def make_app() -> FastAPI:
    """Make an app that answers everything with what it sees."""
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)

    @app.websocket("/{path:path}")
    async def _socket(socket: WebSocket, path: str) -> None:
        await socket.accept()
        await socket.close()

    @app.api_route("/{path:path}", methods=ANY_METHOD)
    async def _anything(request: Request) -> dict[str, object]:
        return {
            "path": request.url.path, "query": request.url.query,
            "root": request.scope["root_path"], "headers": sorted(request.headers),
            "size": len(await request.body()),
        }

    return app


def make_client(access: Access = LOCAL, *, server: str = "http://localhost") -> TestClient:
    return TestClient(Guard(make_app(), access), base_url=server, follow_redirects=False)


CLIENT = make_client()


@pytest.mark.parametrize("host", [
    "localhost", "localhost:7860", "LOCALHOST:7860", "127.0.0.1:7860", "[::1]:7860", "[::1]",
    "localhost:9000",  # the other end of a tunnel
])
def test_own_hosts_are_served(host):
    assert CLIENT.get("/data/start", headers={"host": host}).status_code == 200


@pytest.mark.parametrize("host", [
    "evil.example", "evil.example:7860", "localhost.evil.example", "127.0.0.1.evil.example", "",
    "[::2]:7860", "evil.example:localhost", "localhost@evil.example", "0.0.0.0:7860",
    "localhost, evil.example", "2130706433:7860", "127.1:7860", "::1", "localhost.:7860",
])
def test_foreign_hosts_are_refused(host):
    answer = CLIENT.get("/", headers={"host": host})
    assert answer.status_code == 400
    assert answer.text == (
        "This page is not served under that host name. Whoever started it can allow it: "
        "--allow-host NAME."
    )


def test_two_hosts_are_none():
    for other in ("localhost", "evil.example"):
        answer = CLIENT.get("/", headers=[("host", "localhost"), ("host", other)])
        assert answer.status_code == 400


def test_every_address_of_this_machine_is_a_host_where_all_are_served_but_no_name_is():
    client = make_client(Access(own_addresses=True), server="http://192.0.2.7:7860")
    assert client.get("/").status_code == 200  # the connection came in at 192.0.2.7
    for host in ("192.0.2.8:7860", "evil.example:7860", "192.0.2.7.evil.example", "0.0.0.0:7860"):
        assert client.get("/", headers={"host": host}).status_code == 400, host
    plain = make_client(server="http://192.0.2.7:7860")
    assert plain.get("/").status_code == 400


@pytest.mark.parametrize("server", ["192.0.2.7", "::ffff:192.0.2.7"])
def test_an_address_in_either_spelling_is_the_same(server):
    assert answer_of(Access(own_addresses=True), host=b"192.0.2.7:7860", server=server) == 200
    assert answer_of(Access(own_addresses=True), host=b"192.0.2.8:7860", server=server) == 400


def answer_of(access: Access, *, host: bytes, server: str) -> int:
    """Send one request over the bare protocol, as it comes in at an address of this machine."""
    statuses = []

    async def receive():
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message):
        statuses.append(message.get("status"))

    scope = {
        "type": "http", "method": "GET", "path": "/", "raw_path": b"/", "query_string": b"",
        "headers": [(b"host", host)], "scheme": "http", "server": (server, 7860),
        "client": ("192.0.2.1", 5), "http_version": "1.1", "root_path": "",
    }
    asyncio.run(Guard(make_app(), access)(scope, receive, send))
    return statuses[0]


@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
@pytest.mark.parametrize(("origin", "status"), [
    ("http://localhost:7860", 200),
    ("http://LOCALHOST:7860", 200),
    ("http://evil.example", 403),
    ("http://localhost:8000", 403),
    ("http://localhost", 403),
    ("http://127.0.0.1:7860", 403),
    ("http://localhost:7860.evil.example", 403),
    ("http://localhost:7860@evil.example", 403),
    ("null", 403),
    ("", 403),
    ("http://[::1", 403),
])
def test_only_the_own_origin_is_served(method, origin, status):
    headers = {"host": "localhost:7860", "origin": origin, "sec-fetch-site": "same-origin"}
    answer = CLIENT.request(method, "/data/x", headers=headers)
    assert answer.status_code == status
    if status == 403:
        assert answer.json() == {"error": (
            "Requests from other sites are refused. If a proxy shows this page, whoever started "
            "it can allow the proxy's name: --allow-host NAME."
        )}


def test_a_proxy_that_puts_its_own_host_is_allowed_by_name():
    client = make_client(Access(origins=("hub.example", "hub.example:8443")))
    for origin, status in {
        "https://hub.example": 200, "https://hub.example:8443": 200, "https://HUB.example": 200,
        "https://hub.example:9999": 403, "https://x.hub.example": 403,
    }.items():
        headers = {"host": "localhost:7860", "origin": origin}
        assert client.post("/data/x", headers=headers).status_code == status, origin


@pytest.mark.parametrize(("site", "mode", "status"), [
    ("same-origin", "cors", 200),
    ("none", "navigate", 200),
    ("cross-site", "navigate", 200),  # somebody follows a link to the page
    ("same-site", "navigate", 200),
    ("cross-site", "no-cors", 403),
    ("cross-site", "cors", 403),
    ("cross-site", "websocket", 403),
    ("same-site", "no-cors", 403),  # another port of this machine
    ("same-site", "cors", 403),
    ("nonsense", "cors", 403),
])
def test_other_sites_may_link_but_not_fetch(site, mode, status):
    headers = {"sec-fetch-site": site, "sec-fetch-mode": mode}
    assert CLIENT.get("/data/x", headers=headers).status_code == status


@pytest.mark.parametrize(("headers", "status"), [
    ({"origin": "http://localhost"}, 200),
    ({"sec-fetch-site": "same-origin"}, 200),
    ({"content-type": "application/json"}, 200),  # no other site can send this unasked
    ({"content-type": "application/x-ndjson"}, 200),
    ({}, 403),
    ({"content-type": "text/plain"}, 403),
    ({"content-type": "text/plain; application/json"}, 403),
    ({"content-type": "application/x-www-form-urlencoded"}, 403),
    ({"content-type": "multipart/form-data; boundary=x"}, 403),
    ({"sec-fetch-site": "same-site", "sec-fetch-mode": "navigate"}, 403),
    ({"sec-fetch-site": "cross-site", "content-type": "application/json"}, 403),
    ({"sec-fetch-site": "none", "sec-fetch-mode": "navigate", "content-type": "text/plain"}, 403),
])
def test_forms_of_other_sites_change_nothing(headers, status):
    assert CLIENT.post("/data/reload", headers=headers, content=b"").status_code == status


@pytest.mark.parametrize("path", [
    "/gradio_api/upload", "/gradio_api/upload_progress", "/gradio_api/file=/etc/passwd",
    "/gradio_api/file/etc/passwd", "/gradio_api/proxy=evil.example",
    "/gradio_api/stream/x", "/gradio_api/custom_component/x", "/gradio_api/dev/reload",
    "/gradio_api/queue/join", "/gradio_api/queue/data", "/gradio_api/call/x", "/gradio_api/info",
    "/gradio_api/component_server", "/gradio_api/heartbeat/x", "/gradio_api/startup-events",
    "/upload", "/monitoring", "/gradio_api/deep_link", "/gradio_api", "/config", "/config/",
    "/info", "/manifest.json",
    "/login", "/login/", "/logout", "/token", "/svelte/x", "/pwa_icon", "/docs", "/openapi.json",
    "/gradio_api/%66ile=/etc/passwd", "/theme.css/", "/anything", "/data", "/page",
    "/dataX/start", "/DATA/start",
])
def test_what_the_page_does_not_need_is_closed(path):
    for method in ("GET", "POST", "PUT"):
        answer = CLIENT.request(method, path, headers={"origin": "http://localhost"})
        assert (answer.status_code, answer.text) == (403, "This address is closed.")


@pytest.mark.parametrize("path", [
    "/", "/data/start", "/data/0123456789ab/examples/1,2,3", "/page/0123456789ab/main.js",
    "/assets/index-_X1.js", "/static/fonts/Source/a.woff2", "/theme.css", "/favicon.ico",
])
def test_what_the_page_needs_is_open(path):
    answer = CLIENT.get(path)
    assert (answer.status_code, answer.json()["path"]) == (200, path)


@pytest.mark.parametrize("path", [
    "/data/../config", "/data/..%2fconfig", "/data/%2e%2e/config", "/data//start", "//data/start",
    "/data/.env", "/static/..%5c..%5cx", "/static/%252e%252e/x", "/static/x%00.js", "/assets/a b",
    "/data/x%0d%0aset-cookie:a=b", "/data/%ff", "/data/\u202e", "/data/http:%2f%2fevil.example",
    "/page/x/C:%5cx", "/assets/~root/../x", "/data/x;y=1", "/data/<script>", "/.git/config",
    "/file=/../../etc/passwd", "/proxy=http://evil.example", "/data/*", "/data/$%7bx%7d",
])
def test_addresses_that_something_could_read_in_another_way_are_none(path):
    reached = asyncio.run(status_of_raw_path(path))
    assert reached in (403, 404)


async def status_of_raw_path(path: str) -> int:
    """Send a path as it is written, which clients would tidy up."""
    from urllib.parse import unquote

    statuses = []

    async def receive():
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message):
        statuses.append(message.get("status"))

    await Guard(make_app())({
        "type": "http", "method": "GET", "path": unquote(path), "raw_path": path.encode(),
        "query_string": b"", "headers": [(b"host", b"localhost")], "scheme": "http",
        "server": ("127.0.0.1", 80), "client": None, "http_version": "1.1", "root_path": "",
    }, receive, send)
    return statuses[0]


@pytest.mark.parametrize("path", [
    "http://evil.example/", "*", "", "data/start", "evil.example:443",
])
def test_a_target_that_is_no_path_is_none(path):
    assert asyncio.run(status_of_raw_path(path)) == 404


@pytest.mark.parametrize(("path", "methods"), [
    ("/", "GET, HEAD"), ("/page/x/main.js", "GET, HEAD"), ("/assets/x.js", "GET, HEAD"),
    ("/data/x", "GET, HEAD, POST, DELETE"),
])
def test_methods_that_are_not_used_are_refused(path, methods):
    origin = {"origin": "http://localhost"}
    for method in ANY_METHOD:
        answer = CLIENT.request(method, path, headers=origin)
        if method in methods.split(", "):
            assert answer.status_code == 200, method
        else:
            assert (answer.status_code, answer.headers["allow"]) == (405, methods), method


def test_what_is_sent_is_bounded_whether_its_length_is_said_or_not():
    headers = {"content-type": "application/json"}
    for content in (b"x" * MOST_BODY, iter([b"x" * (MOST_BODY - 1), b"x"])):
        answer = CLIENT.post("/data/x", content=content, headers=headers)
        assert answer.json()["size"] == MOST_BODY
    for content in (b"x" * (MOST_BODY + 1), iter([b"x"] * (MOST_BODY + 1))):
        answer = CLIENT.post("/data/x", content=content, headers=headers)
        assert answer.status_code == 413
        assert answer.json() == {"error": "At most 65,536 bytes may be sent to this address."}


@pytest.mark.parametrize("length", ["-1", "1e3", "٣", "99999999999999999999"])
def test_a_length_that_is_none_is_refused(length):
    headers = [("content-type", "application/json"), ("content-length", length.encode())]
    answer = CLIENT.post("/data/x", content=iter([b"x"]), headers=headers)
    assert answer.status_code == 413


@pytest.mark.parametrize(("path", "most"), [
    ("/data/x/findings/import", MOST_IMPORT), ("/data/x/live/picture", MOST_PICTURE),
])
def test_findings_and_pictures_may_be_larger(path, most):
    client = TestClient(Guard(make_app(), has_model=True), base_url="http://localhost")
    headers = {"content-type": "application/x-ndjson"}
    assert client.post(path, content=b"x" * (MOST_BODY + 1), headers=headers).status_code == 200
    assert client.post(path, content=b"x" * (most + 1), headers=headers).status_code == 413
    assert client.post(f"{path}/y", content=b"x" * (MOST_BODY + 1), headers=headers
                       ).status_code == 413


def test_pictures_may_not_where_no_model_can_be_asked():
    answer = CLIENT.post("/data/x/live/picture", content=b"x" * (MOST_BODY + 1),
                         headers={"content-type": "image/png"})
    assert answer.status_code == 413


def test_of_all_that_arrives_only_so_much_is_held():
    """One file is on its way and does not end; another is refused, what is small is not."""
    asyncio.run(several_bodies_at_once())


async def several_bodies_at_once() -> None:
    guard = Guard(make_app(), most_held=100_000)
    more, seen = asyncio.Event(), asyncio.Event()

    async def ask(path: str, size: int, *, is_whole: bool = True) -> int:
        sent = False
        statuses = []

        async def receive():
            nonlocal sent
            if sent:
                seen.set()
                await more.wait()
            body, sent = (b"" if sent else b"x" * size), True
            return {"type": "http.request", "body": body,
                    "more_body": not is_whole and not more.is_set()}

        async def send(message):
            statuses.append(message.get("status"))

        await guard({
            "type": "http", "method": "POST", "path": path, "raw_path": path.encode(),
            "query_string": b"", "scheme": "http", "server": ("127.0.0.1", 80), "client": None,
            "http_version": "1.1", "root_path": "",
            "headers": [(b"host", b"localhost"), (b"content-type", b"application/json")],
        }, receive, send)
        return statuses[0]

    path = "/data/x/findings/import"
    first = asyncio.create_task(ask(path, MOST_BODY + 90_000, is_whole=False))
    await seen.wait()
    assert await ask(path, MOST_BODY + 20_000) == 503
    assert await ask(path, MOST_BODY) == 200, "what is small takes no room"
    more.set()
    assert await first == 200
    assert await ask(path, MOST_BODY + 20_000) == 200, "and there is room again"


def test_reading_sends_nothing():
    answer = CLIENT.request("GET", "/data/x", content=b"x")
    assert answer.status_code == 400
    assert answer.json() == {"error": "A request that reads may not send anything."}


def test_what_a_visitor_says_of_proxies_does_not_reach_gradio():
    answer = CLIENT.get("/", headers={
        "x-forwarded-host": "evil.example", "X-Forwarded-Proto": "https", "forwarded": "host=e",
        "x-gradio-server": "http://evil.example", "x-original-url": "/config", "accept": "x",
    })
    assert answer.json()["headers"] == ["accept", "connection", "host", "user-agent"]


def test_queries_reach_the_data_routes_alone():
    assert CLIENT.get("/?deep_link=../../x").json()["query"] == ""
    assert CLIENT.get("/theme.css?v=1").json()["query"] == ""
    assert CLIENT.get("/data/x?run=a").json()["query"] == "run=a"


@pytest.mark.parametrize("path", ["/data/start", "/user/x/data/start"], ids=["stripped", "whole"])
def test_a_proxy_may_strip_its_path_or_not(path):
    answer = make_client(Access(root_path="/user/x")).get(f"{path}?a=1").json()
    assert (answer["path"], answer["root"], answer["query"]) == ("/data/start", "", "a=1")


@pytest.mark.parametrize(("path", "status"), [
    ("/user/x/", 200), ("/user/x/config", 403), ("/user/x/user/x/data/y", 403),
    ("/user/xy/data/start", 403), ("/user/x/../data/start", 404), ("/user/x//data/start", 404),
    ("/user/X/data/start", 403),
])
def test_under_a_root_path_the_same_is_open(path, status):
    client = make_client(Access(root_path="/user/x"))
    assert client.get(f"http://localhost{path.replace('..', '%2e%2e')}").status_code == status


def test_the_root_path_without_its_slash_is_led_to_it():
    client = make_client(Access(root_path="/user/x"))
    answer = client.get("/user/x?run=a")
    assert (answer.status_code, answer.headers["location"]) == (307, "/user/x/?run=a")
    assert client.get("/user/x", headers={"host": "evil.example"}).status_code == 400


@pytest.mark.parametrize("headers", [{}, {"host": "evil.example"}], ids=["served", "refused"])
def test_every_answer_has_the_security_headers(headers):
    answer = CLIENT.get("/data/x", headers=headers)
    expected = security_headers()
    assert {name: answer.headers[name] for name in expected} == expected


def test_headers_of_the_app_itself_are_kept_once():
    app = FastAPI()

    @app.get("/data/x")
    def _own() -> None:
        from fastapi import Response

        return Response(headers={"Referrer-Policy": "no-referrer"})

    answer = TestClient(Guard(app), base_url="http://localhost").get("/data/x")
    assert answer.headers.get_list("referrer-policy") == ["no-referrer"]
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("headers", [{}, {"origin": "http://evil.example"}])
def test_there_are_no_sockets(headers):
    for path in ("/", "/data/x", "/gradio_api/queue/join"):
        with pytest.raises(WebSocketDisconnect) as closed:
            with CLIENT.websocket_connect(f"ws://localhost{path}", headers=headers):
                pass
        assert closed.value.code == 1008
