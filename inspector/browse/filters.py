"""Ways to narrow the examples down.

One entry of :data:`FILTERS` gives the key in the address, the SQL, the kind of control, the live
counts and the English phrase. Columns are those of :class:`~inspector.browse.Browser`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from inspector.browse.ranges import Range, read_range
from inspector.browse.sentence_filter import sentence_phrase, sentence_predicate, shorten
from inspector.browse.slice_names import read_slice
from inspector.core.errors import UsageError, say_choices

Values = Mapping[str, str]
Condition = tuple[str, list[Any]]


@dataclass(frozen=True, slots=True)
class Filter:
    """One filter.

    Attributes:
        key: Name in the address.
        label: In English.
        kind: ``choice`` (one value of a column), ``choices`` (any of several), ``range``
            (``low..high``, both included, or ``low..<high``; open ends allowed), ``text`` (the
            exact text), ``sentence``, or ``link`` (no control: rows of analyses lead to it).
        column: What it looks at; a list column for categories.
        predicate: SQL and its parameters, from the values of all filters and of ``run``.
        phrase: The same in English, to be joined by AND.
        step: Smallest difference that matters, for ranges; 1 of whole numbers.
        is_list: Whether the column holds a list of values.
        is_more: Whether it stands behind "more filters" on the page.
        needs_run: Whether it looks at a run.
        needs_second: Whether it looks at a second ground truth.
        found: Kind of finding that it looks at, in the table ``found``; empty for others.
    """

    key: str
    label: str
    kind: Literal["choice", "choices", "range", "text", "sentence", "link"]
    column: str
    predicate: Callable[[Values], Condition]
    phrase: Callable[[Values], str]
    step: float = 1
    is_list: bool = False
    is_more: bool = False
    needs_run: bool = False
    needs_second: bool = False
    found: str = ""


def _choice(key: str, label: str, column: str, *, many: bool = False, **options: Any) -> Filter:
    test = "list_contains({column}, ?)" if many else "{column} = ?"
    return Filter(
        key, label, "choice", column,
        lambda values: (test.format(column=column), [values[key]]),
        lambda values: f"{label.casefold()} is {values[key]}",
        is_list=many,
        **options,
    )


def _one_of(column: str, values: list[str]) -> Condition:
    return f"{column} IN ({', '.join('?' * len(values))})", list(values)


def _choices(key: str, label: str, column: str, **options: Any) -> Filter:
    return Filter(
        key, label, "choices", column,
        lambda values: _one_of(column, values[key].split(",")),
        lambda values: f"{label.casefold()} is "
        + " or ".join(part.replace("_", " ") for part in values[key].split(",")),
        **options,
    )


def _range(key: str, label: str, column: str, **options: Any) -> Filter:
    return Filter(
        key, label, "range", column,
        lambda values: read_range(key, values[key]).condition(column),
        lambda values: read_range(key, values[key]).phrase(label),
        **options,
    )


def _text(key: str, label: str, column: str, **options: Any) -> Filter:
    return Filter(
        key, label, "text", column,
        lambda values: (f"{column} = ?", [values[key]]),
        lambda values: f"{label.casefold()} is {values[key]}",
        **options,
    )


OUTCOMES = {
    "wins": "{run} is better than {other}",
    "ties": "{run} and {other} tie",
    "losses": "{other} is better than {run}",
    "first_only": "{run} is right, {other} is wrong",
    "second_only": "{other} is right, {run} is wrong",
    "both_right": "{run} and {other} are right",
    "both_wrong": "{run} and {other} are wrong",
}
"""How two runs compare on one example; the first is the run on show."""


def read_outcome(value: str) -> tuple[str, str]:
    """Read ``first_only:other run``.

    Raises:
        UsageError: If there is no such outcome.
    """
    outcome, _, other = value.partition(":")
    if outcome not in OUTCOMES:
        raise UsageError(f"No outcome '{outcome[:40]}'. {say_choices(outcome, list(OUTCOMES))}")
    return outcome, other


def _slice_predicate(values: Values) -> Condition:
    parts = read_slice(values["slice"])
    clause = "place IN (SELECT place FROM slices WHERE slice = ?)"
    return " AND ".join([clause] * len(parts)), list(parts)


def _slice_phrase(values: Values) -> str:
    parts = (part.partition("=") for part in read_slice(values["slice"]))
    return " AND ".join(
        key.replace("_", " ") if value == "yes" else f"{key.replace('_', ' ')}: {value}"
        for key, _, value in parts
    )


def read_other_iou(value: str) -> tuple[str, Range]:
    """Read ``other run:0.2..0.5``; an open end is that of the scale.

    Raises:
        UsageError: If it is not of this form.
    """
    name, colon, ends = value.rpartition(":")
    if not colon:
        raise UsageError(
            f"'{value[:40]}' does not name a run and a range. Write RUN:low..high, such as "
            "'baseline:0..0.5'."
        )
    found = read_range("other_iou", ends)
    return name, Range(
        0.0 if found.low is None else found.low, 1.0 if found.high is None else found.high,
        found.is_below,
    )


def _other_iou_predicate(values: Values) -> Condition:
    name, wanted = read_other_iou(values["other_iou"])
    placed = values[f"table of {name}"].replace("run_", "placed_", 1)
    clause, ends = wanted.condition("iou")
    return f"place IN (SELECT place FROM {placed} WHERE {clause})", ends


def _other_iou_phrase(value: str) -> str:
    name, wanted = read_other_iou(value)
    return wanted.phrase(f"IoU of {name}")


def _second_phrase(kind: str) -> str:
    if kind.startswith("better:"):
        return f"{kind[7:]} is closer to truth B than truth A is"
    return {"matched": "truth B has it", "removed": "truth B dropped it"}.get(kind, kind)


def _outcome_phrase(values: Values) -> str:
    outcome, other = read_outcome(values["outcome"])
    return OUTCOMES[outcome].format(run=values.get("run") or "this run", other=other)


def _verdict_predicate(values: Values) -> Condition:
    return (
        "place IN (SELECT place FROM found WHERE kind = 'verdict' AND run = ? AND value = ?)",
        [run_number(values), values["verdict"]],
    )


def run_number(values: Values) -> int:
    """Give the number of the run on show, -1 without one."""
    table = values.get(f"table of {values.get('run', '')}")
    return int(table.removeprefix("run_")) if table else -1


NOTED = {
    "note": ("place IN (SELECT place FROM found WHERE kind = 'noted' AND value = 'note')",
             "there is a note"),
    "any": ("place IN (SELECT place FROM found)", "there is a finding"),
    "none": ("place NOT IN (SELECT place FROM found)", "there is no finding"),
}


def _noted(value: str) -> tuple[str, str]:
    if value not in NOTED:
        choices = say_choices(value, list(NOTED))
        raise UsageError(f"No choice '{value[:40]}' for findings. {choices}")
    return NOTED[value]


FILTERS: tuple[Filter, ...] = (
    _choices("failure", "Failure mode", "failure", needs_run=True),
    _range("iou", "IoU", "iou", step=0.01, needs_run=True),
    _choice("category", "Category", "categories", many=True),
    Filter(
        "sentence", "Sentence", "sentence", "sentence", sentence_predicate, sentence_phrase
    ),
    _range("area", "Target area", "target_area"),
    Filter(
        "verdict", "Verdict", "choice", "value", _verdict_predicate,
        lambda values: f"verdict is {values['verdict'].replace('_', ' ')}",
        is_more=True, needs_run=True, found="verdict",
    ),
    Filter(
        "tag", "Tag", "choice", "value",
        lambda values: (
            "place IN (SELECT place FROM found WHERE kind = 'tag' AND value = ?)", [values["tag"]]
        ),
        lambda values: f"tagged {shorten(values['tag'])}", is_more=True, found="tag",
    ),
    Filter(
        "noted", "Findings", "choice", "value",
        lambda values: (_noted(values["noted"])[0], []),
        lambda values: _noted(values["noted"])[1], is_more=True, found="noted",
    ),
    _choice("supercategory", "Supercategory", "supercategories", many=True, is_more=True),
    _range("same", "Others of its category", "same", is_more=True),
    _range("words", "Words in the sentence", "words", is_more=True),
    _choice("split", "Split", "split", is_more=True),
    _text("image", "Image id", "image_id", is_more=True),
    _text("ref", "Ref id", "ref_id", is_more=True),
    Filter(
        "flag", "Flag", "link", "flag",
        lambda values: (
            "place IN (SELECT place FROM flags WHERE run = ? AND flag = ?)",
            [values.get("run", ""), values["flag"]],
        ),
        lambda values: f"flag is {values['flag'].replace('_', ' ')}", needs_run=True,
    ),
    Filter(
        "other_iou", "IoU of another run", "link", "iou", _other_iou_predicate,
        lambda values: _other_iou_phrase(values["other_iou"]), needs_run=True,
    ),
    Filter("slice", "Slice", "link", "slice", _slice_predicate, _slice_phrase),
    Filter(
        "outcome", "Outcome of two runs", "link", "outcome",
        lambda values: (
            "place IN (SELECT place FROM outcomes WHERE run = ? AND other = ? AND outcome = ?)",
            [values.get("run", ""), *reversed(read_outcome(values["outcome"]))],
        ),
        _outcome_phrase, needs_run=True,
    ),
    _range("truth_iou", "IoU of the two truths", "truth_iou", step=0.01, needs_second=True),
    _range("truth_shift", "Boundary shift, px", "truth_shift", step=0.1, needs_second=True),
    _range("truth_ratio", "Area of B / area of A", "truth_ratio", step=0.01, is_more=True,
           needs_second=True),
    _range("truth_boundary", "Boundary IoU of the two truths", "truth_boundary", step=0.01,
           is_more=True, needs_second=True),
    _range("truth_parts", "Parts gained or lost", "truth_parts", is_more=True,
           needs_second=True),
    _range("truth_holes", "Holes in B less holes in A", "truth_holes", is_more=True,
           needs_second=True),
    Filter(
        "second", "Second truth", "link", "second",
        lambda values: (
            "place IN (SELECT place FROM second WHERE kind = ?)", [values["second"]]
        ),
        lambda values: _second_phrase(values["second"]), needs_second=True,
    ),
)
