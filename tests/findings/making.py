"""Small findings files and runs, so that what is expected can be seen beside it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from inspector.core.protocol import Protocol, apply_protocol
from inspector.findings import Author, Evidence, RunEvidence, Slot, Store, open_store, record
from inspector.findings.records import Field
from tests.building import Picture, Said, Thing, make_dataset, score
from tests.drawing import draw

DATA = "toy"
ANN, BOB = Author("Ann", "tab-a"), Author("Bob", "tab-b")
ANYTHING = type("Anything", (), {"__contains__": lambda self, example: True})()
"""Every example is open."""


def new_store(folder: Path) -> Store:
    """Make a findings file."""
    return open_store(folder / "inspector.findings.sqlite")


def say(
    store: Store, example: str, field: Field, value: str, author: Author = ANN, *,
    run: str = "model", tag: str = "", evidence: Evidence | None = None, seen: int = 0,
) -> int:
    """Set a verdict on ``run``, a tag (``tag`` with value "" takes it away) or a note."""
    about = {"verdict": run, "tag": tag or value, "note": ""}[field]
    return record(
        store, Slot(DATA, example, field, about), value, author, evidence=evidence, seen=seen
    )


FULL = draw("####......")
HALF = draw("##........")
LITTLE = draw("#.........")
OFF = draw("......####")


def make_now(masks: Mapping[str, object], *, name: str = "model", examples: int = 6) -> RunEvidence:
    """Score masks by example id (1, 2 …) against targets ``####......``; others are missing."""
    dataset = make_dataset(*(
        Picture(f"{n}", (1, 10), (Thing(f"a{n}", "cup", FULL),), (Said(f"{n}", "cup", [f"a{n}"]),))
        for n in range(1, examples + 1)
    ))
    scores = score(dataset, masks, name=name)
    return RunEvidence(scores, lambda: apply_protocol(scores, Protocol()))
