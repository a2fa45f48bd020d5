"""Error analysis of referring expression segmentation: exact scores, worst cases first.

The names below are loaded when they are first used, so that a command that needs little starts
at once.
"""

from __future__ import annotations

import importlib
from typing import Any

__version__ = "0.1.0"

_HOME = {
    "Mask": "inspector.core.mask",
    "Overlap": "inspector.core.overlap",
    "measure_overlap": "inspector.core.overlap",
    "Example": "inspector.core.records",
    "Dataset": "inspector.core.dataset",
    "Run": "inspector.core.run",
    "Protocol": "inspector.core.protocol",
    "score_run": "inspector.core.scores",
    "compute_metrics": "inspector.core.metrics",
    "LoadRequest": "inspector.formats.request",
    "load_dataset": "inspector.formats",
    "load_run": "inspector.predictions",
    "InspectorError": "inspector.core.errors",
    "open": "inspector.opening",
}

# Without open, so that ``from inspector import *`` leaves Python's own in its place.
__all__ = ["__version__", *(name for name in _HOME if name != "open")]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'inspector' has no attribute '{name}'")
    return getattr(importlib.import_module(_HOME[name]), name)
