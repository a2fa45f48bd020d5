"""Nothing from a file becomes markup."""

from __future__ import annotations

import pytest

from inspector.report.markup import Markup, element, escape, join


@pytest.mark.parametrize(("text", "expected"), [
    pytest.param("a < b & \"c\" 'd'", "a &lt; b &amp; &quot;c&quot; &#x27;d&#x27;", id="signs"),
    pytest.param("a\x00b\x1bc", "a\N{REPLACEMENT CHARACTER}b\N{REPLACEMENT CHARACTER}c",
                 id="control characters"),
    pytest.param("\ud800", "?", id="half a character"),
    pytest.param("two\nlines\tand", "two\nlines\tand", id="white space stays"),
])
def test_text_stays_text(text, expected):
    assert escape(text) == expected


def test_markup_is_escaped_once():
    inner = element("b", "1 < 2")
    assert element("p", inner) == "<p><b>1 &lt; 2</b></p>"
    assert join([inner, None, " & "]) == "<b>1 &lt; 2</b> &amp; "


def test_attributes_are_quoted_and_named():
    made = element("input", type="checkbox", for_='a"b', aria_label="x", hidden=True, id=None,
                   checked=False)
    assert made == '<input type="checkbox" for="a&quot;b" aria-label="x" hidden>'
    assert element("svg", viewBox="0 0 1 1") == '<svg viewBox="0 0 1 1"></svg>'


def test_only_markup_is_taken_as_it_is():
    assert escape(Markup("<b>")) == "<b>"
    assert escape("<b>") == "&lt;b&gt;"
