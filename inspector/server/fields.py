"""The fields of what a page sends: those that are known, each of its kind, and no others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from inspector.core.errors import UsageError, say_choices
from inspector.server.json_bodies import is_whole_text

_WORDS = {str: "text", int: "a whole number", bool: "true or false", dict: "an object of texts"}
_MOST_NUMBER = 2**53


def read_fields(
    value: Mapping[str, Any], needed: Mapping[str, type], optional: Mapping[str, type] | None = None
) -> dict[str, Any]:
    """Check the fields of a JSON object.

    Args:
        value: The object.
        needed: Kind of each field that must be there: ``str``, ``int``, ``bool`` or ``dict`` (of
            texts).
        optional: The same for those that may be; null counts as not there.

    Raises:
        UsageError: If one is missing, unknown or of another kind.
    """
    kinds = {**needed, **(optional or {})}
    for key in value:
        if key not in kinds:
            raise UsageError(f"No field '{key[:40]}'. {say_choices(key, list(kinds))}")
    fields: dict[str, Any] = {}
    for key, kind in kinds.items():
        found = value.get(key)
        if found is None and key not in needed:
            continue
        if not _is_a(found, kind):
            raise UsageError(f"'{key}' must be {_WORDS[kind]}.")
        fields[key] = found
    return fields


def _is_a(value: object, kind: type) -> bool:
    if kind is str:
        return is_whole_text(value)
    if kind is dict:
        return isinstance(value, dict) and len(value) <= 100 and all(
            is_whole_text(part) for item in value.items() for part in item
        )
    if kind is int:
        return type(value) is int and abs(value) <= _MOST_NUMBER
    return isinstance(value, bool)
