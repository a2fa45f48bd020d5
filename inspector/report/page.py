"""The page as a whole: one file that needs nothing from outside and runs only its own script."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from inspector import __version__
from inspector.report.gallery import LAYERS
from inspector.report.markup import Markup, Section, element, join

_FOLDER = Path(__file__).parent


@cache
def _own(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")


def write_page(
    *, title: str, lines: Sequence[str], sections: Sequence[Section], pictures: Markup, layer: str,
) -> str:
    """Put the sections together as one HTML document.

    Args:
        title: Heading.
        lines: What stands below it: the data set, date and program.
        sections: Parts in their order.
        pictures: The photographs, to which the sections refer.
        layer: What is laid over the pictures at first.
    """
    script, style = _own("present.js"), _own("report.css")
    body = join((
        element("a", "Skip to the content", href="#content", class_="skip"),
        element("div", _header(title, lines), _contents(sections), element(
            "main", join(_section(section) for section in sections), id="content", tabindex="-1",
        ), _footer(), class_="page"),
        _presenter(), pictures, element("script", Markup(script)),
    ))
    head = element(
        "head", element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=_policy(script)),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("meta", name="referrer", content="no-referrer"),
        element("meta", name="generator", content=f"inspector {__version__}"),
        element("link", rel="icon", href="data:,"), element("title", title),
        element("style", Markup(style)),
    )
    page = element("html", head, element("body", body), lang="en", data_layer=layer)
    return f"<!DOCTYPE html>\n{page}\n"


def _policy(script: str) -> str:
    """Let nothing in but pictures inside the file, its style and its one script."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return (
        f"default-src 'none'; img-src data:; style-src 'unsafe-inline'; "
        f"script-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    )


def _header(title: str, lines: Sequence[str]) -> Markup:
    first, *rest = lines
    return element(
        "header", element("h1", element("bdi", title)),
        element("p", element("bdi", first), class_="data"),
        join(element("p", element("bdi", line), class_="quiet") for line in rest),
        element("button", "Present", element("kbd", "P"), type="button", class_="present",
                hidden=True),
    )


def _contents(sections: Sequence[Section]) -> Markup:
    return element("nav", element("ol", join(
        element("li", element("a", section.title, href=f"#{section.id}")) for section in sections
    )), aria_label="Contents")


def _section(section: Section) -> Markup:
    heading = f"{section.id}-title"
    return element("section", element("h2", section.title, id=heading), section.body,
                   id=section.id, aria_labelledby=heading)


def _footer() -> Markup:
    return element("footer", element(
        "p", f"Made by inspector {__version__}. This file is complete in itself: it opens without "
        "a network and asks for nothing.",
    ), element(
        "p", "To present: press P, or the button “Present”. Arrows, Space or a clicker turn; "
        "1 to 6 change the layer; N shows or hides the note; V unveils; Esc leaves.",
        class_="present-help",
    ))


def _presenter() -> Markup:
    """Write the empty stage onto which the script moves one example after the other."""
    names = {key: label for key, label in LAYERS}
    return element(
        "div", element("div", class_="stage"),
        element(
            "div", element("output", class_="progress", aria_live="polite"),
            element("span", class_="layer-name", data_names="|".join(
                f"{key}={label}" for key, label in names.items())),
            element("span", class_="spring"),
            element("button", "‹", type="button", data_step="-1", aria_label="Previous example"),
            element("button", "›", type="button", data_step="1", aria_label="Next example"),
            element("button", "✕", type="button", class_="leave",
                    aria_label="Leave the presentation"),
            class_="bar",
        ),
        id="presenter", role="dialog", aria_modal="true", aria_label="Presentation", tabindex="-1",
        hidden=True,
    )
