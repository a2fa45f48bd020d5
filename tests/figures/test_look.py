"""A figure looks as the page does: the same layers, widths, colours and dashes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from inspector.core.errors import UsageError
from inspector.figures import LAYERS, Colours, Look, read_look
from inspector.figures.look import AGREEMENT_SHARE
from inspector.figures.shapes import DOTTED, OVER

VIEWER = Path(__file__).resolve().parents[2] / "inspector" / "ui" / "viewer"


def script(name: str) -> str:
    return (VIEWER / name).read_text(encoding="utf-8")


def test_the_layers_of_the_page():
    found = []
    for body in re.findall(r"\{\s*key: '.*?\n  \}|\{ key: '.*?\} \}", script("layers.js"), re.S):
        key = re.search(r"key: '(\w+)'", body)[1]
        fills = tuple(re.findall(r"pen\.fill\('(\w+)'\)", body))
        lines = tuple(
            (role, float(width))
            for role, width in re.findall(r"pen\.line\('(\w+)', ([\d.]+)\)", body)
        )
        found.append((key, fills, lines))
    assert found == [(layer.key, layer.fills, layer.lines) for layer in LAYERS]


def test_the_colours_of_the_page():
    defaults = re.search(r"DEFAULTS = \{ (.*?) \}", script("colours.js"))[1]
    found = dict(re.findall(r"(\w+): '(#\w{6})'", defaults))
    own = Colours()
    assert found == {role: own.of(role) for role in ("truth", "prediction", "agreement")}
    assert f"AGREEMENT_SHARE = {AGREEMENT_SHARE};" in script("masks.js")


def test_the_dashes_of_the_page():
    pen = script("pen.js")
    assert "setLineDash([7 * unit, 5 * unit])" in pen and OVER[1].dashes == (7, 5)
    assert "setLineDash([0.1 * unit, 5 * unit])" in pen and DOTTED[1].dashes == (0.1, 5)


def test_nothing_set_is_the_page_without_switches():
    assert read_look({}) == Look(second=False)


def test_everything_set():
    look = read_look({
        "layer": "fill", "opacity": "0.25", "others": "1", "second": "1", "boxes": "1",
        "truth": "00FF00", "prediction": "#ff0000", "agreement": "123456", "sentence": "x",
    })
    assert look == Look("fill", 0.25, Colours("#00ff00", "#ff0000", "#123456"), others=True,
                        second=True, boxes=True)


@pytest.mark.parametrize(("query", "said"), [
    ({"layer": "heat"}, "No layer 'heat'. Choose one of: agreement, contours, fill, truth, "),
    ({"opacity": "2"}, "'2' is no opacity. Write a number from 0 to 1."),
    ({"opacity": "nan"}, "'nan' is no opacity."),
    ({"opacity": "0" * 99}, "is no opacity."),
    ({"others": "yes"}, "'yes' does not say whether there is 'others'. Write 0 or 1."),
    ({"truth": "red"}, "The colour of truth is 'red'. Write six hexadecimal digits"),
    ({"truth": "0072B2\"/>"}, "The colour of truth is"),
    ({"truth": "url(x)"}, "The colour of truth is"),
    ({"truth": "0072B2\n"}, "The colour of truth is"),
])
def test_what_cannot_be_read_is_said(query, said):
    with pytest.raises(UsageError, match=re.escape(said)):
        read_look(query)
