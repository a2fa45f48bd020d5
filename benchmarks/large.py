"""All of RefCOCO in numbers: 142,210 examples on 19,994 pictures, with made-up masks.

Sentences and boxes are RefCOCO's own where the real data is at hand (INSPECTOR_SHARED_DATA or the
sibling folder ``shared``), else made up. ``python -m benchmarks.large PORT`` serves the page.
"""

from __future__ import annotations

import csv
import json
import os
import sys
import tempfile
from pathlib import Path

import numpy as np

from benchmarks.making import make_data
from inspector.core.columns import column_of
from inspector.core.mask import Mask
from inspector.core.protocol import Protocol
from inspector.core.run import Run, Status
from inspector.core.scores import score_run
from inspector.formats.building import DatasetBuilder
from inspector.workspace import Workspace

EXAMPLES = 142_210
HEIGHT, WIDTH = 480, 640
_CATEGORIES = ("person", "car", "chair", "cup", "dog", "horse", "pizza", "bowl", "bus", "zebra")


def read_expressions() -> list[tuple[str, str, str, list[float]]]:
    """Give (ref id, image id, sentence, box) of a whole split, real where it is at hand."""
    named = os.environ.get("INSPECTOR_SHARED_DATA")
    folder = Path(named) if named else Path(__file__).resolve().parents[2] / "shared" / "data"
    path = folder / "expressions" / "refcoco_unc_val.csv"
    if path.is_file():
        with path.open(encoding="utf-8") as file:
            return [
                (row["ref_id"], row["img_id"], row["sent"], json.loads(row["bbox"]))
                for row in csv.DictReader(file)
            ]
    rng = np.random.default_rng(1)
    words = ["left", "right", "red", "man", "woman", "cup", "tall", "front", "back", "shirt"]
    rows = []
    for ref in range(3_811):
        x, y = rng.uniform(0, 400), rng.uniform(0, 300)
        box = [x, y, rng.uniform(40, 200), rng.uniform(40, 150)]
        rows += [(str(ref), str(ref % 1_500), " ".join(rng.choice(words, 3)), box)
                 for _ in range(3 if ref % 7 else 2)]
    return rows


def build(folder: Path, examples: int = EXAMPLES) -> Workspace:
    """Build and score the workspace; takes about half a minute for all of it."""
    rng = np.random.default_rng(0)
    make_data(folder, 60)
    pictures = sorted((folder / "images").iterdir())
    expressions = read_expressions()
    boxes = {ref: box for ref, _, _, box in expressions}
    targets = {ref: blob(rng, box) for ref, box in boxes.items()}
    guesses = [blob(rng, boxes[ref], wrong=rng.random() < 0.25) for ref, *_ in expressions]
    builder = DatasetBuilder(
        name="refcoco, repeated", format="made", source="made", distractors_known=True
    )
    images: dict[tuple[int, str], int] = {}
    objects: dict[tuple[int, str], int] = {}
    taken: list[int] = []
    for number in range(examples):
        copy, row = divmod(number, len(expressions))
        ref, image, sentence, box = expressions[row]
        if (copy, image) not in images:
            images[copy, image] = builder.add_image(
                f"{copy}-{image}", file_name=f"{image}.jpg", size_hw=(HEIGHT, WIDTH),
                location=pictures[len(images) % len(pictures)], where="",
            )
        if (copy, ref) not in objects:
            objects[copy, ref] = builder.add_object(
                images[copy, image], annotation_id=f"{copy}-{ref}", mask=targets[ref],
                category=_CATEGORIES[int(ref) % len(_CATEGORIES)], supercategory="thing",
                box_xywh=box, where="",
            )
        builder.add_expression(
            images[copy, image], sentence=sentence, sent_id=str(number), ref_id=f"{copy}-{ref}",
            example_id=str(number), objects=(objects[copy, ref],), split="val",
        )
        taken.append(row)
    dataset = builder.build(split="val")
    run = Run(
        name="made", source="made", format="made",
        status=np.full(examples, Status.SCORED, np.int8), rows=np.array(taken, np.int32),
        masks=column_of(guesses), says_no_target=np.zeros(examples, bool),
    )
    return Workspace(dataset, (score_run(dataset, run),), Protocol())


def blob(rng: np.random.Generator, box: list[float], *, wrong: bool = False) -> Mask:
    """Make a mask of realistic complexity inside a box; a wrong one lies elsewhere."""
    x, y, width, height = box
    if wrong:
        x, y = rng.uniform(0, WIDTH - 20), rng.uniform(0, HEIGHT - 20)
    x, y = min(max(x, 0), WIDTH - 20), min(max(y, 0), HEIGHT - 20)
    width, height = min(max(width, 16), WIDTH - x), min(max(height, 16), HEIGHT - y)
    angle = np.linspace(0, 2 * np.pi, 120, endpoint=False)
    rough = 1 + 0.12 * np.convolve(rng.normal(size=124), np.ones(5) / 5, "valid")
    points = np.stack([
        x + width / 2 * (1 + np.cos(angle) * rough * 0.92),
        y + height / 2 * (1 + np.sin(angle) * rough * 0.92),
    ], 1)
    return Mask.from_polygons([points.ravel().tolist()], (HEIGHT, WIDTH))


def main(port: int) -> None:
    """Serve the page on all of it."""
    import uvicorn

    from inspector.ui.mount import build_app

    with tempfile.TemporaryDirectory() as folder:
        app = build_app(build(Path(folder)))
        uvicorn.run(app, host="127.0.0.1", port=port, log_level="warning", ws="none",
                    timeout_graceful_shutdown=1)


if __name__ == "__main__":
    main(int(sys.argv[1]))
