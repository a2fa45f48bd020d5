"""``lmms-lab/RefCOCO``, ``RefCOCOplus`` and ``RefCOCOg``: parquet, one row a ref."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from inspector.core.dataset import Dataset
from inspector.core.errors import FormatError, MaskError, UsageError
from inspector.core.ids import id_text, picture_key
from inspector.core.records import PictureCell
from inspector.formats.building import DatasetBuilder
from inspector.formats.coco import read_segmentation
from inspector.formats.id_lists import GivenRefs, read_given_refs
from inspector.formats.names import canonical_name
from inspector.formats.parquet import each_split, files_of, given_name, has_columns, iterate_rows
from inspector.formats.pictures import picture_size
from inspector.formats.reading import as_text, one_record
from inspector.formats.request import LoadRequest, choose_splits

_COLUMNS = ("question_id", "answer", "segmentation", "bbox", "iscrowd", "file_name", "image")
_MIXED = {"refcoco": ("unc", "google", 3_811, 5_000), "refcocog": ("umd", "google", 2_573, 5_000)}


def looks_like(path: Path) -> bool:
    """Say whether these are parquet files with ``question_id``, ``answer`` and ``segmentation``."""
    return has_columns(path, "question_id", "answer", "segmentation")


def load(request: LoadRequest) -> Dataset:
    """Load one split of ``lmms-lab/RefCOCO``, ``RefCOCOplus`` or ``RefCOCOg``.

    Expected columns; the folder's or hub id's name says which data set it is::

        question_id: string (the annotation's id), image: {bytes, path}, answer: list<string>,
        segmentation: list<float> [x1, y1, …], bbox: [x, y, w, h], iscrowd, file_name: string

    ``segmentation`` is one flat list, so of an object of several polygons only one is left: its
    scores differ from RefCOCO's own. The split ``val`` of RefCOCO and RefCOCOg holds those of
    two split-bys; ``--refs "refs(unc).p"`` keeps the rows that belong to one.

    Raises:
        FormatError: If a row is not of this shape or a file is cut off.
        UsageError: If the split does not exist, or ``--refs`` is no refs file.
    """
    name = canonical_name(given_name(request))[0]
    files = files_of(request)
    split, chosen = choose_splits(
        request.split, each_split(files), what=name
    )
    given = read_given_refs(request.refs) if request.refs else None
    if given is not None and not given.members:
        raise UsageError(
            f"{given.path} is a list of ids, but an object of this re-pack may stand in both "
            "split-bys: give --refs a refs(NAME).p, which names the split of each."
        )
    builder = DatasetBuilder(
        name=name, format="lmms-lab", source=request.source,
        split_by=_split_by(name, given), distractors_known=False,
    )
    adding = _Adding(builder, given)
    for part in sorted(chosen):
        for path in files[part]:
            adding.add_file(path, part)
    adding.say_what_differs(name, chosen)
    return builder.build(split=split)


def _split_by(name: str, given: GivenRefs | None) -> str:
    """Name the split-by: that of the given refs file, or the only one there is."""
    if given is not None and given.path.name.startswith("refs("):
        return given.path.name[5:].partition(")")[0]
    return "unc" if name == "refcoco+" else ""


class _Adding:
    """Adds rows; pictures that several rows repeat are added once."""

    def __init__(self, builder: DatasetBuilder, given: GivenRefs | None) -> None:
        self._builder, self._given = builder, given
        self._images: dict[str, int] = {}
        self._times: Counter[str] = Counter()
        self._rows: Counter[str] = Counter()

    def add_file(self, path: Path, split: str) -> None:
        for row, cell in iterate_rows(path, _COLUMNS):
            if cell is None:
                raise FormatError(
                    "has no column 'image' with bytes, which give the size", path=path,
                    hint="Download the file again, with its pictures.",
                )
            with one_record(path, f"row group {cell.row_group}, row {cell.row}"):
                self._add_row(row, cell, split)

    def _add_row(self, row: dict[str, Any], cell: PictureCell, split: str) -> None:
        if row["question_id"] in (None, ""):
            raise KeyError("question_id")
        builder, ann_id = self._builder, id_text(row["question_id"])
        self._rows[split] += 1
        self._times[ann_id] += 1  # an object may be in both split-bys; counted before any choice
        times = self._times[ann_id]
        if self._given and self._given.members and (ann_id, split) not in self._given.members:
            return
        where = f"question {ann_id}"
        answers = row["answer"]
        answers = [answers] if isinstance(answers, str) else answers or []
        if not answers:
            builder.log.add("no-sentences", "warning", where, "The row has no sentence.")
            return
        image_id = picture_key(str(row["file_name"]))
        if image_id not in self._images:
            content = row["image"]
            content = content["bytes"] if isinstance(content, dict) else content
            try:
                size = picture_size(content)
            except MaskError as error:
                builder.log.add("broken-picture", "error", where,
                                f"The row was left out: {error}, and gives no size.")
                return
            self._images[image_id] = builder.add_image(
                image_id, file_name=str(row["file_name"]), size_hw=size, location=cell,
                where=where,
            )
        image = self._images[image_id]
        thing = builder.add_object(
            image, annotation_id=ann_id, category="object",
            mask=read_segmentation([row["segmentation"] or []], builder, image, where),
            box_xywh=row.get("bbox"), is_crowd=False, where=where,
        )
        sample_id = ann_id if times == 1 else f"{ann_id}.{times}"
        for place, sentence in enumerate(answers):
            builder.add_expression(
                image, sentence=as_text(sentence, "an answer"), sample_id=sample_id,
                example_id=f"{sample_id}:{place}", objects=(thing,), split=split,
            )

    def say_what_differs(self, name: str, splits: frozenset[str]) -> None:
        """Name the traps of this re-pack."""
        log = self._builder.log
        log.add("altered-data", "warning", name,
                "This re-pack keeps one polygon of each object; where an object had several, its "
                "mask and the scores differ from the original's.")
        if "val" not in splits or name not in _MIXED or self._given:
            return
        first, second, one, other = _MIXED[name]
        rows = self._rows["val"]
        exactly = f", exactly {one:,} of {first} and {other:,} of {second}" * (rows == one + other)
        log.add("counts-differ", "warning", f"{name}, split val",
                f"The split val of this re-pack mixes {first} and {second}: {rows:,} rows are "
                f"here{exactly}. Numbers on it are neither's; --refs refs({first}).p keeps those "
                "of one.")
