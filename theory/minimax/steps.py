r"""Both sides of the inequalities in the minimax learner's analysis, at every global state of a small bandit.

* `concentration`: the event on which the tables are optimistic, decided exactly.
* `one_steps`: the gap :math:`\tilde V - V^\pi` of the index policy, against one step of the policy.
* `variance_steps`: the law of total variance along the policy of largest index, for *any* tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from flint import arb, fmpq

from theory.minimax.learner import MinimaxSettings, SeenArm, variance
from theory.minimax.tables import Tables, index_rule, mean_of_largest, others_law
from theory.model import Bandit, GlobalState
from theory.rationals import ONE, ZERO
from theory.stopping import mean
from theory.values import global_states, moved, policy_value, retirement_functions


def concentration(
    bandit: Bandit, seen: Sequence[SeenArm], levels: Sequence[fmpq], shares: Sequence[fmpq]
) -> Callable[[fmpq, fmpq], bool]:
    r"""Return a function of l and l': whether the estimates are as close to the truth as the analysis requires.

    For every cell with N visits and every level m, with :math:`v = \varphi(\cdot, m)`:

    * :math:`|\hat r - r| \le \sqrt{l/(2N)}`;
    * :math:`|(\hat Q - Q)v| \le \sqrt{2\mathrm{Var}_Q(v)\,l/N} + Bl/(3N)`;
    * :math:`\mathrm{sd}_Q(v) \le \mathrm{sd}_{\hat Q}(v) + \frac{3}{\sqrt2}B\sqrt{l/N}`;
    * :math:`\sum_y(\hat Q - Q)^+ \le \sqrt{l'/(2N)}`, and :math:`\sum_y(\hat Q - (1+\varepsilon)Q)^+ \le
      l'/(\varepsilon N)` for each :math:`\varepsilon` of `shares`.

    Examples
    --------
    >>> from theory import Arm
    >>> bandit = Bandit([Arm(rewards=["1/2"], transitions=[[1]])], "1/2")
    >>> seen = [SeenArm([1], [[1]], [2])]  # 1/2 is as far as l = 1 allows
    >>> holds = concentration(bandit, seen, (ZERO, fmpq(2)), [fmpq(1)])
    >>> [holds(l, l) for l in (fmpq(1), fmpq(99, 100))]
    [True, False]
    """
    B = levels[-1]
    rewards, moves, means = [ZERO], [ZERO], []
    for arm, estimate in zip(bandit.arms, seen, strict=True):
        functions = retirement_functions(arm, bandit.discount)
        columns = [[phi(m) for phi in functions] for m in levels]
        for x, N in enumerate(estimate.visits):
            if N == 0:
                continue
            row, hat = arm.transitions[x], estimate.rows[x]
            rewards.append(2 * N * (estimate.rewards[x] - arm.rewards[x]) ** 2)
            moves.append(2 * N * _excess(hat, row, ONE) ** 2)
            moves += [eps * N * _excess(hat, row, 1 + eps) for eps in shares]
            for column in columns:
                apart = abs(mean(hat, column) - mean(row, column))
                means.append((N, apart, variance(row, column), variance(hat, column)))

    def holds(logarithm: fmpq, sets: fmpq) -> bool:
        if max(rewards) > logarithm or max(moves) > sets:
            return False
        for N, apart, true, found in means:
            rate = logarithm / N
            further, spare = apart - B * rate / 3, fmpq(9, 2) * B**2 * rate
            if further > 0 and further**2 > 2 * true * rate:
                return False
            more = true - found - spare
            if more > 0 and more**2 > 4 * found * spare:
                return False
        return True

    return holds


def _excess(hat: Sequence[fmpq], row: Sequence[fmpq], times: fmpq) -> fmpq:
    """Return the sum of the positive parts of ``hat - times * row``."""
    return sum((max(ZERO, q - times * p) for p, q in zip(row, hat, strict=True)), ZERO)


@dataclass(frozen=True)
class OneStep:
    """The `gap` V~ - V^pi at one global state: at most min(B, `radius` + `spread` + `few`) + (1 + 3 eps) `after`.

    The terms are of the rewards and the levels, of the averaged deviation, and of order 1/N; `after` is beta Q Gap.
    """

    state: GlobalState
    gap: fmpq
    radius: arb
    spread: arb
    few: arb
    after: fmpq


def one_steps(
    bandit: Bandit,
    seen: Sequence[SeenArm],
    tables: Tables,
    settings: MinimaxSettings,
    sets: fmpq,
    eps: fmpq,
) -> Iterator[OneStep]:
    r"""Yield the two sides of the one-step inequality at every global state.

    .. math:: \sqrt{2l/\hat N} + \delta + \beta(c_1 + \sqrt2)\sqrt{l/\hat N}\,E_W\mathrm{sd}_{\hat Q}\tilde\varphi
       + \beta B\Big[\frac{l}{2\varepsilon} + \Big(c_2 + \frac{10}{3}\Big)l + \frac{l'}{\varepsilon} +
       \varepsilon l'\Big]\frac{1}{\hat N}

    has its first two terms, rewards and rounding of the tables, in `radius`.
    """
    play, beta, levels = index_rule(tables), bandit.discount, tables[0].levels
    B, step = levels[-1], max(right - left for left, right in pairwise(levels))
    values = policy_value(bandit, play)
    gaps = {state: mean_of_largest(tables, state) - values[state] for state in values}
    bracket = settings.logarithm * (1 / (2 * eps) + settings.c2 + fmpq(10, 3)) + sets / eps + eps * sets
    for state, gap in gaps.items():
        a = play(state)
        x, columns = state[a], list(zip(*tables[a].values, strict=True))
        share = seen[a].share(x)
        rate = settings.logarithm * share
        spread = arb(0)
        for chance, column in zip(others_law(tables, state, a), columns, strict=True):
            if chance:
                spread += arb(chance) * arb(variance(seen[a].rows[x], column)).sqrt()
        yield OneStep(
            state,
            gap,
            arb(2 * rate).sqrt() + arb(step + settings.rounding),
            beta * (arb(settings.c1) + arb(2).sqrt()) * arb(rate).sqrt() * spread,
            arb(beta * B * bracket * share),
            beta * mean(bandit.arms[a].transitions[x], [gaps[moved(state, a, y)] for y in range(bandit.arms[a].size)]),
        )


@dataclass(frozen=True)
class VarianceStep:
    """The law of total variance at one global state: `averaged` <= `reward` - `fallen` + 2B `excess` + 2 `slopes`."""

    state: GlobalState
    averaged: fmpq  # beta E_W Var_Q phi~(., W)
    fallen: fmpq  # Pot(x) - beta E Pot(x')
    reward: fmpq  # B r
    excess: fmpq  # E_W g(x, W)^+, where g = phi~ - r - beta Q phi~
    slopes: fmpq  # eta, the integral of (B - m) (F~_x - beta Q F~)^+ up to the index


def potential(tables: Tables, state: GlobalState) -> fmpq:
    """Return the sum over arms b of E (phi~_b(x_b, W_-b) - W_-b)^2.

    Examples
    --------
    >>> from theory.minimax.tables import RetirementTable
    >>> potential([RetirementTable((0, 1, 2), ((1, "3/2", 2),))], (0,))  # W = 0
    1
    """
    found = ZERO
    for b, table in enumerate(tables):
        above = [(value - m) ** 2 for value, m in zip(table.values[state[b]], table.levels, strict=True)]
        found += mean(others_law(tables, state, b), above)
    return found


def variance_steps(bandit: Bandit, tables: Tables) -> Iterator[VarianceStep]:
    """Yield both sides of the law of total variance at every global state, for any tables and rewards in [0, 1]."""
    play, beta, levels = index_rule(tables), bandit.discount, tables[0].levels
    B = levels[-1]
    for state in global_states(bandit, "the inequalities are computed at every global state"):
        a = play(state)
        x, row, table = state[a], bandit.arms[a].transitions[state[a]], tables[a]
        columns, law = list(zip(*table.values, strict=True)), others_law(tables, state, a)
        over = [
            table.values[x][j] - bandit.arms[a].rewards[x] - beta * mean(row, each) for j, each in enumerate(columns)
        ]
        weights = [((B - left) ** 2 - (B - right) ** 2) / 2 for left, right in pairwise(levels)]
        steeper = [
            table.slopes[x][j] - beta * mean(row, [slopes[j] for slopes in table.slopes])
            for j in range(table.indices[x])
        ]
        yield VarianceStep(
            state,
            beta * mean(law, [variance(row, column) for column in columns]),
            potential(tables, state)
            - beta * mean(row, [potential(tables, moved(state, a, y)) for y in range(len(row))]),
            B * bandit.arms[a].rewards[x],
            mean(law, [max(ZERO, g) for g in over]),
            sum((w * max(ZERO, F) for w, F in zip(weights, steeper, strict=False)), ZERO),
        )
