"""Made-up data of realistic weight: pictures of 640 x 480, one object and one run."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np

from inspector.core.mask import Mask

HEIGHT, WIDTH = 480, 640
CATEGORIES = ("person", "dog", "car", "chair", "bottle", "cup", "horse", "zebra")


def make_data(folder: Path, pictures: int = 500, *, seed: int = 0) -> tuple[Path, Path]:
    """Write a data set with one example a picture, and a run that is wrong here and there.

    Returns:
        The data set and the predictions, both in the inspector's own JSON Lines. A picture takes
        about 60 kB as JPEG, a mask about 430 characters of compressed run lengths.
    """
    rng = np.random.default_rng(seed)
    (folder / "images").mkdir(parents=True, exist_ok=True)
    header = {"inspector": "dataset", "version": 1, "name": "made", "split": "val"}
    lines, predictions = [header], []
    for number in range(pictures):
        picture = _background(rng)
        center, radius = rng.integers((150, 130), (490, 350)), int(rng.integers(40, 120))
        outline = _blob(rng, center, radius)
        cv2.fillPoly(picture, [outline], rng.integers(0, 255, 3).tolist())
        file_name = f"images/{number:05d}.jpg"
        cv2.imwrite(str(folder / file_name), picture, [cv2.IMWRITE_JPEG_QUALITY, 88])
        shift = rng.normal(0, rng.exponential(18), 2).astype(int)
        guess = outline + shift + rng.integers(-4, 5, outline.shape)
        category = CATEGORIES[number % len(CATEGORIES)]
        lines.append({
            "image": {"id": str(number), "file_name": file_name, "size": [HEIGHT, WIDTH]},
            "objects": [{"ann_id": str(number), "category": category, "mask": _mask(outline)}],
            "expressions": [{
                "sent_id": str(number), "ref_id": str(number), "targets": [str(number)],
                "sentence": f"the {category} number {number} beside the other one",
            }],
        })
        predictions.append({"sent_id": number, "mask": _mask(guess)})
    dataset, run = folder / "made.jsonl", folder / "run.jsonl"
    dataset.write_text("".join(json.dumps(line) + "\n" for line in lines))
    run.write_text("".join(json.dumps(line) + "\n" for line in predictions))
    return dataset, run


def _background(rng: np.random.Generator) -> np.ndarray:
    coarse = rng.integers(0, 255, (6, 8, 3), dtype=np.uint8)
    picture = cv2.resize(coarse, (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC)
    grain = cv2.GaussianBlur(rng.normal(0, 40, (HEIGHT, WIDTH, 3)).astype(np.float32), (0, 0), 1.2)
    return np.clip(picture + grain, 0, 255).astype(np.uint8)


def _blob(rng: np.random.Generator, center: np.ndarray, radius: int) -> np.ndarray:
    angle = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    rough = np.convolve(rng.normal(size=44), np.ones(5) / 5, "valid")
    distance = radius * (1 + 0.35 * rough)
    points = np.stack([np.cos(angle), np.sin(angle)], 1) * distance[:, None] + center
    return points.astype(np.int32)


def _mask(outline: np.ndarray) -> dict:
    array = np.zeros((HEIGHT, WIDTH), np.uint8)
    cv2.fillPoly(array, [outline], 1)
    return Mask.from_array(array > 0).to_json()
