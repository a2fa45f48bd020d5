"""Which settings come closest to a published number."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from inspector.analysis.counting import Material
from inspector.analysis.presets import PRESETS, compute_preset
from inspector.analysis.protocols import QUANTITIES, Rules, compute_quantity, evaluate, phrase
from inspector.core.errors import UsageError
from inspector.core.metrics import METRICS
from inspector.core.run import Status

_AXES: dict[str, tuple[object, ...]] = {
    "average": ("sentence", "referent", "first"),
    "empty_union": ("one", "zero", "skip", "stated"),
    "missing": ("zero", "skip", "mean"),
    "truth": ("union", "once", "ignored"),
    "frame": ("picture", "square"),
    "reached": (">=", ">"),
    "precision_over": ("all", "target"),
}
_PRINTED = re.compile(
    r"(?P<number>\d{1,3}([.,]\d{1,20})?|[.,]\d{1,20})\s*(?P<percent>%?)", re.ASCII
)
"""A number as tables print it; one like 1e-4000000 would take for ever to work out."""

_OWN = ("boundary_mIoU", "mIoU_category", "grounding", "box_mIoU", "box_Acc@0.5")


@dataclass(frozen=True, slots=True)
class Published:
    """A number as printed.

    Attributes:
        value: As a fraction.
        tolerance: Half a unit of its last digit, as a fraction.
        text: As it was entered.
    """

    value: float
    tolerance: float
    text: str


@dataclass(frozen=True, slots=True)
class Setting:
    """One way to count, and how far its number is from the published one.

    Attributes:
        metric: Key of the metric, or the name that a preset prints.
        settings: The rules that matter on this data, in words; of a preset its label.
        value: What this run gets.
        distance: ``value - published``, as a fraction.
        rules: The rules, or None for a metric that knows only the default protocol.
        preset: Key of the preset, or empty.
        within_rounding: Whether the published number is this one, rounded.
    """

    metric: str
    settings: str
    value: float
    distance: float
    rules: Rules | None
    preset: str
    within_rounding: bool


@dataclass(frozen=True, slots=True)
class Explanation:
    """All candidates, the nearest first, and a sentence about how many fit."""

    published: Published
    candidates: tuple[Setting, ...]
    verdict: str


def read_published(text: str) -> Published:
    """Read ``0.743``, ``74.3`` or ``74.3 %``; numbers above 1 are percentages.

    A plain ``0`` or ``1`` could be either, and would fit everything within half of one.

    Raises:
        UsageError: If it is no number from 0 to 100 as a table prints it, with up to twenty
            decimals.
    """
    found = _PRINTED.fullmatch(text.strip())
    if not found or Fraction(found["number"].replace(",", ".")) > 100:
        raise UsageError(
            f"'{text[:40]}' is no published number. Write a fraction such as 0.743 or a "
            "percentage such as 74.3."
        )
    digits = found["number"].replace(",", ".")
    exact = Fraction(digits)
    if digits in ("0", "1") and not found["percent"]:
        raise UsageError(
            f"'{digits}' may be a fraction or a percentage. Write its decimals, such as "
            f"{digits}.00, or {digits} %."
        )
    scale = 100 if exact > 1 or found["percent"] else 1
    decimals = len(digits.partition(".")[2])
    return Published(float(exact / scale), 0.5 * 10.0**-decimals / scale, text.strip())


def find_protocol(material: Material, published: Published | str, *, most: int = 20) -> Explanation:
    """Try every combination of rules, metrics and presets.

    Settings that give the same number on this data are one candidate: only the rules that matter
    for it are named.

    Args:
        material: The counts of one run.
        published: The number to explain.
        most: How many candidates to give; all that are within rounding are always given.
    """
    if isinstance(published, str):
        published = read_published(published)
    found = sorted(
        (*_by_rules(material, published), *_by_own(material, published),
         *_by_presets(material, published)),
        key=lambda c: abs(c.distance),
    )
    fitting = sum(c.within_rounding for c in found)
    return Explanation(published, tuple(found[: max(most, fitting)]), _verdict(found, published))


def _verdict(found: list[Setting], published: Published) -> str:
    fitting = [c for c in found if c.within_rounding]
    if not found:
        return "No number of this run is defined."
    if not fitting:
        nearest = found[0]
        distance = f"{100 * nearest.distance:+.2f}".replace("-", "−")
        return (
            f"Nothing comes to {published.text}; the nearest is {nearest.metric} "
            f"({nearest.settings}), {distance} points off."
        )
    if len(fitting) == 1:
        return f"One setting gives {published.text}: {fitting[0].metric}, {fitting[0].settings}."
    return (
        f"{len(fitting)} settings are within rounding of {published.text}: the number alone does "
        "not tell which was used."
    )


def _candidate(
    published: Published, metric: str, settings: str, value: float, rules: Rules | None,
    preset: str = "",
) -> Setting:
    distance = value - published.value
    within = abs(distance) <= published.tolerance * (1 + 1e-9)
    return Setting(metric, settings, value, distance, rules, preset, within)


def _by_rules(material: Material, published: Published) -> Iterator[Setting]:
    axes = {name: values for name, values in _AXES.items() if _matters(material, name)}
    names = tuple(axes)
    for quantity in QUANTITIES:
        bearing = tuple(name for name in names if _bears_on(name, quantity))
        seen: dict[float, list[Rules]] = {}
        for values in product(*(axes[name] for name in bearing)):
            changed: dict[str, Any] = dict(zip(bearing, values, strict=True))
            rules = replace(Rules(), **changed)
            evaluation = evaluate(material, rules)
            value = compute_quantity(evaluation, quantity) if evaluation else None
            if value is not None:
                seen.setdefault(value, []).append(rules)
        for value, alike in seen.items():
            yield _candidate(
                published, quantity, _describe(alike, bearing, seen), value, alike[0]
            )


def _describe(
    alike: list[Rules], names: tuple[str, ...], seen: dict[float, list[Rules]]
) -> str:
    """Name the rules that all settings of one number share and another number's do not."""
    said = []
    for name in names:
        own = {getattr(rules, name) for rules in alike}
        every = {getattr(rules, name) for group in seen.values() for rules in group}
        if len(own) == 1 and len(every) > 1:
            said.append(name)
    return phrase(alike[0], tuple(said)) or "whatever the rules"


