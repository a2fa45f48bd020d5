"""Photograph and masks of one example as one SVG whose layers a style sheet switches.

Colours and lines are those of the page. Every area stands there as the exact outline along pixel
edges, in pixels of the original picture, so that it is sharp at any size.
"""

from __future__ import annotations

import numpy as np

from inspector.core.run import Status
from inspector.figures.shapes import hatched
from inspector.figures.svg import path_data
from inspector.figures.trace import Area
from inspector.report.markup import Markup, element, join
from inspector.report.pictures import Shown
from inspector.workspace import Workspace


def draw_example(
    workspace: Workspace, place: int, run: int | None, shown: Shown, *, number: int, label: str,
    others: bool = True,
) -> Markup:
    """Draw one example.

    Args:
        workspace: Data set and runs.
        place: Of the example in the data set.
        run: Row of the run whose prediction is drawn; None for the ground truth alone.
        shown: Its photograph.
        number: Of the example in the report, for ids that are used once.
        label: What the picture shows, for those who do not see it.
        others: Whether the object on which the prediction landed instead is outlined.
    """
    height, width = shown.size_hw
    dataset = workspace.dataset
    target = int(dataset.expressions.target[place])
    truth = Area(dataset.targets.masks[target].to_array()) if target >= 0 else None
    prediction = _prediction(workspace, place, run)
    ignored_row = int(dataset.expressions.ignored[place])
    ignored = Area(dataset.ignored[ignored_row].to_array()) if ignored_row >= 0 else None
    shapes = [
        _defined(truth, f"truth-{number}"), _defined(prediction, f"prediction-{number}"),
    ]
    step = max(1, round(max(height, width) / 640))
    layers = [
        element("rect", width=f"{width}", height=f"{height}", class_="no-picture"),
        shown.use() or _reason(shown),
        _group("ignored", _filled(hatched(ignored, step).area)) if ignored else None,
        _agreement(truth, prediction, ignored, shown.size_hw),
        *(_role(role, area, number) for role, area in
          (("truth", truth), ("prediction", prediction))),
        _other(workspace, place, run) if others else None,
        _second(workspace, place, shown.size_hw),
        *_boxes(workspace, place, run),
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


def _prediction(workspace: Workspace, place: int, run: int | None) -> Area | None:
    if run is None:
        return None
    scores = workspace.scores[run]
    row = int(scores.run.rows[place])
    if scores.status[place] != Status.SCORED or row < 0:
        return None
    return Area(scores.run.masks[row].to_array())


def _defined(area: Area | None, name: str) -> Markup | None:
    if area is None or area.is_empty:
        return None
    return element("path", id=name, d=path_data(area.loops), class_="shape")


def _filled(area: Area) -> Markup:
    return element("path", d=path_data(area.loops), class_="shape")


def _group(kind: str, *shapes: Markup) -> Markup:
    return element("g", *shapes, class_=kind)


def _agreement(
    truth: Area | None, prediction: Area | None, ignored: Area | None, size_hw: tuple[int, int]
) -> Markup | None:
    """Part the masks into what both, truth alone and prediction alone have."""
    nothing = np.zeros(size_hw, bool)
    target = truth.pixels if truth else nothing
    marked = prediction.pixels if prediction else nothing
    if ignored:
        marked = marked & ~ignored.pixels
    parts = (("both", target & marked), ("truth", target & ~marked),
             ("prediction", marked & ~target))
    shapes = [
        element("path", d=path_data(Area(pixels).loops), class_=f"shape {name}")
        for name, pixels in parts if pixels.any()
    ]
    return element("g", join(shapes), class_="agreement") if shapes else None


def _role(role: str, area: Area | None, number: int) -> Markup | None:
    if area is None or area.is_empty:
        return None
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


def _other(workspace: Workspace, place: int, run: int | None) -> Markup | None:
    """Outline the object that was marked instead, grey and dashed."""
    row = int(workspace.scores[run].other[place]) if run is not None else -1
    if row < 0:
        return None
    area = Area(workspace.dataset.objects.masks[row].to_array())
    return None if area.is_empty else _lines("other", area)


def _second(workspace: Workspace, place: int, size_hw: tuple[int, int]) -> Markup | None:
    """Outline the second ground truth, dotted, where it is of the picture's size."""
    pair = workspace.second
    other = int(pair.b_of_a[place]) if pair else -1
    target = int(pair.b.expressions.target[other]) if pair and other >= 0 else -1
    if pair is None or target < 0 or pair.b.targets.masks[target].size_hw != size_hw:
        return None
    area = Area(pair.b.targets.masks[target].to_array())
    return None if area.is_empty else _lines("second", area)


def _boxes(workspace: Workspace, place: int, run: int | None) -> list[Markup]:
    """Draw the predicted box and the target's, where the run holds boxes."""
    if run is None or workspace.scores[run].boxes is None:
        return []
    scores = workspace.scores[run]
    drawn = []
    for role, box in (("truth", scores.boxes.target[place].tolist() if scores.boxes else None),
                      ("prediction", scores.run.box_xywh(place))):
        if box is None or box[0] != box[0]:
            continue
        x, y, width, height = (f"{value:g}" for value in box)
        drawn.append(_group(f"line {role}", *(
            element("rect", x=x, y=y, width=width, height=height, class_=f"shape {kind}")
            for kind in ("casing", "ink")
        )))
    return drawn
