"""What there is to draw of one example: its masks and boxes, each made once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from inspector.core.errors import UsageError, say_choices
from inspector.core.records import ImageRef
from inspector.core.run import Status
from inspector.core.scores import Scores
from inspector.figures.look import Role
from inspector.figures.trace import Area
from inspector.workspace import Workspace

Box = tuple[float, float, float, float]


@dataclass(frozen=True, eq=False)
class Subject:
    """One example in the run that is shown, and the one that is laid over it.

    Attributes:
        workspace: Data set and runs.
        index: Place of the example.
        run: Place of the run; None where there is none.
        against: Place of the run whose outline is laid over; None where none is.
    """

    workspace: Workspace
    index: int
    run: int | None
    against: int | None

    @property
    def image(self) -> ImageRef:
        """The picture."""
        dataset = self.workspace.dataset
        return dataset.images[dataset.expressions.image[self.index]]

    @property
    def scores(self) -> Scores | None:
        """The scores of the run that is shown."""
        return self.workspace.scores[self.run] if self.run is not None else None

    def area(self, role: Role) -> Area | None:
        """The mask of truth or prediction; None where there is none or it marks nothing."""
        return {"truth": self._truth, "prediction": self._prediction}[role]

    @cached_property
    def _truth(self) -> Area | None:
        dataset = self.workspace.dataset
        row = int(dataset.expressions.target[self.index])
        return _marked(dataset.targets.masks[row].to_array()) if row >= 0 else None

    @cached_property
    def _prediction(self) -> Area | None:
        return self._of_run(self.run)

    @cached_property
    def over(self) -> Area | None:
        """The prediction of the run that is laid over."""
        return self._of_run(self.against)

    def _of_run(self, run: int | None) -> Area | None:
        if run is None:
            return None
        scores = self.workspace.scores[run]
        row = int(scores.run.rows[self.index])
        if scores.status[self.index] != Status.SCORED or row < 0:
            return None
        return _marked(scores.run.masks[row].to_array())

    @cached_property
    def ignored(self) -> Area | None:
        """The region that counts neither for nor against a prediction."""
        dataset = self.workspace.dataset
        row = int(dataset.expressions.ignored[self.index])
        return _marked(dataset.ignored[row].to_array()) if row >= 0 else None

    @cached_property
    def second(self) -> Area | None:
        """The mask of a second ground truth, where it is of the picture's size."""
        pair = self.workspace.second
        other = int(pair.b_of_a[self.index]) if pair else -1
        row = int(pair.b.expressions.target[other]) if pair and other >= 0 else -1
        if pair is None or row < 0 or pair.b.targets.masks[row].size_hw != self.image.size_hw:
            return None
        return _marked(pair.b.targets.masks[row].to_array())

    def is_second(self, run: int | None) -> bool:
        """Whether a run is the second ground truth, shown as if it were a run."""
        pair = self.workspace.second
        return (
            pair is not None and run is not None
            and self.workspace.scores[run].run.rows is pair.label.run.rows
        )

    @cached_property
    def agreement(self) -> dict[Role, Area]:
        """The pixels of both, of the truth alone and of the prediction alone; ``(H, W)`` each.

        Ignored pixels are in none of them.
        """
        nothing = np.zeros(self.image.size_hw, bool)
        truth = self._truth.pixels if self._truth else nothing
        prediction = self._prediction.pixels if self._prediction else nothing
        if self.ignored:
            prediction = prediction & ~self.ignored.pixels
        return {
            "agreement": Area(truth & prediction),
            "prediction": Area(prediction & ~truth),
            "truth": Area(truth & ~prediction),
        }

    def others(self) -> dict[int, Area]:
        """The other annotated objects of the picture, by their rows in the data set."""
        dataset = self.workspace.dataset
        found = {
            row: _marked(dataset.objects.masks[row].to_array())
            for row in dataset.distractor_rows(self.index)
        }
        return {row: area for row, area in found.items() if area}

    @cached_property
    def hit(self) -> int:
        """Row of the other object on which the prediction landed; -1 if there is none."""
        return int(self.scores.other[self.index]) if self.scores else -1

    @property
    def hit_area(self) -> Area | None:
        """The mask of that object."""
        if self.hit < 0:
            return None
        return _marked(self.workspace.dataset.objects.masks[self.hit].to_array())

    @cached_property
    def boxes(self) -> tuple[Box | None, Box | None]:
        """The predicted box and the target's, where the run holds boxes; x, y, width, height."""
        scores = self.scores
        if scores is None or scores.boxes is None:
            return None, None
        x, y, width, height = scores.boxes.target[self.index].tolist()
        target = (x, y, width, height) if x == x else None
        return scores.run.box_xywh(self.index), target


def find_subject(workspace: Workspace, index: int, *, run: str, against: str) -> Subject:
    """Find an example and runs by their names.

    Raises:
        UsageError: If there is no such run.
        IndexError: If there is no such example.
    """
    if not 0 <= index < len(workspace.dataset):
        raise IndexError(index)
    names = [scores.run.name for scores in workspace.scores]
    shown = run or (names[0] if names else "")
    return Subject(workspace, index, _place(shown, names), _place(against, names))


def _place(name: str, names: list[str]) -> int | None:
    if not name:
        return None
    if name not in names:
        raise UsageError(f"No run '{name[:80]}'. {say_choices(name, names)}")
    return names.index(name)


def _marked(pixels: np.ndarray) -> Area | None:
    return Area(pixels) if pixels.any() else None
