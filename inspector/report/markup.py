"""HTML and SVG as text in which nothing from a file can become markup."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from dataclasses import dataclass

_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff]")
_VOID = frozenset(("br", "meta", "link", "input", "col"))
_SHAPES = frozenset(("path", "rect", "line", "circle", "use", "image"))


class Markup(str):
    """Text that is markup already; everything else is escaped."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Section:
    """One part of the page: ``id`` is its anchor, ``title`` heading and line of the contents."""

    id: str
    title: str
    body: Markup


def escape(text: str) -> Markup:
    """Write text so that it stays text, as content and inside quoted attributes.

    Half characters and control characters, which files can hold, become visible stand-ins.
    """
    if isinstance(text, Markup):
        return text
    shown = _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text)
    return Markup(html.escape(shown.encode(errors="replace").decode()))


def join(children: Iterable[Markup | str | None]) -> Markup:
    """Put pieces behind one another; None is nothing."""
    return Markup("".join(escape(child) for child in children if child is not None))


def element(
    tag: str, /, *children: Markup | str | None, **attributes: str | bool | None
) -> Markup:
    """Write one element.

    Args:
        tag: Name of the element.
        children: Markup, or text that is escaped.
        attributes: ``class_`` is class and ``aria_label`` aria-label; True stands there without a
            value, None and False not at all.

    Example:
        >>> element("p", "a < b", class_="note", hidden=True)
        '<p class="note" hidden>a &lt; b</p>'
    """
    written = "".join(
        f" {_attribute(key)}" if value is True else f' {_attribute(key)}="{escape(value)}"'
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    if tag in _VOID:
        return Markup(f"<{tag}{written}>")
    if tag in _SHAPES and not children:
        return Markup(f"<{tag}{written}/>")
    return Markup(f"<{tag}{written}>{join(children)}</{tag}>")


def scrolled_table(
    head: Markup, rows: Iterable[Markup], *, caption: str, class_: str | None = None
) -> Markup:
    """Write a table that scrolls by itself where it is wider than the page.

    Args:
        head: The row of its heads.
        rows: The others.
        caption: What it shows, for those who do not see it.
        class_: A class of the style sheet.
    """
    table = element(
        "table", element("caption", caption, class_="unseen"), element("thead", head),
        element("tbody", join(rows)), class_=class_,
    )
    return element(
        "div", table, class_="scroll", tabindex="0", role="region", aria_label=caption
    )


def _attribute(key: str) -> str:
    key = key.removesuffix("_")
    return key if key in ("viewBox", "preserveAspectRatio") else key.replace("_", "-")


def quoted(text: str) -> Markup:
    """Write something that a person said: in the direction of its own script, apart from ours."""
    return element("bdi", text)
