r"""Section D: the example, posteriors, experimental methodology."""

from __future__ import annotations

from sympy import Integer  # type: ignore[import-untyped]

from proofs_checks.paper.shared.prelude import *
from proofs_checks.claimcheck.statements.numbers import rounds_to
from proofs_checks.paper.recorded import recorded_run
from proofs_checks.paper.shared.horizons import mean_of_totals
from proofs_checks.paper.shared.monte_carlo_noise import standard_deviation
from proofs_checks.paper.shared.recorded_experiments import final_regret
from proofs_checks.paper.shared.small_regrets import one_state_bandit
from theory import fraction, gittins_indices
from theory.certified import horizon_moment
from theory.values import policy_table

chapter = Chapter()

# == The printed table of Gittins indices, digit by digit (Appendix D.1).

at = chapter.heading("fig:randomwalk/indices")

PRINTED = {
    (1, 1): "0.276", (1, 2): "0.2894", (1, 3): "0.392", (1, 4): "1.0",
    (2, 1): "0.35", (2, 2): "0.256", (2, 3): "0.2892", (2, 4): "0.7",
    (3, 1): "0.4", (3, 2): "0.250", (3, 3): "0.286", (3, 4): "0.65",
}
"""The printed indices, by arm and state."""
CELLS = Family(r"the three arms of Table 1, their four states each, $\beta = 0.99$", lambda: iter(PRINTED),
    complete=True)

@cache
def exact_index(arm: int, state: int) -> fmpq:
    bandit = paper_model("random-walk")
    return gittins_indices(bandit.arms[arm - 1], bandit.discount, "definition")[state - 1]

def rounded(cell: tuple[int, int], second: str) -> Answer:
    printed = second if cell == (1, 2) else PRINTED[cell]
    exact = exact_index(*cell)
    arm, state = cell
    return answer(rounds_to(exact, printed), arm=arm, state=state, exact=exact, printed=printed)

at.printed(1337).property("fig:randomwalk/indices",
    r"""The table has the Gittins indices of all states, that of state 2 of the first arm as $[[second]]$, the others as
    $0.276$, $0.392$, $1.0$; $0.35$, $0.256$, $0.2892$, $0.7$; $0.4$, $0.250$, $0.286$, $0.65$. [[ours]] Each is the
    exact one, rounded to the digits printed.""",
    rounded, over=CELLS, second="0.2894", by=Everywhere(), fails="table-digit", false={"second": "0.2893"},
    true={"second": "0.2895"}, under="")

at.ours(1337).property("fig:randomwalk/indices/repair",
    r"""With $[[second]]$ for state 2 of the first arm every Gittins index of the table is the exact one, rounded to the
    digits printed.""",
    rounded, over=CELLS, second="0.2895", by=Everywhere(), false=[{"second": "0.2894"}, {"second": "0.2896"}],
    repairs="fig:randomwalk/indices")

CAUSES = [
    Cause("table-digit", Severity.SLIP, line=1337, title="One index of the table is cut off, not rounded",
        printed=r"$0.2894$ for state 2 of the first arm", why=r"The index is $39204/135433 = 0.28947\ldots$",
        instead=r"$0.2895$", follows="Nothing: the order of the indices stays.", witness="fig:randomwalk/indices"),
]

# == The conjugate posteriors of MB-PSRL: posterior proportional to prior times likelihood (Appendix D.2).

at = chapter.heading("apx:Bayes/dirichlet")
BAYES = "The posterior, the law of density proportional to that of the prior times the likelihood,"

at.printed(1377).relation("apx:Bayes/dirichlet",
    rf"""For rows $Q(x, \cdot)$ uniformly distributed on the probability vectors, the posterior is the Dirichlet law of
    parameters $c_y = [[b]] + \sum_{{i=1}}^{{N_{{k-1}}(x)}} \mathbb{{I}}_{{\{{Y_i = y\}}}}$. [[ours]] {BAYES} after
    $n_y$ visits to each next state $y$ has one proportional to $\prod_y q_y^{{n_y}}$, and the Dirichlet law to $\prod_y
    q_y^{{c_y - 1}}$: with $q = q_y$, $N = n_y$ they are, factor by factor, $[[formula]]$.""",
    ForAll(N >= 0, q > 0, q < 1), Eq(q**N, q ** (b + N - 1)), b=1, by=Algebra(), nearest="b", under="")

