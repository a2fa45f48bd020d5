"""Who may talk to the page: this machine and the page itself, nobody else by default.

One gate stands before everything, gradio's addresses and the data routes alike. It asks in this
order: is the page meant under this host, does the page itself ask (or a person who follows a
link), is the address open, may it be used in this way, is the visitor logged in, is what is sent
small enough. Only then does anything else of the server see the request.
"""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from inspector.server.access import LOCAL, Access, read_address
from inspector.server.addresses import (
    MOST_BODY,
    READ,
    inner_path,
    is_plain,
    methods_of,
    most_body,
)
from inspector.server.bodies import BodyError, Budget, content_type, read_body, replay
from inspector.server.headers import page_policy, security_headers
from inspector.server.login import MOST_FORM, PATHS, Login
from inspector.server.sessions import VIEWER, Viewer
from inspector.server.whole import with_policy

MOST_HELD = 64_000_000
"""Bytes of large bodies that are held at once: three pictures, or four files of findings."""

_FORM_KINDS = (
    "", "application/x-www-form-urlencoded", "multipart/form-data", "text/plain",
)
"""What a form or script of any other site can send without being asked first."""

_HOST = (
    "This page is not served under that host name. Whoever started it can allow it: "
    "--allow-host NAME."
)
_ORIGIN = (
    "Requests from other sites are refused. If a proxy shows this page, whoever started it can "
    "allow the proxy's name: --allow-host NAME."
)
_UNTRUSTED = ("x-forwarded-", "x-gradio-server", "forwarded", "x-original-", "x-rewrite-")
"""Headers by which gradio would build its addresses from what a visitor says."""


