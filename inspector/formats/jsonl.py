"""The inspector's own data set format: JSON Lines, one picture a line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from inspector.core.dataset import Dataset
from inspector.core.errors import FormatError, InspectorError, MaskError, NoTruthError
from inspector.core.ids import id_text
from inspector.core.json_faults import json_fault, kind_of
from inspector.formats.building import DatasetBuilder
from inspector.formats.pictures import PictureFinder, find_below
from inspector.formats.reading import UNEXPECTED, as_text, check_regular, note_read
from inspector.formats.request import LoadRequest, canonical_split, choose_splits

VERSION = 1
LEVELS = ("", "object", "part")


def looks_like(path: Path) -> bool:
    """Say whether the first line is the header of a data set in the inspector's own format."""
    if not path.is_file() or path.suffix not in (".jsonl", ".json"):
        return False
    with path.open("rb") as file:
        start = file.read(4096).lstrip(b"\xef\xbb\xbf \t\r\n")
    return start.startswith(b"{") and b'"inspector"' in start.split(b"\n")[0]


def load(request: LoadRequest) -> Dataset:
    """Load a data set that ``convert`` or a script wrote.

    The first line is a header, then each line is one picture with all its objects and
    expressions; ``targets`` names the objects that a sentence refers to, ``[]`` if none::

        {"inspector": "dataset", "version": 1, "name": "demo"}
        {"image": {"id": "coins", "file_name": "images/coins.jpg", "size": [303, 384]},
         "objects": [{"ann_id": "c1", "category": "coin", "mask": {"size": …, "counts": "…"}}],
         "expressions": [{"sent_id": "1", "ref_id": "1", "sentence": "top left coin",
                          "split": "val", "targets": ["c1"]}]}

    An expression may have a ``level`` (``object`` or ``part``) and a mask to ``ignore``, whose
    pixels count neither for nor against a prediction.

    Raises:
        FormatError: If a line is not of this shape; a data set with holes would give wrong
            numbers, so nothing of it is used.
    """
    path = request.path
    lines = _read_lines(path)
    _, header = next(lines, (0, {}))
    if header.get("inspector") != "dataset":
        raise FormatError(
            "does not begin with the header of a data set", path=path, record="line 1",
            hint='Expected {"inspector": "dataset", "version": 1, "name": …}.',
        )
    if header.get("version") != VERSION:
        raise FormatError(
            f"has version {header.get('version')}, but this program reads version {VERSION}",
            path=path,
        )
    builder = DatasetBuilder(
        name=str(header.get("name") or path.stem), format="jsonl", source=request.source,
        split_by=str(header.get("split_by") or ""),
        distractors_known=bool(header.get("all_objects", True)),
    )
    pictures = [(number, record) for number, record in lines]
    default_split = str(header.get("split") or "all")
    split, chosen = choose_splits(
        request.split,
        (
            str(expression.get("split") or default_split)
            for number, record in pictures
            for expression in _listed(record, "expressions", path, number)
        ),
        what=str(header.get("name") or path.stem),
    )
    finder = PictureFinder(path.parent, request.images)
    for number, record in pictures:
        try:
            _add_picture(builder, record, finder, path, (default_split, chosen), number)
        except UNEXPECTED as error:
            what = f"has no {error}" if isinstance(error, KeyError) else str(error)
            raise FormatError(what, path=path, record=f"line {number}") from error
        except FormatError:
            raise
        except InspectorError as error:  # a region to be ignored that cannot be read
            raise FormatError(str(error), path=path, record=f"line {number}") from error
    return builder.build(split=split)


def _read_lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    check_regular(path)
    note_read(path)
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    yield number, _read_line(line, path, number)
    except OSError as error:
        raise FormatError(f"cannot be read ({error.strerror})", path=path) from error


