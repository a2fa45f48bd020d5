"""Two ground truths at the size of RefCOCO val and RefCOCO-M, opened with two runs from files.

10,834 expressions for 3,811 referents against 5,598 for 2,080.
Sentences and boxes are RefCOCO's own where the real data is at hand (INSPECTOR_SHARED_DATA or the
sibling folder ``shared``), else made up; the masks are made up inside the boxes. The first is
written as REFER, the second as parquet in RefCOCO-M's columns; ids of the second say nothing.
``python -m benchmarks.truths FOLDER`` writes them and keeps them.
"""

from __future__ import annotations

import json
import pickle
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.figures import Figure, report
from benchmarks.large import HEIGHT, WIDTH, blob, read_expressions
from inspector.core.mask import Mask
from inspector.formats.request import LoadRequest
from inspector.workspace import open_workspace

REFERENTS_B, EXPRESSIONS_B = 2_080, 5_598
RUNS = ("base", "ours")


def write_pair(folder: Path) -> None:
    """Write ``a`` (REFER), ``validation.parquet``, ``base.jsonl`` and ``ours.jsonl``."""
    rng = np.random.default_rng(0)
    rows = read_expressions()
    boxes = {ref: box for ref, _, _, box in rows}
    tight = {ref: blob(rng, box) for ref, box in boxes.items()}
    _write_refer(folder / "a", rows, {ref: _grown(mask, 3) for ref, mask in tight.items()})
    _write_parquet(folder / "validation.parquet", rows, tight, rng)
    for name, wrong in zip(RUNS, (0.3, 0.15), strict=True):
        with (folder / f"{name}.jsonl").open("w", encoding="utf-8") as file:
            for number, (ref, *_) in enumerate(rows):
                mask = blob(rng, boxes[ref], wrong=rng.random() < wrong)
                file.write(json.dumps({"sent_id": number, "mask": mask.to_json()}) + "\n")


def _grown(mask: Mask, pixels: int) -> Mask:
    import cv2

    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * pixels + 1, 2 * pixels + 1))
    return Mask.from_array(cv2.dilate(mask.to_array().astype(np.uint8), disc) > 0)


def _write_refer(folder: Path, rows: list, masks: dict[str, Mask]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    refs: dict[str, dict[str, Any]] = {}
    for number, (ref, image, sentence, _) in enumerate(rows):
        record = refs.setdefault(ref, {
            "ref_id": int(ref), "ann_id": 100_000 + int(ref), "image_id": int(image),
            "category_id": 1 + int(ref) % 10, "split": "val", "file_name": "", "sentences": [],
        })
        record["sentences"].append({"sent_id": number, "sent": sentence, "raw": sentence})
    (folder / "refs(unc).p").write_bytes(pickle.dumps(list(refs.values()), protocol=2))
    instances = {
        "images": [
            {"id": image, "height": HEIGHT, "width": WIDTH, "file_name": f"{image}.jpg"}
            for image in {record["image_id"] for record in refs.values()}
        ],
        "annotations": [
            {"id": record["ann_id"], "image_id": record["image_id"], "iscrowd": 0,
             "category_id": record["category_id"], "bbox": list(masks[ref].box_xywh),
             "segmentation": masks[ref].to_json()}
            for ref, record in refs.items()
        ],
        "categories": [{"id": n, "name": f"kind {n}"} for n in range(1, 11)],
    }
    (folder / "instances.json").write_text(json.dumps(instances))


def _write_parquet(
    path: Path, rows: list, masks: dict[str, Mask], rng: np.random.Generator
) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    kept = _chosen_refs(rows, rng)
    samples: dict[str, dict[str, dict[str, Any]]] = {}
    numbers = rng.permutation(len(kept)).tolist()
    for ref, image, sentence, _ in rows:
        if ref in kept:
            of_image = samples.setdefault(image, {})
            sample = of_image.setdefault(ref, {
                "id": numbers[kept[ref]], "image_id": int(image), "category":
                f"kind {1 + int(ref) % 10}", "label": f"kind {1 + int(ref) % 10}",
                "sentences": [], "bbox": list(masks[ref].box_xywh), "mask": masks[ref].to_json(),
            })
            sample["sentences"].append(sentence)
    pq.write_table(pa.Table.from_pylist([
        {"image_id": int(image), "file_name": f"{image}.jpg", "samples": list(found.values())}
        for image, found in samples.items()
    ]), path)


def _chosen_refs(rows: list, rng: np.random.Generator) -> dict[str, int]:
    """Choose as many referents as RefCOCO-M has, with as many sentences."""
    sizes: dict[str, int] = {}
    for ref, *_ in rows:
        sizes[ref] = sizes.get(ref, 0) + 1
    pool = list(sizes)
    order = [pool[place] for place in rng.permutation(len(pool)).tolist()]
    chosen, unused = order[:REFERENTS_B], order[REFERENTS_B:]
    chosen.sort(key=lambda ref: -sizes[ref])
    unused.sort(key=lambda ref: sizes[ref])
    for place, ref in enumerate(unused):  # the most talked of give way until the sum is right
        surplus = sum(sizes[ref] for ref in chosen) - EXPRESSIONS_B
        if 0 < sizes[chosen[place]] - sizes[ref] <= surplus:
            chosen[place] = ref
    return {ref: place for place, ref in enumerate(chosen)}


def measure() -> list[Figure]:
    """Time from the command to everything ready: both opened, matched, two runs under both."""
    from inspector.truths_files import truths_json

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_pair(folder)
        begin = time.perf_counter()
        workspace = open_workspace(
            LoadRequest(str(folder / "a")), [str(folder / f"{run}.jsonl") for run in RUNS],
            second=LoadRequest(str(folder / "validation.parquet")),
        )
        summary = truths_json(workspace)
        _ = workspace.version
        seconds = time.perf_counter() - begin
        if summary["match"]["matched"] != summary["dataset_b"]["referents"]:
            raise RuntimeError(f"not all were matched: {summary['match']}")
        score_only = time.perf_counter()
        plain = open_workspace(
            LoadRequest(str(folder / "a")), [str(folder / f"{run}.jsonl") for run in RUNS]
        )
        _ = plain.metrics
        baseline = time.perf_counter() - score_only
    return [Figure(
        "two ground truths, two runs (baseline: A alone)", seconds, "s", 10, baseline
    )]


if __name__ == "__main__":
    if len(sys.argv) > 1:
        write_pair(Path(sys.argv[1]))
    else:
        sys.stdout.write(report(measure(), "truths") + "\n")
