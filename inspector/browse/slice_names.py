"""Slices as they stand in an address: ``attribute=value``, several joined by ``;``."""

from __future__ import annotations

import re
from collections.abc import Iterable

from inspector.core.errors import UsageError

MOST_PARTS = 8
"""Attributes that one slice may be made of; analyses join two."""


def slice_name(key: str, value: str) -> str:
    """Write one part of a slice."""
    return f"{key}={value}"


def write_slice(parts: Iterable[tuple[str, str]]) -> str:
    r"""Join parts; a ``;`` or ``\`` of a value has a ``\`` before it.

    Example:
        >>> print(write_slice([("category", "cat;dog"), ("has_number", "yes")]))
        category=cat\;dog;has_number=yes
    """
    return ";".join(re.sub(r"([\\;])", r"\\\1", slice_name(*part)) for part in parts)


def read_slice(text: str) -> list[str]:
    r"""Take what :func:`write_slice` has joined apart again.

    Raises:
        UsageError: If it has no part, or more than any slice.

    Example:
        >>> read_slice(r"category=cat\;dog;has_number=yes")
        ['category=cat;dog', 'has_number=yes']
    """
    parts = re.findall(r"(?:\\.|[^;])+", text, re.DOTALL)
    if not parts:
        raise UsageError(f"'{text[:40]}' names no slice. Write attribute=value.")
    if len(parts) > MOST_PARTS:
        raise UsageError(
            f"The slice has {len(parts):,} parts; at most {MOST_PARTS} are joined. "
            "Leave some of them out."
        )
    return [re.sub(r"\\([\\;])", r"\1", part) for part in parts]
