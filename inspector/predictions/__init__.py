"""Predictions on disk -> :class:`~inspector.core.run.Run`, aligned to a data set.

Each format is one module with ``looks_like`` and ``read``, and one line in
:data:`PREDICTION_FORMATS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from inspector.core.collecting import no_collecting
from inspector.core.dataset import Dataset
from inspector.core.errors import FormatError, UsageError, printable
from inspector.core.problems import Problem, ProblemLog
from inspector.core.run import Run
from inspector.paths import say_content, user_path
from inspector.predictions import (
    arrays,
    box_answers,
    coco_results,
    cris,
    jsonl,
    lisa,
    lmms_eval,
    mask_folder,
    mattnet,
    mdetr,
    moondream,
    padt,
    rela,
    sa2va,
    sam,
    samtok,
    seg_zero,
)
from inspector.predictions.counts import compare_iou
from inspector.predictions.dump import Dump
from inspector.predictions.foreign import Elsewhere
from inspector.predictions.matching import align_records
from inspector.predictions.options import RunOptions
from inspector.predictions.records import PredictionRecord
from inspector.predictions.refused import refuse
from inspector.predictions.resolve import resolve
from inspector.predictions.row_order import probe_order


@dataclass(frozen=True, slots=True)
class PredictionFormat:
    """One way in which predictions are stored."""

    key: str
    label: str
    description: str
    looks_like: Callable[[Dump], bool]
    read: Callable[[Dump, Dataset, ProblemLog], Iterator[PredictionRecord]]


PREDICTION_FORMATS: tuple[PredictionFormat, ...] = (
    PredictionFormat(
        "cris", "CRIS pictures", "a folder of <ref_id>-iou=<IoU>-<sentence>.png",
        cris.looks_like, cris.read,
    ),
    PredictionFormat(
        "lisa", "LISA pictures", "a folder of <picture>_mask_<i>.jpg, 0 and 100 in a JPEG",
        lisa.looks_like, lisa.read,
    ),
    PredictionFormat(
        "seg-zero", "Seg-Zero, VisionReasoner",
        "output_<i>.json or a folder of them: counts without masks",
        seg_zero.looks_like, seg_zero.read,
    ),
    PredictionFormat(
        "mask-folder", "Mask pictures",
        "a folder of PNG files named by sent_id, example_id, ref_id or another id",
        mask_folder.looks_like, mask_folder.read,
    ),
    PredictionFormat(
        "arrays", "NumPy arrays", ".npz or .npy: masks of bool, packed bits or floats, with ids",
        arrays.looks_like, arrays.read,
    ),
    PredictionFormat(
        "mattnet", "MAttNet", "JSON with sent_id, rle and pred_box: masks and boxes",
        mattnet.looks_like, mattnet.read,
    ),
    PredictionFormat(
        "samtok", "benchmark-samtok", "JSON with per_sample_results: IoU without masks",
        samtok.looks_like, samtok.read,
    ),
    PredictionFormat(
        "mdetr", "MDETR, gRefCOCO boxes", "JSON of scores and boxes by a running number",
        mdetr.looks_like, mdetr.read,
    ),
    PredictionFormat(
        "rela", "ReLA detailed results", "a JSON list with pred_nt, I and U: counts without masks",
        rela.looks_like, rela.read,
    ),
    PredictionFormat(
        "sa2va", "Sa2VA", "JSON with gt_masks and prediction_masks of each picture",
        sa2va.looks_like, sa2va.read,
    ),
    PredictionFormat(
        "sam", "Segment Anything", "records with segmentation, predicted_iou and a key",
        sam.looks_like, sam.read,
    ),
    PredictionFormat(
        "padt", "PaDT", "JSON Lines with the sentence as category, mask and bbox",
        padt.looks_like, padt.read,
    ),
    PredictionFormat(
        "coco-results", "COCO results", "a JSON list with segmentation or bbox, and a key",
        coco_results.looks_like, coco_results.read,
    ),
    PredictionFormat(
        "moondream", "Moondream", "records with an SVG path in a box, and a key",
        moondream.looks_like, moondream.read,
    ),
    PredictionFormat(
        "lmms-eval", "lmms-eval samples", "JSON Lines with doc_id and a predicted box",
        lmms_eval.looks_like, lmms_eval.read,
    ),
    PredictionFormat(
        "box-answers", "Answers with boxes",
        "what Qwen-VL, InternVL, DeepSeek-VL2 or MiniGPT-v2 answered: boxes",
        box_answers.looks_like, box_answers.read,
    ),
    PredictionFormat(
        "jsonl", "Inspector JSON Lines", "one prediction a line, masks as run lengths",
        jsonl.looks_like, jsonl.read,
    ),
)
"""In the order in which they are asked; the inspector's own comes last, as it takes any lines."""


