"""The chosen examples: picture with masks, sentence, score, why it failed, numbers, remarks."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from inspector.core.failures import FAILURE_MODES
from inspector.core.run import Status
from inspector.findings.records import VERDICTS
from inspector.report import charts
from inspector.report.markup import Markup, Section, element, join, quoted
from inspector.report.options import Chosen, Progress, Remark, ReportOptions
from inspector.report.overlays import draw_example
from inspector.report.pictures import Pictures, Shown
from inspector.report.wording import NONE, fraction, level, percent
from inspector.workspace import Workspace

LAYERS = (
    ("agreement", "Agreement"), ("contours", "Contours"), ("fill", "Fill"), ("truth", "Truth"),
    ("prediction", "Prediction"), ("picture", "Picture"),
)
"""Layers that the page and the presenter can switch to: the page's own, in its order."""

_LONG = 90  # characters from which a sentence is set smaller

_VERDICTS = {verdict.key: verdict.label for verdict in VERDICTS}


def make_examples(
    workspace: Workspace, chosen: Chosen, run: int | None, pictures: Pictures,
    options: ReportOptions, *, hide: Callable[[str], str], drawn: dict[tuple[int, bool], Markup],
    progress: Progress | None = None,
) -> Section:
    """Write the chosen examples, each as an article that can be presented.

    Args:
        workspace: Data set and runs.
        chosen: The examples.
        run: Row of the run that is drawn, or None.
        pictures: The photographs of all of them.
        options: Remarks, and which sentences are veiled.
        hide: Takes the folders of this machine out of a text.
        drawn: Keeps the drawings by number and whether they have a photograph, for another try
            with smaller photographs.
        progress: Called with (what, done, all).
    """
    articles = []
    for number, place in enumerate(chosen.places, 1):
        if progress:
            progress("draw examples", number, len(chosen.places))
        article = _Article(workspace, place, run, options, number, hide)
        shown = pictures.by_row[int(workspace.dataset.expressions.image[place])]
        key = number, shown.photograph.content is not None
        if key not in drawn:
            drawn[key] = article.draw(shown)
        articles.append(article.write(drawn[key], len(chosen.places)))
    name = workspace.scores[run].run.name if run is not None else ""
    whose = ["Drawn are the predictions of ", element("bdi", name), ". "] if name else []
    return Section("examples", "Examples", join((
        element("p", *whose, chosen.why), _controls() if articles else None, _legend(workspace),
        element("p", pictures.describe(), class_="note") if pictures.describe() else None,
        element("div", join(articles), class_="examples"),
    )))


def _controls() -> Markup:
    """Write the buttons that need the script; it brings them to light."""
    buttons = join(
        element("button", label, type="button", data_layer=key,
                aria_pressed="false") for key, label in LAYERS
    )
    return element(
        "div", element("div", buttons, class_="joined", role="group", aria_label="Layer"),
        element("button", "Present", element("kbd", "P"), type="button", class_="present"),
        class_="controls", hidden=True,
    )


def _legend(workspace: Workspace) -> Markup:
    entries = [("truth", "ground truth")]
    if workspace.scores:
        entries += [("prediction", "prediction"), ("agreement", "both"),
                    ("other", "marked instead")]
    if workspace.second is not None:
        entries.append(("second", "ground truth B"))
    return charts.legend(entries)


