r"""Theorem 2, the lower bound: its printed domain, where exactly it holds, its repair, and the remark on models.

In formulas m = K/(S(1-beta)) is the mean number of visits of a state, and u the root of n/m.
"""

from __future__ import annotations

from proofs_checks.paper.appendix_b.entries import FORCED, FORCED_IS, LONG, SIZES
from proofs_checks.paper.shared.prelude import *
from proofs_checks.paper.shared.small_regrets import one_state_bandit
from theory.paper import BestArmPrior, needle_regret, squared_bound

chapter = Chapter()
at = chapter.heading("thm:lower_bound")
BOUND = sqrt(S * n * LONG)
SHARPER = 49

def at_16_episodes(*arms: int) -> tuple[dict[object, fmpq], ...]:
    """Return points with one state, 16 episodes and discount 0, that is, 16 pulls."""
    return tuple({S: ONE, n: fmpq(each), K: fmpq(16), beta: ZERO} for each in arms)

AS_MANY = (n >= 2, n * S * (1 - beta) <= a * K)

def lower_bound(claim_id: str, says: str, first: object, most: object) -> Relation:
    """Return the claim of Theorem 2 with a constant, and with a largest n/m for the part that survives."""
    return Relation(claim_id, SIZES, c * FORCED >= BOUND, says=says, reading=IN_UNIT, c=first, a=most)

at.printed(438).statement(
    lower_bound("thm:lower_bound",
        rf"""For $K \ge 16S$ some prior $\phi$ on the problems with parameters $(S, n, K, \beta)$ has
        $\mathrm{{BayReg}}(K, \mathcal{{L}}, \phi) \ge \frac{{1}}{{[[c]]}}\sqrt{{\frac{{SnK}}{{(1-\beta)}}}}$ for every
        learner $\mathcal{{L}}$. [[ours]] $[[formula]]$, where {FORCED_IS}. ($\frac1{{{SHARPER}}}$ for fewer arms:
        `thm:lower_bound/sharper`; and more: `beyond:lower/motionless`.)""",
        60, 3598),
    kernel="theorem_2_as_printed",
    survives=Survives(*AS_MANY, says=r"$2 \le n \le 3598\,\frac{K}{S(1-\beta)}$"), fails="lower-bound-range",
    refuted=("lower_bound_fails", "lower_bound_fails_for_two_arms_or_more"),
    candidates=at_16_episodes(57600, 57601, 57568), false={"a": 3600}, nearest="c", under="")

ALL = ForAll(S >= 1, n >= 1, K >= 1, beta >= 0, beta < 1)
OF_ALL_PRIORS = r"""where $\mathcal{R}(S, n, K, \beta)$ is the supremum of the Bayesian regrets that priors on Markovian
bandits with these parameters, with rewards of any law, force on every learner"""
BEYOND, ONE_ARM = ALL.where(n * S * (1 - beta) > a * K), ALL.where(n <= a)

at.ours(442).relation("thm:lower_bound/beyond",
    rf"""For $n > [[a]]\frac{{K}}{{S(1-\beta)}}$ no prior forces the bound of Theorem 2 on any learner: $[[formula]]$,
    {OF_ALL_PRIORS}.""",
    BEYOND, c * FORCED < BOUND, reading=IN_UNIT, c=60, a=3600, kernel="too_many_arms",
    candidates=at_16_episodes(57601, 57582), false={"a": 3598}, nearest="c")

at.ours(442).relation("thm:lower_bound/one-arm",
    rf"""With at most [[a]] arm no prior forces a regret: $[[formula]]$, {OF_ALL_PRIORS}.""",
    ONE_ARM, FORCED <= 0, reading=IN_UNIT, a=1, kernel="one_arm", false={"a": 2})

