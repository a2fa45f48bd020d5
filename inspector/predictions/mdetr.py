"""gRefCOCO's MDETR and GREC baselines: boxes by a running number."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from inspector.core.dataset import Dataset
from inspector.core.problems import ProblemLog
from inspector.predictions.dump import Dump, refuse_record
from inspector.predictions.records import PredictionRecord, RawBox, four, number


def looks_like(dump: Dump) -> bool:
    """Say whether every value of the document has ``boxes`` and ``scores``."""
    values = list(dump.mapping.values())
    return bool(values) and all(
        isinstance(value, dict) and {"boxes", "scores"} <= value.keys() for value in values[:8]
    )


def read(dump: Dump, dataset: Dataset, log: ProblemLog) -> Iterator[PredictionRecord]:
    """Read the best scored box of each entry, two corners in pixels; no box says "no target".

    ``predictions[image_id]`` as JSON; the id is MDETR's running number of the sentence unless it
    is a ``sent_id``::

        {"0": {"scores": [0.9, 0.2], "boxes": [[x1, y1, x2, y2], …]}, "1": {…}}

    Running numbers are taken in the order of the data set, so they must be as many as sentences.
    Where the keys may be either, that is a warning.
    """
    document = dump.document
    sent_ids = set(dataset.expressions.sent_ids)
    known = sent_ids | set(dataset.expressions.ids)
    by_id = sum(key in known for key in document) * 2 > len(document)
    if by_id:
        _warn_if_running(dump, dataset, log)
    several = 0
    order = sorted(document, key=_number_of)
    for place, key in enumerate(order):
        where = f"{dump.path.name}, entry {key[:40]}"
        try:
            box, score, count = _best(document[key])
        except ValueError as error:
            refuse_record(log, where, error)
            continue
        several += count > 1
        ids = {"sent_id" if key in sent_ids else "example_id": key} if by_id else {}
        yield PredictionRecord(
            where, ids, score=score,
            box=RawBox(box, "xyxy", "pixels") if box else None, says_nothing=box is None,
            place=None if by_id else place,
        )
    if several:
        log.add("several-boxes", "info", dump.path.name,
                f"{several:,} entries hold several boxes; the best scored of each counts.",
                count=several)


def _warn_if_running(dump: Dump, dataset: Dataset, log: ProblemLog) -> None:
    """Warn where the keys are ids of examples, but just as well their running numbers."""
    numbers = [str(number) for number in range(len(dataset))]
    if set(dump.document) == set(numbers) and dataset.expressions.ids != numbers:
        log.add("ambiguous-names", "warning", dump.path.name,
                f"The keys 0 to {len(numbers) - 1:,} are sent_ids, but could be running numbers; "
                "they were read as sent_ids. If they are numbers, write each sentence's sent_id.")


def _number_of(key: str) -> tuple[int, str]:
    """Put running numbers in their order, whatever the order of the file."""
    return (int(key), "") if key.isdecimal() and len(key) < 19 else (10**19, key)


def _best(entry: Any) -> tuple[tuple[float, float, float, float] | None, float | None, int]:
    boxes = entry.get("boxes") if isinstance(entry, dict) else None
    scores = entry.get("scores") if isinstance(entry, dict) else None
    if not isinstance(boxes, list) or not isinstance(scores, list) or len(boxes) != len(scores):
        raise ValueError("it has not as many 'scores' as 'boxes'")
    if not boxes:
        return None, None, 0
    rated = [number(score) for score in scores]
    if any(score is None for score in rated):
        raise ValueError("a score is no number")
    best = max(range(len(boxes)), key=lambda place: rated[place] or 0.0)
    return four(boxes[best]), rated[best], len(boxes)
