"""Readers of data sets: a valid folder of each format, broken in one place."""

from __future__ import annotations

import io
import json
import pickle
import tempfile
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from PIL import Image

from inspector.core.errors import InspectorError
from inspector.formats import DATASET_FORMATS, load_dataset
from inspector.formats.request import LoadRequest
from tests.formats.writers import WRITERS
from tests.fuzz.invariants import check_dataset
from tests.fuzz.mutation import dump_json, hostile, mutate, mutate_bytes

_FOLDER = tempfile.TemporaryDirectory(prefix="inspector-fuzz-")
_FORMATS = {fmt.key: fmt for fmt in DATASET_FORMATS}
_OTHER_PICTURES = (("PNG", "L", (9, 2)), ("GIF", "P", (6, 4)), ("PNG", "I;16", (6, 4)),
                   ("TIFF", "CMYK", (6, 4)), ("PNG", "1", (6, 4)), ("PNG", "RGBA", (6, 4)))


@cache
def _template(key: str) -> tuple[Path, tuple[tuple[Path, bytes], ...]]:
    """Write a valid data set once; what follows changes one file at a time and puts it back."""
    source = WRITERS[key](Path(_FOLDER.name) / key)
    files = [source] if source.is_file() else sorted(p for p in source.rglob("*") if p.is_file())
    return source, tuple((path, path.read_bytes()) for path in files)


def reader(key: str):  # noqa: ANN201 - a Case
    """Give the cases of one format."""

    def read(rng: Random) -> str:
        source, files = _template(key)
        path, content = rng.choice(files)
        if path.suffix == ".jpg" and rng.random() < 0.7:
            path, content = files[0]
        request = LoadRequest(
            str(source), split=rng.choice((None, None, "val", "all", "test", "")),
            texts=rng.choice(("first", "all")), format=rng.choice((None, key)),
        )
        path.write_bytes(_break(path, content, rng))
        try:
            dataset = load_dataset(request)
            check_dataset(dataset, rng)
        except InspectorError as error:
            str(error).encode(errors="strict") if "\\ud" not in ascii(str(error)) else None
            return type(error).__name__
        finally:
            path.write_bytes(content)
        return "loaded"

    return read


def _break(path: Path, content: bytes, rng: Random) -> bytes:
    if rng.random() < 0.35:
        return mutate_bytes(content, rng, rng.randrange(1, 6))
    times = rng.randrange(1, 4)
    if path.suffix == ".p":
        return _dump_pickle(mutate(pickle.loads(content), rng, times), rng)
    if path.suffix == ".json":
        return dump_json(mutate(json.loads(content), rng, times))
    if path.suffix == ".jsonl":
        lines = mutate([json.loads(line) for line in content.splitlines()], rng, times)
        lines = lines if isinstance(lines, list) else [lines]
        return b"\n".join(dump_json(line) for line in lines)
    if path.suffix == ".parquet":
        return _break_parquet(content, rng, times)
    kind, mode, size = rng.choice(_OTHER_PICTURES)
    buffer = io.BytesIO()
    Image.new(mode, size, 1 if len(mode) < 4 and mode != "RGB" else None).save(buffer, kind)
    return buffer.getvalue()


def _dump_pickle(value: Any, rng: Random) -> bytes:
    try:
        return pickle.dumps(value, rng.randrange(5))
    except RecursionError:  # nested too deep for the pickler
        return pickle.dumps([hostile(Random(0))], 2)


def _break_parquet(content: bytes, rng: Random, times: int) -> bytes:
    """Change values inside their types, or the schema with them."""
    table = pq.read_table(io.BytesIO(content))
    rows = mutate(table.to_pylist(), rng, times)
    out = io.BytesIO()
    for schema in (table.schema, None):
        try:
            pq.write_table(pa.Table.from_pylist(rows, schema=schema), out, row_group_size=1)
            return out.getvalue()
        except Exception:  # the values do not fit; Arrow raises many kinds
            out = io.BytesIO()
    column = rng.choice(table.schema.names)
    kind = rng.choice((pa.null(), pa.string(), pa.int8(), pa.list_(pa.int64())))
    changed = table.drop_columns([column])
    if rng.random() < 0.7:
        changed = changed.append_column(column, pa.nulls(len(table), kind))
    pq.write_table(changed.slice(0, rng.randrange(len(table) + 1)), out)
    return out.getvalue()
