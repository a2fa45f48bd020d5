"""p-values when many questions are asked at once."""

from __future__ import annotations

import numpy as np


def benjamini_hochberg(p: np.ndarray) -> np.ndarray:
    """Adjust p-values so that those at or below 0.05 hold at most 5 % false ones on average.

    q of the i-th smallest of m is the least of p_(j) m / j over j >= i, at most 1. NaN stays NaN
    and is not counted in m.

    Source: Benjamini and Hochberg, 1995, J. R. Statist. Soc. B 57, 289-300.

    Example:
        >>> benjamini_hochberg(np.array([0.01, 0.04, 0.03, np.nan]))
        array([0.03, 0.04, 0.04,  nan])
    """
    q = np.full(len(p), np.nan)
    asked = np.flatnonzero(~np.isnan(p))
    if not len(asked):
        return q
    order = asked[np.argsort(p[asked], kind="stable")]
    m = len(order)
    steps = p[order] * m / np.arange(1, m + 1)
    q[order] = np.minimum(np.minimum.accumulate(steps[::-1])[::-1], 1.0)
    return q


def holm(p: np.ndarray) -> np.ndarray:
    """Adjust a few p-values so that any false one at or below 0.05 comes up in 5 % of cases.

    Source: Holm, 1979, Scand. J. Statist. 6, 65-70.

    Example:
        >>> holm(np.array([0.01, 0.04, 0.03]))
        array([0.03, 0.06, 0.06])
    """
    order = np.argsort(p, kind="stable")
    steps = p[order] * np.arange(len(p), 0, -1)
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return adjusted
