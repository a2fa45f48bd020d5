"""Boxes in what a language model answered: each model's way to write four numbers."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from inspector.predictions.records import RawBox, four

_NUMBER = r"\s*(-?\d+(?:\.\d+)?)\s*"
_LIST = rf"\[{_NUMBER},{_NUMBER},{_NUMBER},{_NUMBER}\]"


class BoxSyntax(NamedTuple):
    """One way to write a box; ``scale`` is that of the model, or None where it varies."""

    pattern: re.Pattern[str]
    scale: str | None


BOX_SYNTAXES: tuple[BoxSyntax, ...] = (
    BoxSyntax(  # Qwen2-VL: <|box_start|>(x1,y1),(x2,y2)<|box_end|>
        re.compile(
            rf"<\|box_start\|>\s*\({_NUMBER},{_NUMBER}\)\s*,\s*\({_NUMBER},{_NUMBER}\)"
        ), "0-1000",
    ),
    BoxSyntax(  # Qwen-VL: <box>(x1,y1),(x2,y2)</box>
        re.compile(rf"<box>\s*\({_NUMBER},{_NUMBER}\)\s*,\s*\({_NUMBER},{_NUMBER}\)\s*</box>"),
        "0-1000",
    ),
    BoxSyntax(re.compile(rf"<box>\s*\[{_LIST}"), "0-1000"),  # InternVL: <box>[[x1, y1, x2, y2]]
    BoxSyntax(re.compile(rf"<\|det\|>\s*\[{_LIST}"), "0-999"),  # DeepSeek-VL2: <|det|>[[x1, …]]
    BoxSyntax(  # MiniGPT-v2: {<x1><y1><x2><y2>}
        re.compile(r"\{\s*<(\d+)>\s*<(\d+)>\s*<(\d+)>\s*<(\d+)>"), "0-100",
    ),
    # "bbox_2d": [x1, y1, x2, y2]: Qwen2.5-VL in resized pixels, Qwen3-VL in thousandths
    BoxSyntax(re.compile(rf"[\"']bbox(?:_2d)?[\"']\s*:\s*{_LIST}"), None),
    BoxSyntax(  # (x1,y1),(x2,y2)
        re.compile(rf"\({_NUMBER},{_NUMBER}\)\s*,\s*\({_NUMBER},{_NUMBER}\)"), None,
    ),
    BoxSyntax(re.compile(_LIST), None),
)
"""The first that is found in an answer counts."""

_TRIES: Callable[[str], bool] = re.compile(
    r"<\|box_start\|>|<box>|<\|det\|>|bbox|\{<\d|\[\s*-?[\d.]+\s*,|\(\s*-?[\d.]+\s*,"
).search  # type: ignore[assignment]


def parse_answer(text: str) -> tuple[RawBox, int]:
    """Find the first box in an answer, and how many there are.

    Raises:
        ValueError: If there is none that is whole: lists of one or five numbers, truncated ones.

    Example:
        >>> parse_answer("It is <box>[[103, 200, 512, 640]]</box>.")[0].numbers
        (103.0, 200.0, 512.0, 640.0)
    """
    for syntax in BOX_SYNTAXES:
        found = syntax.pattern.findall(text)
        if found:
            numbers = four([float(value) for value in found[0]])
            return RawBox(numbers, "xyxy", syntax.scale), len(found)
    raise ValueError(f"the answer holds no whole box: {text.strip()[:60]!r}")


def tries_a_box(text: str) -> bool:
    """Say whether an answer looks as if it was to be a box, also if it is a broken one."""
    return bool(_TRIES(text))
