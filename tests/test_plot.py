"""The plot of the README: logarithmic axes, drawn without a library."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

from benchmarks.plot import HEIGHT, WIDTH, Line, draw

SVG = "{http://www.w3.org/2000/svg}"


def test_tenfold_is_the_same_way_everywhere():
    picture = draw(
        "growth", [Line("a < b", [(10, 1), (100, 10), (1000, 100)])], x_label="rows",
        y_label="ms", limit=(100, "target"), notes=["one", "two"],
    )
    root = ElementTree.fromstring(picture)
    assert root.find(f"{SVG}title").text == "growth"
    points = [tuple(map(float, point.split(",")))
              for point in root.find(f"{SVG}polyline").get("points").split()]
    (x1, y1), (x2, y2), (x3, y3) = points
    assert x2 - x1 == x3 - x2 > 0
    assert y1 - y2 == y2 - y3 > 0
    assert all(0 < x < WIDTH and 0 < y < HEIGHT for x, y in points)
    words = [text.text for text in root.iter(f"{SVG}text")]
    assert {"a < b", "target", "one", "two", "1,000"} <= set(words)
