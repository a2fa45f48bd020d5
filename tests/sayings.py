"""The matching of ``inspector/ui/viewer/said.js`` in Python, to look at a table from a test.

``test_sayings.py`` lets both translate the same words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

PLACE = re.compile(r"\{([#*]?\w+)\}")
NUMBER = r"[-+−]?[\d.,]*\d(?:e[-+]?\d+)?|–"
JOINTS = ("\n", ". ", "; ", " AND ", ", ", " · ")


@dataclass(frozen=True, slots=True)
class Pattern:
    """One entry with places."""

    source: str
    to: str
    regex: re.Pattern[str]

    @property
    def length(self) -> int:
        """Letters outside of places: of two that fit, the longer says more."""
        return len(PLACE.sub("", self.source))


def as_pattern(source: str, to: str) -> Pattern:
    parts = PLACE.split(source)
    for at, part in enumerate(parts):
        if at % 2 == 0:
            parts[at] = re.escape(part)
        elif part.startswith("#"):
            parts[at] = f"(?P<{part[1:]}>{NUMBER})"
        else:
            is_said = part.startswith("*")
            parts[at] = f"(?P<said_{part[1:]}>.+?)" if is_said else f"(?P<{part}>.*?)"
    return Pattern(source, to, re.compile("".join(parts), re.DOTALL))


class Sayings:
    """A table of what the server says, asked as the page asks it."""

    def __init__(self, entries: Mapping[str, str]) -> None:
        self.exact = {key: value for key, value in entries.items() if not PLACE.search(key)}
        patterns = [as_pattern(k, v) for k, v in entries.items() if PLACE.search(k)]
        self.patterns = sorted(patterns, key=lambda pattern: -pattern.length)
        self._kept: dict[str, str | None] = {}

    def translate(self, words: str) -> str | None:
        """Give the words in the other language, None where it has none."""
        if not any(letter.isalpha() for letter in words):
            return words
        if words in self.exact:
            return self.exact[words]
        if words not in self._kept:
            found = self._joined(words)
            found = next((to for _, to in self.fits(words)), None) if found is None else found
            self._kept[words] = self._ended(words) if found is None else found
        return self._kept[words]

    def fits(self, words: str) -> Iterator[tuple[Pattern, str]]:
        """Give every pattern that fits, and what it makes of the words."""
        for pattern in self.patterns:
            match = pattern.regex.fullmatch(words)
            filled = match and self._filled(pattern.to, match.groupdict())
            if filled is not None:
                yield pattern, filled

    def _joined(self, words: str) -> str | None:
        for joint in JOINTS:
            head = 1 if joint == ". " else 0
            at = words.find(joint)
            while at > 0:
                first = self.translate(words[:at + head])
                rest = None if first is None else self.translate(words[at + len(joint):])
                if first is not None and rest is not None:
                    return first + self.exact[joint] + rest
                at = words.find(joint, at + 1)
        return None

    def _filled(self, to: str, places: Mapping[str, str]) -> str | None:
        values = {}
        for name, words in places.items():
            value = self.translate(words) if name.startswith("said_") else words
            if value is None:
                return None
            values[name.removeprefix("said_")] = value
        return re.sub(r"\{(\w+)\}", lambda place: values.get(place[1], place[0]), to)

    def _ended(self, words: str) -> str | None:
        found = self.translate(words[:-1]) if words.endswith(".") else None
        return None if found is None else found + self.exact["."]