at.ours(442).relation("thm:lower_bound/repair",
    rf"""Some prior forces $\mathrm{{BayReg}}(K, \mathcal{{L}}, \phi) \ge \frac1{{[[c]]}}\min\Bigl\{{\sqrt{{\frac{{SnK}}
    {{1-\beta}}}}, \sqrt{{[[a]]}}\,\frac{{K}}{{1-\beta}}\Bigr\}}$ on every learner: $[[formula]]$; {FORCED_IS}.""",
    SIZES.where(n >= 2), Min(BOUND, sqrt(a) * LONG) <= c * FORCED, reading=IN_UNIT, c=60, a=3598,
    kernel="theorem_2",
    candidates=at_16_episodes(57568, 57600), nearest="c a", repairs="thm:lower_bound")

at.ours(442).statement(
    lower_bound("thm:lower_bound/sharper",
        rf"""With [[c]] in place of 60 the bound holds for $2 \le n \le [[a]]\,\frac{{K}}{{S(1-\beta)}}$: $[[formula]]$;
        {FORCED_IS}.""", SHARPER, 2399).restricted(*AS_MANY),
    kernel="theorem_2_sharper", candidates=at_16_episodes(2399 * 16, 2401 * 16), false={"a": 2401}, nearest="c-")

at.ours(442).relation("thm:lower_bound/farther",
    rf"""The bound of Theorem 2 holds up to $n = [[a]]\,\frac{{K}}{{S(1-\beta)}}$: $[[formula]]$; {FORCED_IS}.""",
    SIZES.where(*AS_MANY), c * FORCED >= BOUND, reading=IN_UNIT, c=60, a="3598.8746",
    kernel="theorem_2_farther",
    candidates=at_16_episodes(57581, 57598), nearest="c a")


def needle(last: Exact, plays: int, times: int) -> Answer:
    arms = int(str(last))
    loss = needle_regret(arms, plays)
    true = times * plays < arms and (60 * loss) ** 2 >= arms * plays
    return answer(true, least_loss=loss, bound_squared=fmpq(arms * plays, 3600))

at.ours(442).property("thm:lower_bound/needle",
    r"""With one state, $\beta = 0$ and $K = [[plays]]$, Theorem 2 is true for $n = [[last]]$ arms, beyond $[[times]]$
    times $\frac{K}{S(1-\beta)}$: where one arm, drawn uniformly, pays $1$ and the others $0$, every learner loses at
    least $K - \frac{K(K+1)}{2n}$.""",
    needle, reading=IN_UNIT, last=57582, plays=16, times=3598,
    by="eq:regret_sto/needle", so=Everywhere(),
    false=[{"last": 57583}, {"plays": 15}, {"times": 3599}])

Sizes: TypeAlias = tuple[int, int, fmpq, fmpq, int]
"""K, n, the best mean reward, another mean reward, and the number of arms with it; the remaining arms pay nothing."""

def patient_regret(K: int, n: int, best: fmpq, mean: fmpq, others: int) -> fmpq:
    """Return the regret of the learner that keeps an arm until its failures outnumber its successes.

    Examples
    --------
    >>> patient_regret(2, 8, ONE, ZERO, 0)  # 2 - 3/8: in the first play, found and played again; or in the second
    13/8
    """
    means = best, mean, ZERO

    @cache
    def reward(left: int, untried: tuple[int, ...], arm: int, margin: int) -> fmpq:
        if not left:
            return ZERO
        if margin < 0:  # the next arm, one of the untried ones
            drawn = [(count, tuple(m - (i == j) for j, m in enumerate(untried)), i) for i, count in enumerate(untried)]
            return sum((count * reward(left, rest, i, 0) for count, rest, i in drawn if count), ZERO) / sum(untried)
        won, lost = (reward(left - 1, untried, arm, margin + step) for step in (1, -1))
        return means[arm] * (1 + won) + (1 - means[arm]) * lost

    return K * best - reward(K, (1, others, n - 1 - others), 0, -1)

def many_arms() -> Iterator[Sizes]:
    for K, apart in product((1, 2, 4), (ZERO, fmpq(1, 10), fmpq(1, 4), fmpq(1, 2))):
        best = ONE - apart
        yield from ((K, 4 * K, best, share * best, others) for share, others in ((ZERO, 0), (fmpq(9, 10), 4 * K - 1)))

