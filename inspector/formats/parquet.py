"""Parquet files of a data set: which they are, their rows, their pictures.

The files are read by us rather than cast by ``datasets``: cards that disagree with their parquet
are common, and the cast then fails as a whole (huggingface/datasets#3637).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from inspector.core.errors import FormatError, UsageError
from inspector.core.records import PictureCell
from inspector.formats.hub import HubFiles, is_hub_id, list_hub
from inspector.formats.reading import check_regular, note_read
from inspector.formats.request import LoadRequest, canonical_split

SPLIT_WORD = re.compile(r"(?P<split>[A-Za-z]+)(-\d+-of-\d+)?(-[0-9a-f]{16})?\.parquet$")
WHOLE_NAME = re.compile(r"(?P<split>[A-Za-z][\w+]*?)(-\d+-of-\d+)?(-[0-9a-f]{16})?\.parquet$")


def parquet_files(path: Path) -> list[Path]:
    """List the parquet files of a folder, its ``data`` folder, or the file itself."""
    if path.is_file():  # the hub's cache may keep files without their endings
        return [path] if path.suffix == ".parquet" or _has_magic(path) else []
    if path.is_dir():
        return sorted(path.glob("*.parquet")) or sorted(path.glob("data/*.parquet"))
    return []


def _has_magic(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(4) == b"PAR1"
    except OSError:
        return False


def column_names(path: Path) -> frozenset[str] | None:
    """Name the columns of the first parquet file; None where there is none that can be read."""
    files = parquet_files(path)
    if not files:
        return None
    try:
        return frozenset(read_schema(files[0]).names)
    except FormatError:
        return None


def read_schema(path: Path) -> Any:
    """Read the Arrow schema of a file.

    Raises:
        FormatError: If the file is cut off or no parquet.
    """
    import pyarrow.lib
    import pyarrow.parquet as pq

    check_regular(path)
    try:
        return pq.read_schema(path)
    except (pyarrow.lib.ArrowException, OSError, ValueError) as error:  # ValueError: its text
        raise _unreadable(path, error) from error


def _unreadable(path: Path, error: Exception) -> FormatError:
    return FormatError(
        f"cannot be read as parquet ({str(error)[:120]})", path=path, hint="Is the file cut off?"
    )


def has_columns(path: Path, *names: str) -> bool:
    """Say whether the first parquet file of a source has all of these columns."""
    found = column_names(path)
    return found is not None and found.issuperset(names)


def files_of(
    request: LoadRequest, pattern: re.Pattern[str] = SPLIT_WORD
) -> dict[str, Sequence[Path]]:
    """Sort the parquet files by split, as their names or the hub say; those of the hub unfetched.

    Args:
        request: A hub id, a folder or a file.
        pattern: How the name of a file gives its split; ``all`` where it gives none.

    Raises:
        UsageError: If there is no parquet file.
    """
    if is_hub_id(request.source):
        return {
            split: HubFiles(request.source, addresses)
            for split, addresses in list_hub(request.source).files.items()
        }
    by_split: dict[str, list[Path]] = {}
    for path in parquet_files(request.path):
        found = pattern.search(path.name)
        split = canonical_split(found["split"]) if found else "all"
        by_split.setdefault(split, []).append(path)
    if not by_split:
        raise UsageError(
            f"There is no parquet file in {request.path}. Name the folder that holds one."
        )
    return dict(by_split)


def each_split(files: Mapping[str, Sequence[Path]]) -> Iterator[str]:
    """Name the split of each file, without fetching it."""
    for split, paths in files.items():
        yield from [split] * len(paths)


def given_name(request: LoadRequest) -> str:
    """Give the name of a data set: of its hub id, its folder, or its file.

    Folders called ``data`` and files called after a split take the name of what they lie in.
    """
    if is_hub_id(request.source):
        return request.source.split("/")[1]
    path = request.path.resolve()
    if path.is_file():
        found = SPLIT_WORD.fullmatch(path.name)
        if not found:
            return WHOLE_NAME.sub(r"\g<split>", path.name)
        path = path.parent
    return path.parent.name if path.name == "data" else path.name


def iterate_batches(path: Path, columns: Sequence[str]) -> Iterator[tuple[Any, int, int]]:
    """Give record batches with the row group and the row in it where each begins.

    Args:
        path: The file.
        columns: Those to read; any the file does not have are left out.

    Raises:
        FormatError: If the file is cut off or no parquet.
    """
    import pyarrow.lib
    import pyarrow.parquet as pq

    check_regular(path)
    note_read(path)
    try:
        with pq.ParquetFile(path) as file:
            there = set(file.schema_arrow.names)
            wanted = [name for name in columns if name.partition(".")[0] in there]
            for group in range(file.num_row_groups):
                begin = 0
                for batch in file.iter_batches(64, row_groups=[group], columns=wanted):
                    yield batch, group, begin
                    begin += batch.num_rows
    except (pyarrow.lib.ArrowException, OSError, UnicodeDecodeError) as error:
        raise _unreadable(path, error) from error


def to_rows(batch: Any, path: Path) -> list[dict[str, Any]]:
    """Turn a record batch into dictionaries.

    Raises:
        FormatError: If its text is not UTF-8: Arrow does not look at it before.
    """
    try:
        rows: list[dict[str, Any]] = batch.to_pylist()
        return rows
    except ValueError as error:
        raise _unreadable(path, error) from error


def iterate_rows(
    path: Path, columns: Sequence[str]
) -> Iterator[tuple[dict[str, Any], PictureCell | None]]:
    """Give the rows as dictionaries, each with the place of its picture.

    Raises:
        FormatError: If the file is cut off or no parquet.
    """
    picture = picture_column(path)
    for batch, group, begin in iterate_batches(path, columns):
        for number, row in enumerate(to_rows(batch, path), begin):
            yield row, PictureCell(path, group, number, picture) if picture else None


def picture_column(path: Path) -> str:
    """Name the column that holds the pictures' bytes; empty where there is none.

    Raises:
        FormatError: If the file is cut off or no parquet.
    """
    import pyarrow

    schema = read_schema(path)
    if "image" not in schema.names:
        return ""
    kind = schema.field("image").type
    if pyarrow.types.is_struct(kind):
        names = {field.name for field in kind}
        return "image.bytes" if "bytes" in names else ""
    return "image" if pyarrow.types.is_binary(kind) or pyarrow.types.is_large_binary(kind) else ""
