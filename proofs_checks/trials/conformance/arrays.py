"""Exact models as NumPy arrays, without rounding."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from flint import fmpq
from numpy.typing import NDArray

from theory import Arm, nearest_float, value_of_float

FloatArray = NDArray[np.float64]


def exact_float(value: fmpq) -> float:
    """Return the float that equals `value`.

    Raises
    ------
    ValueError
        If no float equals it, so that an implementation would get another model than the exact answer is for.

    Examples
    --------
    >>> exact_float(fmpq(-3, 8))
    -0.375
    >>> exact_float(fmpq(1, 3))
    Traceback (most recent call last):
    ValueError: 1/3 is not a binary fraction
    """
    number = nearest_float(value)
    if value_of_float(number) != value:
        raise ValueError(f"{value} is not a binary fraction")
    return number


def vector(values: Iterable[fmpq]) -> FloatArray:
    """Return exact numbers as a new array of floats."""
    return np.array([exact_float(value) for value in values])


def matrix(rows: Sequence[Sequence[fmpq]]) -> FloatArray:
    """Return exact rows as a new two-dimensional array of floats."""
    return np.array([[exact_float(value) for value in row] for row in rows])


def transitions(arms: Iterable[Arm]) -> list[FloatArray]:
    """Return each arm's transition matrix, (S_a, S_a)."""
    return [matrix(arm.transitions) for arm in arms]


def rewards(arms: Iterable[Arm]) -> list[FloatArray]:
    """Return each arm's rewards, (S_a,)."""
    return [vector(arm.rewards) for arm in arms]
