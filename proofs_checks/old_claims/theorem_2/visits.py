"""The proof of Theorem 2 step by step, and the exact law of the number of visits to a state."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise, product

import sympy  # type: ignore[import-untyped]
from flint import fmpq

from proofs_checks.computations.symbolic import nonnegative_above
from proofs_checks.ledger import Book, Evidence, Finding, Verdict, claim, fails, holds, undecided
from theory import ONE, ZERO, Bandit, Exact, rational, sympy_rational
from theory.paper import (
    BestArmPrior,
    adaptive_regret,
    known_horizon_regrets,
    mean_visits,
    one_step_episodes_regret,
    variance_of_visits,
    visit_law,
    visits_below,
)
from theory.values import values_after

SECTION = "Theorem 2: lower bound"

S_, K_, n_ = sympy.symbols("S K n", integer=True, positive=True)
beta_ = sympy.Symbol("beta", nonnegative=True)

BOX = tuple(product((1, 2, 3, 5), (1, 2, 3, 8, 16, 40), (fmpq(0), fmpq(1, 2), fmpq(9, 10))))
"""S, K, beta for which the exact law is compared."""


def _zero(expression: sympy.Expr) -> bool:
    return bool(sympy.simplify(expression) == 0)


@claim(
    "thm:lower_bound/tau-integer",
    section=SECTION,
    statement="tau = K/(2S(1-beta)) is a number of time steps, as eq:regret_sto needs.",
    domain="all S >= 1, 0 <= beta < 1, K >= 16 S",
    verdict=Verdict.FAILS,
    evidence=Evidence.CERTIFIED,
    mutants={"beta = 1/3": {"beta": fmpq(1, 3), "K": 17}},
    controls={"rounded up": {"rounded": True}},
)
def tau_integer(book: Book, S: int = 1, K: int = 17, beta: Exact = 0, rounded: bool = False) -> Finding:
    tau = mean_visits(S, K, beta) / 2
    used = tau.ceil() if rounded else tau
    if fmpq(used).q == 1:
        return holds(Evidence.CERTIFIED, tau=tau, used=int(used))
    return fails({"S": S, "K": K, "beta": rational(beta), "tau": tau})


@claim(
    "thm:lower_bound/tau-integer/repair",
    section=SECTION,
    statement="""With ceil(tau) in place of tau the chain of inequalities holds: T_i >= tau and T_i >= ceil(tau) are the
    same event, and min(sqrt(n ceil(tau)), ceil(tau)) >= min(sqrt(n tau), tau).""",
    domain="all S >= 1, n >= 1, 0 <= beta < 1, K >= 1",
    evidence=Evidence.PROOF,
    mutants={"floor(tau)": {"up": False}},
    repairs=("thm:lower_bound/tau-integer",),
)
def tau_rounded(book: Book, up: bool = True) -> Finding:
    for S, K, beta in BOX:
        tau = mean_visits(S, K, beta) / 2
        rounded = fmpq(tau.ceil() if up else tau.floor())
        same = visits_below(S, K, beta, tau) == visits_below(S, K, beta, rounded)
        if not same or rounded < tau:
            return fails({"S": S, "K": K, "beta": beta, "tau": tau, "rounded": rounded})
    # tau = m - part = m - 1 + other, m = ceil(tau), 0 <= part, 0 < other: T = m + i reaches tau, T = m - 1 - i does not
    m, i, part, other = sympy.symbols("m i part other")
    reached = nonnegative_above(sympy.expand((m + i) - (m - part)), {i: 0, part: 0})
    missed = sympy.expand((m - 1 + other) - (m - 1 - i) - other)  # i: at least 0, so that tau exceeds T by other > 0
    if not (reached and nonnegative_above(missed, {i: 0})):
        return undecided("rounding up is not seen to keep the event")
    return holds(Evidence.PROOF, reason="T_i is an integer, and both terms of the minimum grow with tau")


@claim(
    "thm:lower_bound/independent-of-play",
    section=SECTION,
    statement="""Whatever the learner does, an episode stays in the state it starts in: T_i depends only on the initial
    states and the horizons.""",
    domain="every model of the prior",
    evidence=Evidence.PROOF,
    mutants={"an arm that moves": {"moving": True}},
)
def independent_of_play(book: Book, moving: bool = False) -> Finding:
    x, y = sympy.symbols("x y", integer=True)
    # whatever the arm, sum over y of Q(x, y) 1{y = x}, with Q the identity matrix
    stays_put = sympy.summation(sympy.KroneckerDelta(x, y) ** 2, (y, -sympy.oo, sympy.oo)) == 1
    identity = all(
        arm.transitions[i][j] == int(i == j)
        for S, n in product((1, 2, 3), repeat=2)
        for _, bandit in BestArmPrior(S, n, "1/2", "1/4", "3/4").models()
        for arm in bandit.arms
        for i, j in product(range(S), repeat=2)
    )
    for _, bandit in BestArmPrior(S=2, n=2, discount="1/2", base="1/4", best="3/4").models():
        tried = bandit
        if moving:
            tried = Bandit(
                [replace(bandit.arms[0], transitions=((ZERO, ONE), (ONE, ZERO))), bandit.arms[1]], bandit.discount
            )
        for state, arm in product(((0, 0), (1, 1)), range(2)):
            indicator = {other: fmpq(other == state) for other in product(range(2), repeat=2)}
            row = tried.arms[arm].transitions[state[arm]]
            stays = sum((q * v for q, v in zip(row, values_after(tried, indicator, state, arm), strict=True)), fmpq(0))
            if stays != 1:
                return fails({"model": tried, "state": list(state), "arm": arm, "probability to stay": stays})
    if not (stays_put and identity):
        return undecided("a transition matrix of the construction is not the identity")
    return holds(Evidence.PROOF, reason="every transition matrix of the construction is the identity")


@claim(
    "thm:lower_bound/separate-states",
    section=SECTION,
    statement="""What is learned in one initial state is of no use in another: the smallest Bayesian regret is S times
    that of one state's n-armed bandit, and at least the sum over i for a learner told all T_i.""",
    domain="the prior with independent best arms",
    evidence=Evidence.PROOF,
    mutants={"the same best arm in every state": {"independent": False}},
)
def separate_states(book: Book, independent: bool = True) -> Finding:
    for n, K in ((2, 2), (2, 3), (2, 4), (3, 3)):
        prior = BestArmPrior(S=2, n=n, discount=0, base="1/4", best="3/4")
        if independent:
            belief = {best: fmpq(1, n**2) for best, _ in prior.models()}
        else:
            belief = {(a, a): fmpq(1, n) for a in range(n)}
        joint = one_step_episodes_regret(prior, belief, K)
        alone = known_horizon_regrets(prior, K)
        apart = 2 * sum((p * regret for p, regret in zip(visit_law(2, K, 0, K), alone, strict=True)), fmpq(0))
        by_state = adaptive_regret(prior, K, K)
        if joint < apart or joint != by_state.low:
            return fails(
                {"S": 2, "n": n, "K": K, "joint learner": joint, "state by state": by_state.low, "told": apart}
            )
    if not (independent and _stays_a_product() and book.stands("thm:lower_bound/any-learner")):
        return undecided("the posterior is not seen to stay a product")
    return holds(
        Evidence.PROOF,
        reason=(
            "independent priors, independent observations: given all horizons and initial states the "
            "posterior is a product, and the regret a sum of which each term involves one factor"
        ),
    )


