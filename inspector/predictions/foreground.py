"""From which value on a mask's pixels are foreground, where they are more than two values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from inspector.core.errors import MaskError
from inspector.core.problems import Severity

ABOVE_ZERO = "above 0"
LARGEST = 65_535  # of a grey value: 16 bits
_BAND = (-0.5, 1.5)  # where bicubic resizing takes probabilities, beyond 0 and 1


def grey_threshold(largest: float) -> tuple[float, str]:
    """Decide from which value on grey is foreground: the middle of its 8 or 16 bits.

    Values that stay below the middle are of a scale of their own (0 and 1 and 2, 0 to 100): then
    half of the largest.

    Example:
        >>> grey_threshold(255), grey_threshold(100)
        ((128, 'at least 128'), (50.0, 'at least half of the largest value'))
    """
    middle = 32_768 if largest > 255 else 128
    if largest >= middle:
        return middle, f"at least {middle:,}"
    return largest / 2, "at least half of the largest value"


@dataclass(frozen=True, slots=True)
class Rule:
    """What is foreground in all masks of a file.

    Attributes:
        threshold: The smallest value of the foreground; None for all above 0.
        phrase: The rule in words, with the values that it was decided from.
        severity: How doubtful it is; empty where nothing is to be said.
    """

    threshold: float | None
    phrase: str
    severity: Severity | None

    def of(self, values: np.ndarray) -> np.ndarray:
        """Give the foreground of a mask as bool."""
        found: np.ndarray = values > 0 if self.threshold is None else values >= self.threshold
        return found


PLAIN = Rule(None, ABOVE_ZERO, None)


def find_rule(masks: Iterable[np.ndarray]) -> Rule:
    """Decide from all masks of a file what is foreground in each; no number is left out.

    Raises:
        MaskError: If the values are of no known kind.
    """
    low, high, levels, has_floats = np.inf, -np.inf, set[Any](), False
    for values in _numbers(masks):
        has_floats = has_floats or values.dtype.kind == "f"
        low, high = min(low, values.min()), max(high, values.max())
        if len(levels) < 3:
            levels |= set(np.unique(values)[:4].tolist())
    if len(levels - {0}) <= 1 and low >= 0:
        return PLAIN
    said = f"{'values' if low >= 0 else 'logits'} from {low:.6g} to {high:.6g}"
    if low < 0 and not (has_floats and _BAND[0] <= low and high <= _BAND[1]):
        return Rule(None, f"{ABOVE_ZERO} ({said})", "info" if high > 0 else "error")
    if has_floats and high <= _BAND[1]:
        is_within = low >= 0 and high <= 1
        said = f"values from {low:.3g} to {high:.3g}"
        said += "" if is_within else ", taken for probabilities with an overshoot"
        severity: Severity = "info" if is_within else "warning"
        return Rule(0.5, f"at least 0.5 ({said})", severity if high >= 0.5 else "error")
    if high > LARGEST:
        raise MaskError(f"the masks hold {said}; grey values end at {LARGEST:,}")
    threshold, phrase = grey_threshold(float(high))
    return Rule(threshold, f"{phrase} ({said})", "info")


def _numbers(masks: Iterable[np.ndarray]) -> Iterator[np.ndarray]:
    """Give the values of each mask that are numbers, and no mask without any."""
    for values in masks:
        found = values
        if values.dtype.kind == "f" and np.isnan(np.min(values, initial=0)):
            found = values[~np.isnan(values)]
        if found.size:
            yield found
