"""A page behind a password: what is seen without it, how one gets in and out."""

from __future__ import annotations

import re
from urllib.parse import quote

import pytest
from fastapi import FastAPI, Request
from fastapi.testclient import TestClient

from inspector.server.access import Access
from inspector.server.guard import Guard
from inspector.server.login import ENDED, Login
from inspector.server.login_page import LOGIN_HEADERS, login_page
from inspector.server.login_words import WORDS, login_words
from inspector.server.passwords import Password
from inspector.server.sessions import Attempts, Sessions, viewer_of

WORD = "correct horse"
PASSWORD = Password.of(WORD)
NAVIGATION = {"sec-fetch-mode": "navigate", "accept": "text/html"}
MARKUP = '"><script>alert(1)</script><img src=x onerror=alert(1)>'


class Served:
    """A guarded app behind a password, with a clock of its own."""

    def __init__(self, access: Access | None = None, *, base: str = "http://localhost") -> None:
        app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)

        @app.api_route("/{path:path}", methods=["GET", "POST", "DELETE"])
        def _anything(path: str, request: Request) -> str:
            return viewer_of(request.scope).name

        self.now = 0.0
        clock = lambda: self.now  # noqa: E731
        self.login = Login(
            PASSWORD, sessions=Sessions(clock, idle=100, longest=1000),
            attempts=Attempts(clock, most=3, most_in_all=5, seconds=60),
        )
        self.guard = Guard(app, access or Access(password=PASSWORD), login=self.login)
        self.base = base
        self.client = self.browser()

    def browser(self, address: str = "testclient") -> TestClient:
        """Open another browser, perhaps at another address."""
        return TestClient(
            self.guard, base_url=self.base, follow_redirects=False, client=(address, 50000)
        )

    def log_in(self, client: TestClient | None = None, *, password: str = WORD, name: str = "",
               following: str = "", headers: dict[str, str] | None = None):
        return (client or self.client).post(
            "/login", data={"password": password, "name": name, "next": following},
            headers={"origin": self.base, **(headers or {})},
        )


@pytest.fixture
def served() -> Served:
    return Served()


@pytest.mark.parametrize("path", [
    "/", "/data/start", "/page/x/main.js", "/assets/x.js", "/theme.css", "/config",
    "/gradio_api/info", "/gradio_api/upload", "/anything",
])
def test_scripts_are_told_that_nobody_is_logged_in(served, path):
    for method in ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"):
        answer = served.client.request(method, path, headers={"origin": "http://localhost"})
        assert answer.status_code == 401, method
        if method != "HEAD":
            assert answer.json() == {"error": ENDED}
        assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(("path", "location"), [
    ("/", "login"),
    ("/?run=a&x=%2F", "login?next=%3Frun%3Da%26x%3D%252F"),
    ("/?", "login"),
    ("/theme.css", "login"),
    ("/data/start?x=1", "../login"),
    ("/data/v/pictures/1", "../../../login"),
])
def test_people_are_led_to_the_login_wherever_a_proxy_shows_it(served, path, location):
    answer = served.client.get(path, headers=NAVIGATION)
    assert (answer.status_code, answer.headers["location"]) == (303, location)
    old = served.client.get(path, headers={"accept": "text/html,*/*"})  # says no mode
    assert (old.status_code, old.headers["location"]) == (303, location)


def test_the_login_is_all_that_is_seen(served):
    answer = served.client.get("/login")
    assert answer.status_code == 200
    assert not re.search(r"<script|src=|[0-9a-f]{12}|\d+\.\d+\.\d+", answer.text.replace(
        "-apple-system", ""))
    assert {k: answer.headers[k] for k in LOGIN_HEADERS} == LOGIN_HEADERS
    assert "script" not in answer.headers["content-security-policy"]
    assert "server" not in answer.headers


def test_the_right_password_opens_and_the_name_is_kept(served):
    answer = served.log_in(name=" Ada\x00 \u202eB. ")
    assert (answer.status_code, answer.headers["location"]) == (303, "./")
    assert served.client.get("/data/x").json() == "Ada B."
    assert served.browser().get("/data/x").status_code == 401


@pytest.mark.parametrize("password", ["", "correct hors", "correct horse ", "x" * 5000, "é" * 500])
def test_a_wrong_password_does_not(served, password):
    answer = served.log_in(password=password)
    assert answer.status_code == 401
    assert "Wrong password. Type it again." in answer.text
    assert "set-cookie" not in answer.headers
    assert served.client.get("/data/x").status_code == 401


def test_a_script_may_send_the_line_of_a_file(served):
    assert served.log_in(password=f"{WORD}\n").status_code == 303


