"""``python -m benchmarks``: measure everything and print the table."""

import sys

from benchmarks import page_turns
from benchmarks.figures import report

sys.stdout.write(report(page_turns.measure()) + "\n")
