"""How numbers are written in the report."""

from __future__ import annotations

NONE = "–"
MINUS = "\N{MINUS SIGN}"
PERCENT = "\N{NO-BREAK SPACE}%"


def percent(value: float | None, digits: int = 1) -> str:
    """Write a fraction as a percentage, with its sign of percent."""
    return NONE if value is None else f"{100 * value:.{digits}f}{PERCENT}"


def points(value: float | None, digits: int = 1) -> str:
    """Write a difference of fractions in signed points."""
    if value is None:
        return NONE
    text = f"{abs(100 * value):.{digits}f}"
    if float(text) == 0:
        return text
    return f"{MINUS if value < 0 else '+'}{text}"


def ends(low: float, high: float, digits: int = 1) -> str:
    """Write an interval of differences in points."""
    return f"{points(low, digits)} to {points(high, digits)}"


def span(low: float, high: float, digits: int = 1) -> str:
    """Write an interval of fractions in percent."""
    return f"{100 * low:.{digits}f} to {100 * high:.{digits}f}{PERCENT}"


def chance(value: float | None) -> str:
    """Write a p- or q-value."""
    if value is None:
        return NONE
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def fraction(value: float | None) -> str:
    """Write an IoU as the page does: a fraction with three decimals."""
    return NONE if value is None else f"{value:.3f}"


def count(number: int, one: str, many: str = "") -> str:
    """Write a number with its noun.

    Example:
        >>> count(1, "example"), count(2_000, "example")
        ('1 example', '2,000 examples')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def level(iou: float | None) -> str:
    """Name the step of an IoU's colour; the number always stands beside it."""
    if iou is None:
        return "none"
    return "low" if iou < 0.5 else "middle" if iou < 0.8 else "high"
