"""RefCOCOm (MRES): sentences about objects and about their parts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from inspector.core.dataset import Dataset
from inspector.core.errors import UsageError
from inspector.formats.building import DatasetBuilder
from inspector.formats.id_lists import read_given_refs
from inspector.formats.mask_records import MaskRecord, add_records, read_records
from inspector.formats.pictures import PictureFinder
from inspector.formats.request import LoadRequest, canonical_split, choose_splits

_FILES = ("val.json", "testA.json", "testB.json", "train.json")
REFCOCO_REFS = 50_000
"""RefCOCO numbers its 50,000 refs from 0."""


def looks_like(path: Path) -> bool:
    """Say whether this is a folder with ``annotations/val.json`` (or testA, testB) and masks."""
    return _folder(path, "masks") is not None and bool(_annotation_files(path))


def load(request: LoadRequest) -> Dataset:
    """Load one split of RefCOCOm, with the level of each sentence.

    Expected files, with the pictures in one of the usual folders beside or above::

        annotations/val.json     [{"bbox": [x1, y1, x2, y2], "cat": 0, "segment_id": 7,
                                   "img_name": "COCO_train2014_….jpg",
                                   "sentences": [{"idx": 0, "sent_id": 1, "sent": "right cup"}]}]
        masks/7.png              0 and 255

    The files do not mark which records are about parts. The first of these rules that can be
    followed decides: a record's own ``level``; ``--refs FILE``, whose ids are the objects;
    RefCOCO's ``refs(unc).p`` in a folder ``refcoco`` beside this one; else a ``segment_id``
    that is a number below 50,000, as RefCOCO's ref ids are, is an object, which is a guess and
    said.

    Raises:
        FormatError: If a file is not what it should be.
    """
    path = request.path
    masks = _folder(path, "masks")
    files = _annotation_files(path)
    if masks is None or not files:
        raise UsageError(
            f"{path} has no annotations/<split>.json and masks/. Name the folder that holds both."
        )
    split, chosen = choose_splits(request.split, files, what="refcocom")
    builder = DatasetBuilder(
        name="refcocom", format="refcocom", source=request.source, distractors_known=False
    )
    records = {part: read_records(files[part], builder) for part in files if part in chosen}
    level_of = _rule(request, builder, [r for part in records.values() for r in part])
    finder = PictureFinder(path, request.images)
    for part, found in records.items():
        add_records(
            builder, found, masks=masks, finder=finder, split=part, level_of=level_of
        )
    return builder.build(split=split)


def _folder(path: Path, name: str) -> Path | None:
    """Find a folder whatever its letter case."""
    if not path.is_dir():
        return None
    return next(
        (f for f in sorted(path.iterdir()) if f.name.casefold() == name and f.is_dir()), None
    )


def _annotation_files(path: Path) -> dict[str, Path]:
    folder = _folder(path, "annotations")
    if folder is None:
        return {}
    known = {name.casefold() for name in _FILES}
    files = [f for f in sorted(folder.iterdir()) if f.name.casefold() in known and f.is_file()]
    by_case = {"testa": "testA", "testb": "testB"}
    return {canonical_split(by_case.get(f.stem.casefold(), f.stem)): f for f in files}


def _rule(
    request: LoadRequest, builder: DatasetBuilder, records: list[MaskRecord]
) -> Callable[[MaskRecord], str]:
    """Choose the rule that tells objects from parts, and say so where it is a guess."""
    beside = [
        folder / "refcoco" / "refs(unc).p"
        for folder in (request.path, request.path.resolve().parent)
    ]
    path = request.refs or next((file for file in beside if file.is_file()), None)
    if path is not None:
        objects = read_given_refs(path).ref_ids
        return lambda record: record.level or (
            "object" if record.segment_id in objects else "part"
        )
    guessed = [record for record in records if not record.level]
    if guessed:
        parts = sum(_guess(record) == "part" for record in guessed)
        builder.log.add(
            "level-guessed", "warning", "",
            f"{parts:,} of {len(guessed):,} records are taken for parts, because their "
            f"segment_id is no number below {REFCOCO_REFS:,} as RefCOCO's ref ids are. Give "
            "RefCOCO's refs(unc).p, or a list of the ids of objects, with --refs FILE.",
        )
    return lambda record: record.level or _guess(record)


def _guess(record: MaskRecord) -> str:
    number = record.segment_id
    is_ref = number.isascii() and number.isdigit() and int(number[:9]) < REFCOCO_REFS
    return "object" if is_ref and len(number) < 6 else "part"
