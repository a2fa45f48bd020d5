"""Made-up data of RefCOCO's weight: refs, annotations of every object, and one run.

Sentences and boxes are RefCOCO's own where the real data is at hand (see ``benchmarks.large``);
outlines and predicted masks are made up inside the boxes. ``python -m benchmarks.refer_data
FOLDER [SENTENCES [PICTURES]]`` writes them and keeps them.
"""

from __future__ import annotations

import json
import pickle
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from pycocotools import mask as coco

from benchmarks.large import HEIGHT, WIDTH, read_expressions

VAL, TRAIN, ALL = 10_834, 120_624, 142_210
"""Sentences of RefCOCO's val and train splits, and of all of it."""

PICTURES, OBJECTS_A_PICTURE = 19_994, 10
"""Of the ``instances.json`` that comes with RefCOCO; it holds 196,771 annotations in 115 MB."""

_POINTS = 25  # of an outline: COCO's have 45 numbers on average
_KINDS = 80


class Sentence(NamedTuple):
    """One row of the made-up data set; ids differ from copy to copy of the real sentences."""

    ref_id: int
    image_id: int
    sentence: str
    box_xywh: tuple[float, float, float, float]


class Written(NamedTuple):
    """The files of one data set and its run."""

    folder: Path
    refs: Path
    instances: Path
    run: Path

    @property
    def every_file(self) -> tuple[Path, Path, Path]:
        """What a scorer has to read."""
        return self.refs, self.instances, self.run


def sentences(count: int) -> list[Sentence]:
    """Give so many sentences: those of the val split again and again, on new pictures."""
    rows = read_expressions()
    found = []
    for number in range(count):
        copy, row = divmod(number, len(rows))
        ref, image, sentence, (x, y, width, height) = rows[row]
        x, y = min(x, WIDTH - 20), min(y, HEIGHT - 20)  # some are of upright pictures
        width, height = min(max(width, 16), WIDTH - x), min(max(height, 16), HEIGHT - y)
        found.append(Sentence(
            copy * 1_000_000 + int(ref), copy * 1_000_000 + int(image), sentence,
            (x, y, width, height),
        ))
    return found


def write(
    folder: Path, *, count: int = VAL, pictures: int = 0, others: int = 0, seed: int = 0
) -> Written:
    """Write ``refs(unc).p``, ``instances.json`` and ``run.jsonl``.

    Args:
        folder: Where to.
        count: Sentences of the split ``val``, all of them predicted.
        pictures: Pictures in ``instances.json``; at least those of the sentences.
        others: Sentences of another split, in the refs file alone.
        seed: Of the made-up outlines.
    """
    rng = np.random.default_rng(seed)
    folder.mkdir(parents=True, exist_ok=True)
    rows = sentences(count + others)
    outlines = {row.ref_id: _outline(rng, row.box_xywh) for row in rows}
    written = Written(
        folder, folder / "refs(unc).p", folder / "instances.json", folder / "run.jsonl"
    )
    written.refs.write_bytes(pickle.dumps(_refs(rows, count), protocol=2))
    _write_instances(written.instances, rows, outlines, pictures, rng)
    masks = predicted(rows[: min(count, VAL)], rng)
    with written.run.open("w", encoding="utf-8") as file:
        for number in range(count):
            counts = masks[number % VAL]["counts"].decode()
            mask = {"size": [HEIGHT, WIDTH], "counts": counts}
            file.write(json.dumps({"sent_id": number, "mask": mask}) + "\n")
    return written


def predicted(rows: list[Sentence], rng: np.random.Generator) -> list[dict[str, Any]]:
    """Make a mask for each sentence, a quarter of them elsewhere, as COCO's run lengths.

    Ragged edges and a second piece bring compressed counts to 600 to 750 bytes on average, which
    is what predictions of published models have.
    """
    return [ragged(rng, row.box_xywh, wrong=rng.random() < 0.25) for row in rows]


def targets(rows: list[Sentence], rng: np.random.Generator) -> list[dict[str, Any]]:
    """Make the true mask of each sentence, the same for all sentences of a referent."""
    made = {row.ref_id: ragged(rng, row.box_xywh) for row in rows}
    return [made[row.ref_id] for row in rows]


def ragged(
    rng: np.random.Generator, box_xywh: tuple[float, ...], *, wrong: bool = False
) -> dict[str, Any]:
    """Make one mask with ragged edges and a second piece, as upsampled logits have them."""
    x, y, width, height = box_xywh
    if wrong:
        x, y = rng.uniform(0, WIDTH - width), rng.uniform(0, HEIGHT - height)
    box = (x, y, width, height)
    aside = (x + width * rng.uniform(0, 0.7), y + height * rng.uniform(0, 0.7),
             width * 0.3, height * 0.25)
    parts = coco.frPyObjects([
        _outline(rng, box, points=110, roughness=0.11),
        _outline(rng, aside, points=30, roughness=0.12),
    ], HEIGHT, WIDTH)
    return coco.merge(parts)


