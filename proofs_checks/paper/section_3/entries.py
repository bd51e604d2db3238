r"""No regret (Section 3): what sub-linear growth over the episodes means for a single one."""

from __future__ import annotations

from proofs_checks.paper.shared.prelude import *
from proofs_checks.paper.shared.small_regrets import one_state_bandit

chapter = Chapter()
Play: TypeAlias = "tuple[Bandit, dict[GlobalState, int]]"

at = chapter.heading("eq:regretTraj")
LAPSES = (
    "a learner that plays the worse of two one-state arms of rewards $1$ and $0$ in the episodes $1, 2, 4, 8, \\ldots$"
)

@cache
def worst_episode() -> fmpq:
    bandit = one_state_bandit((1, 0), fmpq(1, 2))
    best, worst = (priority_value(bandit, order, (0, 0)).value for order in ([(0, 0), (1, 0)], [(1, 0), (0, 0)]))
    return best - worst

def regret_until(last: int) -> fmpq:
    """Return the regret of the first episodes: of the powers of 2 among them."""
    return last.bit_length() * worst_episode()

def small_in_the_end(conclusion: str) -> Answer:
    """Return whether a conclusion is true of the learner with lapses; tending to 0: below 10^-9 at 2^40 episodes."""
    last = 2**40
    average = regret_until(last) / last
    told = {"learner": LAPSES, "beta": fmpq(1, 2), "K": last}
    told |= {"regret of the first K episodes": regret_until(last), "average": average}
    value = {"tends to 0": worst_episode(), "tends to 0 on average": average, "is 0 from some episode on": average}
    found = value[conclusion]
    return answer(found == 0 if "is 0" in conclusion else found < fmpq(1, 10**9), **told,
        regret_of_episode_K=worst_episode())

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
    domain="finite bandits, any policies", a=0, kernel="optimal_policy", nearest="a", under="")
at.printed(289).property("eq:regretTraj/episode",
    r"""If the expected regret of $K$ episodes grows sub-linearly in $K$, the expected regret of episode $k$
    [[conclusion]].""",
    small_in_the_end, domain="any learner and model", conclusion="tends to 0", fails="episode-regret",
    false={"conclusion": "is 0 from some episode on"}, true={"conclusion": "tends to 0 on average"})

at.repairs("eq:regretTraj/episode").process("/repair",
    r"""At most a share of $[[*c]]\frac{\mathbb{E}[\mathrm{Reg}(K)]}{Ke}$ of the first $K$ episodes has an
    expected regret of $e > 0$ or more: with sub-linear regret it tends to $0$. After any number of episodes, with $s$
    the sum of their regrets $r$, of which none is negative (`eq:regretTraj`), and $n$ the number of those of $e$ or
    more, $[[formula]]$ ($d = 1$ for such an episode, and $0$ for others).""",
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
        follows="Nothing: the statement is not used.", witness="eq:regretTraj/episode"),
]