at.printed(1389).relation("apx:reward_post/beta",
    rf"""For a mean $r(x)$ uniformly distributed on $[0, 1]$ and Bernoulli rewards, the posterior is the Beta law of
    parameters $\left([[b]] + \sum_{{i=1}}^{{N_{{k-1}}(x)}} \mathbb{{I}}_{{\{{R_i = 1\}}}}, [[b]] +
    \sum_{{i=1}}^{{N_{{k-1}}(x)}} \mathbb{{I}}_{{\{{R_i = 0\}}}}\right)$. [[ours]] {BAYES} after $N$ ones and $T - 1$
    zeros has one proportional to the left side, and the Beta law with the number $z$ for that of ones to the right one:
    $[[formula]]$.""",
    ForAll(N >= 0, T >= 1, q > 0, q < 1),
    Eq(q**N * (1 - q) ** (T - 1), q ** (b + z - 1) * (1 - q) ** (b + N + T - 1 - z - 1)), b=1, z=N,
    by=Algebra(), false={"z": T - 1}, nearest="b", under="")

at.ours(1377).relation("apx:Bayes/moments",
    r"""For independent cells (of an arm and a state) with Bernoulli rewards, and positive parameters: a cell with the
    mixed moments of the law Dirichlet($\alpha$) times Beta($a$, $b$) has after the history those of Dirichlet of
    parameters $\alpha_y$ plus the number of its moves to $y$, times Beta of $a$ plus its rewards of 1, $b$ plus its
    rewards of 0. There are such laws for integers $\alpha_y, a, b \ge 1$. By densities, for one factor of parameter
    $a$ and $N$ such moves: $[[formula]]$.""",
    ForAll(N >= 0, a > 0, q > 0, q < 1), Eq(q ** (a - 1) * q**N, q ** (a + c * N - 1)), c=1, by=Algebra(),
    kernel=("mb_psrl_dirichlet", "dirichlet_exists"), nearest="c")

# With g = 1/sigma^2 of law Gamma(shape a, rate b), and r of law N(c, 1/(d g)), the logarithm of prior density times
# likelihood of N rewards of mean u and mean square p is, up to a constant, a sum of multiples of log g, g r^2, g r, g.
REWARDS = ForAll(N >= 0, p >= u**2)
OF_PRIOR = (a - 1 + Rational(1, 2) + N / Integer(2), d + N, d * c + N * u, b + d * c**2 / 2 + N * p / 2)
RATE = Rational(1, 2) + N * (p - u**2) / 2 + N * u**2 / (2 * (N + 1))
CENTRE = N * u / (N + 1)

OF_PRINTED = ((N + 1) / Integer(2) - 1 + Rational(1, 2), N + 1, (N + 1) * CENTRE, RATE + (N + 1) * CENTRE**2 / 2)
SAME_EXPONENTS = tuple(map(Eq, OF_PRIOR, OF_PRINTED))

EXPONENTS = r"""the coefficients of $\log \lambda$, $-\frac12\lambda r^2$, $\lambda r$ and $-\lambda$, where $\lambda =
1/\sigma^2(x)$, in the logarithm of prior density times likelihood are those of the printed law, with $N$ rewards of
mean $u = \hat r$ and mean square $p = \hat\sigma^2 + \hat r^2$: $[[formula]]$"""

