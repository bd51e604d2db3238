r"""Variances local to an arm, exactly: the variance in one move of the arm's value phi with a retirement reward m.

As a function of one arm's state, the optimal value is a constant plus a mixture of these values (the hull in
`theory.values`), so its standard deviation is at most the largest of theirs, whatever the other arms do.
"""

from __future__ import annotations

from collections.abc import Iterator

from flint import arb, fmpq

from proofs_checks.claimcheck.statements import Answer, answer
from theory import Arm, Bandit, rational
from theory.certified import at_most
from theory.minimax import variance
from theory.values import Activation, extreme_functions, optimal_value, product_process

HALF = fmpq(1, 2)
ONCE = Arm(rewards=[1, "1/2", 0], transitions=[[0, HALF, HALF], [0, 1, 0], [0, 0, 1]])
"""An arm that pays 1, then 1/2 for ever or 0 for ever, with equal chances."""


def local_variances(arm: Arm, discount: fmpq) -> list[fmpq]:
    r"""Return, by state, the largest variance over m of phi(y, m), where y is the next state.

    Between breakpoints, phi is affine in m and the standard deviation convex, so the breakpoints suffice.

    Examples
    --------
    >>> local_variances(ONCE, fmpq(1, 2))
    [1/4, 0, 0]
    """
    _, functions = extreme_functions(arm, discount)
    return [max(variance(row, phi) for phi in functions) for row in arm.transitions]


def total_variance(bandit: Bandit, c: object) -> Answer:
    """Return whether, for any policy, local variances sum to at most c (2 + 2^(1/2))^2 B^2 min(n, B)/beta^2.

    This is the mean of the discounted sum over the states played; B = 1/(1 - beta).
    """
    beta, n = bandit.discount, len(bandit.arms)
    if beta == 0:
        return answer(True)
    spreads = [local_variances(arm, beta) for arm in bandit.arms]
    process = product_process(bandit, lambda a, x: Activation(spreads[a][x], bandit.arms[a].transitions[x]))
    B, found = 1 / (1 - beta), max(process.solve().values.values())
    unit = B**2 * min(fmpq(n), B) / beta**2
    bound = rational(c) * unit * (2 + arb(2).sqrt()) ** 2
    return answer(at_most(lambda: arb(found), lambda: bound), M=bandit, sum_of_local_variances=found, bound=bound)


def arms_that_turn() -> Iterator[Bandit]:
    """Yield bandits of one, two or three arms `ONCE`."""
    for n in (1, 2, 3):
        yield Bandit([ONCE] * n, fmpq(9, 10))


def sum_on_arms_that_turn(at: tuple[int, fmpq], c: object) -> Answer:
    """Return whether, on n arms `ONCE`, local variances sum to c B^3 (1 - beta^n) along an optimal policy."""
    n, beta = at
    bandit, B = Bandit([ONCE] * n, beta), 1 / (1 - beta)
    spreads = local_variances(ONCE, beta)
    counted = product_process(bandit, lambda _, x: Activation(spreads[x], ONCE.transitions[x]))
    found = counted.evaluate(optimal_value(bandit).policy)[(0,) * n]
    claimed = rational(c) * B**3 * (1 - beta**n)
    return answer(found == claimed, n=n, beta=beta, sum_of_local_variances=found, claimed=claimed)
