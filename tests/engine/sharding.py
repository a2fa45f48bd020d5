"""Untidy predictions of the demo, and the ways to lay them out as shards."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from inspector.core.dataset import Dataset
from inspector.core.mask import Mask
from inspector.formats import load_dataset
from inspector.formats.request import LoadRequest
from inspector.workspace import DEMO_FOLDER

DEMO = LoadRequest("demo")
RUNS = DEMO_FOLDER / "runs"


def untidy_lines() -> list[bytes]:
    """Give lines with every way to name an example, and much that can be wrong with a line."""
    dataset = load_dataset(DEMO)
    found = [json.loads(line) for line in (RUNS / "box.jsonl").read_text().splitlines()]
    lines = [json.dumps(named(dataset, place, line)) for place, line in enumerate(found)]
    values = [json.loads(line) for line in lines]
    values[3]["mask"] = {"size": [1, 1], "counts": "!"}
    values[5]["mask"]["size"] = [10, 10]
    values[9]["mask"] = None
    values[12] = {"sent_id": values[12].get("sent_id", "113"), "mask": 7}
    values[20]["box_xywh"] = [3, 4, 50, 60.5]
    values[21]["box_xywh"] = [1, 2, 3]
    values[22]["box_xywh"] = [3, 4, -50, 60.5]
    height, width = dataset[22].image.size_hw
    values[22]["mask"] = [[2, 2, 40, 2, 40, 30, 2, 30]]
    values[23]["mask"] = Mask.empty((2 * height, 2 * width)).to_json()
    said = [json.dumps(value).encode() for value in values]
    said[30:30] = [b"", b"{not json", b"\xff\xfe not text", b'"text"', b'{"mask": null}']
    del said[50:53]  # missing
    said.append(said[1])  # a second prediction
    said.append(json.dumps({"sent_id": "nobody", "mask": None}).encode())
    return said


def named(dataset: Dataset, place: int, line: dict[str, Any]) -> dict[str, Any]:
    """Name an example in one of five ways."""
    example = dataset[place]
    words = {"sentence": example.expression.sentence}
    keys = [
        {"sent_id": example.id}, {"example_id": example.id},
        {"ref_id": example.expression.ref_id, **words},
        {"ann_id": example.referents[0].annotation_id, **words} if example.referents else
        {"sent_id": int(example.id)},
        {"image_id": example.image.id, **words},
    ][place % 5]
    return {**keys, "mask": line["mask"]}


def write_lines(folder: Path, lines: Sequence[bytes], *, shards: int) -> list[Path]:
    """Write so many files with about as many lines each."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for number in range(shards):
        own = lines[number * len(lines) // shards : (number + 1) * len(lines) // shards]
        paths.append(folder / f"part-{number:03d}.jsonl")
        paths[-1].write_bytes(b"".join(line + b"\n" for line in own))
    return paths


def write_parquet(
    folder: Path, lines: Sequence[bytes], *, shards: int, rows_a_group: int = 7
) -> list[Path]:
    """Write objects with run lengths as Parquet, one column a key."""
    folder.mkdir(parents=True, exist_ok=True)
    values = [json.loads(line) for line in lines]
    mask = pa.struct({"size": pa.list_(pa.int32()), "counts": pa.string()})
    kinds = {"example_id": pa.string(), "sent_id": pa.string(), "ref_id": pa.string(),
             "ann_id": pa.string(), "image_id": pa.string(), "sentence": pa.string(), "mask": mask}
    paths = []
    for number in range(shards):
        own = values[number * len(values) // shards : (number + 1) * len(values) // shards]
        table = pa.table({
            key: pa.array([as_text(value.get(key)) for value in own], kind)
            for key, kind in kinds.items()
        })
        paths.append(folder / f"part-{number:03d}.parquet")
        pq.write_table(table, paths[-1], row_group_size=rows_a_group)
    return paths


def as_text(value: Any) -> Any:
    """Write numbers as text, as a column holds one type."""
    return str(value) if isinstance(value, int) else value