at.printed(1402).relation("apx:reward_post/gaussian-gamma",
    rf"""$\frac{{1}}{{\sigma^2(x)}} \mid R_1, \ldots, R_{{N_{{k-1}}(x)}} \sim
    \mathrm{{Gamma}}\big(\frac{{N_{{k-1}}(x)+1}}{{2}}, \frac12 + \frac{{N_{{k-1}}(x)\hat\sigma^2(x)}}{{2}} +
    \frac{{N_{{k-1}}(x)\hat r^2(x)}}{{2(N_{{k-1}}(x)+1)}}\big)$, $r(x) \mid \frac{{1}}{{\sigma^2(x)}}, R_1, \ldots,
    R_{{N_{{k-1}}(x)}} \sim \mathcal{{N}}\big(\frac{{N_{{k-1}}(x)\hat r(x)}}{{N_{{k-1}}(x)+1}},
    \frac{{\sigma^2(x)}}{{N_{{k-1}}(x)+1}}\big)$. [[ours]] This is the posterior (the law of density proportional to
    that of the prior times the likelihood, here and below) of the prior with $1/\sigma^2(x)$ of law
    $\mathrm{{Gamma}}([[a]], [[b]])$, shape and rate, and $r(x)$ given $\sigma^2(x)$ Gaussian of mean $[[c]]$ and
    precision $[[*d]] 1/\sigma^2(x)$: {EXPONENTS}.""",
    REWARDS, *SAME_EXPONENTS, a="1/2", b="1/2", c=0, d=1,
    by=Algebra(), nearest="a+ b+ c+ d+", under="")

at.implied(1396).relation("apx:reward_post/gaussian-gamma-prior",
    rf"""What the text says of the prior (a Gamma law of $1/\sigma^2(x)$, here of shape $a$ and rate $b$, and $r(x)$
    Gaussian of variance $\sigma^2(x)$, here of mean $c$) determines the posterior, in which no parameter of the prior
    occurs: for all $a$, $b$, $c$, and $d = [[d]]$, {EXPONENTS}.""",
    REWARDS.where(a > 0, b > 0, c >= 0, c <= 1), *SAME_EXPONENTS, d=1,
    by=Solver(),
    survives=Survives(Eq(a, Rational(1, 2)), Eq(b, Rational(1, 2)), Eq(c, 0)), fails="prior-not-stated",
    candidates=[{N: fmpq(0), p: fmpq(0), u: fmpq(0), a: fmpq(1), b: fmpq(1), c: fmpq(0)}], false={"d": 2},
    under="apx:reward_post/gaussian-gamma")

def at_most_one_a_step(instance: tuple[fmpq, int], models: str) -> Answer:
    reward, steps = instance
    if models == "whose mean rewards are in $[0, 1]$" and not 0 <= reward <= 1:
        return answer(True)
    total = finite_horizon_value(one_state_bandit((reward,), HALF), lambda _: 0, steps)[0,]
    return answer(total <= steps, mean_reward=reward, H=steps, W=total, B_k=steps)

at.implied(1409).property("apx:reward_post/sub-gaussian",
    r"""For Gaussian rewards the proof of Theorem 1 needs no more than another inequality in the place of Hoeffding's:
    another bound of it, $W^{\pi_k}_{M_k,1:H_k}(\boldsymbol{x}) \le H_k$, stays true of sampled models $M_k$
    [[models]].""",
    at_most_one_a_step,
    over=Family(r"models of one state, of mean reward $0$, $1$ or $\frac32$, and one to three steps",
        lambda: product((fmpq(0), ONE, fmpq(3, 2)), (1, 2, 3)), complete=True),
    models="whatever their mean rewards",
    by=Everywhere(), fails="gaussian-rewards", true={"models": "whose mean rewards are in $[0, 1]$"},
    under="apx:reward_post/gaussian-gamma")

