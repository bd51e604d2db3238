r"""The optimal value as a function of one arm's state: a mixture of the arm's retirement functions.

Fix the states :math:`x_b` of all arms but a. Whittle's integral is linear in
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
from math import prod

from flint import fmpq

from theory.errors import ModelError
from theory.model import Arm, Bandit, check_arm, check_bandit
from theory.rationals import ONE, ZERO, Exact
from theory.stopping import mean
from theory.values.whittle import RetirementFunction, retirement_function, retirement_functions


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
    check_arm(arm)
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
