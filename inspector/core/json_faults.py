"""What is wrong with JSON that somebody else wrote, in words that name no type of Python."""

from __future__ import annotations

import json

_KINDS: tuple[tuple[type | tuple[type, ...], str], ...] = (
    (bool, "true or false"), ((int, float), "a number"), (str, "text"), (bytes, "bytes"),
    ((list, tuple), "a list"), (dict, "an object"), (type(None), "null"),
)
_EXCEEDS = "Exceeds the limit"  # how Python begins what it says of a number of 5,000 digits


def kind_of(value: object) -> str:
    """Name what a value is, as people call it: of JSON, or of a pickle of plain data.

    Example:
        >>> kind_of([1, 2]), kind_of(None), kind_of(7)
        ('a list', 'null', 'a number')
    """
    for kind, words in _KINDS:
        if isinstance(value, kind):
            return words
    return f"of the type '{type(value).__name__}'"


def is_of_python(error: Exception) -> bool:
    """Say whether Python gave up: too deep, or a number too long. Its own words help nobody."""
    return isinstance(error, RecursionError) or str(error).startswith(_EXCEEDS)


def json_fault(error: ValueError | RecursionError) -> tuple[str, str]:
    """Say why text could not be read as JSON, and what that may mean.

    Args:
        error: What :mod:`json` raised.

    Returns:
        What was found, such as ``is nested too deeply``, and a question or an advice as a whole
        sentence, or nothing.
    """
    if isinstance(error, RecursionError):
        return "is nested too deeply", "Is it the right file?"
    if isinstance(error, json.JSONDecodeError):
        return f"is not complete JSON at character {error.pos:,}", "Is the file cut off?"
    if is_of_python(error):
        return "holds a number of more than 4,300 digits", "Write long ids as text, in quotes."
    return f"is not JSON: {error}", ""
