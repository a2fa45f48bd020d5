"""Words in figures: what can be drawn, how long it is, where lines break."""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

FONTS = "Rubik, Helvetica, Arial, sans-serif"
"""Font of SVG: that of the PNG where it is installed, else the next of much the same width."""

UNKNOWN = "\N{WHITE SQUARE}"
"""Stands for a character that the font of PNG files cannot draw (SVG keeps the character)."""

_EM = 100  # pixels at which letters are measured
_LONGEST = 2_000  # characters of a text that are looked at: no figure shows more
_fonts = threading.Lock()  # OpenCV does not say that one font may serve two threads


@dataclass(frozen=True, slots=True)
class Line:
    """One line of words; ``size``, ``x`` and ``y`` (of the base line) in one unit of length."""

    words: str
    x: float
    y: float
    size: float
    colour: str = "#222222"


def clean(text: str) -> str:
    """Make a text one line of characters that XML and fonts can hold.

    White space of any kind becomes a space; what is no character at all becomes U+FFFD, and marks
    that turn the direction of the text are left out, since they would turn what stands beside it.
    """
    text = unicodedata.normalize("NFC", text[:_LONGEST])
    return " ".join("".join(_clean(letter) for letter in text).split())


def _clean(letter: str) -> str:
    if letter.isspace():
        return " "
    kind = unicodedata.category(letter)
    if kind == "Cf":
        return ""
    return "\N{REPLACEMENT CHARACTER}" if kind in ("Cc", "Cs", "Cn", "Co") else letter


def width_of(text: str, size: float) -> float:
    """Give the length of a cleaned text at a size of letters; the same on every machine."""
    return sum(_advance(letter) for letter in text) * size


def break_lines(
    text: str, *, size: float, width: float, most: int, between: str = " "
) -> list[str]:
    """Break a text into lines of at most a width; a last one that is cut ends in "…".

    Args:
        text: Any text.
        size: Of the letters, in the unit of ``width``.
        width: Room; a word that is longer is broken anywhere.
        most: Number of lines.
        between: What stands between parts that are better kept together; left out where a line
            breaks.
    """
    lines: list[str] = []
    rest = clean(text)
    is_cut = len(text) > _LONGEST
    while rest and len(lines) < most:
        count = _fitting(rest, size, width)
        gap = ""
        if count < len(rest):
            for gap in (between, " ", ""):
                place = rest.rfind(gap, 0, count + len(gap)) if gap else count
                if place > 0:
                    count = place
                    break
        lines.append(rest[:count].rstrip())
        rest = rest[count + len(gap) :].lstrip()
    if lines and (rest or is_cut):
        last = lines[-1]
        while last and width_of(last + "…", size) > width:
            last = last[:-1]
        lines[-1] = last.rstrip() + "…"
    return lines


def _fitting(text: str, size: float, width: float) -> int:
    """Count the characters at the start of a text that have room; at least one."""
    used = 0.0
    for place, letter in enumerate(text):
        used += _advance(letter) * size
        if used > width:
            return max(place, 1)
    return len(text)


def letter(canvas: np.ndarray, lines: Sequence[Line]) -> None:
    """Draw lines into a picture.

    Args:
        canvas: ``(H, W, 3)`` uint8; drawn into.
        lines: Measured in its pixels.
    """
    import cv2

    for line in lines:
        words = in_sight_order(
            "".join(UNKNOWN if _is_unknown(each) else each for each in clean(line.words))
        )
        colour = tuple(int(line.colour[at : at + 2], 16) for at in (1, 3, 5))
        with _fonts:
            cv2.putText(
                canvas, words, (round(line.x), round(line.y)), colour, _font(),
                max(round(line.size), 4), weight=400, wrap=(0, 1 << 20),
            )


def in_sight_order(text: str) -> str:
    """Turn runs of letters that are written from right to left, as OpenCV draws left to right.

    This is enough for Hebrew words in a line of ours; Arabic letters stay unjoined.
    """
    return _TO_THE_LEFT.sub(lambda run: run[0][::-1], text)


_TO_THE_LEFT = re.compile("[\u0590-\u08ff]+(?: +[\u0590-\u08ff]+)*")


@cache
def _font():  # type: ignore[no-untyped-def]  # OpenCV is loaded when it is needed
    """The font that OpenCV brings along: Rubik, and behind it one with Chinese and Japanese."""
    import cv2

    return cv2.FontFace("sans")


@cache
def _advance(letter: str) -> float:
    """Give the width of a letter at size 1; of one that the font lacks, a usual width."""
    import cv2

    if unicodedata.combining(letter):
        return 0.0
    if letter != " " and _is_unknown(letter):
        return 1.0 if unicodedata.east_asian_width(letter) in "WF" else 0.7
    canvas = np.zeros((2, 2), np.uint8)
    with _fonts:
        end, _ = cv2.putText(
            canvas, letter, (0, 0), (255,), _font(), _EM, weight=400, wrap=(0, 1 << 20)
        )
    return float(end[0]) / _EM


@cache
def _is_unknown(letter: str) -> bool:
    """Whether the font draws a question mark in place of a letter."""
    return letter not in "? " and _stamp(letter) == _question_mark()


@cache
def _question_mark() -> bytes:
    return _stamp("?")


def _stamp(letter: str) -> bytes:
    import cv2

    canvas = np.zeros((48, 64), np.uint8)
    with _fonts:
        cv2.putText(canvas, letter, (8, 36), (255,), _font(), 24, weight=400, wrap=(0, 1 << 20))
    return canvas.tobytes()
