"""Lists every route of the served app, gradio's among them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, order=True)
class Found:
    """A route: its address with parameters in braces, and the ways it may be used."""

    path: str
    methods: tuple[str, ...]

    @property
    def parameters(self) -> list[str]:
        return re.findall(r"\{(\w+)(?::\w+)?\}", self.path)

    def filled(self, value: str, *, at: str = "", rest: str = "x") -> str:
        """Fill the parameters in: the one called ``at`` with a value, or all if it is empty."""
        return re.sub(
            r"\{(\w+)(?::\w+)?\}", lambda found: value if at in ("", found[1]) else rest, self.path
        )


def routes_of(app: Any) -> list[Found]:
    """List the routes of an app and of all that is mounted or included in it."""
    return sorted(set(_walk(app.routes, "")))


def _walk(routes: Any, prefix: str) -> Iterator[Found]:
    for route in routes:
        path = f"{prefix}{getattr(route, 'path', '')}"
        inner = getattr(route, "original_router", None) or getattr(route, "app", None)
        methods = getattr(route, "methods", None)
        if methods:
            yield Found(path, tuple(sorted(methods)))
        elif getattr(inner, "routes", None):
            yield from _walk(inner.routes, path)
        else:
            raise AssertionError(f"{route!r} is a kind of route that this list does not know")
