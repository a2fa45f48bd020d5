"""Photograph and masks of one example as one SVG whose layers a style sheet switches.

Colours and lines are those of the page. Every area stands there as the exact outline along pixel
edges, in pixels of the original picture, so that it is sharp at any size.
"""

from __future__ import annotations

from inspector.figures.shapes import hatched
from inspector.figures.subject import Subject
from inspector.figures.svg import path_data
from inspector.figures.trace import Area
from inspector.report.markup import Markup, element, join
from inspector.report.pictures import Shown
from inspector.workspace import Workspace

_KINDS = {"agreement": "both", "truth": "truth", "prediction": "prediction"}
"""Classes of the style sheet for the parts of two masks."""


def draw_example(
    workspace: Workspace, place: int, run: int | None, shown: Shown, *, number: int, label: str
) -> Markup:
    """Draw one example.

    Args:
        workspace: Data set and runs.
        place: Of the example in the data set.
        run: Row of the run whose prediction is drawn; None for the ground truth alone.
        shown: Its photograph.
        number: Of the example in the report, for ids that are used once.
        label: What the picture shows, for those who do not see it.
    """
    height, width = shown.size_hw
    subject = Subject(workspace, place, run, None)
    truth, prediction = subject.area("truth"), subject.area("prediction")
    shapes = [
        element("path", id=f"{role}-{number}", d=path_data(area.loops), class_="shape")
        for role, area in (("truth", truth), ("prediction", prediction)) if area
    ]
    step = max(1, round(max(height, width) / 640))
    ignored = subject.ignored
    layers = [
        element("rect", width=f"{width}", height=f"{height}", class_="no-picture"),
        shown.use() or _reason(shown),
        _group("ignored", _filled(hatched(ignored, step).area)) if ignored else None,
        _agreement(subject),
        _role("truth", number) if truth else None,
        _role("prediction", number) if prediction else None,
        _other(subject),
        _lines("second", subject.second) if subject.second else None,
        *_boxes(subject),
    ]
    missing = shown.photograph.reason if shown.photograph.content is None else ""
    return element(
        "svg", element("defs", join(shapes)), join(layers), viewBox=f"0 0 {width} {height}",
        role="img", aria_label=f"{label} {missing}".strip(), focusable="false", class_="drawing",
        style=f"--ratio:{width / height:.4f}",
    )


def _reason(shown: Shown) -> Markup:
    """Say on the grey field why there is no picture."""
    height, width = shown.size_hw
    size = min(width / 26, height / 4)
    return element(
        "text", shown.photograph.reason, x=f"{width / 2:g}", y=f"{height / 2:g}",
        font_size=f"{size:.2f}", class_="reason",
    )


def _filled(area: Area) -> Markup:
    return element("path", d=path_data(area.loops), class_="shape")


def _group(kind: str, *shapes: Markup) -> Markup:
    return element("g", *shapes, class_=kind)


def _agreement(subject: Subject) -> Markup | None:
    """Part the masks into what both, truth alone and prediction alone have."""
    parts = subject.agreement
    shapes = [
        element("path", d=path_data(parts[part].loops), class_=f"shape {kind}")
        for part, kind in _KINDS.items() if not parts[part].is_empty
    ]
    return element("g", join(shapes), class_="agreement") if shapes else None


def _role(role: str, number: int) -> Markup:
    name = f"#{role}-{number}"
    return join((
        _group(f"fill {role}", element("use", href=name)),
        _group(f"line {role}", element("use", href=name, class_="casing"),
               element("use", href=name, class_="ink")),
    ))


def _lines(kind: str, area: Area) -> Markup:
    data = path_data(area.loops)
    return _group(kind, element("path", d=data, class_="shape casing"),
                  element("path", d=data, class_="shape ink"))


def _other(subject: Subject) -> Markup | None:
    """Outline the object that was marked instead, grey and dashed."""
    area = subject.hit_area
    return _lines("other", area) if area else None


def _boxes(subject: Subject) -> list[Markup]:
    """Draw the predicted box over the target's, where the run holds boxes."""
    predicted, target = subject.boxes
    if not predicted:
        return []
    drawn = []
    for role, box in (("truth", target), ("prediction", predicted)):
        if not box:
            continue
        x, y, width, height = (f"{value:g}" for value in box)
        drawn.append(_group(f"line {role}", *(
            element("rect", x=x, y=y, width=width, height=height, class_=f"shape {kind}")
            for kind in ("casing", "ink")
        )))
    return drawn
