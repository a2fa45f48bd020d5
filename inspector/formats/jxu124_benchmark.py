"""``jxu124/refcoco-benchmark``: parquet, one row a picture, several data sets as its splits."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from inspector.core.dataset import Dataset
from inspector.core.errors import UsageError
from inspector.core.records import PictureCell
from inspector.formats.building import DatasetBuilder
from inspector.formats.coco import add_object, as_id
from inspector.formats.coco_names import COCO_CATEGORIES
from inspector.formats.names import name_and_split
from inspector.formats.parquet import WHOLE_NAME, files_of, has_columns, iterate_rows
from inspector.formats.reading import as_text, one_record
from inspector.formats.request import LoadRequest, canonical_split, choose_splits


def looks_like(path: Path) -> bool:
    """Say whether these are parquet files with ``ref_list`` and ``image_info``."""
    return has_columns(path, "ref_list", "image_info")


def load(request: LoadRequest) -> Dataset:
    """Load one split of one data set of ``jxu124/refcoco-benchmark``.

    Expected files and columns; boxes are x, y, width and height::

        data/refcoco_unc_val-00000-of-00001.parquet
        image: {bytes, path}, image_info: {file_name, height, width, id, …},
        ref_list: list<{ann_info: {id, category_id, bbox, segmentation: [[x1, y1, …], …], …},
                        ref_info: {ref_id, ann_id, split, sentences: [{sent_id, sent, raw}]}}>

    Eleven splits of four data sets lie in one folder: ``--split refcoco_unc_val`` names one, or
    ``--split val`` where the folder or file holds one data set only.

    Raises:
        FormatError: If a row is not of this shape or a file is cut off.
        UsageError: If several data sets are there and none was named.
    """
    files = files_of(request, WHOLE_NAME)
    split, named = _choose(request, files)
    names = {name_and_split(key)[:2] for key in named}
    name, split_by = names.pop()
    builder = DatasetBuilder(
        name=name, format="jxu124-benchmark", source=request.source, split_by=split_by,
        distractors_known=False,
    )
    for key in named:
        own_split = canonical_split(name_and_split(key)[2] or key)
        for path in files[key]:
            rows = iterate_rows(path, ("ref_list", "image_info"))
            for number, (row, cell) in enumerate(rows):
                with one_record(path, f"row {number}"):
                    _add_row(builder, row, cell, own_split)
    return builder.build(split=split)


def _choose(request: LoadRequest, files: dict[str, Sequence[Path]]) -> tuple[str, list[str]]:
    """Decide which keys are meant; short names of splits do where one data set is there."""
    asked = [part.strip() for part in (request.split or "").split(",")]
    if all(part in files for part in asked):
        keys = asked
    else:
        keys = [key for key in files
                if request.split_by in (None, name_and_split(key)[1])]
        if len({name_and_split(key)[:2] for key in keys}) != 1:
            raise UsageError(
                f"{request.source} holds several data sets. Choose with --split: "
                f"{', '.join(files)}."
            )
        short = {key: canonical_split(name_and_split(key)[2] or key) for key in keys}
        split, chosen = choose_splits(request.split, short.values(), what=request.source)
        return split, [key for key in keys if short[key] in chosen]
    if len({name_and_split(key)[:2] for key in keys}) != 1:
        raise UsageError(f"{', '.join(keys)} are of several data sets. Choose those of one.")
    return ",".join(canonical_split(name_and_split(key)[2] or key) for key in keys), keys


def _add_row(
    builder: DatasetBuilder, row: dict[str, Any], cell: PictureCell | None, split: str
) -> None:
    info = row["image_info"]
    image_id = str(as_id(info.get("id", info.get("image_id"))))
    where = f"picture {image_id}"
    if cell is None:
        builder.log.add("no-pictures", "warning", where, "The file has no column 'image'.")
    image = builder.add_image(
        image_id, file_name=str(info.get("file_name") or ""),
        size_hw=(info["height"], info["width"]), location=cell, where=where,
    )
    objects: dict[int, int] = {}
    for entry in row["ref_list"]:
        annotation, ref = entry["ann_info"], entry["ref_info"]
        number = as_id(annotation["id"])
        if number not in objects:
            objects[number] = add_object(
                builder, image, {**annotation, "id": number}, COCO_CATEGORIES
            )
        if not ref["sentences"]:
            builder.log.add("no-sentences", "warning", f"ref {ref['ref_id']}",
                            "The ref has no sentence and was left out.")
        for sentence in ref["sentences"] or []:
            sent_id = str(as_id(sentence["sent_id"]))
            builder.add_expression(
                image, sentence=as_text(sentence["sent"], "a sentence"),
                raw=str(sentence.get("raw") or ""), sent_id=sent_id,
                ref_id=str(as_id(ref["ref_id"])), example_id=sent_id,
                objects=(objects[number],), split=split,
            )
