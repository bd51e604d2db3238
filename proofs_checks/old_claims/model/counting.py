"""Exact numbers that count the operations done with them, and polynomials through exact counts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import add, eq, gt, lt, mul, sub, truediv

from flint import fmpq, fmpq_mat


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


def interpolate(points: Sequence[tuple[int, int]]) -> tuple[fmpq, ...]:
    """Return the coefficients, constant first, of the polynomial of least degree through `points`.

    Examples
    --------
    >>> interpolate([(1, 1), (2, 4), (3, 9)])
    (0, 0, 1)
    """
    size = len(points)
    system = fmpq_mat([[fmpq(x) ** power for power in range(size)] for x, _ in points])
    solution = system.solve(fmpq_mat([[fmpq(y)] for _, y in points]))
    return tuple(solution[power, 0] for power in range(size))
