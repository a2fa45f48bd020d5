"""One example as a figure: its photograph, what is laid over it, and the words below."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from inspector import __version__
from inspector.figures.captions import Caption, make_caption, shows_second
from inspector.figures.look import AGREEMENT_SHARE, Look
from inspector.figures.photograph import Photograph, read_photograph
from inspector.figures.shapes import (
    DOTTED,
    OTHER,
    OVER,
    Fill,
    Shape,
    Stroke,
    Tag,
    cased,
    hatched,
)
from inspector.figures.subject import Subject, find_subject
from inspector.formats.pictures import PictureStore
from inspector.workspace import Workspace

_WIDE = 640  # a picture of this length is drawn with lines of the page's width in its pixels


@dataclass(frozen=True, slots=True, eq=False)
class Figure:
    """One example, ready to be drawn.

    Attributes:
        example_id: Of the example.
        run: Name of the run, or empty.
        size_hw: Height and width of the picture in pixels, which all shapes are measured in.
        unit: Length of one pixel of the page in pixels of the picture: lines and letters grow
            with the picture, so that they look the same on any.
        photograph: What lies below.
        shapes: What is drawn over it, in order.
        caption: What may be set below.
        facts: Names and values that are kept inside the files: which example, run and rules.
    """

    example_id: str
    run: str
    size_hw: tuple[int, int]
    unit: float
    photograph: Photograph
    shapes: tuple[Shape, ...]
    caption: Caption
    facts: tuple[tuple[str, str], ...]


def make_figure(
    workspace: Workspace, index: int, *, run: str = "", against: str = "",
    look: Look | None = None, pictures: PictureStore | None = None,
) -> Figure:
    """Put together what is to be drawn of one example.

    Args:
        workspace: Data set and runs. A second ground truth may stand among the runs.
        index: Place of the example in the data set.
        run: Name of the run; the first if empty.
        against: Name of another run whose outline is laid over, dashed; none if empty.
        look: Layer, colours and what else is drawn; that of the page at first if None.
        pictures: Where the bytes are read; a store of its own if None.

    Raises:
        UsageError: If there is no such run.
        IndexError: If there is no such example.
    """
    look = look or Look()
    subject = find_subject(workspace, index, run=run, against=against)
    size_hw = subject.image.size_hw
    unit = max(max(size_hw) / _WIDE, 0.5)
    caption = make_caption(subject, look)
    dataset = workspace.dataset
    name = subject.scores.run.name if subject.scores else ""
    rules = workspace.protocol.to_json()
    return Figure(
        example_id=dataset.expressions.ids[index],
        run=name,
        size_hw=size_hw,
        unit=unit,
        photograph=read_photograph(pictures or PictureStore(), subject.image.location),
        shapes=tuple(_shapes(subject, look, unit)),
        caption=caption,
        facts=(
            ("Title", caption.sentence),
            ("Description", "\n".join(caption.facts)),
            ("Software", f"inspector {__version__}"),
            ("inspector:dataset", f"{dataset.name}, {dataset.split}"),
            ("inspector:example_id", dataset.expressions.ids[index]),
            ("inspector:run", name),
            ("inspector:protocol", ", ".join(f"{key}={rule}" for key, rule in rules.items())),
        ),
    )


def _shapes(subject: Subject, look: Look, unit: float) -> Iterator[Shape]:
    """Give what is drawn, in the order of the page; only names of objects come last here."""
    layer, colours = look.drawn, look.colours
    tags: list[Tag] = []
    if look.others:
        yield from _others(subject, tags)
    if subject.ignored:
        yield hatched(subject.ignored, max(1, round(unit)))
    yield from _fills(subject, look)
    for role, width in layer.lines:
        if area := subject.area(role):
            yield Stroke(area, cased(colours.of(role), width))
    if subject.over:
        yield Stroke(subject.over, OVER)
    if subject.second and shows_second(subject, look):
        yield Stroke(subject.second, DOTTED)
    yield from _boxes(subject, look)
    yield from tags


def _fills(subject: Subject, look: Look) -> Iterator[Fill]:
    for role in look.drawn.fills:
        if role != "agreement":
            if area := subject.area(role):
                yield Fill(area, look.colours.of(role), look.opacity)
            continue
        for part, both in subject.agreement.items():
            share = AGREEMENT_SHARE if part == "agreement" else 1.0
            if not both.is_empty:
                yield Fill(both, look.colours.of(part), look.opacity * share)


def _others(subject: Subject, tags: list[Tag]) -> Iterator[Stroke]:
    dataset = subject.workspace.dataset
    for row, area in subject.others().items():
        if row != subject.hit:
            yield Stroke(area, cased(OTHER, 1))
            continue
        yield Stroke(area, cased(OTHER, 2, dashes=(6, 4)))
        category = dataset.categories[dataset.objects.category[row]]
        x, y, _, _ = area.box_xywh
        tags.append(Tag(f"marked instead: {category}", x, y))


def _boxes(subject: Subject, look: Look) -> Iterator[Stroke]:
    roles, colours = look.drawn.roles, look.colours
    predicted, target = subject.boxes
    if predicted and "prediction" in roles:
        if target and "truth" in roles:
            yield Stroke(target, cased(colours.truth, 2))
        yield Stroke(predicted, cased(colours.prediction, 2.5))
    if look.boxes:
        for role in roles:
            if area := subject.area(role):
                yield Stroke(area.box_xywh, cased(colours.of(role), 1.5))
