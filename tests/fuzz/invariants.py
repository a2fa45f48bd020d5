"""What holds of every data set that is loaded, however broken its files were."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from random import Random

import numpy as np

from inspector.core.columns import MaskColumn, column_of
from inspector.core.dataset import Dataset
from inspector.core.errors import FormatError
from inspector.core.mask import Mask
from inspector.core.metrics import compute_metrics
from inspector.core.protocol import Protocol
from inspector.core.run import Run, Status
from inspector.core.scores import score_run
from inspector.core.table import score_table
from inspector.formats import load_dataset
from inspector.formats.request import LoadRequest
from inspector.formats.saving import save
from inspector.summary import dataset_json, describe_dataset, describe_problems
from tests.fuzz.cases import agree
from tests.fuzz.masks import decode_plainly

_LARGEST = 100_000  # pixels of masks that are looked at one by one


def check_dataset(dataset: Dataset, rng: Random) -> None:
    """Hold a data set against what everything behind the loaders relies on, and score it."""
    _check_words(dataset)
    _check_objects(dataset)
    _check_targets(dataset)
    _check_scores(dataset, rng)
    if rng.random() < 0.1:
        _check_saved(dataset)


def _check_words(dataset: Dataset) -> None:
    table, n = dataset.expressions, len(dataset)
    agree(n > 0 and len(set(table.ids)) == n, True, f"unique ids among {table.ids}")
    for texts in (table.ids, table.sentences, table.raw, table.sent_ids, table.ref_ids,
                  table.sample_ids, table.levels):
        agree(len(texts), n, "texts")
        agree({type(text) for text in texts}, {str}, "kinds of text")
        "".join(texts).encode()
    agree({*table.levels} <= {"", "object", "part"}, True, f"levels {set(table.levels)}")
    for column, most in ((table.image, len(dataset.images)), (table.referent, n),
                         (table.split, len(dataset.split_names))):
        agree(len(column) == n and column.min() >= 0 and column.max() < most, True, "rows")
    for column, most in ((table.target, len(dataset.targets.masks)),
                         (table.ignored, len(dataset.ignored))):
        agree(len(column) == n and column.min() >= -1 and column.max() < most, True, "rows or -1")
    for image in dataset.images:
        height, width = image.size_hw
        agree((type(height), type(width)), (int, int), "kinds of sizes")
        agree(height > 0 and width > 0 and height * width <= 10**8, True, f"size {image.size_hw}")
        agree(image.location is None or image.location != "", True, "location")
    json.dumps(dataset_json(dataset)), describe_dataset(dataset).encode()
    describe_problems(dataset.problems).encode()
    json.dumps([problem.to_json() for problem in dataset.problems], allow_nan=False).encode()


def _check_saved(dataset: Dataset) -> None:
    """Write the data set in the inspector's own format and read it again."""
    with tempfile.TemporaryDirectory(prefix="inspector-fuzz-") as folder:
        path = Path(folder) / "saved.jsonl"
        try:
            save(dataset, path)
        except FormatError:  # a picture that cannot be read
            agree(path.exists(), False, "a file that was given up")
            return
        again = load_dataset(LoadRequest(str(path), split="all"))
    agree({*again.expressions.ids}, {*dataset.expressions.ids}, "ids that were saved")
    for example in dataset:
        other = again.by_id(example.id)
        agree(other.expression.sentence, example.expression.sentence, "a saved sentence")
        is_scorable = bool(dataset.is_scorable[example.index])
        agree(bool(again.is_scorable[other.index]), is_scorable, "a saved truth")
        if is_scorable:
            agree(other.target, example.target, "a saved target")


def _pixels(masks: MaskColumn, row: int) -> np.ndarray | None:
    """Decode one mask plainly; None for the few that are too large for that."""
    height, width = masks.sizes_hw[row].tolist()
    if height * width > _LARGEST:
        return None
    decoded = decode_plainly(masks.counts(row), (height, width))
    agree(decoded is None, False, f"run lengths {masks.counts(row)!r} are broken")
    agree(int(masks.areas[row]), int(np.count_nonzero(decoded)), "an area")
    return decoded


def _check_objects(dataset: Dataset) -> None:
    objects = dataset.objects
    m = len(objects.masks)
    columns = (objects.annotation_ids, objects.image, objects.category, objects.is_crowd,
               objects.boxes_xywh, objects.is_readable)
    agree({len(column) for column in columns}, {m}, "lengths")
    agree(objects.begin[0] == 0 and objects.begin[-1] == m, True, "begins")
    agree((np.diff(objects.begin) >= 0).all(), True, "order of begins")
    agree(np.isfinite(objects.boxes_xywh).all(), True, "boxes")
    for row in range(m):
        image = dataset.images[objects.image[row]]
        agree(objects.begin[objects.image[row]] <= row < objects.begin[objects.image[row] + 1],
              True, "place of an object")
        agree(tuple(objects.masks.sizes_hw[row].tolist()), image.size_hw, "size of a mask")
        agree(0 <= objects.category[row] < len(dataset.categories), True, "category")
        _pixels(objects.masks, row)


def _check_targets(dataset: Dataset) -> None:
    table, objects, ignored = dataset.targets, dataset.objects, dataset.expressions.ignored
    for index, target in enumerate(dataset.expressions.target.tolist()):
        example = dataset[index]
        agree(example.index, index, "index of an example")
        agree(example.is_no_target, target < 0, "no target")
        if target < 0:
            continue
        rows = table.objects_of(target).tolist()
        agree({int(objects.image[row]) for row in rows}, {int(dataset.expressions.image[index])},
              "pictures of the referents")
        pixels = _pixels(table.masks, target)
        if pixels is None:
            continue
        parts = [_pixels(objects.masks, row) for row in rows]
        expected = np.logical_or.reduce([part for part in parts if part is not None])
        if ignored[index] >= 0:
            region = _pixels(dataset.ignored, int(ignored[index]))
            expected = expected & ~region if region is not None else expected
        agree((pixels == expected).all(), True, f"the target of {example.id}")
        if table.is_usable[target]:
            agree(bool(objects.is_readable[rows].all()) and bool(expected.any()), True, "usable")
        agree(example.target, table.masks[target], "the target of a record")


def _check_scores(dataset: Dataset, rng: Random) -> None:
    """Score the truth itself, and a mask by chance, and compare with dense counts."""
    masks, chance = [], np.random.default_rng(rng.randrange(2**32))
    for example in dataset:
        height, width = example.image.size_hw
        is_noise = rng.random() < 0.5 and height * width <= _LARGEST
        noise = chance.random(example.image.size_hw) < 0.5 if is_noise else None
        masks.append(example.target if noise is None else Mask.from_array(noise))
    n = len(dataset)
    run = Run("run", "", "jsonl", np.full(n, Status.SCORED, np.int8), np.arange(n, dtype=np.int32),
              column_of(masks), np.zeros(n, bool))
    scores = score_run(dataset, run)
    for index, example in enumerate(dataset):
        height, width = example.image.size_hw
        if not dataset.is_scorable[index] or height * width > _LARGEST:
            continue
        truth, mine = example.target.to_array(), masks[index].to_array()
        if example.ignored:
            mine = mine & ~example.ignored.to_array()
        agree((int(scores.intersection[index]), int(scores.union[index])),
              (int((truth & mine).sum()), int((truth | mine).sum())), f"counts of {example.id}")
    for value in compute_metrics(scores, Protocol()).values():
        agree(value is None or 0 <= value <= 1, True, f"metric {value}")
    agree(len(score_table([scores], Protocol())), int(dataset.is_scorable.sum()), "rows")
