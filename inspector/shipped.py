"""Where the files lie that come with the program: the demo, recorded results."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def shipped(name: str) -> Path:
    """Give the folder ``assets/name``: inside the package once installed, beside it in a checkout.

    Example:
        >>> shipped("demo").is_dir()
        True
    """
    installed = _PACKAGE / "assets" / name
    return installed if installed.is_dir() else _PACKAGE.parent / "assets" / name
