"""RefCOCO-M (``moondream/refcoco-m``): parquet, one row a picture, from the hub or from disk."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from inspector.core.dataset import Dataset
from inspector.core.errors import FormatError, UsageError
from inspector.core.records import PictureCell
from inspector.formats.building import DatasetBuilder
from inspector.formats.request import LoadRequest, canonical_split, choose_splits

_SPLIT_FILE = re.compile(r"(?P<split>[A-Za-z]+)(-\d+-of-\d+)?\.parquet$")
_HUB_ID = re.compile(r"[\w.-]+/[\w.-]+$")


def looks_like(path: Path) -> bool:
    """Say whether this is a parquet file with ``samples``, or a folder that holds such files."""
    files = _parquet_files(path)
    if not files:
        return False
    import pyarrow.lib
    import pyarrow.parquet as pq

    try:
        return "samples" in pq.read_schema(files[0]).names
    except (OSError, pyarrow.lib.ArrowException):
        return path.is_file()  # load() says what is wrong with it


def is_hub_id(source: str) -> bool:
    """Say whether a source reads like ``owner/name`` and is nothing on disk."""
    return _HUB_ID.match(source) is not None and not Path(source).expanduser().exists()


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
    by_split = _files_of(request)
    name = _name(request)
    split, chosen = choose_splits(
        request.split,
        (part for part, files in by_split.items() for _ in files),
        what=name,
    )
    builder = DatasetBuilder(
        name=name, format="refcoco-m", source=request.source, distractors_known=False
    )
    for part in sorted(chosen):
        for path in by_split[part]:
            for row, cell in _rows(path):
                _add_row(builder, row, cell, path, part)
    return builder.build(split=split)


def _name(request: LoadRequest) -> str:
    if is_hub_id(request.source):
        return request.source.split("/")[1]
    path = request.path.resolve()
    return path.parent.name if path.name == "data" and path.is_dir() else path.stem


def _parquet_files(path: Path) -> list[Path]:
    if path.is_file():
        return [path] if path.suffix == ".parquet" else []
    if path.is_dir():
        return sorted(path.glob("*.parquet")) or sorted(path.glob("data/*.parquet"))
    return []


def _files_of(request: LoadRequest) -> dict[str, list[Path]]:
    """Sort the parquet files by split, which their names begin with."""
    if is_hub_id(request.source):
        return fetch_from_hub(request.source)
    by_split: dict[str, list[Path]] = {}
    for path in _parquet_files(request.path):
        found = _SPLIT_FILE.search(path.name)
        split = canonical_split(found["split"]) if found else "all"
        by_split.setdefault(split, []).append(path)
    if not by_split:
        raise UsageError(f"There is no parquet file in {request.path}.")
    return by_split


def fetch_from_hub(source: str) -> dict[str, list[Path]]:
    """Fetch the parquet files of a hub data set through ``datasets`` and its cache.

    The files are read by us rather than cast by ``datasets``: cards that disagree with their
    parquet are common in this family, and the cast then fails as a whole.

    Raises:
        FormatError: If the hub or the data set cannot be reached.
    """
    import datasets

    try:
        builder = datasets.load_dataset_builder(source)
        manager = datasets.DownloadManager(dataset_name=source)
        found = dict((builder.config.data_files or {}).items())
        return {
            canonical_split(str(split)): [Path(p) for p in manager.download(list(files))]
            for split, files in found.items()
        }
    except Exception as error:  # whatever the network or the hub's library raises
        raise FormatError(
            f"'{source}' could not be fetched from the hub "
            f"({type(error).__name__}: {str(error)[:160]})",
            hint="Check the name and the connection, or give a local folder of its parquet files.",
        ) from error


def _rows(path: Path) -> Iterator[tuple[dict[str, Any], PictureCell | None]]:
    import pyarrow.lib
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            names = set(file.schema_arrow.names)
            _check_schema(file.schema_arrow, path)
            wanted = [n for n in ("image_id", "file_name", "image_meta", "samples") if n in names]
            for group in range(file.num_row_groups):
                table = file.read_row_group(group, columns=wanted)
                for number, row in enumerate(table.to_pylist()):
                    cell = PictureCell(path, group, number, "image.bytes")
                    yield row, cell if "image" in names else None
    except (pyarrow.lib.ArrowException, OSError, UnicodeDecodeError) as error:
        raise FormatError(
            f"cannot be read as parquet ({str(error)[:120]})", path=path,
            hint="Is the file cut off?",
        ) from error


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
            builder.add_expression(
                image,
                sentence=sentence,
                sample_id=sample_id,
                example_id=f"{sample_id}:{place}",
                objects=(thing,),
                split=split,
            )


def _sentences(sample: dict[str, Any]) -> list[str]:
    sentences = sample.get("sentences", sample.get("sentence"))
    if isinstance(sentences, str):
        return [sentences]
    return [str(sentence or "") for sentence in sentences or []]
