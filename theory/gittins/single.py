r"""The Gittins index of one state, without those of the others: one linear system, certified by the Bellman equation.

Let C be the states that floating point puts before the state x. Let g be the rate of playing from x until the arm
leaves C and x, and :math:`m = g/(1-\beta)` the retirement reward. One system gives g and the value of "play on in C,
else retire" in every state. If this value satisfies the Bellman equation of the retirement problem, it is optimal, and
playing on and retiring tie in x: g is the index. Otherwise C becomes the set of states in which playing on is better.
This is a step of policy iteration: the rate grows, or it stays and values elsewhere grow. So no set comes twice.

FLINT solves the system by lifting a solution modulo one prime p to one modulo its powers (Dixon 1982).
"""

from __future__ import annotations

from collections.abc import Collection

from flint import fmpq, fmpq_mat

from theory.domain import exact_discount, state_index
from theory.gittins.proposal import propose_order
from theory.model import Arm, check_arm
from theory.rationals import Exact


def gittins_index(arm: Arm, discount: Exact, state: int) -> fmpq:
    """Return the Gittins index of one state, by index from 0, exactly; with many states, much faster than all indices.

    Source: Dixon, "Exact solution of linear equations using p-adic expansions", Numer. Math. 40, 1982.

    Examples
    --------
    >>> arm = Arm(rewards=[0, 1], transitions=[["1/2", "1/2"], [0, 1]])
    >>> gittins_index(arm, "1/2", 0)
    1/3
    """
    check_arm(arm)
    beta = exact_discount(discount)
    x = state_index(state, arm.size, "state")
    order = propose_order(arm, beta)
    inside = set(order[: order.index(x)])
    while True:
        rate, better = _rate_and_better_states(arm, beta, x, inside)
        if better is None:
            return rate
        inside = better


def _rate_and_better_states(
    arm: Arm, discount: fmpq, state: int, inside: Collection[int]
) -> tuple[fmpq, set[int] | None]:
    """Return the rate of `state`, and None if it is the index; otherwise the states where playing on is better."""
    played = [*sorted(set(inside) - {state}), state]
    Q = arm.transitions
    system = fmpq_mat([[int(x == y) - discount * Q[x][y] for y in played] for x in played])
    right = fmpq_mat([[arm.rewards[x], fmpq(1)] for x in played])
    solution = system.solve(right, "dixon")
    last = len(played) - 1
    rate = solution[last, 0] / solution[last, 1]
    retirement = rate / (1 - discount)
    values = [retirement] * arm.size
    for i, x in enumerate(played):
        # E beta^T = 1 - (1 - beta) time; in `state` the first and the last term cancel
        values[x] = solution[i, 0] + retirement - rate * solution[i, 1]
    going_on = fmpq_mat(arm.size, arm.size, [p for row in Q for p in row]) * fmpq_mat(arm.size, 1, values)
    gains = [arm.rewards[x] + discount * going_on[x, 0] - retirement for x in range(arm.size)]
    if all(gains[x] >= 0 if x in inside else gains[x] <= 0 for x in range(arm.size) if x != state):
        return rate, None
    return rate, {x for x in range(arm.size) if gains[x] > 0}
