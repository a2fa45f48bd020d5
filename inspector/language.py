"""The language of the command line's help; everything else that a command prints is English.

Errors and results stay in English because scripts read them and reports of bugs quote them.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import unicodedata

VARIABLE = "INSPECTOR_LANGUAGE"
LANGUAGES = ("en", "zh")
_LOCALE = ("LC_ALL", "LC_MESSAGES", "LANG")  # the first that is set decides, as in POSIX
_WIDE = r"\u2e80-\uffef"  # Chinese signs and their punctuation
_PIECE = re.compile(rf"\s*[（《“‘【]*(?:[^\s{_WIDE}]+|[{_WIDE}])[，。、；：？！）】》”’…]*")


def help_language() -> str:
    """Choose a key of :data:`LANGUAGES`: ``INSPECTOR_LANGUAGE``, else the locale, else English.

    English also where standard output could not show the signs.
    """
    asked = next((value for name in (VARIABLE, *_LOCALE) if (value := os.environ.get(name))), "")
    language = re.split(r"[-_.@]", asked.strip().casefold())[0]
    if language not in LANGUAGES or language == "en":
        return "en"
    try:
        "帮助".encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except (UnicodeError, LookupError):
        return "en"
    return language


def help_text(english: str) -> str:
    """Give a text of the help in the language that is chosen; as it is where there is no other."""
    if help_language() == "en":
        return english
    from inspector.help_chinese import HELP  # only now: most starts show no help

    return HELP.get(english, english)


class HelpFormatter(argparse.HelpFormatter):
    """Writes every text of the help in the language that is chosen; English as argparse does."""

    def start_section(self, heading: str | None) -> None:
        """Begin a section under its translated heading."""
        super().start_section(heading and help_text(heading))

    def add_text(self, text: str | None) -> None:
        """Add a translated paragraph."""
        super().add_text(text if text is argparse.SUPPRESS else text and help_text(text))

    def add_usage(self, usage, actions, groups, prefix=None) -> None:  # noqa: ANN001
        """Add the line of usage with its translated first word."""
        first = help_text("usage: ") if prefix is None else prefix
        super().add_usage(usage, actions, groups, first)

    def _get_help_string(self, action: argparse.Action) -> str | None:
        return action.help and help_text(action.help)

    def _split_lines(self, text: str, width: int) -> list[str]:
        if help_language() == "en":
            return super()._split_lines(text, width)
        return wrap(" ".join(text.split()), width)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        if help_language() == "en":
            return super()._fill_text(text, width, indent)
        lines = wrap(" ".join(text.split()), width - len(indent))
        return "\n".join(indent + line for line in lines)


def wrap(text: str, width: int) -> list[str]:
    """Break text into lines of at most ``width`` columns, as terminals count them.

    Chinese signs take two columns and may be parted anywhere but before closing and after opening
    punctuation; words of other scripts stay whole.

    Example:
        >>> wrap("预测 of one 模型。", 8)
        ['预测 of', 'one 模', '型。']
    """
    lines, line = [], ""
    for piece in _PIECE.findall(text):
        if line and _columns(line + piece) > width:
            lines.append(line)
            line = piece.lstrip()
        else:
            line += piece
    return [*lines, line] if line else lines


def _columns(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text)
