r"""Whittle's retirement functions, and the optimal value computed from them.

:math:`\phi_a(x, m)` is the optimal value of arm a, played alone from state x, with retirement reward m. It is convex
and piecewise linear in m, with slope :math:`\theta_C(x)` while the continuation set is C; the set changes at
:math:`m = g/(1-\beta)` for the indices g of the arm. The optimal value of the bandit is (Whittle 1980)

.. math:: V(x) = B - \int_{-\infty}^{B} \prod_a \frac{\partial \phi_a}{\partial m}(x_a, m) \, dm,
          \qquad B \ge \max_a \max_y g_a(y)/(1-\beta).

The integrand is 0 below the smallest breakpoint of any one arm, so rewards of any sign are allowed.

*The optimal value as a function of one arm's state* is a mixture of the arm's retirement functions. Fix the states
:math:`x_b` of all arms but a. Whittle's integral is linear in
:math:`g(m) = \prod_{b \ne a} \partial_m \phi_b(x_b, m)`, a step function that does not decrease and ends at 1. If g is
a single unit step at p, the integral is :math:`B - \int_p^B \partial_m \phi_a(y, m) \, dm = \phi_a(y, p)`; so

.. math:: V^*(y, x_{-a}) = \sum_p \Delta g(p) \, \phi_a(y, p),

over the jumps p of g, which are breakpoints of other arms. As a function of p, :math:`\phi_a(y, p)` is constant below
arm a's first breakpoint :math:`m_1`, linear between two, and equal to p above the last, :math:`m_s`. Hence

.. math:: V^*(y, x_{-a}) = c + \sum_{j=1}^{s} w_j \, \phi_a(y, m_j), \qquad w_j \ge 0, \quad \sum_j w_j = 1,
          \quad c \ge 0,

with s at most the number of states, whatever the number of arms; and :math:`\phi_a(\cdot, m_s) = m_s` is constant.
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
from theory.errors import ModelError
from theory.gittins import gittins_indices
from theory.model import Arm, Bandit, check_arm, check_bandit
from theory.rationals import ONE, ZERO, Exact, rational
from theory.stopping import mean, stopped_chain


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


@dataclass(frozen=True)
class RetirementMixture:
    """The optimal value of a bandit as a function of one arm's state, with the other arms' states fixed.

    It is the `constant`, which is non-negative, plus the mean of the arm's retirement `functions`, (s, S), at the s
    increasing `levels`, its breakpoints, under the `weights`, which are non-negative and sum to 1.
    """

    levels: tuple[fmpq, ...]
    weights: tuple[fmpq, ...]
    constant: fmpq
    functions: tuple[tuple[fmpq, ...], ...]

    @property
    def values(self) -> tuple[fmpq, ...]:
        """The optimal value for each state of the arm."""
        return tuple(self.constant + mean(self.weights, column) for column in zip(*self.functions, strict=True))


def extreme_functions(arm: Arm, discount: Exact) -> tuple[tuple[fmpq, ...], tuple[tuple[fmpq, ...], ...]]:
    """Return the breakpoints of `arm` and its retirement function at each, as a function of the state.

    The last function is constant. The first is the value of playing for ever.

    Examples
    --------
    >>> extreme_functions(Arm(rewards=[1, 0], transitions=[["1/2", "1/2"], [0, 1]]), "1/2")
    ((0, 2), ((4/3, 0), (2, 2)))
    """
    of_states = retirement_functions(arm, discount)
    levels = of_states[0].breakpoints
    return levels, tuple(tuple(phi(m) for phi in of_states) for m in levels)


def retirement_mixture(bandit: Bandit, arm: int, state: Sequence[int | str]) -> RetirementMixture:
    """Return the mixture for the optimal value as a function of the state of `arm`, given by its index from 0.

    The entry of `state`, a global state, for `arm` is ignored.

    Examples
    --------
    >>> from theory import paper_model
    >>> mixture = retirement_mixture(paper_model("counterexample-m1"), 0, ["A1", "B3"])
    >>> mixture.weights, mixture.constant, mixture.values[0]
    ((9/1400, 1391/1400, 0), 0, 5163/800)
    """
    check_bandit(bandit)
    if isinstance(arm, bool) or not isinstance(arm, int) or not 0 <= arm < len(bandit.arms):
        raise ModelError(f"{arm!r} is not an arm; arms are 0..{len(bandit.arms) - 1}")
    fixed = bandit.global_state(state)
    levels, functions = extreme_functions(bandit.arms[arm], bandit.discount)
    others = [retirement_function(other, bandit.discount, fixed[b]) for b, other in enumerate(bandit.arms) if b != arm]
    weights, constant = [ZERO] * len(levels), ZERO
    for point, jump in _jumps(others, levels[0]):
        above = bisect_right(levels, point)  # the number of levels at or below the point
        if above == 0:
            weights[0] += jump
        elif above == len(levels):
            weights[-1] += jump
            constant += jump * (point - levels[-1])
        else:
            share = (point - levels[above - 1]) / (levels[above] - levels[above - 1])
            weights[above - 1] += jump * (1 - share)
            weights[above] += jump * share
    return RetirementMixture(levels, tuple(weights), constant, functions)


def _jumps(others: Sequence[RetirementFunction], first_level: fmpq) -> list[tuple[fmpq, fmpq]]:
    """Return the jumps of the product of slopes as pairs (place, size); without other arms, one at `first_level`."""
    if not others:
        return [(first_level, ONE)]
    jumps, before = [], ZERO
    for point in sorted({m for phi in others for m in phi.breakpoints}):
        after = prod((phi.slope(point) for phi in others), start=ONE)
        if after != before:
            jumps.append((point, after - before))
        before = after
    return jumps