def _read_line(line: bytes, path: Path, number: int) -> dict[str, Any]:
    where = f"line {number}"
    try:
        record = json.loads(line.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise FormatError(
            f"is not UTF-8 text (byte {error.start})", path=path, record=where
        ) from error
    except (ValueError, RecursionError) as error:
        said, hint = json_fault(error)
        raise FormatError(said, path=path, record=where, hint=hint) from error
    if not isinstance(record, dict):
        raise FormatError(
            f"is {kind_of(record)}, but each line is one object", path=path, record=where
        )
    return record


def _listed(
    record: dict[str, Any], key: str, path: Path, number: int
) -> list[dict[str, Any]]:
    if key == "expressions" and key not in record:
        raise FormatError(
            "has no 'expressions'", path=path, record=f"line {number}",
            hint='A picture that no sentence is about has "expressions": [].',
        )
    values = record.get(key) or []
    if not isinstance(values, list) or not all(isinstance(value, dict) for value in values):
        raise FormatError(
            f"has '{key}' that are not a list of objects", path=path, record=f"line {number}"
        )
    return values


def _id(record: dict[str, Any], key: str) -> str:
    """Write an id as predictions have it; 0 is one, null is none."""
    value = record.get(key)
    return "" if value in (None, "") else id_text(value)


def _add_picture(
    builder: DatasetBuilder, record: dict[str, Any], finder: PictureFinder, path: Path,
    splits: tuple[str, frozenset[str]], number: int,
) -> None:
    default_split, chosen = splits
    where = f"line {number}"
    every = _listed(record, "expressions", path, number)
    split_of = [canonical_split(str(e.get("split") or default_split)) for e in every]
    if not every:
        builder.log.add("no-sentences", "warning", where,
                        "The picture has no expression and was left out.")
    if chosen.isdisjoint(split_of):
        return
    image = record["image"]
    if not isinstance(image, dict):
        raise TypeError(f"has an 'image' that is not an object but {str(image)[:40]!r}")
    file_name = str(image.get("file_name") or "")
    location = find_below(path.parent, file_name)
    if location is None:
        location = finder.find_or_log([file_name], builder.log, where)
    row = builder.add_image(
        image["id"] if isinstance(image["id"], str) else id_text(image["id"]),
        file_name=file_name, size_hw=image["size"], location=location, where=where,
    )
    rows: dict[str, int] = {}
    for thing in _listed(record, "objects", path, number):
        if "ann_id" not in thing:
            raise KeyError("ann_id")
        annotation_id = _id(thing, "ann_id")
        if annotation_id in rows:
            raise ValueError(f"two objects have the ann_id {annotation_id}")
        rows[annotation_id] = builder.add_object(
            row,
            annotation_id=annotation_id,
            category=str(thing.get("category") or "object"),
            supercategory=str(thing.get("supercategory") or ""),
            mask=_mask(thing),
            box_xywh=thing.get("box_xywh"),
            is_crowd=bool(thing.get("is_crowd")),
            where=f"{where}, object {annotation_id}",
        )
    counts: dict[str, int] = {}
    ignored: dict[str, int] = {}
    for expression, own_split in zip(every, split_of, strict=True):
        sent_id, sample_id = _id(expression, "sent_id"), _id(expression, "sample_id")
        place = counts[sample_id] = counts.get(sample_id, -1) + 1
        if own_split not in chosen:  # but counted: ids must not depend on what is loaded
            continue
        if not sent_id and not sample_id:
            raise ValueError("an expression needs a sent_id or a sample_id")
        targets = expression["targets"]
        if not isinstance(targets, list):
            raise TypeError(f"has 'targets' that are not a list but {str(targets)[:40]!r}")
        named = [_id({"target": target}, "target") for target in targets]
        unknown = [name for name in named if name not in rows]
        if unknown:
            raise ValueError(f"names the target {unknown[0]}, which is not among its objects")
        builder.add_expression(
            row,
            sentence=as_text(expression["sentence"], "its 'sentence'"),
            raw=str(expression.get("raw") or ""),
            sent_id=sent_id,
            ref_id=_id(expression, "ref_id"),
            sample_id=sample_id,
            example_id=sent_id or f"{sample_id}:{place}",
            objects=tuple(rows[name] for name in named),
            split=own_split,
            level=_level(expression),
            ignored=_add_ignored(builder, row, expression.get("ignore"), ignored),
        )


def _mask(thing: dict[str, Any]) -> Any:
    """Take an object's mask; ``no_truth`` or ``broken`` says in words why there is none."""
    if thing["mask"] is None:
        for key, kind in (("no_truth", NoTruthError), ("broken", MaskError)):
            if isinstance(thing.get(key), str):
                return kind(thing[key])
    return thing["mask"]


def _level(expression: dict[str, Any]) -> str:
    level = expression.get("level") or ""
    if level not in LEVELS:
        raise ValueError(f"has the level {str(level)[:40]!r}, which is neither object nor part")
    return level


def _add_ignored(
    builder: DatasetBuilder, image: int, value: Any, known: dict[str, int]
) -> int:
    """Add a region that does not count, once for all sentences of the picture that share it."""
    if value is None:
        return -1
    key = json.dumps(value)
    if key not in known:
        known[key] = builder.add_ignored(image, value)
    return known[key]
