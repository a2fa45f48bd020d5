"""A file or folder of predictions as it was found, parsed no further than JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any, Literal

from inspector.core.errors import FormatError, printable
from inspector.core.json_faults import is_of_python, json_fault, kind_of
from inspector.core.problems import ProblemLog
from inspector.predictions.options import RunOptions
from inspector.predictions.records import PredictionRecord

_UNREADABLE = (json.JSONDecodeError, UnicodeDecodeError)
_HEAD_LINES = 8
_LONGEST_LINE = 1 << 28

Kind = Literal["folder", "json", "lines", "other"]


@dataclass(eq=False)
class Dump:
    """One path that may hold predictions; read at most once, and only as far as asked.

    Attributes:
        path: File or folder.
        options: What the user asked for.
        afterwards: Called with the log when all masks were decoded, to say what was seen.
    """

    path: Path
    options: RunOptions = RunOptions()
    afterwards: list[Callable[[ProblemLog], None]] = field(default_factory=list)

    @cached_property
    def start(self) -> bytes:
        """The first bytes of a file, without a byte-order mark and blanks; of a folder none."""
        if not self.path.is_file():
            return b""
        with self.path.open("rb") as file:
            return file.read(512).removeprefix(b"\xef\xbb\xbf").lstrip(b" \t\r\n")

    @cached_property
    def kind(self) -> Kind:
        """A folder, one JSON document, JSON Lines, or something else."""
        if self.path.is_dir():
            return "folder"
        if self.start.startswith(b"["):
            return "json"
        if not self.start.startswith(b"{"):
            return "lines" if self.path.suffix in (".jsonl", ".ndjson") else "other"
        return "lines" if self._is_lines() else "json"

    def _is_lines(self) -> bool:
        """Tell JSON Lines from a document, which goes on after its first line or is that line."""
        with self.path.open("rb") as file:
            full = (line.decode("utf-8-sig", "replace") for line in file if line.strip())
            first, second = next(full, ""), next(full, "")
        value = _object(first)
        if value is None:
            return not second or _object(second) is not None
        return bool(second) or not _holds_records(value)

    @cached_property
    def document(self) -> Any:
        """The JSON document.

        Raises:
            FormatError: If it is cut off, not UTF-8, or no JSON.
        """
        try:
            text = self.path.read_bytes().decode("utf-8-sig")
            return json.loads(text)
        except UnicodeDecodeError as error:
            raise FormatError(
                f"is not UTF-8 text (byte {error.start})", path=self.path
            ) from error
        except json.JSONDecodeError as error:
            if error.pos >= len(text.rstrip()) - 1 or error.msg.startswith("Unterminated"):
                raise FormatError(
                    f"is cut off in line {error.lineno}", path=self.path,
                    hint="Write the file again: a JSON document counts as a whole only.",
                ) from error
            raise FormatError(
                f"is no JSON document ({error})", path=self.path
            ) from error
        except (RecursionError, ValueError) as error:
            said, hint = json_fault(error)
            raise FormatError(said, path=self.path, hint=hint) from error

    @cached_property
    def head(self) -> list[dict[str, Any]]:
        """The first records of a JSON list or of JSON Lines, those that are objects."""
        if self.kind == "lines":
            found = []
            with self.path.open("rb") as file:
                for line in islice(file, _HEAD_LINES):
                    try:
                        found.append(json.loads(line.decode("utf-8-sig")))
                    except (ValueError, RecursionError):
                        continue
        elif self.kind == "json":
            try:
                document = self.document
            except FormatError:
                return []
            found = document[:_HEAD_LINES] if isinstance(document, list) else []
        else:
            found = []
        return [record for record in found if isinstance(record, dict)]

    @cached_property
    def mapping(self) -> dict[str, Any]:
        """The document if it is one JSON object, else an empty one."""
        if self.kind != "json" or not self.start.startswith(b"{"):
            return {}
        try:
            return self.document if isinstance(self.document, dict) else {}
        except FormatError:
            return {}

    @cached_property
    def names(self) -> list[str]:
        """Names of the files in a folder, sorted; hidden ones are left out."""
        if self.kind != "folder":
            return []
        return sorted(
            child.name for child in self.path.iterdir()
            if not child.name.startswith(".") and child.is_file()
        )

    def records(self, log: ProblemLog) -> Iterator[tuple[str, dict[str, Any]]]:
        """Give every object of a JSON list or of JSON Lines and where it stands.

        What is no object becomes a problem and is left out.

        Raises:
            FormatError: If the file is cut off (unless it may still grow).
        """
        if self.kind == "lines":
            yield from self._line_records(log)
            return
        records = self.document
        if not isinstance(records, list):
            raise FormatError("is not a list of records", path=self.path)
        yield from objects(records, self.path, log)

    def _line_records(self, log: ProblemLog) -> Iterator[tuple[str, dict[str, Any]]]:
        good, name = 0, printable(self.path.name)
        with self.path.open("rb") as file:
            for number, line in enumerate(iter(lambda: file.readline(_LONGEST_LINE), b""), 1):
                if not line.strip():
                    continue
                where = f"{name}, line {number}"
                try:
                    value = parse_line(line)
                except (ValueError, RecursionError) as error:
                    if isinstance(error, _UNREADABLE) and not line.endswith(b"\n"):
                        if self.options.is_growing:
                            log.add("cut-off-file", "warning", where,
                                    "The last line is still being written and was left out.")
                            return
                        if good:
                            raise _cut_off(self.path, number, good) from error
                    refuse_record(log, where, error)
                    continue
                good += 1
                yield where, value


def _cut_off(path: Path, number: int, good: int) -> FormatError:
    return FormatError(
        f"is cut off in line {number}", path=path,
        hint=f"The {good:,} lines before it are whole: write the file again, or take the last "
        "line out to use them.",
    )


def objects(
    records: list[Any], path: Path, log: ProblemLog, *, what: str = "record"
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Give the objects of a list and where they stand; list what is none."""
    for number, record in enumerate(records, 1):
        where = f"{printable(path.name)}, {what} {number}"
        if isinstance(record, dict):
            yield where, record
        else:
            refuse_record(log, where, ValueError(f"it is {kind_of(record)}, not an object"))


