"""Which prediction belongs to which example: the one place where that is decided."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from inspector.core.dataset import Dataset
from inspector.core.problems import ProblemLog
from inspector.core.sentences import normalise_sentence
from inspector.predictions.records import SENTENCE_KEYS, PredictionRecord


@dataclass(slots=True)
class Alignment:
    """Result of aligning: rows of the records by example, and what did not fit.

    Attributes:
        record_of: Which record an example takes.
        reasons: Why an example's prediction cannot be used although one was found.
        duplicate: Number of further records for examples that have one.
        unmatched: Number of records that belong to no example.
        by: How many examples each way of matching served.
    """

    record_of: dict[int, int] = field(default_factory=dict)
    reasons: dict[int, str] = field(default_factory=dict)
    duplicate: int = 0
    unmatched: int = 0
    by: Counter[str] = field(default_factory=Counter)

    def describe(self) -> tuple[str, ...]:
        """Say in words how many examples were matched in which way."""
        return tuple(f"{count:,} by {way}" for way, count in self.by.most_common())


def align(dataset: Dataset, records: Sequence[PredictionRecord], log: ProblemLog) -> Alignment:
    """Match records to examples by id, else by the id of a larger thing and the sentence.

    Where one referent has the same sentence m times, m predictions are taken in order and a
    single one serves all of them. Where referents of one picture share a sentence and the key
    cannot tell them apart, predictions are taken in order only if their number agrees, with a
    warning. Any other number makes these examples invalid: a guess could swap two masks.
    """
    result = Alignment()
    index = _Index(dataset)
    groups: dict[tuple[str, str, str], list[int]] = {}
    for row, record in enumerate(records):
        way = next((key for key in ("example_id", "sent_id") if key in record.ids), None)
        if way is not None:
            example = index.direct(way, record.ids[way])
            if example is None:
                _unmatched(result, log, record, f"{way} {record.ids[way]}")
            elif not index.same_picture(example, record):
                _unmatched(
                    result, log, record,
                    f"{way} {record.ids[way]} of picture {record.ids['image_id']} (here it is "
                    f"of picture {dataset[example].image.id})",
                )
            else:
                _take(result, log, example, row, record, way)
            continue
        name = next((key for key in SENTENCE_KEYS if key in record.ids), None)
        if name is None:  # readers refuse such records
            continue
        group = (name, record.ids[name], normalise_sentence(record.sentence))
        groups.setdefault(group, []).append(row)
    # the most precise keys first, so that the order of the records does not decide who comes first
    for key in sorted(groups, key=lambda key: SENTENCE_KEYS.index(key[0])):
        _align_group(dataset, index, result, log, key, groups[key], records)
    return result


class _Index:
    """Look-up tables over a data set, each made when it is first asked for."""

    def __init__(self, dataset: Dataset) -> None:
        self._dataset = dataset
        self._by_id: dict[str, dict[str, int]] = {}
        self._by_sentence: dict[str, dict[tuple[str, str], list[int]]] = {}

    def direct(self, way: str, value: str) -> int | None:
        if way not in self._by_id:
            table = self._dataset.expressions
            ids = table.ids if way == "example_id" else table.sent_ids
            self._by_id[way] = {text: row for row, text in enumerate(ids) if text}
        return self._by_id[way].get(value)

    def same_picture(self, example: int, record: PredictionRecord) -> bool:
        image_id = record.ids.get("image_id")
        own = self._dataset.images[self._dataset.expressions.image[example]].id
        return image_id is None or image_id == own or not (image_id.isdigit() and own.isdigit())

    def with_sentence(self, key: str, value: str, sentence: str) -> list[int]:
        if key not in self._by_sentence:
            self._by_sentence[key] = self._sentences_by(key)
        return self._by_sentence[key].get((value, sentence), [])

    def _sentences_by(self, key: str) -> dict[tuple[str, str], list[int]]:
        table = self._dataset.expressions
        found: dict[tuple[str, str], list[int]] = {}
        for example in range(len(self._dataset)):
            forms = {normalise_sentence(table.sentences[example])}
            if table.raw[example]:
                forms.add(normalise_sentence(table.raw[example]))
            for value in self._values(key, example):
                for form in forms:
                    found.setdefault((value, form), []).append(example)
        return found

    def _values(self, key: str, example: int) -> list[str]:
        table = self._dataset.expressions
        if key == "ref_id":
            return [table.ref_ids[example]]
        if key == "sample_id":
            return [table.sample_ids[example]]
        if key == "image_id":
            return [self._dataset.images[table.image[example]].id]
        ids = self._dataset.objects.annotation_ids
        return [ids[row] for row in self._dataset.referent_rows(example)]


def _align_group(
    dataset: Dataset, index: _Index, result: Alignment, log: ProblemLog,
    key: tuple[str, str, str], rows: list[int], records: Sequence[PredictionRecord],
) -> None:
    name, value, sentence = key
    examples = index.with_sentence(name, value, sentence)
    way = f"{name} + sentence"
    said = f"{name} {value} and the sentence '{records[rows[0]].sentence[:60]}'"
    if not examples:
        for row in rows:
            _unmatched(result, log, records[row], said)
        return
    one_referent = len({int(dataset.expressions.referent[e]) for e in examples}) == 1
    free = [example for example in examples if example not in result.record_of]
    if len(examples) == 1 or not free:
        for row in rows:
            _take(result, log, examples[0], row, records[row], way)
    elif len(rows) == len(examples):
        if not one_referent:
            log.add(
                "shared-key", "warning", records[rows[0]].where,
                f"{len(examples)} referents share {said}; predictions were taken in order.",
            )
        for example, row in zip(examples, rows, strict=True):
            _take(result, log, example, row, records[row], f"{way}, in order")
    elif len(rows) == 1 and one_referent:
        for example in free:
            _take(result, log, example, rows[0], records[rows[0]], f"{way}, one for repeats")
    else:
        reason = (
            f"{len(rows)} predictions fit {len(examples)} examples with {said}: "
            "which belongs to which cannot be told."
        )
        for example in free:
            result.reasons[example] = reason
            log.add("ambiguous-key", "error", records[rows[0]].where, reason)


def _take(
    result: Alignment, log: ProblemLog, example: int, row: int, record: PredictionRecord, way: str
) -> None:
    if example in result.record_of:
        result.duplicate += 1
        log.add(
            "duplicate-prediction", "warning", record.where,
            f"This example already has a prediction (found by {way}); the first one counts.",
        )
        return
    result.record_of[example] = row
    result.reasons.pop(example, None)
    result.by[way] += 1


def _unmatched(
    result: Alignment, log: ProblemLog, record: PredictionRecord, said: str
) -> None:
    result.unmatched += 1
    log.add("unmatched-prediction", "warning", record.where, f"No example has {said}.")
