r"""The overview of the proof of Theorem 1: how the regret of an episode is split before an algorithm is named (A.1)."""

from __future__ import annotations

from proofs_checks.paper.shared.prelude import *
from proofs_checks.paper.shared.events import L_EARLIER, L_K, LAST_IS_LARGE
from proofs_checks.paper.shared.horizons import mean_of_totals
from proofs_checks.paper.shared.model_pairs import PAIRS, Pair, within_bound
from proofs_checks.paper.shared.small_regrets import one_state_bandit
from theory.bayes import FinitePrior, Scenario, expectation_over, scenarios

chapter = Chapter()
at = chapter.heading("thm:regret_upper_bound")

# -- the split of an episode's regret

def split(pair: Pair, last: str) -> Answer:
    best = optimal_value(pair.true).policy
    for steps in pair.lengths:
        optimum = finite_horizon_value(pair.true, best, steps)
        learned = finite_horizon_value(pair.learned, pair.policy, steps)
        played = finite_horizon_value(pair.true, pair.policy, steps)
        for start in optimum:
            delta = optimum[start] - (learned if last == "M_k" else played)[start]
            both = (optimum[start] - learned[start]) + (learned[start] - played[start])
            if delta != both:
                return answer(False, **pair.told(H=steps, start=start, delta=delta, sum_of_both=both))
    return answer(True)

at.printed(417).property("eq:proofAB",
    r"""$\Delta_k := W^{\pi_*}_{M,1:H_k}(X_{t_k}) - W^{\pi_k}_{[[last]],1:H_k}(X_{t_k})$ equals (A) + (B) with (A) $=
    W^{\pi_*}_{M,1:H_k}(X_{t_k}) - W^{\pi_k}_{M_k,1:H_k}(X_{t_k})$ and (B) $= W^{\pi_k}_{M_k,1:H_k}(X_{t_k}) -
    W^{\pi_k}_{M,1:H_k}(X_{t_k})$. [[ours]] (The definition is the sketch's.)""",
    split, over=PAIRS, last="M_k", fails="split-of-delta", true={"last": "M"}, under="")

at.ours(580).relation("eq:proofAB/repair",
    r"""$\Delta_k := W^{\pi_*}_{M,1:H_k}(X_{t_k}) - W^{\pi_k}_{M,1:H_k}(X_{t_k})$, the appendix's definition, is (A) +
    (B): with $u$ and $w$ for these two and $v = W^{\pi_k}_{M_k,1:H_k}(X_{t_k})$, $u - w = (u - v) + [[*c]](v - w)$.""",
    ForAll(u >= 0, v >= 0, w >= 0), Eq(u - w, (u - v) + c * (v - w)), c=1, by=Algebra(), nearest="c",
    under="eq:proofAB", repairs="eq:proofAB")

# -- episodes in which an event fails

def cost_of_failing(at: tuple[fmpq, fmpq], c: object, event: str) -> Answer:
    """Compare both sides if the optimal policy earns c in every step and pi_k nothing, so that Delta_k = c H_k.

    E fails with a given probability independently of H_k, or exactly if H_k >= 2, which has probability beta.
    """
    discount, failing = at
    bandit = one_state_bandit((rational(c), 0), discount)
    gap = policy_value(bandit, lambda _: 0)[0, 0] - policy_value(bandit, lambda _: 1)[0, 0]
    if event == "independent of":
        lost = gap * failing
    else:
        failing, lost = discount, gap - (1 - discount) * rational(c)
    allowed = failing / (1 - discount)
    return answer(lost <= allowed, model=bandit, P_of_failing=failing, lost=lost, E_H_times_P=allowed)

