"""How a loop is compiled by numba; imported where there is much to do, as that takes a while."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba.core.config
from numba import njit

numba.core.config._config_fname = ""  # numba would look for it in any folder: see compiled.py


def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a function at its first call, without the interpreter's lock while it runs.

    The machine code is kept beside the function's file, or in the user's cache folder where that
    cannot be written to. Constants of other modules are part of it: if one changes, the file of
    the function must too.
    """
    try:
        return njit(nogil=True, cache=True)(function)
    except RuntimeError:  # there is no folder to keep the machine code in
        return njit(nogil=True)(function)
