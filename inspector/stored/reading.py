"""Reads a table of scores once, checks every number, and puts it on a shelf."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from inspector.core.dataset import Dataset
from inspector.core.errors import FormatError, UsageError
from inspector.core.failures import FAILURE_ROWS, Thresholds
from inspector.core.protocol import Protocol
from inspector.core.run import Status
from inspector.stored.files import READ, SHAPES, TableFiles
from inspector.stored.matching import Objects, Places
from inspector.stored.problems import list_problems
from inspector.stored.rows import (
    BOX,
    MASK,
    Rows,
    check_rows,
    known_codes,
    names_of,
    read_rows,
)
from inspector.stored.rows_file import RowsFile
from inspector.stored.shelf import SHELF_COLUMNS, Shelf
from inspector.stored.table import (
    EMPTY_PAIR,
    KNOWN,
    NEVER,
    UNUSABLE,
    RunRows,
    StoredTable,
    is_boxes_only,
    unusable,
)

Progress = Callable[[str, int, int], None]

_AT_ONCE = 131_072  # rows
_MOST_RUNS = 1_000
_MOST_NUMBERS = 2**31 - 1
_NEEDS = {
    "flags": "flags", "grounded": "on_target", "other": "other_ann_id", "other_iou": "other_iou",
    "box": "box_x", "box_iou": "box_iou", "is_measured": SHAPES[0], "shapes": SHAPES[0],
}
"""Columns of the shelf that a table may lack, and the column that they are read from."""


def read_table(
    files: TableFiles, dataset: Dataset, folder: Path, *, progress: Progress | None = None
) -> StoredTable:
    """Read a table of scores, row by row in any order, and match it to a data set.

    A row belongs to the example of its ``example_id``. Of two rows of one example in one run the
    first counts; an example without a row is ``missing``; rows of unknown examples are counted
    and left out. Each of these is a problem that is listed. Where numbers contradict each other
    or the data set, the table is refused.

    Args:
        files: The table.
        dataset: The ground truth that it was scored against.
        folder: An empty folder for the shelf.
        progress: Called with (what, done, all).

    Raises:
        FormatError: If the table cannot be read, or cannot be right.
        UsageError: If none of its examples is in the data set.
    """
    import pyarrow as pa

    table = _Reading(files, dataset, folder, progress).table()
    pa.default_memory_pool().release_unused()  # what batches have taken goes back to the system
    return table


class _Reading:
    def __init__(
        self, files: TableFiles, dataset: Dataset, folder: Path, progress: Progress | None
    ) -> None:
        self.files, self.dataset, self.folder, self.progress = files, dataset, folder, progress
        self.names = _run_names(files)
        n, runs = len(dataset), len(self.names)
        if not n:
            raise UsageError(
                f"The data set {dataset.name} has no example to match a table to. Choose another "
                "split."
            )
        if n * runs > _MOST_NUMBERS:
            raise UsageError(
                f"{files.source} has {runs:,} runs of {n:,} examples; at most "
                f"{_MOST_NUMBERS:,} rows are held. Open fewer runs."
            )
        self.shelf = Shelf(folder, runs, n)
        lacking = {name for name, needs in _NEEDS.items() if needs not in files.columns}
        self.columns = {
            name: self.shelf.make(name) for name in SHELF_COLUMNS if name not in lacking
        }
        self.seen = np.zeros((runs, n), bool)
        self.counted = {key: np.zeros(runs, np.int64)
                        for key in ("rows", "duplicate", "unmatched", "unknown_objects")}
        self.places, self.objects = Places(dataset), Objects(dataset)
        self.has_target = dataset.expressions.target >= 0
        for name, value in (("other", -1), ("other_iou", np.nan), ("box", np.nan),
                            ("box_iou", np.nan), ("prediction_area", -1), ("grounded", -1)):
            if name in self.columns:
                self.columns[name][...] = value

    def table(self) -> StoredTable:
        import pyarrow as pa

        done = 0
        for path, begin, batch in self.files.batches(self.files.columns, _AT_ONCE):
            try:
                self._take(path, begin, batch)
            except (UnicodeDecodeError, pa.lib.ArrowException) as error:
                raise FormatError(
                    "holds text or numbers that cannot be read "
                    f"({' '.join(str(error).split())[:80]})", path=path
                ) from error
            done += batch.num_rows
            if self.progress:
                self.progress("read scores", done, self.files.rows)
        if self.files.rows and not self.seen.any():
            raise UsageError(
                f"No example of {self.files.source} is in this data set ({self.dataset.name}, "
                f"split {self.dataset.split}).{_scored_on(self.files)} Name the data set and split "
                "that it was scored on: app.py DATASET --scores TABLE."
            )
        digest = self._finish()
        made = self.files.made_by
        runs = tuple(self._found(row) for row in range(len(self.names)))
        return StoredTable(
            dataset=self.dataset, source=self.files.source, shelf=self.shelf, folder=self.folder,
            runs=runs,
            protocol=made.protocol if made else Protocol(),
            thresholds=made.thresholds if made else Thresholds(),
            digest=digest,
            problems=list_problems(self.files, runs, self.counted["unknown_objects"].tolist()),
        )

    def _take(self, path: Path, begin: int, batch: Any) -> None:
        """Put one batch of rows where they belong."""
        runs = known_codes(batch["run"], {name: row for row, name in enumerate(self.names)})
        rows = read_rows(path, begin, batch)
        places, alone = self.places.find(rows.ids, runs)
        np.add.at(self.counted["rows"], runs, 1)
        chosen = (places >= 0) & self.dataset.is_scorable[places]
        np.add.at(self.counted["unmatched"], runs[~chosen], 1)
        if not chosen.all():  # what is left out takes no example's place, nor is it checked
            rows, places, runs = rows.keep(chosen), places[chosen], runs[chosen]
        flat = runs * len(self.dataset) + places
        is_new = ~self.seen.reshape(-1)[flat]
        if not alone:
            first = np.unique(flat, return_index=True)[1]
            is_new[np.setdiff1d(np.arange(len(flat)), first)] = False
        np.add.at(self.counted["duplicate"], runs[~is_new], 1)
        check_rows(rows, self.dataset.target_areas[places], self.has_target[places])
        self.seen.reshape(-1)[flat[is_new]] = True
        self._put(rows, places, runs, is_new)

    def _put(self, rows: Rows, places: np.ndarray, runs: np.ndarray, is_new: np.ndarray) -> None:
        where = runs[is_new], places[is_new]

        def put(name: str, values: np.ndarray) -> None:
            self.columns[name][where] = values[is_new]

        usable = rows.status == Status.SCORED
        known = usable & (rows.intersection >= 0)
        target = self.dataset.target_areas[places]
        put("status", rows.status)
        put("failure", rows.failure)
        put("evidence", rows.evidence)
        put("prediction_area", rows.prediction_area)
        # Of an empty pair that a rule has left out, the counts are known all the same: none.
        union = np.where(known, rows.union, np.where(usable, 0, target))
        put("counts", np.stack([np.where(known, rows.intersection, 0), union], 1))
        marks = rows.prediction_area == 0
        if rows.marks_nothing is not None:
            marks = np.where(rows.marks_nothing >= 0, rows.marks_nothing == 1, marks)
        put("marks_nothing", usable & marks)
        put("iou", np.where(known & (union > 0), rows.intersection / np.maximum(union, 1),
                            np.where(usable & ~np.isnan(rows.iou), rows.iou, 0.0)))
        if rows.on_target is not None:
            put("grounded", rows.on_target)
        if rows.flags is not None:
            put("flags", rows.flags)
        if rows.other_ids is not None and rows.other_iou is not None:
            found = self.objects.find(rows.other_ids, places)
            np.add.at(self.counted["unknown_objects"], runs[(found == -2) & is_new], 1)
            put("other", np.maximum(found, -1))
            put("other_iou", np.where(found >= 0, rows.other_iou, np.nan))
        if rows.boxes is not None and rows.box_iou is not None:
            put("box", rows.boxes)
            put("box_iou", np.where(np.isnan(rows.boxes[:, 0]), np.nan, rows.box_iou))
        if rows.shapes is not None:
            measured = (rows.shapes >= 0).all(axis=1)
            put("is_measured", measured & (rows.evidence == MASK))
            put("shapes", np.where(measured[:, None], rows.shapes, 0))

    def _finish(self) -> str:
        """Fill in what has no row, decide what each is shown by, and write the rows' file."""
        digest = hashlib.blake2b(digest_size=16)
        columns = self.columns
        unscorable = ~self.dataset.is_scorable
        with RowsFile(self.folder / "rows.parquet") as rows_file:
            for row in range(len(self.names)):
                absent = ~self.seen[row]
                columns["status"][row, absent] = Status.MISSING
                columns["failure"][row, absent] = FAILURE_ROWS["missing"]
                columns["counts"][row, absent, 1] = self.dataset.target_areas[absent]
                columns["status"][row, unscorable] = Status.NO_TRUTH
                columns["failure"][row, unscorable] = -1
                columns["rule"][row], columns["iou"][row] = self._shown(row)
                rows_file.add(row, {"target_area": self.dataset.target_areas} | {
                    name: columns[name][row]
                    for name in ("status", "failure", "rule", "iou", "prediction_area")
                })
                for column in columns.values():
                    digest.update(column[row].tobytes())
                if self.progress:
                    self.progress("order scores", row + 1, len(self.names))
        for column in columns.values():
            if isinstance(column, np.memmap):
                column.flush()
        self.columns = dict.fromkeys(columns, np.zeros(0))  # let go of what is mapped for writing
        digest.update("\0".join(self.names).encode(errors="replace"))
        return digest.hexdigest()

    def _shown(self, row: int) -> tuple[np.ndarray, np.ndarray]:
        """Give the kind of number that each example is shown by, and the number where known."""
        columns = self.columns
        status, iou = columns["status"][row], columns["iou"][row]
        kinds = set(np.unique(columns["evidence"][row]).tolist())
        boxes = columns["box"][row, :, 0] if "box" in columns else None
        if boxes is not None and is_boxes_only(kinds, has_boxes=bool((~np.isnan(boxes)).any())):
            there = status != Status.NO_TRUTH
            rule = np.where(there & self.has_target, np.where(np.isnan(boxes), UNUSABLE, KNOWN),
                            NEVER)
            box_iou = columns["box_iou"][row]
            return np.where((rule == KNOWN) & np.isnan(box_iou), NEVER, rule), box_iou
        counts = columns["counts"][row]
        scored = status == Status.SCORED
        empty = scored & (counts[:, 1] == 0) & columns["marks_nothing"][row]
        empty &= columns["evidence"][row] != BOX
        rule = np.select([empty, scored, unusable(status)], [EMPTY_PAIR, KNOWN, UNUSABLE], NEVER)
        return rule, iou

    def _found(self, row: int) -> RunRows:
        absent = int((~self.seen[row] & self.dataset.is_scorable).sum())
        return RunRows(
            self.names[row], int(self.counted["rows"][row]), int(self.counted["duplicate"][row]),
            int(self.counted["unmatched"][row]), absent,
        )


def _scored_on(files: TableFiles) -> str:
    made = files.made_by
    return f" It was scored on {made.dataset}, split {made.split}." if made else ""


def _run_names(files: TableFiles) -> list[str]:
    """Name the runs in the order in which they appear."""
    names: dict[str, None] = {}
    for path, begin, batch in files.batches(("run",), _AT_ONCE):
        try:
            found = names_of(batch["run"])
        except UnicodeDecodeError as error:
            raise FormatError("holds a name of a run that is not UTF-8", path=path) from error
        for name in found:
            if not name:
                raise FormatError("a row names no run", path=path, record=f"after row {begin:,}")
            names[name] = None
        if len(names) > _MOST_RUNS:
            raise FormatError(f"has more than {_MOST_RUNS:,} runs", path=path,
                              hint="Is 'run' the name of a run?")
    return list(names)


assert set(_NEEDS) <= set(SHELF_COLUMNS) and set(_NEEDS.values()) <= set(READ)
