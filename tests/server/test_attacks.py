"""The whole app, gradio included, as somebody meets it who should not get in, or not further."""

from __future__ import annotations

import asyncio
import json
import os
import re
from collections.abc import Iterator
from urllib.parse import quote

import pytest

from inspector import __version__
from inspector.findings.store import open_store
from inspector.live import Desk
from inspector.server.access import LOCAL, Access
from inspector.server.addresses import OPEN, methods_of
from inspector.server.login import ENDED
from inspector.server.passwords import Password
from inspector.server.pointer import Pointer
from inspector.ui.mount import build_app
from tests.server.asking import Asker
from tests.server.routes import routes_of
from tests.server.test_live import FakeModel

WORD = "correct horse"
EVERY_METHOD = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE")
OWN = {"origin": "http://localhost"}

REVIEWED = {
    # What is open, and why a visitor can do no harm with it. A route that is missing here has not
    # been looked at: does it take a path, an expression, an address to fetch, or text that others
    # see? Is what it takes bounded, and is it refused in words? Then add it.
    "/": "the page; gradio sees no query",
    "/page/{version}/{name}": "a name out of the fixed list of the page's files",
    "/assets/{path:path}": "files of gradio's package, by a plain path below one folder",
    "/static/{path:path}": "files of gradio's package, by a plain path below one folder",
    "/theme.css": "fixed text",
    "/favicon.ico": "fixed picture",
    "/robots.txt": "fixed text",
    "/data/start": "rules out of fixed lists",
    "/data/reload": "reads the files again that the command named, changes nothing",
    "/data/problems": "the problems found in the data",
    "/data/pointer": "a view by the keys of the address, bounded; the program reads it as a filter",
    "/data/{version}/order": "filters; regular expressions run in linear time (RE2)",
    "/data/{version}/window": "filters, and two bounded numbers",
    "/data/{version}/counts": "filters",
    "/data/{version}/scatter": "filters and the name of a run",
    "/data/{version}/describe": "filters",
    "/data/{version}/ids": "nothing but the version",
    "/data/{version}/referents": "nothing but the version",
    "/data/{version}/images": "nothing but the version",
    "/data/{version}/examples/{places}": "up to 64 indexes",
    "/data/{version}/rows/{places}": "up to 64 indexes and the name of a run",
    "/data/{version}/panels/{key}": "a key out of a fixed list, names of runs",
    "/data/{version}/pictures/{row}": "an index",
    "/data/{version}/thumbnails/{row}": "an index",
    "/data/{version}/figures/{name}": "an index with one of two endings",
    "/data/{version}/sheet.{kind}": "filters and one of two endings",
    "/data/{version}/export/rows.{kind}": "filters and one of three endings",
    "/data/{version}/export/masks.{kind}": "filters and one of two endings",
    "/data/{version}/report": "filters and a title, which the report holds as text",
    "/data/{version}/report/{token}": "a token that the server gave out",
    "/data/{version}/report/{token}.html": "a token that the server gave out; sent as a file",
    "/data/{version}/live": "an index and a sentence of at most 500 letters, for the user's model",
    "/data/{version}/live/{ticket}": "a token that the server gave out",
    "/data/{version}/live/picture": "a picture, bounded in bytes and pixels, kept in memory only",
    "/data/{version}/live/picture/{token}": "a token that the server gave out",
    "/data/{version}/findings": "an index, a run, a field and text; written only by who may",
    "/data/{version}/findings/undo": "the client's own last change",
    "/data/{version}/findings/redo": "the client's own last change",
    "/data/{version}/findings/summary": "the name of a run",
    "/data/{version}/findings/panel": "the name of a run",
    "/data/{version}/findings/import": "lines, checked as a whole before any is kept",
    "/data/{version}/findings.jsonl": "the findings",
    "/data/{version}/findings.csv": "the findings, safe for spreadsheets",
    "/data/{version}/queues": "a run, a size, a way to draw",
    "/data/{version}/queues/{number}": "a number that the server gave out",
    "/data/{version}/views": "a name and known keys of the address",
}
SIMPLE = re.compile(r"/|/data/|/page/|/assets/|/static/|/theme\.css|/favicon\.ico|/robots\.txt")
TRAVERSAL = (
    "..", "../", "../../../../etc/passwd", "..%2f..%2f..%2f..%2fetc%2fpasswd",
    "%2e%2e%2fetc%2fpasswd",
    "%252e%252e%252fetc%252fpasswd", "..%5c..%5cetc%5cpasswd", "..%c0%af..%c0%afetc/passwd",
    "/etc/passwd", "%2fetc%2fpasswd", "file:%2f%2f%2fetc%2fpasswd", "....//....//etc/passwd",
    "~root", "C:%5cwindows%5cwin.ini", "..;/etc/passwd", "x%00.js", ".env", "%2e",
    "http:%2f%2fe.example",
    "0x1", "-1", "1e3", "٣", "%d9%a3", "9999999999", "1,", "1;2", "[0]", "{version}", "NaN", "",
    "__class__", "x" * 5000, "' or 1=1 --", "%3Cscript%3E", "app.py", "pyproject.toml",
)