def test_the_cookie_is_for_this_page_alone(served):
    cookie = served.log_in().headers["set-cookie"]
    assert re.fullmatch(r"inspector-[0-9a-f]{8}=[\w-]{43}; HttpOnly; SameSite=Lax", cookie)
    # no Path: browsers take the folder of /login as they see it; no Domain: this host alone
    assert Served().login.cookie != served.login.cookie


@pytest.mark.parametrize(("base", "headers"), [
    ("https://localhost", {}), ("http://localhost", {"origin": "https://localhost"}),
])
def test_over_https_the_cookie_stays_there(base, headers):
    served = Served(base=base)
    assert served.log_in(headers=headers).headers["set-cookie"].endswith("; Secure")


@pytest.mark.parametrize("value", ["", "x", "x" * 43, "../../etc/passwd", '"', "\xff"])
def test_a_cookie_of_ones_own_opens_nothing(served, value):
    cookie = f"{served.login.cookie}={value}".encode("latin1")
    assert served.client.get("/data/x", headers={"cookie": cookie}).status_code == 401


def test_a_cookie_that_somebody_put_beside_it_does_not_log_out(served):
    token = served.log_in().headers["set-cookie"].partition(";")[0]
    client = served.browser()
    for cookie in (f"{served.login.cookie}=x; {token}", f"{token}; {served.login.cookie}=x"):
        assert client.get("/data/x", headers={"cookie": cookie}).status_code == 200


def test_a_login_ends_the_session_before_it(served):
    old = served.log_in().headers["set-cookie"].partition(";")[0]
    new = served.log_in().headers["set-cookie"].partition(";")[0]
    assert old != new
    client = served.browser()
    assert client.get("/data/x", headers={"cookie": old}).status_code == 401
    assert client.get("/data/x", headers={"cookie": new}).status_code == 200


def test_a_session_ends_when_it_is_not_used(served):
    served.log_in()
    for _ in range(3):
        served.now += 99
        assert served.client.get("/data/x").status_code == 200
    served.now += 101
    assert served.client.get("/data/x").status_code == 401


def test_logging_out_ends_the_session_itself(served):
    cookie = served.log_in().headers["set-cookie"].partition(";")[0]
    assert served.client.get("/logout").status_code == 200  # asks first
    assert served.client.get("/data/x").status_code == 200
    answer = served.client.post("/logout", headers={"origin": "http://localhost"})
    assert (answer.status_code, answer.headers["location"]) == (303, "login?out")
    assert answer.headers["set-cookie"].endswith("; Max-Age=0")
    assert answer.headers["clear-site-data"] == '"cache"'
    stolen = served.browser().get("/data/x", headers={"cookie": cookie})
    assert stolen.status_code == 401
    assert "You are logged out." in served.client.get("/login?out").text
    assert served.client.get("/logout").headers["location"] == "login"