class Guard:
    """Refuses who is not meant, closes what is not needed, adds security headers.

    A page of another site could otherwise talk to this server through the visitor's browser:
    gradio answers any origin with credentials as soon as the host is not ``localhost``, and a
    name that is made to point at 127.0.0.1 passes as a host of its own.

    Args:
        app: What is guarded.
        access: Who may reach it, and under which addresses.
        login: Asks for the password of ``access``; made here unless a test brings its own.
        mend: Changes the document of the page before it is sent.
        has_model: Whether a model can be asked, so that pictures may be sent.
        most_held: Bytes of large bodies that are held at once, of all visitors together.
    """

    def __init__(
        self, app: ASGIApp, access: Access = LOCAL, *, login: Login | None = None,
        mend: Callable[[str], str] = str, has_model: bool = False, most_held: int = MOST_HELD,
    ) -> None:
        self._app, self._access, self._has_model = app, access, has_model
        self._budget = Budget(most_held, free=MOST_BODY)
        self._page = with_policy(app, self._page_policy, mend)
        if login is None and access.password is not None:
            login = Login(access.password)
        self._login = login
        self._headers = security_headers(framed_locally=access.framed_locally)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or pass it on."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await self._http(scope, receive, self._with_headers(scope, send))
        else:  # the page has no socket
            await send({"type": "websocket.close", "code": 1008})

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        path = inner_path(scope["path"], self._access.root_path)
        answer: Response | None
        if path is None:
            query = f"?{request.url.query}" if request.url.query else ""
            answer = self._foreign(request, "/") or RedirectResponse(
                f"{self._access.root_path}/{query}", 307
            )
            await answer(scope, receive, send)
            return
        viewer: Viewer | None = Viewer()
        answer = self._foreign(request, path)
        if answer is None and self._login is not None and path not in PATHS:
            viewer = self._login.viewer(request)
            answer = self._login.refuse(request, path) if viewer is None else None
        answer = answer or self._closed(request, path)
        with self._budget.share() as take:  # until it is answered: so long the body is held
            if answer is None and request.method not in READ:
                try:
                    receive = replay(await self._body(request, path, take), receive)
                except BodyError as error:
                    answer = _refuse(path, error.status, str(error), close=True)
            if answer is None and self._login is not None and path in PATHS:
                answer = await self._login.answer(Request(scope, receive), path)
            await (answer or self._inside(path, viewer))(scope, receive, send)

    async def _body(self, request: Request, path: str, take: Callable[[int], bool]) -> bytes:
        most = MOST_FORM if path in PATHS else most_body(path, has_model=self._has_model)
        length = request.headers.get("content-length")
        return await read_body(request.receive, length=length, most=most, take=take)

    def _foreign(self, request: Request, path: str) -> Response | None:
        """Say why a request is not one that the page or its visitor would make."""
        hosts = request.headers.getlist("host")
        host = hosts[0] if len(hosts) == 1 else ""
        if not self._is_host(host, request):
            return _refuse(path, 400, _HOST)
        if not self._is_own(request, host):
            return _refuse(path, 403, _ORIGIN)
        if not is_plain(path):
            return _refuse(path, 404, "There is no such address.")
        return None

    def _closed(self, request: Request, path: str) -> Response | None:
        """Say why an address is not open, or not in this way."""
        methods = methods_of(path)
        if self._login is not None and path in PATHS:
            methods = (*READ, "POST")
        if not methods:
            return _refuse(path, 403, "This address is closed.")
        if request.method not in methods:
            refused = _refuse(path, 405, f"This address takes {' and '.join(methods)} only.")
            refused.headers["allow"] = ", ".join(methods)
            return refused
        sends = {"content-length", "transfer-encoding"} & set(request.headers)
        if request.method in READ and sends and request.headers.get("content-length") != "0":
            return _refuse(path, 400, "A request that reads may not send anything.", close=True)
        return None

    def _is_host(self, host: str, request: Request) -> bool:
        name = _host_name(host)
        if name in self._access.hosts:
            return True
        if not self._access.own_addresses:
            return False
        server = request.scope.get("server")
        address = read_address(name)  # a name would let another site point it here
        return address is not None and server is not None and address == read_address(server[0])

    def _is_own(self, request: Request, host: str) -> bool:
        """Tell whether the page itself asks, a person who follows a link, or no browser."""
        headers = request.headers
        site, origin = headers.get("sec-fetch-site"), headers.get("origin")
        if origin is not None and _netloc(origin) not in (host.casefold(), *self._access.origins):
            return False
        if site not in (None, "same-origin", "none") and (
            headers.get("sec-fetch-mode") != "navigate" or request.method not in READ
        ):
            return False
        if request.method == "POST" and origin is None and site != "same-origin":
            return content_type(request) not in _FORM_KINDS
        return True

    def _inside(self, path: str, viewer: Viewer | None) -> ASGIApp:
        """Give the app as a request meets it: no proxy in between, and it is known who asks."""

        async def app(scope: Scope, receive: Receive, send: Send) -> None:
            left_out = (*_UNTRUSTED, "accept-encoding") if path == "/" else _UNTRUSTED
            headers = [  # the page is read on its way out, so it must not be packed
                (name, value) for name, value in scope["headers"]
                if not name.decode("latin1").lower().startswith(left_out)
            ]
            is_ours = path.startswith("/data/")  # gradio reads saved states by the query
            inner = {
                **scope, "path": path, "raw_path": path.encode(), "root_path": "",
                "query_string": scope["query_string"] if is_ours else b"", "headers": headers,
                VIEWER: viewer,
            }
            await (self._page if path == "/" else self._app)(inner, receive, send)

        return app

    def _page_policy(self, document: str) -> str:
        return page_policy(document, framed_locally=self._access.framed_locally)

    def _with_headers(self, scope: Scope, send: Send) -> Send:
        is_private = self._login is not None and not scope["path"].endswith((".js", ".css"))

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                present = {name.lower() for name, _ in message["headers"]}
                added = dict(self._headers)
                if is_private and message.get("status") == 200:
                    added["cache-control"] = "private, no-cache"
                message["headers"] = list(message["headers"]) + [
                    (name.encode(), value.encode())
                    for name, value in added.items()
                    if name.encode() not in present
                ]
            await send(message)

        return send_with_headers


def _refuse(path: str, status: int, text: str, *, close: bool = False) -> Response:
    """Answer in the words that the page shows, or that a person reads."""
    headers = {"cache-control": "no-store"}
    if close:  # what is still on its way is not read
        headers["connection"] = "close"
    if path.startswith("/data/"):
        return JSONResponse({"error": text}, status, headers=headers)
    return PlainTextResponse(text, status, headers=headers)


def _netloc(origin: str) -> str:
    try:
        return urlsplit(origin).netloc.casefold()
    except ValueError:  # an IPv6 address without its bracket
        return ""


def _host_name(host: str) -> str:
    """Take the port off a Host header, also of an IPv6 address in brackets."""
    if host.startswith("["):
        return host[1:].partition("]")[0].casefold()
    return host.rpartition(":")[0].casefold() if ":" in host else host.casefold()