def no_more_is_forced(sizes: Sizes, c: Exact) -> Answer:
    K, n, *_ = sizes
    regret, bound = patient_regret(*sizes), K - rational(c) * K * (K + 1) / n
    true = regret == bound if sizes[2:] == (ONE, ZERO, 0) else regret <= bound  # equal where one arm pays
    return answer(true, sizes=sizes, regret=regret, bound=bound)

at.ours(442).property("thm:lower_bound/one-state",
    r"""With $S = 1$, $\beta = 0$ and $n \ge 4K$ arms, a prior forces a regret of $K - [[c]]\frac{K(K+1)}{n}$ on every
    learner, and no prior forces more: a learner that takes arms in random order, and each as long as it had no more
    failures than successes, loses at most that on every bandit. So the bound of Theorem 2 is
    true there exactly where $\sqrt{nK}$ is at most $60$ times that (for $K = 16$: `thm:lower_bound/needle`).""",
    no_more_is_forced, over=Family("the patient learner on some bandits", many_arms),
    domain=r"$n \ge 4K$, $K \ge 1$; rewards in $[0, 1]$", reading=IN_UNIT, c="1/2",
    by=[Step("One arm pays, drawn uniformly:", Uses("eq:regret_sto/needle", same={"c": "a"})),
        Step("If the best mean, 1 - e, is at most three quarters, the regret is at most K times that:",
            Rational(3, 4) * K <= K - c * K * (K + 1) / n,
            over=ForAll(K >= 1, n >= 4 * K)),
        Step((1 - K / n) * a + q / n * (K * (K + 1) / 2 - 2 * K * a) >= q * K * (K + 1) / (2 * n),
            over=ForAll(a >= 0, q >= 0, q <= 1, K >= 1, n >= 4 * K)),
        Step(1 - e - e / (1 - e) >= 1 - Rational(7, 3) * e, over=ForAll(e >= 0, 4 * e <= 1)),
        Step(K * (1 - e) - (1 - Rational(7, 3) * e) * K * (K + 1) / (2 * n) <= K - c * K * (K + 1) / n,
            over=ForAll(e >= 0, 4 * e <= 1, K >= 1, n >= 4 * K))],
    so=r"""Else $e \le \frac14$. A reward counts as a success with itself as the probability. Let $A$ be the
    successes in $K$ plays of a run on the other arms alone, in the same order; the place $j$ of the best arm is
    uniform and independent of it. A dropped arm with $s$ successes had $2s + 1$ plays, so that the best arm is
    begun at play $j + 2A$ or before, or not at all; then the reward is $A$. It is ever dropped with probability
    $\frac{e}{1-e}$, that of a random walk from $0$ to reach $-1$, so that each play of the rest has the mean $q =
    1 - e - \frac{e}{1-e}$ at least. The whole reward has mean at least $(1 - \frac Kn)\mathbb{E}A + \frac
    qn(\frac{K(K+1)}{2} - 2K\,\mathbb{E}A)$. The regret is $K(1 - e)$ less the reward.""",
    false=[{"c": "51/100"}, {"c": "49/100"}])

# -- a lower bound for which models?

LEARNERS = "the two learners that always play one arm"

def regret_of_one_arm(bandit: Bandit, arm: int, K: int) -> fmpq:
    values = [policy_value(bandit, lambda _state, arm=each: arm)[0, 0] for each in (0, 1)]  # type: ignore[misc]
    return K * (max(values) - values[arm])

def _for_models(models: str, c: object) -> Answer:
    sizes = {"S": 1, "n": 2, "K": 16}
    support = [bandit for _, bandit in BestArmPrior(S=1, n=2, discount=0, base="3/8", best="5/8").models()]
    known = one_state_bandit((0, 0), ZERO)
    tried = [known, *support] if models == "any model" else support
    bound = squared_bound(**sizes, beta=0, factor=rational(c))
    table = [[regret_of_one_arm(bandit, arm, sizes["K"]) for bandit in tried] for arm in (0, 1)]
    large = [[regret**2 >= bound for regret in row] for row in table]
    true = {
        "any model": all(map(all, large)),
        "any model of the prior's support": all(map(all, large)),
        "one model for all learners": any(map(all, zip(*large, strict=True))),
        "some model for each learner": all(map(any, large)),
    }[models]
    first, *_ = tried
    regrets = {f"regrets of always playing arm {a}, by model": row for a, row in enumerate(table, 1)}
    return answer(true, **sizes, model=first, **regrets, square_of_the_bound=bound)

