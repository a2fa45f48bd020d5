"""What a case of the fuzzer is, and what may come out of it."""

from __future__ import annotations

from collections.abc import Callable
from random import Random


class Disagreement(AssertionError):  # noqa: N818 - it is reported by this name
    """Two ways to the same number gave two numbers, or what was loaded breaks a promise."""


Case = Callable[[Random], str]
"""Draws one case and tries it; gives ``loaded`` or the name of the error that people are shown.

Anything else that is raised is a fault of the program.
"""


def agree(found: object, expected: object, what: str) -> None:
    """Raise if two values differ."""
    if found != expected:
        raise Disagreement(f"{what}: {str(found)[:300]} instead of {str(expected)[:300]}")
