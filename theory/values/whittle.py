r"""Whittle's retirement functions, and the optimal value computed from them.

:math:`\phi_a(x, m)` is the optimal value of arm a, played alone from state x, with retirement reward m. It is convex
and piecewise linear in m, with slope :math:`\theta_C(x)` while the continuation set is C; the set changes at
:math:`m = g/(1-\beta)` for the indices g of the arm. The optimal value of the bandit is (Whittle 1980)

.. math:: V(x) = B - \int_{-\infty}^{B} \prod_a \frac{\partial \phi_a}{\partial m}(x_a, m) \, dm,
          \qquad B \ge \max_a \max_y g_a(y)/(1-\beta).

The integrand is 0 below the smallest breakpoint of any one arm, so rewards of any sign are allowed.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import prod

from flint import fmpq

from theory.domain import exact_discount, state_index
from theory.gittins import gittins_indices
from theory.model import Arm, Bandit, check_arm, check_bandit
from theory.rationals import ZERO, Exact, rational
from theory.stopping import stopped_chain


@dataclass(frozen=True)
class RetirementFunction:
    """The optimal value of one arm, in one state, as a function of the retirement reward m.

    The k `breakpoints` increase, at most one per distinct index of the arm. The k + 1 `slopes` below, between and above
    them do not decrease, from 0 to 1. Below the first breakpoint the value is that of `never_retiring`.
    """

    breakpoints: tuple[fmpq, ...]
    slopes: tuple[fmpq, ...]
    never_retiring: fmpq

    def slope(self, m: Exact) -> fmpq:
        """Return the slope to the right of `m`."""
        return self.slopes[bisect_right(self.breakpoints, rational(m))]

    def __call__(self, m: Exact) -> fmpq:
        """Return the value with retirement reward `m`."""
        at = rational(m)
        value = self.never_retiring
        for i, left in enumerate(self.breakpoints):
            if at <= left:
                break
            right = self.breakpoints[i + 1] if i + 1 < len(self.breakpoints) else at
            value += self.slopes[i + 1] * (min(at, right) - left)
        return value


def retirement_function(arm: Arm, discount: Exact, state: int) -> RetirementFunction:
    """Return the retirement function of `arm` in `state`, exactly.

    Examples
    --------
    >>> phi = retirement_function(Arm(rewards=[1, 0], transitions=[["1/2", "1/2"], [0, 1]]), "1/2", 0)
    >>> phi.breakpoints, phi.slopes, phi(0), phi(3)
    ((0, 2), (0, 1/3, 1), 4/3, 3)
    """
    check_arm(arm)
    x = state_index(state, arm.size, "state")
    return retirement_functions(arm, discount)[x]


def retirement_functions(arm: Arm, discount: Exact) -> tuple[RetirementFunction, ...]:
    """Return the retirement functions of all states of `arm`, from one computation of indices and linear solves.

    Examples
    --------
    >>> there, gone = retirement_functions(Arm(rewards=[1, 0], transitions=[["1/2", "1/2"], [0, 1]]), "1/2")
    >>> there.slopes, gone.slopes
    ((0, 1/3, 1), (0, 1, 1))
    """
    check_arm(arm)
    return _functions(arm, exact_discount(discount))


@lru_cache(maxsize=64)  # comparisons of estimates with a true model ask for the true model's functions each time
def _functions(arm: Arm, beta: fmpq) -> tuple[RetirementFunction, ...]:
    indices = gittins_indices(arm, beta)
    levels = sorted(set(indices))
    for_ever = stopped_chain(arm, beta, range(arm.size))
    # just above a breakpoint, play continues in the states of larger index
    above = [stopped_chain(arm, beta, [y for y in range(arm.size) if indices[y] > level]) for level in levels]
    breakpoints = tuple(level / (1 - beta) for level in levels)
    return tuple(
        RetirementFunction(breakpoints, tuple(1 - (1 - beta) * chain.time[x] for chain in (for_ever, *above)), value)
        for x, value in enumerate(for_ever.reward)
    )


def value_by_retirement(bandit: Bandit, initial: Sequence[int | str] | None = None) -> fmpq:
    """Return the exact optimal value from Whittle's integral.

    Examples
    --------
    >>> from theory import paper_model
    >>> value_by_retirement(paper_model("counterexample-m1"))
    5163/800
    """
    check_bandit(bandit)
    start = bandit.start(initial)
    functions = [retirement_function(arm, bandit.discount, x) for arm, x in zip(bandit.arms, start, strict=True)]
    points = sorted({m for phi in functions for m in phi.breakpoints})
    integral = ZERO
    for left, right in pairwise(points):
        integral += prod((phi.slope(left) for phi in functions), start=right - left)
    return points[-1] - integral
