"""The process that tries cases: ``python -m tests.fuzz.worker SEED FIRST LAST``."""

import sys

from tests.fuzz.runner import work

if __name__ == "__main__":
    work(*map(int, sys.argv[1:4]))
