"""The value of ``--model``: a name, a function or an address."""

from __future__ import annotations

import math
import re

from inspector.core.errors import UsageError, nearest
from inspector.live.function import FunctionModel
from inspector.live.http_model import HttpModel
from inspector.live.model import Model

DEFAULT_SECONDS = 60.0
MOST_SECONDS = 86_400.0

_BUILT_IN = {"demo": "inspector.live.demo:segment"}
"""Models that come with the inspector."""


def read_model(spec: str, *, timeout: float = DEFAULT_SECONDS) -> Model:
    """Make the model that ``--model`` names; nothing is started yet.

    Args:
        spec: ``demo``, ``module:function`` or an address.
        timeout: Seconds for one answer.

    Raises:
        UsageError: If it is none of these, the address is not one that is asked, or the time is
            not above 0 and up to a day.
    """
    if not (math.isfinite(timeout) and 0 < timeout <= MOST_SECONDS):
        raise UsageError(
            f"--model-timeout {timeout:g} is no time for an answer. Write seconds above 0, up to "
            f"{MOST_SECONDS:,.0f}."
        )
    if spec in _BUILT_IN:
        return FunctionModel(_BUILT_IN[spec], timeout=timeout, name=spec)
    if "://" in spec:
        return HttpModel(spec, timeout=timeout)
    name = r"[^\W\d]\w*(?:\.[^\W\d]\w*)*"
    if re.fullmatch(f"{name}:{name}", spec):
        return FunctionModel(spec, timeout=timeout)
    shown = spec if len(spec) <= 60 else spec[:59] + "…"
    hint = nearest(spec, list(_BUILT_IN))
    if ".py" in spec:
        module = re.split(r"[/\\]", spec)[-1].partition(".py")[0]
        hint = f" A file is named by its module: {module}:function, from its folder."
    raise UsageError(
        f"'{shown}' is no model. Write demo, module:function, or an address such as "
        f"https://host/path.{hint}"
    )