def _stays_a_product() -> bool:
    """Verify Bayes' rule on two generic rows and columns of a product law: all minors vanish, for any number of arms.

    p is the law of the best arm in one state, q jointly that of the others; a reward of the first has a likelihood.
    """
    p, q, likelihood = (sympy.symbols(f"{name}_a {name}_b", positive=True) for name in ("p", "q", "likelihood"))
    total = sympy.Symbol("total", positive=True)
    joint = [[p[a] * likelihood[a] * q[b] / total for b in (0, 1)] for a in (0, 1)]
    return _zero(joint[0][0] * joint[1][1] - joint[0][1] * joint[1][0])


@claim(
    "eq:non-decreasing",
    section=SECTION,
    statement="""On T_i >= tau the expected regret of T_i steps is at least that of the first tau of them, whatever the
    learner knows of T_i.""",
    domain="every learner; steps, not episodes as the text says",
    evidence=Evidence.PROOF,
    mutants={"strictly larger": {"strictly": True}, "per step": {"per_step": True}},
)
def non_decreasing(book: Book, strictly: bool = False, per_step: bool = False) -> Finding:
    for base, best in ((fmpq(0), fmpq(1)), (fmpq(1, 4), fmpq(3, 4))):
        regrets = known_horizon_regrets(BestArmPrior(1, 3, 0, base, best), 8)
        steps = [late - early for early, late in pairwise(regrets)]
        if per_step and any(late < early for early, late in pairwise(steps)):
            return fails({"means": [base, best], "regret of 0..8 pulls": regrets})
        if any(step < 0 or (strictly and step == 0) for step in steps):
            return fails({"means": [base, best], "regret of 0..8 pulls": regrets})
    probability, best, worse = sympy.symbols("probability best worse")  # of each arm: its mean is best - worse
    cost = sympy.expand(probability * best - probability * (best - worse))  # summed over arms: the regret of a step
    if strictly or per_step or not nonnegative_above(cost, {probability: 0, worse: 0}):
        return undecided("no more than non-decreasing is shown")
    return holds(Evidence.PROOF, reason="each step's expected regret is the gap times a probability, so not negative")


