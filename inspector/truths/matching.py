"""Finds which referents of two data sets are the same: by ids, by sentences, by masks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from inspector.core.dataset import Dataset
from inspector.core.overlap import measure_against
from inspector.core.problems import Problem, ProblemLog
from inspector.truths.carrying import pair_sentences
from inspector.truths.keys import (
    ID_KINDS,
    ID_NAMES,
    SENTENCE_KINDS,
    Ids,
    do_boxes_agree,
    group_rows,
    owners_of,
    unique_rows,
)
from inspector.truths.pictures import pair_pictures
from inspector.truths.referents import Referents, referents_of

WAYS: dict[str, str] = {
    "ann_id": "the same annotation id, picture and box",
    "ref_id": "the same ref id, picture and box",
    "sample_id": "B's sample id is A's ref, annotation or sample id; the same picture and box",
    "sentences": "the same picture and sentences",
    "some_sentences": "the same picture, a sentence that nobody else there shares, and the box",
    "mask": "the same picture and category, and masks that fit each other best (IoU >= 0.5)",
}
"""How a pair was found; in the order in which the ways are tried."""

TRUSTED = 0.5
"""Ids are used at all if picture and box agree for at least this share of the common ones."""


@dataclass(frozen=True, slots=True, eq=False)
class Match:
    """Who is who; rows are those of :class:`Referents` and of the examples.

    Attributes:
        referents_a, referents_b: What was matched; ``k`` pairs in the order of A.
        rows_a, rows_b: ``(k,)`` int32, the pairs.
        way: ``(k,)`` int8, how each was found: place in :data:`WAYS`.
        only_a, only_b: int32, referents that the other data set does not have.
        ambiguous_a, ambiguous_b: int32, referents with several candidates and nothing to tell
            them apart; they are in no comparison.
        examples_a, examples_b: ``(m,)`` int32, the sentences that both have, in the order of A.
        notes: What was decided about ids, in words.
        problems: What a person should look at.
    """

    referents_a: Referents
    referents_b: Referents
    rows_a: np.ndarray
    rows_b: np.ndarray
    way: np.ndarray
    only_a: np.ndarray
    only_b: np.ndarray
    ambiguous_a: np.ndarray
    ambiguous_b: np.ndarray
    examples_a: np.ndarray
    examples_b: np.ndarray
    notes: tuple[str, ...]
    problems: tuple[Problem, ...]

    def __len__(self) -> int:
        return len(self.rows_a)

    @property
    def by(self) -> dict[str, int]:
        """How many pairs each way has found; they add up to all."""
        counts = np.bincount(self.way, minlength=len(WAYS)).tolist()
        return dict(zip(WAYS, counts, strict=True))


def match_referents(a: Dataset, b: Dataset) -> Match:
    """Match the referents of two data sets, and the sentences of those that are matched.

    Ids are tried first, as far as picture and box agree; then the sentences of a picture, those
    that repeat counted as often; then masks of one category. What fits several is ambiguous:
    nothing is guessed.

    Raises:
        UsageError: If the data sets have no picture in common.
    """
    log = ProblemLog()
    keys_a, keys_b = pair_pictures(a, b, log)
    first, second = referents_of(a), referents_of(b)
    matching = _Matching(first, second, keys_a[first.image], keys_b[second.image])
    for way, kind_a, kind_b in ID_KINDS:
        matching.by_ids(way, kind_a, kind_b)
    for words_a, words_b in SENTENCE_KINDS:
        matching.by_sentences(words_a, words_b)
    matching.by_some_sentences()
    matching.by_masks()
    return matching.close(log)


class _Matching:
    """What is matched so far; each step looks only at what is left."""

    def __init__(
        self, a: Referents, b: Referents, picture_a: np.ndarray, picture_b: np.ndarray
    ) -> None:
        self._a, self._b = a, b
        self._picture_a, self._picture_b = picture_a.tolist(), picture_b.tolist()
        self._partner: dict[int, int] = {}
        self._way: dict[int, str] = {}
        self._taken: set[int] = set()
        self._unclear_a: set[int] = set()
        self._unclear_b: set[int] = set()
        self._notes: list[str] = []
        self._by_words_a = group_rows(zip(self._picture_a, a.sentences, strict=True))
        self._by_words_b = group_rows(zip(self._picture_b, b.sentences, strict=True))

    def by_ids(self, way: str, ids_a: Ids, ids_b: Ids) -> None:
        """Match what has the same id, on the same picture, with a box that agrees."""
        unique_a, unique_b = unique_rows(ids_a(self._a)), unique_rows(ids_b(self._b))
        common = [(unique_a[key], unique_b[key]) for key in unique_a if key in unique_b]
        fitting = [pair for pair in common if self._is_same_place(*pair)]
        if not common or not any(self._is_free(*pair) for pair in common):
            return
        title = f"{ID_NAMES[ids_a]} of A and {ID_NAMES[ids_b]} of B"
        if len(fitting) < TRUSTED * len(common):
            self._notes.append(
                f"{title} were not used: picture and box agree for {len(fitting):,} of the "
                f"{len(common):,} that are equal"
            )
            return
        before = len(self._partner)
        for a, b in fitting:
            if self._is_free(a, b) and not self._do_sentences_contradict(a, b):
                self._join(a, b, way)
        if (found := len(self._partner) - before) and ids_a is not ids_b:
            self._notes.append(f"{found:,} of the {title} are the same")

    def by_sentences(
        self, words_a: Callable[[Referents], list[tuple[str, ...]]],
        words_b: Callable[[Referents], list[tuple[str, ...]]],
    ) -> None:
        """Match what has the same sentences on one picture; boxes tell equal ones apart."""
        groups_a = self._left(words_a(self._a), self._picture_a, self._partner)
        groups_b = self._left(words_b(self._b), self._picture_b, self._taken)
        for key, rows_a in groups_a.items():
            rows_b = groups_b.get(key, [])
            if len(rows_a) == 1 and len(rows_b) == 1:
                self._join(rows_a[0], rows_b[0], "sentences")
            elif rows_b:
                for a, b in self._alone(rows_a, rows_b):
                    self._join(a, b, "sentences")

    def by_some_sentences(self) -> None:
        """Match what shares a sentence with just one referent there, where the box agrees."""
        owners_a = owners_of(self._a.sentences, self._picture_a)
        owners_b = owners_of(self._b.sentences, self._picture_b)
        near_a: dict[int, set[int]] = defaultdict(set)
        near_b: dict[int, set[int]] = defaultdict(set)
        for key, rows_a in owners_a.items():
            for a in rows_a:
                near_a[a] |= owners_b.get(key, set())
            for b in owners_b.get(key, set()):
                near_b[b] |= rows_a
        for a, rows_b in near_a.items():
            if len(rows_b) == 1:
                (b,) = rows_b
                if near_b[b] == {a} and self._is_free(a, b) and self._is_same_place(a, b):
                    self._join(a, b, "some_sentences")

    def by_masks(self) -> None:
        """Match what is left by category and mask; what fits several becomes ambiguous."""
        for rows_a, rows_b in self._pictures_left():
            fit = self._fits(rows_a, rows_b)
            best_a, best_b = fit == fit.max(axis=1)[:, None], fit == fit.max(axis=0)[None, :]
            clear_a, clear_b = best_a.sum(axis=1) == 1, best_b.sum(axis=0) == 1
            mutual = (fit > 0) & best_a & best_b & clear_a[:, None] & clear_b[None, :]
            for i, j in np.argwhere(mutual).tolist():
                self._join(rows_a[i], rows_b[j], "mask")
            for i, j in np.argwhere(fit > 0).tolist():
                if self._is_free(rows_a[i], rows_b[j]):
                    self._unclear_a.add(rows_a[i])
                    self._unclear_b.add(rows_b[j])
        groups_a = self._left(self._a.sentences, self._picture_a, self._partner)
        groups_b = self._left(self._b.sentences, self._picture_b, self._taken)
        for key in groups_a.keys() & groups_b.keys():
            self._unclear_a.update(groups_a[key])
            self._unclear_b.update(groups_b[key])

    def close(self, log: ProblemLog) -> Match:
        """Give what was found, and what a person should look at."""
        rows_a = sorted(self._partner)
        rows_b = [self._partner[row] for row in rows_a]
        places = {way: place for place, way in enumerate(WAYS)}
        examples = pair_sentences(self._a, self._b, rows_a, rows_b)
        left_a = [row for row in range(len(self._a)) if row not in self._partner]
        left_b = [row for row in range(len(self._b)) if row not in self._taken]
        if self._unclear_a:
            log.add(
                "truths-ambiguous", "warning", "",
                f"{len(self._unclear_a):,} referents of A and {len(self._unclear_b):,} of B fit "
                "each other in more than one way and are in no comparison.",
                count=len(self._unclear_a),
            )
        unused = [note for note in self._notes if "not used" in note]
        for note in unused:
            log.add("truths-ids", "info", "", f"{note[0].upper()}{note[1:]}.")
        return Match(
            referents_a=self._a, referents_b=self._b, rows_a=_rows(rows_a), rows_b=_rows(rows_b),
            way=np.array([places[self._way[row]] for row in rows_a], np.int8),
            only_a=_rows(row for row in left_a if row not in self._unclear_a),
            only_b=_rows(row for row in left_b if row not in self._unclear_b),
            ambiguous_a=_rows(sorted(self._unclear_a)),
            ambiguous_b=_rows(sorted(self._unclear_b)),
            examples_a=examples[:, 0], examples_b=examples[:, 1],
            notes=tuple(self._notes), problems=log.close(),
        )

    def _join(self, a: int, b: int, way: str) -> None:
        self._partner[a], self._way[a] = b, way
        self._taken.add(b)

    def _is_free(self, a: int, b: int) -> bool:
        return a not in self._partner and b not in self._taken

    def _is_same_place(self, a: int, b: int) -> bool:
        """Whether picture and box agree; two without target agree on their picture alone."""
        if self._picture_a[a] < 0 or self._picture_a[a] != self._picture_b[b]:
            return False
        has_a, has_b = self._a.target[a] >= 0, self._b.target[b] >= 0
        if not (has_a and has_b):
            return bool(has_a == has_b)
        return do_boxes_agree(self._a.boxes_xywh[a], self._b.boxes_xywh[b])

    def _do_sentences_contradict(self, a: int, b: int) -> bool:
        """Whether the sentences are those of another referent of the picture, on either side."""
        if set(self._a.sentences[a]) & set(self._b.sentences[b]):
            return False
        others_a = self._by_words_a.get((self._picture_b[b], self._b.sentences[b]), [])
        others_b = self._by_words_b.get((self._picture_a[a], self._a.sentences[a]), [])
        return bool(others_a or others_b)

    def _left(
        self, words: Sequence[tuple[str, ...]], pictures: list[int], taken: Iterable[int]
    ) -> dict[tuple[int, tuple[str, ...]], list[int]]:
        done = set(taken)
        groups = group_rows(zip(pictures, words, strict=True))
        left = {
            key: [row for row in rows if row not in done]
            for key, rows in groups.items()
            if key[0] >= 0 and key[1]
        }
        return {key: rows for key, rows in left.items() if rows}

    def _alone(self, rows_a: list[int], rows_b: list[int]) -> list[tuple[int, int]]:
        """Pair those whose boxes agree with each other and with nobody else's."""
        near = [[self._is_same_place(a, b) for b in rows_b] for a in rows_a]
        table = np.array(near, bool)
        single = table & (table.sum(axis=1) == 1)[:, None] & (table.sum(axis=0) == 1)[None, :]
        return [(rows_a[i], rows_b[j]) for i, j in np.argwhere(single).tolist()]

    def _pictures_left(self) -> Iterator[tuple[list[int], list[int]]]:
        """Give the readable referents of each picture that are left on both sides."""
        left_b: dict[int, list[int]] = defaultdict(list)
        for row, picture in enumerate(self._picture_b):
            if picture >= 0 and row not in self._taken and self._b.is_usable(row):
                left_b[picture].append(row)
        left_a: dict[int, list[int]] = defaultdict(list)
        for row, picture in enumerate(self._picture_a):
            if picture in left_b and row not in self._partner and self._a.is_usable(row):
                left_a[picture].append(row)
        for picture, rows in left_a.items():
            yield rows, left_b[picture]

    def _fits(self, rows_a: list[int], rows_b: list[int]) -> np.ndarray:
        """IoU of the masks where it is at least a half and the categories agree, else 0."""
        fit = np.zeros((len(rows_a), len(rows_b)))
        masks_a, masks_b = self._a.dataset.targets.masks, self._b.dataset.targets.masks
        targets_b = self._b.target[rows_b]
        for i, row in enumerate(rows_a):
            target = int(self._a.target[row])
            shared = measure_against(masks_a, target, masks_b, targets_b.tolist())
            union = masks_a.areas[target] + masks_b.areas[targets_b] - shared
            same = [
                not (own := self._a.categories[row]) or not (other := self._b.categories[b])
                or own == other
                for b in rows_b
            ]
            fit[i] = np.where((2 * shared >= union) & np.array(same), shared / union, 0.0)
        return fit


def _rows(rows: Iterable[int]) -> np.ndarray:
    return np.array(list(rows), np.int32)
