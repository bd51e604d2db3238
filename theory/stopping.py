r"""One arm played until it leaves a set of states: the building blocks of every index and retirement formula.

Let C be the set of states in which play continues, and T the first time at which the chain is outside C (T = 0 if it
starts outside). Then

.. math:: R_C(x) = E_x \sum_{t<T} \beta^t r(Z_t), \qquad D_C(x) = E_x \sum_{t<T} \beta^t, \qquad
          \theta_C(x) = E_x \beta^T = 1 - (1-\beta) D_C(x).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from flint import fmpq, fmpq_mat

from theory.domain import exact_discount, state_index
from theory.errors import ModelError
from theory.model import Arm, check_arm
from theory.rationals import ZERO, Exact, rationals


@dataclass(frozen=True)
class StoppedChain:
    """Discounted reward R_C(x) and discounted time D_C(x) until the chain leaves C, for every state x."""

    reward: tuple[fmpq, ...]
    time: tuple[fmpq, ...]


def stopped_chain(arm: Arm, discount: Exact, continue_in: Collection[int]) -> StoppedChain:
    """Return reward and time of playing `arm` as long as its state is in `continue_in`, by one exact linear solve.

    Examples
    --------
    >>> arm = Arm(rewards=[1, 0], transitions=[["1/2", "1/2"], [0, 1]])
    >>> stopped_chain(arm, "1/2", [0])
    StoppedChain(reward=(4/3, 0), time=(4/3, 0))
    """
    check_arm(arm)
    beta = exact_discount(discount)
    inside = sorted({state_index(x, arm.size, "continue_in") for x in continue_in})
    reward, time = [ZERO] * arm.size, [ZERO] * arm.size
    if inside:
        Q = arm.transitions
        system = fmpq_mat([[(1 if x == y else 0) - beta * Q[x][y] for y in inside] for x in inside])
        right = fmpq_mat([[arm.rewards[x], fmpq(1)] for x in inside])
        solution = system.solve(right)
        for row, x in enumerate(inside):
            reward[x], time[x] = solution[row, 0], solution[row, 1]
    return StoppedChain(tuple(reward), tuple(time))


def one_step(row: Sequence[fmpq], after: Sequence[fmpq], discount: fmpq, now: fmpq) -> fmpq:
    """Return ``now + discount * sum over y of row(y) after(y)``: a reward now and `after` one step later."""
    return now + discount * mean(row, after)


def expectation(row: Sequence[Exact], values: Sequence[Exact]) -> fmpq:
    """Return the mean of `values` under the probability `row`.

    Examples
    --------
    >>> expectation(["1/3", "2/3"], [1, "0.5"])
    2/3
    """
    if len(row) != len(values):
        raise ModelError(f"{len(row)} probabilities for {len(values)} values")
    return mean(rationals(row), rationals(values))


def mean(row: Sequence[fmpq], values: Sequence[fmpq]) -> fmpq:
    """Return the expectation of `values` under `row`, without the checks of `expectation`."""
    total = ZERO
    for p, v in zip(row, values, strict=True):
        if p:
            total += p * v
    return total
