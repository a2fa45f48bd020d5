"""Ref-ZOM: sentences that name zero, one or many objects."""

from __future__ import annotations

import re
from pathlib import Path

from inspector.core.dataset import Dataset
from inspector.formats.refer import load_refs
from inspector.formats.refs import choose_refs, refs_files
from inspector.formats.request import LoadRequest

_REFS_NAME = re.compile(r"refs\((?P<split_by>final)\)\.p")


def looks_like(path: Path) -> bool:
    """Say whether this is a folder with ``refs(final).p``, or that file."""
    if path.is_file():
        return _REFS_NAME.fullmatch(path.name) is not None
    return bool(refs_files(path, _REFS_NAME))


def load(request: LoadRequest) -> Dataset:
    """Load one split of Ref-ZOM.

    Expected files, with the pictures of COCO's train2014 and val2014 in one folder::

        ref-zom/refs(final).p         list of {ref_id, ann_id: […], image_id, source, split,
                                       sentences: […]}
        ref-zom/instances.json        COCO annotations: images, annotations, categories
        images/trainval2014/COCO_train2014_000000581857.jpg

    ``ann_id`` lists all targets, ``[]`` where nothing is meant (``source`` is then ``zero``).
    RIS-DMMI leaves those out of mIoU and oIoU and counts an accuracy of its own, which is N-acc
    here; filter them out to compare.

    Raises:
        FormatError: If a file is not what it should be.
    """
    refs_path, split_by = choose_refs(request, _REFS_NAME, "refs(NAME).p")
    return load_refs(request, refs_path, split_by, format="ref-zom", name="ref-zom")
