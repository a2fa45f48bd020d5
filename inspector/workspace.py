"""What one session looks at: a data set, its runs and their scores, read once and shared."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from inspector.core.dataset import Dataset
from inspector.core.errors import InspectorError, UsageError
from inspector.core.failures import Thresholds
from inspector.core.metrics import compute_levels, compute_metrics
from inspector.core.problems import Problem
from inspector.core.protocol import Protocol, ScoredExamples, apply_protocol
from inspector.core.records import PictureCell, PictureLocation
from inspector.core.scores import Scores, score_run, with_shapes
from inspector.elsewhere import other_datasets
from inspector.formats import DEMO_FOLDER, DEMO_TRUTHS, load_dataset
from inspector.formats.hub import is_hub_id, list_hub
from inspector.formats.request import LoadRequest
from inspector.predictions import load_run, parse_run_option
from inspector.predictions.options import RunOptions
from inspector.run_files import RunFile, RunFiles, Stamp, stamp_of
from inspector.snapshots import Memory, digest_of, program_digest
from inspector.stored.lazy import ScoredAsNeeded
from inspector.stored.table import StoredTable
from inspector.truths.results import TruthPair, Truths, compare_under_both, pair_truths

Progress = Callable[[str, int, int], None]

DEMO_RUNS = ("words", "saliency", "box")


@dataclass(frozen=True, eq=False)
class Opening:
    """How a workspace was opened, so that its runs can be read anew.

    Attributes:
        request: Which data set.
        files: Which runs.
        read: The files of each run and what they were like when it was read, by its name.
        problems: Files of the folder that are no run, or could not be read.
        thresholds: What the failure modes are measured by.
    """

    request: LoadRequest
    files: RunFiles
    read: dict[str, tuple[RunFile, Stamp]]
    problems: tuple[Problem, ...] = ()
    thresholds: Thresholds = Thresholds()


@dataclass(frozen=True, eq=False)
class Workspace:
    """A data set with the scores of its runs under one protocol; immutable.

    ``opening`` is None where it was not opened from files, ``second`` where there is no second
    ground truth, ``table`` where the scores were counted here rather than read from a table.
    """

    dataset: Dataset
    scores: tuple[Scores, ...]
    protocol: Protocol
    opening: Opening | None = None
    second: TruthPair | None = None
    table: StoredTable | None = None

    @cached_property
    def scored(self) -> Sequence[ScoredExamples]:
        """Per-example IoU of each run under the protocol."""
        if self.table is not None:
            return ScoredAsNeeded(self.scores, self.protocol)
        return tuple(apply_protocol(scores, self.protocol) for scores in self.scores)

    def shown_iou(self, run: int, index: int) -> float:
        """Give the IoU that one example is shown by in one run; NaN where it has none."""
        if self.table is not None and run < len(self.table.runs):
            return self.table.shown_iou(run, index, self.protocol)
        return float(self.scored[run].shown_iou[index])

    @cached_property
    def metrics(self) -> tuple[dict[str, float | None], ...]:
        """Every metric of each run under the protocol."""
        found = tuple(compute_metrics(scores, self.protocol) for scores in self.scores)
        if self.table is not None:  # all of it was looked at once
            self.table.release()
        return found

    @cached_property
    def levels(self) -> tuple[dict[str, dict[str, float | None]], ...]:
        """The same on each level alone; nothing where the data set has no levels."""
        return tuple(compute_levels(scores, self.protocol) for scores in self.scores)

    @cached_property
    def truths(self) -> Truths | None:
        """What the second ground truth does to the runs; None where there is none."""
        return compare_under_both(self.second, self.scores, self.protocol) if self.second else None

    @cached_property
    def problems(self) -> tuple[Problem, ...]:
        """Everything that is wrong: the data set's, each run's, those of two ground truths."""
        opening = self.opening.problems if self.opening else ()
        table = self.table.problems if self.table else ()
        return self.dataset.problems + opening + table + tuple(
            problem for scores in self.scores for problem in scores.run.problems
        ) + (self.truths.problems if self.truths else ())

    @cached_property
    def version(self) -> str:
        """Changes with anything that the page could show; stands in every data address.

        Browsers keep what they got under a version, and so does the cache of analyses: a change
        that is missed here, of the program too, would be shown as it was before.
        """
        digest = hashlib.sha256(program_digest().encode())
        pictures = [_stamp(image.location) for image in self.dataset.images]
        for text in (digest_of(self.dataset), repr(self.protocol), *pictures):
            digest.update(text.encode() + b"\0")
        for scores in self.scores:
            run = scores.run
            digest.update("\0".join([run.name, *run.reasons.values()]).encode(errors="replace"))
            digest.update(run.masks.buffer)
            digest.update(run.rows.tobytes() + run.status.tobytes())
            digest.update(run.says_no_target.tobytes())
            for values in (run.boxes_xywh, run.counts, run.stated_iou):
                digest.update(b"" if values is None else values.tobytes())
            digest.update(repr((scores.thresholds, scores.shapes is not None)).encode())
        if self.table:
            digest.update(self.table.digest.encode())
            self.table.release()
        if self.second:
            digest.update(replace(self, dataset=self.second.b, scores=(), second=None, table=None)
                          .version.encode())
        return digest.hexdigest()[:12]


def _stamp(location: PictureLocation) -> str:
    """Say when a picture's file was written, so that one that was exchanged is shown anew."""
    path = location.path if isinstance(location, PictureCell) else location
    try:
        return f"{path.stat().st_mtime_ns}" if path else ""
    except OSError:
        return "gone"


