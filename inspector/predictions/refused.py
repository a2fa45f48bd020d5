"""Files that models write and that hold nothing to score: recognised, and said what to do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from inspector.core.errors import FormatError
from inspector.predictions.box_answers import holds_answer
from inspector.predictions.dump import Dump
from inspector.predictions.records import MASK_NAMES

_TORCH = (
    "Convert it where torch is installed: load it there, and write one line a prediction, "
    "{\"sent_id\": …, \"mask\": {\"size\": [h, w], \"counts\": \"…\"}} (docs/predictions.md has "
    "the lines)."
)


@dataclass(frozen=True, slots=True)
class Refusal:
    """A known kind of file that cannot be opened as a run."""

    looks_like: Callable[[Dump], bool]
    problem: str
    hint: str


def _is_pickle(dump: Dump) -> bool:
    is_zip = dump.start.startswith(b"PK") and dump.path.suffix in (".pth", ".pt", ".bin", ".ckpt")
    is_plain = dump.start[:1] == b"\x80" and dump.start[1:2] in b"\x02\x03\x04\x05"
    return is_zip or is_plain or dump.path.suffix in (".pkl", ".pickle") and dump.kind == "other"


def _is_lmdb(dump: Dump) -> bool:
    if dump.kind == "folder":
        return "data.mdb" in dump.names
    return dump.path.suffix == ".lmdb" or dump.start[16:20] == b"\xde\xc0\xef\xbe"


def _is_captions(dump: Dump) -> bool:
    listed = dump.mapping.get("predictions")
    records = listed if isinstance(listed, list) else dump.head
    first = records[0] if records and isinstance(records[0], dict) else {}
    carries = MASK_NAMES | {"sent_id", "I", "box", "bbox", "pred_box", "box_xywh", "response"}
    if "ref_id" in first and "sent" in first and not carries & first.keys():
        return not holds_answer(first)
    return "doc_id" in first and any(
        name.split("_")[-1] in ("CIDEr", "Bleu", "METEOR", "ROUGE") or "Bleu" in name
        for name, value in first.items() if isinstance(value, dict)
    )


def _is_summary(dump: Dump) -> bool:
    if dump.head and {"giou", "ciou"} <= dump.head[0].keys():
        return True
    if dump.kind != "json" or not dump.start.startswith(b"["):
        return False
    try:
        document: Any = dump.document
    except FormatError:
        return False
    return isinstance(document, list) and bool(document) and all(
        isinstance(row, list) and len(row) == 2 and isinstance(row[1], dict) for row in document
    )


def _is_dataset(dump: Dump) -> bool:
    return bool(dump.head) and dump.head[0].get("inspector") == "dataset"


REFUSALS: tuple[Refusal, ...] = (
    Refusal(
        _is_pickle,
        "is a pickle or a torch file, which runs code when it is loaded and is not opened", _TORCH,
    ),
    Refusal(
        _is_lmdb, "is an LMDB database, which is not opened",
        "Write its masks as PNG files named <sent_id>.png.",
    ),
    Refusal(
        _is_captions,
        "is a file of text results: the model described objects, it marked none",
        "Give the output of a segmentation or grounding task; captions are scored by CIDEr.",
    ),
    Refusal(
        _is_summary,
        "holds only the final numbers of a run, not its predictions",
        "Give the predictions themselves; these numbers can be compared with ours by eye.",
    ),
    Refusal(
        _is_dataset, "holds no prediction: it is a data set of the inspector's own",
        "Give it as DATASET, and the predictions with --run.",
    ),
)


def refuse(dump: Dump) -> None:
    """Raise for a file that is known and holds nothing to score.

    Raises:
        FormatError: That says what the file is and what to do instead.
    """
    for refusal in REFUSALS:
        if refusal.looks_like(dump):
            raise FormatError(refusal.problem, path=dump.path, hint=refusal.hint)
