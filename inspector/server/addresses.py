"""Which addresses of the served app are open, and how they may be used; the rest is closed.

Gradio answers on more addresses than the page needs, among them uploads, files by their path and
fetching from elsewhere, and a newer version may add others. So what is open is listed here, not
what is closed; a test sets the list against every route of the app.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

READ = ("GET", "HEAD")
KIB = 1024


@dataclass(frozen=True)
class Open:
    """An open address.

    Args:
        path: The address; one that ends in a slash stands for all below it, ``/`` for itself.
        why: What needs it.
        methods: How it may be used.
    """

    path: str
    why: str
    methods: tuple[str, ...] = READ

    def holds(self, path: str) -> bool:
        """Tell whether a path is this address, or below it."""
        if self.path == "/" or not self.path.endswith("/"):
            return path == self.path
        return path.startswith(self.path)


OPEN = (
    Open("/", "the page"),
    Open("/page/", "scripts and styles of the page, by name out of a fixed list"),
    Open("/data/", "the data routes: indexes and names that the server gave out",
         (*READ, "POST", "DELETE")),
    Open("/assets/", "gradio's own scripts and styles, files of its package"),
    Open("/static/", "gradio's own fonts and pictures, files of its package"),
    Open("/theme.css", "gradio's colours and sizes"),
    Open("/favicon.ico", "browsers ask for it"),
    Open("/robots.txt", "says that nothing here is for search engines"),
)
MOST_BODY = 64 * KIB
"""Bytes that may be sent to an address, and those of the two that take files."""
MOST_IMPORT = 16 * KIB * KIB
MOST_PICTURE = 20_000_000
_IMPORT = re.compile(r"/data/[^/]+/findings/import")
_PICTURE = re.compile(r"/data/[^/]+/live/picture")
_MOST_PATH = 1000  # letters; 64 indexes, the most that are asked for at once, take 640
_MOST_PART = 200
_PLAIN = re.compile(r"/|(/[A-Za-z0-9_,=@~+-][A-Za-z0-9_.,=@~+-]*)+/?")


def is_plain(path: str) -> bool:
    """Tell whether a path, decoded, is one that the page could ask for.

    There are no empty parts, none that begin with a dot, and no signs that a file system, a
    browser or a proxy could read in another way; no name is longer than a file system takes.
    """
    if _PLAIN.fullmatch(path) is None or len(path) > _MOST_PATH:
        return False
    return path.startswith("/data/") or all(len(part) <= _MOST_PART for part in path.split("/"))


def methods_of(path: str) -> tuple[str, ...]:
    """Give how an address may be used; in no way if it is closed."""
    return next((address.methods for address in OPEN if address.holds(path)), ())


def most_body(path: str, *, has_model: bool) -> int:
    """Give how many bytes may be sent to an address; pictures only where a model can be asked."""
    if _IMPORT.fullmatch(path):
        return MOST_IMPORT
    return MOST_PICTURE if has_model and _PICTURE.fullmatch(path) else MOST_BODY


def inner_path(path: str, root_path: str) -> str | None:
    """Take the path that a proxy serves the page under off an address.

    Some proxies strip it and some do not; both are served.

    Returns:
        The address inside the app; None for the root path without the slash at its end, against
        which the page's relative addresses would be read wrongly.
    """
    if not root_path or not path.startswith(root_path):
        return path
    rest = path[len(root_path):]
    if not rest:
        return None
    return rest if rest.startswith("/") else path