CAUSES += [
    Cause("gaussian-rewards", Severity.GAP, line=1409,
        title="For Gaussian rewards the proof needs more than a sub-Gaussian inequality",
        printed="replacing Hoeffding's inequality corrects the proof for Gaussian rewards",
        why=r"""The proof also uses rewards in $[0, 1]$ in $B_k = H_k$. Under a Gaussian-Gamma posterior the sampled
        mean rewards have any size with positive probability: with $r_k = 3/2$ in one state, $W_{M_k,1:H} = 3H/2 >
        H$. Nor has a sub-Gaussian inequality one radius for all variances.""",
        instead=r"""for Gaussian rewards of bounded variance and sampled models whose mean rewards are in $[0, 1]$,
        replacing Hoeffding's inequality""",
        follows="Only the remark: Theorem 1 is stated for rewards in $[0, 1]$.",
        witness="apx:reward_post/sub-gaussian"),
    Cause("prior-not-stated", Severity.SLIP, line=1396,
        title="The prior of Gaussian rewards is not stated, nor whether a Gamma law has a rate or a scale",
        printed=r"""a posterior without any parameter of the prior, for "a Gamma distribution" and a Gaussian one of
        variance $\sigma^2(x)$""",
        why=r"""It is that of one prior only: shape $1/2$, rate $1/2$, mean $0$. For $\mathrm{Gamma}(1, 1)$ the law
        after no reward would be $\mathrm{Gamma}(1, 1)$, not $\mathrm{Gamma}(1/2, 1/2)$. And numpy's sampler, which the
        text names, takes a scale: after one reward equal to $1$ it would sample with the rate $4/3$ in place of
        $3/4$.""",
        instead=r"""$1/\sigma^2(x) \sim \mathrm{Gamma}(1/2, 1/2)$, shape and rate, and $r(x) \mid \sigma^2(x) \sim
        \mathcal{N}(0, \sigma^2(x))$""",
        follows="Nothing that is proved; the runs with the incorrect prior can be repeated only with this known.",
        witness="apx:reward_post/gaussian-gamma-prior"),
]

# == How the experiments evaluate policies: a linear system, or Monte Carlo (Appendix D.3).

Ordered: TypeAlias = "tuple[Bandit, Priority]"

at = chapter.heading("eq:exact_value")
ANY = r"$n \ge 1$ arms of $S$ states each, $0 \le \beta < 1$, any deterministic stationary policy"
SMALL = Bandit(
    [Arm(rewards=[1, 0], transitions=[["1/2", "1/2"], ["1/3", "2/3"]]),
        Arm(rewards=["1/4", "3/4"], transitions=[[0, 1], ["1/2", "1/2"]])],
    "2/3", [0, 0])
"""Two arms of two states: small enough for all trajectories."""

def _ordered(source: Generator) -> Ordered:
    bandit = random_bandit(source, max_arms=2)
    return bandit, tuple(bandit.arm_states[int(i)] for i in source.permutation(len(bandit.arm_states)))

def _small() -> Iterator[Ordered]:
    yield SMALL, gittins_priority(SMALL)[::-1]

ORDERS = Family("random exact bandits of two arms with a priority order", _small, draw=_ordered)

def system_and_laws(model: Ordered, c: object) -> Answer:
    """Compare the solution of the linear system, its discount scaled, with the value by conservation laws."""
    bandit, order = model
    scaled = Bandit(bandit.arms, rational(c) * bandit.discount)
    values = policy_value(scaled, priority_policy(scaled, order))
    found = {state: priority_value(bandit, order, state).value for state in values}
    return answer(values == found, model=bandit, order=order, system=values, conservation_laws=found)

at.printed(1428).property("eq:exact_value",
    r"""$V^\pi_M = (\mathbf{1} - \beta P^\pi)^{-1} r^\pi$. [[ours]] With $I$ for $\mathbf{1}$, $I - [[*c]] \beta P^\pi$
    is invertible, and $V^\pi_M = (I - [[*c]] \beta P^\pi)^{-1} r^\pi$.""",
    system_and_laws, over=ORDERS, domain=ANY, c=1,
    kernel="linear_system",
    false={"c": "999999/1000000"}, max_instances=40, under="")

at.printed(1431).relation("eq:exact_value/memory",
    r"""The matrix inversion takes $S^{2n} + [[c]]S^n$ of storage. [[ours]] Taken as the input and the solution of
    a linear system on $S^n$ states, stored densely, so the matrix and two vectors: $[[formula]]$.""",
    ForAll(S >= 1, n >= 1), Eq((S**n) ** 2 + 2 * S**n, S ** (2 * n) + c * S**n), c=2, by=Algebra(),
    nearest="c")

