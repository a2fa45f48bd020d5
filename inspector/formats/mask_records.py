"""Records that name a mask picture: what CRIS makes of RefCOCO, and RefCOCOm after it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from inspector.core.errors import FormatError, MaskError
from inspector.core.ids import id_text, picture_key
from inspector.core.json_faults import kind_of
from inspector.core.mask import Mask
from inspector.formats.building import DatasetBuilder
from inspector.formats.coco import read_json
from inspector.formats.coco_names import COCO_CATEGORIES, COCO_INDEX
from inspector.formats.mask_pictures import read_mask_picture
from inspector.formats.pictures import PictureFinder, find_below, picture_size
from inspector.formats.reading import UNEXPECTED, as_text, describe


@dataclass(frozen=True, slots=True)
class MaskRecord:
    """One checked record: an object, its mask's name and its sentences."""

    segment_id: str
    image_name: str
    category: str
    supercategory: str
    box_xywh: tuple[float, float, float, float]
    sentences: tuple[tuple[str, str], ...]  # sent_id (may be empty), sent
    level: str


def read_records(path: Path, builder: DatasetBuilder) -> list[MaskRecord]:
    """Read an annotation file of CRIS's; records that are of no use are listed as problems.

    Raises:
        FormatError: If the file is not a list of records.
    """
    content = read_json(path)
    if not isinstance(content, list):
        raise FormatError(
            f"holds {kind_of(content)}, but CRIS's annotations are a list of records",
            path=path,
        )
    records = []
    for number, value in enumerate(content):
        try:
            record = _parse(value)
        except UNEXPECTED as error:
            builder.log.add("bad-record", "error", f"{path.name}, record {number}",
                            f"The record was left out: it {describe(error)}.")
            continue
        if record.sentences:
            records.append(record)
        else:
            builder.log.add("no-sentences", "warning",
                            f"{path.name}, segment {record.segment_id}",
                            "The record has no sentence and was left out.")
    return records


def _parse(value: Any) -> MaskRecord:
    x1, y1, x2, y2 = (float(number) for number in value["bbox"])
    index = int(value["cat"]) if value.get("cat") is not None else -1
    category = COCO_CATEGORIES[COCO_INDEX[index]] if 0 <= index < 80 else {}
    sentences = []
    for sentence in value["sentences"]:
        sent_id, sent = sentence.get("sent_id"), as_text(sentence["sent"], "a sentence")
        sentences.append(("" if sent_id is None else id_text(sent_id), sent))
    level, segment = value.get("level"), value["segment_id"]
    return MaskRecord(
        segment_id=segment if isinstance(segment, str) else id_text(segment),  # names a file
        image_name=str(value["img_name"]),
        category=category.get("name", f"category {index}" if index >= 0 else "object"),
        supercategory=category.get("supercategory", ""),
        box_xywh=(x1, y1, x2 - x1, y2 - y1),
        sentences=tuple(sentences),
        level=level if level in ("object", "part") else "",
    )


def add_records(
    builder: DatasetBuilder, records: list[MaskRecord], *, masks: Path, finder: PictureFinder,
    split: str, level_of: Callable[[MaskRecord], str] = lambda record: "",
) -> None:
    """Add the records of one file with their masks.

    Where the file's ``sent_id`` are not there or not unique, examples are called
    ``<segment_id>:<index of the sentence>`` instead.

    Args:
        builder: Where to.
        records: Those of one file.
        masks: Folder of ``<segment_id>.png``.
        finder: Where pictures lie.
        split: Name of the split.
        level_of: Says ``object`` or ``part``, or nothing, of a record.
    """
    ids = Counter(sent_id for record in records for sent_id, _ in record.sentences)
    has_ids = "" not in ids and max(ids.values(), default=0) == 1
    if "" not in ids and not has_ids:
        twice = sum(count > 1 for count in ids.values())
        builder.log.add("duplicate-record", "warning", f"split {split}",
                        f"{twice:,} sent_ids stand more than once, so that examples are named "
                        "by segment_id and the sentence's place.", count=twice)
    images: dict[str, int] = {}
    places: Counter[str] = Counter()
    for record in records:
        where = f"segment {record.segment_id}"
        mask: Any = None
        try:
            mask = _read_mask(masks, record, builder, where)
        except MaskError as error:
            mask = error
        if record.image_name not in images:
            row = _add_image(builder, record, mask, finder, where)
            if row is None:
                continue
            images[record.image_name] = row
        image = images[record.image_name]
        thing = builder.add_object(
            image, annotation_id=record.segment_id, category=record.category,
            supercategory=record.supercategory, mask=mask, box_xywh=record.box_xywh, where=where,
        )
        for sent_id, sentence in record.sentences:
            place = places[record.segment_id]
            places[record.segment_id] += 1
            builder.add_expression(
                image, sentence=sentence, sent_id=sent_id if has_ids else "",
                ref_id=record.segment_id, sample_id=record.segment_id,
                example_id=sent_id if has_ids else f"{record.segment_id}:{place}",
                objects=(thing,), split=split, level=level_of(record),
            )


def _read_mask(masks: Path, record: MaskRecord, builder: DatasetBuilder, where: str) -> Mask:
    path = find_below(masks, f"{record.segment_id}.png")
    if path is None:
        raise MaskError(f"the mask picture {record.segment_id}.png was not found in {masks}")
    array, overlapping = read_mask_picture(path)
    if overlapping:
        builder.log.add("overlapping-polygons", "info", where,
                        f"{overlapping:,} pixels of {path.name} have the value 254, where CRIS "
                        "added two polygons up; they are foreground.")
    return Mask.from_array(array)


def _add_image(
    builder: DatasetBuilder, record: MaskRecord, mask: Any, finder: PictureFinder, where: str
) -> int | None:
    """Add a picture; its size is that of its mask, or its own where the mask is not there."""
    image_id = picture_key(record.image_name)
    location = finder.find_or_log(
        [record.image_name, f"{int(image_id):012d}.jpg" if image_id.isdigit() else image_id],
        builder.log, f"picture {image_id}",
    )
    try:
        if isinstance(mask, Mask):
            size = mask.size_hw
        elif location is not None:
            size = picture_size(location)
        else:
            raise MaskError("neither its mask nor its picture is there to give a size")
    except MaskError as error:
        builder.log.add("broken-mask", "error", where, f"The record was left out: {error}.")
        return None
    return builder.add_image(
        image_id, file_name=record.image_name, size_hw=size, location=location, where=where
    )
