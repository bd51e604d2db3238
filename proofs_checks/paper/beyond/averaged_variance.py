r"""The law of total variance along a policy of largest index, averaged over the prevailing variable of the other arms.

For tables of retirement functions :math:`\tilde\varphi` (`theory.minimax`), the law bounds at every global state the
mean over W of the variance of :math:`\tilde\varphi_a(\cdot, W)` in the move of the arm a that is played.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from typing import TYPE_CHECKING, TypeAlias

from flint import fmpq

from proofs_checks.claimcheck.statements import Answer, answer
from proofs_checks.paper.shared.horizons import values_later
from theory import ZERO, Arm, Bandit, GlobalState, rational
from theory.minimax import RetirementTable, Tables, exact_tables, index_rule, variance_steps
from theory.random_models import random_bandit
from theory.values import policy_table

if TYPE_CHECKING:
    from numpy.random import Generator

WithTables: TypeAlias = "tuple[Bandit, Tables]"


def step_of_variance(case: WithTables, c: object, d: object, e: object) -> Answer:
    """Return whether beta E Var <= c B r - (Pot - beta E Pot) + d B E g^+ + e eta at every global state."""
    bandit, tables = case
    B = 1 / (1 - bandit.discount)
    for step in variance_steps(bandit, tables):
        bound = rational(c) * step.reward - step.fallen + rational(d) * B * step.excess + rational(e) * step.slopes
        if step.averaged > bound:
            return answer(False, M=bandit, tables=tables, state=step.state, variance=step.averaged, bound=bound)
    return answer(True)


def two_levels(bandit: Bandit, *slopes: tuple[object, ...]) -> WithTables:
    """Return a bandit with tables that have the given slope between 0 and B, for each state of each arm."""
    B = 1 / (1 - bandit.discount)
    levels = (ZERO, B)
    return bandit, [RetirementTable(levels, tuple((B * (1 - rational(F)), B) for F in arm)) for arm in slopes]


def hard_steps() -> Iterator[WithTables]:
    """Yield bandits with tables on which the three parts of the bound are nearly used up."""
    stays = Arm(rewards=[1], transitions=[[1]])
    yield two_levels(Bandit([stays], "99/100"), (0,))  # reward 1 and psi = B: equality
    moves = Arm(rewards=[1, 0], transitions=[[0, 1], [0, 1]])
    yield two_levels(Bandit([moves], "99/100"), (0, "1/1000"))  # the value B exceeds its own lookahead
    yield two_levels(Bandit([moves, stays], "99/100"), ("99/100", 0), (0,))  # Z_a rises from 0 to B in one move


def drawn_step(generator: Generator) -> WithTables:
    """Draw a small bandit and arbitrary tables, whose slopes increase over equal cells up to 1."""
    bandit, cells = random_bandit(generator, max_global_states=12), int(generator.integers(1, 5))
    B = 1 / (1 - bandit.discount)
    levels = tuple(B * j / cells for j in range(cells + 1))
    tables = []
    for arm in bandit.arms:
        rows = []
        for _ in range(arm.size):
            slopes = sorted(fmpq(int(generator.integers(0, 5)), 4) for _ in range(cells))
            rows.append(tuple(accumulate(slopes[::-1], lambda value, F: value - F * B / cells, initial=B))[::-1])
        tables.append(RetirementTable(levels, tuple(rows)))
    return bandit, tables


def variance_of_steps(bandit: Bandit, steps: int) -> dict[GlobalState, fmpq]:
    """Return, by initial state, the mean discounted sum of averaged variances over `steps` steps of an optimal policy.

    Examples
    --------
    >>> variance_of_steps(lottery(1, fmpq(1, 2)), 2)[0,]  # 1/2 (2/3 - 1/3 * 1/3), W = 0
    1
    """
    tables, beta = exact_tables(bandit), bandit.discount
    play, spread = index_rule(tables), {each.state: each.averaged / beta for each in variance_steps(bandit, tables)}
    policy, found = policy_table(bandit, play), dict.fromkeys(spread, ZERO)
    for _ in range(steps):
        later = values_later(bandit, policy, found)
        found = {state: own + beta * later[state] for state, own in spread.items()}
    return found


def averaged_variances(bandit: Bandit, c: object) -> Answer:
    """Return whether the averaged variances of n + 2 steps sum up to at most c B^2/beta."""
    beta = bandit.discount
    if beta == 0:
        return answer(True)
    largest = max(variance_of_steps(bandit, len(bandit.arms) + 2).values())
    bound = rational(c) / (beta * (1 - beta) ** 2)
    return answer(largest <= bound, M=bandit, sum_of_variances=largest, bound=bound)


def lottery(n: int, beta: fmpq) -> Bandit:
    """Return n arms that pay 0, then 1 for ever with chance 1/(n+1), else 0 for ever."""
    rest = fmpq(n, n + 1)
    arm = Arm(rewards=[0, 1, 0], transitions=[[0, 1 - rest, rest], [0, 1, 0], [0, 0, 1]])
    return Bandit([arm] * n, beta)