at.printed(575).property("eq:gap_overview",
    r"""$\mathbb{E}[\Delta_k] \le \mathbb{E}[H_k]\,\mathbb{P}(\lnot\mathcal{E}^{\text{Algo}}_{k-1}) +
    \mathbb{E}[\Delta_k \mathbf{1}_{\mathcal{E}^{\text{Algo}}_{k-1}}]$. [[ours]] For an event $\mathcal{E}$ that is
    [[event]] $H_k$; rewards of $M$ are at most $[[c]]$.""",
    cost_of_failing,
    over=Family(r"one arm of reward $1$, one of reward $0$; events of given probabilities",
        lambda: product((ZERO, HALF, fmpq(9, 10)), (HALF, fmpq(1, 10)))),
    domain=r"""rewards of $M$ in $[0, 1]$, $H_k$ geometric, any event $\mathcal{E}$ given by $\mathcal{O}_{k-1}$ with
    the lengths and next states of its episodes, $\pi_k$ and $X_{t_k}$ (not by $M_k$, as that of MB-PSRL is), any two
    deterministic stationary policies""",
    reading=IN_UNIT, c=1, event="independent of", kernel="gap_overview",
    false={r"$\mathcal{E}$ fails where $H_k \ge 2$": {"event": "not independent of"}}, nearest="c")

# -- the model gap

def model_gap(given: str) -> Answer:
    """Compare the mean of Delta_k^model, given M or M_k or both or nothing, with the difference of optimal values."""
    means = fmpq(1, 4), fmpq(3, 4)
    prior = FinitePrior([one_state_bandit((mean,), HALF) for mean in means], [HALF, HALF])
    values = [optimal_value(model).values[0,] for model in prior.models]
    outcomes = scenarios(prior, [], {(0,): ONE})

    def known(each: Scenario) -> tuple[object, ...]:
        return "M," in given and each.model, "M_k" in given and each.samples

    for each in outcomes:
        (sample,) = each.samples
        alike = [other for other in outcomes if known(other) == known(each)]
        gained = expectation_over(alike, lambda other: means[other.model] - means[sum(other.samples)]) / (1 - HALF)
        left = gained / expectation_over(alike, lambda _: ONE)  # E[W_{1:H}] = r E[H]
        right = values[each.model] - values[sample]
        if left != right:
            told = {"M": prior.models[each.model], "M_k": prior.models[sample], "probability": each.probability}
            return answer(False, **told, expectation=left, difference_of_values=right)
    return answer(True, outcomes=len(outcomes))

at.printed(585).property("eq:def_model",
    r"""$\mathbb{E}[\Delta_k^{model}[[given]]] = V_M^{\pi_*}(X_{t_k}) - V_{M_k}^{\pi_k}(X_{t_k})$. [[ours]] Here for
    MB-PSRL with one arm of one state, whose mean reward is $1/4$ or $3/4$, equally likely, in its first episode, $\beta
    = 1/2$.""",
    model_gap, reading=IN_UNIT, given="", fails="conditional-expectation", false={"given": r" \mid M, X_{t_k}"},
    true={"given": r" \mid M, M_k, X_{t_k}"})

SHORT = 4

def mean_over_horizons(pair: Pair, e: object) -> Answer:
    found = ((bandit, mean_of_totals(bandit, pair.policy, SHORT, more=int(str(e)))) for bandit in
        (pair.true, pair.learned))
    return all_of(answer(value == again[state], model=bandit, state=state, V=value, expected_total=again[state])
        for bandit, again in found for state, value in policy_value(bandit, pair.policy).items())

at.ours(585).property("eq:def_model/repair",
    r"""$\mathbb{E}[\Delta_k^{model} \mid \mathcal{O}_{k-1}, M, M_k, X_{t_k}] = V_M^{\pi_*}(X_{t_k}) -
    V_{M_k}^{\pi_k}(X_{t_k})$, as $V = \mathbb{E}[W_{1:H}]$ for each model with its policy. (Checked for totals of up to
    $4$ steps, followed by the value of the state that is reached[[e=0?, $#$ steps later]].)""",
    mean_over_horizons, over=PAIRS,
    domain=r"""finite bandits (those of MB-UCBVI may pay more than $1$), any deterministic stationary policies; $H_k$
    geometric of parameter $1 - \beta$ and independent of the past, the models, the policies and the initial state; the
    kernel's theorem is for one pair of models and policies, which is what is given""",
    reading=REAL_REWARDS, e=0, kernel="mean_model_gap", false={"e": 1}, under="eq:def_model", repairs="eq:def_model")

