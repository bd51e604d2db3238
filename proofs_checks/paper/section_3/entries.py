r"""No regret (Section 3): what sub-linear growth over the episodes implies for a single episode."""

from __future__ import annotations

from proofs_checks.paper.shared.prelude import *
from proofs_checks.paper.shared.small_regrets import one_state_bandit

chapter = Chapter()
Play: TypeAlias = "tuple[Bandit, dict[GlobalState, int]]"

at = chapter.heading("eq:regretTraj")
Lapses: TypeAlias = "tuple[int, fmpq]"

def small_in_the_end(lapses: Lapses, conclusion: str) -> Answer:
    """Return whether a conclusion is true of a learner with lapses in the episodes 1, b, b^2, ...

    A term tends to 0 if it falls to 3/4 or less from each K = b^j to the next: Reg(K)/K is largest there, and its
    quotients (j + 2)/((j + 1) b) fall in j.
    """
    base, beta = lapses
    bandit = one_state_bandit((1, 0), beta)
    best, worst = (priority_value(bandit, order, (0, 0)).value for order in ([(0, 0), (1, 0)], [(1, 0), (0, 0)]))
    regrets = {base**j: (j + 1) * (best - worst) for j in range(1, 6)}
    averages = [regret / K for K, regret in regrets.items()]
    of_K = averages if "average" in conclusion else [best - worst] * len(regrets)
    sublinear, vanishes = (all(4 * y <= 3 * x for x, y in pairwise(terms)) for terms in (averages, of_K))
    true = not sublinear or (not of_K[-1] if "is 0" in conclusion else vanishes)
    return answer(true, learner=f"plays the worse of two one-state arms of rewards 1 and 0 in the episodes 1, {base}, "
        f"{base**2}, ...", beta=beta, regret_of_episode_K=best - worst, regret_of_the_first_K=regrets)

def _drawn(generator: Generator) -> Play:
    bandit = random_bandit(generator)
    return bandit, random_policy(generator, bandit)

def terms_from(play: Play, a: object) -> Answer:
    bandit, policy = play
    best, value = optimal_value(bandit).values, policy_value(bandit, policy)
    worst = min(best, key=lambda state: best[state] - value[state])
    gap = best[worst] - value[worst]
    return answer(gap >= rational(a), model=bandit, initial=worst, regret_of_the_episode=gap)

at.printed(285).property("eq:regretTraj",
    r"""$\mathrm{Reg}(K, \mathcal{L}, M) := \sum_{k=1}^K V^{\pi_*}_M(\boldsymbol{X}_{t_k}) -
    V^{\pi_k}_M(\boldsymbol{X}_{t_k})$. [[ours]] Every term is at least $[[a]]$.""",
    terms_from,
    over=Family("exact bandits with a policy", lambda: iter([(one_state_bandit((1, 0), fmpq(1, 2)), {(0, 0): 0})]),
        draw=_drawn),
    domain=r"finite bandits, $0 \le \beta < 1$, any policies", a=0, kernel="optimal_policy", nearest="a", under="")
at.printed(289).property("eq:regretTraj/episode",
    r"""If the expected regret of $K$ episodes grows sub-linearly in $K$, the expected regret of episode $k$
    [[conclusion]].""",
    small_in_the_end,
    over=Family("learners with ever rarer lapses", lambda: product((2, 3, 10), (fmpq(1, 2), ZERO, fmpq(99, 100)))),
    domain="any learner and model", conclusion="tends to 0", fails="episode-regret",
    false={"conclusion": "is 0 from some episode on"}, true={"conclusion": "tends to 0 on average"})

at.repairs("eq:regretTraj/episode").process("/repair",
    r"""At most a share of $[[*c]]\frac{\mathbb{E}[\mathrm{Reg}(K)]}{Ke}$ of the first $K$ episodes has an
    expected regret of $e > 0$ or more: after $K$ episodes, for any $K$, with $s$ the sum of their expected regrets $r
    \ge 0$ and $n$ the number of those of $e$ or more, $[[formula]]$ ($d = 1$ for such an episode, and $0$ for
    others).""",
    e * n <= c * s, start={s: 0, n: 0}, move={s: s + r, n: n + d},
    inputs=ForAll(r >= 0, d >= 0, d <= 1, r >= e * d), fixed=ForAll(e > 0), c=1, by=Invariant(s >= 0), nearest="c")

CAUSES = [
    Cause("episode-regret", Severity.SLIP, line=289,
        title="Sub-linear regret is said to make the regret of each episode vanish",
        why=r"""Only its average does. A learner that plays an optimal policy except in the episodes $1, 2, 4, 8,
        \ldots$, where it plays the worse of two arms of rewards $1$ and $0$, has a regret of at most $2(1 + \log_2 K)$
        at $\beta = 1/2$, and $2$ in each of these episodes.""",
        instead=r"""the expected regret over episode $k$ converges to $0$ on average: the share of the first $K$
        episodes with an expected regret above any $e > 0$ tends to $0$""",
        follows="Nothing in the proofs. That such an algorithm learns an optimal policy is as true, on average.",
        witness="eq:regretTraj/episode"),
]
