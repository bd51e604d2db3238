r"""Retirement functions on common levels, and the law of the largest of independent arms.

A function :math:`\varphi(x, m)` that is convex and non-decreasing in the retirement reward m, at least m, and B at
m = B, equals :math:`E\max\{Z(x), m\}` for one law on [0, B], with distribution function :math:`F_x(m)`, the slope. For
retirement functions of an arm, Z is the *prevailing variable*. With independent :math:`Z_a` and
:math:`W = \max_{b \ne a} Z_b(x_b)`,

.. math:: V^*(x) = E\max_a Z_a(x_a), \qquad V^*(y, x_{-a}) = E\varphi_a(y, W)

(Whittle's integral, see `theory.values`). Any tables have such a mean, which increases with the tables.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import prod

from flint import fmpq

from theory.errors import ModelError
from theory.model import Bandit, GlobalState, check_bandit
from theory.rationals import ONE, ZERO, rationals
from theory.values import retirement_functions


@dataclass(frozen=True)
class RetirementTable:
    """Retirement functions of the states of one arm, linear between common levels.

    The `levels`, (G+1,), are retirement rewards that increase from 0 to B. The `values`, (S, G+1), are convex in the
    level, non-decreasing, at least the level, and B at B; `ModelError` names state and level of others.

    Examples
    --------
    >>> table = RetirementTable((0, 1, 2), ((1, "3/2", 2), (0, 1, 2)))
    >>> table.slopes[0], table.indices
    ((1/2, 1/2, 1), (2, 0))
    """

    levels: tuple[fmpq, ...]
    values: tuple[tuple[fmpq, ...], ...]

    def __post_init__(self) -> None:
        levels = rationals(self.levels)
        object.__setattr__(self, "levels", levels)
        object.__setattr__(self, "values", tuple(map(rationals, self.values)))
        if len(levels) < 2 or levels[0] != 0 or any(left >= right for left, right in pairwise(levels)):
            raise ModelError("levels: they increase from 0 to B")
        for x, row in enumerate(self.values):
            if len(row) != len(levels) or row[-1] != levels[-1]:
                raise ModelError(f"state {x}: a value for each level, {levels[-1]} at the last")
            for level, value in zip(levels, row, strict=True):
                if value < level:
                    raise ModelError(f"state {x}: the value {value} at level {level} is below it")
            if any(left > right for left, right in pairwise((ZERO, *self.slopes[x]))):
                raise ModelError(f"state {x}: slopes {self.slopes[x]} are not non-decreasing from 0 to 1")

    @cached_property
    def slopes(self) -> tuple[tuple[fmpq, ...], ...]:
        """Distribution function of Z by state and level: the slope to the right of the level, 1 at the last."""
        steps = [right - left for left, right in pairwise(self.levels)]
        return tuple(
            (*((right - left) / step for (left, right), step in zip(pairwise(row), steps, strict=True)), ONE)
            for row in self.values
        )

    @cached_property
    def indices(self) -> tuple[int, ...]:
        """By state, the position of the lowest level that equals its value: the largest Z, the index over 1-beta."""
        return tuple(next(j for j, level in enumerate(self.levels) if row[j] == level) for row in self.values)


Tables = Sequence[RetirementTable]


def exact_tables(bandit: Bandit) -> tuple[RetirementTable, ...]:
    """Return the retirement functions of all arms at the breakpoints of all arms; rewards must lie in [0, 1].

    Examples
    --------
    >>> from theory import Arm
    >>> exact_tables(Bandit([Arm(rewards=[1, 0], transitions=[["1/2", "1/2"], [0, 1]])], "1/2"))[0].values
    ((4/3, 2), (0, 2))
    """
    check_bandit(bandit)
    B = 1 / (1 - bandit.discount)
    arms = [retirement_functions(arm, bandit.discount) for arm in bandit.arms]
    if any(not 0 <= reward <= 1 for arm in bandit.arms for reward in arm.rewards):
        raise ModelError("exact_tables: rewards are from 0 to 1")
    levels = tuple(sorted({ZERO, B, *(m for arm in arms for phi in arm for m in phi.breakpoints)}))
    return tuple(RetirementTable(levels, tuple(tuple(map(phi, levels)) for phi in arm)) for arm in arms)


def others_law(tables: Tables, state: GlobalState, arm: int) -> tuple[fmpq, ...]:
    """Return P(W = level) by level, W the largest Z of the arms other than `arm`; without other arms W = 0.

    Examples
    --------
    >>> table = RetirementTable((0, 1, 2), ((1, "3/2", 2),))
    >>> others_law([table] * 3, (0, 0, 0), 0)  # the distribution function is 1/4, 1/4, 1
    (1/4, 0, 3/4)
    """
    below = [ONE] * len(tables[arm].levels)
    for b, table in enumerate(tables):
        if b != arm:
            below = [F * slope for F, slope in zip(below, table.slopes[state[b]], strict=True)]
    return (below[0], *(right - left for left, right in pairwise(below)))


def mean_of_largest(tables: Tables, state: GlobalState) -> fmpq:
    """Return the mean of the largest Z of all arms, which is the optimal value if the tables are exact.

    Examples
    --------
    >>> from theory import paper_model
    >>> bandit = paper_model("counterexample-m1")
    >>> table = RetirementTable((0, 1, 2), ((1, "3/2", 2),))
    >>> mean_of_largest([table] * 2, (0, 0))  # 2 but for two zeros
    3/2
    """
    levels, integral = tables[0].levels, ZERO
    for j, (left, right) in enumerate(pairwise(levels)):
        integral += prod((table.slopes[x][j] for table, x in zip(tables, state, strict=True)), start=right - left)
    return levels[-1] - integral


def index_rule(tables: Tables) -> Callable[[GlobalState], int]:
    """Return the policy that plays the arm of largest index, the first one if several tie."""

    def play(state: GlobalState) -> int:
        return max(range(len(state)), key=lambda a: tables[a].indices[state[a]])

    return play
