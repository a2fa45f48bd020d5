"""Ranges of numbers as they stand in an address: read, asked for in SQL, and said."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from inspector.core.errors import UsageError


class Range(NamedTuple):
    """Numbers from ``low`` to ``high``, both included unless it is said otherwise.

    Attributes:
        low, high: The ends; None where it is open.
        is_below: Whether ``high`` itself is left out, as of a bar of a histogram that the next
            bar goes on from.
    """

    low: float | None
    high: float | None
    is_below: bool = False

    def condition(self, column: str) -> tuple[str, list[Any]]:
        """Give SQL and its parameters."""
        clauses = [f"{column} >= ?"] if self.low is not None else []
        if self.high is not None:
            clauses.append(f"{column} {'<' if self.is_below else '<='} ?")
        ends = [end for end in (self.low, self.high) if end is not None]
        return " AND ".join(clauses) or "true", ends

    def phrase(self, label: str) -> str:
        """Say it of something, in English."""
        if self.low is None and self.high is None:
            return f"{label} is anything"
        if self.low is None:
            return f"{label} is {'below' if self.is_below else 'at most'} {say_number(self.high)}"
        if self.high is None:
            return f"{label} is at least {say_number(self.low)}"
        if self.low == self.high:
            return f"{label} is {say_number(self.low)}"
        to = "to below" if self.is_below else "to"
        return f"{label} is from {say_number(self.low)} {to} {say_number(self.high)}"


def read_range(key: str, value: str) -> Range:
    """Read ``0.2..0.5``, ``0.2..<0.5``, ``..0.5`` or ``3..``.

    Raises:
        UsageError: If it is none of these, or nothing can lie in it.
    """
    low, dots, high = value.partition("..")
    is_below = high.startswith("<")
    high = high.removeprefix("<")
    try:
        if not dots or (is_below and not high):
            raise ValueError
        ends = (float(low) if low else None, float(high) if high else None)
        if any(end is not None and not math.isfinite(end) for end in ends):
            raise ValueError
    except ValueError:
        raise UsageError(
            f"'{value[:40]}' is not a range for '{key}'. Write low..high, such as 0..0.5, or "
            "low..<high to leave the upper end out."
        ) from None
    if ends[0] is not None and ends[1] is not None:
        if ends[0] > ends[1] or (is_below and ends[0] == ends[1]):
            raise UsageError(
                f"The range '{value[:40]}' for '{key}' ends before it begins. Write {high}..{low}."
            )
    return Range(*ends, is_below)


def say_number(number: float | None) -> str:
    """Write a number to be read: all its digits up to the twelfth, thousands apart."""
    return f"{number:,.12g}".replace("-", "−")
