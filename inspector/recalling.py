"""A data set read now, or recalled from an earlier time if nothing of it has changed."""

from __future__ import annotations

from pathlib import Path

from inspector.core.dataset import Dataset
from inspector.formats import DEMO_FOLDER, DEMO_TRUTHS, load_dataset
from inspector.formats.hub import is_hub_id, list_hub
from inspector.formats.request import LoadRequest
from inspector.snapshots import Memory


def recall_dataset(request: LoadRequest, memory: Memory | None) -> Dataset:
    """Load a data set, from memory if there is one and nothing has changed."""
    if memory is None:
        return load_dataset(request)
    # What the hub has now is asked of the hub, not of memory.
    listed = list_hub(request.source) if is_hub_id(request.source) else None
    return memory.recall(
        "dataset", [request, listed], lambda: load_dataset(request), paths=paths_of(request)
    )


def paths_of(request: LoadRequest) -> list[Path]:
    """Give the paths that a request names."""
    source = DEMO_FOLDER if request.source in DEMO_TRUTHS else request.path
    return [path for path in (source, request.images, request.refs, *request.instances) if path]
