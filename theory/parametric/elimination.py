r"""The elimination that gives Gittins indices, with the discount as an indeterminate.

With rows and columns of :math:`[I - \beta Q \mid r \mid 1]` in a given order and every entry a polynomial in
:math:`\beta`, a fraction-free elimination leaves in row k two appended entries whose quotient is the index of the k-th
state wherever the order is one of non-increasing indices (`theory.gittins.elimination`). Whether states k and k+1 tie
there is the vanishing of one determinant: that of rows 1..k+2 and the columns of the first k states, r and 1. It is a
polynomial of degree at most k, and its sign is that of the difference of the two quotients.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flint import fmpz, fmpz_poly

from theory.model import Arm
from theory.parametric.rational_function import RationalFunction


@dataclass(frozen=True)
class Elimination:
    """What the elimination in one order of the states leaves.

    Attributes
    ----------
    quotients : (S,) RationalFunction
        In the given order. Where they do not increase, they are the indices.
    differences : (S - 1,) fmpz_poly
        With the sign, on (0, 1), of each quotient minus the next one.
    """

    quotients: tuple[RationalFunction, ...]
    differences: tuple[fmpz_poly, ...]


def eliminate(arm: Arm, order: Sequence[int]) -> Elimination:
    """Eliminate the states of `arm` in `order`, for all discounts at once.

    Examples
    --------
    >>> found = eliminate(Arm(rewards=[1, 0], transitions=[["1/2", "1/2"]] * 2), [0, 1])
    >>> [(str(each.numerator), str(each.denominator)) for each in found.quotients]
    [('1', '1'), ('x', '2')]
    >>> found.differences
    (4,)
    """
    size = len(order)
    table, reward_scale = _polynomial_rows(arm, order)
    previous = fmpz_poly([1])
    quotients, differences = [], []
    for k, pivot_row in enumerate(table):
        pivot, reward, time = pivot_row[k], pivot_row[size], pivot_row[size + 1]
        quotients.append(RationalFunction.quotient(reward, time * reward_scale))
        if k + 1 < size:
            below = table[k + 1]
            # a minor of bordered minors: divisible by the leading minor, which is positive (Sylvester)
            differences.append((reward * below[size + 1] - below[size] * time) // previous)
        for row in table[k + 1 :]:
            factor = row[k]
            for j in range(k + 1, size + 2):
                row[j] = (pivot * row[j] - factor * pivot_row[j]) // previous
        previous = pivot
    return Elimination(tuple(quotients), tuple(differences))


def _polynomial_rows(arm: Arm, order: Sequence[int]) -> tuple[list[list[fmpz_poly]], fmpz]:
    """Return the rows, each times its own factor, and the factor by which their rewards are too large."""
    reward_scale = fmpz(1)
    for reward in arm.rewards:
        reward_scale = reward_scale.lcm(reward.q)
    table = []
    for x in order:
        denominator, numerators = arm.integer_rows[x]
        row = [fmpz_poly([denominator if y == x else 0, -numerators[y]]) for y in order]
        reward = arm.rewards[x] * reward_scale
        table.append([*row, fmpz_poly([denominator * reward.p]), fmpz_poly([denominator])])
    return table, reward_scale
