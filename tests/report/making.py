"""A small data set with two runs, and reports of it as parsed pages."""

from __future__ import annotations

import io
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path

from PIL import Image

from inspector.report import Chosen, ReportOptions, build_report
from inspector.workspace import Workspace
from tests.building import BROKEN, Picture, Said, Thing, make_dataset, make_workspace, score
from tests.drawing import draw

MARKUP = "</script><img src=x onerror=alert(1)> & “café” \u202e 🐈"
MADE = datetime(2024, 5, 1, 12, 30, tzinfo=UTC)
CUP, DOG = draw("####......"), draw("......####")


def toy_workspace(folder: Path) -> Workspace:
    """Two pictures, one with a file; two runs, one of them with every hostile name there is."""
    buffer = io.BytesIO()
    Image.new("RGB", (10, 1), (200, 30, 30)).save(buffer, "JPEG")
    (folder / "1.jpg").write_bytes(buffer.getvalue())
    things = (Thing("a", "cup", CUP), Thing("b", "<b>dog</b>", DOG))
    said = (Said("101", MARKUP, ("a",), "21"), Said("102", "dog", ("b",)), Said("103", "no", ()))
    dataset = make_dataset(
        Picture("1", (1, 10), things, said, folder / "1.jpg"),
        Picture("2", (1, 10), (Thing("c", "cup", CUP),), (Said("201", "cup", ("c",)),)),
    )
    one = score(dataset, {"101": DOG, "102": BROKEN, "103": None}, name=MARKUP)
    two = score(dataset, {"101": CUP, "201": draw("##........")}, name="two")
    return make_workspace(one, two)


class Page(HTMLParser):
    """What a browser would see: elements with their attributes, and the text between them."""

    def __init__(self, content: bytes) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self._inside: list[str] = []
        self.feed(content.decode("utf-8"))

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        self._inside.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        while self._inside and self._inside.pop() != tag:
            pass

    def handle_data(self, data):
        if self._inside[-1:] not in (["script"], ["style"]):
            self.words.append(data)

    @property
    def text(self) -> str:
        """All words with single spaces; spaces that do not break are spaces too."""
        return " ".join("".join(self.words).replace("\xa0", " ").split())

    def all(self, tag: str, **attributes: str) -> list[dict[str, str | None]]:
        """The attributes of every element of a name with these attributes among its own."""
        return [found for name, found in self.elements if name == tag
                and all(found.get(key.rstrip("_")) == value for key, value in attributes.items())]


def make_page(workspace: Workspace, *places: int, why: str = "chosen.", **options) -> Page:
    """Make a report and parse it."""
    report = build_report(
        workspace, Chosen(places, why), ReportOptions(**{"made": MADE, **options})
    )
    return Page(report.content)