def _outline(
    rng: np.random.Generator, box_xywh: tuple[float, ...], *, points: int = _POINTS,
    roughness: float = 0.12,
) -> list[float]:
    x, y, width, height = box_xywh
    angle = np.linspace(0, 2 * np.pi, points, endpoint=False)
    rough = 1 + roughness * np.convolve(rng.normal(size=points + 2), np.ones(3) / 3, "valid")
    around = np.stack([
        np.clip(x + width / 2 * (1 + np.cos(angle) * rough * 0.92), 0, WIDTH - 1),
        np.clip(y + height / 2 * (1 + np.sin(angle) * rough * 0.92), 0, HEIGHT - 1),
    ], 1)
    return around.round(2).ravel().tolist()


def _refs(rows: list[Sentence], count: int) -> list[dict[str, Any]]:
    refs: dict[int, dict[str, Any]] = {}
    for number, row in enumerate(rows):
        record = refs.setdefault(row.ref_id, {
            "sent_ids": [], "file_name": f"COCO_train2014_{row.image_id:012d}_{row.ref_id}.jpg",
            "ann_id": row.ref_id, "ref_id": row.ref_id, "image_id": row.image_id,
            "split": "val" if number < count else "train", "sentences": [],
            "category_id": 1 + row.ref_id % _KINDS,
        })
        record["sent_ids"].append(number)
        record["sentences"].append({
            "tokens": row.sentence.split(), "raw": row.sentence, "sent_id": number,
            "sent": row.sentence,
        })
    return list(refs.values())


def _write_instances(
    path: Path, rows: list[Sentence], outlines: dict[int, list[float]], pictures: int,
    rng: np.random.Generator,
) -> None:
    images = list(dict.fromkeys(row.image_id for row in rows))
    images += range(900_000_000, 900_000_000 + max(pictures - len(images), 0))
    named: dict[int, dict[int, Sentence]] = {}
    for row in rows:
        named.setdefault(row.image_id, {})[row.ref_id] = row
    with path.open("w", encoding="utf-8") as file:
        file.write('{"info": {"description": "made up"}, "images": [')
        file.write(", ".join(json.dumps({
            "license": 1, "file_name": f"COCO_train2014_{image:012d}.jpg",
            "height": HEIGHT, "width": WIDTH, "date_captured": "2013-11-18 21:56:31",
            "coco_url": f"http://example.org/train2014/{image:012d}.jpg",
            "flickr_url": f"http://example.org/3126/{image:012d}_2fc94ea65c_z.jpg", "id": image,
        }) for image in images))
        file.write('], "annotations": [')
        records = _annotations(images, named, outlines, rng)
        file.write(json.dumps(next(records)))
        for record in records:
            file.write(", " + json.dumps(record))
        kinds = [
            {"supercategory": "thing", "id": n, "name": f"kind {n}"} for n in range(1, _KINDS + 1)
        ]
        file.write(f'], "categories": {json.dumps(kinds)}}}')


def _annotations(
    images: list[int], named: dict[int, dict[int, Sentence]], outlines: dict[int, list[float]],
    rng: np.random.Generator,
) -> Iterator[dict[str, Any]]:
    """Give the objects that refs name, and others that fill each picture up."""
    pool = [
        (_outline(rng, (x, y, w, h)), (x, y, w, h))
        for x, y, w, h in zip(
            rng.uniform(0, 400, 997).round(2).tolist(), rng.uniform(0, 300, 997).round(2).tolist(),
            rng.uniform(20, 240, 997).round(2).tolist(),
            rng.uniform(20, 180, 997).round(2).tolist(), strict=True,
        )
    ]
    filler = 2_000_000_000
    for image in images:
        here = named.get(image, {})
        for ref_id, row in here.items():
            yield _annotation(ref_id, image, 1 + ref_id % _KINDS, outlines[ref_id], row.box_xywh)
        for _ in range(OBJECTS_A_PICTURE - len(here)):
            filler += 1
            outline, box = pool[filler % len(pool)]
            yield _annotation(filler, image, 1 + filler % _KINDS, outline, box)


def _annotation(
    number: int, image: int, kind: int, outline: list[float], box: tuple[float, ...]
) -> dict[str, Any]:
    return {
        "segmentation": [outline], "area": round(box[2] * box[3] * 0.6, 4), "iscrowd": 0,
        "image_id": image, "bbox": list(box), "category_id": kind, "id": number,
    }


if __name__ == "__main__":
    write(Path(sys.argv[1]), count=int(sys.argv[2]) if len(sys.argv) > 2 else VAL,
          pictures=int(sys.argv[3]) if len(sys.argv) > 3 else 0,
          others=int(sys.argv[4]) if len(sys.argv) > 4 else 0)