def parse_line(line: bytes) -> dict[str, Any]:
    """Give the object of one line of JSON Lines.

    Raises:
        ValueError: If it is none, or not UTF-8.
        RecursionError: If it is nested too deeply.
    """
    value = _LINE.decode(line.decode("utf-8-sig"))
    if not isinstance(value, dict):
        raise ValueError(f"it is {kind_of(value)}, not an object")
    return value


def parsed(
    values: Iterable[tuple[str, dict[str, Any]]], log: ProblemLog,
    parse: Callable[[dict[str, Any], str], PredictionRecord],
) -> Iterator[PredictionRecord]:
    """Parse objects, each with where it stands; list those that cannot be parsed."""
    for where, value in values:
        try:
            record = parse(value, where)
        except (ValueError, KeyError) as error:
            refuse_record(log, where, error)
        else:
            yield record


def refuse_record(log: ProblemLog, where: str, error: Exception) -> None:
    """List a record that cannot be read and is left out."""
    what = "line" if ", line " in where else "record"
    log.add("bad-record", "error", where, f"The {what} was left out: {_describe(error)}.")


def _describe(error: Exception) -> str:
    if isinstance(error, UnicodeDecodeError):
        return f"it is not UTF-8 text (byte {error.start})"
    if isinstance(error, json.JSONDecodeError):
        return f"it is not a complete JSON object ({error})"
    if isinstance(error, KeyError):
        return f"it has no {error}"
    if isinstance(error, (RecursionError, ValueError)) and is_of_python(error):
        return f"it {json_fault(error)[0]}"
    return str(error)


def _refuse(constant: str) -> Any:
    raise ValueError(f"it holds {constant}, which is not JSON")


_LINE = json.JSONDecoder(parse_constant=_refuse)


def _object(text: str) -> dict[str, Any] | None:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _holds_records(value: dict[str, Any]) -> bool:
    """Say whether a lone object holds many records inside rather than being one."""
    if any(isinstance(value.get(key), list) for key in ("predictions", "per_sample_results")):
        return True
    return bool(value) and all(isinstance(v, dict) and "boxes" in v for v in value.values())