def open_workspace(
    request: LoadRequest, runs: Sequence[str], *, folder: Path | None = None,
    options: RunOptions | None = None, protocol: Protocol | None = None,
    second: LoadRequest | None = None, thresholds: Thresholds | None = None,
    progress: Progress | None = None, memory: Memory | None = None,
) -> Workspace:
    """Load a data set and its runs, and score them.

    Args:
        request: Which data set.
        runs: Values of ``--run``: ``NAME=PATH`` or ``PATH``. The demo brings its own if there is
            neither a run nor a folder.
        folder: Value of ``--runs``: every file of predictions in it is a run. One that cannot be
            read is listed as a problem and does not keep the others from opening.
        options: How predictions are read; the defaults if None.
        protocol: The rules; the defaults if None.
        second: A second ground truth of the same referents.
        thresholds: What the failure modes are measured by; the documented ones if None.
        progress: Called with (what, done, all).
        memory: Recalls what was read and scored at an earlier time, if nothing has changed; what
            is new it keeps for the next. If None, everything is read and scored.

    Raises:
        InspectorError: If something cannot be read, two runs have the same name, or the second
            ground truth has no picture in common with the first.
    """
    named = tuple(RunFile(*parse_run_option(value)) for value in runs)
    if request.source in DEMO_TRUTHS and not runs and folder is None:
        named = tuple(RunFile(name, DEMO_FOLDER / "runs" / f"{name}.jsonl") for name in DEMO_RUNS)
    options = options or RunOptions()
    protocol = protocol or Protocol()
    if options.resize != protocol.resize:  # the rules that stand beside every number name it
        protocol = replace(protocol, resize=options.resize)
    opening = Opening(
        request, RunFiles(named, folder, options), {}, thresholds=thresholds or Thresholds()
    )
    opening.files.list()  # what cannot be opened is said before the data set is loaded
    dataset = recall_dataset(request, memory)
    pair = _pair(dataset, second, opening.thresholds, progress, memory) if second else None
    return _read_runs(Workspace(dataset, (), protocol, opening, pair), progress, memory=memory)


def recall_dataset(request: LoadRequest, memory: Memory | None) -> Dataset:
    """Load a data set, from memory if there is one and nothing has changed."""
    if memory is None:
        return load_dataset(request)
    # What the hub has now is asked of the hub, not of memory.
    listed = list_hub(request.source) if is_hub_id(request.source) else {}
    return memory.recall(
        "dataset", [request, listed], lambda: load_dataset(request), paths=_paths_of(request)
    )


def _paths_of(request: LoadRequest) -> list[Path]:
    """Give the paths that a request names."""
    source = DEMO_FOLDER if request.source in DEMO_TRUTHS else request.path
    return [path for path in (source, request.images, request.refs, *request.instances) if path]


def open_truths(
    request_a: LoadRequest, request_b: LoadRequest, runs: Sequence[str] = (), *,
    folder: Path | None = None, options: RunOptions | None = None,
    protocol: Protocol | None = None, progress: Progress | None = None,
) -> Truths:
    """Load two ground truths and runs aligned to the first, and say what changes.

    The arguments are those of :func:`open_workspace`, as are the errors.
    """
    workspace = open_workspace(
        request_a, runs, folder=folder, options=options, protocol=protocol, second=request_b,
        progress=progress,
    )
    if workspace.truths is None:  # cannot be: a second ground truth was asked for
        raise UsageError("There is no second ground truth. Add --second-truth DATASET_B.")
    return workspace.truths


