"""What one session looks at: a data set, its runs and their scores, read once and shared."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from inspector import __version__
from inspector.core.dataset import Dataset
from inspector.core.errors import UsageError
from inspector.core.metrics import Protocol, ScoredExamples, apply_protocol, compute_metrics
from inspector.core.problems import Problem
from inspector.core.records import PictureCell, PictureLocation
from inspector.core.scores import Scores, score_run
from inspector.formats import DEMO_FOLDER, load_dataset
from inspector.formats.request import LoadRequest
from inspector.predictions import load_run, parse_run_option

Progress = Callable[[str, int, int], None]

DEMO_RUNS = ("words", "saliency", "box")


@dataclass(frozen=True, eq=False)
class Workspace:
    """A data set with the scores of its runs under one protocol; immutable."""

    dataset: Dataset
    scores: tuple[Scores, ...]
    protocol: Protocol

    @cached_property
    def scored(self) -> tuple[ScoredExamples, ...]:
        """Per-example IoU of each run under the protocol."""
        return tuple(apply_protocol(scores, self.protocol) for scores in self.scores)

    @cached_property
    def metrics(self) -> tuple[dict[str, float | None], ...]:
        """Every metric of each run under the protocol."""
        return tuple(compute_metrics(scores, self.protocol) for scores in self.scores)

    @cached_property
    def problems(self) -> tuple[Problem, ...]:
        """Everything that is wrong: first the data set's, then each run's."""
        return self.dataset.problems + tuple(
            problem for scores in self.scores for problem in scores.run.problems
        )

    @cached_property
    def version(self) -> str:
        """Changes with anything that the page could show; stands in every data address.

        Browsers keep what they got under a version, so a change that is missed here would be
        shown as it was before.
        """
        dataset, digest = self.dataset, hashlib.sha256(__version__.encode())
        words, objects = dataset.expressions, dataset.objects
        pictures = [f"{image}{_stamp(image.location)}" for image in dataset.images]
        for texts in (
            [dataset.name, dataset.source, dataset.split, repr(self.protocol)],
            words.ids, words.sentences, words.raw, words.sent_ids, words.ref_ids,
            words.sample_ids, objects.annotation_ids, dataset.categories, dataset.split_names,
            pictures,
        ):
            digest.update("\0".join(texts).encode(errors="replace") + b"\1")
        for column in (words.image, words.target, words.split, objects.category, objects.is_crowd):
            digest.update(column.tobytes())
        digest.update(dataset.targets.masks.buffer)
        digest.update(objects.masks.buffer)
        for scores in self.scores:
            run = scores.run
            digest.update("\0".join([run.name, *run.reasons.values()]).encode(errors="replace"))
            digest.update(run.masks.buffer)
            digest.update(run.rows.tobytes() + run.status.tobytes())
            digest.update(run.says_no_target.tobytes())
            digest.update(repr(scores.thresholds).encode())
        return digest.hexdigest()[:12]


def _stamp(location: PictureLocation) -> str:
    """Say when a picture's file was written, so that one that was exchanged is shown anew."""
    path = location.path if isinstance(location, PictureCell) else location
    try:
        return f"{path.stat().st_mtime_ns}" if path else ""
    except OSError:
        return "gone"


def open_workspace(
    request: LoadRequest, runs: Sequence[str], *, protocol: Protocol | None = None,
    progress: Progress | None = None,
) -> Workspace:
    """Load a data set and its runs, and score them.

    Args:
        request: Which data set.
        runs: Values of ``--run``: ``NAME=PATH`` or ``PATH``. The demo brings its own if empty.
        protocol: The rules; the defaults if None.
        progress: Called with (what, done, all).

    Raises:
        InspectorError: If something cannot be read, or two runs have the same name.
    """
    options = [parse_run_option(value) for value in runs]
    if request.source == "demo" and not runs:
        options = [(name, DEMO_FOLDER / "runs" / f"{name}.jsonl") for name in DEMO_RUNS]
    twice = [name for name, count in Counter(name for name, _ in options).items() if count > 1]
    if twice:
        raise UsageError(f"Two runs are named '{twice[0]}'. Name them: --run NAME=PATH.")
    dataset = load_dataset(request)
    return Workspace(
        dataset,
        tuple(_score(dataset, name, path, progress) for name, path in options),
        protocol or Protocol(),
    )


def _score(dataset: Dataset, name: str, path: Path, progress: Progress | None) -> Scores:
    run = load_run(dataset, path, name=name)
    step = (lambda done, total: progress(f"score {name}", done, total)) if progress else None
    return score_run(dataset, run, progress=step)
