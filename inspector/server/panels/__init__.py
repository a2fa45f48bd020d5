"""The analyses that the page offers; one entry of :data:`PANELS` adds one.

Each turns results of :mod:`inspector.analysis` into blocks; nothing is computed here.
"""

from inspector.server.panels import compare, failures, numbers, slices, truths
from inspector.server.panels.panel import Panel, has_runs

PANELS: tuple[Panel, ...] = (
    Panel("numbers", has_runs, numbers.make),
    Panel("failures", has_runs, failures.make),
    Panel("slices", has_runs, slices.make, with_second=True),
    Panel("compare", lambda workspace: len(workspace.scores) > 1, compare.make),
    Panel("truths", lambda workspace: workspace.second is not None, truths.make),
)

__all__ = ["PANELS", "Panel"]
