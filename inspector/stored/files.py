"""Which Parquet files form a table of scores, whether they have its columns, and its rules."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args, get_type_hints

from inspector.core.errors import FormatError, UsageError, nearest
from inspector.core.failures import Thresholds
from inspector.core.protocol import Protocol
from inspector.formats.reading import check_regular
from inspector.paths import user_path

if TYPE_CHECKING:
    import pyarrow as pa

_WILD = frozenset("*?[")
_MOST_FILES = 20_000
_MOST_METADATA = 1_000_000  # bytes

METADATA_KEY = b"inspector"
"""Where a Parquet file says by which rules and thresholds, and on which data, it was scored."""

TEXTS = ("example_id", "run", "status", "failure")
COUNTS = ("intersection", "union", "target_area", "prediction_area")
NUMBERS = ("iou",)
NEEDED = (*TEXTS, *COUNTS, *NUMBERS)
"""Columns of the contract without which there is nothing to show."""

BOXES = ("box_x", "box_y", "box_width", "box_height")
SHAPES = (
    "boundary_intersection", "boundary_union", "pieces", "largest_piece", "hole_area",
    "target_largest_piece", "target_hole_area",
)
OPTIONAL_TEXTS = ("other_ann_id", "evidence", "flags")
OPTIONAL_NUMBERS = ("other_iou", "box_iou", *BOXES)
TRUTHS = ("marks_nothing", "on_target")
READ = (*NEEDED, *OPTIONAL_TEXTS, *OPTIONAL_NUMBERS, *TRUTHS, *SHAPES)
"""Every column that is read where it is there; the others are the data set's own words."""


@dataclass(frozen=True, slots=True)
class TableFiles:
    """The files of one table.

    Attributes:
        source: As it was asked for.
        paths: The files, by name; all have the columns of :data:`NEEDED`.
        columns: Names of the columns of :data:`READ` that every file has.
        rows: Rows of all files.
        made_by: What the writer says of itself, of its data set and its rules; None where the
            files say nothing.
    """

    source: str
    paths: tuple[Path, ...]
    columns: tuple[str, ...]
    rows: int
    made_by: MadeBy | None

    def batches(self, columns: tuple[str, ...], rows: int) -> Iterator[tuple[Path, int, Any]]:
        """Give (file, number of the first row in it, batch of rows) of some columns, in order.

        Raises:
            FormatError: If a file cannot be read to its end.
        """
        import pyarrow.lib
        import pyarrow.parquet as pq

        texts = [name for name in columns if name in (*TEXTS, *OPTIONAL_TEXTS)]
        for path in self.paths:
            begin = 0
            try:
                with pq.ParquetFile(path, read_dictionary=[t for t in texts if t != "example_id"],
                                    page_checksum_verification=True) as file:
                    for batch in file.iter_batches(rows, columns=list(columns)):
                        yield path, begin, batch
                        begin += batch.num_rows
            except (pyarrow.lib.ArrowException, OSError) as error:
                raise _unreadable(path, error) from error


@dataclass(frozen=True, slots=True)
class MadeBy:
    """What stands in the metadata of a table."""

    version: str
    dataset: str
    split: str
    protocol: Protocol
    thresholds: Thresholds


def find_tables(source: str) -> TableFiles:
    """Find the files of ``--scores``: a Parquet file, a folder of them, or a pattern.

    Only the ends of the files are read: their columns, types and metadata.

    Raises:
        UsageError: If there is no such file.
        FormatError: If one is no Parquet, or lacks a column, or they were scored under different
            rules.
    """
    import pyarrow.lib
    import pyarrow.parquet as pq

    paths = _list(source)
    rows, made, columns = 0, [], list(READ)
    for path in paths:
        check_regular(path)
        try:
            footer = pq.read_metadata(path)
            schema = footer.schema.to_arrow_schema()
        except (pyarrow.lib.ArrowException, OSError, ValueError) as error:
            raise _unreadable(path, error) from error
        _check_columns(path, schema)
        columns = [name for name in columns if name in schema.names]
        rows += footer.num_rows
        made.append(read_metadata(path, footer.metadata or {}))
        if made[-1] != made[0]:
            raise FormatError(
                f"was scored under other rules, or on other data, than {paths[0].name}",
                path=path, hint="Open them one by one.",
            )
    return TableFiles(source, tuple(paths), tuple(columns), rows, made[0])


