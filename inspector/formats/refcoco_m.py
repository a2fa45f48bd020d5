"""RefCOCO-M (``moondream/refcoco-m``): parquet, one row a picture, from the hub or from disk."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from inspector.core.dataset import Dataset
from inspector.core.errors import FormatError
from inspector.core.records import PictureCell
from inspector.formats.building import DatasetBuilder
from inspector.formats.parquet import (
    column_names,
    each_split,
    files_of,
    given_name,
    iterate_rows,
    parquet_files,
    read_schema,
)
from inspector.formats.reading import one_record
from inspector.formats.request import LoadRequest, choose_splits

_COLUMNS = ("image_id", "file_name", "image_meta", "samples")


def looks_like(path: Path) -> bool:
    """Say whether this is a parquet file with ``samples``, or a folder that holds such files.

    A parquet file that cannot be read is taken for one, so that :func:`load` says what is wrong.
    """
    files = parquet_files(path)
    if not files:
        return False
    names = column_names(path)
    return path.is_file() if names is None else "samples" in names


def load(request: LoadRequest) -> Dataset:
    """Load RefCOCO-M or a data set of its shape from parquet.

    Expected columns, of which the picture is read only when it is shown::

        image: {bytes, path}, image_id: int64, file_name: string,
        samples: list<{id, category, supercategory, label, sentences: list<string>,
                       bbox: [x, y, w, h], mask: {counts: string, size: [H, W]}}>

    ``image_meta`` {width, height, image_id} in place of ``image_id`` is read as well. An example
    is one sentence of one sample; its id is ``<sample id>:<index of the sentence>``. Only
    referred objects are listed, so "wrong referent" is told among those.

    Raises:
        FormatError: If the parquet has another schema or is cut off.
        UsageError: If the split does not exist.
    """
    by_split = files_of(request)
    name = given_name(request)
    if re.sub(r"[\s_-]", "", name.casefold()) == "refcocom":
        name = "refcoco-m"
    split, chosen = choose_splits(request.split, each_split(by_split), what=name)
    builder = DatasetBuilder(
        name=name, format="refcoco-m", source=request.source, distractors_known=False
    )
    for part in sorted(chosen):
        for path in by_split[part]:
            for row, cell in _rows(path):
                with one_record(path, f"picture {row.get('image_id')}"):
                    _add_row(builder, row, cell, path, part)
    return builder.build(split=split)


def _rows(path: Path) -> Iterator[tuple[dict[str, Any], PictureCell | None]]:
    _check_schema(read_schema(path), path)
    yield from iterate_rows(path, _COLUMNS)


def _check_schema(schema: Any, path: Path) -> None:
    """Refuse columns of other types at once: every record of the file would be wrong."""
    import pyarrow

    if "samples" not in schema.names:
        raise FormatError(
            f"has the columns {', '.join(sorted(schema.names))}, but RefCOCO-M has 'samples'",
            path=path,
        )
    kind = schema.field("samples").type
    record = getattr(kind, "value_type", None)
    fields = {f.name: f.type for f in record} if isinstance(record, pyarrow.StructType) else {}
    sentences = fields.get("sentences", fields.get("sentence"))
    structs = [fields.get("mask")]
    structs += [schema.field("image_meta").type] if "image_meta" in schema.names else []
    if (
        sentences is None
        or not (pyarrow.types.is_string(sentences) or hasattr(sentences, "value_type"))
        or not all(isinstance(struct, pyarrow.StructType) for struct in structs)
    ):
        raise FormatError(
            f"has 'samples' of type {str(kind)[:120]}, but RefCOCO-M's are lists of "
            "{id, sentences: [text], mask: {counts, size: [H, W]}, …}",
            path=path,
        )


def _add_row(
    builder: DatasetBuilder, row: dict[str, Any], cell: PictureCell | None, path: Path, split: str
) -> None:
    meta = row.get("image_meta") or {}
    image_id = row.get("image_id", meta.get("image_id"))
    where = f"{path.name}, picture {image_id}"
    samples = []
    if not row.get("samples"):
        builder.log.add("no-sentences", "warning", where, "The picture has no sample.")
    for sample in row.get("samples") or []:
        if sample is not None and _sentences(sample):
            samples.append(sample)
        else:
            builder.log.add(
                "no-sentences", "warning", where,
                f"Sample {(sample or {}).get('id')} has no sentence and was left out.",
            )
    if not samples:
        return
    size = (meta.get("height"), meta.get("width"))
    if None in size:
        sizes = ((sample.get("mask") or {}).get("size") for sample in samples)
        size = next((found for found in sizes if found), (None, None))
    if cell is None:
        builder.log.add("no-pictures", "warning", where, "The file has no column 'image'.")
    image = builder.add_image(
        str(image_id), file_name=str(row.get("file_name") or ""), size_hw=size,
        location=cell, where=where,
    )
    for sample in samples:
        sample_id = str(sample.get("id"))
        thing = builder.add_object(
            image,
            annotation_id="",
            category=str(sample.get("category") or sample.get("label") or "object"),
            supercategory=str(sample.get("supercategory") or ""),
            mask=sample.get("mask"),
            box_xywh=sample.get("bbox"),
            where=f"{where}, sample {sample_id}",
        )
        for place, sentence in enumerate(_sentences(sample)):
            if sentence is None:  # but counted: ids must not depend on what is left out
                builder.log.add("no-sentences", "warning", where,
                                f"Sentence {place} of sample {sample_id} is null and was left out.")
                continue
            builder.add_expression(
                image,
                sentence=sentence,
                sample_id=sample_id,
                example_id=f"{sample_id}:{place}",
                objects=(thing,),
                split=split,
            )


def _sentences(sample: dict[str, Any]) -> list[str | None]:
    """Take the sentences of a sample; nothing where there is none that says anything."""
    sentences = sample.get("sentences") or sample.get("sentence")
    found = [sentences] if isinstance(sentences, str) else list(sentences or [])
    if all(sentence is None for sentence in found):
        return []
    return [None if sentence is None else str(sentence) for sentence in found]
