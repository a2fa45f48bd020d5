"""Which prediction belongs to which example: the one place where that is decided."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from inspector.core.dataset import Dataset
from inspector.core.problems import ProblemLog
from inspector.predictions.index import DIRECT, ExampleIndex, named_by
from inspector.predictions.records import SENTENCE_KEYS, PredictionRecord


@dataclass(slots=True)
class Alignment:
    """Result of aligning: rows of the records by example, and what did not fit.

    Attributes:
        record_of: Which record an example takes.
        reasons: Why an example's prediction cannot be used although one was found.
        duplicate: Number of further records for examples that have one.
        leftover: Why a record belongs to no example, by its row.
        by: How many examples each way of matching served.
    """

    record_of: dict[int, int] = field(default_factory=dict)
    reasons: dict[int, str] = field(default_factory=dict)
    duplicate: int = 0
    leftover: dict[int, str] = field(default_factory=dict)
    by: Counter[str] = field(default_factory=Counter)

    def describe(self) -> tuple[str, ...]:
        """Say in words how many examples were matched in which way."""
        return tuple(f"{count:,} by {way}" for way, count in self.by.most_common())


@dataclass(frozen=True, slots=True)
class Claim:
    """The examples that a record may mean, and by which of its keys."""

    rank: int
    way: str
    said: str
    examples: tuple[int, ...]
    is_exact: bool = False
    names_sentence: bool = True


def align(dataset: Dataset, records: Sequence[PredictionRecord], log: ProblemLog) -> Alignment:
    """Match records to examples by the most precise of their keys that fits anything.

    The ladder: an id of the example; a referent and the number of its sentence; the id of a
    referent, annotation, sample or picture with the sentence; the same without a sentence; the
    file's own ground truth; an ``id`` of unknown kind. A key that fits an example of another
    picture or with another sentence does not fit. Without a sentence only the most precise key of
    a record is asked.

    Where one referent has the same sentence m times, m predictions are taken in order and a
    single one serves all of them. Where referents of one picture share a sentence and the key
    cannot tell them apart, predictions are taken in order only if their number agrees, with a
    warning. Any other number makes these examples invalid: a guess could swap two masks.
    """
    result = Alignment()
    index = ExampleIndex(dataset)
    groups: dict[tuple[int, str, tuple[int, ...]], list[int]] = {}
    claims: dict[tuple[int, str, tuple[int, ...]], Claim] = {}
    for row, record in enumerate(records):
        claim = claim_of(index, record)
        if isinstance(claim, str):
            result.leftover[row] = claim
        elif claim.is_exact:
            _take(result, log, claim.examples[0], row, record, claim.way)
        else:
            key = (claim.rank, claim.way, claim.examples)
            groups.setdefault(key, []).append(row)
            claims.setdefault(key, claim)
    repeats = {claim.way for key, claim in claims.items() if len(groups[key]) > 1}
    # the most precise keys first, so that the order of the records does not decide who comes first
    for key in sorted(groups, key=lambda key: key[0]):
        claim = claims[key]
        one_each = claim.names_sentence or claim.way not in repeats
        _align_group(dataset, result, log, claim, groups[key], records, may_serve_all=one_each)
    return result


def claim_of(index: ExampleIndex, record: PredictionRecord) -> Claim | str:
    """Find the most precise key of a record that fits; else say what does not fit."""
    against = ""
    for key in DIRECT:
        if key not in record.ids:
            continue
        example = index.direct(key, record.ids[key])
        if example is None:
            against = against or named_by(record, key)
        elif objection := index.objection(example, record):
            against = against or f"{key} {record.ids[key]} {objection}"
        else:
            return Claim(0, key, named_by(record, key), (example,), is_exact=True)
    for claim in _by_larger_thing(index, record):
        if claim.examples:
            return claim
        against = against or claim.said
    if record.truth is not None:
        said = "the ground truth that stands in the file"
        if examples := tuple(index.with_truth(record.truth)):
            return Claim(90, "the ground truth in the file", said, examples, names_sentence=False)
        against = against or said
    return _by_unknown_id(index, record) or against or "no key at all"


def _by_larger_thing(index: ExampleIndex, record: PredictionRecord) -> list[Claim]:
    """Give what each id of a referent, annotation, sample or picture fits, precise ones first."""
    claims: list[Claim] = []
    most_precise = next((key for key in (*DIRECT, *SENTENCE_KEYS) if key in record.ids), "")
    for rank, key in enumerate(SENTENCE_KEYS, 1):
        if key not in record.ids:
            continue
        value, said = record.ids[key], named_by(record, key)

        def fitting(found: list[int]) -> tuple[int, ...]:
            return tuple(example for example in found if not index.objection(example, record))

        if record.occurrence is not None and key != "image_id":
            place = record.occurrence
            fits = fitting(index.of_key(key, value)[place : place + 1])
            claims.append(Claim(rank, f"{key} + number of the sentence", said, fits, bool(fits)))
        elif record.sentence:
            for loosely in (False, True):
                fits = fitting(index.with_sentence(key, value, record.sentence, loosely=loosely))
                way = f"{key} + sentence" + " by letters" * loosely
                claims.append(Claim(rank + 10 * loosely, way, said, fits))
        elif key == most_precise:  # one that fits nothing is no reason to guess by a larger one
            fits = fitting(index.of_key(key, value))
            claims.append(Claim(rank + 20, key, said, fits, names_sentence=False))
    return claims


def _by_unknown_id(index: ExampleIndex, record: PredictionRecord) -> Claim | None:
    """Take a bare ``id`` for that of an example, but only if picture or sentence agree."""
    if "id" not in record.ids or not ("image_id" in record.ids or record.sentence):
        return None
    for key in DIRECT:
        example = index.direct(key, record.ids["id"])
        if example is not None and not index.objection(example, record):
            return Claim(91, f"id as {key}", f"id {record.ids['id']}", (example,), is_exact=True)
    return None


def _align_group(
    dataset: Dataset, result: Alignment, log: ProblemLog, claim: Claim, rows: list[int],
    records: Sequence[PredictionRecord], *, may_serve_all: bool,
) -> None:
    examples, way, said = claim.examples, claim.way, claim.said
    one_referent = len({int(dataset.expressions.referent[e]) for e in examples}) == 1
    free = [example for example in examples if example not in result.record_of]
    first = records[rows[0]]
    if len(examples) == 1 or not free:
        for row in rows:
            _take(result, log, examples[0], row, records[row], way)
    elif len(rows) == len(examples):
        if not one_referent or not claim.names_sentence:
            what = "sentences" if one_referent else "referents"
            log.add(
                "shared-key", "warning", first.where,
                f"{len(examples)} {what} share {said}; predictions were taken in order.",
            )
        for example, row in zip(examples, rows, strict=True):
            _take(result, log, example, row, records[row], f"{way}, in order")
    elif len(rows) == 1 and one_referent and may_serve_all:
        if not claim.names_sentence:
            log.add(
                "shared-key", "warning", first.where,
                f"{len(examples)} sentences share {said}; one prediction serves all of them.",
            )
        kind = "one for repeats" if claim.names_sentence else "one for all its sentences"
        for example in free:
            _take(result, log, example, rows[0], first, f"{way}, {kind}")
    else:
        reason = (
            f"{len(rows)} prediction{'s fit' if len(rows) > 1 else ' fits'} {len(examples)} "
            f"examples with {said}: which belongs to which cannot be told."
        )
        for example in free:
            result.reasons[example] = reason
            log.add("ambiguous-key", "error", first.where, reason)


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
