"""The whole ``score`` command on files of RefCOCO's size, against the least that any scorer does.

The baseline reads every input file with ``pickle.load`` and ``json.loads`` and runs a Python loop
over ``pycocotools.mask.iou`` on the same masks, which it is given ready: it aligns nothing, checks
nothing, rasterises nothing and writes nothing. Both are measured from the moment when everything
is imported, in processes of their own that take turns. ``python -m benchmarks.command ours FOLDER``
and ``… loop FOLDER`` are those processes.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import pickle
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.figures import Figure, report
from benchmarks.refer_data import ALL, HEIGHT, PICTURES, TRAIN, VAL, WIDTH, Written, write

_ROUNDS = 5
_MEMORY = 1_000  # MB


def measure() -> list[Figure]:
    """Measure start-up, the command on two sizes of annotation files, and how it grows."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        return [
            *_start_up(),
            *_against_loop(write(folder / "small" / "refcoco"), "val alone"),
            *_against_loop(
                write(folder / "full" / "refcoco", pictures=PICTURES, others=ALL - VAL),
                "all of RefCOCO's files",
            ),
            *_growth(folder),
        ]


def _start_up() -> list[Figure]:
    """Measure ``--help`` from outside, as a person waits for it."""
    figures = []
    for arguments in (["--help"], ["score", "--help"]):
        seconds = []
        for _ in range(_ROUNDS + 2):
            begin = time.perf_counter()
            subprocess.run([sys.executable, "-m", "inspector", *arguments], check=True,
                           stdout=subprocess.DEVNULL)
            seconds.append(time.perf_counter() - begin)
        said = " ".join(arguments)
        figures.append(Figure(f"start: {said}", statistics.median(seconds), "s", 0.4, None))
    return figures


def _against_loop(files: Written, what: str) -> list[Figure]:
    runs: dict[str, list[dict[str, float]]] = {"ours": [], "loop": []}
    _child("ours", files.folder)  # compiles, if that was never done here, and fills the file cache
    for _ in range(_ROUNDS):
        for kind, found in runs.items():
            found.append(_child(kind, files.folder))
    median = {
        (kind, key): statistics.median(run[key] for run in found)
        for kind, found in runs.items() for key in ("wall", "cpu", "loaded", "rss")
    }
    megabytes = sum(path.stat().st_size for path in files.every_file) / 1e6
    size = f"{what} ({megabytes:.0f} MB)"
    return [
        Figure(f"score, {size}", median["ours", "wall"], "s",
               round(2 * median["loop", "wall"], 2), median["loop", "wall"]),
        Figure("  the same in processor time", median["ours", "cpu"], "s",
               round(2 * median["loop", "cpu"], 2), median["loop", "cpu"]),
        Figure("  imports before it", median["ours", "loaded"], "s", 1.5, None),
        Figure("  peak memory", median["ours", "rss"], "MB", _MEMORY, median["loop", "rss"]),
    ]


def _growth(folder: Path) -> list[Figure]:
    """Score a quarter, a half and all of RefCOCO's train split; a sentence costs the same."""
    figures, each = [], []
    for count in (TRAIN // 4, TRAIN // 2, TRAIN):
        files = write(folder / str(count) / "refcoco", count=count)
        found = [_child("ours", files.folder) for _ in range(2)]
        seconds = min(run["cpu"] for run in found)
        each.append(1e6 * seconds / count)
        figures.append(Figure(
            f"score, {count:,} sentences: processor time each", each[-1], "µs",
            round(1.25 * each[0], 1), each[0],
        ))
        if count == TRAIN:
            figures.append(Figure(f"  {count:,} sentences", min(r["wall"] for r in found), "s",
                                  60, None))
            figures.append(Figure("  peak memory", max(r["rss"] for r in found), "MB",
                                  _MEMORY, None))
    return figures


def _child(kind: str, folder: Path) -> dict[str, float]:
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.command", kind, str(folder)],
        check=True, stdout=subprocess.PIPE, cwd=Path(__file__).parents[1],
        env={**os.environ, "INSPECTOR_CACHE": "off"},
    )
    found: dict[str, float] = json.loads(done.stdout)
    return found


def run_ours(folder: Path) -> dict[str, float]:
    """Score ``refs(unc).p``, ``instances.json`` and ``run.jsonl``, writing Parquet."""
    begin = time.process_time()
    import pyarrow.parquet  # noqa: F401 - what the command imports on its way

    from inspector import cli, summary, workspace  # noqa: F401
    from inspector.commands import further, gates  # noqa: F401
    from inspector.core import compiled

    compiled.load()
    loaded = time.process_time() - begin
    with tempfile.TemporaryDirectory() as name, contextlib.redirect_stdout(io.StringIO()):
        out = Path(name) / "out.parquet"
        begin, begin_cpu = time.perf_counter(), time.process_time()
        status = cli.main(["score", str(folder), "--run", str(folder / "run.jsonl"),
                           "--parquet", str(out)])
        wall, cpu = time.perf_counter() - begin, time.process_time() - begin_cpu
        if status or not out.is_file():
            raise RuntimeError("the command failed")
    return {"wall": wall, "cpu": cpu, "loaded": loaded, "rss": _peak_memory()}


def run_loop(folder: Path) -> dict[str, float]:
    """Read the same files and run the loop."""
    from pycocotools import mask as coco

    pairs = _pairs(folder)
    begin, begin_cpu = time.perf_counter(), time.process_time()
    with (folder / "refs(unc).p").open("rb") as file:
        refs = pickle.load(file)
    instances = json.loads((folder / "instances.json").read_text(encoding="utf-8"))
    with (folder / "run.jsonl").open(encoding="utf-8") as file:
        run = [json.loads(line) for line in file]
    no_crowd = [0]
    shares = [coco.iou([guess], [target], no_crowd)[0, 0] for guess, target in pairs]
    wall, cpu = time.perf_counter() - begin, time.process_time() - begin_cpu
    if not (refs and instances and len(run) == len(shares)):
        raise RuntimeError("the loop has read nothing")
    return {"wall": wall, "cpu": cpu, "loaded": 0.0, "rss": _peak_memory()}


def _pairs(folder: Path) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Make the masks ready that the loop compares."""
    from pycocotools import mask as coco

    refs = pickle.loads((folder / "refs(unc).p").read_bytes())
    instances = json.loads((folder / "instances.json").read_text(encoding="utf-8"))
    outlines = {record["id"]: record["segmentation"] for record in instances["annotations"]}
    with (folder / "run.jsonl").open(encoding="utf-8") as file:
        masks = {record["sent_id"]: record["mask"] for record in map(json.loads, file)}
    pairs = []
    for ref in refs:
        if ref["split"] == "val":
            parts = coco.frPyObjects(outlines[ref["ann_id"]], HEIGHT, WIDTH)
            target = coco.merge(parts)
            pairs += [(masks[sentence["sent_id"]], target) for sentence in ref["sentences"]]
    return pairs


def _peak_memory() -> float:
    """Give the most memory that this process ever had, in MB."""
    import resource

    kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return float(np.round(kilobytes / (1024**2 if sys.platform == "darwin" else 1024)))


if __name__ == "__main__":
    if len(sys.argv) == 3:
        kinds = {"ours": run_ours, "loop": run_loop}
        sys.stdout.write(json.dumps(kinds[sys.argv[1]](Path(sys.argv[2]))) + "\n")
    else:
        sys.stdout.write(report(measure(), "command") + "\n")
