"""Writes tags into a findings file from a process of its own."""

from __future__ import annotations

import sys
from pathlib import Path

from inspector.findings import Author, open_store
from tests.findings.making import say


def main(path: Path, name: str, count: int) -> None:
    """Say that the file is open, wait to be let off, write ``count`` tags, one an example."""
    store = open_store(path)
    print(store.why or "open", flush=True)
    sys.stdin.readline()
    for number in range(count):
        say(store, f"{number}", "tag", f"{name} {number}", Author(name, name))
        say(store, "shared", "verdict", ("model_wrong", "label_wrong")[number % 2],
            Author(name, name))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