class _Article:
    """One example in the report."""

    def __init__(
        self, workspace: Workspace, place: int, run: int | None, options: ReportOptions,
        number: int, hide: Callable[[str], str],
    ) -> None:
        self._workspace, self._place, self._run, self._hide = workspace, place, run, hide
        self._options, self._number = options, number
        self._dataset = workspace.dataset
        table = self._dataset.expressions
        self._id, self._sentence = table.ids[place], table.sentences[place]
        self._image = self._dataset.images[table.image[place]]
        self._is_veiled = options.is_sensitive(self._sentence)
        self._remark = options.remarks.get(self._id, Remark())

    def draw(self, shown: Shown) -> Markup:
        return draw_example(
            self._workspace, self._place, self._run, shown, number=self._number,
            label=self._label(),
        )

    def write(self, drawing: Markup, total: int) -> Markup:
        veil = f"veil-{self._number}"
        title = f"sentence-{self._number}"
        return element(
            "article",
            element("input", type="checkbox", id=veil, class_="veil") if self._is_veiled else None,
            element("label", "This may offend. Show it", element("kbd", "V"), for_=veil,
                    class_="unveil") if self._is_veiled else None,
            element("div", drawing, class_="picture"),
            element(
                "div",
                element("p", f"{self._number} / {total}", class_="place"),
                element("h3", "“", quoted(self._sentence or "(no words)"), "”", id=title,
                        class_="sentence long" if len(self._sentence) > _LONG else "sentence"),
                *self._verdict(), *self._said(), self._facts(), class_="words",
            ),
            class_="example" + (" veiled" if self._is_veiled else ""),
            id=f"example-{self._number}", aria_labelledby=title, tabindex="-1",
        )

    def _label(self) -> str:
        said = "a sentence that may offend" if self._is_veiled else f"“{self._sentence}”"
        if self._run is None:
            return f"Picture with the ground truth of {said}."
        return (f"Picture with ground truth and prediction of {said}: {self._mode()}, "
                f"IoU {self._score(self._run)}.")

    def _score(self, run: int) -> str:
        """Write what the page writes: IoU with three decimals, or why there is none."""
        status = Status(int(self._workspace.scores[run].status[self._place]))
        if status in (Status.MISSING, Status.INVALID):
            return status.name.lower()
        return fraction(self._iou(run)) if status == Status.SCORED else "no truth"

    def _iou(self, run: int) -> float | None:
        value = float(self._workspace.scored[run].shown_iou[self._place])
        return value if value == value else None

    def _mode(self) -> str:
        failure = int(self._workspace.scores[self._run or 0].failure[self._place])
        return FAILURE_MODES[failure].label if failure >= 0 else "no truth"

    def _verdict(self) -> Iterator[Markup]:
        """The IoU, the failure mode, and the object that was marked instead."""
        if self._run is None:
            return
        scores = self._workspace.scores[self._run]
        failure = int(scores.failure[self._place])
        score = self._score(self._run)
        is_number = score[0].isdigit()
        kind = level(self._iou(self._run)) if is_number else "none"
        unit = "box IoU" if scores.run.is_boxes_only else "IoU"
        yield element(
            "p", element("span", element("strong", score, class_="number"),
                         element("span", unit if is_number else "", class_="unit"),
                         class_=f"badge {kind}"),
            element("span", element("span", FAILURE_MODES[failure].icon, class_="icon",
                                    aria_hidden="true"),
                    FAILURE_MODES[failure].label, class_="mode")
            if failure >= 0 and FAILURE_MODES[failure].label != score else None,
            class_="score",
        )
        other = int(scores.other[self._place])
        if other >= 0:
            category = self._dataset.categories[self._dataset.objects.category[other]]
            yield element("p", "It landed on another object: ", element("bdi", category),
                          f", IoU {fraction(float(scores.other_iou[self._place]))} with it.",
                          class_="why")
        is_background = failure >= 0 and FAILURE_MODES[failure].key == "background"
        if is_background and not self._dataset.distractors_known:
            yield element("p", "Off target: it fits none of the objects that the data set lists.",
                          class_="why")
        if reason := scores.run.reasons.get(self._place, ""):
            yield element("p", element("bdi", self._hide(reason)), class_="why")

    def _said(self) -> Iterator[Markup]:
        """Verdict, tags and note of people."""
        remark = self._remark
        name = self._workspace.scores[self._run].run.name if self._run is not None else ""
        verdict = remark.verdicts.get(name, "")
        if verdict:
            yield element("p", "Verdict: ", element("b", _VERDICTS.get(verdict, verdict)), ".",
                          class_="verdict")
        if remark.tags:
            yield element("ul", join(element("li", element("bdi", tag)) for tag in remark.tags),
                          class_="tags", aria_label="Tags")
        if remark.note:
            yield element("div", join(
                element("p", element("bdi", line)) for line in remark.note.splitlines() if line
            ), class_="remark", role="note", aria_label="Note")

    def _facts(self) -> Markup:
        return element("dl", join(
            element("div", element("dt", name), element("dd", element("bdi", value)))
            for name, value in self._pairs() if value
        ), class_="facts")

    def _pairs(self) -> Iterator[tuple[str, str]]:
        dataset, place = self._dataset, self._place
        table = dataset.expressions
        target = int(dataset.target_areas[place])
        if self._run is not None:
            scores = self._workspace.scores[self._run]
            shared, area = int(scores.intersection[place]), int(scores.prediction_area[place])
            if scores.status[place] == Status.SCORED and area >= 0:
                yield "Intersection / union", f"{shared:,} / {int(scores.union[place]):,} px"
                yield "Prediction", f"{area:,} px"
                if area and target:
                    yield "Precision, recall", (
                        f"{percent(shared / area)}, {percent(shared / target)}"
                    )
        for row, scores in enumerate(self._workspace.scores):
            if row != self._run:
                yield f"IoU of {scores.run.name}", self._score(row)
        yield "Ground truth", f"{target:,} px" if table.target[place] >= 0 else "no target"
        yield "Category", dataset.category_of(place) or NONE
        yield "Example id", self._id
        yield "Ref id", table.ref_ids[place]
        yield "Image id", self._image.id
