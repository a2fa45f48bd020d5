"""The words below a figure: the sentence, what the runs reached, what the colours mean."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from inspector.core.failures import FAILURE_MODES
from inspector.core.run import Status
from inspector.figures.look import Look, Role
from inspector.figures.shapes import OTHER
from inspector.figures.subject import Subject


@dataclass(frozen=True, slots=True)
class Mark:
    """An entry of the legend; ``kind`` is how it is drawn: area, line, dashed or dotted."""

    words: str
    colour: str
    kind: str


@dataclass(frozen=True, slots=True)
class Caption:
    """The words below a figure.

    Attributes:
        sentence: The expression as written in the data.
        facts: Lines of numbers and names.
        legend: What the colours mean that are in the figure.
    """

    sentence: str
    facts: tuple[str, ...]
    legend: tuple[Mark, ...]


def make_caption(subject: Subject, look: Look) -> Caption:
    """Put a caption together."""
    sentence = subject.workspace.dataset.expressions.sentences[subject.index]
    return Caption(sentence, tuple(_facts(subject)), tuple(_legend(subject, look)))


def _facts(subject: Subject) -> Iterator[str]:
    example = f"example {subject.workspace.dataset.expressions.ids[subject.index]}"
    if subject.run is None or subject.scores is None:
        yield example
        return
    failure = int(subject.scores.failure[subject.index])
    label = FAILURE_MODES[failure].label if failure >= 0 else ""
    reached = _reached(subject, subject.run)
    parts = [reached, subject.scores.run.name, label if label != reached else "", example]
    yield " · ".join(part for part in parts if part)
    if subject.against is not None:
        name = subject.workspace.scores[subject.against].run.name
        yield f"{_reached(subject, subject.against)} · {name}"


def _reached(subject: Subject, run: int) -> str:
    """Say what a run reached: IoU with three decimals as on the page, or why there is none."""
    scores = subject.workspace.scores[run]
    status = Status(int(scores.status[subject.index]))
    if status == Status.NO_TRUTH:
        return "no ground truth"
    if status != Status.SCORED:
        return status.name.lower()
    iou = float(subject.workspace.scored[run].shown_iou[subject.index])
    if iou != iou:
        return "left out by the rules"
    return f"{'box ' if scores.run.is_boxes_only else ''}IoU {iou:.3f}"


def _legend(subject: Subject, look: Look) -> Iterator[Mark]:
    """Name what is in the figure; the words are those of the page."""
    layer, colours = look.drawn, look.colours
    prediction = "ground truth B" if subject.is_second(subject.run) else "prediction"
    if "agreement" in layer.fills:
        words: dict[Role, str] = {
            "agreement": "both", "prediction": f"only {prediction}", "truth": "only ground truth",
        }
        for role, area in subject.agreement.items():
            if not area.is_empty:
                yield Mark(words[role], colours.of(role), "area")
    else:
        words = {"truth": "ground truth", "prediction": prediction}
        for role in layer.roles:
            if subject.area(role):
                yield Mark(words[role], colours.of(role), "area" if layer.fills else "line")
    predicted, target = subject.boxes
    if predicted and "prediction" in layer.roles:
        if target and "truth" in layer.roles:
            yield Mark("box of the ground truth", colours.truth, "line")
        yield Mark("predicted box", colours.prediction, "line")
    if look.others and subject.others():
        yield Mark("other objects", OTHER, "line")
    if subject.over and subject.against is not None:
        yield Mark(subject.workspace.scores[subject.against].run.name, "#ffffff", "dashed")
    if shows_second(subject, look):
        yield Mark("ground truth B", "#000000", "dotted")
    if subject.ignored:
        yield Mark("not counted", OTHER, "area")


def shows_second(subject: Subject, look: Look) -> bool:
    """Whether the second ground truth is outlined: not where it is what is shown as the run."""
    return bool(
        look.second and look.layer != "picture" and not subject.is_second(subject.run)
        and subject.second
    )
