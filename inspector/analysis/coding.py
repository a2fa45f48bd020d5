"""Attributes as columns of codes, with the category of the target as one more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from inspector.analysis.attributes import ATTRIBUTES, FLAG
from inspector.core.dataset import Dataset
from inspector.core.errors import UsageError, say_choices

CATEGORY = "category"


@dataclass(frozen=True, slots=True, eq=False)
class Coded:
    """One attribute over ``n`` examples.

    Attributes:
        key, label: Of the attribute.
        values: Names of its values.
        codes: ``(n,)`` int, row of ``values``; -1 where the attribute is not defined.
        is_flag: Its values are yes and no; only ``yes`` is looked at as a slice.
    """

    key: str
    label: str
    values: tuple[str, ...]
    codes: np.ndarray
    is_flag: bool


def attribute_keys() -> list[str]:
    """Give every key that slices can be made by."""
    return [*(attribute.key for attribute in ATTRIBUTES), CATEGORY]


def check_keys(keys: Sequence[str] | None) -> list[str]:
    """Give the keys asked for, each once; all if None.

    Raises:
        UsageError: If a key is unknown; the message lists the known ones.
    """
    known = attribute_keys()
    for key in keys or ():
        if key not in known:
            raise UsageError(f"No attribute '{key}'. {say_choices(key, known)}")
    return list(dict.fromkeys(keys)) if keys else known


def code_dataset(
    dataset: Dataset, keys: Sequence[str] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[Coded, ...]:
    """Decide attributes for every example of a data set.

    Args:
        dataset: The examples.
        keys: Which attributes; all, and the category, if None.
        progress: Called with (done, all).

    Raises:
        UsageError: If a key is unknown; the message lists the known ones.
    """
    chosen = check_keys(keys)
    made = []
    for done, key in enumerate(chosen):
        if progress:
            progress(done, len(chosen))
        if key == CATEGORY:
            made.append(_code_categories(dataset))
            continue
        attribute = next(attribute for attribute in ATTRIBUTES if attribute.key == key)
        made.append(Coded(
            key, attribute.label, attribute.values, attribute.compute(dataset),
            attribute.values == FLAG,
        ))
    if progress:
        progress(len(chosen), len(chosen))
    return tuple(made)


def _code_categories(dataset: Dataset) -> Coded:
    """Number the categories; targets of several kinds are a category of their own."""
    names = dataset.category_names
    values = sorted(names)
    place = {name: code for code, name in enumerate(values)}
    codes = np.array([*(place[name] for name in names), -1], np.int32)[dataset.category_codes]
    return Coded(CATEGORY, "Category", tuple(values), codes, False)
