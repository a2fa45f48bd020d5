"""Ids that a user gives with ``--refs``: of a refs file, or a plain list."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from inspector.core.errors import FormatError
from inspector.core.ids import id_text
from inspector.formats.coco import read_json
from inspector.formats.pickles import read_plain_pickle
from inspector.formats.reading import UNEXPECTED, describe, read_file
from inspector.formats.refs import parse_ref
from inspector.formats.request import canonical_split


@dataclass(frozen=True, slots=True)
class GivenRefs:
    """What a ``--refs`` file says.

    Attributes:
        path: The file.
        ref_ids: All ids in it.
        members: Pairs of annotation id and split, where it is a refs file.
    """

    path: Path
    ref_ids: frozenset[str]
    members: frozenset[tuple[str, str]]


def read_given_refs(path: Path) -> GivenRefs:
    """Read a ``refs(NAME).p`` (as JSON too), a JSON list of ids, or a text with one id a line.

    Raises:
        FormatError: If it is none of these.
    """
    try:
        if path.suffix in (".p", ".pkl", ".pickle"):
            return _of_records(path, read_plain_pickle(path))
        if path.suffix == ".json":
            values = read_json(path)
            if not isinstance(values, list):
                raise TypeError("it is no list")
            if any(isinstance(value, dict) for value in values):
                return _of_records(path, values)
            return GivenRefs(path, frozenset(map(id_text, values)), frozenset())
        lines = read_file(path).decode("utf-8-sig").split()
        return GivenRefs(path, frozenset(map(id_text, lines)), frozenset())
    except UNEXPECTED as error:
        raise FormatError(
            f"is no file of ids: it {describe(error)}", path=path,
            hint="Give --refs a refs(NAME).p, a JSON list, or a text file with one id a line.",
        ) from error


def _of_records(path: Path, records: list[Any]) -> GivenRefs:
    refs = [parse_ref(record) for record in records]
    return GivenRefs(
        path,
        frozenset(str(ref.ref_id) for ref in refs),
        frozenset((str(number), canonical_split(ref.split))
                  for ref in refs for number in ref.annotation_ids),
    )
