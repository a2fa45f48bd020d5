"""Login and logout of a page with a password: one gate for all that is behind it."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable
from urllib.parse import parse_qs, quote

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from inspector.server.addresses import READ
from inspector.server.bodies import content_type
from inspector.server.login_page import LOGIN_HEADERS, MOST_NAME, login_page, logout_page
from inspector.server.login_words import login_words
from inspector.server.passwords import Password
from inspector.server.sessions import Attempts, Sessions, Viewer

PATHS = ("/login", "/logout")
MOST_FORM = 8 * 1024  # bytes
ENDED = (
    "You are not logged in, or your session has ended. Reload the page to log in; the address "
    "keeps the view."
)
_FOLLOWING = re.compile(r"\?[!-~]{0,4000}")  # a query and nothing before it: no path, no host


class Login:
    """Knows who is logged in and answers ``/login`` and ``/logout``.

    The cookie has no ``Path``: browsers then take the folder of ``/login`` as they see it, which
    is right under every proxy, whether it strips its path or not. Its name differs from server to
    server, since cookies do not know ports: two pages on one host would log each other out.

    Args:
        password: What visitors must know.
        sessions: Who is logged in.
        attempts: How often somebody may guess.
    """

    def __init__(
        self, password: Password, *, sessions: Sessions | None = None,
        attempts: Attempts | None = None,
    ) -> None:
        self._password = password
        self._sessions = sessions if sessions is not None else Sessions()
        self._attempts = attempts if attempts is not None else Attempts()
        self.cookie = f"inspector-{secrets.token_hex(4)}"

    def viewer(self, request: Request) -> Viewer | None:
        """Give who asks; None if nobody is logged in."""
        found = (self._sessions.find(token) for token in self._tokens(request))
        return next((viewer for viewer in found if viewer), None)

    def refuse(self, request: Request, path: str) -> Response:
        """Answer somebody who is not logged in: people are led to the login, scripts are told.

        Args:
            request: What was asked.
            path: Its address inside the app.
        """
        if not _is_navigation(request):
            return JSONResponse({"error": ENDED}, 401, headers={"cache-control": "no-store"})
        query = request.url.query
        following = f"?next={quote(f'?{query}', safe='')}" if path == "/" and query else ""
        up = "../" * (path.count("/") - 1)
        return _lead(f"{up}login{following}")

    async def answer(self, request: Request, path: str) -> Response:
        """Answer ``/login`` or ``/logout``.

        Args:
            request: What was asked; it is known to come from the page itself.
            path: Its address inside the app.
        """
        if path == "/logout":
            return self._log_out(request)
        words = _words(request)
        if request.method in READ:
            if self.viewer(request):
                return _lead("./")
            said = words["out"] if "out" in request.query_params else ""
            following = _following(request.query_params.get("next", ""))
            return _show(login_page(words, following=following, said=said))
        if content_type(request) != "application/x-www-form-urlencoded":
            return _show(login_page(words, wrong=words["form"]), 415)
        return await self._log_in(request)

    async def _log_in(self, request: Request) -> Response:
        words = _words(request)
        fields = _fields(await request.body())
        name = _name(fields.get("name", ""))
        following = _following(fields.get("next", ""))
        client = request.client.host if request.client else ""
        wait = self._attempts.begin(client)
        if wait:
            wrong = words["wait-one" if wait <= 60 else "wait"].format(minutes=-(-wait // 60))
            page = login_page(words, following=following, name=name, wrong=wrong)
            return _show(page, 429, {"retry-after": str(wait)})
        password = fields.get("password", "").rstrip("\r\n")  # a file's line, sent by a script
        if not await run_in_threadpool(self._password.matches, password):
            page = login_page(words, following=following, name=name, wrong=words["wrong"])
            return _show(page, 401)
        self._attempts.forget(client)
        self._end(request)
        answer = _lead(f"./{following}")
        answer.headers["set-cookie"] = self._set_cookie(self._sessions.begin(name), request)
        return answer

    def _log_out(self, request: Request) -> Response:
        if request.method in READ:
            if not self.viewer(request):
                return _lead("login")
            return _show(logout_page(_words(request)))
        self._end(request)
        answer = _lead("login?out")
        answer.headers["set-cookie"] = f"{self._set_cookie('', request)}; Max-Age=0"
        answer.headers["clear-site-data"] = '"cache"'  # pictures and scores, kept for good
        return answer

    def _end(self, request: Request) -> None:
        for token in self._tokens(request):
            self._sessions.end(token)

    def _tokens(self, request: Request) -> Iterable[str]:
        """Give every value of the cookie: another page of the host may have put one beside it."""
        for header in request.headers.getlist("cookie"):
            for part in header.split(";"):
                name, _, value = part.strip().partition("=")
                if name == self.cookie and value:
                    yield value

    def _set_cookie(self, token: str, request: Request) -> str:
        flags = "HttpOnly; SameSite=Lax"
        origin = request.headers.get("origin", "")
        if request.url.scheme == "https" or origin.startswith("https://"):
            flags += "; Secure"
        return f"{self.cookie}={token}; {flags}"


def _is_navigation(request: Request) -> bool:
    """Tell whether a person went to an address, rather than a script or an image."""
    if request.method not in READ:
        return False
    mode = request.headers.get("sec-fetch-mode")
    if mode is not None:
        return mode == "navigate"
    return "text/html" in request.headers.get("accept", "")


def _fields(body: bytes) -> dict[str, str]:
    try:
        found = parse_qs(body.decode("ascii"), keep_blank_values=True, max_num_fields=8)
    except ValueError:  # not ASCII, or more fields than the form has
        return {}
    return {key: values[-1] for key, values in found.items()}


def _following(text: str) -> str:
    """Keep the query of the page's own address; anything else leads to the page as it opens."""
    return text if _FOLLOWING.fullmatch(text) else ""


def _name(text: str) -> str:
    return "".join(sign for sign in text if sign.isprintable()).strip()[:MOST_NAME]


def _words(request: Request) -> dict[str, str]:
    return login_words(request.headers.get("accept-language", ""))


def _lead(location: str) -> Response:
    return RedirectResponse(location, 303, headers=LOGIN_HEADERS)


def _show(page: str, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    return HTMLResponse(page, status, headers={**LOGIN_HEADERS, **(headers or {})})