@claim(
    "eq:tau",
    section=SECTION,
    statement="(S/20) sqrt(n tau) = (1/(20 sqrt(2))) sqrt(SnK/(1-beta)) with tau = K/(2S(1-beta)) (eq:lower2, eq:tau).",
    domain="all S, n, K >= 1, 0 <= beta < 1",
    evidence=Evidence.PROOF,
    mutants={"tau = K/(S(1-beta))": {"halves": 1}},
)
def tau_substituted(book: Book, halves: int = 2) -> Finding:
    gap = sympy.Symbol("g", positive=True)  # 1 - beta
    tau = K_ / (halves * S_ * gap)
    left, right = (S_ / 20) ** 2 * n_ * tau, S_ * n_ * K_ / gap / 800
    if _zero(left - right):
        return holds(Evidence.PROOF, reason="both sides squared")
    return fails({"S": 1, "n": 1, "K": 1, "beta": 0, "squares": [fmpq(1, 400 * halves), fmpq(1, 800)]})


def _generating_function(z: sympy.Symbol) -> sympy.Expr:
    return 1 - 1 / S_ + (1 - beta_) * z / (S_ * (1 - beta_ * z))


@claim(
    "lem:concentration_T_i/i",
    section=SECTION,
    statement="T_i has the law of the sum over k of G_k H_k: a binomial mixture of negative binomials.",
    domain="all S, K >= 1, 0 <= beta < 1",
    evidence=Evidence.PROOF,
    mutants={"horizons from 0": {"shift": 0}, "G of mean 1/(S+1)": {"more_states": 1}},
)
def visits_law(book: Book, shift: int = 1, more_states: int = 0) -> Finding:
    if not book.stands("thm:lower_bound/independent-of-play"):
        return undecided("T_i may depend on the learner")
    for S, K, beta in BOX:
        if K > 3:
            continue
        one = [fmpq(0)] * 9
        one[0] += 1 - fmpq(1, S + more_states)
        for h in range(shift, 9):
            one[h] += fmpq(1, S + more_states) * (1 - beta) * (fmpq(1) if h == shift else beta ** (h - shift))
        law = [fmpq(1)] + [fmpq(0)] * 8
        for _ in range(K):
            law = [sum((law[j] * one[t - j] for j in range(t + 1)), fmpq(0)) for t in range(9)]
        formula = visit_law(S, K, beta, 8)
        if law != formula:
            return fails({"S": S, "K": K, "beta": beta, "P(T = 0..8)": formula, "of the sum": law})
    if not (shift == 1 and more_states == 0 and _one_episode_more()):
        return undecided("the induction step is not an identity")
    return holds(
        Evidence.PROOF,
        reason="""An episode started in i stays there for all its H steps, one started elsewhere never visits it. Both
        laws by induction: on the episodes started in i (the t-1 choose g-1 places of the ends but the last), and on all
        episodes (the choice of those g); each step is Pascal's identity.""",
    )


