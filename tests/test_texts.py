"""Every word of the page stands in one table of texts."""

from __future__ import annotations

import re
from pathlib import Path

from inspector.browse import FILTERS, SORTS
from inspector.ui.texts import TEXTS

VIEWER = Path(__file__).resolve().parents[1] / "inspector" / "ui" / "viewer"
SCRIPTS = "\n".join(path.read_text(encoding="utf-8") for path in sorted(VIEWER.glob("*.js")))


def used_in_scripts() -> set[str]:
    """Keys written out in ``text('…')`` and in tables of text keys."""
    plain = re.findall(r"(?<!\w)text\(\s*'([\w.-]+)'", SCRIPTS)
    chosen = [key for pair in re.findall(r"\? '([\w.-]+)' : '([\w.-]+)'", SCRIPTS) for key in pair
              if "." in key]
    return {*plain, *chosen, *re.findall(r"'((?:legend|column|fact)\.[\w.-]+)'", SCRIPTS)}


def test_every_text_that_the_page_asks_for_is_there():
    table = TEXTS["en"]
    template = (VIEWER / "viewer.html").read_text(encoding="utf-8")
    asked = used_in_scripts() | set(re.findall(r"\[\[([\w.-]+)\]\]", template))
    asked |= {f"sort.{sort.key}" for sort in SORTS}
    asked |= {f"filter.{entry.key}" for entry in FILTERS if entry.key != "sentence"}
    assert asked - table.keys() == set()


def test_actions_are_described():
    actions = (VIEWER / "actions.js").read_text(encoding="utf-8")
    shown = re.findall(r"key: '([\w-]+)'[^}]*?shown: \[", actions)
    assert len(shown) > 20
    for key in shown:
        assert f"action.{key}" in TEXTS["en"]


def test_the_template_holds_no_words_of_its_own():
    template = (VIEWER / "viewer.html").read_text(encoding="utf-8")
    words = re.sub(r"<code>.*?</code>|<[^>]*>|\[\[[\w.-]+\]\]", " ", template, flags=re.S)
    assert re.findall(r"[A-Za-z]{2,}", words) == []


def test_scripts_write_text_never_markup():
    assert "innerHTML" not in SCRIPTS
    assert "insertAdjacentHTML" not in SCRIPTS
    assert "outerHTML" not in SCRIPTS
