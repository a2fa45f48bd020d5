"""Likely typos: words that are rare, unknown, and close to a word that is neither."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from inspector.analysis.language import Tokens
from inspector.analysis.vocabulary import VOCABULARY

_ENDINGS = ("s", "es", "ed", "d", "er", "r", "ing", "y", "ly", "ish", "less", "n't", "ness", "like",
            "'s", "s'")
_OFTEN = 12
_LONGEST = 24
"""Letters of a word that is compared with its neighbours; there are about 100 n² of n letters."""

_SLANG = frozenset(
    "pic pics blk wht lol haha cant dont isnt doesnt wont didnt mans womans ladys guys whos hes "
    "shes "
    "thats aint omg wtf btw tee ppl bldg nope yeah okay hmm umm gonna wanna lil bro tv pc suv ump "
    "thru ref cam oclock ight farleft farright selfie yep meh wow sorry thx pls plz".split()
)


def misspelt_words(sentences: Iterable[Tokens]) -> frozenset[str]:
    """Find the words of a data set that are likely misspelt or two words run together.

    A word is taken as good if it is in the vocabulary of this package, an inflection of such a
    word, slang, or frequent in the data set itself (in twelve sentences or more, unless a word at
    that distance is known and twice as frequent, or ten times as frequent). Another is a likely
    typo if it has four letters or more and one of these holds: one letter (from seven letters
    on: two) added, left out, exchanged or swapped makes a good word of the same first letter; or
    it falls into a word of place, or a preposition, and a known word. Words of more than 24 letters
    are not compared with others.

    Args:
        sentences: The tokens of every sentence.
    """
    counts = Counter(token for tokens in sentences for token in set(tokens))
    good = {token for token in counts if _is_known(token)}
    good |= {token for token, number in counts.items() if number >= _OFTEN and token not in good
             and not _is_shadow(token, number, counts)}
    frequent = VOCABULARY | {token for token in good if counts[token] >= _OFTEN}
    return frozenset(
        token for token in counts
        if token not in good and token.isalpha() and token.isascii() and len(token) >= 4
        and (_is_near(token, frequent) or _is_run_together(token))
    )


@lru_cache(maxsize=100_000)
def _is_known(token: str) -> bool:
    if token in VOCABULARY or token in _SLANG or not token.isalpha() and "'" not in token:
        return True
    for ending in _ENDINGS:
        stem = token.removesuffix(ending)
        if stem != token and len(stem) >= 2 and (
            stem in VOCABULARY or stem + "e" in VOCABULARY
            or ending in ("es", "er", "ed", "ly") and stem.removesuffix("i") + "y" in VOCABULARY
            or len(stem) > 3 and stem[-1] == stem[-2] and stem[:-1] in VOCABULARY
        ):
            return True
    return False


def _is_shadow(token: str, number: int, counts: Counter[str]) -> bool:
    """Whether a frequent word is itself a frequent way to misspell one that is known."""
    if len(token) > _LONGEST:
        return False
    return any(
        near in VOCABULARY and counts[near] >= 2 * number or counts.get(near, 0) >= 10 * number
        for near in _edits(token) | (_deep(token) if len(token) >= 7 else set()) if near in counts
    )


def _is_near(token: str, known: frozenset[str]) -> bool:
    if len(token) > _LONGEST:
        return False
    near = {word for word in _edits(token) & known if word[0] == token[0] and len(word) >= 4}
    if near:
        return True
    return len(token) >= 7 and any(word[0] == token[0] for word in _deep(token) & known)


_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def _edits(token: str) -> set[str]:
    """Everything at one letter's distance: left out, added, exchanged, or two swapped."""
    splits = [(token[:place], token[place:]) for place in range(len(token) + 1)]
    found = {left + right[1:] for left, right in splits if right}
    found |= {left + right[1] + right[0] + right[2:] for left, right in splits if len(right) > 1}
    found |= {left + letter + right[1:] for left, right in splits if right for letter in _LETTERS}
    found |= {left + letter + right for left, right in splits for letter in _LETTERS}
    return found - {token}


def _deep(token: str) -> set[str]:
    """Words at two letters' distance that a person gets wrong so: two of left out or swapped."""
    return {
        word for near in _less(token) for word in _edits(near)
    } - {token}


def _less(token: str) -> set[str]:
    splits = [(token[:place], token[place:]) for place in range(len(token) + 1)]
    return {left + right[1:] for left, right in splits if right} | {
        left + right[1] + right[0] + right[2:] for left, right in splits if len(right) > 1
    }


_GLUE = frozenset("on in at of with left right top bottom front back pic middle wearing".split())


def _is_run_together(token: str) -> bool:
    for place in range(2, len(token) - 1):
        first, second = token[:place], token[place:]
        if first in _GLUE and second in VOCABULARY and len(second) >= 3:
            return True
        if second in _GLUE and first in VOCABULARY and len(first) >= 3:
            return True
    return False
