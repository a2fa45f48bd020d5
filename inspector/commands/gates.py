"""Lower limits for metrics, so that a check in somebody's CI can fail."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from inspector.core.errors import UsageError
from inspector.core.metrics import compute_metric, find_metric
from inspector.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Limit:
    """A metric and the least that every run must reach, as a fraction."""

    metric: str
    least: float
    text: str


def read_limit(text: str) -> Limit:
    """Read ``mIoU=0.70``.

    Raises:
        UsageError: If it is no known metric and a fraction.
    """
    metric, equals, value = text.partition("=")
    try:
        least = float(value)
        if not equals or not 0 <= least <= 1:
            raise ValueError
    except ValueError:
        raise UsageError(
            f"--fail-below {text[:60]} is no limit. Write METRIC=FRACTION, such as mIoU=0.70."
        ) from None
    find_metric(metric)
    return Limit(metric, least, value)


def describe_missed(workspace: Workspace, limits: Sequence[Limit]) -> str:
    """Say in one line which runs stay below which limits; empty if none does.

    A metric that is not defined on the data reaches no limit.
    """
    found = []
    for scores, scored in zip(workspace.scores, workspace.scored, strict=True):
        for limit in limits:
            value = compute_metric(scored, limit.metric)
            if value is None:
                found.append(f"{scores.run.name} has no {limit.metric}")
            elif value < limit.least:
                found.append(
                    f"{scores.run.name} has {limit.metric} {value:.4f}, below {limit.text}"
                )
    return "; ".join(found)