# -- the concentration gap

at.printed(593).property("eq:proof2",
    r"""$\mathbb{E}[\Delta_k^{conc}\mathbf{1}_{\mathcal{E}^{\text{Algo}}_{k-1}}] \le
    \mathbb{E}\big[\mathbf{1}_{\mathcal{E}^{\text{Algo}}_{k-1}} \sum_{t=t_k}^{t_{k+1}-1} |r_k(X_{t,A_t}) -
    r(X_{t,A_t})| + [[*f]]B_k\lVert Q_k(X_{t,A_t},\cdot) - Q(X_{t,A_t},\cdot)\rVert_1\big]$. [[ours]] Here for $B_k =
    H_k$, as for MB-PSRL and MB-UCRL2. (For the $B_k$ of MB-UCBVI see `ucbvi/B_k`.)""",
    lambda pair, f: within_bound(pair, f, "H", 0), over=PAIRS,
    domain=r"""rewards in $[0, 1]$; $M_k$ with mean rewards there and $\pi_k$ drawn from a law that
    $\mathcal{O}_{k-1}$ with the lengths and next states of its episodes gives, as MB-PSRL and MB-UCRL2 do; any event
    given by these and that draw, for any $M$""",
    reading={**IN_UNIT, "plausible rewards": "within [0, 1]"}, f=1, kernel="gap_within_distances", nearest="f")

# -- the distances of the models on the event

LATER = ForAll(S >= 1, n >= 1, K >= 2, k >= 2, k <= K, N >= 1, beta >= 0, beta < 1)
MANY = {S: fmpq(1), n: fmpq(1), K: fmpq(10**6), k: fmpq(10**6), N: fmpq(10_000), beta: ZERO}
NEAR_RADIUS = {x: fmpq(3977, 10**5), y: ZERO, z: fmpq(-3977, 10**5), u: fmpq(9455, 10**5), v: fmpq(9455, 10**5)}
"""A point at which L_{k-1} = 7.9553..., and all four distances are nearly as large as the event allows."""

at.printed(598).relation("eq:concentration",
    r"""On $\mathcal{E}^{\text{Algo}}_{k-1}$, for all $a$, $x_a$ and $k \ge 1$: $|r_k(x_a) - r(x_a)| \le
    \frac{L_K}{\sqrt{\max\{1, N_{k-1}(x_a)\}}}$ and $\lVert Q_k(x_a, \cdot) - Q(x_a, \cdot)\rVert_1 \le \frac{2L_K +
    3\sqrt S}{\sqrt{\max\{1, N_{k-1}(x_a)\}}}$. [[ours]] Here for $k \ge 2$ and where both $M$ and $M_k$ are within the
    radii of $\mathcal{E}^r_{k-1}$ and $\mathcal{E}^Q_{k-1}$ (for $k = 1$ see `eq:concentration/first-episode`, for
    MB-UCBVI `eq:concentration/ucbvi`). With $N = \max\{1, N_{k-1}(x_a)\}$, the means $x$, $y$, $z$ in $M_k$, of the
    estimate and in $M$, and $u$, $v$ the distances of the rows of $M_k$ and of $M$ to the estimate's, whose sum is at
    least their distance: $[[formula]]$.""",
    LATER.where(Abs(x - y) <= L_EARLIER / (2 * sqrt(N)), Abs(y - z) <= L_EARLIER / (2 * sqrt(N)), u >= 0, v >= 0,
        u <= (L_EARLIER + 3 * sqrt(S) / 2) / sqrt(N), v <= (L_EARLIER + 3 * sqrt(S) / 2) / sqrt(N)),
    Abs(x - z) <= c * L_K / sqrt(N), u + v <= (2 * d * L_K + e * sqrt(S)) / sqrt(N), c=1, d=1, e=3,
    reading={"clock": "tau_k"},
    by=[Step("$L_{k-1} \\le L_K$:", Uses("conc:L"))], candidates=[MANY | NEAR_RADIUS], nearest="c d e")

