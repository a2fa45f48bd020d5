"""``Ricky06662/refcoco_val`` and its siblings: parquet, one row an object with one sentence."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from inspector.core.dataset import Dataset
from inspector.core.errors import FormatError, MaskError
from inspector.core.mask import Mask, check_size
from inspector.core.records import PictureCell
from inspector.formats.building import DatasetBuilder
from inspector.formats.names import name_and_split
from inspector.formats.parquet import (
    each_split,
    files_of,
    given_name,
    has_columns,
    iterate_batches,
    picture_column,
    to_rows,
)
from inspector.formats.reading import as_text, one_record
from inspector.formats.request import LoadRequest, canonical_split, choose_splits

_COLUMNS = ("text", "mask", "image_id", "ann_id", "img_height", "img_width", "bbox")


def looks_like(path: Path) -> bool:
    """Say whether these are parquet files with ``mask``, ``text`` and ``img_height``."""
    return has_columns(path, "mask", "text", "img_height")


def load(request: LoadRequest) -> Dataset:
    """Load ``Ricky06662/refcoco_val``, a sibling, or ``Ricky06662/ReasonSeg_val``.

    Expected columns; the folder's or hub id's name says data set and split::

        image: {bytes, path}, text: string, mask: list<list<bool>>, image_id: string,
        ann_id: string, img_height: int, img_width: int, bbox: [x1, y1, x2, y2]

    The parquet's own split is always called ``test``. Each object comes with one of its
    sentences (with all of them in the ``_all`` variants), so that numbers are not those of the
    10,834 sentences of RefCOCO val. ReasonSeg's regions to be ignored have become foreground.

    Raises:
        FormatError: If a row is not of this shape or a file is cut off.
    """
    given = given_name(request)
    has_all = given.casefold().endswith("_all")
    name, split_by, split_name = name_and_split(given[:-4] if has_all else given)
    is_reasonseg = name.casefold() == "reasonseg"
    files = files_of(request)
    here = {part: canonical_split(split_name) if split_name and part in ("test", "all") else part
            for part in files}
    split, chosen = choose_splits(
        request.split, (here[part] for part in each_split(files)), what=given
    )
    builder = DatasetBuilder(
        name="reasonseg" if is_reasonseg else name, format="ricky06662",
        source=request.source, split_by=split_by, distractors_known=False,
    )
    adding = _Adding(builder, empty_is_no_target=name == "grefcoco")
    for part, paths in files.items():
        if here[part] in chosen:
            for path in paths:
                adding.add_file(path, here[part])
    if is_reasonseg:
        builder.log.add(
            "altered-data", "warning", given,
            "Regions that ReasonSeg ignores became foreground in this re-pack: scores differ from "
            "those on ReasonSeg itself.",
        )
    elif not has_all:
        builder.log.add(
            "altered-data", "warning", given,
            "This re-pack has one sentence an object where the original has several: numbers on "
            "it are not those of all sentences.",
        )
    return builder.build(split=split)


class _Adding:
    """Adds rows; masks are taken from Arrow's buffers, never as Python lists."""

    def __init__(self, builder: DatasetBuilder, *, empty_is_no_target: bool) -> None:
        self._builder, self._empty_is_no_target = builder, empty_is_no_target
        self._images: dict[str, int] = {}
        self._image_of: dict[str, str] = {}
        self._objects: dict[tuple[str, Any], int] = {}
        self._places: Counter[str] = Counter()

    def add_file(self, path: Path, split: str) -> None:
        column = picture_column(path)
        for batch, group, begin in iterate_batches(path, _COLUMNS):
            missing = {"text", "mask", "img_height", "img_width"} - set(batch.schema.names)
            if missing:
                raise FormatError(f"has no column {' or '.join(sorted(missing))}", path=path)
            masks = batch.column("mask")
            rows = to_rows(batch.drop_columns(["mask"]), path)
            for number, row in enumerate(rows):
                cell = PictureCell(path, group, begin + number, column) if column else None
                with one_record(path, f"row group {group}, row {begin + number}"):
                    self._add_row(row, masks, number, cell, split)

    def _add_row(
        self, row: dict[str, Any], masks: Any, number: int, cell: PictureCell | None, split: str
    ) -> None:
        builder = self._builder
        as_text(row["text"], "the sentence")
        if row.get("image_id") in (None, ""):
            raise KeyError("image_id")
        image_id = str(row["image_id"])
        ann_id = str(row["ann_id"]) if row.get("ann_id") not in (None, "") else image_id
        size = check_size((row["img_height"], row["img_width"]))
        if image_id not in self._images:
            if cell is None:
                builder.log.add("no-pictures", "warning", f"picture {image_id}",
                                "The file has no column 'image'.")
            self._images[image_id] = builder.add_image(
                image_id, file_name=f"{image_id}.jpg", size_hw=size, location=cell,
                where=f"picture {image_id}",
            )
        image = self._images[image_id]
        sample_id = ann_id if self._image_of.setdefault(ann_id, image_id) == image_id else (
            f"{image_id}-{ann_id}"
        )
        where = f"annotation {ann_id}"
        try:
            mask: Any = nested_mask(masks, number)
        except MaskError as error:
            mask = error
        nothing = self._empty_is_no_target and isinstance(mask, Mask) and mask.area == 0
        key = (sample_id, mask if isinstance(mask, Mask) else id(mask))
        if not nothing and key not in self._objects:
            self._objects[key] = builder.add_object(
                image, annotation_id=ann_id, category="object", mask=mask,
                box_xywh=_corners(row.get("bbox")), where=where,
            )
        place = self._places[sample_id]
        self._places[sample_id] += 1
        builder.add_expression(
            image, sentence=row["text"], sample_id=sample_id, example_id=f"{sample_id}:{place}",
            objects=() if nothing else (self._objects[key],), split=split,
        )


def nested_mask(column: Any, row: int) -> Mask:
    """Make a mask of one row of a ``list<list<bool>>`` column, straight from Arrow's buffers.

    A Python list of a 640 x 480 mask takes 2.4 MB; the buffer 38 kB.

    Raises:
        MaskError: If there is no mask, its lines differ in length, or it is of another type.
    """
    import pyarrow

    lines = column[row].values if hasattr(column[row], "values") else None
    if lines is None or not hasattr(lines, "offsets") or len(lines) == 0:
        raise MaskError("the row has no mask")
    lengths = np.diff(lines.offsets.to_numpy())
    if lines.null_count or (lengths != lengths[0]).any():
        raise MaskError("the lines of the mask differ in length")
    values = lines.flatten()
    kind = values.type
    if values.null_count or not (pyarrow.types.is_boolean(kind) or pyarrow.types.is_integer(kind)):
        raise MaskError(f"the mask is of type {kind}, not of true and false")
    flat = values.to_numpy(zero_copy_only=False)
    check_size((len(lines), int(lengths[0])))
    return Mask.from_array((flat > 0).reshape(len(lines), int(lengths[0])))


def _corners(box: Any) -> Any:
    """Turn corners into x, y, width, height; None where it is no box."""
    if box is None or len(box) != 4:
        return None
    x1, y1, x2, y2 = box
    return (x1, y1, x2 - x1, y2 - y1)