@pytest.fixture(scope="module")
def app(demo_workspace, tmp_path_factory):
    """The app with everything that can be switched on, behind a password."""
    desk = Desk(FakeModel())
    yield build_app(
        demo_workspace, access=Access(password=Password.of(WORD)),
        reopen=lambda workspace: workspace, live=desk, pointer=Pointer(),
        findings=open_store(tmp_path_factory.mktemp("findings") / "inspector.findings.sqlite"),
    )
    desk.close()


@pytest.fixture(scope="module")
def inner(app):
    """What is behind the guard."""
    return app._app


@pytest.fixture(scope="module")
def stranger(app) -> Iterator[Asker]:
    """Somebody who does not know the password."""
    asker = Asker(app)
    yield asker
    asker.close()


@pytest.fixture(scope="module")
def visitor(app, stranger) -> Iterator[Asker]:
    """Somebody who knows the password."""
    form = {**OWN, "content-type": "application/x-www-form-urlencoded"}
    answer = stranger("POST", "/login", headers=form, body=f"password={quote(WORD)}".encode())
    assert answer.status == 303
    asker = Asker(app, headers={"cookie": answer.headers["set-cookie"].partition(";")[0]})
    yield asker
    asker.close()


def test_the_list_of_routes_is_whole(inner):
    paths = {route.path for route in routes_of(inner)}
    assert {"/data/start", "/page/{version}/{name}"} <= paths
    assert {"/config", "/gradio_api/upload", "/gradio_api/queue/join"} <= paths  # gradio's, nested
    assert len(paths) > 60


def test_every_route_is_closed_or_has_been_reviewed(inner):
    open_routes = {route.path for route in routes_of(inner) if methods_of(route.filled("x"))}
    unknown = sorted(open_routes - set(REVIEWED))
    assert not unknown, f"look at these routes, then add them to REVIEWED with a reason: {unknown}"
    assert set(REVIEWED) <= open_routes  # nothing that has gone


def test_what_is_said_to_be_open_is_there(inner):
    paths = [route.path for route in routes_of(inner)]
    for address in OPEN:
        assert SIMPLE.fullmatch(address.path), address
        assert any(address.holds(path) for path in paths), address


def test_only_gradios_own_files_are_taken_by_a_path(inner):
    by_path = {r.path for r in routes_of(inner) if ":path}" in r.path and methods_of(r.filled("x"))}
    assert by_path == {"/assets/{path:path}", "/static/{path:path}"}


def test_no_parameter_is_a_path_an_expression_or_an_address(inner):
    from inspect import signature

    named = {"version", "places", "row", "key", "name", "kind", "token", "ticket", "number",
             "path"}
    for route in routes_of(inner):
        if methods_of(route.filled("x")):
            assert set(route.parameters) <= named, route
    for route in inner.routes:
        for name in signature(route.endpoint).parameters if hasattr(route, "endpoint") else ():
            assert not re.search(r"path|url|file|uri|code|expr|eval|host|command", name), route


def test_without_the_password_every_route_in_every_way_is_closed(inner, stranger):
    for route in routes_of(inner):
        for method in EVERY_METHOD:
            path = route.filled("0")
            for headers in (OWN, {"content-type": "application/json"}):
                answer = stranger(method, path, headers=headers)
                if path in ("/login", "/logout"):  # the guard's own, see test_login
                    assert answer.status in (200, 303, 401, 405, 415), (method, path)
                    assert "set-cookie" not in answer.headers or "Max-Age=0" in (
                        answer.headers["set-cookie"])
                    continue
                if method == "POST" and headers is not OWN:
                    assert answer.status in (401, 403)
                    continue
                assert answer.status == 401, (method, path)
                assert method == "HEAD" or answer.json() == {"error": ENDED}


