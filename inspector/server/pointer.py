"""Where a program points every open page, and what a page shows: the two ends of a handle."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping

from fastapi import FastAPI, Request, Response

from inspector.core.errors import UsageError
from inspector.server.answers import answer_json
from inspector.server.bodies import BodyError
from inspector.server.json_bodies import is_whole_text, read_json

Query = Mapping[str, str]
Order = Callable[[Query], list[str]]

_MOST_KEYS = 60
_MOST_WISHES = 10**9
_MOST_LETTERS = 2000  # of one value of an address


class Pointer:
    """Joins a program to the pages of its server; for several threads.

    Both ends speak in the keys of the address bar (``example``, ``run``, ``view``, ``sort``,
    filters …), which name a view completely. Pages ask now and then where they should be.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._revision = 0
        self._query: Query = {}
        self._shown: Query | None = None
        self._order: Order | None = None

    def point(self, query: Query) -> int:
        """Send every page to a view; gives the number of this wish."""
        with self._lock:
            self._revision += 1
            self._query = dict(query)
            self._shown = None  # what was shown before is not what will be
            return self._revision

    def since(self, revision: int) -> tuple[int, Query | None]:
        """Give the newest wish with its number; None in place of one that is known already."""
        with self._lock:
            is_new = self._revision > revision
            return self._revision, self._query if is_new else None

    def show(self, query: Query, revision: int) -> None:
        """Keep what a page shows now.

        Args:
            query: The view.
            revision: Number of the last wish that the page has followed. One that has not yet seen
                the newest is left out: what it shows is about to change.
        """
        with self._lock:
            if revision >= self._revision:
                self._shown = dict(query)

    @property
    def current(self) -> Query:
        """What a page showed last, or is going to show."""
        with self._lock:
            return self._query if self._shown is None else self._shown

    def lend_order(self, order: Order) -> None:
        """Take the server's way to answer a view with the ids of its examples, in their order."""
        self._order = order

    def order(self, query: Query) -> list[str]:
        """Give the ids of the examples of a view, in their order.

        Raises:
            UsageError: If there is no such view, or no server yet.
        """
        if self._order is None:
            raise UsageError("There is no server yet.")
        return self._order(query)


def add_pointer_routes(app: FastAPI, pointer: Pointer | None) -> None:
    """Add the routes; without a pointer they are not there.

    Args:
        app: What to add them to.
        pointer: What joins a program to its pages.
    """
    if pointer is None:
        return

    @app.get("/data/pointer")
    async def _where(since: str = "0") -> Response:
        if not (since.isascii() and since.isdigit() and len(since) < 10):
            raise UsageError("'since' must be a number that this address gave.")
        revision, query = pointer.since(int(since))
        return answer_json({"revision": revision, "query": query})

    @app.post("/data/pointer")
    async def _shows(request: Request) -> Response:
        value = await read_json(request)
        pointer.show(_read_query(value.get("query")), _read_revision(value.get("revision")))
        return answer_json({})


def _read_revision(value: object) -> int:
    if type(value) is not int or not 0 <= value < _MOST_WISHES:
        raise BodyError(400, "'revision' must be a number that this address gave.")
    return value


def _read_query(value: object) -> Query:
    if not isinstance(value, dict) or len(value) > _MOST_KEYS:
        raise BodyError(400, "'query' must be an object with the keys of an address.")
    for key, text in value.items():
        if not (is_whole_text(key) and is_whole_text(text) and len(text) <= _MOST_LETTERS):
            raise BodyError(400, "The values of 'query' must be texts, as in an address.")
    return value
