"""``python app.py [DATASET] …`` opens the page; the same as ``python -m inspector open …``."""

import sys

from inspector.cli import main

if __name__ == "__main__":
    sys.exit(main(["open", *sys.argv[1:]]))
