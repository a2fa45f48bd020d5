"""The inspector's own predictions: JSON Lines, one object a prediction."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from inspector.core.dataset import Dataset
from inspector.core.errors import FormatError
from inspector.core.problems import ProblemLog
from inspector.core.records import Prediction
from inspector.predictions.records import SENTENCE_KEYS, PredictionRecord, id_text

_UNREADABLE = (json.JSONDecodeError, UnicodeDecodeError)
_HINT = 'Expected lines such as {"sent_id": 29928, "mask": {"size": [480, 640], "counts": "…"}}.'


def looks_like(path: Path) -> bool:
    """Say whether the file begins with a JSON object on a line of its own."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        start = file.read(64).lstrip(b"\xef\xbb\xbf \t\r\n")
    return start.startswith(b"{") or path.suffix in (".jsonl", ".ndjson")


def read(path: Path, dataset: Dataset, log: ProblemLog) -> Iterator[PredictionRecord]:
    """Read predictions from JSON Lines; bad lines are listed, the others are kept.

    Each line names its example by ``example_id``, by ``sent_id``, or by ``ref_id``, ``ann_id``,
    ``sample_id`` or ``image_id`` with ``sentence``::

        {"sent_id": 29928, "mask": {"size": [480, 640], "counts": "…"}}
        {"ref_id": 10512, "sentence": "right most cup", "mask": [[x1, y1, x2, y2, …]]}
        {"sent_id": 29930, "mask": null}

    Raises:
        FormatError: If the last line is cut off, or no line is a prediction.
    """
    good = bad = 0
    first_fault = ""
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            where = f"{path.name}, line {number}"
            try:
                record = _parse(line, where)
            except (ValueError, RecursionError) as error:
                if isinstance(error, _UNREADABLE) and not line.endswith(b"\n") and good:
                    raise FormatError(
                        f"is cut off in line {number}", path=path,
                        hint=f"The {good:,} lines before it are whole: write the file again, or "
                        "take the last line out to use them.",
                    ) from error
                bad += 1
                what = _describe(error)
                first_fault = first_fault or f"line {number}: {what}"
                log.add("bad-record", "error", where, f"The line was left out: {what}.")
                continue
            good += 1
            yield record
    if not good:
        raise FormatError(
            f"holds no prediction ({first_fault or 'the file is empty'})", path=path, hint=_HINT
        )


def _parse(line: bytes, where: str) -> PredictionRecord:
    value = json.loads(line.decode("utf-8-sig"), parse_constant=_refuse)
    if not isinstance(value, dict):
        raise ValueError(f"it is a {type(value).__name__}, not an object")
    ids = {
        key: id_text(value[key])
        for key in ("example_id", "sent_id", *SENTENCE_KEYS)
        if value.get(key) is not None
    }
    sentence = value.get("sentence") or ""
    if not isinstance(sentence, str):
        raise ValueError("'sentence' is not text")
    if not ids:
        raise ValueError("it names no example (example_id, sent_id, or an id with a sentence)")
    if not {"example_id", "sent_id"} & ids.keys() and not sentence:
        raise ValueError(f"{next(iter(ids))} alone does not name an example; add 'sentence'")
    if "mask" not in value:
        raise ValueError("it has no 'mask' (null says 'no target')")
    score = value.get("score")
    return PredictionRecord(
        where, ids, sentence, value["mask"],
        float(score) if isinstance(score, (int, float)) and abs(score) < 1e300 else None,
    )


def _describe(error: Exception) -> str:
    if isinstance(error, UnicodeDecodeError):
        return f"it is not UTF-8 text (byte {error.start})"
    if isinstance(error, json.JSONDecodeError):
        return f"it is not a complete JSON object ({error})"
    return str(error)


def _refuse(constant: str) -> Any:
    raise ValueError(f"it holds {constant}, which is not JSON")


def save(predictions: Iterable[Prediction], path: Path) -> None:
    """Write predictions so that :func:`read` finds the same masks for the same examples."""
    temporary = path.with_name(path.name + ".part")
    with temporary.open("w", encoding="utf-8") as file:
        for prediction in predictions:
            line: dict[str, Any] = {
                "example_id": prediction.example_id,
                "mask": prediction.mask.to_json() if prediction.mask else None,
            }
            if prediction.score is not None:
                line["score"] = prediction.score
            file.write(json.dumps(line) + "\n")
    temporary.replace(path)
