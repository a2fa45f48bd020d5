"""``jxu124/refcoco``, ``refcocoplus`` and ``refcocog``: parquet, one row a ref, no pictures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from inspector.core.dataset import Dataset
from inspector.formats.building import DatasetBuilder
from inspector.formats.coco import as_id, read_segmentation
from inspector.formats.coco_names import COCO_CATEGORIES
from inspector.formats.names import USUAL_SPLIT_BY, canonical_name
from inspector.formats.parquet import files_of, given_name, has_columns, iterate_rows
from inspector.formats.pictures import PictureFinder
from inspector.formats.reading import as_text, one_record
from inspector.formats.request import LoadRequest, canonical_split, choose_splits

_COLUMNS = ("ref_id", "ann_id", "image_id", "split", "sentences", "raw_sentences", "raw_anns",
            "raw_image_info", "image_path", "category_id")


def looks_like(path: Path) -> bool:
    """Say whether these are parquet files with ``raw_anns`` and ``sentences``."""
    return has_columns(path, "raw_anns", "ref_id", "sentences")


def load(request: LoadRequest) -> Dataset:
    """Load one split of ``jxu124/refcoco``, ``refcocoplus`` or ``refcocog``.

    Expected columns; the folder's or hub id's name says which data set it is::

        ref_id, ann_id, image_id: int64, split: string, raw_anns: JSON {segmentation, bbox, …},
        raw_image_info: JSON {file_name, height, width, …}, image_path: coco/train2014/….jpg,
        sentences: list<{raw, sent, sent_id, tokens}>   (JSON text in older revisions)

    The column ``bbox`` holds corners, ``raw_anns`` x, y, width and height: the latter are used.
    A file called ``test`` holds testA alone: each row's own ``split`` decides. Polygons stand in
    ``raw_anns`` only, and pictures are looked for as in the REFER layout.

    Raises:
        FormatError: If a row is not of this shape or a file is cut off.
    """
    name = canonical_name(given_name(request))[0]
    files = [path for paths in files_of(request).values() for path in paths]
    found = []
    for path in files:
        for number, (row, _) in enumerate(iterate_rows(path, ("split",))):
            with one_record(path, f"row {number}"):
                found.append(canonical_split(row["split"]))
    split_by = USUAL_SPLIT_BY.get(name, "")
    split, chosen = choose_splits(request.split, found, what=f"{name}/{split_by}")
    builder = DatasetBuilder(
        name=name, format="jxu124", source=request.source, split_by=split_by,
        distractors_known=False,
    )
    if request.split == "test" and "testA" in chosen:
        builder.log.add(
            "altered-data", "info", f"split {split}",
            "What this re-pack calls test is testA alone; here test means testA and testB.",
        )
    beside = request.path if request.path.is_dir() else request.path.parent
    images: dict[str, int] = {}
    objects: dict[str, int] = {}
    finder = PictureFinder(beside, request.images)
    for path in files:
        for number, (row, _) in enumerate(iterate_rows(path, _COLUMNS)):
            with one_record(path, f"row {number}"):
                if canonical_split(row["split"]) in chosen:
                    _add_row(builder, row, finder, images, objects)
    return builder.build(split=split)


def _add_row(
    builder: DatasetBuilder, row: dict[str, Any], finder: PictureFinder, images: dict[str, int],
    objects: dict[str, int],
) -> None:
    image_id, ann_id = str(as_id(row["image_id"])), str(as_id(row["ann_id"]))
    where = f"ref {row['ref_id']}"
    sentences = _sentences(row)
    if not sentences:
        builder.log.add("no-sentences", "warning", where, "The ref has no sentence.")
        return
    if image_id not in images:
        info = json.loads(row["raw_image_info"])
        file_name = str(info.get("file_name") or Path(row["image_path"]).name)
        images[image_id] = builder.add_image(
            image_id, file_name=file_name, size_hw=(info["height"], info["width"]),
            location=finder.find_or_log(
                [file_name, f"{int(image_id):012d}.jpg"], builder.log, f"picture {image_id}"
            ),
            where=where,
        )
    image = images[image_id]
    if ann_id not in objects:
        annotation = json.loads(row["raw_anns"])
        category = COCO_CATEGORIES.get(row.get("category_id") or annotation.get("category_id"), {})
        objects[ann_id] = builder.add_object(
            image, annotation_id=ann_id, category=category.get("name", "object"),
            supercategory=category.get("supercategory", ""),
            mask=read_segmentation(annotation["segmentation"], builder, image,
                                   f"annotation {ann_id}"),
            box_xywh=annotation.get("bbox"), is_crowd=bool(annotation.get("iscrowd")),
            where=f"annotation {ann_id}",
        )
    for sentence in sentences:
        sent_id = str(as_id(sentence["sent_id"]))
        builder.add_expression(
            image, sentence=as_text(sentence["sent"], "a sentence"),
            raw=str(sentence.get("raw") or ""), sent_id=sent_id,
            ref_id=str(as_id(row["ref_id"])), example_id=sent_id,
            objects=(objects[ann_id],), split=canonical_split(row["split"]),
        )


def _sentences(row: dict[str, Any]) -> list[dict[str, Any]]:
    """Take the sentences, which older revisions keep as JSON text."""
    sentences = row.get("sentences") or row.get("raw_sentences") or []
    return json.loads(sentences) if isinstance(sentences, str) else sentences
