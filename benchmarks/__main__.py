"""``python -m benchmarks [NAME …]``: measure everything, or what is named, and print the table."""

import sys

from benchmarks import analysis, browsing, opening, page_turns, truths
from benchmarks.figures import report

MEASURED = {"page_turns": page_turns.measure, "browsing": browsing.measure,
            "truths": truths.measure, "analysis": analysis.measure,
            "opening": opening.measure}

names = sys.argv[1:] or list(MEASURED)
figures = [figure for name in names for figure in MEASURED[name]()]
sys.stdout.write(report(figures) + "\n")