def _bears_on(name: str, quantity: str) -> bool:
    if name in ("reached", "precision_over"):
        return quantity.startswith("P@")
    if quantity in ("N-acc", "T-acc"):
        return name in ("missing", "average", "empty_union")
    return True


def _matters(material: Material, name: str) -> bool:
    """Whether a rule can change any number of this run."""
    scored = material.scored
    if name in ("empty_union", "precision_over"):
        return bool((~scored.has_target | scored.is_empty_pair).any())
    if name == "missing":
        return bool((~scored.is_predicted & (scored.status != Status.NO_TRUTH)).any())
    if name == "frame":
        return ("union", "square") in material.counts
    if name == "truth":
        own = material.counts["union", "picture"].target_area
        return any(
            not np.array_equal(counts.target_area, own)
            for (truth, frame), counts in material.counts.items()
            if truth != "union" and frame == "picture"
        )
    return True


def _by_own(material: Material, published: Published) -> Iterator[Setting]:
    """Try the metrics that stand outside the rules of evaluators."""
    for metric in METRICS:
        if metric.key in _OWN:
            value = metric.compute(material.scored)
            if value is not None:
                yield _candidate(published, metric.key, "default rules", value, None)


def _by_presets(material: Material, published: Published) -> Iterator[Setting]:
    for preset in PRESETS:
        for printed, value in compute_preset(material, preset).numbers.items():
            if value is not None:
                yield _candidate(
                    published, printed, f"as {preset.label} computes it", value, preset.rules,
                    preset.key,
                )
