"""Data sets on disk or on the hub -> :class:`~inspector.core.dataset.Dataset`.

Each format is one module with ``looks_like`` and ``load``, and one line in
:data:`DATASET_FORMATS`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from inspector.core.dataset import Dataset
from inspector.core.errors import UsageError, nearest
from inspector.formats import jsonl, refcoco_m, refer
from inspector.formats.request import LoadRequest

DEMO_FOLDER = Path(__file__).resolve().parents[2] / "assets" / "demo"
DEMO_TRUTH = DEMO_FOLDER / "truth-tight.jsonl"


@dataclass(frozen=True, slots=True)
class DatasetFormat:
    """One way to store a data set; ``looks_like`` may read the beginning of a file, no more."""

    key: str
    label: str
    description: str
    looks_like: Callable[[Path], bool]
    load: Callable[[LoadRequest], Dataset]


DATASET_FORMATS: tuple[DatasetFormat, ...] = (
    DatasetFormat(
        "refer", "REFER", "refs(*).p + instances.json: RefCOCO, RefCOCO+, RefCOCOg",
        refer.looks_like, refer.load,
    ),
    DatasetFormat(
        "refcoco-m", "RefCOCO-M", "parquet, one row a picture: moondream/refcoco-m",
        refcoco_m.looks_like, refcoco_m.load,
    ),
    DatasetFormat(
        "jsonl", "Inspector JSON Lines", "one picture a line, with its objects and expressions",
        jsonl.looks_like, jsonl.load,
    ),
)


def load_dataset(request: LoadRequest) -> Dataset:
    """Load a data set, detecting its format.

    Raises:
        UsageError: If nothing is there, no format fits, or several data sets do.
        FormatError: If the files are not what they should be.
    """
    if request.source == "demo":
        return replace(
            jsonl.load(replace(request, source=str(DEMO_TRUTH), format=None)),
            source="demo",
        )
    return _format_of(request).load(request)


def _format_of(request: LoadRequest) -> DatasetFormat:
    by_key = {fmt.key: fmt for fmt in DATASET_FORMATS}
    if request.format is not None:
        if request.format not in by_key:
            raise UsageError(
                f"No format '{request.format}'. There is: {', '.join(by_key)}."
                f"{nearest(request.format, list(by_key))}"
            )
        return by_key[request.format]
    if refcoco_m.is_hub_id(request.source):
        return by_key["refcoco-m"]
    path = request.path
    if not path.exists():
        raise UsageError(
            f"There is no data set '{request.source}'. Give a folder, a file, a hub id such as "
            "moondream/refcoco-m, or 'demo'."
        )
    for fmt in DATASET_FORMATS:
        if fmt.looks_like(path):
            return fmt
    inside = []
    if path.is_dir():
        inside = [
            child for child in sorted(path.iterdir())
            if any(fmt.looks_like(child) for fmt in DATASET_FORMATS)
        ]
    if inside:
        raise UsageError(
            f"{path} is not a data set but holds {len(inside)}: "
            f"{', '.join(str(child) for child in inside[:8])}. Name one of them."
        )
    raise UsageError(
        f"{path} is in none of the known formats. Expected one of: "
        f"{'; '.join(f'{fmt.key} ({fmt.description})' for fmt in DATASET_FORMATS)}."
    )
