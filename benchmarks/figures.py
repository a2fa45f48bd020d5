"""One measured figure, its target and its baseline; how figures are printed and kept."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path

RESULTS = Path(__file__).parent / "results"


@dataclass(frozen=True, slots=True)
class Figure:
    """A measurement.

    Attributes:
        name: What was measured.
        value: In ``unit``.
        unit: Such as ``ms``.
        target: What it must reach, in the same unit.
        baseline: The same of the baseline in the same run, or None.
        higher_is_better: Direction.
    """

    name: str
    value: float
    unit: str
    target: float
    baseline: float | None
    higher_is_better: bool = False

    @property
    def is_met(self) -> bool:
        """Whether the target is reached."""
        if self.higher_is_better:
            return self.value >= self.target
        return self.value <= self.target


def percentile(values: Sequence[float], percent: float) -> float:
    """Give the value below which ``percent`` of the values lie (nearest rank)."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(percent / 100 * len(ordered)))]


def report(figures: Sequence[Figure], kept_as: str = "figures") -> str:
    """Write the figures as a table and keep them as JSON beside the benchmarks.

    Args:
        figures: What was measured.
        kept_as: Name of the file: ``figures`` for all of them, of one run.
    """
    machine = {
        "processors": os.cpu_count(), "machine": platform.machine(),
        "python": platform.python_version(), "gradio": version("gradio"),
    }
    RESULTS.mkdir(exist_ok=True)
    kept = {"machine": machine, "figures": [asdict(figure) for figure in figures]}
    (RESULTS / f"{kept_as}.json").write_text(json.dumps(kept, indent=1) + "\n")
    lines = [
        "  ".join(f"{key} {value}" for key, value in machine.items()),
        "",
        f"{'':<46}{'measured':>12}{'target':>10}{'baseline':>10}{'ratio':>8}",
    ]
    for figure in figures:
        base = "" if figure.baseline is None else f"{figure.baseline:.1f}"
        ratio = "" if not figure.baseline else f"{figure.value / figure.baseline:.2f}"
        mark = "" if figure.is_met else "  target missed"
        measured = f"{figure.value:.1f} {figure.unit}"
        lines.append(
            f"{figure.name:<46}{measured:>12}{figure.target:>10}{base:>10}{ratio:>8}{mark}"
        )
    return "\n".join(lines)
