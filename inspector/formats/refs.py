"""The records of a refs file, checked: the layout that REFER, gRefCOCO and others share."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from inspector.core.errors import FormatError, UsageError, say_choices
from inspector.core.json_faults import kind_of
from inspector.formats.building import DatasetBuilder
from inspector.formats.coco import as_id, read_json
from inspector.formats.names import canonical_name
from inspector.formats.pickles import read_plain_pickle
from inspector.formats.request import LoadRequest

_TEXT = {str}


class RefSentence(NamedTuple):
    """One sentence; ``exists`` is False where R-RefCOCO says that it refers to nothing."""

    sent_id: int
    sent: str
    raw: str
    exists: bool


@dataclass(frozen=True, slots=True)
class Ref:
    """One checked record of a refs file; no annotation where nothing is meant."""

    ref_id: int
    annotation_ids: tuple[int, ...]
    image_id: int
    split: str
    sentences: tuple[RefSentence, ...]


def refs_files(folder: Path, pattern: re.Pattern[str]) -> dict[str, Path]:
    """Find the refs files of a folder by their split-by."""
    if not folder.is_dir():
        return {}
    found = ((pattern.fullmatch(path.name), path) for path in sorted(folder.iterdir()))
    return {match["split_by"]: path for match, path in found if match}


def choose_refs(request: LoadRequest, pattern: re.Pattern[str], what: str) -> tuple[Path, str]:
    """Decide which refs file is loaded.

    Args:
        request: What the user asked for.
        pattern: Names of refs files, with a group ``split_by``.
        what: How such files are named, for messages: ``refs(NAME).p``.

    Raises:
        UsageError: If several fit and neither ``--split-by`` nor the folder's name says which, or
            a single file is of another split-by than was asked for.
    """
    path = request.path
    if path.is_file():
        found = pattern.fullmatch(path.name)
        if not found:
            raise FormatError(f"is not named {what}", path=path)
        if request.split_by not in (None, found["split_by"]):
            raise UsageError(
                f"{path} is of the split-by {found['split_by']}, not {request.split_by}. Leave "
                "--split-by out, or name the folder that holds the file of the other."
            )
        return path, found["split_by"]
    files = refs_files(path, pattern)
    asked = request.split_by
    if asked is None and len(files) > 1:
        said = canonical_name(path.resolve().name)[1]
        asked = said if said in files else None
    if asked is not None:
        if asked not in files:
            raise UsageError(
                f"No {what.replace('NAME', asked)} in {path}. {say_choices(asked, list(files))}"
            )
        return files[asked], asked
    if len(files) > 1:
        raise UsageError(
            f"{path} has several refs files: {', '.join(p.name for p in files.values())}. "
            f"Choose one with --split-by {' or --split-by '.join(files)}."
        )
    if not files:
        raise UsageError(
            f"{path} has no {what.replace('NAME', '*')}. Name the folder that holds it."
        )
    split_by, refs_path = next(iter(files.items()))
    return refs_path, split_by


def read_refs(path: Path, builder: DatasetBuilder) -> list[Ref]:
    """Read a refs file, a pickle or JSON; records that are of no use are listed as problems.

    Raises:
        FormatError: If the file is not a list of records.
    """
    records = read_json(path) if path.suffix == ".json" else read_plain_pickle(path)
    if not isinstance(records, list):
        raise FormatError(
            f"holds {kind_of(records)}, but a refs file is a list of records", path=path
        )
    return list(_parse_refs(records, builder, path))


def _parse_refs(records: list[Any], builder: DatasetBuilder, path: Path) -> Iterator[Ref]:
    for number, record in enumerate(records):
        try:
            ref = parse_ref(record)
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            what = f"no '{error.args[0]}'" if isinstance(error, KeyError) else str(error)
            builder.log.add(
                "bad-record", "error", f"{path.name}, record {number}",
                f"The record was left out: {what[:200]}.",
            )
            continue
        if not ref.sentences:
            builder.log.add(
                "no-sentences", "warning", f"{path.name}, ref {ref.ref_id}",
                "The ref has no sentence and was left out.",
            )
            continue
        yield ref


def parse_ref(record: Any) -> Ref:
    """Check one record.

    Raises:
        KeyError, TypeError, ValueError, OverflowError: If it is not of the documented shape.
    """
    if not isinstance(record, dict):
        raise TypeError(f"it is {kind_of(record)}, not an object")
    fields = _text_keys(record)
    annotation_ids = fields["ann_id"]
    if not isinstance(annotation_ids, (list, tuple)):
        annotation_ids = [annotation_ids]
    sentences = []
    for sentence in fields["sentences"]:
        if not isinstance(sentence, dict):
            raise TypeError(f"a sentence is {kind_of(sentence)}, not an object")
        parts = _text_keys(sentence)
        sentences.append(RefSentence(
            as_id(parts["sent_id"]), _text(parts["sent"]), _text(parts.get("raw", "")),
            bool(parts.get("exist", True)),
        ))
    return Ref(
        ref_id=as_id(fields["ref_id"]),
        annotation_ids=tuple(i for i in map(as_id, annotation_ids) if i != -1),
        image_id=as_id(fields["image_id"]),
        split=_text(fields["split"]),
        sentences=tuple(sentences),
    )


def _text_keys(record: dict[Any, Any]) -> dict[str, Any]:
    if set(map(type, record)) == _TEXT:
        return record
    return {_text(key): value for key, value in record.items()}


def _text(value: Any) -> str:
    if type(value) is str:
        return value
    if isinstance(value, bytes):
        return value.decode("utf-8", errors="replace")
    if not isinstance(value, str):
        raise TypeError(f"{str(value)[:40]!r} stands where text is expected")
    return value
