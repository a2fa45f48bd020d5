"""``python -m benchmarks [NAME …]``: measure everything, or what is named, and print the table.

With ``--check`` the status is 1 where a target is missed.
"""

import argparse
import sys
from functools import partial
from pathlib import Path

from benchmarks import (
    analysis,
    browsing,
    cluster,
    command,
    core,
    large_tables,
    opening,
    page_turns,
    truths,
)
from benchmarks.figures import report

parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
parser.add_argument("names", nargs="*", metavar="NAME")
parser.add_argument(
    "--check", action="store_true", help="end with status 1 where a target is missed"
)
parser.add_argument("--plot", type=Path, metavar="FILE", help="draw large_tables as SVG")
options = parser.parse_args()

MEASURED = {"core": core.measure, "command": command.measure,
            "page_turns": page_turns.measure, "browsing": browsing.measure,
            "truths": truths.measure, "analysis": analysis.measure,
            "opening": opening.measure, "cluster": cluster.measure,
            "large_tables": partial(large_tables.measure, plot=options.plot)}

names = options.names or list(MEASURED)
figures = [figure for name in names for figure in MEASURED[name]()]
sys.stdout.write(report(figures, "-".join(options.names) or "figures") + "\n")
if options.check:
    sys.exit(not all(figure.is_met for figure in figures))
