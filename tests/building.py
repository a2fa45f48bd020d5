"""Small data sets and runs made in a test, so that what is expected can be seen beside it."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from inspector.core.dataset import Dataset
from inspector.core.failures import FAILURE_MODES
from inspector.core.mask import Mask
from inspector.core.protocol import Protocol
from inspector.core.run import Run
from inspector.core.scores import Scores, score_run
from inspector.formats.building import DatasetBuilder
from inspector.predictions import load_run
from inspector.workspace import Workspace
from tests.drawing import draw, random_array

BROKEN = {"size": [1, 1], "counts": "!"}
"""Run lengths that no reader accepts."""


@dataclass(frozen=True)
class Thing:
    """An annotated object; ``mask`` is a drawing or anything that a file could hold."""

    id: str
    category: str
    mask: Any
    is_crowd: bool = False


@dataclass(frozen=True)
class Said:
    """A sentence and the ids of the things that it names; none for a no-target example."""

    sent_id: str
    sentence: str
    names: Sequence[str] = ()
    ref_id: str = ""
    raw: str = ""
    sample_id: str = ""


@dataclass(frozen=True)
class Picture:
    """A picture with its things and the sentences about them."""

    id: str
    size_hw: tuple[int, int]
    things: Sequence[Thing]
    said: Sequence[Said]
    location: Path | None = None


def make_dataset(*pictures: Picture, distractors_known: bool = True) -> Dataset:
    """Put pictures together; the ``sent_id`` (else ``<sample_id>:<place>``) is the example id."""
    builder = DatasetBuilder(
        name="toy", format="toy", source="toy", distractors_known=distractors_known
    )
    for picture in pictures:
        image = builder.add_image(
            picture.id, file_name=f"{picture.id}.jpg", size_hw=picture.size_hw,
            location=picture.location, where=f"picture {picture.id}",
        )
        rows = {
            thing.id: builder.add_object(
                image, annotation_id=thing.id, category=thing.category, mask=_json(thing.mask),
                is_crowd=thing.is_crowd, where=f"annotation {thing.id}",
            )
            for thing in picture.things
        }
        for place, said in enumerate(picture.said):
            builder.add_expression(
                image, sentence=said.sentence, raw=said.raw, sent_id=said.sent_id,
                ref_id=said.ref_id, sample_id=said.sample_id,
                example_id=said.sent_id or f"{said.sample_id}:{place}",
                objects=tuple(rows[name] for name in said.names), split="val",
            )
    return builder.build(split="val")


def make_run(dataset: Dataset, lines: Iterable[Mapping[str, Any]], *, name: str = "model") -> Run:
    """Write predictions as JSON Lines and load them."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.jsonl"
        path.write_text("".join(json.dumps(line, default=_json) + "\n" for line in lines))
        return load_run(dataset, path, name=name)


def score(dataset: Dataset, masks: Mapping[str, Any], *, name: str = "model") -> Scores:
    """Score one mask an example id; examples that are not named are missing."""
    lines = [{"example_id": example, "mask": mask} for example, mask in masks.items()]
    return score_run(dataset, make_run(dataset, lines, name=name))


def score_strips(*pairs: tuple[str, Any], referents: Sequence[str] = ()) -> Scores:
    """Score pictures that are one row of pixels, as pairs of target and prediction.

    A target without ``#`` is a no-target example; a prediction of None is missing. The examples
    are called 1, 2, 3 …; ``referents`` says which of them speak of the same thing.
    """
    pictures = []
    for number, (target, _) in enumerate(pairs, 1):
        things = (Thing(f"a{number}", "cup", draw(target)),) if "#" in target else ()
        names = [thing.id for thing in things]
        ref_id = referents[number - 1] if referents else ""
        pictures.append(Picture(
            f"{number}", (1, len(target)), things, (Said(f"{number}", "cup", names, ref_id),)
        ))
    masks = {
        f"{number}": draw(mask) if isinstance(mask, str) else mask
        for number, (_, mask) in enumerate(pairs, 1)
        if mask is not None
    }
    dataset = make_dataset(*pictures)
    return score(dataset, masks) if masks else _score_nothing(dataset)


def _score_nothing(dataset: Dataset) -> Scores:
    """Score a run that has no prediction at all; a file of that kind would be refused."""
    from inspector.core.columns import column_of

    n = len(dataset)
    return score_run(dataset, Run(
        name="model", source="", format="jsonl", status=np.zeros(n, np.int8),
        rows=np.full(n, -1, np.int32), masks=column_of([]), says_no_target=np.zeros(n, bool),
    ))


def modes_of(scores: Scores) -> list[str]:
    """Give the failure mode of each example by its key."""
    return [FAILURE_MODES[row].key if row >= 0 else "" for row in scores.failure.tolist()]


def make_workspace(*scores: Scores, protocol: Protocol | None = None) -> Workspace:
    """Open scores of one data set as a session would."""
    return Workspace(scores[0].dataset, scores, protocol or Protocol())


def random_scores(seed: int, *, pictures: int = 12, runs: int = 1) -> tuple[Scores, ...]:
    """Score random runs on a random data set.

    It has several objects a picture, crowd regions, broken ground truths, targets of two objects,
    no-target examples, several sentences a referent; missing and invalid predictions.
    """
    rng = np.random.default_rng(seed)
    made = [_random_picture(number, rng) for number in range(pictures)]
    dataset = make_dataset(*made)
    return tuple(
        score(dataset, _random_masks(dataset, rng), name=f"run{number}") for number in range(runs)
    )


def _random_picture(number: int, rng: np.random.Generator) -> Picture:
    size_hw = (int(rng.integers(2, 12)), int(rng.integers(2, 12)))
    things = []
    for thing in range(4):
        array = random_array(size_hw, rng)
        array[0, 0] |= not array.any()
        mask: Any = BROKEN if rng.random() < 0.05 else Mask.from_array(array)
        category = str(rng.choice(["cup", "dog"]))
        things.append(Thing(f"{number}-{thing}", category, mask, is_crowd=rng.random() < 0.1))
    said = []
    for sentence in range(5):
        names = rng.permutation([t.id for t in things])[: rng.integers(0, 3)].tolist()
        ref_id = "+".join(sorted(names)) or f"{number}-none"
        said.append(Said(f"{number}{sentence}", f"sentence {sentence}", names, ref_id))
    return Picture(f"{number}", size_hw, things, said)


def _random_masks(dataset: Dataset, rng: np.random.Generator) -> dict[str, Any]:
    masks: dict[str, Any] = {}
    for index, example in enumerate(dataset):
        truth = example.target if dataset.is_scorable[index] else Mask.empty(example.image.size_hw)
        kind = rng.choice(["missing", "broken", "none", "noise", "target", "other", "cut"])
        if kind == "missing":
            continue
        noise = random_array(example.image.size_hw, rng)
        known = example.distractors or ()
        masks[example.id] = {
            "broken": BROKEN,
            "none": None,
            "noise": Mask.from_array(noise),
            "target": truth,
            "other": known[0].mask if known else truth,
            "cut": Mask.from_array(truth.to_array() & noise),
        }[kind]
    return masks


def _json(value: Any) -> Any:
    return value.to_json() if isinstance(value, Mask) else value
