"""Why a number differs: what each rule of another evaluator would change on this data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from inspector.analysis.counting import Material
from inspector.analysis.presets import PRESETS
from inspector.analysis.protocols import PHRASES, Rules, compute_quantity, evaluate, rules_of
from inspector.core.protocol import Protocol
from inspector.core.run import Status

_PRECISION = "P@0."


@dataclass(frozen=True, slots=True)
class RuleEffect:
    """One rule, changed alone.

    Attributes:
        rule, value: The field of :class:`Rules` and what it is changed to; ``metric`` where the
            other average is taken.
        label: The change in words.
        used_by: Labels of the presets that do so.
        metric: Which number.
        before: Under the rules in force.
        after: With this rule changed; None where it cannot be computed.
        difference: ``after - before``; None where it cannot be computed.
        examples: How many examples the rule concerns; None where it concerns all.
        note: Why it has no effect, or cannot be computed.
    """

    rule: str
    value: object
    label: str
    used_by: tuple[str, ...]
    metric: str
    before: float | None
    after: float | None
    difference: float | None
    examples: int | None = None
    note: str = ""

    @property
    def has_effect(self) -> bool:
        """Whether the number changes at all."""
        return bool(self.difference)


NOT_COMPUTABLE: tuple[str, ...] = (
    "At which value a soft mask becomes a pixel (CRIS: 0.35; others: 0.5, or logit 0): the masks "
    "are finished.",
    "Which of two programs draws polygons: pycocotools gives 400 pixels for a square of 20 x 20, "
    "cv2.fillPoly and PIL 441; the IoU of the two is 0.907.",
    "Which split a model was trained on: RefCOCOg's google split shares pictures between training "
    "and validation.",
    "Which predictions were dropped before the file was written.",
)
"""Reasons for a difference that nobody can see in masks."""


def _changes() -> list[tuple[str, object]]:
    default = Rules()
    return [key for key in PHRASES if key[1] != getattr(default, key[0])]


def explain_differences(
    material: Material, *, protocol: Protocol | None = None,
    metrics: Sequence[str] = ("mIoU", "oIoU", "P@0.5"),
) -> list[RuleEffect]:
    """Say of every rule what it alone would change, the largest effect first.

    Args:
        material: The counts of one run.
        protocol: The rules in force; the defaults if None.
        metrics: Which numbers, of :data:`~inspector.analysis.protocols.QUANTITIES`.

    Returns:
        For every metric every change that bears on it. Those without effect stand at the end of
        those with one, and those that cannot be computed after them.
    """
    protocol = protocol or Protocol()
    base = rules_of(protocol)
    evaluation = evaluate(material, base)
    found = []
    for metric in metrics:
        before = compute_quantity(evaluation, metric) if evaluation else None
        changes: list[tuple[str, object]] = [*_changes()]
        for name in ("average", "empty_union", "missing"):
            changes = [c for c in changes if c != (name, getattr(base, name))]
            default = getattr(Rules(), name)
            if getattr(base, name) != default:
                changes.append((name, default))
        found += [
            _difference(material, base, metric, before, rule, value)
            for rule, value in changes if _bears_on(rule, metric)
        ]
        found += _other_average(material, base, metric, before)
    return sorted(
        found, key=lambda d: (d.difference is None, -abs(d.difference or 0.0), d.label)
    )


def _bears_on(rule: str, metric: str) -> bool:
    if rule in ("reached", "thresholds", "precision_over"):
        return metric.startswith(_PRECISION)
    if rule in ("sums", "false_area"):
        return metric == "oIoU"
    if rule == "rejected":
        return False  # means something only together with the rule that statements decide
    return True


def _difference(
    material: Material, base: Rules, metric: str, before: float | None, rule: str, value: Any
) -> RuleEffect:
    evaluation = evaluate(material, replace(base, **{rule: value}))
    after = compute_quantity(evaluation, metric) if evaluation else None
    examples = _CONCERNED[rule](material) if rule in _CONCERNED else None
    difference = None if before is None or after is None else after - before
    note = ""
    if evaluation is None:
        note = "Not computed: the run's file holds no masks."
    elif difference is None:
        note = "Not defined on this data."
    elif difference == 0:
        note = "No effect on this data" + (": it concerns no example." if examples == 0 else ".")
    return RuleEffect(
        rule, value, PHRASES[rule, value],
        tuple(p.label for p in PRESETS if getattr(p.rules, rule) == value),
        metric, before, after, difference, examples, note,
    )


def _other_average(
    material: Material, base: Rules, metric: str, before: float | None
) -> list[RuleEffect]:
    other = {"mIoU": "oIoU", "oIoU": "mIoU"}.get(metric)
    evaluation = evaluate(material, base)
    if other is None or evaluation is None:
        return []
    after = compute_quantity(evaluation, other)
    difference = None if before is None or after is None else after - before
    words = {"mIoU": "mean of IoU (mIoU, gIoU)", "oIoU": "sum over sum (oIoU, cIoU)"}
    note = "" if difference is not None else "Not defined on this data."
    if difference == 0:
        note = "No effect on this data."
    return [RuleEffect(
        "metric", other, f"{words[other]} in place of {words[metric]}", (), metric, before, after,
        difference, None, note,
    )]


def _without_target(material: Material) -> int:
    return int((~material.scored.has_target).sum())


_CONCERNED: dict[str, Callable[[Material], int]] = {
    "empty_union": lambda m: int((m.scored.is_empty_pair | ~m.scored.has_target).sum()),
    "missing": lambda m: int(
        (~m.scored.is_predicted & (m.scored.status != Status.NO_TRUTH)).sum()
    ),
    "precision_over": _without_target,
    "false_area": _without_target,
    "truth": lambda m: _retargeted(m),
}


def _retargeted(material: Material) -> int:
    own = material.counts["union", "picture"].target_area
    others = [
        material.counts[truth, "picture"].target_area != own
        for truth in ("once", "ignored") if (truth, "picture") in material.counts
    ]
    return int(np.any(others, axis=0).sum()) if others else 0
