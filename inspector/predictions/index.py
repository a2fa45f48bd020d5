"""Which examples of a data set a record may mean: look-up tables, made when first asked for."""

from __future__ import annotations

import re
from collections.abc import Iterable

from inspector.core.dataset import Dataset
from inspector.core.ids import picture_key
from inspector.core.sentences import normalise_sentence
from inspector.predictions.records import SENTENCE_KEYS, PredictionRecord

_NOT_LETTERS = re.compile(r"\W+")

DIRECT = ("example_id", "sent_id")


def letters(sentence: str) -> str:
    """Bring a sentence down to its letters and digits: what a lost space or hyphen leaves."""
    return _NOT_LETTERS.sub("", sentence.casefold())


class ExampleIndex:
    """Finds the examples that a key of a record fits, and says why one does not."""

    def __init__(self, dataset: Dataset) -> None:
        self.dataset = dataset
        self._by_id: dict[str, dict[str, int]] = {}
        self._by_key: dict[str, dict[str, list[int]]] = {}
        self._by_sentence: dict[tuple[str, bool], dict[tuple[str, str], list[int]]] = {}
        self._by_truth: dict[bytes, list[int]] | None = None
        self._pictures: dict[str, frozenset[int]] | None = None

    def direct(self, key: str, value: str) -> int | None:
        """Find the example that an id names alone."""
        if key not in self._by_id:
            table = self.dataset.expressions
            ids = table.ids if key == "example_id" else table.sent_ids
            self._by_id[key] = {text: row for row, text in enumerate(ids) if text}
        return self._by_id[key].get(value)

    def of_key(self, key: str, value: str) -> list[int]:
        """Give the examples of a referent, annotation, sample or picture, in their order."""
        if key not in self._by_key:
            found: dict[str, list[int]] = {}
            for example in range(len(self.dataset)):
                for own in self._values(key, example):
                    found.setdefault(own, []).append(example)
            self._by_key[key] = found
        return self._by_key[key].get(value, [])

    def with_sentence(self, key: str, value: str, sentence: str, *, loosely: bool) -> list[int]:
        """Give the examples of a thing that have a sentence; ``loosely`` compares letters only."""
        if (key, loosely) not in self._by_sentence:
            found: dict[tuple[str, str], list[int]] = {}
            for example in range(len(self.dataset)):
                for own in self._values(key, example):
                    for form in self._forms(example, loosely=loosely):
                        found.setdefault((own, form), []).append(example)
            self._by_sentence[key, loosely] = found
        form = letters(sentence) if loosely else normalise_sentence(sentence)
        return self._by_sentence[key, loosely].get((value, form), [])

    def with_truth(self, counts: bytes) -> list[int]:
        """Give the examples whose target has just these compressed counts."""
        if self._by_truth is None:
            self._by_truth = {}
            masks = self.dataset.targets.masks
            for example, target in enumerate(self.dataset.expressions.target.tolist()):
                if target >= 0:
                    self._by_truth.setdefault(masks.counts(target), []).append(example)
        return self._by_truth.get(counts, [])

    def objection(self, example: int, record: PredictionRecord) -> str:
        """Say why an example cannot be meant: its picture or its sentence is another; or nothing.

        Ids are unique inside one data set and one split-by only, so that a key can fit by chance.
        """
        image_id = record.ids.get("image_id")
        own = self.dataset.images[self.dataset.expressions.image[example]].id
        if image_id is not None and not self._is_picture(image_id, example, own):
            return f"of picture {image_id} (here it is of picture {own})"
        if record.sentence and not self._says(example, record.sentence):
            said = self.dataset.expressions.sentences[example]
            return f"with the sentence '{record.sentence[:60]}' (here it is '{said[:60]}')"
        return ""

    def _is_picture(self, image_id: str, example: int, own: str) -> bool:
        if image_id == own or picture_key(own) == image_id:
            return True
        if image_id.isdigit() and own.isdigit():
            return False
        if self._pictures is None:
            pictures: dict[str, set[int]] = {}
            for row, image in enumerate(self.dataset.images):
                for name in {image.id, picture_key(image.file_name), picture_key(image.id)}:
                    pictures.setdefault(name, set()).add(row)
            self._pictures = {name: frozenset(rows) for name, rows in pictures.items()}
        known = self._pictures.get(image_id)
        return known is None or int(self.dataset.expressions.image[example]) in known

    def _says(self, example: int, sentence: str) -> bool:
        return letters(sentence) in self._forms(example, loosely=True)

    def _forms(self, example: int, *, loosely: bool) -> set[str]:
        table = self.dataset.expressions
        own = [text for text in (table.sentences[example], table.raw[example]) if text]
        return {letters(text) if loosely else normalise_sentence(text) for text in own}

    def _values(self, key: str, example: int) -> Iterable[str]:
        table = self.dataset.expressions
        if key == "ref_id":
            return [table.ref_ids[example]]
        if key == "sample_id":
            return [table.sample_ids[example]]
        if key == "image_id":
            image = self.dataset.images[table.image[example]]
            return {image.id, picture_key(image.id), picture_key(image.file_name)}
        ids = self.dataset.objects.annotation_ids
        return [ids[row] for row in self.dataset.referent_rows(example)]


def named_by(record: PredictionRecord, key: str) -> str:
    """Say in words what a record names."""
    said = f"{key} {record.ids[key]}"
    if key in SENTENCE_KEYS and record.sentence:
        said += f" and the sentence '{record.sentence[:60]}'"
    return said
