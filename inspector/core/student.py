"""Tails and quantiles of Student's t and the normal distribution, without scipy."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np


def t_two_sided(t: np.ndarray, df: np.ndarray) -> np.ndarray:
    """Give the probability of a t at least as far from 0.

    The regularised incomplete beta function I_x(df/2, 1/2) at x = df / (df + t²).

    Args:
        t: ``(k,)`` values.
        df: ``(k,)`` degrees of freedom, > 0; need not be whole.

    Example:
        >>> np.round(t_two_sided(np.array([0.0, 2.228139]), np.array([10.0, 10.0])), 6)
        array([1.  , 0.05])
    """
    t, df = np.broadcast_arrays(np.asarray(t, float), np.asarray(df, float))
    x = df / (df + t * t)
    a, b = df / 2, np.full(df.shape, 0.5)
    is_low = x < (a + 1) / (a + b + 2)
    low = _front(x, a, b) * _fraction(np.where(is_low, x, 0.5), a, b) / a
    high = 1 - _front(1 - x, b, a) * _fraction(np.where(is_low, 0.5, 1 - x), b, a) / b
    return np.asarray(np.clip(np.where(is_low, low, high), 0.0, 1.0))


def _front(x: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    log_beta = np.array([
        math.lgamma(p) + math.lgamma(q) - math.lgamma(p + q)
        for p, q in zip(a.ravel().tolist(), b.ravel().tolist(), strict=True)
    ]).reshape(a.shape)
    with np.errstate(divide="ignore"):
        return np.asarray(np.exp(a * np.log(x) + b * np.log1p(-x) - log_beta))


def _fraction(x: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Lentz's continued fraction; Numerical Recipes, section 6.4."""
    tiny = 1e-300
    c = np.ones_like(x)
    d = 1 - (a + b) * x / (a + 1)
    d = 1 / np.where(np.abs(d) < tiny, tiny, d)
    value = d.copy()
    for m in range(1, 300):
        for factor in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 + factor * d
            d = 1 / np.where(np.abs(d) < tiny, tiny, d)
            c = 1 + factor / c
            c = np.where(np.abs(c) < tiny, tiny, c)
            value = value * d * c
        if np.all(np.abs(d * c - 1) < 1e-12):
            break
    return np.asarray(value)


_Z = 1.959963984540054  # the normal distribution's 97.5 % quantile


@lru_cache(maxsize=100_000)
def t_975(df: int) -> float:
    """Give the 97.5 % quantile of Student's t with a whole number of degrees of freedom.

    From ten on by the expansion around the normal quantile (Abramowitz and Stegun, 26.7.5), right
    to six digits; below by bisection.

    Example:
        >>> [round(t_975(df), 4) for df in (1, 5, 10, 30)]
        [12.7062, 2.5706, 2.2281, 2.0423]
    """
    if df >= 10:
        z = _Z
        return z + (z**3 + z) / (4 * df) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * df**2) + (
            3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * df**3) + (
            79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92_160 * df**4)
    low, high = 0.0, 100.0
    for _ in range(60):
        middle = (low + high) / 2
        is_above = t_two_sided(np.array([middle]), np.array([float(df)]))[0] > 0.05
        low, high = (middle, high) if is_above else (low, middle)
    return (low + high) / 2


def normal_below(z: float) -> float:
    """Give the probability of a normal value below ``z``.

    Example:
        >>> round(normal_below(-1.959964), 6)
        0.025
    """
    return 0.5 * math.erfc(-z / math.sqrt(2))
