"""Data sets on disk or on the hub -> :class:`~inspector.core.dataset.Dataset`.

Each format is one module with ``looks_like`` and ``load``, and one line in
:data:`DATASET_FORMATS`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from inspector.core.collecting import no_collecting
from inspector.core.dataset import Dataset
from inspector.core.errors import UsageError, say_choices
from inspector.formats import (
    cris,
    fiftyone_port,
    grefcoco,
    jsonl,
    jxu124,
    jxu124_benchmark,
    lmms_lab,
    r_refcoco,
    reasonseg,
    ref_zom,
    refcoco_m,
    refcocom,
    refer,
    ricky06662,
)
from inspector.formats.counts import compare_counts
from inspector.formats.hub import fetch_one, is_hub_id, nearest_beside, say_kept
from inspector.formats.reading import files_read
from inspector.formats.request import LoadRequest
from inspector.paths import say_content
from inspector.shipped import shipped

DEMO_FOLDER = shipped("demo")
DEMO_TRUTHS = {
    "demo": "truth-tight.jsonl", "demo:tight": "truth-tight.jsonl",
    "demo:coarse": "truth-coarse.jsonl",
}
"""The demo's two ground truths of the same objects, by the name that opens each."""


SPECIAL = {
    "refs": "says which records are meant",
    "instances": "names annotation files in place of instances.json",
    "texts": "says how many sentences of a picture are examples",
}
"""Options of a :class:`LoadRequest` that only some formats have a use for, and what each does."""

_INSTANCES, _REFS, _TEXTS = (frozenset((name,)) for name in ("instances", "refs", "texts"))


@dataclass(frozen=True, slots=True)
class DatasetFormat:
    """One way to store a data set; ``looks_like`` may read the beginning of a file, no more.

    ``tried`` says whether real files of it were opened; the others are built from documentation
    and tested on made-up files of that shape. ``takes`` names the options that only some formats
    have a use for (:data:`SPECIAL`); given to another one they are refused, not ignored.
    """

    key: str
    label: str
    description: str
    tried: bool
    looks_like: Callable[[Path], bool]
    load: Callable[[LoadRequest], Dataset]
    takes: frozenset[str] = frozenset()


DATASET_FORMATS: tuple[DatasetFormat, ...] = (
    DatasetFormat(
        "refer", "REFER", "refs(*).p + instances.json: RefCOCO, RefCOCO+, RefCOCOg, RefCLEF",
        True, refer.looks_like, refer.load, _INSTANCES,
    ),
    DatasetFormat(
        "refcoco-m", "RefCOCO-M", "parquet, one row a picture: moondream/refcoco-m, siblings",
        False, refcoco_m.looks_like, refcoco_m.load,
    ),
    DatasetFormat(
        "fiftyone", "RefCOCO-M, FiftyOne", "samples.json + data/: Voxel51/RefCOCO-M",
        False, fiftyone_port.looks_like, fiftyone_port.load,
    ),
    DatasetFormat(
        "refcocom", "RefCOCOm (MRES)", "annotations/*.json + masks/*.png, objects and parts",
        False, refcocom.looks_like, refcocom.load, _REFS,
    ),
    DatasetFormat(
        "grefcoco", "gRefCOCO", "grefs(*).json or .p + instances.json: several targets or none",
        False, grefcoco.looks_like, grefcoco.load, _INSTANCES,
    ),
    DatasetFormat(
        "ref-zom", "Ref-ZOM", "refs(final).p + instances.json: zero, one or many targets",
        False, ref_zom.looks_like, ref_zom.load, _INSTANCES,
    ),
    DatasetFormat(
        "r-refcoco", "R-RefCOCO", "rrefcoco*/refs(*).p + instances.json: sentences about nothing",
        False, r_refcoco.looks_like, r_refcoco.load, _INSTANCES,
    ),
    DatasetFormat(
        "reasonseg", "ReasonSeg", "train, val, test with a .json beside each .jpg",
        False, reasonseg.looks_like, reasonseg.load, _TEXTS,
    ),
    DatasetFormat(
        "cris", "CRIS's intermediate files", "anns/*/*.json + masks/*/*.png; not the LMDB",
        False, cris.looks_like, cris.load,
    ),
    DatasetFormat(
        "jxu124", "jxu124", "parquet, one row a ref, no pictures: jxu124/refcoco*",
        False, jxu124.looks_like, jxu124.load,
    ),
    DatasetFormat(
        "jxu124-benchmark", "jxu124, benchmark",
        "parquet, one row a picture: jxu124/refcoco-benchmark",
        False, jxu124_benchmark.looks_like, jxu124_benchmark.load,
    ),
    DatasetFormat(
        "lmms-lab", "lmms-lab", "parquet, one row a ref: lmms-lab/RefCOCO, RefCOCOplus, RefCOCOg",
        False, lmms_lab.looks_like, lmms_lab.load, _REFS,
    ),
    DatasetFormat(
        "ricky06662", "Ricky06662",
        "parquet, one row an object and sentence: Ricky06662/refcoco_val, ReasonSeg_val, …",
        False, ricky06662.looks_like, ricky06662.load,
    ),
    DatasetFormat(
        "jsonl", "Inspector JSON Lines", "one picture a line, with its objects and expressions",
        True, jsonl.looks_like, jsonl.load,
    ),
)


