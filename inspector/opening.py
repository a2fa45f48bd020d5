"""``inspector.open``: data and runs as a program has them, and the page on them."""

from __future__ import annotations

import webbrowser
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from inspector.core.dataset import Dataset
from inspector.core.errors import UsageError
from inspector.core.protocol import Protocol
from inspector.core.run import Run
from inspector.data_options import DataOptions
from inspector.handle import Handle

if TYPE_CHECKING:
    from inspector.findings import Store
    from inspector.live import Desk
    from inspector.workspace import Workspace

RunSource = str | Path | Run
Runs = RunSource | Sequence[RunSource] | Mapping[str, str | Path] | None
Function = Callable[[Any, str], Any]


def open(
    dataset: str | Path | Dataset = "demo", runs: Runs = None, *, port: int | None = None,
    browser: bool = False, split: str | None = None, split_by: str | None = None,
    images: str | Path | None = None, instances: Sequence[str | Path] = (),
    format: str | None = None, refs: str | Path | None = None,
    texts: Literal["first", "all"] = "first", second: str | Path | None = None,
    split_b: str | None = None, images_b: str | Path | None = None,
    instances_b: Sequence[str | Path] = (), format_b: str | None = None,
    resize: Literal["never", "nearest"] = "never", box_scale: str | None = None,
    average: Literal["sentence", "referent"] = "sentence",
    empty_union: Literal["one", "zero", "skip"] = "one", missing: Literal["zero", "skip"] = "zero",
    model: str | Function | None = None, model_timeout: float = 60.0,
    findings: str | Path | None = None, read_only: bool = False,
) -> Handle:
    """Open the page on a data set and its runs, and go on.

    Args:
        dataset: As on the command line (``demo``, a folder, a file, a hub id), or a loaded one.
        runs: A file or folder of predictions, several, or names and files; for a loaded data set
            also loaded runs. Without any, the demo brings its own.
        port: Port of the page; None takes any that is free.
        browser: Whether to open a browser.
        split: Name of a split, several joined by ``,``, or ``all``.
        split_by: Which refs file of a REFER folder.
        images: Folder of the pictures, where they do not lie beside the data set.
        instances: Annotation files in place of ``instances.json``.
        format: Key of a format, to override the detection.
        refs: As ``--refs``.
        texts: As ``--texts``.
        second: A second ground truth of the same referents; ``split``, ``split_by``, ``images``
            and ``texts`` hold for it too.
        split_b: Split of the second ground truth, if not as the first's.
        images_b: Folder of its pictures, if not as the first's.
        instances_b: Its annotation files, in place of its ``instances.json``.
        format_b: Key of its format, to override the detection.
        resize: As ``--resize``.
        box_scale: As ``--box-scale``.
        average: Rule of averaging.
        empty_union: Rule for predictions and targets that are both empty.
        missing: Rule for examples without a usable prediction.
        model: A live model as ``--model`` takes it, or a function of this program, called with a
            PIL picture and a sentence. See docs/live-model.md.
        model_timeout: Seconds for one of its answers.
        findings: File that verdicts, tags and notes are kept in; without it none are.
        read_only: Whether findings may only be looked at.

    Returns:
        A handle with ``url``, ``select``, ``selection`` and ``close``.

    Raises:
        InspectorError: If something cannot be read, or the page cannot be served; in words, as
            the commands say it.
    """
    store = _store(findings, read_only=read_only)
    desk = _desk(model, model_timeout)
    try:
        protocol = Protocol(average, empty_union, missing)
        reading = DataOptions(
            split=split, split_by=split_by, images=images, instances=tuple(instances),
            format=format, refs=refs, texts=texts, second=second, split_b=split_b,
            images_b=images_b, instances_b=tuple(instances_b), format_b=format_b,
        )
        if isinstance(dataset, Dataset):
            workspace = _of_loaded(dataset, runs, protocol, reading, resize, box_scale)
        else:
            workspace = _of_files(str(dataset), runs, protocol, reading, resize, box_scale)
        if desk is not None:
            desk.model.start()
        handle = Handle(workspace, port=port, desk=desk, findings=store)
    except BaseException:
        if desk is not None:
            desk.close()
        if store is not None:
            store.close()
        raise
    if browser:
        webbrowser.open(handle.url)
    return handle


def _of_files(
    dataset: str, runs: Runs, protocol: Protocol, reading: DataOptions, resize: Any,
    box_scale: str | None,
) -> Workspace:
    from inspector.predictions.box_scale import check_scale
    from inspector.predictions.options import RunOptions
    from inspector.workspace import open_workspace

    check_scale(box_scale)
    return open_workspace(
        reading.first_request(dataset), _run_options(runs), second=reading.second_request(),
        options=RunOptions(resize, box_scale, is_growing=True), protocol=protocol,
    )


def _of_loaded(
    dataset: Dataset, runs: Runs, protocol: Protocol, reading: DataOptions, resize: Any,
    box_scale: str | None,
) -> Workspace:
    from inspector.core.scores import score_run
    from inspector.predictions import load_run, parse_run_option
    from inspector.predictions.options import RunOptions
    from inspector.workspace import Workspace

    if given := reading.named():
        raise UsageError(
            f"'{given[0]}' says how a data set is read, but this one is loaded already. Leave it "
            "out."
        )
    loaded: list[Run] = []
    for run in _listed(runs):
        if not isinstance(run, Run):
            name, path = parse_run_option(run)
            run = load_run(dataset, path, name=name, options=RunOptions(resize, box_scale))
        if run.name in (other.name for other in loaded):
            raise UsageError(f"Two runs are called '{run.name}'. Give them names of their own.")
        loaded.append(run)
    return Workspace(dataset, tuple(score_run(dataset, run) for run in loaded), protocol)


def _run_options(runs: Runs) -> list[str]:
    values = _listed(runs)
    for run in values:
        if isinstance(run, Run):
            raise UsageError(
                f"The run '{run.name}' is loaded already, the data set is not. Load it with "
                "inspector.load_dataset and give that."
            )
    return [run for run in values if isinstance(run, str)]


def _listed(runs: Runs) -> list[str | Run]:
    """Write runs as values of ``--run``, leaving those that are loaded."""
    if runs is None:
        return []
    if isinstance(runs, Mapping):
        for name in runs:
            if not name or "=" in name or "/" in name:
                raise UsageError(f"A run cannot be called '{name}': leave out = and /.")
        return [f"{name}={path}" for name, path in runs.items()]
    if isinstance(runs, str | Path | Run):
        runs = [runs]
    # A path is one, whatever signs it holds: only in text can a name stand before it.
    return [str(run.absolute()) if isinstance(run, Path) else run for run in runs]


def _store(findings: str | Path | None, *, read_only: bool) -> Store | None:
    from inspector.findings.places import asked_place
    from inspector.findings_opening import open_findings

    if findings is None:
        return None
    store = open_findings(asked_place(str(findings)), read_only=read_only)
    if not store.can_write and not read_only:
        store.close()
        raise UsageError(f"Findings cannot be kept in {findings}: {store.why}")
    return store


def _desk(model: str | Function | None, timeout: float) -> Desk | None:
    if model is None:
        return None
    from inspector.live import Desk, read_model
    from inspector.live.inside import InsideModel

    if isinstance(model, str):
        desk = Desk(read_model(model, timeout=timeout))
    elif callable(model):
        desk = Desk(InsideModel(model, timeout=timeout))
    else:
        raise UsageError(
            f"'model' must be text or a function, but got a {type(model).__name__}."
        )
    desk.model.launch()
    return desk
