"""The content security policies."""

from __future__ import annotations

import base64
import hashlib

from fastapi import FastAPI
from fastapi.responses import HTMLResponse
from fastapi.testclient import TestClient

from inspector.server.access import Access
from inspector.server.guard import Guard
from inspector.server.headers import page_policy, security_headers

PAGE = (
    "<html><script>let a = '<b>';\r\n</script><SCRIPT type='module' SRC='./x.js'></SCRIPT>"
    '<img src=x onerror="alert(1)"><script data-x>b()</script ></html>'
)


def directives(policy: str) -> dict[str, set[str]]:
    return {key: set(rest) for key, *rest in (part.split() for part in policy.split("; "))}


def digest(script: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"


def test_the_page_runs_its_own_scripts_and_those_that_it_came_with():
    allowed = directives(page_policy(PAGE))["script-src"]
    assert allowed == {
        "'self'", "'unsafe-eval'", digest("let a = '<b>';\n"), digest("b()"),
    }


def test_nothing_is_loaded_from_elsewhere():
    for policy in (page_policy(PAGE), security_headers()["content-security-policy"]):
        found = directives(policy)
        assert found["default-src"] == {"'none'"}
        assert found["frame-ancestors"] == {"'self'"}
        assert not {"*", "http:", "https:"} & set().union(*found.values())
        assert "http" not in policy


def test_an_answer_that_is_not_the_page_runs_no_script():
    found = directives(security_headers()["content-security-policy"])
    assert "script-src" not in found and found["default-src"] == {"'none'"}


def test_a_notebook_of_this_machine_may_frame_the_page_if_asked():
    for policy in (page_policy(PAGE, framed_locally=True),
                   security_headers(framed_locally=True)["content-security-policy"]):
        assert directives(policy)["frame-ancestors"] == {
            "'self'", "http://localhost:*", "http://127.0.0.1:*",
        }


def test_the_page_alone_gets_the_policy_of_a_page():
    app = FastAPI()

    @app.get("/{path:path}")
    def _page(path: str) -> HTMLResponse:
        return HTMLResponse(PAGE)

    client = TestClient(Guard(app, Access(framed_locally=True)), base_url="http://localhost")
    answer = client.get("/")
    assert answer.text == PAGE
    policies = answer.headers.get_list("content-security-policy")
    assert policies == [page_policy(PAGE, framed_locally=True)]
    other = client.get("/data/x").headers["content-security-policy"]
    assert other == security_headers(framed_locally=True)["content-security-policy"]