@no_collecting()
def load_dataset(source: LoadRequest | str | Path, **options: Any) -> Dataset:
    """Load a data set, detecting its format, and compare its counts with the published ones.

    Args:
        source: A folder, a file, a hub id or ``demo``; or all of a request at once.
        options: What :meth:`LoadRequest.of` takes beside it: ``split``, ``split_by``, ``images`` …

    Raises:
        UsageError: If nothing is there, no format fits, or several data sets do.
        FormatError: If the files are not what they should be.

    Example:
        >>> len(load_dataset("demo", split="val"))
        64
    """
    request = source if isinstance(source, LoadRequest) else LoadRequest.of(source, **options)
    if request.source in DEMO_TRUTHS:
        _refuse_useless(request, frozenset(), "the demo")
        path = DEMO_FOLDER / DEMO_TRUTHS[request.source]
        dataset = jsonl.load(replace(request, source=str(path), format=None))
        _check_split_by(request, dataset)
        return replace(dataset, name=request.source, source=request.source, files=(path,))
    fmt = _format_of(request)
    _refuse_useless(request, fmt.takes, f"the format {fmt.key}")
    with files_read() as files:
        dataset = fmt.load(request)
    _check_split_by(request, dataset)
    problems = (*say_kept(request.source), *dataset.problems, *compare_counts(dataset))
    return replace(dataset, problems=problems, files=tuple(files))


def _refuse_useless(request: LoadRequest, takes: frozenset[str], what: str) -> None:
    """Refuse an option that would be ignored: who gives it expects other numbers.

    Raises:
        UsageError: That says which formats have a use for it.
    """
    for name, does in SPECIAL.items():
        is_given = getattr(request, name) not in (None, (), "first")
        if name == "texts" and request.is_of_pair:
            continue
        if is_given and name not in takes:
            users = ", ".join(fmt.key for fmt in DATASET_FORMATS if name in fmt.takes)
            raise UsageError(
                f"--{name} {does}, which {what} has no use for. Leave it out; it is for: {users}."
            )


def _check_split_by(request: LoadRequest, dataset: Dataset) -> None:
    """Refuse a split-by that is not the one that was loaded; two of them share no numbers.

    Raises:
        UsageError: That says of which split-by the data set is.
    """
    asked, own = request.split_by, dataset.split_by
    if asked in (None, own) or (request.is_of_pair and not own):
        return
    raise UsageError(
        f"--split-by {asked} does not fit {request.source}, which "
        f"{f'is of the split-by {own}' if own else 'is of no split-by'}. Leave it out, or name "
        f"the data of {asked}."
    )


def _format_of(request: LoadRequest) -> DatasetFormat:
    by_key = {fmt.key: fmt for fmt in DATASET_FORMATS}
    if request.format is not None:
        if request.format not in by_key:
            raise UsageError(
                f"No format '{request.format}'. {say_choices(request.format, list(by_key))}"
            )
        return by_key[request.format]
    if is_hub_id(request.source):
        return _format_on_hub(request.source, request.split)
    path = request.path
    if not path.exists():
        raise UsageError(
            f"There is no data set '{request.source}'.{nearest_beside(path)} Give a folder, a "
            "file, a hub id such as moondream/refcoco-m, or 'demo'."
        )
    if (found := _detect(path)) is not None:
        return found
    inside = []
    if path.is_dir():
        inside = [child for child in sorted(path.iterdir()) if _detect(child) is not None]
    if inside:
        raise UsageError(
            f"{path} is not a data set but holds {len(inside)}: "
            f"{', '.join(str(child) for child in inside[:8])}. Name one of them."
        )
    raise _unknown(str(path), say_content(path))


def _detect(path: Path) -> DatasetFormat | None:
    """Find the format of a path; one that may not be read is of none."""
    for fmt in DATASET_FORMATS:
        try:
            if fmt.looks_like(path):
                return fmt
        except OSError:
            continue
    return None


def _format_on_hub(source: str, split: str | None) -> DatasetFormat:
    """Fetch one file of a data set of the hub and look at its columns."""
    file = fetch_one(source, split)
    found = _detect(file) if file is not None else None
    if found is None:
        raise _unknown(source)
    return found


def _unknown(source: str, content: str = "") -> UsageError:
    return UsageError(
        f"{source} is in none of the known formats{f': it is {content}' if content else ''}. "
        "Expected one of: "
        f"{'; '.join(f'{fmt.key} ({fmt.description})' for fmt in DATASET_FORMATS)}."
    )
