"""Sentences made comparable: the same words written differently by different tools."""

from __future__ import annotations

import re

_BEFORE_PUNCTUATION = re.compile(r"\s+(?=[,.;:?!'’\")\]])")
_CLOSING = " \t.?!\"'’”"


def normalise_sentence(sentence: str) -> str:
    """Bring a sentence to the form in which predictions and data sets are compared.

    Letter case, repeated spaces, spaces before punctuation and closing punctuation are dropped:
    REFER's ``raw`` and ``sent`` of one sentence differ in just these.

    Example:
        >>> normalise_sentence('A small ,  tan bowl with a lip.')
        'a small, tan bowl with a lip'
    """
    text = " ".join(sentence.split()).casefold()
    return _BEFORE_PUNCTUATION.sub("", text).strip(_CLOSING)
