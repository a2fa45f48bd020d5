"""R-RefCOCO, R-RefCOCO+ and R-RefCOCOg: refs to which sentences about nothing were added."""

from __future__ import annotations

from pathlib import Path

from inspector.core.dataset import Dataset
from inspector.formats.names import canonical_name
from inspector.formats.refer import REFS_NAME, load_refs
from inspector.formats.refs import choose_refs, refs_files
from inspector.formats.request import LoadRequest


def looks_like(path: Path) -> bool:
    """Say whether this is a folder such as ``rrefcoco+`` with ``refs(*).p``, or such a file."""
    folder = path.parent if path.is_file() else path
    if not canonical_name(folder.resolve().name)[0].startswith("rrefcoco"):
        return False
    if path.is_file():
        return REFS_NAME.fullmatch(path.name) is not None
    return bool(refs_files(path, REFS_NAME))


def load(request: LoadRequest) -> Dataset:
    """Load one split of R-RefCOCO, R-RefCOCO+ or R-RefCOCOg.

    Expected files, as in the REFER layout; the folder's name tells them apart::

        rrefcoco/refs(unc).p          sentences: [{sent_id, sent, raw, exist: true | false}, …]
        rrefcoco/instances.json       COCO annotations: images, annotations, categories
        images/train2014/COCO_train2014_000000581857.jpg

    A sentence whose ``exist`` is false refers to nothing, although its ref has an annotation.
    The paper's rIoU is not computed; N-acc and T-acc are.

    Raises:
        FormatError: If a file is not what it should be.
        UsageError: If several refs files fit and none was chosen.
    """
    refs_path, split_by = choose_refs(request, REFS_NAME, "refs(NAME).p")
    return load_refs(request, refs_path, split_by, format="r-refcoco")