def test_without_the_password_people_see_the_login(inner, stranger, demo_workspace):
    headers = {"sec-fetch-mode": "navigate", "accept": "text/html"}
    for route in routes_of(inner):
        answer = stranger("GET", route.filled("0"), headers=headers)
        if route.path not in ("/login", "/logout"):
            assert answer.status == 303, route
            assert re.fullmatch(r"(\.\./)*login", answer.headers["location"]), route
        seen = f"{answer.text}{dict(answer.headers)}"
        assert demo_workspace.version not in seen and __version__ not in seen
        assert "gradio" not in seen.casefold() and "uvicorn" not in seen.casefold()


def test_streams_wait_behind_the_password_too(stranger):
    for path in ("/gradio_api/queue/data?session_hash=x", "/gradio_api/heartbeat/x",
                 "/data/x/live/x"):
        answer = stranger("GET", path, headers={"accept": "text/event-stream"})
        assert (answer.status, answer.json()) == (401, {"error": ENDED})


def test_sockets_are_closed_at_once(app):
    for path in ("/gradio_api/queue/join", "/data/x/live/x", "/"):
        sent = []

        async def send(message, sent=sent):
            sent.append(message)

        async def receive():
            return {"type": "websocket.connect"}

        scope = {"type": "websocket", "path": path, "headers": [(b"host", b"localhost")]}
        asyncio.run(app(scope, receive, send))
        assert sent == [{"type": "websocket.close", "code": 1008}]


def test_the_page_is_told_who_looks(visitor, demo_workspace):
    viewer = visitor("GET", "/data/start").json()["viewer"]
    assert viewer == {"name": "", "isLoggedIn": True}
    ask = Asker(build_app(demo_workspace))
    assert ask("GET", "/data/start").json()["viewer"] == {"name": "", "isLoggedIn": False}
    ask.close()


def test_with_the_password_gradios_own_addresses_stay_closed(inner, visitor):
    closed = 0
    for route in routes_of(inner):
        if methods_of(route.filled("x")) or route.path in ("/login", "/logout"):
            continue
        for method in EVERY_METHOD:
            answer = visitor(method, route.filled("x"), headers=OWN)
            assert answer.status == 403, (method, route)
        closed += 1
    assert closed > 25


def test_nothing_can_be_uploaded(visitor):
    body = (b'--x\r\nContent-Disposition: form-data; name="files"; filename="evil.html"\r\n'
            b"Content-Type: text/html\r\n\r\n<script>alert(1)</script>\r\n--x--\r\n")
    headers = {**OWN, "content-type": "multipart/form-data; boundary=x"}
    for path in ("/gradio_api/upload", "/upload", "/data/start", "/page/x/main.js", "/",
                 "/gradio_api/upload?upload_id=x", "/data/upload"):
        for method in ("POST", "PUT"):
            answer = visitor(method, path, headers=headers, body=body)
            assert answer.status in (403, 404, 405), (method, path)


def test_nothing_is_fetched_for_a_visitor(visitor):
    for path in ("/gradio_api/proxy=http://127.0.0.1:1/", "/proxy=http://127.0.0.1:1/",
                 "/gradio_api/file=http://127.0.0.1:1/x", "/file=http://127.0.0.1:1/x",
                 "/data/http://127.0.0.1:1/x", "http://127.0.0.1:1/", "//127.0.0.1:1/x"):
        assert visitor("GET", path).status in (403, 404), path
    page = visitor("GET", "/?deep_link=..%2f..%2fx&view=api&__theme=x").text
    assert page == visitor("GET", "/").text


def test_every_parameter_of_an_address_withstands_traversal(inner, visitor, demo_workspace):
    tried = 0
    for route in routes_of(inner):
        if not methods_of(route.filled("x")):
            continue
        for method in set(route.methods) & {"GET", "POST", "DELETE"}:
            for parameter in route.parameters:
                for text in TRAVERSAL:
                    path = route.filled(text, at=parameter)
                    if parameter != "version":
                        path = path.replace("/data/x/", f"/data/{demo_workspace.version}/")
                    body, kind = (b"{}", {"content-type": "application/json"})
                    if method != "POST":
                        body, kind = b"", {}
                    answer = visitor(method, path, headers={**OWN, **kind}, body=body)
                    _check_harmless(answer, f"{method} {path}"[:200])
                    assert answer.status != 200 or parameter == "key", (method, path)
                    tried += 1
    assert tried > 500


