"""Made-up tables of scores of any size and the data set of theirs, written run by run."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from benchmarks.large import build
from inspector.core.dataset import Dataset
from inspector.core.failures import FAILURE_MODES
from inspector.core.table import COLUMNS
from inspector.formats.saving import save

RUNS = 71


def make_dataset(folder: Path, examples: int) -> tuple[Path, Dataset]:
    """Write a data set of RefCOCO's sentences and boxes with made-up masks, as JSON Lines."""
    folder.mkdir(parents=True, exist_ok=True)
    dataset = build(folder, examples).dataset
    path = folder / "made.jsonl"
    save(dataset, path)
    return path, dataset


def make_table(path: Path, dataset: Dataset, runs: int = RUNS) -> int:
    """Write the columns of the contract, run by run; give the number of rows.

    IoU is high for most and 0 for a fifth, as of a real model; a hundredth is missing.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    n = len(dataset)
    table = dataset.expressions
    ids = dataset.objects.annotation_ids
    images = [dataset.images[row] for row in table.image.tolist()]
    words = {
        "example_id": table.ids, "image_id": [image.id for image in images],
        "file_name": [image.file_name for image in images], "ref_id": table.ref_ids,
        "ann_id": [";".join(ids[row] for row in dataset.referent_rows(i)) for i in range(n)],
        "sent_id": table.sent_ids, "sample_id": table.sample_ids, "sentence": table.sentences,
        "category": [dataset.category_of(i) for i in range(n)],
    }
    fixed = {name: pa.array(values, pa.string()) for name, values in words.items()}
    rng = np.random.default_rng(0)
    writer = None
    for run in range(runs):
        columns = fixed | {"run": pa.array([f"run-{run:02d}"] * n), **_numbers(dataset, rng)}
        rows = pa.table({name: columns[name] for name in COLUMNS[:17]})
        writer = writer or pq.ParquetWriter(path, rows.schema, compression="zstd")
        writer.write_table(rows)
    if writer:
        writer.close()
    return n * runs


def _numbers(dataset: Dataset, rng: np.random.Generator) -> dict[str, object]:
    import pyarrow as pa

    n, target = len(dataset), dataset.target_areas
    share = np.where(rng.random(n) < 0.2, 0.0, rng.beta(6, 1, n))
    intersection = (target * share).astype(np.int64)
    beyond = (target * rng.exponential(0.2, n)).astype(np.int64)
    missing = rng.random(n) < 0.01
    intersection[missing] = 0
    union = target + np.where(missing, 0, beyond)
    keys = np.array([mode.key for mode in FAILURE_MODES], object)
    guess = rng.integers(5, len(keys), n)
    guess[intersection * 2 >= union] = 3  # correct
    guess[missing] = 0
    return {
        "status": pa.array(np.where(missing, "missing", "scored").tolist()),
        "intersection": intersection, "union": union, "iou": intersection / union,
        "target_area": target,
        "prediction_area": pa.array(intersection + beyond, mask=missing),
        "failure": pa.array(keys[guess].tolist()),
    }
