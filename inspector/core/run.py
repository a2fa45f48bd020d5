"""All predictions of one model, aligned to the examples of a data set."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum

import numpy as np

from inspector.core.columns import MaskColumn
from inspector.core.problems import Problem


class Status(IntEnum):
    """What became of an example in one run; the names in lower case stand in the table."""

    MISSING = 0
    SCORED = 1
    INVALID = 2
    NO_TRUTH = 3  # the ground truth itself cannot be read: not in the table, in no metric


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many predictions found their example; ``matched + missing + invalid = examples``.

    Attributes:
        examples: Examples whose ground truth can be used.
        matched: Examples with a usable prediction.
        missing: Examples without one.
        invalid: Examples whose prediction was found but cannot be used.
        duplicate: Further predictions for an example that already had one.
        unmatched: Predictions that belong to no example.
    """

    examples: int
    matched: int
    missing: int
    invalid: int
    duplicate: int
    unmatched: int

    def to_json(self) -> dict[str, int]:
        """Give the object of the contract."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """One model on one data set; ``n`` examples.

    Attributes:
        name: As the user or the file named it.
        source: Path of the predictions.
        format: Key of the prediction format.
        status: ``(n,)`` int8 of :class:`Status` (``SCORED`` stands for "has a usable mask").
        rows: ``(n,)`` int32, row in ``masks``; -1 where there is no usable mask.
        masks: The usable masks; several examples may share one.
        says_no_target: ``(n,)`` bool, True where the model said that nothing is meant.
        reasons: Why a prediction is invalid, by example.
        duplicate: Number of further predictions for examples that had one.
        unmatched: Number of predictions that belong to no example.
        alignment: How predictions were matched, in words, such as ``1,200 by sent_id``.
        problems: Everything that was found.
    """

    name: str
    source: str
    format: str
    status: np.ndarray
    rows: np.ndarray
    masks: MaskColumn
    says_no_target: np.ndarray
    reasons: dict[int, str] = field(default_factory=dict)
    duplicate: int = 0
    unmatched: int = 0
    alignment: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
