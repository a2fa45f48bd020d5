"""The filter of the sentence: words or a pattern, compared in the ways that ``match`` names.

Letters of ``match``: ``w`` whole words, ``r`` regular expression, ``c`` letter case, ``n`` not.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_BETWEEN = r"[^\p{L}\p{N}_]"  # what may stand beside a whole word, in any script


def sentence_predicate(values: Mapping[str, str]) -> tuple[str, list[Any]]:
    """Give SQL and its parameters, from the values ``sentence`` and ``match``."""
    words, how = " ".join(values["sentence"].split()), values.get("match", "")
    if "r" in how or "w" in how:
        pattern = values["sentence"] if "r" in how else re.escape(words)
        if "w" in how:
            pattern = rf"(^|{_BETWEEN})(?:{pattern})({_BETWEEN}|$)"
        clause = "regexp_matches(sentence, ?, ?)"
        parameters: list[Any] = [pattern, "c" if "c" in how else "i"]
    elif "c" in how:
        clause, parameters = "contains(sentence, ?)", [words]
    else:
        clause, parameters = "contains(folded, ?)", [words.casefold()]
    return (f"NOT {clause}" if "n" in how else clause), parameters


def sentence_phrase(values: Mapping[str, str]) -> str:
    """Say the same in English."""
    how = values.get("match", "")
    verb = "matches" if "r" in how else "contains"
    if "n" in how:
        verb = f"does not {verb[:-2] if verb == 'matches' else verb[:-1]}"
    what = "" if "w" not in how or "r" in how else "the word "
    if "w" in how and "r" in how:
        what = "as whole words "
    case = " in this letter case" if "c" in how else ""
    return f"sentence {verb} {what}“{shorten(values['sentence'])}”{case}"


def shorten(words: str) -> str:
    """Cut what a person has typed to what fits into a phrase."""
    return words if len(words) <= 80 else words[:79] + "…"