def _pair(
    dataset: Dataset, second: LoadRequest, thresholds: Thresholds, progress: Progress | None,
    memory: Memory | None,
) -> TruthPair:
    """Load the second ground truth; what is wrong with it is said of it, not of the first."""
    try:
        other = recall_dataset(second, memory)
    except UsageError as error:
        hint = " (Its own splits are chosen with --split-b.)" if "split" in str(error) else ""
        raise UsageError(f"The second ground truth: {error}{hint}") from error

    def make() -> TruthPair:
        return pair_truths(dataset, other, thresholds=thresholds, progress=progress)

    if memory is None:
        return make()
    return memory.recall(
        "truths", [thresholds], make, of={"a": dataset, "b": other}, reads=False
    )


def measured(workspace: Workspace, *, progress: Progress | None = None) -> Workspace:
    """Measure the boundaries, pieces and holes of every run, which opening leaves out.

    Returns:
        The same workspace with ``boundary_mIoU`` and the flags that need pixels; itself if
        everything was measured before.
    """
    if workspace.table is not None:  # what the table does not say is not known
        return workspace
    if all(scores.shapes is not None for scores in workspace.scores):
        return workspace
    found = []
    for scores in workspace.scores:
        name = f"measure edges of {scores.run.name}"
        step = (lambda done, total, name=name: progress(name, done, total)) if progress else None
        found.append(with_shapes(scores, progress=step))
    return replace(workspace, scores=tuple(found))


def reload_runs(workspace: Workspace, *, progress: Progress | None = None) -> Workspace:
    """Read the runs that are new or have grown; the others keep their scores.

    A file may be in the middle of being written: a last line that is not complete is left out,
    and a run that cannot be read at this moment keeps its earlier scores, with a problem that
    says so.

    Returns:
        The same object if nothing has changed.
    """
    if workspace.opening is None:
        return workspace
    files = workspace.opening.files
    growing = replace(files, options=replace(files.options, is_growing=True))
    return _read_runs(
        replace(workspace, opening=replace(workspace.opening, files=growing)), progress,
        before=workspace,
    )


def _read_runs(
    workspace: Workspace, progress: Progress | None, *, before: Workspace | None = None,
    memory: Memory | None = None,
) -> Workspace:
    """Read what is not read yet; ``before`` is what stays where nothing has changed."""
    opening = workspace.opening
    if opening is None:
        return workspace
    known = {scores.run.name: scores for scores in workspace.scores}
    try:
        found, problems = opening.files.list(opening.read)
    except InspectorError:
        if before is not None:  # the folder is being exchanged: what was read stays
            return before
        raise
    scores, read, faults = [], {}, []
    unreadable = _unreadable_now(opening, found)
    half_written = {file.path.name for file in unreadable}
    problems = tuple(problem for problem in problems if problem.where not in half_written)
    for file in (*found, *unreadable):
        stamp = stamp_of(file.path)
        if file.name in known and opening.read.get(file.name) == (file, stamp):
            scores.append(known[file.name])
            read[file.name] = file, stamp
            continue
        try:
            scores.append(_recall_scores(workspace.dataset, file, opening, progress, memory))
        except InspectorError as error:
            if before is None and (file.is_named or len(found) == 1):
                raise
            faults.append(Problem(
                "run-not-read", "error" if before is None else "info", file.name, str(error)
            ))
            if file.name in known:
                scores.append(known[file.name])
        read[file.name] = file, stamp
    is_same = before is not None and [id(s) for s in scores] == [id(s) for s in before.scores]
    if before is not None and is_same and not faults:
        return before
    return replace(
        workspace, scores=tuple(scores),
        opening=replace(opening, read=read, problems=(*problems, *faults)),
    )


def _unreadable_now(opening: Opening, found: Sequence[RunFile]) -> list[RunFile]:
    """Give the files that were a run before, are still there, and are not known as one now."""
    names = {file.name for file in found}
    return [
        file for name, (file, _) in opening.read.items()
        if name not in names and file.path.exists()
    ]


def _recall_scores(
    dataset: Dataset, file: RunFile, opening: Opening, progress: Progress | None,
    memory: Memory | None,
) -> Scores:
    if memory is None:
        return _score(dataset, file, opening, progress)
    return memory.recall(
        "scores", [file, opening.files.options, opening.request, opening.thresholds],
        lambda: _score(dataset, file, opening, progress),
        of={"dataset": dataset}, paths=[file.path, *_paths_of(opening.request)],
    )


def _score(
    dataset: Dataset, file: RunFile, opening: Opening, progress: Progress | None
) -> Scores:
    name = file.name
    run = load_run(
        dataset, file.path, name=name, options=opening.files.options,
        elsewhere=lambda: other_datasets(opening.request, dataset),
    )
    step = (lambda done, total: progress(f"score {name}", done, total)) if progress else None
    return score_run(dataset, run, thresholds=opening.thresholds, progress=step)