at.implied(597).relation("eq:concentration/first-episode",
    r"""The distances of $M_k$ and $M$ are at most $\frac{L_K}{\sqrt{\max\{1, N_{k-1}\}}}$ and $\frac{2L_K + 3\sqrt
    S}{\sqrt{\max\{1, N_{k-1}\}}}$ for $k = 1$ too, where nothing is known ($N_0 = 0$): means
    $x$, $z$ in $[0, 1]$ differ by at most $1$, rows by at most $2$, and $[[formula]]$.""",
    ForAll(S >= 1, n >= 1, K >= 1, beta >= 0, beta < 1, x >= 0, x <= 1, z >= 0, z <= 1), Abs(x - z) <= L_K - a,
    2 * L_K + 3 * sqrt(S) >= b, a=0, b=2, by=LAST_IS_LARGE, survives=Survives(K >= 2), fails="log-of-zero",
    candidates=[{S: ONE, n: ONE, K: ONE, beta: ZERO, x: ONE, z: ZERO},
        {S: ONE, n: ONE, K: fmpq(2), beta: ZERO, x: ONE, z: ZERO}],
    nearest="a b", under="eq:concentration")

at.printed(598).relation("eq:concentration/ucbvi",
    r"""On $\mathcal{E}^{\text{UCBVI}}_{k-1}$, $M_k$ having the mean rewards $\hat r_{k-1} + b_{k-1}$: $|r_k(x_a) -
    r(x_a)| \le \frac{L_K}{\sqrt{\max\{1, N_{k-1}(x_a)\}}}$. [[ours]] With $N = \max\{1, N_{k-1}(x_a)\}$, $y = \hat
    r_{k-1} - r$ and [[c=1?$#$ times ]]the bonus, $[[formula]]$.""",
    LATER.where(Abs(y) <= L_EARLIER / (2 * sqrt(N))),
    Abs(c * L_EARLIER / (2 * (1 - beta) * sqrt(N)) + y) <= L_K / sqrt(N), reading={"clock": "tau_k"}, c=1,
    by=[Step("$L_{k-1} \\le L_K$:", Uses("conc:L"))], fails="ucbvi-reward-distance",
    candidates=[{S: ONE, n: ONE, K: fmpq(2), k: fmpq(2), N: ONE, beta: HALF, y: fmpq(9, 10)}],
    true={"without the bonus": {"c": 0}}, under="eq:concentration")

at.ours(598).relation("eq:concentration/ucbvi/repair",
    r"""For $k \ge 2$, on the event of MB-UCBVI $|r_k(x_a) - r(x_a)| \le [[*c]]
    \frac{(2-\beta)L_{k-1}}{2(1-\beta)\sqrt{\max\{1, N_{k-1}(x_a)\}}}$: with $L = L_{k-1}$, $y = \hat
    r_{k-1} - r$ and $r_k - r = b_{k-1} + y$, $[[formula]]$.""",
    ForAll(L >= 0, N >= 1, beta >= 0, beta < 1, Abs(y) <= L / (2 * sqrt(N))),
    Abs(L / (2 * (1 - beta) * sqrt(N)) + y) <= c * (2 - beta) * L / (2 * (1 - beta) * sqrt(N)), c=1, by=Solver(),
    candidates=[{L: fmpq(2), N: ONE, beta: ZERO, y: ONE}], nearest="c", under="eq:concentration",
    reading={"clock": "tau_k"},
    repairs="eq:concentration/ucbvi")