def _one_episode_more() -> bool:
    """Verify the induction steps of the negative binomial law and of the binomial one.

    P(g lengths sum to t) = C(t-1, g-1) (1-beta)^g beta^(t-g): one length more is the sum over s of that at s, times
    (1-beta) beta^(t-s-1). The powers do not depend on s; and the sum over s < t of C(s-1, g-1) is C(t-1, g), by
    induction on t.
    """
    b, g, s, t, k, start = sympy.symbols("b g s t k start", positive=True)  # start = 1/S
    powers = (1 - b) ** g * b ** (s - g) * (1 - b) * b ** (t - s - 1) / ((1 - b) ** (g + 1) * b ** (t - g - 1))
    column = sympy.binomial(t - 1, g) + sympy.binomial(t - 1, g - 1) - sympy.binomial(t, g)
    # one episode more: g of k + 1 start in i, the last one or not
    mixed = (1 - start) * start**g * (1 - start) ** (k - g) - start * start ** (g - 1) * (1 - start) ** (k - g + 1)
    choices = sympy.binomial(k, g) + sympy.binomial(k, g - 1) - sympy.binomial(k + 1, g)
    return bool(
        sympy.simplify(sympy.powsimp(powers)) == 1
        and sympy.combsimp(column) == 0
        and sympy.simplify(sympy.powsimp(mixed)) == 0
        and sympy.combsimp(choices) == 0
    )


@claim(
    "lem:concentration_T_i/ii",
    section=SECTION,
    statement="E[T_i] = K/(S(1-beta)).",
    domain="all S, K >= 1, 0 <= beta < 1",
    evidence=Evidence.PROOF,
    mutants={"K beta/(S(1-beta))": {"from_zero": True}},
)
def visits_mean(book: Book, from_zero: bool = False) -> Finding:
    z = sympy.Symbol("z")
    mean = sympy.diff(_generating_function(z), z).subs(z, 1) * K_
    claimed = K_ * (beta_ if from_zero else 1) / (S_ * (1 - beta_))
    if _zero(mean - claimed):
        return holds(Evidence.PROOF, reason="derivative of the generating function at 1")
    return fails({"E[T]": str(sympy.simplify(mean)), "claimed": str(claimed), "at S = K = 1, beta = 0": [1, 0]})


@claim(
    "lem:concentration_T_i/variance",
    section=SECTION,
    statement="""E[H^2] = (1+beta)/(1-beta)^2, E[(GH)^2] <= 2S E[GH]^2, Var[GH] <= (2S-1) E[GH]^2; exactly, Var[GH] =
    ((1+beta)S - 1) E[GH]^2.""",
    domain="all S, K >= 1, 0 <= beta < 1",
    evidence=Evidence.PROOF,
    mutants={"2S - 2 in place of 2S - 1": {"less": 2}, "beta in place of 1 + beta": {"one": 0}},
)
def visits_variance(book: Book, less: int = 1, one: int = 1) -> Finding:
    z, gap = sympy.Symbol("z"), 1 - beta_
    horizon = gap * z / (1 - beta_ * z)
    second = sympy.diff(z * sympy.diff(horizon, z), z).subs(z, 1)
    if not _zero(second - (one + beta_) / gap**2):
        return fails({"E[H^2]": str(sympy.factor(second)), "at beta = 0": 1})
    mean, squares = 1 / (S_ * gap), second / S_
    if not _zero(squares - (1 + beta_) * S_ * mean**2):
        return undecided("E[(GH)^2] has another form")
    # The claimed factor minus the exact one is S(1-beta) + 1 - less, whose infimum 1 - less is approached as beta -> 1.
    slack = sympy.expand((2 * S_ - less) - (squares - mean**2).simplify() / mean**2)
    if not _zero(slack - (S_ * (1 - beta_) + 1 - less)):
        return undecided("the slack has another form")
    if less > 1:
        S, beta = 1, fmpq(9, 10)
        relative = variance_of_visits(S, 1, beta) / mean_visits(S, 1, beta) ** 2  # K = 1: that of GH
        if relative <= 2 * S - less:
            return undecided("the factor is not shown, and this instance does not refute it")
        return fails({"S": S, "beta": beta, "Var/E^2": relative, "claimed": 2 * S - less})
    for S, K, beta in BOX[:9]:  # the closed form against moments summed from the law
        if beta == 0:
            law = visit_law(S, K, beta, K)
            exact = sum((t**2 * p for t, p in enumerate(law)), fmpq(0)) - mean_visits(S, K, beta) ** 2
            if exact != variance_of_visits(S, K, beta):
                return fails({"S": S, "K": K, "beta": beta, "variance": exact})
    return holds(Evidence.PROOF, reason="derivatives of the generating functions; beta <= 1")


