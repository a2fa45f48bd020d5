"""No link of the documentation is dead, and every page is found from the index."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
PAGES = [*sorted(ROOT.glob("*.md")), *sorted(DOCS.glob("*.md")), ROOT / "assets/demo/README.md"]

FENCE = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)


def anchors_of(page: Path) -> set[str]:
    """Give the anchors of a page's headings as GitHub makes them: equal ones are numbered."""
    seen: Counter[str] = Counter()
    anchors = set()
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    for heading in re.findall(r"^#+ +(.+?) *$", text, re.MULTILINE):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
        anchor = re.sub(r"[^\w\- ]", "", plain.casefold()).replace(" ", "-")
        anchors.add(f"{anchor}-{seen[anchor]}" if seen[anchor] else anchor)
        seen[anchor] += 1
    return anchors


def links_of(page: Path) -> list[tuple[str, str]]:
    """Give path and anchor of every link and picture that is not on the web."""
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    targets = re.findall(r"\]\(([^)\s]+)", text)
    local = [target for target in targets if "://" not in target]
    return [(path, anchor) for path, _, anchor in (target.partition("#") for target in local)]


def test_anchors(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("# Two *words*, `code --x`\n```\n# no heading\n```\n## Same\n## Same\n")
    assert anchors_of(page) == {"two-words-code---x", "same", "same-1"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_no_dead_link(page):
    for path, anchor in links_of(page):
        target = (page.parent / path) if path else page
        assert target.exists(), path
        assert not anchor or anchor in anchors_of(target), f"{path}#{anchor}"


def test_every_page_is_found_from_the_index():
    linked = {path for path, _ in links_of(DOCS / "README.md")}
    assert {page.name for page in DOCS.glob("*.md")} - {"README.md"} <= linked


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_picture_has_words_for_who_does_not_see_it(page):
    for words, _ in re.findall(r"!\[([^\]]*)\]\(([^)]+)\)", page.read_text(encoding="utf-8")):
        assert len(words) >= 2
