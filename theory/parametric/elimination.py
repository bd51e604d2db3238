r"""The elimination that gives Gittins indices, with the discount as an indeterminate.

Take the rows and columns of :math:`[I - \beta Q \mid r \mid 1]` in a given order, with polynomials in :math:`\beta` as
entries. A fraction-free elimination leaves two appended entries in row k; their quotient is the index of the k-th state
wherever indices do not increase in that order (`theory.gittins.elimination`). States k and k+1 tie where one
determinant vanishes, that of rows 1..k+2 and the columns of the first k states, r and 1. It is a polynomial of degree
at most k with the sign of the difference of the two quotients.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from operator import itemgetter
from typing import Any

from flint import fmpq, fmpz, fmpz_poly

from theory.model import Arm
from theory.parametric.rational_function import RationalFunction
from theory.parametric.real import Combination, RealArm


@dataclass(frozen=True)
class Elimination:
    """The quotients in one order of the states, and polynomials with the sign of each minus the next one, on (0, 1)."""

    quotients: tuple[RationalFunction, ...]
    differences: tuple[fmpz_poly | Combination, ...]


def eliminate(arm: Arm | RealArm, order: Sequence[int]) -> Elimination:
    """Eliminate the states of `arm` in `order`, for all discounts at once; each real number has a column of rewards."""
    size = len(order)
    join: Callable[[Any], Any]
    if isinstance(arm, RealArm):
        rows, rewards, join = arm.rows, arm.weights, partial(Combination, arm.numbers)
    else:
        rows, rewards, join = arm, tuple((reward,) for reward in arm.rewards), itemgetter(0)
    table, reward_scale = _polynomial_rows(rows, rewards, order)
    previous = fmpz_poly([1])
    quotients, differences = [], []
    for k, pivot_row in enumerate(table):
        pivot, reward, time = pivot_row[k], pivot_row[size:-1], pivot_row[-1]
        quotients.append(RationalFunction.quotient(join(reward), time * reward_scale))
        if k + 1 < size:
            below = table[k + 1]
            # a minor of bordered minors, divisible (Sylvester) by the leading minor, which is positive
            minors = [r * below[-1] - s * time for r, s in zip(reward, below[size:-1], strict=True)]
            differences.append(join([minor // previous for minor in minors]))
        for row in table[k + 1 :]:
            factor = row[k]
            for j in range(k + 1, len(row)):
                row[j] = (pivot * row[j] - factor * pivot_row[j]) // previous
        previous = pivot
    return Elimination(tuple(quotients), tuple(differences))


def _polynomial_rows(
    arm: Arm, rewards: Sequence[Sequence[fmpq]], order: Sequence[int]
) -> tuple[list[list[fmpz_poly]], fmpz]:
    """Return the rows, each times its own factor, and the factor by which the rewards are too large."""
    reward_scale = fmpz(1)
    for weight in chain(*rewards):
        reward_scale = reward_scale.lcm(weight.q)
    table = []
    for x in order:
        denominator, numerators = arm.integer_rows[x]
        row = [fmpz_poly([denominator if y == x else 0, -numerators[y]]) for y in order]
        scaled = [fmpz_poly([denominator * (weight * reward_scale).p]) for weight in rewards[x]]
        table.append([*row, *scaled, fmpz_poly([denominator])])
    return table, reward_scale