def parse_run_option(value: str) -> tuple[str, Path]:
    """Split ``NAME=PATH``; without a name (or if it has a ``/``), the file's stem is the name.

    Raises:
        UsageError: If there is no path in it.
    """
    name, equals, rest = value.partition("=")
    is_named = bool(equals and name and "/" not in name)
    if not (rest if is_named else value).strip():
        raise UsageError(f"--run {value} names no file. Write --run [NAME=]PATH.")
    if is_named:
        return printable(name), user_path(rest)
    path = user_path(value)
    stem = path.resolve().stem if path.name in ("", ".", "..") else path.stem
    return printable(stem), path


def detect(path: Path, options: RunOptions | None = None) -> tuple[Dump, PredictionFormat]:
    """Find out what a file or folder of predictions is.

    Raises:
        UsageError: If there is no such file or folder.
        FormatError: If it is of no known kind, or of one that holds nothing to score.
    """
    if not path.exists():
        raise UsageError(
            f"There are no predictions at {path}: no such file or folder. Check the path."
        )
    dump = Dump(path, options or RunOptions())
    refuse(dump)
    fmt = next((fmt for fmt in PREDICTION_FORMATS if fmt.looks_like(dump)), None)
    if fmt is not None:
        return dump, fmt
    if dump.kind == "json":
        _ = dump.document  # says what is wrong with the JSON, if anything
    if dump.kind == "folder" and (inside := _runs_inside(path)):
        raise FormatError(
            f"is not a run but holds {len(inside)}: {', '.join(inside[:6])}", path=path,
            hint="Name one of them, or give the folder as --runs.",
        )
    known = ", ".join(fmt.label for fmt in PREDICTION_FORMATS)
    raise FormatError(
        f"{say_content(path)}, which is not a known file of predictions", path=path,
        hint=f"Known: {known}; README, 'What it reads', says how each looks.",
    )


def _runs_inside(folder: Path) -> list[str]:
    """Give the names of the files and folders of a folder that are runs."""
    return [
        printable(child.name) for child in sorted(folder.iterdir())[:50]
        if any(fmt.looks_like(Dump(child)) for fmt in PREDICTION_FORMATS)
    ]


@no_collecting()
def load_run(
    dataset: Dataset, path: Path, *, name: str, options: RunOptions | None = None,
    elsewhere: Elsewhere = tuple,
) -> Run:
    """Load predictions and align them to the examples of a data set.

    Args:
        dataset: The ground truth.
        path: File or folder; its format is detected.
        name: Name of the run.
        options: What the user asked for; the defaults if None.
        elsewhere: Gives other splits and data sets, asked only if much is left over.

    Raises:
        UsageError: If there is no such file or folder.
        FormatError: If its format is not known, it is cut off, holds no prediction, or none that
            belongs to the data set.
    """
    log = ProblemLog()
    try:
        before = _stamp(path)
        dump, fmt = detect(path, options)
        records = list(fmt.read(dump, dataset, log))
    except OSError as error:
        raise FormatError(f"cannot be read ({error.strerror})", path=path) from error
    if not records and not dump.options.is_growing:
        first = next((p for p in log.close() if p.severity == "error"), None)
        raise FormatError(
            f"holds no prediction ({_said(first) if first else 'it is empty'})", path=path,
        )
    alignment, in_order = align_records(dataset, path, records, log, elsewhere)
    resolved = resolve(dataset, records, alignment, log, dump.options)
    run = Run(
        name=name, source=printable(str(path)), format=fmt.key, status=resolved.status,
        rows=resolved.rows, masks=resolved.masks, says_no_target=resolved.no_target,
        reasons=resolved.reasons, duplicate=alignment.duplicate,
        unmatched=len(alignment.leftover), alignment=(*alignment.describe(), *resolved.notes),
        boxes_xywh=resolved.boxes_xywh, counts=resolved.counts, stated_iou=resolved.stated_iou,
        counts_frame_hw=resolved.counts_frame_hw,
        frames_hw=tuple((*size, count) for size, count in resolved.frames.most_common()),
        aligned_to=dataset.ids_digest,
    )
    compare_iou(dataset, run, resolved.record_of, log)
    if in_order:
        probe_order(dataset, run, resolved.sizes_fit, log)
    for finish in dump.afterwards:
        finish(log)
    if _stamp(path) != before and not dump.options.is_growing:
        log.add("file-changed", "warning", printable(path.name),
                "The file changed while it was read: what is shown may be a part of it.")
    return replace(run, problems=log.close())


def _said(problem: Problem) -> str:
    return f"{problem.where}: {problem.message.removesuffix('.')}"


def _stamp(path: Path) -> tuple[int, int]:
    """Give what changes when a file is written or a folder gets another file."""
    try:
        found = path.stat()
    except OSError:
        return (-1, -1)
    return found.st_mtime_ns, found.st_size
