"""Everything that explains a score, for 10,834 examples, two runs and ten objects a picture."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import numpy as np

from benchmarks.figures import Figure
from benchmarks.large import build
from inspector.analysis.flags import find_flags
from inspector.analysis.gains import count_modes
from inspector.analysis.geometry import check_geometry
from inspector.analysis.leverage import measure_leverage
from inspector.core.dataset import Dataset
from inspector.core.metrics import compute_metrics
from inspector.core.protocol import Protocol, apply_protocol
from inspector.core.run import Run
from inspector.core.scores import Scores, score_run, with_shapes
from inspector.formats.building import DatasetBuilder

EXAMPLES = 10_834
OBJECTS = 10
"""Objects a picture, those that are referred to among them."""


def make_scores(folder: Path, examples: int = EXAMPLES) -> tuple[Dataset, tuple[Run, Run]]:
    """Build a data set with further objects in every picture, and two runs of which one is off."""
    workspace = build(folder, examples)
    dataset, first = _with_more_objects(workspace.dataset), workspace.scores[0].run
    rows = np.where(np.arange(examples) % 5 == 0, np.roll(first.rows, 1), first.rows)
    second = Run(
        name="second", source="made", format="made", status=first.status, rows=rows,
        masks=first.masks, says_no_target=first.says_no_target,
    )
    return dataset, (first, second)


def _with_more_objects(dataset: Dataset) -> Dataset:
    """Fill every picture up to :data:`OBJECTS` objects with masks of other pictures."""
    builder = DatasetBuilder(
        name=dataset.name, format="made", source="made", distractors_known=True
    )
    objects, rng = dataset.objects, np.random.default_rng(3)
    rows: dict[int, int] = {}
    for image, ref in enumerate(dataset.images):
        place = builder.add_image(
            ref.id, file_name=ref.file_name, size_hw=ref.size_hw, location=ref.location, where=""
        )
        own = range(*objects.begin[image : image + 2].tolist())
        others = rng.integers(0, len(objects.image), max(OBJECTS - len(own), 0)).tolist()
        for number, row in enumerate([*own, *others]):
            added = builder.add_object(
                place, annotation_id=f"{image}-{number}", mask=objects.masks[row],
                category=dataset.categories[objects.category[row]], where="",
            )
            if number < len(own):
                rows[row] = added
    for index, example in enumerate(dataset):
        builder.add_expression(
            int(dataset.expressions.image[index]), sentence=example.expression.sentence,
            sent_id=example.id, ref_id=example.expression.ref_id, example_id=example.id,
            objects=tuple(rows[row] for row in dataset.referent_rows(index)), split="val",
        )
    return builder.build(split="val")


def explain(dataset: Dataset, runs: tuple[Run, ...]) -> dict[str, float]:
    """Do all of it once; give the seconds of each step."""
    seconds: dict[str, float] = {}
    protocol = Protocol()

    def timed(name: str, began: float) -> None:
        seconds[name] = seconds.get(name, 0) + time.perf_counter() - began

    scores: list[Scores] = []
    for run in runs:
        began = time.perf_counter()
        scores.append(score_run(dataset, run))
        timed("scores, failure modes, grounding", began)
        began = time.perf_counter()
        scores[-1] = with_shapes(scores[-1])
        timed("Boundary IoU, pieces, holes", began)
        began = time.perf_counter()
        compute_metrics(scores[-1], protocol)
        count_modes(scores[-1], protocol)
        measure_leverage(apply_protocol(scores[-1], protocol))
        timed("metrics, gains, leverage", began)
        began = time.perf_counter()
        check_geometry(scores[-1])
        timed("geometry", began)
    began = time.perf_counter()
    find_flags(scores)
    timed("flags", began)
    return seconds


def measure() -> list[Figure]:
    """Time everything on data whose masks are as complex as real ones."""
    with tempfile.TemporaryDirectory() as folder:
        dataset, runs = make_scores(Path(folder))
    began = time.perf_counter()
    steps = explain(dataset, runs)
    total = time.perf_counter() - began
    return [
        Figure("10,834 x 2 runs: everything explained", total, "s", 10, None),
        *(Figure(f"  {name}", value, "s", 10, None) for name, value in steps.items()),
    ]
