"""Charts as inline SVG: shapes only, the words and numbers stand beside them as text.

Every chart stretches to the width that it is given; lines keep their thickness. What a chart
shows is said again in its label, for those who do not see it.
"""

from __future__ import annotations

from collections.abc import Sequence

from inspector.report.markup import Markup, element, join

_LINE = {"vector_effect": "non-scaling-stroke"}


def _svg(width: float, height: float, *shapes: Markup, label: str, class_: str) -> Markup:
    hidden = {"aria_hidden": "true"} if not label else {"role": "img", "aria_label": label}
    return element(
        "svg", *shapes, viewBox=f"0 0 {width:g} {height:g}", preserveAspectRatio="none",
        class_=f"chart {class_}", focusable="false", **hidden,
    )


def bar(share: float) -> Markup:
    """Draw one horizontal bar beside its number.

    Args:
        share: Length as a share of the whole width, in [0, 1].
    """
    length = f"{100 * min(max(share, 0.0), 1.0):.2f}"
    return _svg(
        100, 10, element("rect", width="100", height="10", class_="track"),
        element("rect", width=length, height="10", class_="fill"), label="",
        class_="bar",
    )


def stacked(parts: Sequence[tuple[float, str]], *, label: str) -> Markup:
    """Draw shares of a whole behind one another, each with a class of the style sheet."""
    shapes, begin = [], 0.0
    for share, kind in parts:
        shapes.append(element(
            "rect", x=f"{100 * begin:.2f}", width=f"{100 * share:.2f}", height="10", class_=kind,
        ))
        begin += share
    return _svg(100, 10, *shapes, label=label, class_="stacked")


def histogram(counts: Sequence[int], *, label: str, mark: float | None = None) -> Markup:
    """Draw counts as columns; ``mark`` is a share of the width where a line stands."""
    top = max([*counts, 1])
    shapes = [
        element("rect", x=f"{10 * place + 0.6:g}", y=f"{100 - 100 * number / top:.2f}",
                width="8.8", height=f"{100 * number / top:.2f}", class_="fill")
        for place, number in enumerate(counts) if number
    ]
    width = 10 * len(counts)
    if mark is not None:
        x = f"{width * mark:g}"
        shapes.append(element("line", x1=x, x2=x, y1="0", y2="100", class_="mark", **_LINE))
    return _svg(width, 100, *shapes, label=label, class_="histogram")


def whisker(
    value: float, low: float | None, high: float | None, *, scale: tuple[float, float],
    kind: str = "",
) -> Markup:
    """Draw a number beside its words, with its interval, on a scale that the rows of a table share.

    A thin line stands at zero.

    Args:
        value: The number.
        low: Lower end of its interval, or None.
        high: Upper end, or None.
        scale: What the left and the right edge mean.
        kind: A class of the style sheet.
    """
    begin, end = scale

    def at(number: float) -> str:
        share = (number - begin) / (end - begin) if end > begin else 0.5
        return f"{2 + 96 * min(max(share, 0.0), 1.0):.2f}"

    shapes = [element("line", x1=at(0), x2=at(0), y1="0", y2="20", class_="zero", **_LINE)]
    if low is not None and high is not None:
        shapes.append(element("line", x1=at(low), x2=at(high), y1="10", y2="10", class_="range",
                              **_LINE))
    shapes.append(element("line", x1=at(value), x2=at(value), y1="10", y2="10", class_="dot",
                          **_LINE))
    return _svg(100, 20, *shapes, label="", class_=f"whisker {kind}".strip())


def shared_scale(
    rows: Sequence[tuple[float, float | None, float | None]]
) -> tuple[float, float]:
    """Find a scale on which zero and all numbers and intervals fit, with a little room."""
    numbers = [0.0, *(n for row in rows for n in row if n is not None)]
    low, high = min(numbers), max(numbers)
    room = 0.04 * (high - low) or 0.01
    return low - room, high + room


def legend(entries: Sequence[tuple[str, str]]) -> Markup:
    """Say what colours mean: (class of the mark, words)."""
    return element("ul", join(
        element("li", element("span", class_=f"mark {kind}", aria_hidden="true"),
                element("span", words))
        for kind, words in entries
    ), class_="legend")
