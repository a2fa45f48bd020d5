"""An exception of somebody else's code, in one line."""

from __future__ import annotations

import os
import site
import sysconfig
import traceback
from pathlib import Path


def describe(error: BaseException) -> str:
    """Say an exception in one line, with the last place in the user's own code."""
    try:
        said = " ".join(str(error.msg if isinstance(error, SyntaxError) else error).split())
    except Exception:  # an exception whose own text fails
        said = ""
    said = said if len(said) <= 300 else said[:299] + "…"
    text = f"{type(error).__name__}: {said}" if said else type(error).__name__
    place = _place_of(error)
    return f"{text.rstrip('.')} ({place})" if place else text.rstrip(".")


def _place_of(error: BaseException) -> str:
    if isinstance(error, SyntaxError) and error.filename:
        return f"{Path(error.filename).name}, line {error.lineno}"
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if not _is_foreign(frame.filename)]
    return f"{Path(own[-1].filename).name}, line {own[-1].lineno}" if own else ""


def _is_foreign(filename: str) -> bool:
    """Whether a frame is the inspector's, Python's or an installed package's."""
    own = Path(__file__).resolve().parent.parent
    folders = [str(own), *site.getsitepackages(), sysconfig.get_path("stdlib")]
    return filename.startswith("<") or filename.startswith(tuple(f"{f}{os.sep}" for f in folders))