def by_laws(model: Ordered, values: str) -> Answer:
    bandit, order = model
    expected = policy_value(bandit, priority_policy(bandit, order))
    for state, value in expected.items():
        found = gittins_value(bandit, state) if values == "the optimal value" else priority_value(bandit, order, state)
        visits = [count for counts in found.visits for count in counts]
        if found.value != value or min(visits) < 0 or sum(visits, fmpq(0)) != 1 / (1 - bandit.discount):
            return answer(False, model=bandit, order=order, state=state, system=value, laws=found.value, visits=visits)
    return answer(True)

at.ours(1424).property("eq:exact_value/no-algorithm/repair",
    r"""[[values]] is computed by a triangular system with one unknown for each of the $nS$ arm states (strong
    conservation laws, Bertsimas and Niño-Mora 1996): its only solution is the vector of the expected discounted numbers
    of activations, which are not negative and sum to $1/(1-\beta)$.""",
    by_laws, over=ORDERS,
    domain=r"$n \ge 1$ arms of $S$ states each, $0 \le \beta < 1$, any strict priority order of the arm states",
    values="The value of a priority policy", kernel=("conservation", "value_of_priority_policy"),
    false={"values": "the optimal value"}, max_instances=40)

@cache
def value_of_the_worst_order() -> fmpq:
    """Return the value in scenario 2 of playing the unfinished task of smallest Gittins index."""
    tasks = paper_model("task-scheduling")
    order = gittins_priority(tasks)
    finished = [pair for pair in order if pair[1] == tasks.sizes[pair[0]] - 1]
    return priority_value(tasks, [*(pair for pair in order[::-1] if pair not in finished), *finished]).value

def out_of_reach(how: str) -> Answer:
    if how == "by any method":
        value = value_of_the_worst_order()
        return answer(value is None, policy="the unfinished task of smallest Gittins index first", value=value)
    states = paper_model("task-scheduling").number_of_global_states
    numbers = states**2 + 2 * states
    return answer(len(str(numbers)) == 19, numbers_of_the_linear_system=numbers)  # fifty million terabytes of them

at.printed(1433).property("eq:simulation_value/intractable",
    r"""In Scenario 2, with $n = 9$ arms of $S = 11$ states, computing the values of the algorithms that are based on
    the Gittins index is intractable. [[ours]] The values of index policies are out of reach [[how]].""",
    out_of_reach, how="by any method", fails="values-in-reach", by=Everywhere(),
    true={"how": "by the matrix inversion"}, under="eq:simulation_value/expectation")

LONGEST = 6
DIFFERENCE = r"$V^{\pi_*}_M - V^{\pi_k}_M$"

def mean_total(bandit: Bandit, order: Priority) -> fmpq:
    return mean_of_totals(bandit, policy_table(bandit, priority_policy(bandit, order)), LONGEST)[bandit.start()]

def estimated(model: Ordered, quantity: str, a: Exact = 0) -> Answer:
    """Compare what is meant with the mean over max(0, H - a) steps; if positive, this number is geometric again."""
    bandit, order = model
    totals = mean_total(bandit, gittins_priority(bandit)) - mean_total(bandit, order)
    expectation = bandit.discount ** int(rational(a).p) * totals
    optimal, value = gittins_value(bandit).value, priority_value(bandit, order).value
    meant = {r"$V^{\pi_k}_M$": value, DIFFERENCE: optimal - value, r"$V^{\pi_*}_M$": optimal}
    return answer(expectation == meant[quantity], model=bandit, order=order, expectation=expectation,
        the_quantity=meant[quantity])

def _orders() -> Iterator[Ordered]:
    gittins = gittins_priority(SMALL)
    return ((SMALL, order) for order in (gittins[::-1], gittins, gittins[1:] + gittins[:1]))

THREE_ORDERS = Family("two arms of two states under three priority orders", _orders)

at.printed(1440).property("eq:simulation_value/expectation",
    r"""The expectation of $\hat\Delta_k$ is what $V^\pi_M = (\mathbf{1} - \beta P^\pi)^{-1} r^\pi$ gives. [[ours]]
    $\hat\Delta_k$, eq. (42), is the total reward of $\pi_*$ over $H_k$ steps less that of $\pi_k$, a mean over
    simulations. Given $\pi_k$ and the initial state, its mean over horizons and moves is [[quantity]], in that
    state.""",
    estimated, over=THREE_ORDERS, quantity=r"$V^{\pi_k}_M$",
    fails="monte-carlo-difference", false={"quantity": r"$V^{\pi_*}_M$"},
    true={"quantity": DIFFERENCE}, under="")

