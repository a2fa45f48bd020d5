"""Words that were perhaps meant, where a filter of sentences leaves nothing."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Sequence
from functools import cached_property

from inspector.browse.selection import Selection


class Spelling:
    """Knows the words of all sentences, which are given in small letters."""

    def __init__(self, folded: Sequence[str]) -> None:
        self._folded = folded

    def suggest(self, selection: Selection) -> str:
        """Give the words of the sentence filter with unknown ones replaced by near ones, or ""."""
        words, how = selection.filters.get("sentence", ""), selection.filters.get("match", "")
        if not words or "r" in how or "n" in how:
            return ""
        replaced = [self._near(word) for word in words.casefold().split()]
        suggestion = " ".join(replaced)
        return suggestion if suggestion != words.casefold() else ""

    def _near(self, word: str) -> str:
        if word in self._vocabulary:
            return word
        near = difflib.get_close_matches(word, list(self._vocabulary), n=5, cutoff=0.7)
        return max(near, key=lambda w: self._vocabulary[w], default=word)

    @cached_property
    def _vocabulary(self) -> Counter[str]:
        return Counter(word for text in self._folded for word in text.split())