def _list(source: str) -> list[Path]:
    path = user_path(source)
    if path.is_dir():
        found = sorted(
            file for file in path.rglob("*.parquet")
            if not any(part.startswith((".", "_")) for part in file.relative_to(path).parts)
        )
        if not found:
            raise UsageError(f"There is no .parquet file in {path}. Name the folder of the table.")
    elif path.exists():
        found = [path]
    elif _WILD & set(source):
        anchor = Path(path.anchor) if path.is_absolute() else Path()
        pattern = str(path.relative_to(path.anchor) if path.is_absolute() else path)
        try:
            found = sorted(file for file in anchor.glob(pattern) if file.is_file())
        except (ValueError, NotImplementedError) as error:
            raise UsageError(
                f"'{source}' is no pattern of files ({error}), such as 'out/*.parquet'."
            ) from error
        if not found:
            raise UsageError(f"No file fits '{source}'. Check the pattern.")
    else:
        raise UsageError(
            f"There is no table of scores at {path}. Write one with 'score … --parquet FILE'."
        )
    if len(found) > _MOST_FILES:
        raise UsageError(
            f"{source} names {len(found):,} files; at most {_MOST_FILES:,} are read. Write fewer."
        )
    return found


_WRITTEN = "A table of scores is what 'score … --parquet FILE' writes."


def _check_columns(path: Path, schema: pa.Schema) -> None:
    import pyarrow as pa

    lacking = [name for name in NEEDED if name not in schema.names]
    if lacking:
        raise FormatError(
            f"has no column '{lacking[0]}'{nearest(lacking[0], list(schema.names))}",
            path=path, hint=_WRITTEN,
        )
    for name in schema.names:
        kind = schema.field(name).type
        values = kind.value_type if pa.types.is_dictionary(kind) else kind
        is_text = pa.types.is_string(values) or pa.types.is_large_string(values)
        expected, fits = "", True
        if name in (*TEXTS, *OPTIONAL_TEXTS):
            expected, fits = "text", is_text
        elif name in (*COUNTS, *SHAPES):
            expected, fits = "whole numbers (int64)", pa.types.is_integer(kind)
        elif name in (*NUMBERS, *OPTIONAL_NUMBERS):
            expected, fits = "numbers (double)", pa.types.is_float64(kind)
        elif name in TRUTHS:
            expected, fits = "true or false", pa.types.is_boolean(kind)
        if not fits and not (pa.types.is_null(kind) and name not in TEXTS):
            raise FormatError(
                f"column '{name}' must hold {expected}, but holds {kind}", path=path, hint=_WRITTEN
            )
        if schema.names.count(name) > 1 and name in READ:
            raise FormatError(
                f"has the column '{name}' twice, against once expected", path=path, hint=_WRITTEN
            )


def read_metadata(path: Path, metadata: dict[bytes, bytes]) -> MadeBy | None:
    """Read what the writer of a table says of it.

    Raises:
        FormatError: If it says something that is no rule of ours.
    """
    text = metadata.get(METADATA_KEY)
    if text is None:
        return None
    try:
        if len(text) > _MOST_METADATA:
            raise ValueError("too long")
        said = json.loads(text)
        own = {field.name for field in fields(Thresholds)}
        thresholds = Thresholds(**{key: float(said["thresholds"][key]) for key in own})
        if any(not 0 <= getattr(thresholds, key) <= 1 for key in own):
            raise ValueError("a threshold is no share")
        hints = get_type_hints(Protocol)
        rules = {"resize": "never", **said["protocol"]}
        for key, value in rules.items():
            if value not in get_args(hints[key]):
                raise ValueError(f"{key} is '{value}'")
        return MadeBy(
            str(said["inspector"]), str(said["dataset"]["name"]), str(said["dataset"]["split"]),
            Protocol(**rules), thresholds,
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise FormatError(
            f"has metadata of an inspector that cannot be read ({str(error)[:80]})", path=path,
            hint="Score again with this version.",
        ) from error


def _unreadable(path: Path, error: Exception) -> FormatError:
    said = " ".join(str(error).split())[:120]
    return FormatError(
        f"cannot be read as parquet ({said})", path=path, hint="Is the file cut off?"
    )