def _check_harmless(answer, what: str) -> None:
    if answer.status in (303, 307):  # starlette leads to an address without its last slash
        location = answer.headers["location"]
        assert location.startswith(("http://localhost/", "./")), what
        return
    assert answer.status in (200, 400, 403, 404, 405, 410, 413, 415, 422), what
    assert "root:" not in answer.text and "Traceback" not in answer.text, what
    assert "text/html" not in answer.headers.get("content-type", ""), what
    assert "script-src" not in answer.headers["content-security-policy"], what
    assert answer.headers["x-content-type-options"] == "nosniff", what


KEYS = (
    "run", "sort", "sentence", "match", "iou", "category", "slice", "against", "outcome", "flag",
    "view", "published", "other_iou", "truth", "offset", "limit", "layer", "scale", "failure",
    "example",
)
VALUES = (
    "../../etc/passwd", "<script>alert(1)</script>", "'; DROP TABLE examples; --", "\x00", "\udc80",
    "x" * 3000, "1e999..nan", "(a+)+$", "__import__('os')", "-1", "{0.__class__}", "%00%ff",
)


def test_every_key_of_an_address_withstands_it(inner, visitor, demo_workspace):
    """By default each key meets one of the values on each route, at full size all of them."""
    is_long = os.environ.get("INSPECTOR_LONG") == "1"
    for number, route in enumerate(routes_of(inner)):
        if "GET" not in route.methods or not route.path.startswith("/data/"):
            continue
        path = route.path.replace("{version}", demo_workspace.version)
        path = re.sub(r"\{(\w+)\}", "0", path)
        for place, key in enumerate(KEYS):
            chosen = VALUES if is_long else [VALUES[(number + place) % len(VALUES)]]
            for value in chosen:
                query = quote(value, safe="", errors="surrogatepass")
                target = f"{path}?{key}={query}"
                _check_harmless(visitor("GET", target), target[:200])


def test_gradios_folders_end_at_their_walls(visitor):
    script = re.search(r"\./assets/([\w.-]+\.js)", visitor("GET", "/").text)[1]
    assert visitor("GET", f"/assets/{script}").status == 200
    for prefix in ("/assets/", "/static/", "/page/x/", "/assets/../assets/"):
        for text in TRAVERSAL:
            answer = visitor("GET", f"{prefix}{text}")
            assert answer.status in (303, 307, 400, 403, 404), (prefix, text)


def test_the_document_names_no_address_but_relative_ones(app, visitor):
    page = visitor("GET", "/", headers={"x-forwarded-host": "evil.example",
                                     "x-forwarded-proto": "https"}).text
    assert "evil.example" not in page
    tags = re.sub(r"(?s)<script.*?</script>", "", page)
    assert re.findall(r'(?:src|href|content)="(?:https?:)?/+[^"]*"', tags) == []
    assert "new URL('.', location.href)" in page
    assert "const root = window.gradio_config.root;" in page
    config = re.search(r"window\.gradio_config = (\{.*?\});window", page, re.DOTALL)[1]
    assert isinstance(json.loads(config), dict)


def test_the_local_page_refuses_other_sites_for_every_route(demo_workspace):
    app = build_app(demo_workspace, access=LOCAL)
    ask = Asker(app, headers={"host": "127.0.0.1:7860"})
    for route in routes_of(app._app):
        path = route.filled("0")
        for headers, status in (
            ({"host": "evil.example:7860"}, 400),
            ({"host": "127.0.0.1.evil.example:7860"}, 400),
            ({"origin": "http://evil.example"}, 403),
            ({"origin": "null"}, 403),
            ({"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"}, 403),
            ({"sec-fetch-site": "same-site", "sec-fetch-mode": "cors"}, 403),
        ):
            for method in route.methods:
                answer = ask(method, path, headers=headers)
                assert answer.status == status, (method, path, headers)
                assert "access-control-allow-origin" not in answer.headers
    ask.close()
