"""What CRIS makes of RefCOCO: annotations as JSON, masks as PNG files."""

from __future__ import annotations

from pathlib import Path

from inspector.core.dataset import Dataset
from inspector.core.errors import UsageError
from inspector.formats.building import DatasetBuilder
from inspector.formats.mask_records import add_records, read_records
from inspector.formats.names import USUAL_SPLIT_BY, canonical_name
from inspector.formats.pictures import PictureFinder
from inspector.formats.request import LoadRequest, canonical_split, choose_splits


def looks_like(path: Path) -> bool:
    """Say whether this holds ``anns/<name>/<split>.json``, or is such a folder or file."""
    return bool(_annotation_folders(path))


def load(request: LoadRequest) -> Dataset:
    """Load one split of CRIS's intermediate files.

    Expected files, with the pictures in one of the usual folders beside or above::

        anns/refcoco/val.json    [{"bbox": [x1, y1, x2, y2], "cat": 0, "segment_id": 7,
                                   "img_name": "COCO_train2014_….jpg",
                                   "sentences": [{"idx": 0, "sent_id": 1, "sent": "right cup"}]}]
        masks/refcoco/7.png      0, 255, and 254 where two polygons overlap

    ``segment_id`` is REFER's ``ref_id``; boxes are corners, cut to whole pixels. The LMDB files
    that CRIS packs from these are not read: unpack or keep the folders they were made of.

    Raises:
        FormatError: If a file is not what it should be.
        UsageError: If the folder holds several data sets and none was named.
    """
    path = request.path
    folders = _annotation_folders(path)
    if not folders:
        raise UsageError(
            f"{path} has no anns/<name>/<split>.json. Name the folder that holds anns and masks."
        )
    if len(folders) > 1:
        raise UsageError(
            f"{path} holds several data sets. Name one of them: "
            f"{', '.join(str(folder) for folder in folders)}."
        )
    folder = folders[0]
    name, split_by = canonical_name(folder.name)
    split_by = split_by or USUAL_SPLIT_BY.get(name, "")
    files = {canonical_split(file.stem): file for file in sorted(folder.glob("*.json"))}
    if path.is_file():
        files = {canonical_split(path.stem): path}
    split, chosen = choose_splits(request.split, files, what=f"{name}/{split_by}")
    builder = DatasetBuilder(
        name=name, format="cris", source=request.source, split_by=split_by,
        distractors_known=False,
    )
    root = folder.parent.parent
    finder = PictureFinder(root, request.images)
    for part, file in files.items():
        if part in chosen:
            add_records(
                builder, read_records(file, builder), masks=root / "masks" / folder.name,
                finder=finder, split=part,
            )
    return builder.build(split=split)


def _annotation_folders(path: Path) -> list[Path]:
    """Find the folders of annotations that are meant by a root, one of them, or a file in one."""
    path = path.resolve()
    if path.is_file():
        path = path.parent if path.suffix == ".json" else path
    if path.parent.name == "anns" and any(path.glob("*.json")):
        return [path] if (path.parent.parent / "masks").is_dir() else []
    root = path.parent if path.name == "anns" else path
    if not (root / "anns").is_dir() or not (root / "masks").is_dir():
        return []
    return [f for f in sorted((root / "anns").iterdir()) if f.is_dir() and any(f.glob("*.json"))]
