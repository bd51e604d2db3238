"""Exact numbers that count their operations, and the number of operations for the Gittins indices of an arm."""

from __future__ import annotations

from collections.abc import Callable
from operator import add, eq, gt, lt, mul, sub, truediv
from typing import Any

from flint import fmpq

from theory import Arm
from theory.gittins import indices_by_folding


def _counting(operation: Callable[[Any, Any], Any]) -> Callable[[Any, object], Any]:
    """Return a method that computes `operation` and counts it."""

    def method(self: Counter, other: object) -> Any:
        self.tally[0] += 1
        found = operation(self.value, other.value if isinstance(other, Counter) else other)
        return Counter(found, self.tally) if isinstance(found, fmpq) else found

    return method


class Counter:
    """An exact number whose arithmetic and comparisons add to a common tally."""

    __hash__ = None  # type: ignore[assignment]  # equality is an operation that is counted

    def __init__(self, value: fmpq, tally: list[int]) -> None:
        self.value = value
        self.tally = tally

    __add__, __sub__, __mul__, __truediv__ = map(_counting, (add, sub, mul, truediv))
    __rsub__ = _counting(lambda right, left: left - right)
    __lt__, __gt__, __eq__ = map(_counting, (lt, gt, eq))


def operations(arm: Arm, discount: fmpq = fmpq(1, 2)) -> int:
    """Return the number of operations and comparisons for the indices of `arm`, with its states folded one by one.

    Examples
    --------
    Two states take 23 operations; a probability of 0 saves 8 of them.

    >>> [operations(Arm(rewards=[1, 0], transitions=[[1, 0], [p, 1 - fmpq(p)]])) for p in (1, 0)]
    [23, 15]
    """
    tally: list[int] = [0]
    counted: Any = [[Counter(p, tally) for p in row] for row in arm.transitions]
    rewards: Any = [Counter(r, tally) for r in arm.rewards]
    beta: Any = Counter(discount, tally)
    indices_by_folding(counted, rewards, beta)
    return tally[0]
