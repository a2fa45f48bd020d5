"""What sentences and pictures can be told apart by; one table for page, command and documents."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from inspector.analysis import language, pictures
from inspector.analysis.language import Tokens, tokens_of
from inspector.analysis.relations import says_relation
from inspector.analysis.typos import misspelt_words
from inspector.core.dataset import Dataset

FLAG = ("yes", "no")


@dataclass(frozen=True, slots=True)
class Attribute:
    """One property of examples.

    Attributes:
        key, label, description: For menus and documents.
        kind: Whether it is read off the sentence or the picture.
        values: The names of its values; :data:`FLAG` if it is either so or not.
        compute: Gives ``(n,)`` int8, row of ``values`` for each example of a data set; -1 where
            the attribute is not defined.
    """

    key: str
    label: str
    description: str
    kind: Literal["sentence", "picture"]
    values: tuple[str, ...]
    compute: Callable[[Dataset], np.ndarray]


def _by_sentence(dataset: Dataset, code: Callable[[str], int]) -> np.ndarray:
    """Code each different sentence once."""
    sentences = dataset.expressions.sentences
    codes = {sentence: code(sentence) for sentence in set(sentences)}
    return np.array([codes[sentence] for sentence in sentences], np.int8)


def _rule(key: str, label: str, description: str, holds: Callable[[Tokens], bool]) -> Attribute:
    def compute(dataset: Dataset) -> np.ndarray:
        return _by_sentence(dataset, lambda sentence: 0 if holds(tokens_of(sentence)) else 1)

    return Attribute(key, label, description, "sentence", FLAG, compute)


def _typos(dataset: Dataset) -> np.ndarray:
    misspelt = misspelt_words(map(tokens_of, dataset.expressions.sentences))
    return _by_sentence(
        dataset, lambda sentence: 1 if misspelt.isdisjoint(tokens_of(sentence)) else 0
    )


def _length(dataset: Dataset) -> np.ndarray:
    return _by_sentence(
        dataset, lambda sentence: sum(len(tokens_of(sentence)) >= least for least in (2, 4, 7, 11))
    )


ATTRIBUTES: tuple[Attribute, ...] = (
    _rule("position", "Position",
          "Says where in the picture, or how near to the camera: left, top, front, background.",
          language.says_position),
    _rule("location_word", "Location word",
          "Uses left, right, top, bottom, middle, corner …, also relative to another thing: "
          "forbidden in RefCOCO+.", language.uses_location_word),
    _rule("ordinal", "Ordinal or number", "Names a rank, a quantity or digits: second, two, 79.",
          language.says_number),
    _rule("colour", "Colour", "Names a colour or shade: red, blond, dark.", language.says_colour),
    _rule("size", "Size", "Names size, height, length or thickness of anything: big, tall, long.",
          language.says_size),
    _rule("relation", "Relation",
          "Finds the target through another thing or place: next to, behind, on a horse, holding.",
          says_relation),
    _rule("negation", "Negation", "Excludes something: not, no, without, can't, other than.",
          language.says_negation),
    _rule("clothing", "Clothing", "Names something worn, or says a person is in a colour.",
          language.says_clothing),
    _rule("person", "Person word", "Names a person by kind or role: man, kid, batter.",
          language.says_person),
    _rule("comparison", "Comparison", "Compares: closest, taller, leftmost, more, than.",
          language.says_comparison),
    _rule("bare", "Pronoun or bare category",
          "Nothing but a kind of thing or person, or a pronoun: the lady, it, bus.",
          language.is_bare),
    Attribute("typo", "Likely typo",
              "Has a rare unknown word that is nearly a known one, or two run together.",
              "sentence", FLAG, _typos),
    Attribute("length", "Words in the sentence", "Number of words.", "sentence",
              ("1", "2-3", "4-6", "7-10", "11+"), _length),
    Attribute("same", "Others of its category",
              "Other objects of the target's category in the picture, crowd left out.",
              "picture", ("0", "1", "2-3", "4-6", "7+"), pictures.bin_same_category),
    Attribute("area", "Target area", "Pixels of the target: small < 32², medium < 96² (COCO).",
              "picture", ("small", "medium", "large"), pictures.bin_area),
    Attribute("border", "Touches the border",
              "A pixel of the target lies in the first or last row or column.",
              "picture", FLAG, pictures.touches_border),
    Attribute("components", "Pieces of the target",
              "Separate pieces of its mask; pixels that touch at a corner belong together.",
              "picture", ("1", "2-3", "4+"), pictures.bin_components),
    Attribute("aspect", "Shape of the target",
              "Its box: tall (higher than twice its width), even, wide.",
              "picture", ("tall", "even", "wide"), pictures.bin_aspect),
)