@pytest.mark.parametrize("path", ["/login", "/logout"])
@pytest.mark.parametrize("headers", [
    {"origin": "http://evil.example"}, {"origin": "null"}, {},
    {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"},
    {"origin": "http://localhost", "host": "evil.example"},
])
def test_other_sites_can_log_nobody_in_or_out(served, path, headers):
    served.log_in()
    data = {"password": WORD, "name": "Eve"}
    answer = served.client.post(path, data=data, headers=headers)
    assert answer.status_code in (400, 403)
    assert "set-cookie" not in answer.headers
    assert served.client.get("/data/x").json() == ""  # still who it was


@pytest.mark.parametrize("following", [
    "?run=a&example=7", "?", "?q=%E2%82%AC%0A", "?next=http://evil.example",
])
def test_the_view_that_was_asked_for_is_led_to(served, following):
    answer = served.log_in(following=following)
    assert answer.headers["location"] == f"./{following}"


@pytest.mark.parametrize("following", [
    "http://evil.example", "//evil.example", "/\\evil.example", "\\\\evil.example", "evil.example",
    "javascript:alert(1)", "/data/reload", "logout", "../x", "?a\r\nset-cookie: b=c", "?a\nb", "?é",
    " ?a", "?a b", "?" + "x" * 5000, "@evil.example", ".evil.example", "\t//evil.example",
])
def test_nobody_is_led_elsewhere(served, following):
    page = served.client.get(f"/login?next={quote(following)}").text
    assert 'name="next" value=""' in page
    answer = served.log_in(following=following)
    assert answer.headers["location"] == "./"
    assert answer.headers.get_list("set-cookie")[0].startswith("inspector-")


def test_markup_in_what_is_typed_stays_text(served):
    answer = served.log_in(password="wrong", name=MARKUP, following=f"?{quote(MARKUP)}")
    assert "<script" not in answer.text and "<img" not in answer.text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in answer.text
    page = login_page(following=f"?{MARKUP}", name=MARKUP, wrong=MARKUP, said=MARKUP)
    assert "<script" not in page and "<img" not in page


def test_a_name_is_cut_at_60_letters(served):
    served.log_in(name="x" * 100)
    assert served.client.get("/data/x").json() == "x" * 60


def test_guessing_is_slowed_down_for_one_and_for_all(served):
    for _ in range(3):
        assert served.log_in(password="wrong one").status_code == 401
    served.now += 10
    answer = served.log_in()  # even with the right one, or it would tell that it is right
    assert (answer.status_code, answer.headers["retry-after"]) == (429, "50")
    assert "There were too many wrong passwords. Try again in a minute." in answer.text
    other = served.browser("192.0.2.9")
    assert served.log_in(other).status_code == 303  # another address is not held up
    for address in ("192.0.2.1", "192.0.2.2"):
        assert served.log_in(served.browser(address), password="wrong").status_code == 401
    assert served.log_in(served.browser("192.0.2.3")).status_code == 429  # all together
    assert other.get("/data/x").status_code == 200  # who is in stays in
    served.now += 50
    assert served.log_in().status_code == 303


@pytest.mark.parametrize(("content", "kind", "status"), [
    (b"", "application/x-www-form-urlencoded", 401),
    (b"password=" + b"x" * 9000, "application/x-www-form-urlencoded", 413),
    (b"&".join(b"a%d=1" % n for n in range(100)), "application/x-www-form-urlencoded", 401),
    (b"\xff\x00=", "application/x-www-form-urlencoded", 401),
    (b'{"password": "correct horse"}', "application/json", 415),
    (b"--x--", "multipart/form-data; boundary=x", 415),
    (b"password=correct+horse", "", 415),
])
def test_what_is_no_form_is_refused_in_words(served, content, kind, status):
    headers = {"origin": "http://localhost", "content-type": kind}
    answer = served.client.post("/login", content=content, headers=headers)
    assert answer.status_code == status
    assert "Traceback" not in answer.text and "set-cookie" not in answer.headers


def test_other_ways_to_ask_for_the_login_are_refused(served):
    for method in ("PUT", "DELETE", "PATCH", "OPTIONS"):
        answer = served.client.request(method, "/login", headers={"origin": "http://localhost"})
        assert (answer.status_code, answer.headers["allow"]) == (405, "GET, HEAD, POST")


def test_who_is_logged_in_is_led_to_the_page(served):
    served.log_in()
    assert served.client.get("/login").headers["location"] == "./"
    assert served.client.get("/config").status_code == 403  # and what is closed stays closed


def test_answers_are_not_kept_for_the_next_person(served):
    served.log_in()
    assert served.client.get("/").headers["cache-control"] == "private, no-cache"
    assert served.client.get("/data/x").headers["cache-control"] == "private, no-cache"


def test_without_a_password_there_is_no_login():
    client = TestClient(Guard(FastAPI()), base_url="http://localhost")
    assert client.get("/login").status_code == 403
    assert client.post("/login", headers={"origin": "http://localhost"}).status_code == 403


@pytest.mark.parametrize(("accepted", "language"), [
    ("", "en"), ("zh", "zh"), ("zh-CN,zh;q=0.9,en;q=0.8", "zh"), ("en;q=0.8,zh-TW;q=0.9", "zh"),
    ("en-GB,zh;q=0.9", "en"), ("fr,de;q=0.5", "en"), ("fr, ZH;q=0.1", "zh"), ("zh;q=0,en", "en"),
    ("zh;q=nan", "en"), ("zh;q=, en", "en"), ("zh;q=7", "en"), (",;,=;q", "en"),
])
def test_the_login_speaks_the_language_that_the_browser_asks_for(served, accepted, language):
    assert login_words(accepted) is WORDS[language]
    answer = served.client.get("/login", headers={"accept-language": accepted})
    assert f'<html lang="{WORDS[language]["tag"]}">' in answer.text
    assert WORDS[language]["protected"] in answer.text


def test_every_word_of_the_login_is_there_in_every_language(served):
    english = WORDS["en"]
    for language, words in WORDS.items():
        assert list(words) == list(english), language
        assert all(words.values())
        if language != "en":
            assert not [key for key, value in words.items() if re.search("[a-z]{2}", value.replace(
                "{minutes}", "")) and key != "tag"], language
            assert {key for key, value in words.items() if "{minutes}" in value} == {"wait"}
    chinese = {"accept-language": "zh-CN"}
    for _ in range(3):
        answer = served.log_in(password="no", headers=chinese)
        assert WORDS["zh"]["wrong"] in answer.text
    assert WORDS["zh"]["wait-one"] in served.log_in(password="no", headers=chinese).text
