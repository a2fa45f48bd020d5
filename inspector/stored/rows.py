"""A batch of rows of a table of scores as arrays, and what cannot be true of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from inspector.analysis.flags import FLAGS
from inspector.core.errors import FormatError, printable, say_choices
from inspector.core.failures import FAILURE_ROWS
from inspector.core.run import Status
from inspector.stored.files import BOXES, SHAPES

if TYPE_CHECKING:
    import pyarrow as pa

NULL, UNKNOWN = -1, -2
KINDS = ("", "mask", "counts", "iou", "box")
"""What a score rests on, in the order of the numbers below: in zeroed columns 0 is nothing."""

NOTHING, MASK, COUNTS, IOU, BOX = range(5)
STATUSES = {status.name.lower(): int(status) for status in Status if status != Status.NO_TRUTH}
_FLAG_BITS = {flag.key: 1 << bit for bit, flag in enumerate(FLAGS)}
SCORE_AGAIN = "Score the run again: the table is not as it was written."
_SAME = 1e-12  # two ways to write the quotient of two integers


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """``k`` rows; columns that a table may lack are None.

    Attributes:
        path: The file.
        numbers: ``(k,)`` int64, the number of each row in it, from 1.
        ids: ``example_id``, text.
        status, failure, evidence: ``(k,)`` int64 codes.
        intersection, union, target_area, prediction_area: ``(k,)`` int64; -1 where empty.
        iou: ``(k,)`` float64; NaN where empty.
        other_ids, other_iou: The object on which a prediction landed; "" and NaN for none.
        boxes, box_iou: ``(k, 4)`` and ``(k,)`` float64; NaN where empty.
        marks_nothing, on_target: ``(k,)`` int8, 1 yes, 0 no, -1 empty.
        flags: ``(k,)`` uint8, a bit for each of the flags.
        shapes: ``(k, 7)`` int64, in the order of ``SHAPES``; -1 where empty.
    """

    path: Path
    numbers: np.ndarray
    ids: pa.StringArray
    status: np.ndarray
    failure: np.ndarray
    evidence: np.ndarray
    intersection: np.ndarray
    union: np.ndarray
    target_area: np.ndarray
    prediction_area: np.ndarray
    iou: np.ndarray
    other_ids: pa.StringArray | None
    other_iou: np.ndarray | None
    boxes: np.ndarray | None
    box_iou: np.ndarray | None
    marks_nothing: np.ndarray | None
    on_target: np.ndarray | None
    flags: np.ndarray | None
    shapes: np.ndarray | None

    def keep(self, chosen: np.ndarray) -> Rows:
        """Keep some of the rows, ``(k,)`` bool."""
        import pyarrow as pa

        kept = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, np.ndarray):
                kept[field.name] = value[chosen]
            elif isinstance(value, pa.Array):
                kept[field.name] = value.filter(pa.array(chosen))
        return replace(self, **kept)

    def refuse(self, wrong: np.ndarray, problem: str, hint: str = SCORE_AGAIN) -> None:
        """Refuse the file if a row is wrong.

        Args:
            wrong: ``(k,)`` bool.
            problem: What is wrong; names of columns in braces are replaced by the row's value.
            hint: What to do about it.

        Raises:
            FormatError: Names the first such row, its example and how many there are.
        """
        rows = np.flatnonzero(wrong)
        if not len(rows):
            return
        row = int(rows[0])
        values = {
            name: getattr(self, name)[row]
            for name in ("intersection", "union", "target_area", "prediction_area", "iou")
        }
        named = printable(str(self.ids[row]))[:60]
        more = f" ({len(rows):,} such rows close by)" if len(rows) > 1 else ""
        raise FormatError(
            problem.format(**values) + more, path=self.path,
            record=f"row {self.numbers[row]:,}, example {named}", hint=hint,
        )


def codes_of(column: pa.Array) -> tuple[np.ndarray, list[str | None]]:
    """Give ``(k,)`` int64 codes of a column of text, -1 where empty, and the text of each code."""
    import pyarrow as pa

    coded = column if isinstance(column, pa.DictionaryArray) else column.dictionary_encode()
    codes = coded.indices.cast(pa.int64()).fill_null(NULL).to_numpy(zero_copy_only=False)
    return codes, coded.dictionary.to_pylist()


def known_codes(column: pa.Array, known: Mapping[str, int]) -> np.ndarray:
    """Give ``(k,)`` int64: the number of each text, -1 where empty, -2 where it is not known."""
    codes, words = codes_of(column)
    numbers = [NULL if w is None else known.get(w, UNKNOWN) for w in words]
    found: np.ndarray = np.array([*numbers, NULL], np.int64)[codes]
    return found


def read_rows(path: Path, begin: int, batch: pa.RecordBatch) -> Rows:
    """Turn a batch into arrays, and refuse what is of no known kind.

    Raises:
        FormatError: If a status or a failure mode is unknown, a count negative, or a number
            infinite.
    """
    import pyarrow as pa

    there = set(batch.schema.names)

    def text(name: str) -> pa.StringArray | None:
        return batch[name].cast(pa.string()) if name in there else None

    def whole(name: str) -> np.ndarray:
        try:
            values = batch[name].cast(pa.int64())
        except pa.lib.ArrowInvalid as error:
            raise FormatError(
                f"column '{name}' holds a number beyond 64 bits", path=path
            ) from error
        found: np.ndarray = values.fill_null(NULL).to_numpy(zero_copy_only=False)
        if len(found) and (found.min() < NULL or (found == NULL).sum() > values.null_count):
            row = int(np.flatnonzero(np.asarray(values.fill_null(0)) < 0)[0])
            raise FormatError(
                f"column '{name}' holds {found[row]}, but pixels are counted from 0",
                path=path, record=f"row {begin + row + 1:,}",
            )
        return found

    def number(name: str) -> np.ndarray | None:
        if name not in there:
            return None
        found: np.ndarray = batch[name].cast(pa.float64()).to_numpy(zero_copy_only=False)
        if np.isinf(found).any():
            raise FormatError(f"column '{name}' holds an infinite number", path=path)
        return found

    def truth(name: str) -> np.ndarray | None:
        if name not in there:
            return None
        values = batch[name].cast(pa.int8()).fill_null(NULL)
        return np.asarray(values.to_numpy(zero_copy_only=False))

    def choice(name: str, known: Mapping[str, int], *, may_lack: bool = False) -> np.ndarray:
        codes = known_codes(batch[name], known)
        wrong = np.flatnonzero(codes == UNKNOWN if may_lack else codes < 0)
        if len(wrong):
            found = batch[name][int(wrong[0])].as_py()
            words = [key for key in known if key]
            what = f"is '{printable(found)[:40]}'" if found else "is empty"
            raise FormatError(
                f"{name} {what}, which is none of {len(words)} kinds expected", path=path,
                record=f"row {begin + int(wrong[0]) + 1:,}", hint=say_choices(found or "", words),
            )
        return codes

    iou = number("iou")
    boxes = [number(name) for name in BOXES]
    has_boxes = all(column is not None for column in boxes)
    has_shapes = all(name in there for name in SHAPES)
    rows = Rows(
        path=path, numbers=begin + 1 + np.arange(batch.num_rows), ids=text("example_id"),
        status=choice("status", STATUSES), failure=choice("failure", FAILURE_ROWS),
        evidence=(choice("evidence", {k: i for i, k in enumerate(KINDS)}, may_lack=True)
                  if "evidence" in there else np.full(batch.num_rows, NULL)),
        intersection=whole("intersection"), union=whole("union"),
        target_area=whole("target_area"), prediction_area=whole("prediction_area"),
        iou=iou if iou is not None else np.full(batch.num_rows, np.nan),
        other_ids=text("other_ann_id"), other_iou=number("other_iou"),
        boxes=np.stack(boxes, 1) if has_boxes else None, box_iou=number("box_iou"),
        marks_nothing=truth("marks_nothing"), on_target=truth("on_target"),
        flags=_flags(batch["flags"]) if "flags" in there else None,
        shapes=np.stack([whole(name) for name in SHAPES], 1) if has_shapes else None,
    )
    return _with_evidence(rows)


def _flags(column: pa.Array) -> np.ndarray:
    codes, words = codes_of(column)
    bits = [sum(_FLAG_BITS.get(key, 0) for key in (w or "").split(";")) for w in words]
    found: np.ndarray = np.array([*bits, 0], np.uint8)[codes]
    return found


def _with_evidence(rows: Rows) -> Rows:
    """Say what each score rests on where the table does not: as far as its columns tell."""
    scored = rows.status == Status.SCORED
    lacks = (rows.evidence == NULL) & scored
    if lacks.any():
        boxed = rows.boxes is not None and ~np.isnan(rows.boxes[:, 0])
        stated = (rows.intersection < 0) & ~np.isnan(rows.iou)
        only_box = (rows.intersection < 0) & np.isnan(rows.iou) & boxed
        rows.evidence[lacks] = np.where(stated, IOU, np.where(only_box, BOX, COUNTS))[lacks]
    rows.evidence[~scored] = NOTHING
    return rows


def check_rows(rows: Rows, target_area: np.ndarray, has_target: np.ndarray) -> None:
    """Refuse rows whose numbers contradict each other, or the data set.

    Args:
        rows: The rows.
        target_area: ``(k,)`` int64, pixels of the example's target in the data set.
        has_target: ``(k,)`` bool.

    Raises:
        FormatError: For the first such row. Nobody could tell which of the numbers is right.
    """
    scored = rows.status == Status.SCORED
    counted = scored & np.isin(rows.evidence, (MASK, COUNTS))
    known = counted & (rows.intersection >= 0) & (rows.union >= 0)
    rows.refuse(
        rows.target_area != target_area,
        "the table counts {target_area:,} pixels of the target, but the data set has another "
        "number", "It was scored against another ground truth: open that one.",
    )
    rows.refuse((rows.intersection < 0) != (rows.union < 0),
                "one of intersection and union is empty, the other is not")
    rows.refuse(known & (rows.intersection > rows.union),
                "intersection is {intersection:,}, more than the union of {union:,}")
    sums = rows.union != target_area + rows.prediction_area - rows.intersection
    rows.refuse(
        known & (rows.evidence == MASK) & (rows.prediction_area >= 0) & sums,
        "union is {union:,}, but target_area {target_area:,} + prediction_area "
        "{prediction_area:,} - intersection {intersection:,} is not",
    )
    quotient = rows.intersection / np.maximum(rows.union, 1)
    divided = known & (rows.union > 0)
    rows.refuse(
        divided & ~(np.abs(rows.iou - quotient) <= _SAME),
        "iou is {iou}, but intersection / union is {intersection} / {union}",
    )
    stated = scored & (rows.evidence == IOU)
    rows.refuse(stated & ~((rows.iou >= 0) & (rows.iou <= 1)),
                "iou is {iou}, which is not in [0, 1]")
    lost = ~scored & (rows.intersection >= 0)
    rows.refuse(lost & ((rows.intersection != 0) | (rows.union != target_area)),
                "nothing usable was predicted, but intersection and union are {intersection:,} "
                "and {union:,}")
    rows.refuse(scored & ~has_target & (rows.prediction_area > 0) & (rows.failure == _CORRECT),
                "failure is correct, but there is no target and {prediction_area:,} pixels are "
                "marked")


_CORRECT = FAILURE_ROWS["correct"]


def names_of(column: pa.Array) -> Sequence[str | None]:
    """Give the different texts of a column in the order in which they appear."""
    codes, words = codes_of(column)
    _, first = np.unique(codes, return_index=True)
    return [None if codes[at] < 0 else words[codes[at]] for at in np.sort(first)]
