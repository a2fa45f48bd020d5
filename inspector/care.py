"""Sentences that may hurt: found by a short list of words, so that they are shown only on request.

Data sets of referring expressions were written by people in a game, and some wrote insults and
sexual remarks. RefCOCO-M dropped 46 such samples; the others keep them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from inspector.core.errors import FormatError

LIST = Path(__file__).with_name("care_words.txt")
_MOST_BYTES = 1_000_000


@dataclass(frozen=True)
class CareWords:
    """A list of words; a star at the end of one stands for any letters.

    Example:
        >>> words = CareWords(("idiot*", "camel toe"))
        >>> words.match("those IDIOTS"), words.match("an idiom"), words.match("camel  toe")
        (True, False, True)
    """

    words: tuple[str, ...]

    @cached_property
    def _pattern(self) -> re.Pattern[str] | None:
        parts = [_part(word) for word in self.words]
        return re.compile("|".join(parts), re.IGNORECASE) if parts else None

    def match(self, sentence: str) -> bool:
        """Whether a sentence holds one of the words."""
        return bool(self._pattern and self._pattern.search(sentence))


_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Burmese, Khmer
    "\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9f"  # Japanese
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Chinese
)
"""Letters of scripts that put no space between words: beside one, any word may begin or end."""

_BEGIN, _END = rf"(?<![^\W{_UNSPACED}])", rf"(?![^\W{_UNSPACED}])"
_IS_UNSPACED = re.compile(f"[{_UNSPACED}]")


def _part(word: str) -> str:
    """Write the pattern of one word of the list; it is a whole one where its script has spaces."""
    plain = word.removesuffix("*")
    begin = "" if _IS_UNSPACED.match(plain[0]) else _BEGIN
    end = "" if word.endswith("*") or _IS_UNSPACED.match(plain[-1]) else _END
    return begin + r"\s+".join(map(re.escape, plain.split())) + end


def veil_blocks(blocks: list[dict[str, Any]], words: CareWords) -> list[dict[str, Any]]:
    """Mark the cells of tables whose words may hurt: ``veiled`` in a row names their columns."""
    def veiled(row: dict[str, Any], keys: list[str]) -> dict[str, Any]:
        found = [key for key in keys if isinstance(row.get(key), str) and words.match(row[key])]
        return {**row, "veiled": found} if found else row

    return [
        {**block, "rows": [
            veiled(row, [c["key"] for c in block["columns"] if c["kind"] in ("text", "data")])
            for row in block["rows"]
        ]} if block["kind"] == "table" else block
        for block in blocks
    ]


def read_care_words(more: Iterable[Path] = ()) -> CareWords:
    """Read the list that comes with the inspector and further ones of one's own.

    Args:
        more: Text files with a word a line; ``#`` begins a comment.

    Raises:
        FormatError: If a file is no text, or is too large to be a list of words.
    """
    words: dict[str, None] = {}
    for path in (LIST, *more):
        for line in _lines(path):
            word = " ".join(line.partition("#")[0].split()).casefold()
            if word.strip("*"):
                words[word] = None
    return CareWords(tuple(words))


def _lines(path: Path) -> list[str]:
    try:
        with path.open("rb") as file:
            content = file.read(_MOST_BYTES + 1)
        if len(content) > _MOST_BYTES:
            raise FormatError(
                "is larger than a list of words, against at most 1 MB expected", path=path,
                hint="Give a text file with a word a line.",
            )
        return content.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise FormatError(
            "is no UTF-8 text, against a list of words with one a line", path=path,
            hint="Save it as UTF-8.",
        ) from error