at.ours(1435).property("eq:simulation_value/expectation/repair",
    r"""Given $\pi_k$ and the initial state, the expectation of the Monte Carlo estimate with $H_k[[a=0? - #]]$ steps a
    replica is $\Delta_k = V^{\pi_*}_M - V^{\pi_k}_M$.""",
    lambda model, a: estimated(model, DIFFERENCE, a), over=THREE_ORDERS,
    domain=r"""finite bandits, rewards in $[0, 1]$; deterministic policies $\pi_k$ fixed before the replicas, horizons
    geometric of parameter $1 - \beta$, independent of the trajectories""", a=0,
    kernel=("mean_model_gap", "total_of_runs"), false={"a": 1}, under="eq:simulation_value/expectation",
    repairs="eq:simulation_value/expectation")

at.printed(1419).number("scenarios/steps",
    r"""Horizons $H_1, \ldots, H_K$ are drawn from the geometric law of parameter $[[parameter]]$, for $K =
    [[episodes]]$. [[ours]] Their expected sum is $[[printed]]$, as Section 7 says.""",
    "300000", lambda episodes, parameter: int(episodes) / rational(parameter),
    also=lambda episodes, parameter: int(episodes) * horizon_moment(1, 1 - rational(parameter)), episodes=3000,
    parameter="0.01", by=Everywhere(), false=[{"parameter": "0.0101"}, {"episodes": 2999}],
    under="eq:V-vs_R/steps")

def noisy(times: str) -> Compared:
    noise = standard_deviation(3000, 1)
    spread = final_regret(recorded_run("task-scheduling"), "mb-psrl").std(ddof=1)
    shown = {"noise": f"{noise:.4g}", "of the exact regret": f"{spread:.3g}", "quotient": f"{noise / spread:.3g}"}
    return Compared(Verdict.AGREES if noise > float(fraction(times)) * spread else Verdict.DIFFERS, shown)

at.printed(1440).report("eq:simulation_value/variance",
    r"""The Monte Carlo estimate eq. (42) has a high variance. [[ours]] Read with mean rewards and one horizon for both
    policies, for a learner that finishes the tasks one by one, smallest $\rho_1$ first, the standard deviation of its
    noise in one simulation is more than $[[times]]$ times that of the exact regret of MB-PSRL over simulations.""",
    noisy, domain="Scenario 2, 3000 episodes; the noise computed, the regrets as recorded", times=10,
    verdict=Verdict.AGREES, false={"times": 100}, under="eq:simulation_value/expectation")

CAUSES += [
    Cause("monte-carlo-difference", Severity.SLIP, line=1440,
        title="The Monte Carlo estimate is one of a difference of values",
        why=r"""It is $V^{\pi_*}_M - V^{\pi_k}_M$: for the oracle's own policy it is $0$, and its value is not. Moreover
        the replicas of different simulations have different policies $\pi_k$: then the estimate is of the mean of their
        differences.""",
        instead=r"""given $\pi_k$ and the initial state, the expectation of $\hat\Delta_k$ is $\Delta_k = V^{\pi_*}_M -
        V^{\pi_k}_M$""",
        follows="Nothing: it is the difference that is plotted.", witness="eq:simulation_value/expectation"),
    Cause("values-in-reach", Severity.SLIP, line=1433,
        title="The values of index policies in Scenario 2 are not intractable",
        why=r"""The value of every priority policy is that of a triangular system with one unknown for each of the $nS =
        99$ arm states: the value of playing the unfinished task of smallest index is computed here as an exact
        fraction.""",
        instead="the matrix inversion is out of reach; the strong conservation laws give the values with $nS$ unknowns",
        follows="The noise of Monte Carlo in the figures of Scenario 2 can be avoided: regret can be computed exactly.",
        witness="eq:simulation_value/intractable"),
]
