"""Exact numbers that count the operations done with them, and what the Gittins indices of an arm take."""

from __future__ import annotations

from collections.abc import Callable
from operator import add, eq, gt, lt, mul, sub, truediv
from typing import Any

from flint import fmpq

from theory import Arm, gittins_indices
from theory.gittins import indices_by_folding


class Counter:
    """An exact number whose arithmetic and comparisons add to a common tally.

    Examples
    --------
    >>> tally = [0]
    >>> x = Counter(fmpq(1, 2), tally)
    >>> (1 - x * x).value, tally
    (3/4, [2])
    """

    __hash__ = None  # type: ignore[assignment]  # equality is an operation that is counted

    def __init__(self, value: fmpq, tally: list[int]) -> None:
        self.value = value
        self._tally = tally

    def _compute(self, operation: Callable[[fmpq, fmpq], fmpq], left: object, right: object) -> Counter:
        self._tally[0] += 1
        return Counter(operation(_value(left), _value(right)), self._tally)

    def _compare(self, operation: Callable[[fmpq, fmpq], bool], other: object) -> bool:
        self._tally[0] += 1
        return bool(operation(self.value, _value(other)))

    def __add__(self, other: object) -> Counter:
        return self._compute(add, self, other)

    def __sub__(self, other: object) -> Counter:
        return self._compute(sub, self, other)

    def __rsub__(self, other: object) -> Counter:
        return self._compute(sub, other, self)

    def __mul__(self, other: object) -> Counter:
        return self._compute(mul, self, other)

    def __truediv__(self, other: object) -> Counter:
        return self._compute(truediv, self, other)

    def __lt__(self, other: object) -> bool:
        return self._compare(lt, other)

    def __gt__(self, other: object) -> bool:
        return self._compare(gt, other)

    def __eq__(self, other: object) -> bool:
        return self._compare(eq, other)


def _value(number: object) -> fmpq:
    return number.value if isinstance(number, Counter) else fmpq(number)  # type: ignore[call-overload]


def operations(arm: Arm, discount: fmpq = fmpq(1, 2)) -> int:
    """Return how many operations and comparisons the indices of `arm` take, its states folded one by one.

    Raises
    ------
    ArithmeticError
        If counting changed the indices.

    Examples
    --------
    Two states take 23 operations, but for the 8 that a probability of 0 saves.

    >>> [operations(Arm(rewards=[1, 0], transitions=[[1, 0], [p, 1 - fmpq(p)]])) for p in (1, 0)]
    [23, 15]
    """
    tally: list[int] = [0]
    counted: Any = [[Counter(p, tally) for p in row] for row in arm.transitions]
    rewards: Any = [Counter(r, tally) for r in arm.rewards]
    beta: Any = Counter(discount, tally)
    indices: Any = indices_by_folding(counted, rewards, beta)
    if tuple(index.value for index in indices) != gittins_indices(arm, discount):
        raise ArithmeticError("counting changed the indices")
    return tally[0]
