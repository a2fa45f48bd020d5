"""The second pass: the masks of one piece, decoded and scored against their examples."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING

import numpy as np

from inspector.analysis.flags import FlagThresholds
from inspector.core.arrow import number_column, text_column
from inspector.core.dataset import Dataset
from inspector.core.failures import Thresholds
from inspector.core.run import Run, Status
from inspector.core.scores import Scores, score_run, with_shapes
from inspector.core.shapes import ShapeScores
from inspector.engine.reading import PieceLog, PieceReader
from inspector.engine.shards import Piece
from inspector.predictions.align import Alignment
from inspector.predictions.options import RunOptions
from inspector.predictions.records import NO_MASK, PredictionRecord
from inspector.predictions.resolve import Resolved, resolve

if TYPE_CHECKING:
    import pyarrow as pa

SCORES: dict[str, type] = {
    "status": np.int8, "intersection": np.int64, "union": np.int64, "prediction_area": np.int64,
    "failure": np.int8, "other": np.int32, "other_iou": np.float64, "marks_nothing": np.bool_,
    "grounded": np.int8,
}
"""Columns of :class:`Scores` that come back, and their types; the data set says the rest."""

PIECES = "pieces"
SHAPES: dict[str, type] = {
    field.name: {"is_measured": np.bool_, PIECES: np.int32}.get(field.name, np.int64)
    for field in fields(ShapeScores)
}
"""The same of :class:`ShapeScores`."""

BOXES = ("box_x", "box_y", "box_width", "box_height")
_SAID = b"said"


@dataclass(frozen=True, slots=True, eq=False)
class Share:
    """What one piece has to do.

    Attributes:
        piece: What to read; None for the examples that no prediction belongs to.
        examples: ``(k,)`` int64, the examples that it serves, ascending.
        rows: ``(k,)`` int64, which of its records each of them takes.
        reasons: Why an example is invalid although nothing of it is read, by example.
    """

    piece: Piece | None
    examples: np.ndarray
    rows: np.ndarray
    reasons: dict[int, str]


@dataclass(frozen=True, slots=True)
class ScoringRules:
    """How masks are read and judged.

    Attributes:
        options: How predictions are read.
        thresholds: What the failure modes are measured by.
        with_shapes: Whether boundaries, pieces and holes are measured too.
    """

    options: RunOptions
    thresholds: Thresholds
    with_shapes: bool

    def to_json(self) -> str:
        """Write them as JSON text."""
        return json.dumps({
            "resize": self.options.resize, "box_scale": self.options.box_scale,
            "thresholds": asdict(self.thresholds), "with_shapes": self.with_shapes,
        })

    @staticmethod
    def from_json(text: str) -> ScoringRules:
        """Read what :meth:`to_json` wrote."""
        said = json.loads(text)
        return ScoringRules(
            RunOptions(said["resize"], said["box_scale"]), Thresholds(**said["thresholds"]),
            said["with_shapes"],
        )


def score_share(dataset: Dataset, share: Share, rules: ScoringRules) -> pa.Table:
    """Score the examples of one piece by the function that scores a whole run.

    Returns:
        One row an example, in the order of ``share.examples``: the columns of :data:`SCORES`,
        those of :data:`SHAPES` if asked for, :data:`BOXES` where the piece holds boxes, and
        ``run_status`` (also where there is no truth), ``says_no_target``; ``reason``, ``problem``
        and ``where`` of what cannot be used, else empty; ``is_late`` where that is said after all
        masks; ``box_fault`` and ``box_where`` of a broken box beside a mask. ``counts`` holds
        masks that may have to be set against another run's.

    Raises:
        FormatError: If the shard cannot be used.
        OSError: If it cannot be read.
    """
    part = dataset.take(np.asarray(share.examples, np.int64))
    log = PieceLog()
    wanted = np.unique(share.rows[share.rows >= 0])
    records = _read(share.piece, set(wanted.tolist())) if share.piece else []
    alignment = Alignment(
        record_of={
            place: int(np.searchsorted(wanted, row))
            for place, row in enumerate(share.rows.tolist()) if row >= 0
        },
        reasons={
            place: share.reasons[example] for place, example in enumerate(share.examples.tolist())
            if example in share.reasons
        },
    )
    resolved = resolve(part, records, alignment, log, rules.options)
    run = Run(
        name="", source="", format="jsonl", status=resolved.status, rows=resolved.rows,
        masks=resolved.masks, says_no_target=resolved.no_target, reasons=resolved.reasons,
        boxes_xywh=resolved.boxes_xywh,
    )
    scores = score_run(part, run, thresholds=rules.thresholds)
    if rules.with_shapes:
        scores = with_shapes(scores)
    return _columns(scores, resolved, log)


def _read(piece: Piece, wanted: set[int]) -> list[PredictionRecord]:
    """Read the records that examples take, by their row, in their order; the others are let go."""
    records = PieceReader(piece).records(PieceLog())
    return [record for row, record in enumerate(records) if row in wanted]


def _columns(scores: Scores, resolved: Resolved, log: PieceLog) -> pa.Table:
    import pyarrow as pa

    run, ids = scores.run, scores.dataset.expressions.ids
    columns: dict[str, object] = {name: getattr(scores, name) for name in SCORES}
    if scores.shapes is not None:
        columns |= {name: getattr(scores.shapes, name) for name in SHAPES}
        columns["counts"] = _disagreeing(scores)
    if run.boxes_xywh is not None:
        columns |= dict(zip(BOXES, run.boxes_xywh.T, strict=True))
    reasons = [run.reasons.get(place, "") for place in range(len(ids))]
    # A refusal is said of its example by its id, which no other has.
    said = {message: (code, where) for code, _, where, message in log.said}
    found = [
        said.get(f"Example {ids[place]}: {reason}", ("", "")) if reason else ("", "")
        for place, reason in enumerate(reasons)
    ]
    has_masks = bool(len(resolved.masks))
    taken = resolved.record_of
    is_late = [
        bool(code) and place in taken and taken[place].mask is NO_MASK
        for place, (code, _) in enumerate(found)
    ]
    columns |= {
        "run_status": run.status,
        "says_no_target": run.says_no_target,
        "reason": text_column(reasons),
        "problem": text_column([_code(code, has_masks) for code, _ in found]),
        "where": text_column([where for _, where in found]),
        "is_late": np.array(is_late, bool),
        "box_fault": text_column([resolved.box_faults.get(place, "") for place in range(len(ids))]),
        "box_where": text_column([
            taken[place].where if place in resolved.box_faults else "" for place in range(len(ids))
        ]),
    }
    sizes = [(*size, count) for size, count in resolved.frames.items()]
    table = pa.table({
        name: number_column(values) if isinstance(values, np.ndarray) else values
        for name, values in columns.items()
    })
    return table.replace_schema_metadata({_SAID: json.dumps(sizes).encode()})


def _code(code: str, has_masks: bool) -> str:
    """Name a refusal as it is in a run of masks: a piece that holds none takes itself for boxes."""
    return "broken-prediction" if code == "broken-box" and not has_masks else code


def frames_of(table: pa.Table) -> list[tuple[int, int, int]]:
    """Give height, width and number of the masks of a piece that were resized."""
    return [tuple(size) for size in json.loads(table.schema.metadata[_SAID])]


def _disagreeing(scores: Scores) -> pa.Array:
    """Give the masks that do not agree with the label, as compressed counts; empty elsewhere.

    Where two runs agree with each other and not with the label, the label is suspect: that is
    asked when all runs are scored, and needs these masks once more.
    """
    import pyarrow as pa

    run = scores.run
    chosen = (
        (scores.status == Status.SCORED) & (run.rows >= 0) & (scores.target_area > 0)
        & (scores.prediction_area > 0)
        & (scores.intersection < FlagThresholds().against * scores.union)
    )
    return pa.array([
        run.masks.counts(row) if is_chosen else None
        for row, is_chosen in zip(run.rows.tolist(), chosen.tolist(), strict=True)
    ], pa.large_binary())

