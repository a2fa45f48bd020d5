"""Other splits and data sets beside the loaded one, to say where foreign predictions belong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from inspector.core.dataset import Dataset
from inspector.core.errors import InspectorError
from inspector.formats import DEMO_TRUTHS, load_dataset
from inspector.formats.request import LoadRequest

_MOST = 8  # data sets that are looked at beside the loaded one


def other_datasets(request: LoadRequest, loaded: Dataset) -> Iterator[Dataset]:
    """Give all splits of the loaded data set, its other splits-by, then its neighbours.

    Neighbours are the data sets in the folder above, such as ``refcoco+`` beside ``refcoco``.
    Each is loaded when it is asked for; one that cannot be loaded is passed over.
    """
    if request.source in DEMO_TRUTHS or not request.path.exists():
        return
    path = request.path.resolve()
    folder = path if path.is_dir() else path.parent
    every = replace(request, split="all")
    wishes = [every]
    for refs in sorted(folder.glob("refs(*).p")):
        split_by = refs.name.removeprefix("refs(").removesuffix(").p")
        if split_by != loaded.split_by:
            wishes.append(replace(every, source=str(folder), split_by=split_by))
    if path.is_dir():
        for refs in _refs_of_neighbours(folder):
            split_by = refs.name.removeprefix("refs(").removesuffix(").p")
            wishes.append(LoadRequest(str(refs.parent), "all", split_by, request.images))
    for wish in wishes[:_MOST]:
        try:
            yield load_dataset(wish)
        except (InspectorError, OSError):
            continue


def _refs_of_neighbours(folder: Path) -> list[Path]:
    """Find the refs files of the folders beside a folder; none where they cannot be listed."""
    try:
        neighbours = sorted(folder.parent.iterdir())[: 4 * _MOST]
        return [
            refs for neighbour in neighbours if neighbour != folder and neighbour.is_dir()
            for refs in sorted(neighbour.glob("refs(*).p"))
        ]
    except OSError:  # the folder above may be another's, who lets one through but not look
        return []