at.implied(604).relation("eq:proof3/state",
    r"""Eq. (16) at the state that is played gives the terms of eq. (17) for any arm state $x_a$, which nothing binds
    there: with $N = \max\{1, N_{k-1}(X_{t,A_t})\}$ and $m = \max\{1, N_{k-1}(x_a)\}$, $[[formula]]$.""",
    ForAll(N >= 1, m >= 1), 1 / sqrt(N) <= 1 / sqrt(z), z=m, by=Solver(), fails="unbound-state",
    severity=Severity.SLIP, candidates=[{N: fmpq(1), m: fmpq(100)}], true={"without a visit": {"z": 1}},
    false={"z": m + 1})

CAUSES = [
    Cause("unbound-state", Severity.SLIP, line=604, title="The state in the sum over the run is bound by nothing",
        printed=r"$\frac{1}{\sqrt{\max\{1, N_{k-1}(x_a)\}}}$ in the sum over $t$",
        why=r"$x_a$ is no state of the run; for a state with many visits the sum would be small.",
        instead=r"$\frac{1}{\sqrt{\max\{1, N_{k-1}(X_{t,A_t})\}}}$", follows="Nothing: it is used so.",
        witness="eq:proof3/state", checked=("lem:sum",)),
    Cause("split-of-delta", Severity.SLIP, line=417, title="The regret of an episode is defined in two ways",
        why=r"""That is (A) alone, and (B) need not be $0$: if $M_k$ moves at once to a state of reward $1$ for good and
        $M$ to one of reward $0$, (B) is $H_k - 1$.""",
        instead=r"$\Delta_k := W^{\pi_*}_{M,1:H_k}(X_{t_k}) - W^{\pi_k}_{M,1:H_k}(X_{t_k})$",
        follows="Nothing: the appendix defines it so.", witness="eq:proofAB"),
    Cause("conditional-expectation", Severity.SLIP, line=585, title="A number is equated with a random variable",
        why=r"""The right side depends on $M$, $M_k$ and $X_{t_k}$. For one arm of mean $1/4$ or $3/4$, equally likely,
        and $\beta = 1/2$ it is $0$, $1$ or $-1$ in the first episode of MB-PSRL, the left side $0$.""",
        instead=r"""$\mathbb{E}[\Delta_k^{model} \mid \mathcal{O}_{k-1}, M, M_k, X_{t_k}] = V_M^{\pi_*}(X_{t_k}) -
        V_{M_k}^{\pi_k}(X_{t_k})$""",
        follows="Nothing: this is what is used.", witness="eq:def_model"),
    Cause("ucbvi-reward-distance", Severity.GAP, line=598,
        title="The bonus of MB-UCBVI is left out of the distance of the rewards",
        printed=r"""The event of each of the three algorithms guarantees $|r_k(x_a) - r(x_a)| \le L_K/\sqrt{\max\{1,
        N_{k-1}(x_a)\}}$.""",
        why=r"""For MB-UCBVI $r_k = \hat r_{k-1} + b_{k-1}$ with a bonus of $L_{k-1}/(2(1-\beta)\sqrt N)$. For $S = n =
        1$, $K = k = 2$, $\beta = 1/2$, $H_1 = 1$, a reward of $1$ and $r = 1/10$: $r_k - r = 2.75\ldots$, and $L_K =
        2.48\ldots$""",
        instead=r"""$|r_k(x_a) - r(x_a)| \le \frac{(2-\beta)L_{k-1}}{2(1-\beta)\sqrt{\max\{1, N_{k-1}(x_a)\}}}$ for
        MB-UCBVI""",
        follows=r"Nothing: the section on MB-UCBVI uses this bound.", witness="eq:concentration/ucbvi"),
]