@claim(
    "lem:concentration_T_i/chebyshev",
    section=SECTION,
    statement="P(T_i <= E[T_i]/2) <= 4 Var[T_i]/E[T_i]^2 = (4/K) Var[GH]/E[GH]^2 <= 8S/K.",
    domain="all S, K >= 1, 0 <= beta < 1",
    evidence=Evidence.PROOF,
    mutants={"S/(4K) in place of 8S/K": {"factor": fmpq(1, 4)}, "2 Var/E^2": {"ratio": 1, "factor": fmpq(1, 8)}},
)
def chebyshev(book: Book, factor: Exact = 8, ratio: int = 4) -> Finding:
    if not book.stands("lem:concentration_T_i/ii", "lem:concentration_T_i/variance"):
        return undecided("mean and variance are not established")
    exact, claimed = 4 * ((1 + beta_) * S_ - 1) / K_, 8 * S_ / K_
    if not _zero(claimed - exact - 4 * (S_ * (1 - beta_) + 1) / K_):  # positive, as beta < 1
        return undecided("the slack has another form")
    largest = fmpq(0)
    for S, K, beta in BOX:
        mean = mean_visits(S, K, beta)
        below = visits_below(S, K, beta, mean / 2, strictly=False)
        relative = variance_of_visits(S, K, beta) / mean**2
        bound = rational(factor) * fmpq(S, K)
        if below > bound or below > ratio * relative or ratio * relative > bound:
            return fails({"S": S, "K": K, "beta": beta, "P(T <= E/2)": below, "Var/E^2": relative, "bound": bound})
        largest = max(largest, below / bound)
    return holds(
        Evidence.PROOF,
        exact_laws_compared=len(BOX),
        largest_ratio_to_the_bound=largest,
        reason="Chebyshev's inequality, with 4((1+beta)S - 1)/K <= 4(2S-1)/K < 8S/K",
    )


@claim(
    "lem:concentration_T_i/iii",
    section=SECTION,
    statement="P(T_i >= E[T_i]/2) >= 1 - 8S/K.",
    domain="all S, K >= 1, 0 <= beta < 1",
    evidence=Evidence.PROOF,
    mutants={"1 - S/(4K)": {"factor": fmpq(1, 4)}},
)
def lower_half(book: Book, factor: Exact = 8) -> Finding:
    if not book.stands("lem:concentration_T_i/chebyshev"):
        return undecided("the chain of inequalities does not stand")
    for S, K, beta in BOX:
        below = visits_below(S, K, beta, mean_visits(S, K, beta) / 2)
        if below > rational(factor) * fmpq(S, K):
            return fails({"S": S, "K": K, "beta": beta, "P(T < E/2)": below, "bound": rational(factor) * fmpq(S, K)})
    return holds(Evidence.PROOF, reason="P(T >= E/2) >= P(T > E/2) = 1 - P(T <= E/2): strictness only helps")


@claim(
    "thm:lower_bound/half",
    section=SECTION,
    statement="P(T_i >= tau) >= 1/2.",
    domain="all S >= 1, 0 <= beta < 1, K >= 16 S",
    evidence=Evidence.PROOF,
    mutants={"K >= 1": {"episodes": 0}, "999/1000 in place of 1/2": {"least": fmpq(999, 1000)}},
)
def at_least_half(book: Book, episodes: int = 16, least: Exact = fmpq(1, 2)) -> Finding:
    if not book.stands("lem:concentration_T_i/iii"):
        return undecided("the lemma does not stand")
    for S, beta in product((1, 2, 3, 4), (fmpq(0), fmpq(1, 2), fmpq(4, 5))):
        K = max(1, episodes * S)
        reached = 1 - visits_below(S, K, beta, mean_visits(S, K, beta) / 2)
        if reached < rational(least):
            return fails({"S": S, "K": K, "beta": beta, "P(T >= tau)": reached, "claimed": rational(least)})
    more, share = sympy.symbols("more"), 1 - sympy_rational(least)
    enough = nonnegative_above(sympy.expand(share * (episodes * S_ + more) - 8 * S_), {S_: 1, more: 0})
    if not enough:
        return undecided("8S/K is not shown to leave that probability")
    return holds(Evidence.PROOF, reason="8S/K <= 1/2 for K >= 16 S")