at.printed(447).property("thm:lower_bound/any-model",
    r"""Theorem 2 also bounds from below the expected regret of every non-Bayesian learner for [[models]]. [[ours]] With
    $\frac{1}{[[c]]}$, looked at for two constant learners at $S = 1$, $n = 2$, $K = 16$, $\beta = 0$.""",
    _for_models, reading=IN_UNIT, models="any model", c=60, fails="lower-bound-any-model",
    false={"models": "any model of the prior's support"}, true={"models": "some model for each learner"})

at.repairs("thm:lower_bound/any-model").property("thm:lower_bound/some-model",
    r"""Theorem 2 gives [[models]]: its expected regret there is at least
    $\frac{1}{[[c]]}\sqrt{\frac{SnK}{1-\beta}}$, so that this is a lower bound on the supremum over models.""",
    _for_models, domain=r"$S \ge 1$, $K \ge 16S$, $0 \le \beta < 1$, $2 \le n \le 3598\,\frac{K}{S(1-\beta)}$",
    models="some model for each learner", c=60,
    kernel=("forced_in_some_model", "theorem_2_as_printed"),
    false=[{"models": "one model for all learners"}, {"c": "1.4"}])


CAUSES = [
    Cause("lower-bound-range", Severity.MAJOR, line=438, title="The lower bound cannot hold for every number of arms",
        printed=r"""Theorem 2, for any $S$, $n$, $\beta$ and $K \ge 16S$: $\mathrm{BayReg}(K, \mathcal{L}, \phi) \ge
        \frac1{60}\sqrt{\frac{SnK}{1-\beta}}$; and, for any $n$ and $\tau$, a regret of at least
        $(1/20)\sqrt{n\tau}$.""",
        why=r"""For $n > 3600 K/(S(1-\beta))$ the bound exceeds $K/(1-\beta)$, the largest regret there is. At $S = 1$,
        $\beta = 0$, $K = 16$, $n = 57600$ it is $16$, and a learner that keeps one arm, drawn uniformly, loses at most
        $15.9998$. So does $\sqrt{n\tau}/20$ exceed $\tau$ for $n > 400\tau$: a
        minimum with $\tau$ is missing. With one arm there is no regret.""",
        instead=r"""Line 439: any number of arms $n \ge 2$. Line 442: $\mathrm{BayReg}(K, \mathcal{L}, \phi) \ge
        \frac1{60}\min\Bigl\{\sqrt{\frac{SnK}{1-\beta}}, \sqrt{3598}\,\frac{K}{1-\beta}\Bigr\}$. Line 1114: at least
        $\frac1{20}\min\{\sqrt{n\tau}, \sqrt{397}\,\tau\}$ for $n \ge 2$.""",
        follows=r"""The minimax remark holds on the same range. Between $3598.8746$ (`thm:lower_bound/farther`) and
        $3600$ times $K/(S(1-\beta))$ the bound is decided here for $S = 1$, $\beta = 0$
        (`thm:lower_bound/one-state`).""",
        witness="thm:lower_bound"),
    Cause("lower-bound-any-model", Severity.SLIP, line=447,
        title="A Bayesian lower bound is one for some model, not for any",
        why=r"""Where all rewards are 0 every learner has regret 0; and a learner that always plays arm 1 has regret 0
        in the model of the prior's support in which arm 1 is the best in every state.""",
        instead="for any algorithm there is a model on which its expected regret is at least that large",
        follows="Nothing: the sentences before it say so.", witness="thm:lower_bound/any-model"),
]
