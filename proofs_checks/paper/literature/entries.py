r"""Results from the literature: cited with a reference, and tried on exact instances, which could refute them.

They are not proved here, except those that a theorem of the kernel states, in whole or in part.
"""

from __future__ import annotations

from proofs_checks.paper.shared.prelude import *
from theory.certified import binomial_deviation, multinomial_deviation
from theory.values import retirement_functions, value_by_retirement

chapter = Chapter()
at = chapter.heading("")
RARE = fmpq(7, 25)  # all draws are 1 with nearly the probability that Hoeffding's inequality allows

def _within(probability: fmpq, front: object, exponent: fmpq, **told: object) -> Answer:
    bound = arb(rational(front)) * arb(-exponent).exp()
    return answer(at_most(lambda: arb(probability), lambda: bound), **told, probability=probability, bound=bound)

def _deviations() -> Iterator[tuple[int, fmpq, fmpq]]:
    yield from ((draws, RARE, 1 - RARE) for draws in (1, 10, 100))
    yield from product((1, 2, 3, 5, 10, 20), (HALF, fmpq(1, 5)), (fmpq(1, 10), fmpq(3, 10)))

at.ours().property("cited:hoeffding",
    r"""Hoeffding's inequality (Probability inequalities for sums of bounded random variables, 1963, Theorem 2): the
    mean of $\ell$ independent variables in an interval of length $w$ deviates from its expectation by at least
    $\epsilon$ with probability at most $2 e^{-[[c]] \ell \epsilon^2 / w^2}$.""",
    lambda at, c: _within(binomial_deviation(*at), 2, rational(c) * at[0] * at[2] ** 2, draws_mean_deviation=at),
    over=Family("Bernoulli variables", _deviations),
    domain=r"$\ell \ge 1$ independent variables, all in one interval of length $w > 0$, $\epsilon > 0$", c=2,
    kernel="hoeffding_for_independent_variables", nearest="c")

@cache  # for each constant tried
def _largest_sum(draws: int, mean: fmpq, apart: fmpq) -> fmpq:
    near, far = {0: ONE}, ZERO  # by the number of successes, no sum having been far so far
    for drawn in range(1, draws + 1):
        after: dict[int, fmpq] = {}
        for (successes, probability), one in product(near.items(), (0, 1)):
            weight = probability * (mean if one else 1 - mean)
            if abs(successes + one - drawn * mean) >= draws * apart:
                far += weight
            else:
                after[successes + one] = after.get(successes + one, ZERO) + weight
        near = after
    return far

at.ours().property("cited:hoeffding-maximal",
    r"""Hoeffding's inequality for the largest sum (Probability inequalities for sums of bounded random variables, 1963,
    eq. (2.17)): of $\ell$ independent variables in an interval of length $w$ one of the first $\ell$ sums deviates from
    its expectation by at least $\ell\epsilon$ with probability at most $2 e^{-[[c]] \ell \epsilon^2 / w^2}$.""",
    lambda at, c: _within(_largest_sum(*at), 2, rational(c) * at[0] * at[2] ** 2, draws_mean_deviation=at),
    over=Family("Bernoulli variables", _deviations),
    domain=r"$\ell \ge 1$ independent variables in an interval of length $w$, $\epsilon > 0$", c=2,
    by=Cited("W. Hoeffding, Probability inequalities for sums of bounded random variables, 1963, (2.17)"), nearest="c")

at.ours().property("cited:weissman",
    r"""Weissman's inequality (Weissman et al., Inequalities for the L1 deviation of the empirical distribution, 2003,
    Theorem 2.1): the empirical law of $\ell$ draws from $S$ outcomes is at $L_1$ distance at least $\epsilon$ from
    their law with probability at most $2^S e^{-[[c]] \ell \epsilon^2}$.""",
    lambda at, c: _within(multinomial_deviation(at[0], at[1], at[2]), 2 ** len(at[1]), rational(c) * at[0] * at[2] **
    2, draws_law_distance=at),
    over=Family("two and three outcomes",
        lambda: iter([*((draws, (RARE, 1 - RARE), 2 * (1 - RARE)) for draws in (1, 10, 100)), *product((1, 2, 5, 10),
        ((HALF, HALF), (HALF, fmpq(1, 4), fmpq(1, 4))), (fmpq(2, 5), ONE))])),
    domain=r"$\ell \ge 1$ draws from $S$ outcomes, $\epsilon > 0$", c="1/2", kernel="weissman", nearest="c")

Pair: TypeAlias = "tuple[tuple[int, ...], tuple[int, ...], fmpq]"

def _whittle(bandit: Bandit, left_out: int, last_slope: object) -> Answer:
    """Compare Whittle's formula with policy iteration on the product, and look at the slopes."""
    for arm in bandit.arms:
        for y, phi in enumerate(retirement_functions(arm, bandit.discount)):
            slopes = list(phi.slopes)
            if slopes != sorted(slopes) or (slopes[0], slopes[-1]) != (ZERO, rational(last_slope)):
                return answer(False, rows=arm.transitions, rewards=arm.rewards, state=y, slopes=slopes)
    fewer = Bandit(bandit.arms[left_out:] or bandit.arms, bandit.discount)
    for state, value in optimal_value(bandit).values.items():
        found = value_by_retirement(fewer, state[len(state) - len(fewer.arms) :])
        if found != value:
            return answer(False, model=bandit, state=state, optimum=value, integral=found)
    return answer(True)

at.ours().property("cited:whittle",
    r"""Whittle's formula (Multi-armed bandits and the Gittins index, 1980, Theorem 1), on a grid. With $\phi_a(y,
    m)$ the optimal value of arm $a$ alone, in state $y$ and with retirement reward $m$, there are $m_0 < \dots <
    m_{N+1}$ with $V^*(x) = m_{N+1} - \sum_{j \le N} (m_{j+1} - m_j) \prod_a s_a(j)$ for the slopes $s_a(j) =
    \frac{\phi_a(x_a, m_{j+1}) - \phi_a(x_a, m_j)}{m_{j+1} - m_j}$; these are from $0$ to $[[last_slope]]$ and do
    not fall. For each state $y$ of an arm the grid has a point at which going on is worth as much as to retire;
    from there on $\phi_a(y, m_j) = m_j$.""",
    _whittle, over=Family("random exact bandits", draw=random_bandit), domain=r"finite arms, $0 \le \beta < 1$",
    left_out=0, last_slope=1, kernel=("optimal_value_is_mixture", "gittins_policy_is_optimal"),
    false={"one arm left out of the product": {"left_out": 1}, "slopes up to 9/10": {"last_slope": "9/10"}})
