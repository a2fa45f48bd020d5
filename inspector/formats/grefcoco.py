"""gRefCOCO: sentences that name several objects, one, or none."""

from __future__ import annotations

import re
from pathlib import Path

from inspector.core.dataset import Dataset
from inspector.formats.refer import load_refs
from inspector.formats.refs import choose_refs, refs_files
from inspector.formats.request import LoadRequest

_REFS_NAME = re.compile(r"grefs\((?P<split_by>[^)]+)\)\.(json|p)")


def looks_like(path: Path) -> bool:
    """Say whether this is a folder with ``grefs(*).json`` or ``.p``, or such a file."""
    if path.is_file():
        return _REFS_NAME.fullmatch(path.name) is not None
    return bool(refs_files(path, _REFS_NAME))


def load(request: LoadRequest) -> Dataset:
    """Load one split of gRefCOCO.

    Expected files, with the pictures in one of the usual folders beside or above::

        grefcoco/grefs(unc).json      list of {ref_id, ann_id: […], image_id, split, sentences: […]}
        grefcoco/instances.json       COCO annotations: images, annotations, categories
        images/train2014/COCO_train2014_000000581857.jpg

    ``ann_id`` lists all targets, whose masks are joined by union; ``[-1]`` says that the
    sentence refers to nothing. Records without sentences are listed. Crowd regions among several
    targets are left out of the union, as ReLA does; GSVA includes them.

    Raises:
        FormatError: If a file is not what it should be.
        UsageError: If several refs files fit and none was chosen.
    """
    refs_path, split_by = choose_refs(request, _REFS_NAME, "grefs(NAME).json")
    return load_refs(
        request, refs_path, split_by, format="grefcoco", name="grefcoco", without_crowd=True
    )
