"""The analyses that the page offers; one entry of :data:`PANELS` adds one.

Each turns results of :mod:`inspector.analysis` into blocks; nothing is computed here.
"""

from inspector.server.panels import compare, failures, numbers, slices, truths
from inspector.server.panels.panel import Panel, has_runs

_RUN = "Add predictions: --run [NAME=]PATH."

PANELS: tuple[Panel, ...] = (
    Panel(
        "numbers", has_runs,
        f"Here stand the metrics of each run, and what known evaluators would print. {_RUN}",
        numbers.make,
    ),
    Panel(
        "failures", has_runs,
        f"Here stands why a run fails, and what fixing each kind of failure would gain. {_RUN}",
        failures.make,
    ),
    Panel(
        "slices", has_runs,
        f"Here stands for which sentences and pictures a run does better or worse. {_RUN}",
        slices.make, with_second=True,
    ),
    Panel(
        "compare", lambda workspace: len(workspace.scores) > 1,
        "Here two runs or more are set against each other, with intervals and tests. Add another: "
        "--run [NAME=]PATH, once for each.",
        compare.make,
    ),
    Panel(
        "truths", lambda workspace: workspace.second is not None,
        "Here two ground truths of the same referents are compared, such as RefCOCO and RefCOCO-M, "
        "and what that does to each score. Add one: --second-truth DATASET_B.",
        truths.make,
    ),
)

__all__ = ["PANELS", "Panel"]
