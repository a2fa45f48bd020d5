"""What a run predicts for an example, as a verdict remembers it: so that another is noticed."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cached_property, lru_cache

from inspector.core.failures import FAILURE_MODES, FAILURE_ROWS
from inspector.core.protocol import ScoredExamples
from inspector.core.run import Status
from inspector.core.scores import Scores
from inspector.findings.records import Evidence

CORRECT = FAILURE_ROWS["correct"]


class RunEvidence:
    """Gives the evidence of one run's predictions under the rules in force.

    Args:
        scores: The run against the data set.
        scored: Gives the same under the protocol; called when it is first needed.
    """

    def __init__(self, scores: Scores, scored: Callable[[], ScoredExamples]) -> None:
        self.scores, self._scored = scores, scored
        self.digest_of = lru_cache(maxsize=100_000)(self._digest_of)

    @cached_property
    def scored(self) -> ScoredExamples:
        """The run under the protocol."""
        return self._scored()

    @property
    def name(self) -> str:
        """Name of the run."""
        return self.scores.run.name

    def of(self, index: int) -> Evidence:
        """Give what a verdict on one example is given on."""
        iou = float(self.scored.shown_iou[index])
        return Evidence(iou if iou == iou else None, self.failure_of(index), self.digest_of(index))

    def failure_of(self, index: int) -> str:
        """Give the key of the failure mode; empty where the ground truth cannot be read."""
        failure = int(self.scores.failure[index])
        return FAILURE_MODES[failure].key if failure >= 0 else ""

    @cached_property
    def digest(self) -> str:
        """Changes with any prediction of the run."""
        ids = self.scores.dataset.expressions.ids
        found = hashlib.sha256(self.name.encode(errors="replace"))
        for index, example_id in enumerate(ids):
            found.update(f"\0{example_id}\0{self._digest_of(index)}".encode(errors="replace"))
        return found.hexdigest()[:16]

    def _digest_of(self, index: int) -> str:
        """Say which prediction it is, by everything that its score rests on.

        The first letter says by what: ``m`` by what was predicted, ``c`` by counts alone, where
        numbers were read from a table without the masks.
        """
        run = self.scores.run
        found = hashlib.sha256(Status(int(run.status[index])).name.encode())
        row = int(run.rows[index])
        has_prediction = row >= 0 or run.status[index] != Status.SCORED
        if row >= 0:
            found.update(b"mask" + run.masks.sizes_hw[row].tobytes() + run.masks.counts(row))
        found.update(b"none" if run.says_no_target[index] else b"")
        for name, values in (
            ("box", run.boxes_xywh), ("counts", run.counts), ("iou", run.stated_iou)
        ):
            if values is not None:
                has_prediction = True
                found.update(name.encode() + values[index].tobytes())
        if has_prediction or run.says_no_target[index]:
            return f"m{found.hexdigest()[:15]}"
        scores = self.scores
        for column in (scores.intersection, scores.union, scores.prediction_area):
            found.update(f" {int(column[index])}".encode())
        return f"c{found.hexdigest()[:15]}"


def is_another(digest: str, now: str) -> bool:
    """Whether two digests tell two predictions apart; those of different kinds cannot."""
    return bool(digest) and digest[:1] == now[:1] and digest != now
